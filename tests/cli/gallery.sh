#!/usr/bin/env bash
# The gallery: what it runs, what it reuses, what it says of scenes that fail. Its pictures are those of 'render'.
#
#   tests/cli/gallery.sh PROGRAM ROOT JSON_LINES
set -uo pipefail
program=$(realpath "$1") root=$(realpath "$2") json_lines=$(realpath "$3")
source "$(dirname "$0")/support.sh"
cd "$work" || exit 1
mkdir scenes
cp -r "$root/scenes/distance-2-8" scenes/
cp -r "$root/scenes/pair-collisions" scenes/
cat >scenes/flies.json <<'JSON'
{"carom": 1, "name": "it <flies>", "until": 0.1, "bodies": [{"name": "it", "mass": 1, "inertia": [1, 1, 1], "velocity": [1, 0, 0]}]}
JSON
cat >scenes/breaks.json <<'JSON'
{"carom": 1, "until": 0.1, "method": {"name": "euler", "form": "velocity"},
 "bodies": [{"name": "it", "mass": 1, "inertia": [1, 2, 3], "spin": [1, 2, 3]}]}
JSON
gallery=(gallery --no-pictures -o out)

# A broken contract makes the exit code 1, but the page is there.
expect 1 "out/index.html" -- "${gallery[@]}"
for file in index.html flies.carom flies.html breaks.carom breaks.html; do [ -s "out/$file" ] || complain "there is no out/$file"; done
"$program" "${gallery[@]}" --json >out.jsonl
"$json_lines" <out.jsonl >/dev/null || complain "gallery --json is no JSON"
same "verdicts" "$(field verdict <out.jsonl | tr '\n' ' ')" "red green "
# header KEY: texts of that key in the page's header; no name can break out of it
header() { sed -nE 's/.*id="carom-header">(.*)<\/script>.*/\1/p' out/index.html | grep -oE "\"$1\":\"[^\"]*\"" | sed -E 's/^"[^:]*:"(.*)"$/\1/'; }
same "title of a card" "$(header title | grep flies)" 'it \u003cflies>'
same "links" "$(header link | tr '\n' ' ')" "./breaks.html ./flies.html "
same "pairs as found by hand" "$(header sentence | grep -c 'As found by hand')" 8
same "a figure" "$(header figure | grep -c 'vertex-facet at (0.1, 0.05, 0) m')" 1

# Names of files are addresses of files, whatever is in them: no script, no question, no place in a page.
mkdir -p odd/scenes
script='javascript:void(document.title=1)'
for name in plain 'a#b' 'a?b' 'a%41' "$script" $'\x01'"$script" "java"$'\t'"script:1"; do
    cp scenes/flies.json "odd/scenes/$name.json"
done
(cd odd && "$program" gallery --no-pictures -o out --quiet)
same "addresses of odd names" "$(cd odd && header link | LC_ALL=C sort | tr '\n' ' ')" \
    "./%01javascript%3Avoid%28document.title%3D1%29.html ./a%23b.html ./a%2541.html ./a%3Fb.html ./java%09script%3A1.html ./javascript%3Avoid%28document.title%3D1%29.html ./plain.html "

# A scene with contacts has their overlaps on its card.
cat >scenes/lies.json <<'JSON'
{"carom": 1, "until": 0.1, "shapes": {"s": {"kind": "sphere", "radius": 1}, "f": {"kind": "half_space", "normal": [0, 0, 1]}},
 "bodies": [{"kind": "fixed", "shape": "f"}, {"shape": "s", "mass": 1, "position": [0, 0, 1]}]}
JSON
"$program" "${gallery[@]}" --quiet
same "overlaps of a card" "$(header figure | grep -c '; 1 contact at most, overlaps of [0-9.e+-]* of a body.s size at most')" 1
rm scenes/lies.json

# What has not changed is not run again; what has is.
before=$(stat -c %y out/flies.carom) broken=$(stat -c %y out/breaks.carom)
sed -i 's/"until": 0.1/"until": 0.2/' scenes/breaks.json
"$program" "${gallery[@]}" --quiet
same "the recording of a scene that is the same" "$(stat -c %y out/flies.carom)" "$before"
[ "$(stat -c %y out/breaks.carom)" != "$broken" ] || complain "a scene that was changed was not run again"

# A scene that cannot be read, and a pair that is not as expected, are on the page, too.
rm scenes/breaks.json
echo '{"carom": 1, "until": -1}' >scenes/wrong.json
expect 2 "scenes/wrong.json:1: until" -- "${gallery[@]}"
same "verdict of a scene that cannot be read" "$(header sentence | grep -c 'cannot be run')" 1
rm scenes/wrong.json
sed -i 's/vertex-facet         0.1,0.05,0 /vertex-facet         0.1,0.06,0 /' scenes/distance-2-8/expected.txt
expect 1 "out/index.html" -- "${gallery[@]}"
same "verdict of a pair" "$(header sentence | grep -c 'Expected was vertex-facet at (0.1, 0.06, 0) m')" 1

sed -i 's/vertex-facet         0.1,0.06,0 /vertex-facet         0.1,0.05,0 /' scenes/distance-2-8/expected.txt
sed -i 's/^lean-mu0.6-e1 .*/lean-mu0.6-e1 -/' scenes/pair-collisions/gains.txt
expect 1 "out/index.html" -- "${gallery[@]}"
same "verdict of a collision" "$(header sentence | grep -c 'Energy is gained by: newton; expected was: -')" 1

# Bad input.
echo mine >out/flies.carom
expect 2 "out/flies.carom: is not a carom recording" -- "${gallery[@]}"
same "a foreign file" "$(cat out/flies.carom)" mine
mkdir none
expect 2 "none: there are no scenes in it" -- gallery --no-pictures --scenes none
expect 2 "nowhere: cannot be read" -- gallery --no-pictures --scenes nowhere
expect 2 "no/where: the folder cannot be made" -- gallery --no-pictures -o no/where
expect 2 "'gallery' takes options only, but there is 'scenes'" -- gallery scenes
CAROM_CHROMIUM=/nonexistent expect 2 "there is no program /nonexistent" -- gallery -o out

# Studies as pages.
cat >study.json <<'JSON'
{"carom": 1, "name": "study", "until": 0.2, "method": {"step": 0.02},
 "bodies": [{"name": "it", "mass": 1, "inertia": [1, 2, 3], "spin": [1, 2, 3]}]}
JSON
expect 0 "variational" -- converge study.json --methods variational,euler --halvings 2 --report converge.html --quiet
grep -q '"kind":"converge"' converge.html || complain "there is no page of the study"
expect 2 "converge.html exists already; --force replaces it" -- converge study.json --report converge.html
expect 1 "euler" -- compare study.json --methods variational,euler --report compare.html --quiet
grep -q '"difference_times_0":{"offset":0,"type":"f64","count":' compare.html || complain "the page of a comparison has no differences"
# Three numbers for one body at the start and the ten common times, of each method.
grep -q '"paths":{"bodies":\["it"\],"left_out":0}' compare.html || complain "the page of a comparison names no paths"
for run in 0 1; do
    grep -q "\"path_times_$run\":{\"offset\":[0-9]*,\"type\":\"f64\",\"count\":11" compare.html || complain "run $run has no times"
    grep -q "\"path_position_$run\":{\"offset\":[0-9]*,\"type\":\"f64\",\"count\":33" compare.html || complain "run $run has no path"
done
"$program" run study.json --quiet --no-report -o a.carom
expect 0 "to the bit" -- compare a.carom a.carom --report runs.html
grep -q '"verdict":"identical"' runs.html || complain "the page of two recordings does not say that they are the same"
verdict "the gallery shows every scene"
