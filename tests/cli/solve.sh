#!/usr/bin/env bash
# solve: tables, the machine form, exit codes, written problems, and how bad files and options are refused.
#
#   tests/cli/solve.sh PROGRAM ROOT JSON_LINES
set -uo pipefail
program=$(realpath "$1") root=$(realpath "$2") reader=$(realpath "$3")
source "$(dirname "$0")/support.sh"
cd "$work" || exit 1

# near WHAT A B: two numbers to 1e-7
near() {
    awk -v a="$2" -v b="$3" 'BEGIN { exit !(a - b < 1e-7 && b - a < 1e-7) }' || complain "$1 is $2, not $3"
}

# A body of 2 kg comes down at 1 m/s. Sliding along at 3 m/s with mu 0.5, it gets r = (2, -1); at 0.1 m/s it sticks.
cat >slide.json <<'JSON'
{"name": "a sliding body", "kind": "bodies", "groups": [{"law": "cone", "rows": 2, "mu": 0.5}], "w": [0, 0],
 "nodes": [{"mass": [2, 0, 0, 2], "free": [-1, 3]}], "entries": [{"group": 0, "node": 0, "rows": [1, 0, 0, 1]}]}
JSON
sed 's/-1, 3/-1, 0.1/' slide.json >stick.json
echo '{"kind": "local", "dim": 3, "nc": 1, "mu": [0.3], "q": [-1, 0, 0],
 "W": {"m": 3, "n": 3, "p": [0, 1, 2, 3], "i": [0, 1, 2], "x": [1, 1, 1]}}' >local.json
echo '{"kind": "global", "dim": 2, "nc": 1, "mu": [0.5], "f": [0, -2, 0], "w": [0, 0],
 "M": {"m": 3, "n": 3, "p": [0, 1, 2, 3], "i": [0, 1, 2], "x": [2, 2, 1]},
 "H": {"m": 3, "n": 2, "p": [0, 1, 2], "i": [1, 0], "x": [1, 1]}}' >global.json
echo '{"kind": "local", "dim": 3, "nc": 2, "mu": [0.3, 0.7], "q": [-1.3, 0.9, 0.4, -0.7, 0.3, -1.1],
 "W": {"m": 6, "n": 6, "p": [0, 6, 12, 18, 24, 30, 36], "i": [0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5],
 "x": [1.9, 0.3, 0.1, 0.7, 0.2, 0.1, 0.3, 1.3, 0.2, 0.1, 0.4, 0.3, 0.1, 0.2, 1.7, 0.3, 0.1, 0.2, 0.7, 0.1, 0.3, 2.1, 0.3, 0.1, 0.2, 0.4, 0.1, 0.3, 1.1, 0.2, 0.1, 0.3, 0.2, 0.1, 0.2, 1.3]}}' >third.json
echo '{"M": [[2, 1], [1, 2]], "q": [-5, -6]}' >dense.json # z = (4/3, 7/3)
echo '{"kind": "lcp", "M": [[-1]], "q": [-1]}' >hopeless.json
echo '{"kind": "local", "dim": 5, "nc": 1, "mu": [0.5]}' >rolling.json
# Two bodies pressed between each other: sweeps need many rounds.
cat >chain.json <<'JSON'
{"kind": "bodies", "groups": [{"law": "unilateral"}, {"law": "unilateral"}, {"law": "unilateral"}], "w": [0, 0, 0],
 "nodes": [{"mass": [1], "free": [-1]}, {"mass": [1], "free": [-1]}, {"mass": [1], "free": [-1]}],
 "entries": [{"group": 0, "node": 0, "rows": [1]}, {"group": 1, "node": 0, "rows": [-1]}, {"group": 1, "node": 1, "rows": [1]},
             {"group": 2, "node": 1, "rows": [-1]}, {"group": 2, "node": 2, "rows": [1]}]}
JSON

# One problem: the size, a row for each solver, the stages of auto.
expect 0 "slide.json: 2 rows in 1 group, on 1 node, 1 island" -- solve slide.json
expect 0 "local.json: 3 rows in 1 group, given by W, 1 island" -- solve local.json
expect 0 "global.json: 2 rows in 1 group, on 1 node, 1 island" -- solve global.json
expect 0 "dense.json: dense, 2 unknowns" -- solve dense.json
expect 0 "1 of 1 met 1e-08 by auto; worst residual " -- solve slide.json
expect 0 $'\n  tried ' -- solve slide.json
for solver in auto lemke min-map gauss-seidel semismooth smoothing interior; do
    expect 0 $'\n'"$solver " -- solve slide.json
    expect 0 $'\n'"$solver " -- solve dense.json
done
for solver in auto lemke min-map gauss-seidel semismooth smoothing interior; do
    expect 0 "1 of 1 met 1e-06 by $solver" -- solve chain.json --solver "$solver" --tolerance 1e-6
done
for solver in auto lemke min-map; do expect 0 "1 of 1 met 1e-08 by $solver" -- solve dense.json --solver=$solver; done
expect 0 "gauss-seidel  dense problems are for the solvers auto, lemke and min-map" -- solve dense.json
longest=$("$program" solve slide.json dense.json local.json | awk '{ if (length > n) n = length } END { print n }')
[ "$longest" -le 100 ] || complain "lines of $longest columns"

# A planar cone is a pyramid: all solvers meet the closed form. A round one is not, and they say so.
expect 0 "solved, of 2                        2        2        2        2        2        2        2" -- solve slide.json stick.json
sed 's/"q": \[-1, 0, 0\]/"q": [-1, 1, 0.5]/' local.json >askew.json
expect 1 "lemke         not met" -- solve askew.json --solver lemke
expect 0 "auto          met" -- solve askew.json
# A body that is squeezed: the rows that contradict each other are named.
cat >squeezed.json <<'JSON'
{"kind": "bodies", "groups": [{"law": "unilateral"}, {"law": "unilateral"}], "w": [-1, -1],
 "nodes": [{"mass": [1], "free": [0]}], "entries": [{"group": 0, "node": 0, "rows": [1]}, {"group": 1, "node": 0, "rows": [-1]}]}
JSON
expect 1 "auto          infeasible" -- solve squeezed.json
expect 1 "groups 0, 1" -- solve squeezed.json

# What is written has the impulses of the closed form, reads back, and starts warm without a step.
for name in slide stick; do
    "$program" solve $name.json --solver auto,gauss-seidel --tolerance 1e-10 -o out.json >/dev/null || complain "no out.json"
    numbers=$(sed -E 's/.*"r": \[([^]]*)\].*/\1/' out.json)
    near "$name: normal impulse" "${numbers%%,*}" 2
    near "$name: friction" "${numbers##*,}" "$([ $name = slide ] && echo -1 || echo -0.2)"
done
object=$("$program" solve out.json --warm --solver semismooth --json | head -n 1)
same "steps of a warm start" "$(field iterations <<<"$object")" 0
"$program" solve dense.json -o out.json >/dev/null || complain "no out.json"
numbers=$(sed -E 's/.*"z": \[([^]]*)\].*/\1/' out.json)
near "z[0]" "${numbers%%,*}" 1.3333333333
near "z[1]" "${numbers##*,}" 2.3333333333
expect 0 "slide.json: has no impulses to start from; its solvers start cold" -- solve slide.json --warm
expect 0 "dense.json: is dense; its solvers start cold" -- solve dense.json --warm
expect 2 "--out takes one problem, but there are 2" -- solve slide.json stick.json -o out.json
expect 2 "/nowhere/at/all.json: cannot be written" -- solve slide.json -o /nowhere/at/all.json

# Many: a line each; what is not supported or cannot be read is named, and the rest is solved.
expect 0 "3 of 3 met 1e-08 by auto" -- solve slide.json local.json dense.json
expect 0 $'\nsolved, of 3 ' -- solve slide.json local.json dense.json
expect 0 $'1 of 1 met 1e-08 by auto; worst residual ' -- solve rolling.json slide.json
expect 0 $'\n1 not supported: rolling.json' -- solve rolling.json slide.json
expect 0 "dim 5 is friction against rolling" -- solve rolling.json slide.json
expect 2 "1 of 1 met 1e-08 by auto" -- solve missing.json slide.json
expect 2 "1 not usable: missing.json" -- solve missing.json slide.json
expect 2 "missing.json: cannot be read" -- solve missing.json slide.json
expect 2 "rolling.json: dim 5 is friction against rolling" -- solve rolling.json
expect 2 "none of the problems is supported by 'auto'" -- solve rolling.json rolling.json
expect 2 "none of the problems is supported by 'interior'" -- solve dense.json --solver interior
expect 0 $'stick.json: 2 rows' -- solve slide.json stick.json --details

# Who decides: auto, else the first.
expect 1 "0 of 1 met 1e-08 by gauss-seidel" -- solve chain.json --solver gauss-seidel --iterations 1
expect 1 "1 not met: chain.json" -- solve chain.json --solver gauss-seidel,semismooth --iterations 1
expect 0 "1 of 1 met 1e-08 by auto" -- solve chain.json --solver gauss-seidel,auto --iterations 1
# Of each island: of two there are twice as many.
cp "$root/tests/fuzz/seeds/problem/bodies.json" islands.json
expect 1 "2 islands" -- solve islands.json --solver gauss-seidel --iterations 3 --details
same "iterations of two islands" "$("$program" solve islands.json --solver gauss-seidel --iterations 3 --json | head -n 1 | field iterations)" 6
expect 1 "auto          infeasible" -- solve hopeless.json
expect 1 "1 of 2 met" -- solve hopeless.json slide.json
expect 1 "hopeless                   1     none     none" -- solve hopeless.json slide.json
expect 2 "1 of 2 met" -- solve hopeless.json slide.json missing.json

# Nobody meets 1e-30 by luck, but the floor of this one is reached.
expect 0 "auto          at the floor" -- solve third.json --tolerance 1e-30
expect 0 "1 of 1 met 1e-30 (1 the rounding floor) by auto" -- solve third.json --tolerance 1e-30
expect 0 "s*" -- solve third.json third.json --solver auto --tolerance 1e-30

# The profile: everybody who solves is within any factor of the fastest, who is within 1.
expect 0 "share of 3 problems solved to 1e-08 within a factor of the fastest solver's time" -- solve --profile slide.json stick.json local.json
expect 0 "auto            100 %   100 %   100 %   100 %   100 %   100 %" -- solve --profile --solver auto slide.json dense.json
expect 0 "interior            -       -       -       -       -       -" -- solve --profile dense.json
expect 1 "gauss-seidel      0 %     0 %     0 %     0 %     0 %     0 %" -- solve --profile --solver gauss-seidel --iterations 1 chain.json
expect 2 "--profile and --details do not go together" -- solve --profile --details slide.json

# One object a file and one for the summary; with --profile one a solver.
"$program" solve slide.json dense.json rolling.json missing.json --json >out.jsonl 2>/dev/null
same "exit code" $? 2
answer=$("$reader" <out.jsonl) || complain "$answer"
same "number of objects" "$(wc -l <out.jsonl)" 5
same "outcomes" "$(grep -c '"runs":\[{"solver":"auto","outcome":"met","residual":' out.jsonl)" 2
same "outcome of another kind" "$(sed -n 3p out.jsonl | field outcome)" "not supported"
same "outcome of no file" "$(sed -n 4p out.jsonl | field outcome)" "not usable"
same "met" "$(tail -n 1 out.jsonl | field met)" 2
same "unsupported" "$(tail -n 1 out.jsonl | field unsupported)" 1
same "unusable" "$(tail -n 1 out.jsonl | field unusable)" 1
"$program" solve slide.json --profile --json >out.jsonl || complain "--profile --json fails"
answer=$("$reader" <out.jsonl) || complain "$answer"
same "number of objects" "$(wc -l <out.jsonl)" 8

# The same numbers for any number of threads.
strip() { sed -E 's/,"seconds":[^}]*//g'; }
same "one thread and four" "$("$program" solve chain.json --json | strip)" "$("$program" solve chain.json --json --threads 4 | strip)"

# Options that cannot be used.
expect 2 "'solve' needs problem files: carom solve PROBLEM..." -- solve
expect 2 "there is no solver 'lemka'; did you mean 'lemke'?" -- solve slide.json --solver lemka
expect 2 "there is no solver 'conjugate'; there are: auto lemke min-map gauss-seidel semismooth smoothing interior" -- solve slide.json --solver conjugate
expect 2 "there is no solver ''" -- solve slide.json --solver auto,
expect 2 "--solver has 'auto' twice" -- solve slide.json --solver auto,auto
expect 2 "--tolerance is 0, must be positive" -- solve slide.json --tolerance 0
expect 2 "--tolerance is -1e-8, must not be negative" -- solve slide.json --tolerance=-1e-8
expect 2 "--tolerance needs a number, not 'nan'" -- solve slide.json --tolerance nan
expect 2 "--tolerance needs a number, not 'inf'" -- solve slide.json --tolerance inf
expect 2 "--tolerance needs a number, not 'small'" -- solve slide.json --tolerance small
expect 2 "--velocity-scale is -1, must not be negative" -- solve slide.json --velocity-scale -1
expect 2 "--sides is 7, must be even and at least 4" -- solve slide.json --sides 7
expect 2 "--sides is 2, must be even and at least 4" -- solve slide.json --sides 2
expect 2 "--threads needs a whole number from 1" -- solve slide.json --threads 0
expect 2 "--iterations needs a whole number from 1" -- solve slide.json --iterations 0

# broken EDIT PART: the sliding body with one thing changed
broken() {
    sed -E "$1" slide.json >broken.json
    cmp -s slide.json broken.json && complain "'$1' changes nothing"
    expect 2 "broken.json: $2" -- solve broken.json
    expect 2 "1 of 1 met" -- solve broken.json stick.json
}
broken 's/\{"name"/{{"name"/' "line 1, column 2: this is not JSON"
broken 's/"kind": "bodies", //' "kind must be local, global, bodies or lcp"
broken 's/bodies/houses/' "kind must be local, global, bodies or lcp"
broken 's/"w": \[0, 0\]/"v": 1/' "the file has no 'w'"
broken 's/"mu": 0.5/"mue": 0.5/' "groups[0] has no 'mu'"
broken 's/"mu": 0.5/"mu": "0.5"/' "groups[0].mu must be a number"
broken 's/"mu": 0.5/"mu": -0.5/' "groups[0]: friction is -0.5, must be a finite number that is not negative"
broken 's/"mu": 0.5/"mu": NaN/' "line 1, column"
broken 's/"mu": 0.5/"mu": 1e999/' "line 1, column"
broken 's/"rows": 2,/"rows": 7,/' "groups[0].rows must be a whole number from 0 to 6"
broken 's/"rows": 2,/"rows": 4,/' "w must be a list of 4 numbers"
broken 's/"rows": 2,/"rows": 99999999999,/' "groups[0].rows must be a whole number from 0 to 6"
broken 's/cone/bone/' "groups[0]: law must be equality, unilateral, box or cone"
broken 's/"w": \[0, 0\]/"w": [0]/' "w must be a list of 2 numbers"
broken 's/"w": \[0, 0\]/"w": [0, null]/' "w[1] must be a number"
broken 's/\[2, 0, 0, 2\]/[2, 0, 0]/' "nodes[0].mass must be a list of 4 numbers"
broken 's/\[2, 0, 0, 2\]/[2, 0.1, 0, 2]/' "nodes[0]: mass is not symmetric, (1, 0) is 0 and (0, 1) is 0.1"
broken 's/\[2, 0, 0, 2\]/[2, 3, 3, 2]/' "nodes[0]: mass is not positive definite"
broken 's/"free"/"fee"/' "nodes[0] has no 'free'"
broken 's/"group": 0/"group": 1/' "entries[0].group must be a whole number from 0 to 0"
broken 's/"node": 0/"node": -1/' "entries[0].node must be a whole number from 0 to 0"
broken 's/\[1, 0, 0, 1\]/[1, 0, 0]/' "entries[0].rows must be a list of 4 numbers"
sed 's/"nc": 1/"nc": 2147483647/' local.json >broken.json
expect 2 "broken.json: nc must be a whole number from 0 to 357913941" -- solve broken.json
sed 's/"nc": 1/"nc": 300000000/' local.json >broken.json
expect 2 "broken.json: mu must be a list of 300000000 numbers" -- solve broken.json
sed 's/"m": 3/"m": 2000000000/' local.json >broken.json
expect 2 "broken.json: W is 2000000000 x 3, but the groups have 3 rows" -- solve broken.json
echo '{"M": [[1, 2]], "q": [1]}' >broken.json
expect 2 "broken.json: M[0] must be a list of 1 numbers" -- solve broken.json
expect 2 "cannot be read" -- solve .
# What may be missing may be null; a bound on iterations holds for each island, and they are counted over all.
echo '{"kind": "lcp", "M": [[2, 1], [1, 2]], "q": [-5, -6], "z": null}' >null.json
expect 0 "auto          met" -- solve null.json
cat >islands.json <<'JSON'
{"kind": "bodies", "groups": [{"law": "cone", "rows": 2, "mu": 0.5}, {"law": "cone", "rows": 2, "mu": 0.25}, {"law": "cone", "rows": 2, "mu": 0.5}, {"law": "cone", "rows": 2, "mu": 0.25}],
 "w": [0, 0, 0, 0, 0, 0, 0, 0], "compliance": null, "reference": null,
 "nodes": [{"mass": [1, 0, 0, 1], "free": [-0.1, 0]}, {"mass": [2, 0, 0, 2], "free": [-0.1, 1]}, {"mass": [1, 0, 0, 1], "free": [-0.1, 0]}, {"mass": [2, 0, 0, 2], "free": [-0.1, 1]}],
 "entries": [{"group": 0, "node": 0, "rows": [1, 0, 0, 1]}, {"group": 1, "node": 0, "rows": [-1, 0, 0, -1]}, {"group": 1, "node": 1, "rows": [1, 0, 0, 1]},
             {"group": 2, "node": 2, "rows": [1, 0, 0, 1]}, {"group": 3, "node": 2, "rows": [-1, 0, 0, -1]}, {"group": 3, "node": 3, "rows": [1, 0, 0, 1]}]}
JSON
same "iterations of two islands" 20 "$("$program" solve islands.json --solver gauss-seidel --iterations 10 --json 2>/dev/null | head -1 | field iterations)"

verdict "problems are solved and shown as documented"
