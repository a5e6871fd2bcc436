#!/usr/bin/env bash
# --json of every verb is one valid object a line, also with hostile names.
#
#   tests/cli/json.sh PROGRAM ROOT JSON_LINES
set -uo pipefail
program=$(realpath "$1") root=$(realpath "$2") reader=$(realpath "$3")
source "$(dirname "$0")/support.sh"
cd "$work" || exit 1

# valid CODE LINES -- ARGUMENTS...: exit code and number of lines, each an object; prints nothing else
valid() {
    local code=$1 lines=$2 got answer
    shift 3
    "$program" "$@" --json >out.jsonl 2>err.txt
    got=$?
    [ "$got" -eq "$code" ] || complain "carom $* --json: exit $got, wanted $code" "$(cat err.txt)"
    answer=$("$reader" <out.jsonl) || complain "carom $* --json: $answer"
    [ "$lines" = any ] || same "number of lines of carom $* --json" "$(wc -l <out.jsonl)" "$lines"
}

scene=$root/scenes/two-charges.json
data=$root/tests/data/dynamics.json
echo '{"carom": 1, "until": 1, "method": {"step": 0.05}, "gravity": [0, 0, 0],
  "bodies": [{"inertia": [1, 2, 2.5], "spin": [0.1, 1, 0]}]}' >tops.json
valid 0 1 -- version
valid 0 any -- help
valid 0 1 -- run "$scene" --until 0.01
same "nothing beside the object" "$(cat err.txt)" ""
same "ending" "$(field ending <out.jsonl)" finished
same "hash" "$(field hash <out.jsonl)" "$("$program" hash two-charges.carom)"
valid 0 1 -- run "$scene" --resume
valid 0 1 -- info two-charges.carom
valid 0 1 -- hash two-charges.carom
valid 0 1 -- export two-charges.carom --csv
valid 0 1 -- run "$root/scenes/five-link-chain.json" --until 0.01
same "joints" "$(field joints <out.jsonl)" 5
valid 0 5 -- info five-link-chain.carom --joints
valid 0 1 -- check "$scene"
valid 0 12 -- converge tops.json --halvings 4 --methods variational,euler # two methods with five runs
valid 0 6 -- converge "$root/scenes/four-bar.json" --until 0.1 --methods multiplier,reduced # four runs and two methods, one of which refuses
valid 1 2 -- compare "$scene" --until 0.01 --methods variational,euler
valid 0 1 -- compare two-charges.carom two-charges.carom
valid 0 1 -- distance box:1,1,1 box:1,1,1@2,0,0
valid 0 1 -- impact "$root/scenes/pair-collisions/ball-mu0.4-e1.json"
echo '{"M": [[2, 1], [1, 2]], "q": [-5, -6]}' >problem.json
valid 0 2 -- solve problem.json
if [ -f "$data" ]; then valid 0 1 -- verify "$data"; fi
echo '{"carom": 1, "until": 1, "bodies": [{"mass": -1}, {"mas": 1}]}' >wrong.json
valid 2 3 -- check wrong.json # two errors and the counts

# Energies beyond all numbers are null.
cat >spring.json <<'JSON'
{"carom": 1, "until": 100, "method": {"name": "euler", "step": 0.1},
 "bodies": [{"name": "weight", "kind": "point", "mass": 1, "position": [1, 0, 0]}],
 "forces": [{"kind": "spring", "a": "world", "b": "weight", "stiffness": 1e6}]}
JSON
valid 1 1 -- run spring.json
same "ending" "$(field ending <out.jsonl)" stopped
grep -q '"largest_energy_change":null' out.jsonl || complain "an infinite number is not null"
valid 1 any -- converge spring.json --methods variational,euler # with numbers beyond all, and red
valid 1 any -- compare spring.json --methods variational,euler

# Names with quotes, backslashes, line ends, control characters, broken UTF-8.
for name in $'say "hi" \\ back' $'line\nend\ttab' $'\x01\x02\x1b[31m\x7f' $'broken \xff\xc3 utf-8 \xed\xa0\x80' 'hüpf 🎱'; do
    cp "$scene" "$name.json" 2>/dev/null || continue # not every file system takes such names
    valid 0 1 -- run "$name.json" --until 0.01
    valid 0 1 -- info "$name.carom"
    valid 0 1 -- hash "$name.carom"
    valid 0 1 -- export "$name.carom" --csv
    valid 0 1 -- check "$name.json"
    valid 2 2 -- solve "$name.json"
    valid 0 any -- converge "$name.json" --until 0.01 --methods variational
    valid 1 any -- compare "$name.json" --until 0.01 --methods variational,euler
    valid 0 1 -- compare "$name.carom" "$name.carom"
    echo '{"carom": 1, "bodies": 3}' >"$name.json"
    valid 2 any -- check "$name.json"
    valid 2 any -- check "$name.json" --set "$name=$name" --set "bodies[0].$name=1"
done
printf '{"carom": 1, "bodies": [{"name": "\\u0001\\"\\\\ \\u20ac", "masss": 1}]}' >hostile.json
valid 2 any -- check hostile.json
verdict "--json gives valid objects"
