#!/usr/bin/env bash
# Runs: their recordings, exit codes and what is said about contracts and runs that cannot go on.
#
#   tests/cli/run.sh PROGRAM ROOT
set -uo pipefail
program=$(realpath "$1") root=$(realpath "$2")
source "$(dirname "$0")/../support.sh"
cd "$work" || exit 1
scene=$root/scenes/tumbling-block.json

# The recording is named after the scene and lies in the current folder.
expect 0 "contract   kept in every step" -- run "$scene" --until 0.5
[ -f tumbling-block.carom ] || complain "there is no tumbling-block.carom"
expect 2 "tumbling-block.carom exists already; --resume goes on with it, --force replaces it, -o names another file" -- run "$scene"
expect 0 "steps      1000 to t = 1 s of 1 s" -- run "$scene" --until 1 --force
expect 0 "the run is finished; there is nothing left to do" -- run "$scene" --resume
expect 2 "is finished at t = 1 s and cannot be made longer; run the scene again with --force" -- run "$scene" --resume --until 2
expect 2 "--force and --resume do not go together" -- run "$scene" --force --resume
expect 2 "was recorded from another scene" -- run "$scene" --resume --set method.step=1e-2
expect 2 "was recorded from another scene" -- run "$root/scenes/two-charges.json" -o tumbling-block.carom --resume

# Ends: by the option, by an override, before the first step, within a step, by rounding.
for until in "0 0" "0.0004 1" "0.001 1" "0.0011 2" "0.003 3" "0.0030000000000000001 3"; do
    answer=$("$program" run "$scene" --until "${until% *}" -o end.carom --force --json | field steps)
    same "steps until ${until% *} s" "$answer" "${until#* }"
done
expect 0 "steps      20 to t = 0.02 s of 0.02 s" -- run "$scene" --set until=0.02 -o set.carom
expect 2 "asks for 1e+303 steps, and the limit is 1000000000" -- run "$scene" --until 1e300 -o long.carom
[ ! -e long.carom ] || complain "a refused run has left a file"

# Frames: by the scene's rate, or every so many steps.
same "frames at 60 a second" "$("$program" run "$scene" --until 1 -o frames.carom --json | field frames)" 61
same "frames every 100 steps" "$("$program" run "$scene" --until 1 -o frames.carom --force --every 100 --json | field frames)" 11

# The same bits again, whatever the folder, the frames and the threads.
mkdir elsewhere
"$program" run "$scene" --until 1 --every 7 --threads 2 --quiet -o elsewhere/block.carom
same "hashes of two runs" "$("$program" hash elsewhere/block.carom)" "$("$program" hash frames.carom)"
[[ $("$program" hash frames.carom) =~ ^[0-9a-f]{16}$ ]] || complain "a hash is not sixteen digits"

# Quiet says nothing while all is well.
same "what --quiet says" "$("$program" run "$scene" --until 1 --quiet --force 2>&1)" ""
# No colour, no bar where there is no terminal.
if "$program" run "$scene" --until 1 --force 2>&1 | grep -q $'[\r\e]'; then complain "escapes without a terminal"; fi

# On a terminal, where the machine has pseudo-terminals: a bar, and colour unless it is not wanted.
if script -qec true /dev/null >/dev/null 2>&1; then
    said=$(TERM=xterm NO_COLOR="" script -qec "'$program' run '$scene' --until 600 --force" /dev/null)
    [[ "$said" == *$'\r['*'% '*' left'* ]] || complain "no bar on a terminal:" "$said"
    [[ "$said" == *$'\e[32mkept in every step\e[0m'* ]] || complain "no green on a terminal:" "$said"
    said=$(TERM=xterm NO_COLOR=1 script -qec "'$program' run '$scene' --until 1 --force" /dev/null)
    [[ "$said" == *$'\e[3'* ]] && complain "colour in spite of NO_COLOR:" "$said"
    said=$(TERM=xterm script -qec "'$program' run '$scene' --until 600 --force --quiet" /dev/null)
    same "what --quiet says on a terminal" "$said" ""
fi

# A broken contract: the run goes on to its end and says so. In every step it is red, and the exit code tells.
broken=("$scene" --until 1 --set method.name=euler --set method.form=velocity -o broken.carom --force)
expect 1 "BROKEN in 1000 of 1000 steps, first in step 1 (t = 0.001 s)" -- run "${broken[@]}"
expect 1 "verdict    red: The contract broke in 100 % of the steps, first in step 1: the momentum of body 'block' and what it meets changed by" -- run "${broken[@]}"
expect 1 "broken.carom: red: The contract broke in 100 % of the steps, first in step 1: the momentum of body 'block' and what it meets changed by" -- run "${broken[@]}" --quiet
expect 0 "kept in every step" -- run "$scene" --until 1 --strict --force
expect 1 "nothing left to do" -- run "${broken[@]:0:7}" -o broken.carom --resume

# A run that cannot go on stops at the last good state and names body, quantity, cause and remedy.
cat >spring.json <<'JSON'
{"carom": 1, "until": 100, "method": {"name": "euler", "step": 0.1},
 "bodies": [{"name": "weight", "kind": "point", "mass": 1, "position": [1, 0, 0]}],
 "forces": [{"kind": "spring", "a": "world", "b": "weight", "stiffness": 1e6}]}
JSON
expect 1 "body 'weight' would have no finite position after t = 8.2 s: the motion runs away, most likely because the step of 0.1 s is too large; make method.step smaller" -- run spring.json
expect 1 "spring.carom: ended early at t = 8.2 s: body 'weight' would have no finite position" -- run spring.json --quiet --force
expect 0 "early: body 'weight' would have no finite position" -- info spring.carom
"$program" run spring.json --until 8.2 --quiet -o good.carom
same "the last good state and a run to it" "$("$program" hash spring.carom 2>/dev/null)" "$("$program" hash good.carom)"
"$program" export spring.carom --csv -o - | grep -qiE 'nan|inf' && complain "the recording holds numbers that are not finite"
expect 1 "goes on after step 82" -- run spring.json --resume
same "the state after trying again" "$("$program" hash spring.carom 2>/dev/null)" "$("$program" hash good.carom)"

# Hard steps: a ball that two plates squeeze breaks every step; the problems are kept, and other solvers can try them.
cat >squeeze.json <<'JSON'
{"carom": 1, "until": 1.5, "method": {"name": "lcp", "step": 0.01},
 "shapes": {"plate": {"kind": "box", "size": [4, 4, 1]}, "ball": {"kind": "sphere", "radius": 0.5}},
 "bodies": [{"name": "below", "kind": "fixed", "shape": "plate", "position": [0, 0, -0.5]},
            {"name": "above", "kind": "fixed", "shape": "plate", "position": [0, 0, 1.4]},
            {"name": "ball", "shape": "ball", "mass": 1, "position": [0, 0, 0.45]}]}
JSON
expect 1 "hard: has the problems of the first 100 of 150 hard steps" -- run squeeze.json --dump-hard hard
same "problems of hard steps" "$(ls hard | wc -l)" 100
expect 0 "1 of 1 met" -- solve hard/step-000001.json --solver auto
expect 1 "hard: has the problems of 2 hard steps" -- run squeeze.json --dump-hard hard --until 0.02 --force
expect 2 "the method variational solves no contact problems" -- run "$scene" --dump-hard hard -o none.carom
expect 2 "--dump-hard: squeeze.json cannot be made a folder" -- run squeeze.json --dump-hard squeeze.json -o none.carom
[ ! -e none.carom ] || complain "a refused run has left a file"
expect 0 "contract   kept in every step" -- run "$root/scenes/tangential-sphere.json" --dump-hard empty --until 0.1
same "problems of good steps" "$(ls empty | wc -l)" 0

# What projections and impacts have added: prisms that settle by dcr change their energy by nothing else. The line says
# what the sums are, and so do the certificates; other methods have no such line.
cube=$root/scenes/hexagonal-prisms-settle.json
said=$("$program" run "$cube" --until 1 -o cube.carom)
"$program" info cube.carom --json >cube.json
"$program" export cube.carom --csv --what certificates -o cube.csv >/dev/null
sums="$(field projection_energy_sum <cube.json) $(sed -E 's/.*"projection_momentum_sum":\[([^]]*)\].*/\1/;s/,/ /g' cube.json) $(field impact_energy_sum <cube.json)"
wanted=$(awk '{ printf "  projection adds %.1e J and %.1e kg m^2/s in all; impacts add %.1e J", $1, sqrt($2^2 + $3^2 + $4^2), $5 }' <<<"$sums")
[[ "$said" == *$'\n'"$wanted"$'\n'* ]] || complain "no line '$wanted' in:" "$said"
[[ "$("$program" info cube.carom)" == *"$wanted"* ]] || complain "info does not tell what projections have added"
explained=$(awk -v first="$(field first_energy <cube.json)" -v last="$(field last_energy <cube.json)" '
    { lost = last - first; rest = lost - $1 - $5; print (lost < -1e-4 && $1 > 1e-6 && rest^2 < 1e-22) ? "yes" : lost " but " $0 }' <<<"$sums")
same "energy explained by projections and impacts" "$explained" yes
same "sums of certificates" "$(awk -F, 'NR > 1 { for (i = 0; i < 5; i++) sum[i] += $(24 + i) }
    END { printf "%.17g %.17g %.17g %.17g %.17g", sum[0], sum[1], sum[2], sum[3], sum[4] }' cube.csv)" "$sums"
said=$("$program" run "$cube" --until 0.5 --set method.name=lcp -o lcp.carom)
[[ "$said" == *"contacts   "* && "$said" != *"  projection "* && "$said" != *"  impacts  "* ]] || complain "lcp tells of projections:" "$said"
same "projections of lcp" "$("$program" info lcp.carom --json | field projection_energy_sum)" 0


# Bodies that start inside each other: moved apart without a velocity and told, kept or refused on request.
cat >inside.json <<'JSON'
{"carom": 1, "until": 0.2, "gravity": [0, 0, 0], "shapes": {"b": {"kind": "box", "size": [1, 1, 1]}},
 "bodies": [{"name": "x", "shape": "b", "density": 1000}, {"name": "y", "shape": "b", "density": 1000, "position": [0.75, 0, 0]}]}
JSON
told="inside.json:2: bodies: warning: body 'x' and body 'y' overlap at the start by 0.25 m: bodies were moved apart by up to 0.125 m"
expect 0 "$told" -- run inside.json --until 0.1
expect 0 "energy     0 J at first, changed by 0.0e+00 J at the end and 0.0e+00 J at most" -- run inside.json --until 0.1 --force
expect 2 "body 'x' and body 'y' overlap at the start by 0.25 m; start_overlaps is \"refuse\"" -- run inside.json --force --set start_overlaps=refuse
expect 1 "start_overlaps is \"keep\", so that the method undoes it" -- run inside.json --set start_overlaps=keep -o kept.carom
expect 2 "start_overlaps: needs \"project\", \"keep\" or \"refuse\", not the string \"ignore\"" -- run inside.json --set start_overlaps=ignore -o ignored.carom
object=$("$program" run inside.json --json -o whole.carom)
same "pairs" "$(field start_overlapping_pairs <<<"$object")" 1
same "overlap" "$(field start_overlap <<<"$object")" 0.25
same "overlap left" "$(field start_overlap_left <<<"$object")" 0

verdict "runs end as documented"
