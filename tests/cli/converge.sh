#!/usr/bin/env bash
# converge: orders, estimated errors, references, methods and steps that do not work, hostile options.
#
#   tests/cli/converge.sh PROGRAM ROOT
set -uo pipefail
program=$(realpath "$1") root=$(realpath "$2")
source "$(dirname "$0")/support.sh"
cd "$work" || exit 1
block=$root/scenes/tumbling-block.json drag=$root/scenes/projectile-drag.json charges=$root/scenes/two-charges.json loop=$root/scenes/four-bar.json
cat >spring.json <<'JSON'
{"carom": 1, "until": 1, "method": {"name": "variational", "step": 2e-3},
 "bodies": [{"name": "weight", "kind": "point", "mass": 1, "position": [0.3, 0.1, -0.2], "velocity": [0, 1, 0]}],
 "forces": [{"kind": "spring", "a": "world", "b": "weight", "stiffness": 40, "rest_length": 0.2}]}
JSON

# near WHAT VALUE WANTED SLACK
near() {
    awk -v a="$2" -v b="$3" -v slack="$4" 'BEGIN {exit !(a != "null" && a - b <= slack && b - a <= slack)}' ||
        complain "$1 is $2, wanted $3 within $4"
}
# order METHOD SCENE OPTIONS...: of the method's worst quantity
order() {
    local method=$1
    shift
    "$program" converge "$@" --methods "$method" --json | grep '"kind":"method"' | field order
}
# of METHOD STEPS KEY QUANTITY: from the runs in out.jsonl
of() {
    grep "\"kind\":\"run\",\"method\":\"$1\"" out.jsonl | grep "\"steps\":$2," |
        sed -E "s/.*\"$3\":\{([^}]*)\}.*/\1/;s/.*\"$4\":([^,]*).*/\1/"
}

# The orders that the methods have, by differences of halvings and against references.
for scene in "$block --until 0.4 --set method.step=4e-3" "$charges --until 0.01" "spring.json --until 0.2"; do
    read -ra words <<<"$scene"
    near "order of variational on $scene" "$(order variational "${words[@]}")" 2 0.1
    near "order of euler on $scene" "$(order euler "${words[@]}" --halvings 4)" 1 0.1
    near "order of variational on $scene at the end" "$(order variational "${words[@]}" --at-end)" 2 0.1
    near "order of variational on $scene against a reference" "$(order variational "${words[@]}" --reference variational)" 2 0.1
    near "order of euler on $scene against variational" "$(order euler "${words[@]}" --halvings 4 --reference variational)" 1 0.1
done
near "order of euler with drag" "$(order euler "$drag")" 1 0.02
near "order of euler's velocity form" "$(order euler:velocity "$block" --until 1)" 1 0.1

# Joints: the orders of the methods and of their integrators, and a column for the drift; none where there are no joints.
chain=$root/scenes/five-link-chain.json
near "order of variational on a chain" "$(order variational "$chain" --until 0.5 --halvings 2)" 2 0.1
near "order of multiplier on a chain, as the scene has it" "$(order multiplier "$chain" --until 0.5 --halvings 2)" 4 0.1
near "order of reduced on a chain, as the scene has it" "$(order reduced "$chain" --until 0.5 --halvings 2)" 4 0.1
near "order of multiplier:rk4 on a chain" \
    "$(order multiplier:rk4 "$chain" --until 0.5 --halvings 2 --set method.integrator=dp54)" 4 0.1
near "order of reduced:euler on a chain" "$(order reduced:euler "$chain" --until 0.2)" 1 0.1
"$program" converge "$chain" --until 0.1 --halvings 1 --methods variational,multiplier,reduced >out.txt
same "tables with a column for the drift of joints" "$(grep -c '    joint     time$' out.txt)" 3
widest=$(awk '{if (length > m) m = length} END {print m}' out.txt)
[ "$widest" -le 100 ] || complain "the tables of joints are $widest columns wide"
"$program" converge "$chain" --until 0.1 --halvings 1 --methods multiplier,multiplier:stabilisation=baumgarte --json >out.jsonl
near "drift with projection" "$(head -1 out.jsonl | field joint_drift)" 0 1e-13
drift=$(grep baumgarte out.jsonl | head -1 | field joint_drift)
awk -v d="$drift" 'BEGIN {exit !(d > 1e-12)}' || complain "the drift with Baumgarte's stabilisation is $drift"
same "drift without joints" "$("$program" converge "$block" --until 0.1 --halvings 1 --json | head -1 | field joint_drift)" null

"$program" converge "$block" --until 1 --methods variational --json >out.jsonl
near "order in the second row" "$(of variational 2000 order attitude)" 2 0.02
near "order in the third row" "$(of variational 4000 order attitude)" 2 0.02
same "order in the first row" "$(of variational 1000 order attitude)" null
same "order in the last row" "$(of variational 8000 order attitude)" null

# Estimated errors are the true ones: the projectile has a closed form, v(t) = v_end + (v_0 - v_end) exp(-k t / m), with
# v_end = m g / k = (0, -98, 0), and Euler multiplies v - v_end by 1 - h k / m in each step. The error of the velocity is
# the largest at the end of those 4 s.
"$program" converge "$drag" --methods euler --json >out.jsonl
for steps in 4000 8000 16000 32000; do
    true_error=$(awk -v n="$steps" 'BEGIN {
        print sqrt(100 + 118 ^ 2 + 100) * (exp(-0.4) - exp(n * log(1 - 0.4 / n)))}')
    near "estimated over true error with $steps steps" \
        "$(awk -v e="$(of euler "$steps" error velocity)" -v t="$true_error" 'BEGIN {print e / t}')" 1 0.001
done

# What is printed: tables with orders, the final order, the costs, and whether the methods agree.
expect 0 "order 2.00: attitude 2.00, spin 2.00" -- converge "$block" --until 1 --methods variational,euler,lcp
expect 0 "the same to the bit in all runs that are compared: position, velocity" -- converge "$block" --until 1 --methods variational,euler,lcp
expect 0 "as their estimated errors let expect" -- converge "$block" --until 1 --methods variational,euler,lcp
expect 0 "estimated error against cost, cheapest first" -- converge "$block" --until 1 --methods variational,euler,lcp
expect 0 "reference: variational with a step of 1e-05 s" -- converge "$block" --until 0.1 --methods variational,euler --reference variational:1e-5
cp "$charges" charges.json
widest=$("$program" converge charges.json --until 0.02 --methods variational,euler:velocity,euler | awk '{if (length > m) m = length} END {print m}')
[ "$widest" -le 100 ] || complain "the tables are $widest columns wide"
# A throw is exact for both methods: there is no order, and no error.
echo '{"carom": 1, "until": 1, "method": {"step": 0.0625}, "gravity": [0, 0, -8], "bodies": [{"velocity": [1, 0, 4]}]}' >throw.json
expect 0 "order -: the runs agree to rounding at every step" -- converge throw.json --methods variational,reduced
# A scene that is too long for the method's steps: no order is claimed.
expect 0 "not steady, the steps are still too long for this time" -- converge "$charges" --methods euler --until 0.4 --halvings 2

# Bodies that touch: methods without contacts are left out unless they are named; impacts are told of.
eggs=$root/scenes/two-in-a-sphere.json
expect 0 "euler: knows no contacts and was left out; --methods runs it all the same" -- converge "$eggs" --until 0.1 --halvings 1
expect 0 "energy drift counts what impacts and friction take" -- converge "$eggs" --until 0.1 --halvings 1
expect 0 "euler: differences to the run with half the step" -- converge "$eggs" --until 0.1 --halvings 1 --methods euler,lcp
expect 0 "impacts fall at other times in every run" -- converge "$eggs" --until 1 --halvings 2 --methods lcp,penalty
expect 0 "  --until can end before them, --at-end compares after them" -- converge "$eggs" --until 1 --halvings 2 --methods lcp,penalty
near "order before the first impact" "$(order lcp "$eggs" --until 0.2 --halvings 2)" 1 0.05
# Bodies that cannot touch: a ball alone, and two that do not meet.
echo '{"carom": 1, "until": 0.1, "shapes": {"s": {"kind": "sphere", "radius": 1}}, "bodies": [
 {"shape": "s", "mass": 1, "spin": [1, 2, 3], "meets": ["nobody"]}, {"shape": "s", "mass": 1}]}' >apart.json
"$program" converge apart.json --halvings 1 | grep -q "knows no contacts" && complain "methods are left out where nothing can touch"

# A method that refuses the scene has its sentence, the others go on; when none takes it, nothing is left.
expect 0 "euler: the method euler has no joints; methods that have all this model needs: multiplier" -- converge "$loop" --until 0.1
expect 0 "the runs agree to rounding" -- converge "$loop" --until 0.1
expect 2 "no method takes the scene: the method euler has no joints" -- converge "$loop" --methods euler
# A step at which the motion runs away has a row that says so.
expect 1 "stopped at t = 8.2 s: body 'weight' would have no finite position" -- \
    converge spring.json --methods euler --set 'forces[0]={"kind":"spring","a":"world","b":"weight","stiffness":1e6}' \
    --set method.step=0.1 --until 9 --halvings 11
expect 1 "order -: no two runs reached the end" -- \
    converge spring.json --methods euler --set 'forces[0]={"kind":"spring","a":"world","b":"weight","stiffness":1e6}' \
    --set method.step=0.1 --until 100 --halvings 2
expect 1 "--reference euler:0.1: stopped at t = 8.2 s: body 'weight' would have no finite position" -- \
    converge spring.json --methods variational --reference euler:0.1 --set method.step=0.1 --until 9 --halvings 1 \
    --set 'forces[0]={"kind":"spring","a":"world","b":"weight","stiffness":1e6}'

# A scene that can be read only once.
expect 0 "order 2.00" -- converge <(cat "$block") --until 0.1

# Recordings as references.
"$program" run "$block" --until 0.1 --set method.step=1e-5 --every 100 --quiet -o fine.carom
near "order against a recording" "$(order variational "$block" --reference fine.carom)" 2 0.1
expect 0 "to t = 0.1 s" -- converge "$block" --reference fine.carom # where the recording ends
"$program" run "$charges" --until 0.01 --quiet -o charges.carom
expect 2 "has 2 bodies, but $block has 1; a reference must be of the same scene" -- converge "$block" --reference charges.carom
expect 2 "begins elsewhere than $block: the spin of body 'block' differs by 1 rad/s" -- converge "$block" --set 'bodies[0].spin[1]=6' --reference fine.carom
expect 2 "its body 0 is 'block', but that of $block is 'brick'" -- converge "$block" --set 'bodies[0].name=brick' --reference fine.carom
"$program" run "$block" --until 0.01 --set method.step=3e-3 --quiet -o odd.carom
expect 2 "has no frame at a time that a step of 0.001 s meets before t = 0.002 s" -- converge "$block" --until 0.002 --reference odd.carom
head -c 6000 fine.carom >cut.carom
expect 2 "cut.carom" -- converge "$block" --reference cut.carom
expect 2 "neither a method nor a recording" -- converge "$block" --reference nothing.carom
expect 2 "is not a carom recording" -- converge "$block" --reference "$block"
expect 2 "a step of 0.001 s is not a whole number of steps of 0.0003 s; choose 0.0003333333333 s" -- converge "$block" --reference variational:3e-4
expect 2 "the method euler has no joints" -- converge "$loop" --reference euler

# Hostile options.
expect 2 "there is no method 'eular'; did you mean 'euler'?" -- converge "$block" --methods eular
expect 2 "there is no method ''" -- converge "$block" --methods euler,
expect 2 "there is no method ''" -- converge "$block" --methods ,
expect 2 "there is no method ''" -- converge "$block" --methods :velocity
expect 2 "the method variational has no forms to choose from; leave ':fast' out" -- converge "$block" --methods variational:fast
expect 2 "method.form: " -- converge "$block" --methods euler:fast
expect 2 "method.tolerance: " -- converge "$block" --methods variational:tolerance=-1
expect 2 "method.weight: " -- converge "$block" --methods variational:weight=3
expect 2 "'name=euler' is no setting" -- converge "$block" --methods variational:name=euler
expect 2 "'' is no setting" -- converge "$block" --methods euler:
expect 2 "'=3' is no setting" -- converge "$block" --methods euler:=3
expect 2 "the steps are those of --halvings" -- converge "$block" --methods euler:1e-3
expect 2 "the step '0' must be a positive number of seconds" -- converge "$block" --reference euler:0
expect 2 "the step 'nan' must be a positive number of seconds" -- converge "$block" --reference euler:nan
expect 2 "has two steps; give one" -- converge "$block" --reference euler:1e-4:step=1e-5
expect 2 "it would take 1e+302 steps" -- converge "$block" --until 1 --reference euler:1e-302
expect 2 "--halvings is 21, must be 1 to 20" -- converge "$block" --halvings 21
expect 2 "--halvings needs a whole number" -- converge "$block" --halvings 0
expect 2 "it would take 1e+303 steps" -- converge "$block" --until 1e300
expect 2 "it would take" -- converge "$block" --until 9e12 --halvings 20
expect 2 "ends at t = 0 s, before the first step; give --until" -- converge "$block" --until 0
expect 2 "has no bodies; there is nothing to compare" -- converge "$block" --set 'bodies=[]' --set 'shapes={}'
expect 2 "'converge' needs a scene" -- converge
expect 2 "missing.json: there is no such file" -- converge missing.json
expect 2 "bodies[0].mass" -- converge "$block" --set 'bodies[0].mass=-1'
expect 2 "there is no method 'x?[31m'" -- converge "$block" --methods $'x\e[31m'
long=$(printf 'euler:velocity:tolerance=1e-9,%.0s' {1..40})euler
expect 0 "euler:velocity:tolerance=1e-9" -- converge throw.json --methods "$long" --halvings 1
expect 2 "there is no method 'xxxx" -- converge "$block" --methods "$(printf 'x%.0s' {1..5000})"

# Files: made whole or not at all, never replaced unasked.
expect 0 "" -- converge throw.json -o table.txt
grep -q "order -" table.txt || complain "-o table.txt wrote no table"
expect 2 "table.txt exists already; --force replaces it" -- converge throw.json -o table.txt
cp table.txt before.txt
expect 2 "did you mean" -- converge throw.json --methods eulr -o table.txt --force
cmp -s table.txt before.txt || complain "a refused study has changed the file"
expect 0 "" -- converge throw.json -o table.txt --force --json
grep -q '"kind":"run"' table.txt || complain "--force has not replaced the file"
expect 2 "cannot be written" -- converge throw.json -o nowhere/table.txt
expect 0 "order -" -- converge throw.json -o -
left=$(find . -name '*.new-*')
same "files that are left" "$left" ""
verdict "converge finds the orders that the methods have"
