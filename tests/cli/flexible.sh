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
