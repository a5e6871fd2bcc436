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
expect 2 "this run has no flexible bodies" -- export two-charges.carom --vtk
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

# Joints: counted and rated in the summary, listed and exported on request.
chain=$root/scenes/five-link-chain.json
"$program" run "$chain" --until 0.1 --quiet
expect 0 "joints     5, open by " -- info five-link-chain.carom
expect 0 "of the system's size or rad at most" -- info five-link-chain.carom
[[ $("$program" info two-charges.carom) == *joints* ]] && complain "a run without joints speaks of them"
expect 0 "  0 hook: ball of world and link-0, " -- info five-link-chain.carom --joints
expect 0 "  4 pin-3: ball of link-3 and link-4, " -- info five-link-chain.carom --joints
same "lines of joints" "$("$program" info five-link-chain.carom --joints | wc -l)" 5
same "joints of none" "$("$program" info two-charges.carom --joints)" ""
expect 2 "--scene and --joints do not go together" -- info five-link-chain.carom --scene --joints
expect 0 "five-link-chain-joints.csv" -- export five-link-chain.carom --csv --what joints
same "lines of joints in frames" "$(wc -l <five-link-chain-joints.csv)" $((1 + 7 * 5))
# Contacts: kept when the scene or the option asks for them.
expect 2 "was recorded without contacts" -- export five-link-chain.carom --csv --what contacts
"$program" run "$chain" --until 0.1 --quiet --contacts -o touching.carom
expect 0 "touching-contacts.csv" -- export touching.carom --csv --what contacts
same "lines of contacts of a method without" "$(wc -l <touching-contacts.csv)" 1
"$program" run "$chain" --until 0.1 --quiet --set record_contacts=true -o asked.carom
expect 0 '"contacts_recorded":true' -- info asked.carom --json
expect 0 '"contacts_recorded":false' -- info five-link-chain.carom --json

# Collisions: counted and exported where their times were found, refused by name elsewhere.
"$program" run "$root/scenes/cradle-2.json" --set method.name=exact --until 2 --quiet
expect 0 "collisions 6; their times are in the table of collisions" -- info cradle-2.carom
expect 0 "3 steps into 3 substeps at most: collisions cut them" -- info cradle-2.carom
expect 0 '"collisions":6' -- info cradle-2.carom --json
expect 0 "cradle-2-collisions.csv" -- export cradle-2.carom --csv --what collisions
same "lines of collisions" "$(wc -l <cradle-2-collisions.csv)" 7
[[ $(sed -n 2p cradle-2-collisions.csv) == 1.3468700594*,270,0,0,1,cube-1,cube-2,* ]] || complain "the first collision is another one"
expect 2 "its method, variational as it was set, finds no times of impacts" -- export two-charges.carom --csv --what collisions
[[ $("$program" info two-charges.carom) == *collisions* ]] && complain "a run without times of impacts speaks of collisions"
cat >apart.json <<'JSON'
{"carom": 1, "until": 0.01, "method": {"name": "multiplier"},
 "bodies": [{"name": "arm", "mass": 1, "inertia": [1, 1, 1], "position": [1, 0, 1e-5]}],
 "joints": [{"kind": "ball", "a": "world", "b": "arm", "point_a": [0, 0, 0], "point_b": [-1, 0, 0]}]}
JSON
expect 0 "apart.json:3: joints: warning: joints were up to 1e-05 m and 0 rad apart" -- run apart.json
verdict "recordings give back what was recorded"
