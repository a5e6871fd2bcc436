#!/usr/bin/env bash
# carom plan: a recording of the plan, the summary, replays, signals, kills, plans that cannot be, 20 that make no sense.
#
#   tests/cli/run/plan.sh PROGRAM ROOT JSON_LINES
set -uom pipefail # job control: without it the shell starts background programs with SIGINT ignored
program=$(realpath "$1") root=$(realpath "$2") strict=$(realpath "$3")
source "$(dirname "$0")/../support.sh"
cd "$work" || exit 1
cat >transfer.json <<'JSON'
{"carom": 1, "name": "transfer", "gravity": [0, 0, 0], "until": 9,
 "shapes": {"cube": {"kind": "box", "size": [0.2, 0.3, 0.4]}},
 "bodies": [{"name": "craft", "shape": "cube", "mass": 2},
            {"name": "idle", "shape": "cube", "mass": 1, "position": [5, 0, 0], "velocity": [0, 1, 0]}],
 "plan": {"intervals": 20, "time": 2, "levels": 2, "starts": 3, "seed": 5,
  "controls": [{"kind": "wrench", "body": "craft", "axes": "body", "force_limit": 8, "torque_weight": 2}],
  "end": [{"body": "craft", "position": [1, 0.5, 0], "attitude": {"axis": [0, 1, 1], "degrees": 100}, "velocity": [0, 0, 0], "spin": [0, 0, 0]}]}}
JSON
# The first member of that name of an object.
number() { "$program" info "$1" --json | grep -oE "\"$2\":(\"[^\"]*\"|[^,}]*)" | head -1 | field "$2"; }

# ---- check, plan, and what looks at it
expect 0 "20 intervals over 2 s, 1 control of 6 numbers, 1 condition;" -- check transfer.json
"$program" check transfer.json --json | "$strict" || complain "check --json is no JSON"
"$program" check transfer.json --json | grep -qE '"plan":\{"intervals":20,"time":2,"time_free":false,"controls":1,"numbers":6,"conditions":1,"unknowns":[0-9]+,"rows":[0-9]+\}' ||
    complain "check --json does not tell of the plan"
expect 0 "A strict local optimum that keeps every bound" -- plan transfer.json --strict -o whole.carom
same "outcome" "$(number whole.carom outcome)" solved
same "frames" "$(number whole.carom frames)" 21
"$program" info whole.carom --json | "$strict" || complain "info --json is no JSON"
"$program" info whole.carom --json | grep -q '"name":"replay","unit":"","value":[^,]*,"bound":1e-10,"kept":true' || complain "the replay is not kept"
same "solves" "$("$program" export whole.carom --csv --what solves -o - | wc -l)" 7
same "controls" "$("$program" export whole.carom --csv --what controls -o - | wc -l)" 121
same "gaps" "$("$program" export whole.carom --csv --what gaps -o - | wc -l)" 22
same "the hash" "$("$program" hash whole.carom)" "$("$program" info whole.carom | awk '/^  hash/ { print $2 }')"
[ -e whole.html ] || [ "$(grep -c '<' "$root/viewer/dist/report.html" 2>/dev/null)" = "" ] || complain "there is no report"
expect 0 "" -- info whole.carom --scene
expect 2 "exists already; --resume goes on with it, --force replaces it" -- plan transfer.json -o whole.carom
expect 0 "the plan is finished; there is nothing left to do" -- plan transfer.json -o whole.carom --resume
expect 2 "is a plan of another scene" -- plan transfer.json -o whole.carom --resume --set plan.seed=6
expect 2 "is the recording of a plan, not of a run" -- run transfer.json -o whole.carom --resume
expect 2 'has no "plan"' -- plan "$root/scenes/tumbling-block.json"
"$program" plan transfer.json --json --no-report -o json.carom >said.json 2>/dev/null
"$strict" <said.json || complain "plan --json is no JSON"
same "hashes of the same plan" "$(field hash <said.json)" "$("$program" hash whole.carom)"
"$program" plan transfer.json --quiet --no-report --threads 4 -o threads.carom
same "hashes with four threads" "$("$program" hash threads.carom)" "$("$program" hash whole.carom)"

# ---- the plan in the simulator
expect 0 "verdict    green" -- run transfer.json --plan whole.carom -o replay.carom
awk -v d="$(number replay.carom plan_distance)" -v a="$(number replay.carom plan_angle)" 'BEGIN { exit !(d < 1e-11 && a < 1e-11) }' ||
    complain "the replay is not the plan: $(number replay.carom plan_distance) m, $(number replay.carom plan_angle) rad"
same "the replay ends with the plan" "$(number replay.carom time)" "$(number whole.carom time)"
# At finer steps second order in the step, by another method of first.
distance() { "$program" run transfer.json --plan whole.carom --force --quiet --no-report -o fine.carom "${@}" && number fine.carom plan_distance; }
awk -v a="$(distance --set method.name=variational --set method.step=0.05)" -v b="$(distance --set method.name=variational --set method.step=0.0125)" \
    -v c="$(distance --set method.name=lcp --set method.step=0.001)" 'BEGIN { exit !(a > 1e-5 && a < 0.02 && b > 0.9 * a && c < 0.02) }' ||
    complain "replays at finer steps are far from the plan"
expect 0 "verdict    green" -- run transfer.json --plan replay.carom --until 1 -o half.carom
expect 0 "has the controls of a plan, whose end it has not come to" -- info half.carom
"$program" run transfer.json --quiet --until 0.1 --no-report -o bare.carom
expect 2 "is of a run, and has no plan" -- run transfer.json --plan bare.carom -o none.carom
expect 2 "has no plan; \`carom plan\` makes one" -- export bare.carom --csv --what controls -o -
expect 2 "--plan and --confirm do not go together" -- run transfer.json --plan whole.carom --confirm -o none.carom

# ---- a guess by a recording: the plan itself, which is then solved at once
"$program" plan transfer.json --set 'plan.guess={"recording": "whole.carom"}' --set plan.levels=1 --set plan.starts=1 --quiet --no-report -o again.carom
awk -v a="$("$program" info again.carom --json | grep -oE '"name":"(guess_)?effort","unit":"","value":[0-9.e+-]+' | sed 's/.*://' | tr '\n' ' ')" \
    'BEGIN { split(a, v, " "); exit !(v[1] > 0 && v[2] > 0.999999 * v[1] && v[2] < 1.000001 * v[1]) }' ||
    complain "a guess by the recording of the plan has not its effort"
expect 2 "no.carom: No such file or directory" -- plan transfer.json --set 'plan.guess={"recording": "no.carom"}' -o none.carom
"$program" run "$root/scenes/five-link-chain.json" --quiet --until 0.1 --no-report -o five.carom
expect 2 "bodies and the scene 2; a guess is a recording of the same bodies" -- plan transfer.json --set "plan.guess={\"recording\": \"five.carom\"}" -o none.carom

# ---- signals: finished levels and starts are kept, and going on gives the same bits
slow=(transfer.json --set plan.intervals=60 --set plan.starts=8 --no-report)
"$program" plan "${slow[@]}" --quiet -o slow.carom
solved() { "$program" export "$1" --csv --what solves -o - 2>/dev/null | wc -l; }
for signal in INT TERM; do
    "$program" plan "${slow[@]}" -o "$signal.carom" >said.txt 2>&1 &
    runner=$! waited=0
    until [ "$(solved "$signal.carom")" -gt 3 ] || [ "$waited" -ge 200 ]; do
        sleep 0.05
        waited=$((waited + 1))
    done
    kill -s "$signal" "$runner"
    wait "$runner"
    same "exit code after SIG$signal" $? 130
    grep -qF "carom plan transfer.json --set plan.intervals=60 --set plan.starts=8 -o $signal.carom --resume" said.txt ||
        complain "SIG$signal: the command to go on is not said:" "$(cat said.txt)"
    same "outcome after SIG$signal" "$(number "$signal.carom" outcome)" unfinished
    expect 0 "unfinished: carom plan --resume goes on with it" -- info "$signal.carom"
    expect 2 "there is no motion in it: the plan is unfinished" -- run transfer.json --plan "$signal.carom" -o none.carom
    "$program" plan "${slow[@]}" --quiet --resume -o "$signal.carom"
    same "hash after SIG$signal" "$("$program" hash "$signal.carom")" "$("$program" hash slow.carom)"
done

# ---- kills at ten moments
RANDOM=7
for ((kills = 0; kills < 10;)); do
    "$program" plan "${slow[@]}" --quiet --resume -o killed.carom &
    runner=$!
    sleep "$(printf '0.%03d' $((RANDOM % 400)))"
    kill -9 "$runner" 2>/dev/null && kills=$((kills + 1))
    wait "$runner" 2>/dev/null
    [ ! -e killed.carom ] || "$program" info killed.carom >said.txt 2>&1 || complain "after a kill the recording cannot be read:" "$(cat said.txt)"
    [ ! -e killed.carom ] || [ "$(number killed.carom finished)" != true ] || rm killed.carom
done 2>/dev/null
"$program" plan "${slow[@]}" --quiet --resume -o killed.carom
same "hash after kills" "$("$program" hash killed.carom)" "$("$program" hash slow.carom)"
motion() { "$program" export "$1" --csv -o - && "$program" export "$1" --csv --what controls -o -; }
cmp <(motion killed.carom) <(motion slow.carom) || complain "a plan that was killed has another motion"

# ---- plans that cannot be: exit code 1 and why
impossible() { # PART OVERRIDES...
    local part=$1
    shift
    expect 1 "$part" -- plan transfer.json --set plan.levels=1 --set plan.starts=1 --no-report --force -o none.carom "$@"
}
impossible "There is no such plan: no motion near by keeps all that is asked" --set 'plan.controls[0].force_limit=0.01'
expect 0 "outcome    impossible" -- info none.carom
expect 2 "there is no motion in it: the plan is impossible" -- run transfer.json --plan none.carom -o never.carom
impossible "'idle'" --set 'plan.end[0].body=idle'

# ---- those that make no sense: exit code 2 and where
rm none.carom
nonsense=('plan.intervals=1' 'plan.intervals=2.5' 'plan.time=-2' 'plan.time={"guess": 1, "least": 2}' 'plan.levels=4' 'plan.levels=0' 'plan.starts=0'
    'plan.seed=-3' 'plan.tolerance=2' 'plan.horizon=3' 'plan.controls[0].kind=jet' 'plan.controls[0].body=crafft' 'plan.controls[0].force_limit=0'
    'plan.controls[0].axes=local' 'plan.controls[0].torque_weight=-1' 'plan.controls=7' 'plan.end[0].node=3' 'plan.end[0].box={"low": [2, 0, 0], "high": [1, 1, 1]}'
    'plan.end[0].relative_to=craft' 'plan.end[0].attitude=[0, 0, 0, 0]' 'plan.avoid={"margin": -1}' 'plan.contacts=[{"node": 30, "a": "craft", "b": "idle"}]'
    'plan.penalty={"stiffness": 0}' 'plan.guess=curved' 'plan.guess={"way_points": [{"body": "craft", "share": 3}]}')
for override in "${nonsense[@]}"; do
    expect 2 "--set: ${override%%=*}" -- plan transfer.json --set "$override" --no-report -o none.carom
done
verdict "plans are solved, kept, replayed, gone on with, and refused"
