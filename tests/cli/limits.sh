#!/usr/bin/env bash
# Small files that ask for much: each is refused by 'check' with the number that is too large, or is good, within 2 s of
# processor time and 500 MB. Limits are the program's: an option raises them, a scene does not.
#
#   tests/cli/limits.sh PROGRAM ROOT
set -uo pipefail
program=$(realpath "$1")
source "$(dirname "$0")/support.sh"
cd "$work" || exit 1
# The sanitizers need address space of their own, and ten times as long.
case $program in
*sanitize*) bound() { ulimit -t 60; } ;;
*) bound() { ulimit -t 2 -v 524288; } ;;
esac
count=0

# tried JSON: what 'check' says and its exit code, in $said and $code; the rest of a scene is added in front.
tried() {
    count=$((count + 1))
    printf '%s\n' "{\"carom\": 1, $1}" >bomb.json
    said=$(bound && "$program" check bomb.json 2>&1)
    code=$?
}
# refused WHAT JSON: with a sentence that matches WHAT, which has the number.
refused() {
    tried "$2"
    [ $code -eq 2 ] || complain "exit $code, not 2: $2: ${said:0:300}"
    grep -qE -- "$1" <<<"$said" || complain "no '$1': $2: ${said:0:300}"
    grep -qE -- "(error|:) .*[0-9]" <<<"$said" || complain "no number: ${said:0:300}"
}
good() {
    tried "$1"
    [ $code -eq 0 ] || complain "exit $code, not 0: $1: ${said:0:300}"
}

# list N TEXT: N times TEXT with its number for %d, commas between
list() { awk -v n="$1" -v text="$2" 'BEGIN { for (i = 0; i < n; i++) printf "%s" text, i ? "," : "", i }'; }
lattice() { echo "\"repeat\": {\"lattice\": {\"count\": [$1], \"spacing\": [$2]}}"; }
random() { echo "\"repeat\": {\"random\": {\"count\": $1, \"box\": [[0, 0, 0], [$2]]}}"; }
ball='"shapes": {"b": {"kind": "sphere", "radius": 0.1}}'
one='"name": "b", "shape": "b", "mass": 1'
points() { awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) { z = 1 - 2 * (i + 0.5) / n; t = i * 2.399963; r = sqrt(1 - z * z);
    printf "%s[%.9g,%.9g,%.9g]", i ? "," : "", r * cos(t), r * sin(t), z } }'; }
prisms() { echo "\"shapes\": {\"p\": {\"kind\": \"prism\", \"sides\": $1, \"radius\": 1, \"height\": 1}}, \"bodies\": [{\"name\": \"a\", \"shape\": \"p\", \"density\": 1000, $(lattice "1, 1, $2" "0, 0, $3")}]"; }
spheres() { list "$1" '{"shape": {"kind": "sphere", "radius": 0.1}, "position": [0, 0, 0.%02d]}'; }

# ---- bodies
refused '1000000 bodies, and the limit is 100000' "$ball, \"bodies\": [{$one, $(lattice '1000, 1000, 1' '1, 1, 1')}]"
refused '1200000 bodies, and the limit is 100000' "$ball, \"bodies\": [{$one, $(random 1200000 '1e4, 1e4, 1e4')}]"
refused '100001 bodies' "\"bodies\": [{\"name\": \"b\", \"mass\": 1, $(lattice '100001, 1, 1' '1, 1, 1')}]"
refused '1000000 bodies' "\"bodies\": [{\"name\": \"$(printf 'n%.0s' {1..100})\", \"mass\": 1, $(lattice '1000, 1000, 1' '1, 1, 1')}]"
refused '1e\+18 bodies|bodies' "$ball, \"bodies\": [{$one, $(lattice '1000000, 1000000, 1000000' '1, 1, 1')}]"
refused '150000 bodies' "$ball, \"bodies\": [{$one, $(lattice '50000, 1, 1' '1, 1, 1')}, {\"name\": \"c\", \"shape\": \"b\", \"mass\": 1, $(lattice '50000, 1, 1' '1, 1, 1')}, {\"name\": \"d\", \"mass\": 1, $(lattice '50000, 1, 1' '1, 1, 1')}]"
refused '.' "\"bodies\": [{\"name\": \"$(printf 'n%.0s' {1..5000})\", \"mass\": 1, $(lattice '20000, 1, 1' '1, 1, 1')}]"
good "$ball, \"bodies\": [{$one, $(lattice '20, 20, 20' '1, 1, 1')}]"
good "\"bodies\": [{\"name\": \"b\", \"mass\": 1, $(lattice '30000, 1, 1' '1, 1, 1')}]"
# ---- bodies in one spot
good "$ball, \"bodies\": [{$one, $(random 1000 '0, 0, 0')}]"
good "$ball, \"bodies\": [{$one, $(random 3000 '0, 0, 0')}]"
refused '4498500 pairs of bodies overlap at the start, and the limit of contacts is 200000' "\"start_overlaps\": \"keep\", $ball, \"bodies\": [{$one, $(random 3000 '0.01, 0.01, 0.01')}]"
refused 'limit' "\"shapes\": {\"b\": {\"kind\": \"box\", \"size\": [1, 1, 1]}}, \"start_overlaps\": \"keep\", \"bodies\": [{$one, $(random 5000 '0.3, 0.3, 0.3')}]"
refused 'limit' "\"shapes\": {\"b\": {\"kind\": \"ellipsoid\", \"half_axes\": [1, 2, 3]}}, \"start_overlaps\": \"keep\", \"bodies\": [{$one, $(random 2000 '0.3, 0.3, 0.3')}]"
refused 'limit' "\"shapes\": {\"b\": {\"kind\": \"capsule\", \"radius\": 1, \"length\": 100}}, \"start_overlaps\": \"keep\", \"bodies\": [{$one, $(lattice '100000, 1, 1' '0.001, 0, 0')}]"
# ---- edges and parts
refused 'finding contacts would take about [0-9]+ s a step, and the limit is 2' "$(prisms 1000 10 0.99)"
refused 'finding contacts would take about' "$(prisms 500 10 0.99)"
refused 'finding contacts would take about' "$(prisms 200 100 0.99)"
refused 'finding contacts would take about' "$(prisms 30 20000 0.001)"
good "$(prisms 30 10 0.999)"
good "$(prisms 1000 1 1)"
refused '20000 vertices of one shape, and the limit is 5000' "\"shapes\": {\"p\": {\"kind\": \"polytope\", \"vertices\": [$(points 20000)]}}, \"bodies\": [{\"name\": \"a\", \"shape\": \"p\", \"density\": 1000}]"
refused 'finding contacts would take about' "\"shapes\": {\"p\": {\"kind\": \"polytope\", \"vertices\": [$(points 3000)]}}, \"bodies\": [{\"name\": \"a\", \"shape\": \"p\", \"density\": 1000}, {\"name\": \"b\", \"shape\": \"p\", \"density\": 1000, \"position\": [1.99, 0, 0]}]"
refused 's for its shapes up to here, and the limit is 2' "\"shapes\": {$(list 100 '"p%d": {"kind": "prism", "sides": 1000, "radius": 1, "height": 1}')}"
refused 'finding contacts would take about' "\"shapes\": {\"p\": {\"kind\": \"compound\", \"parts\": [$(spheres 1000)]}}, \"bodies\": [{\"name\": \"a\", \"shape\": \"p\", \"density\": 1000}, {\"name\": \"b\", \"shape\": \"p\", \"density\": 1000, \"position\": [0.2, 0, 0]}]"
refused 'parts of one compound, and the limit is 5000' "\"shapes\": {\"p\": {\"kind\": \"compound\", \"parts\": [$(spheres 5001)]}}"
refused 'bytes of memory, and the limit is' "\"shapes\": {\"p\": {\"kind\": \"compound\", \"parts\": [$(spheres 300)]}}, \"bodies\": [{\"name\": \"a\", \"shape\": \"p\", \"density\": 1000, $(lattice '100, 100, 1' '3, 3, 3')}]"
refused 'more than 1000000 pairs of parts can touch, and that is the limit.*--limit pairs=N' "\"start_overlaps\": \"keep\", \"shapes\": {\"p\": {\"kind\": \"compound\", \"parts\": [$(spheres 30)]}}, \"bodies\": [{\"name\": \"a\", \"shape\": \"p\", \"density\": 1000, $(lattice '500, 1, 1' '0.001, 0, 0')}]"
good "\"shapes\": {\"p\": {\"kind\": \"compound\", \"parts\": [$(spheres 200)]}}, \"bodies\": [{\"name\": \"a\", \"shape\": \"p\", \"density\": 1000}, {\"name\": \"b\", \"shape\": \"p\", \"density\": 1000, \"position\": [0.2, 0, 0]}]"
refused 'limit' '"shapes": {"floor": {"kind": "half_space", "normal": [0, 0, 1]}, "grain": {"kind": "polytope", "vertices": [[0.055, 0, 0], [-0.055, 0, 0], [0, 0.055, -1], [0, -0.055, 0], [0, 0, 0.05], [0, 0, -0.05]]}}, "bodies": [{"name": "floor", "kind": "fixed", "shape": "floor"}, {"name": "grain", "shape": "grain", "density": 2000, "position": [-0.15, -0.15, 0.06], "repeat": {"lattice": {"count": [4, 4, 10], "spacing": [0.1, 0.1, 0.1]}}}]'
# ---- joints
refused '199998 joints, and the limit is 100000' "\"bodies\": [{\"name\": \"b\", \"mass\": 1, \"inertia\": [1, 1, 1], $(lattice '100000, 1, 1' '1, 0, 0')}], \"joints\": [{\"kind\": \"ball\", \"chain\": \"b-*\"}, {\"kind\": \"distance\", \"chain\": \"b-*\"}]"
good "\"bodies\": [{\"name\": \"b\", \"mass\": 1, \"inertia\": [1, 1, 1], $(lattice '500, 1, 1' '1, 0, 0')}], \"joints\": [{\"kind\": \"ball\", \"chain\": \"b-*\", \"point_a\": [0.5, 0, 0]}]"
# ---- forces
refused '7998000 pairs of charges .a magnet has two., and the limit is 1000000' "\"bodies\": [{\"name\": \"b\", \"kind\": \"point\", \"mass\": 1, $(lattice '4000, 1, 1' '1, 1, 1')}], \"forces\": [{\"kind\": \"charge\", \"body\": \"b-*\", \"charge\": 1}]"
refused 'pairs of charges' "\"bodies\": [{\"name\": \"b\", \"mass\": 1, \"inertia\": [1, 1, 1], $(lattice '2000, 1, 1' '1, 1, 1')}], \"forces\": [{\"kind\": \"magnet\", \"body\": \"b-*\", \"axis\": [0, 0, 1], \"length\": 0.1, \"strength\": 1}]"
refused '300000 forces, and the limit is 200000' "\"bodies\": [{\"name\": \"b\", \"mass\": 1, $(lattice '100000, 1, 1' '1, 1, 1')}], \"forces\": [$(list 3 '{"kind": "drag", "body": "b-*", "linear": 0.%d1}')]"
good "\"bodies\": [{\"name\": \"b\", \"kind\": \"point\", \"mass\": 1, $(lattice '500, 1, 1' '1, 1, 1')}], \"forces\": [{\"kind\": \"charge\", \"body\": \"b-*\", \"charge\": 1e-9}]"
# ---- mobilities
refused 'has 0 numbers|has 0 numbers; a matrix|not an ordinary file|no path from' "\"mobility\": {\"kind\": \"matrix\", \"file\": \"/dev/null\"}, $ball, \"bodies\": [{$one, $(lattice '5000, 1, 1' '1, 1, 1')}]"
: >empty
refused 'has 0 numbers; a matrix with 6 rows for each body that moves has 900000000' "\"mobility\": {\"kind\": \"matrix\", \"file\": \"empty\"}, $ball, \"bodies\": [{$one, $(lattice '5000, 1, 1' '1, 1, 1')}]"
refused 'matrices that couple all bodies, and the limit is' "\"mobility\": {\"kind\": \"stokes\"}, $ball, \"bodies\": [{$one, $(lattice '10, 10, 10' '0.19, 0.19, 0.19')}]"
refused 'matrices that couple all bodies, and the limit is' "\"mobility\": {\"kind\": \"stokes\"}, $ball, \"bodies\": [{$one, $(lattice '100000, 1, 1' '1, 0, 0')}]"
good "\"mobility\": {\"kind\": \"stokes\"}, $ball, \"bodies\": [{$one, $(lattice '10, 1, 1' '1, 0, 0')}]"
# ---- steps
refused '1e\+12|1000000000000 steps, and the limit is 1000000000' '"until": 1e9, "method": {"step": 1e-3}'
refused 'steps, and the limit is' '"until": 10, "method": {"step": 1e-300}'
refused 'steps, and the limit is' '"until": 1e300'
good '"until": 1e6, "frame_rate": 1e9'
good '"until": 10, "frame_rate": 1e-300'
# ---- text
good "\"name\": \"$(printf 'n%.0s' {1..100000})\""
good "\"description\": \"$(printf '\\u00e9%.0s' {1..10000})\", \"bodies\": [$(list 300 '{"name": "b%d", "mass": 1}')]"
refused '.' "$(list 10000 '"k%d": 1')"
refused '.' "\"bodies\": $(printf '[%.0s' {1..100000})"
refused '.' "\"bodies\": [$(list 2000 '{"name": "same", "mass": %d}')]"
good "\"materials\": {$(list 1000 '"m%d": {"friction": 0.5}')}"
good "$ball, \"record_contacts\": true, \"frame_rate\": 1e6, \"bodies\": [{$one, $(lattice '10, 10, 10' '0.21, 0.21, 0.21')}]"
[ "$count" -ge 50 ] || complain "only $count scenes were tried"

# ---- a run refuses what a check does, and options raise limits; a scene has no word for it
printf '%s\n' "{\"carom\": 1, \"until\": 0.004, $(prisms 1000 10 0.99)}" >prisms.json
expect 2 "finding contacts would take about" -- run prisms.json --no-report
expect 2 "--limit: limits: there is none called \"bodys\"; there are memory, bodies" -- check prisms.json --limit bodys=3
expect 2 "\"memory=-8G\" needs a positive number, such as memory=8G, or none" -- check prisms.json --limit memory=-8G
printf '%s\n' "{\"carom\": 1, \"until\": 0.004, $ball, \"bodies\": [{$one, $(lattice '200, 1, 1' '1, 1, 1')}]}" >row.json
expect 2 "bodies: asks for 200 bodies, and the limit is 100; use less, or allow it by --limit bodies=200" -- run row.json --limit bodies=100 --no-report
expect 0 "" -- run row.json --limit bodies=0.2k,memory=8G,steps=none --no-report --quiet
expect 2 "--set: limits: error: is not a key of a scene" -- check row.json --set limits=1
verdict "$count small scenes that ask for much are refused with a number, or good"
