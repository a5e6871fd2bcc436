#!/usr/bin/env bash
# Flexible bodies at the shell: listed as such and not by their nodes, with their meshes' quality.
#
#   tests/cli/flexible.sh PROGRAM ROOT
set -uo pipefail
program=$(realpath "$1") root=$(realpath "$2")
source "$(dirname "$0")/support.sh"
cd "$work" || exit 1

soft=$root/tests/scene/good/flexible.json
expect 0 "flexible   'cube' 99 nodes, 30 elements of 10, quality 0.77 at least, explicit steps up to " -- check "$soft"
expect 0 "flexible   'middle-ws' and 16 more like it, each 125 nodes, 320 elements of 4" -- check "$root/scenes/cube-cluster.json"
expect 0 "4 bodies, 7 flexible ones of 132 nodes" -- run "$soft" -o whole.carom
expect 0 "             'part' 5 nodes, 2 elements of 4" -- info whole.carom
[ "$("$program" info whole.carom | wc -l)" -lt 40 ] || complain "the summary lists nodes"
"$program" info whole.carom --json >info.jsonl
"$program" check "$soft" --json >check.jsonl
for file in info check; do
    same "flexible bodies of $file --json" "$(grep -o '"stable_step"' $file.jsonl | wc -l)" 7
done

"$program" run "$soft" -o threads.carom --threads 3 --quiet
same "hashes with one and three threads" "$("$program" hash threads.carom)" "$("$program" hash whole.carom)"

# Under every method, with any number of threads, and killed without warning and resumed: the same bits. Two soft bodies
# and a rigid ball hit each other, where the method has contacts.
cat >hit.json <<'JSON'
{"carom": 1, "until": 0.15, "gravity": [0, 0, 0], "method": {"name": "lcp", "step": 0.001, "potential": {"stiffness": 1000}},
 "materials": {"gel": {"friction": 0.4, "restitution": 0, "elastic": {"young": 2e4, "poisson": 0.3, "density": 300, "viscosity": 1e-4}}},
 "shapes": {"ball": {"kind": "sphere", "radius": 0.05}},
 "bodies": [{"name": "ball", "shape": "ball", "material": "gel", "density": 300, "position": [0.04, 0.03, 0.18], "velocity": [0, 0, -2]}],
 "flexible": [
  {"name": "left", "mesh": {"kind": "box", "size": [0.1, 0.1, 0.1], "cells": [4, 4, 4]}, "material": "gel", "velocity": [1, 0, 0], "spin": [3, 2, 1]},
  {"name": "right", "mesh": {"kind": "box", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2], "order": 2}, "material": "gel", "position": [0.13, 0.02, 0.01],
   "attitude": {"axis": [1, 2, 3], "degrees": 20}}]}
JSON
hit() { # METHOD STEP NAME OPTION...
    local method=$1 step=$2 name=$3
    shift 3
    "$program" run hit.json --set "method.name=$method" --set "method.step=$step" -o "$name.carom" --no-report --quiet "$@" 2>>said.txt
    [ $? -le 1 ] || complain "$method cannot run hit.json:" "$(cat said.txt)"
}
bits() { # METHOD STEP
    local runner waited
    for threads in 1 2 8; do hit "$1" "$2" "$1-$threads" --threads "$threads"; done
    same "hashes of $1 with one and two threads" "$("$program" hash "$1-2.carom")" "$("$program" hash "$1-1.carom")"
    same "hashes of $1 with one and eight threads" "$("$program" hash "$1-8.carom")" "$("$program" hash "$1-1.carom")"
    "$program" run hit.json --set "method.name=$1" --set "method.step=$2" -o killed.carom --no-report --quiet --checkpoint 0 &
    runner=$!
    for ((waited = 0; waited < 500; waited++)); do
        [ "$("$program" info killed.carom --json 2>/dev/null | field steps)" -gt 5 ] 2>/dev/null && break
        sleep 0.01
    done
    kill -9 "$runner"
    wait "$runner" 2>/dev/null
    [ "$("$program" info killed.carom --json | field ending)" = unfinished ] || echo "$1 was too quick to be killed"
    hit "$1" "$2" killed --resume --threads 3 --checkpoint 0
    same "hashes of $1 killed and resumed" "$("$program" hash killed.carom)" "$("$program" hash "$1-1.carom")"
    "$program" export killed.carom --csv -o - >a.csv
    "$program" export "$1-1.carom" --csv -o - | cmp - a.csv || complain "frames of $1 killed and resumed differ"
    rm -f killed.carom
}
bits lcp 1e-3
bits newmark 2e-4
bits variational 1e-3
contacts() { "$program" info "$1" --json | field most_contacts; }
for method in lcp newmark; do [ "$(contacts "$method-1.carom")" -gt 10 ] || complain "hit.json does not hit under $method"; done

# What was run needs no file: meshes of files are in the recording.
"$program" run "$root/tests/scene/good/flexible-files.json" -o files.carom --quiet
"$program" info files.carom --scene >recorded.json
"$program" run recorded.json -o again.carom --quiet
same "hashes of a scene with files and of the recorded one" "$("$program" hash again.carom)" "$("$program" hash files.carom)"

expect 2 "a run cannot begin: newmark is unstable beyond steps of " -- check "$soft" --set method.step=0.1
expect 2 "the method exact has no flexible bodies" -- check "$soft" --set method.name=exact
"$program" export whole.carom --csv --force >/dev/null
grep -q ",cube/17," whole-frames.csv || complain "nodes have no names in the table of frames"
verdict "flexible bodies are listed as such"
