#!/usr/bin/env bash
# info, hash, export: what recordings give back.
#
#   tests/cli/look.sh PROGRAM ROOT
set -uo pipefail
program=$(realpath "$1") root=$(realpath "$2")
source "$(dirname "$0")/support.sh"
cd "$work" || exit 1
scene=$root/scenes/two-charges.json
"$program" run "$scene" --until 0.1 --quiet

expect 0 "method     variational, step 0.0001 s, 2 bodies" -- info two-charges.carom
expect 0 "steps      1000 to t = 0.1 s of 0.1 s" -- info two-charges.carom
expect 0 "hash       $("$program" hash two-charges.carom)" -- info two-charges.carom
expect 0 "recording  two-charges.carom (51 frames)" -- info two-charges.carom
expect 0 '"name": "two-charges"' -- info two-charges.carom --scene
expect 2 "do not go together" -- info two-charges.carom --scene --json

expect 2 "'export' needs to know the form: carom export two-charges.carom --csv" -- export two-charges.carom
expect 2 "there is no export to VTK yet" -- export two-charges.carom --vtk
expect 2 "there is no export of 'fames'; did you mean 'frames'?" -- export two-charges.carom --csv --what fames
expect 2 "do not go together" -- export two-charges.carom --csv -o - --json
expect 0 "two-charges-frames.csv" -- export two-charges.carom --csv
expect 2 "two-charges-frames.csv" -- export two-charges.carom --csv
expect 0 "two-charges-frames.csv" -- export two-charges.carom --csv --force
expect 0 "two-charges-certificates.csv" -- export two-charges.carom --csv --what certificates
same "lines of frames" "$(wc -l <two-charges-frames.csv)" $((1 + 51 * 2))
same "lines of certificates" "$(wc -l <two-charges-certificates.csv)" $((1 + 1000))
"$program" export two-charges.carom --csv -o - | cmp -s - two-charges-frames.csv || complain "the standard output differs from the file"
"$program" export two-charges.carom --csv -o other.csv >/dev/null
cmp -s other.csv two-charges-frames.csv || complain "two exports differ"
verdict "recordings give back what was recorded"
