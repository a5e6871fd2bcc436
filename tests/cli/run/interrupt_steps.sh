#!/usr/bin/env bash
# A signal ends a run of any method soon, however long the step is that it is in, and what is kept can be resumed.
#
#   tests/cli/run/interrupt_steps.sh PROGRAM ROOT
set -uom pipefail # job control: without it the shell starts background programs with SIGINT ignored
program=$(realpath "$1")
source "$(dirname "$0")/../support.sh"
cd "$work" || exit 1

# One second is promised; what a busy machine and sanitizers take on top is not to be measured here.
most_seconds=5

floor='"floor": {"kind": "half_space", "normal": [0, 0, 1]}'
balls='"gravity": [0, 0, 0], "shapes": {"p": {"kind": "sphere", "radius": 0.5}}, "bodies": [{"name": "a", "shape": "p", "repeat": {"lattice": {"count": [6, 6, 6], "spacing": [1.1, 1.1, 1.1], "speed": 10, "seed": 1}}}]'
packed='"start_overlaps": "keep", "shapes": {"p": {"kind": "sphere", "radius": 0.5}}, "bodies": [{"name": "a", "shape": "p", "repeat": {"lattice": {"count": [9, 9, 9], "spacing": [0.999, 0.999, 0.999]}}}]'
heap='"shapes": {"p": {"kind": "box", "size": [1, 1, 1]}, '$floor'}, "bodies": [{"name": "floor", "kind": "fixed", "shape": "floor"}, {"name": "a", "shape": "p", "position": [0, 0, 0.5], "repeat": {"lattice": {"count": [6, 6, 14], "spacing": [1, 1, 1], "speed": 0.5, "seed": 2}}}]'
falling='"shapes": {"p": {"kind": "box", "size": [1, 1, 1]}, '$floor'}, "bodies": [{"name": "floor", "kind": "fixed", "shape": "floor"}, {"name": "a", "shape": "p", "position": [0, 0, 1], "repeat": {"lattice": {"count": [5, 5, 5], "spacing": [1.3, 1.3, 1.3], "speed": 1, "spin": 1, "seed": 1}}}]'
charges='"bodies": [{"name": "l", "repeat": {"lattice": {"count": [10, 10, 10], "spacing": [1, 1, 1], "speed": 1, "seed": 1}}}], "forces": [{"kind": "charge", "body": "l-*", "charge": 1e-5}]'
# chain LINKS LIMITS
chain() {
    printf '"bodies": [{"name": "l", "repeat": {"lattice": {"count": [%d, 1, 1], "spacing": [1, 0, 0], "speed": 1, "seed": 1}}}], "joints": [{"kind": "hinge", "a": "world", "b": "l-0", "point": [-0.5, 0, 0], "axis": [0, 1, 0]}, {"kind": "hinge", "chain": "l-*", "point_a": [0.5, 0, 0], "axis": [0, 1, 0]%s}]' "$1" "$2"
}
limits=', "coordinates": [{"lower": -0.1, "upper": 0.1}]'

# end_soon NAME METHOD REST: a run whose steps take seconds to hours is interrupted in one of them
end_soon() {
    local name=$1 runner waited code began took
    printf '{"carom": 1, "until": 1000, "method": {%s}, %s}\n' "$2" "$3" >"$name.json"
    "$program" run "$name.json" --no-report --quiet -o "$name.carom" >said.txt 2>&1 &
    runner=$!
    for ((waited = 0; waited < 1200; waited++)); do
        [ -s "$name.carom" ] && break
        sleep 0.05
    done
    sleep 0.2
    began=$EPOCHREALTIME
    kill -s INT "$runner"
    wait "$runner"
    code=$?
    took=$(awk "BEGIN {print $EPOCHREALTIME - $began}")
    [ "$code" -eq 130 ] || complain "$name: exit $code, wanted 130:" "$(cat said.txt)"
    awk "BEGIN {exit !($took < $most_seconds)}" || complain "$name: ends $took s after it was interrupted"
    same "ending of $name" "$("$program" info "$name.carom" --json | field ending)" unfinished
    echo "$name: $took s"
    rm -f "$name.carom"
}

end_soon exact '"name": "exact", "step": 1, "exact": {"event_limit": 1000000000}' "$balls"
end_soon potential '"name": "potential", "step": 1e-4' "$packed"
end_soon newmark '"name": "newmark", "step": 1e-4' "${packed/9, 9, 9/18, 18, 18}"
end_soon events '"name": "impulse", "step": 100, "impulse": {"variant": "events", "event_limit": 1000000000}' "$falling"
end_soon fixed '"name": "impulse", "step": 0.01, "impulse": {"variant": "fixed", "iterations": 100000000, "tolerance": 1e-15}' "$heap"
end_soon multiplier '"name": "multiplier", "step": 1000, "substep_limit": 1000000000' "$(chain 20 '')"
end_soon multiplier_limits '"name": "multiplier", "step": 10, "substep_limit": 1000000000' "$(chain 100 "$limits")"
end_soon reduced '"name": "reduced", "step": 1000, "substep_limit": 1000000000' "$(chain 20 '')"
end_soon reduced_limits '"name": "reduced", "step": 10, "substep_limit": 1000000000' "$(chain 100 "$limits")"
end_soon variational '"name": "variational", "step": 10, "iteration_limit": 1000000, "tolerance": 1e-16' "$(chain 2000 '')"
end_soon coupled '"name": "variational", "step": 1e-3' "$charges"
end_soon dcr '"name": "dcr", "step": 0.01, "dcr": {"budget": 1e6}' "$heap"
end_soon lcp '"name": "lcp", "step": 0.01, "lcp": {"tolerance": 1e-14, "budget": 1e6}' "$heap"
end_soon semismooth '"name": "lcp", "step": 0.01, "lcp": {"solver": "semismooth", "tolerance": 1e-14, "budget": 1e6, "iterations": 1000000}' "$heap"

# resume NAME METHOD REST: a run that can end, cut at three moments, has the bits of one that was left alone
resume() {
    local name=$1 runner moment
    printf '{"carom": 1, "until": 0.3, "method": {%s}, %s}\n' "$2" "$3" >"$name.json"
    "$program" run "$name.json" --no-report --quiet -o whole.carom 2>/dev/null
    for moment in 0.02 0.05 0.1; do
        "$program" run "$name.json" --no-report --quiet -o cut.carom --resume 2>/dev/null &
        runner=$!
        for ((waited = 0; waited < 1200; waited++)); do
            [ -s cut.carom ] && break
            sleep 0.01
        done
        sleep "$moment"
        kill -s INT "$runner" 2>/dev/null
        wait "$runner"
    done
    "$program" run "$name.json" --no-report --quiet -o cut.carom --resume 2>/dev/null
    [ $? -le 1 ] || complain "$name: cannot be resumed"
    same "hashes of $name, whole and cut," "$("$program" hash cut.carom 2>&1)" "$("$program" hash whole.carom 2>&1)"
    rm -f ./*.carom
}

few=${balls/6, 6, 6/4, 4, 1}
resume exact '"name": "exact", "step": 0.1' "$few"
resume potential '"name": "potential", "step": 0.01, "potential": {"stiffness": 1e4}' "$few"
resume events '"name": "impulse", "step": 0.1, "impulse": {"variant": "events"}' "${falling/5, 5, 5/2, 1, 2}"
resume multiplier '"name": "multiplier", "step": 0.1' "$(chain 10 "$limits")"
resume reduced '"name": "reduced", "step": 0.1' "$(chain 10 "$limits")"
resume variational '"name": "variational", "step": 0.1' "$(chain 200 '')"
resume dcr '"name": "dcr", "step": 0.05' "${falling/5, 5, 5/2, 2, 2}"
verdict "a signal ends steps of every method soon, and what it leaves can be resumed to the same bits"
