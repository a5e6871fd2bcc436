#!/usr/bin/env bash
# A signal lets the step finish and keeps it; going on gives the bits of a run that was not interrupted.
#
#   tests/cli/interrupt.sh PROGRAM ROOT
set -uom pipefail # job control: without it the shell starts background programs with SIGINT ignored
program=$(realpath "$1") root=$(realpath "$2")
source "$(dirname "$0")/../support.sh"
cd "$work" || exit 1
scene=$root/scenes/tumbling-block.json

# interrupt SIGNAL FILE: begins a run that would take hours, stops it, and leaves what it said in said.txt
interrupt() {
    "$program" run "$scene" --set until=1e6 -o "$2" >said.txt 2>&1 &
    local runner=$! waited=0 code
    until [ -e "$2" ] || [ "$waited" -ge 100 ]; do
        sleep 0.1
        waited=$((waited + 1))
    done
    sleep 0.1
    kill -s "$1" "$runner"
    wait "$runner"
    code=$?
    [ "$code" -eq 130 ] || complain "SIG$1: exit $code, wanted 130:" "$(cat said.txt)"
    grep -q "interrupted after step" said.txt || complain "SIG$1: it is not said how to go on:" "$(cat said.txt)"
    grep -qF "carom run $scene --set until=1e6 -o $2 --resume" said.txt || complain "SIG$1: the command to go on is not said:" "$(cat said.txt)"
}

for signal in INT TERM HUP; do
    interrupt "$signal" "$signal.carom"
    made=$("$program" info "$signal.carom" --json | field steps)
    [ "$made" -gt 0 ] || complain "SIG$signal: no step was kept"
    same "ending" "$("$program" info "$signal.carom" --json | field ending)" unfinished
    # A little further, once more, and the same in one go.
    half=$(awk "BEGIN {print ($made + 1000) / 1000}")
    until=$(awk "BEGIN {print ($made + 2000) / 1000}")
    expect 0 "goes on after step $made" -- run "$scene" --set until=1e6 -o "$signal.carom" --resume --until "$half"
    expect 0 "early: as asked: --until $half only; it can be resumed" -- info "$signal.carom"
    expect 2 "is at t = $half s already; --until must not be less" -- run "$scene" --set until=1e6 -o "$signal.carom" --resume --until 0
    expect 0 "goes on after step $((made + 1000))" -- run "$scene" --set until=1e6 -o "$signal.carom" --resume --until "$until"
    "$program" run "$scene" --until "$until" --quiet --force -o whole.carom
    same "hashes after SIG$signal" "$("$program" hash "$signal.carom" 2>/dev/null)" "$("$program" hash whole.carom)"
    for what in frames certificates; do
        "$program" export "$signal.carom" --csv --what "$what" -o - >a.csv
        "$program" export whole.carom --csv --what "$what" -o - >b.csv
        cmp a.csv b.csv || complain "SIG$signal: $what differ"
    done
    rm -f ./*.carom ./*.csv
done

# Other scenes are not gone on with; a file that is not there is begun.
expect 0 "there is none to resume; begins anew" -- run "$scene" --until 0.1 --resume
expect 0 "nothing left to do" -- run "$scene" --until 0.1 --resume

# A study that is interrupted ends within a step and leaves no file.
"$program" converge "$scene" --until 1e6 -o table.txt 2>said.txt &
runner=$!
for ((waited = 0; waited < 100; waited++)); do
    compgen -G 'table.txt.new-*' >/dev/null && break
    sleep 0.1
done
sleep 0.5
kill -s INT "$runner"
wait "$runner"
same "exit code of an interrupted study" "$?" 130
grep -q "interrupted; nothing is kept of the study" said.txt || complain "an interrupted study does not say so:" "$(cat said.txt)"
same "files of an interrupted study" "$(compgen -G 'table.txt*')" ""

# A signal ends a long step on its way, and what is kept is the step before: resumed, the run ends with the same bits.
cat >long.json <<'JSON'
{"carom": 1, "until": 0.01, "start_overlaps": "keep", "shapes": {"p": {"kind": "prism", "sides": 200, "radius": 1, "height": 1}},
 "bodies": [{"name": "a", "shape": "p", "density": 1000, "repeat": {"lattice": {"count": [1, 1, 12], "spacing": [0, 0, 0.9995]}}}]}
JSON
long=(run long.json --limit seconds=none --no-report --quiet)
"$program" "${long[@]}" -o whole.carom
[ $? -le 1 ] || complain "a run with long steps fails"
"$program" "${long[@]}" -o cut.carom &
runner=$!
for ((waited = 0; waited < 600; waited++)); do
    [ -s cut.carom ] && break
    sleep 0.05
done
kill -s INT "$runner"
wait "$runner"
code=$?
[ $code -eq 130 ] || [ $code -le 1 ] || complain "exit $code of a run that is interrupted in a long step"
"$program" "${long[@]}" -o cut.carom --resume
[ $? -le 1 ] || complain "a run that was interrupted in a long step cannot be resumed"
same "hashes of a run and one that was interrupted in a long step" "$("$program" hash cut.carom)" "$("$program" hash whole.carom)"

# Who ignores a signal goes on ignoring it.
trap '' INT
"$program" run "$scene" --until 300 --quiet -o ignoring.carom &
runner=$!
sleep 0.05
kill -s INT "$runner" 2>/dev/null
wait "$runner"
same "exit code with the signal ignored" "$?" 0
verdict "interrupted runs can be resumed to the same bits"
