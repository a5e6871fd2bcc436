#!/usr/bin/env bash
# A run that is killed without warning at 20 moments, or as many as are asked for, and resumed each time, ends in the
# bits of one that never was.
#
#   tests/cli/run/kill.sh PROGRAM ROOT STEPS [KILLS]
set -uo pipefail
program=$(realpath "$1") root=$(realpath "$2") steps=$3 wanted=${4:-20}
source "$(dirname "$0")/../support.sh"
cd "$work" || exit 1
scene=$root/scenes/tumbling-block.json
run=("$program" run "$scene" --set "until=$((steps / 1000))" --every 1000 --checkpoint 0.1 --quiet)

started=$(date +%s%N)
"${run[@]}" -o whole.carom || complain "the whole run failed"
milliseconds=$((($(date +%s%N) - started) / 1000000))

# The moments: seeded, up to a third of the time of the whole run, so that many kills hit one run.
RANDOM=20
kills=0 resumed=0 rounds=0
while [ "$kills" -lt "$wanted" ] && [ "$rounds" -lt $((3 * wanted)) ]; do
    rounds=$((rounds + 1))
    before=0
    [ -e killed.carom ] && before=$("$program" info killed.carom --json | field steps)
    "${run[@]}" -o killed.carom --resume &
    runner=$!
    moment=$((RANDOM % (milliseconds / 3 + 20)))
    sleep "$(printf '0.%03d' "$((moment % 1000))")"
    kill -9 "$runner" 2>/dev/null && kills=$((kills + 1))
    wait "$runner" 2>/dev/null
    [ -e killed.carom ] || continue # before it was begun
    state=$("$program" info killed.carom --json) || complain "after a kill the recording cannot be read"
    [ "$(field steps <<<"$state")" -ge "$before" ] || complain "a kill has lost a checkpoint"
    [ "$before" -gt 0 ] && resumed=$((resumed + 1))
    if [ "$(field ending <<<"$state")" = finished ]; then
        same "hash of a run that was killed" "$("$program" hash killed.carom)" "$("$program" hash whole.carom)"
        rm -f killed.carom
    fi
done
[ "$kills" -ge "$wanted" ] || complain "only $kills kills"
"${run[@]}" -o killed.carom --resume || complain "the last resume failed"
same "hashes" "$("$program" hash killed.carom)" "$("$program" hash whole.carom)"
summary() { "$program" info "$1" --json | sed 's/"recording":"[^"]*"//'; }
same "summaries" "$(summary killed.carom)" "$(summary whole.carom)"
"$program" export killed.carom --csv -o - >a.csv
"$program" export whole.carom --csv -o - >b.csv
cmp a.csv b.csv || complain "frames differ"
verdict "$kills kills of a run of $steps steps ($milliseconds ms), $resumed of them after a resume: the same bits"
