#!/usr/bin/env bash
# The gallery's pairs meet as their tables say, and scripts/measure_pairs sees when they do not.
#
#   tests/cli/pairs.sh PROGRAM ROOT
set -uo pipefail
program=$(realpath "$1") root=$(realpath "$2")
source "$(dirname "$0")/support.sh"
cd "$work" || exit 1

# measured CODE PART FOLDER: exit code and a part of what is printed
measured() {
    local answer got
    answer=$("$root/scripts/measure_pairs" "$program" "$3" out 2>&1)
    got=$?
    if [ "$got" -ne "$1" ] || [[ "$answer" != *"$2"* ]]; then
        complain "pairs of $3: exit $got, wanted $1; wanted '$2' in:" "$answer"
    fi
}
pairs=$root/scenes/distance-2-8
measured 0 "8 pairs meet as expected" "$pairs"
same "files for 8 pairs" "$(find out -name '[a-h].txt' | wc -l) $(find out -name '[a-h].json' | wc -l)" "8 8"

# broken FILE EDIT PART: a copy with one thing changed
broken() {
    rm -rf copy
    cp -r "$pairs" copy
    sed -i -E "$2" "copy/$1"
    measured 1 "$3" copy
}
broken expected.txt 's/edge-edge, parallel/edge-edge/' "h: type: expected edge-edge, found edge-edge, parallel"
broken expected.txt 's/3\/8,5\/8( +0 +1)$/5\/8,3\/8\1/' "f: their weights: expected 5/8,3/8"
broken expected.txt '/^ +e/d' "copy has 8 pairs and expected.txt 7"
broken g.json 's/"b": \{/&"position": [1e-13, 0, 0], /' "g: contact point: expected 0.2,0,0"
broken a.json 's/"b": \{/&"position": [1.5, 0, 0], /' "a: type: expected vertex-facet"
rm -rf copy
cp -r "$pairs" copy
rm copy/c.json
measured 2 "copy/c.json: there is no such file" copy
verdict "the pairs of the gallery meet as expected"
