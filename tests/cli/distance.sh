#!/usr/bin/env bash
# distance: the measures of pairs from words and files, the machine form, and how bad input is refused.
#
#   tests/cli/distance.sh PROGRAM ROOT JSON_LINES
set -uo pipefail
program=$(realpath "$1") root=$(realpath "$2") reader=$(realpath "$3")
source "$(dirname "$0")/support.sh"
cd "$work" || exit 1

# Boxes on the x axis: every measure is known. 2 m between the centres, faces 1 m apart.
expect 0 "gap            1 m" -- distance box:1,1,1 box:1,1,1@2,0,0
expect 0 "plane gap      1 m" -- distance box:1,1,1 box:1,1,1@2,0,0
expect 0 "ray value      1 m" -- distance box:1,1,1 box:1,1,1@2,0,0
expect 0 "ratio          2 " -- distance box:1,1,1 box:1,1,1@2,0,0
expect 0 "rho            0.5 " -- distance box:1,1,1 box:1,1,1@2,0,0
expect 0 "several points are equally good" -- distance box:1,1,1 box:1,1,1@2,0,0
expect 0 $'\napart\n' -- distance box:1,1,1 box:1,1,1@2,0,0
expect 0 $'\ntouching\n' -- distance box:1,1,1 box:1,1,1@1,0,0
expect 0 $'\noverlapping\n' -- distance box:1,1,1 box:1,1,1@0.5,0,0
expect 0 "gap            -0.5 m" -- distance box:1,1,1 box:1,1,1@0.5,0,0
expect 0 "the centres coincide" -- distance box:1,1,1 box:1,1,1
expect 0 "the ray misses" -- distance box:1,1,1 box:1,1,1@0,3,0 --direction 1,0,0
expect 0 "the sign of the value does not tell" -- distance box:1,1,1 box:1,1,1@2,0,0 --direction=-1,0,0
# All optimal answers: how many the others are mixtures of.
expect 0 "all optimal weights are mixtures of 6" -- distance box:1,1,1 box:1,1,1@2,0,0
expect 0 "all optimal normals are mixtures of 3" -- distance box:1,1,1 box:1,1,1@1,1,1
expect 0 "all optimal weights are mixtures of 256 and more that are not listed" -- distance prism:40,1,1 prism:40,1,1@0,0,1
# Turned by a quarter about z, of any length of the quaternion: the short edge lies along x.
expect 0 "gap            1 m" -- distance box:1,1,1 box:4,1,1@2,0,0,3,0,0,3
# The other kinds.
expect 0 "gap            1 m" -- distance sphere:1 sphere:0.5@2.5,0,0
expect 0 "gap            1 m" -- distance ellipsoid:1,2,3 box:1,1,1@2.5,0,0
expect 0 "gap            1 m" -- distance half-space:0,0,1,0 capsule:0.5,1@0,0,2
expect 0 "normal       (0, 0, 1)" -- distance half-space:0,0,1,0 capsule:0.5,1@0,0,2
expect 0 "gap            0.5 m" -- distance sphere:0.5@1,0,0 container:2
expect 0 "there is no ray: " -- distance sphere:0.5@1,0,0 container:2
expect 0 "polytope of 4 vertices" -- distance tetrahedron:1 prism:6,1,1@3,0,0
expect 0 "polytope of 7 vertices" -- distance pyramid:6,1,1 box:1,1,1@3,0,0

# Events of polytopes: equal boxes touch in a square.
for corner in "-0.5, -0.5" "0.5, -0.5" "-0.5, 0.5" "0.5, 0.5"; do
    expect 0 ": gap 0 m, normal (1, 0, 0), at (0.5, $corner)" -- distance box:1,1,1 box:1,1,1@1,0,0
done
expect 0 "the ray meets facet-facet, at (0.5, 0, 0)" -- distance box:1,1,1 box:1,1,1@1,0,0

# Files.
cat >pair.json <<'JSON'
{"carom": 1, "name": "a triangle over a box",
 "a": {"shape": {"kind": "box", "size": [1, 1, 1]}},
 "b": {"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "position": [0, 0, 2]}, "direction": [0, 0, 1]}
JSON
expect 0 "B  3 vertices, at (0, 0, 2)" -- distance pair.json
expect 0 "gap            1.5 m" -- distance pair.json
expect 0 "beta         (0, 0, 1)" -- distance pair.json
expect 0 "beta         (0, 0.28, 0.96)" -- distance pair.json --direction 0,7,24

# One object each, with what the text has.
for words in "pair.json" "box:1,1,1 box:1,1,1@2,0,0" "box:1,1,1 box:1,1,1" "sphere:0.5@1,0,0 container:2" \
    "box:1,1,1 box:1,1,1@0,3,0 --direction 1,0,0"; do
    # shellcheck disable=SC2086
    "$program" distance $words --json >out.jsonl || complain "distance $words --json fails"
    answer=$("$reader" <out.jsonl) || complain "distance $words: $answer"
    same "lines of distance $words" "$(wc -l <out.jsonl)" 1
done
object=$("$program" distance box:1,1,1 box:1,1,1@2,0,0 --json)
same "verdict" "$(field verdict <<<"$object")" apart
same "plane gap" "$(field plane_gap <<<"$object")" 1
same "ratio" "$(field ratio <<<"$object")" 2
[[ "$object" == *'"gap":{"value":1,"normal":[1,0,0],'* ]] || complain "the gap is missing in: $object"
[[ "$object" == *'"optima":{"alphas":[[1,0,0]],"alphas_all":true,"weightings":[{"vertices_a":['* ]] ||
    complain "the optimal answers are missing in: $object"
[[ "$("$program" distance sphere:0.5@1,0,0 container:2 --json)" == *'"ray":null'* ]] || complain "a ray in a container"

# What cannot be used is refused in one sentence.
expect 2 "'distance' needs a pair file, or two shapes such as box:1,1,1 sphere:0.5@2,0,0" -- distance
expect 2 "but there is also 'c'" -- distance a b c
expect 2 "needs a second shape beside 'box:1,1,1'" -- distance box:1,1,1
expect 2 "there is no shape 'boxx'; did you mean 'box'?" -- distance boxx:1,1,1 sphere:1
expect 2 "'box:1,1' must be box:X,Y,Z" -- distance box:1,1 sphere:1
expect 2 "'box:1,1,1,1' must be box:X,Y,Z" -- distance box:1,1,1,1 sphere:1
expect 2 "'box' must be box:X,Y,Z" -- distance box sphere:1
expect 2 "'sphere:nan' must be sphere:RADIUS" -- distance sphere:nan sphere:1
expect 2 "'sphere:1x' must be sphere:RADIUS" -- distance sphere:1x sphere:1
expect 2 "'sphere:-1': sphere.radius is -1 m" -- distance sphere:-1 sphere:1
expect 2 "'prism:2.5,1,1': the number of sides must be whole" -- distance prism:2.5,1,1 sphere:1
expect 2 "'pyramid:2,1,1': polytope.sides is 2" -- distance pyramid:2,1,1 sphere:1
expect 2 "after @ there must be 3 numbers" -- distance sphere:1@1,2 sphere:1
expect 2 "after @ there must be 3 numbers" -- distance sphere:1@0,0,0,0,0,0,0 sphere:1
expect 2 "--direction needs 3 numbers that are not all zero" -- distance sphere:1 sphere:1@3,0,0 --direction 0,0,0
expect 2 "--direction needs 3 numbers" -- distance sphere:1 sphere:1@3,0,0 --direction 1,0
expect 2 "half_space" -- distance half-space:0,0,1,0 half-space:0,0,-1,0
expect 2 "missing.json: there is no such file" -- distance missing.json
echo '{"carom": 1, "a": {"shape": {"kind": "box", "size": [1, 1, -1]}}, "b": {"vertces": []}}' >wrong.json
expect 2 "wrong.json:1: a.shape.size[2]: needs a positive number (m), not -1" -- distance wrong.json
expect 2 'wrong.json:1: b.vertces: is not a key of a side of a pair; did you mean "vertices"?' -- distance wrong.json
expect 2 "1e+20" -- distance sphere:1 sphere:1@1e20,0,0
verdict "distances are measured and shown as documented"
