#!/usr/bin/env bash
# compare: methods on a scene, and two recordings.
#
#   tests/cli/compare.sh PROGRAM ROOT
set -uo pipefail
program=$(realpath "$1") root=$(realpath "$2")
source "$(dirname "$0")/support.sh"
cd "$work" || exit 1
scene=$root/scenes/two-charges.json block=$root/scenes/tumbling-block.json loop=$root/scenes/four-bar.json
record() { # FILE OPTIONS...
    local file=$1
    shift
    "$program" run "$scene" --until 0.1 --quiet -o "$file" "$@"
}
record a.carom
record same.carom --every 20 # every 20 steps is what the scene's 500 a second come to
record sparse.carom --every 50
record fine.carom --set method.step=5e-5
record nudged.carom --set 'bodies[1].velocity[0]=1e-9'
record late.carom --set 'forces[1].charge=-1.000001e-6'
record renamed.carom --set 'bodies[1].name=minus' --set 'forces[1].body=minus'
record lonely.carom --set 'forces=[]' --set 'bodies=[{"kind": "point"}]'
"$program" run "$scene" --until 0.05 --quiet -o short.carom
head -c 9000 a.carom >cut.carom

# ---- recordings
expect 0 "identical to the bit" -- compare a.carom a.carom
expect 0 "identical to the bit" -- compare a.carom same.carom
expect 0 "certificates  1000 steps compared" -- compare a.carom same.carom
expect 0 "the same wherever they can be compared" -- compare a.carom sparse.carom
expect 0 "11 at the same times, 40 only in a, 10 only in b" -- compare a.carom sparse.carom

# A changed scene: the line, the first step, frame, body and quantity.
expect 1 "scenes        differ, first in line 5:" -- compare a.carom fine.carom
expect 1 '"step": 5e-05, "form"' -- compare a.carom fine.carom
expect 1 "not compared: the runs have steps of different lengths" -- compare a.carom fine.carom
expect 1 "first frame   0 of a, step 0 (t = 0 s): velocity of body 'negative' by 1e-09 m/s" -- compare a.carom nudged.carom
expect 1 "first step    1: " -- compare a.carom nudged.carom
expect 1 "differing" -- compare a.carom nudged.carom
# Another charge does not move anything at the start; both bodies feel it, and the first of them is named.
expect 1 "first frame   1 of a, step 20 (t = 0.002 s): position of body 'positive' by" -- compare a.carom late.carom
expect 1 "the same as far as both go, but one ends earlier" -- compare a.carom short.carom
expect 1 "26 at the same times, 25 only in a, 0 only in b" -- compare a.carom short.carom
expect 1 "bodies        body 1 is 'negative' in the first run, 'minus' in the second" -- compare a.carom renamed.carom
expect 1 "bodies        2 in the first run, 1 in the second" -- compare a.carom lonely.carom

# The tolerance separates the same from the differing exactly at the largest difference.
largest() { # of a quantity, between a.carom and FILE
    "$program" compare a.carom "$2" --json | sed -E 's/.*"largest":\{([^}]*)\}.*/\1/;s/.*"'"$1"'":([^,]*).*/\1/'
}
velocity=$(largest velocity fine.carom)
expect 0 "the same within the tolerance" -- compare a.carom fine.carom --tolerance "$velocity"
expect 1 "velocity of body" -- compare a.carom fine.carom --tolerance "$(awk -v v="$velocity" 'BEGIN {printf "%.17g", v * (1 - 1e-12)}')"
record finer.carom --set method.step=2.5e-5
# x_h - x_{h/4} over x_h - x_{h/2} is (1 - 1/16) / (1 - 1/4) = 5/4 at order 2.
ratio=$(awk -v a="$(largest position finer.carom)" -v b="$(largest position fine.carom)" 'BEGIN {print (a / b > 1.24 && a / b < 1.26) ? "5/4" : a / b}')
same "ratio of differences at order 2" "$ratio" "5/4"

# Steps of 0.3 ms meet frames of a.carom, 2 ms apart, every 6 ms; others miss them by 0.1 ms and are not compared.
record odd.carom --set method.step=3e-4
expect 1 "17 at the same times, 34 only in a, " -- compare a.carom odd.carom

expect 2 "cut.carom" -- compare a.carom cut.carom
expect 2 "cut.carom" -- compare cut.carom a.carom
expect 2 "missing: No such file" -- compare a.carom missing
expect 2 "is not a carom recording" -- compare a.carom "$scene"
"$program" run "$scene" --until 0.0005 --quiet -o short.carom --force
expect 2 "have no frames at the same times beyond the first; record both with --every" -- compare odd.carom short.carom

# ---- methods
expect 1 "  joint drift  " -- compare "$root/scenes/five-link-chain.json" --until 0.1 --methods variational,reduced
answer=$("$program" compare "$scene" --until 0.1 --methods variational,euler)
[[ "$answer" == *residual* && "$answer" != *"joint drift"* ]] || complain "a scene without joints has a joint drift:" "$answer"
expect 1 "euler against variational: the largest differences in each tenth of the time" -- compare "$scene" --until 0.1 --methods variational,euler
expect 0 "variational against variational: no difference at all" -- compare "$scene" --until 0.1 --methods variational,variational
expect 0 "no difference at all" -- compare "$scene" --until 0.1 --methods variational,variational:step=1e-4
expect 0 "agrees within the tolerance of 10" -- compare "$scene" --until 0.1 --methods variational,euler --tolerance 10
expect 1 "differs by more than the tolerance of 1e-09" -- compare "$scene" --until 0.1 --methods variational,euler --tolerance 1e-9
answer=$("$program" compare "$root/scenes/two-in-a-sphere.json" --until 0.1 --methods lcp,euler)
[[ "$answer" =~ contacts\ +[1-9]\ at\ most\ +knows\ none ]] || complain "compare does not count contacts:" "$answer"
# What projections and impacts have added, of methods that tell it, is what a run says; the rows are not there of others.
cube=$root/scenes/hexagonal-prisms-settle.json
"$program" run "$cube" --until 0.5 --quiet --no-report -o cube.carom
projected=$("$program" info cube.carom --json | field projection_energy_sum)
added=$("$program" info cube.carom --json | field impact_energy_sum)
answer=$("$program" compare "$cube" --until 0.5 --methods lcp,dcr)
same "row of projections" "$(grep "^  projection energy " <<<"$answer" | tr -s ' ')" "$(printf " projection energy - %.1e J" "$projected")"
same "row of impacts" "$(grep "^  impact energy " <<<"$answer" | tr -s ' ')" "$(printf " impact energy - %.1e J" "$added")"
same "projections of dcr" "$("$program" compare "$cube" --until 0.5 --methods lcp,dcr --json | tail -1 | field projection_energy)" "$projected"
same "impacts of dcr" "$("$program" compare "$cube" --until 0.5 --methods lcp,dcr --json | tail -1 | field impact_energy)" "$added"
"$program" compare "$cube" --until 0.5 --methods lcp,dcr --report page.html >/dev/null
grep -q "{\"name\":\"impact energy\",\"text\":\"$(printf "%.1e J" "$added")\"}" page.html || complain "the page of a comparison has no impacts"
answer=$("$program" compare "$cube" --until 0.5 --methods lcp,impulse)
[[ "$answer" == *contacts* && "$answer" != *projection* && "$answer" != *impact* ]] || complain "methods that tell nothing of projections have them:" "$answer"
expect 0 "identical to the bit" -- compare cube.carom cube.carom
expect 1 "BROKEN in 100" -- compare "$block" --until 0.1 --methods euler,euler:velocity
# What it says of a run is what a run says of itself, and differences are those of recordings.
hash=$("$program" hash a.carom)
expect 1 "$hash" -- compare "$scene" --until 0.1 --methods euler,variational
answer=$("$program" compare "$scene" --until 0.1 --methods variational,variational:5e-5 --json | tail -1)
same "time of the last period" "$(sed -E 's/.*"until":([^,]*).*/\1/' <<<"$answer")" 0.10000000000000001
near_recordings=$(awk -v a="$(sed -E 's/.*"largest":\{([^}]*)\}.*/\1/;s/.*"position":([^,]*).*/\1/' <<<"$answer")" \
    -v b="$(largest position fine.carom)" 'BEGIN {print (a >= b && a < 1.2 * b) ? "near" : a " and " b}')
same "largest differences of methods and of recordings" "$near_recordings" near
expect 2 "fewer than two methods take the scene: the method euler has no joints" -- compare "$loop" --methods multiplier,euler
expect 0 "multiplier:0.0025 against multiplier" -- compare "$loop" --until 0.1 --methods multiplier,euler,multiplier:0.0025
echo '{"carom": 1, "until": 100, "method": {"step": 0.1},
 "bodies": [{"name": "weight", "kind": "point", "position": [1, 0, 0]}],
 "forces": [{"kind": "spring", "a": "world", "b": "weight", "stiffness": 1e3}]}' >spring.json
expect 1 "euler stopped at t = " -- compare spring.json --methods variational,euler
expect 1 "euler stopped at t = " -- compare spring.json --methods euler,variational

# ---- steps that do not divide each other
# Three methods with collisions, each with a step of its own: they meet every 0.03 s. The cradle's cubes are where they
# should be, those of the potential 11 mm behind for the time that they take to bounce.
cradle=$root/scenes/cradle-1.json steps=exact:0.01,dcr:0.015,potential:0.005
expect 1 "to t = 6 s, 5 bodies, compared at 100 common times" -- compare "$cradle" --methods "$steps"
answer=$("$program" compare "$cradle" --methods "$steps" --json)
same "common steps" "$(field common_step <<<"$answer" | sort -u)" 0.029999999999999999
same "steps" "$(field steps <<<"$answer" | tr '\n' ' ')" "600 400 1200 "
same "interpolated" "$(field interpolated <<<"$answer" | sort -u)" false
apart() { sed -n "$1p" <<<"$answer" | sed -E 's/.*"largest":\{([^}]*)\}.*/\1/;s/.*"position":([^,]*).*/\1/'; }
awk -v dcr="$(apart 2)" -v potential="$(apart 3)" 'BEGIN { exit !(dcr < 1e-11 && potential > 0.01 && potential < 0.012) }' ||
    complain "the cradles are $(apart 2) and $(apart 3) m apart"
expect 1 "to t = 4.98 s, 5 bodies, compared at 83 common times" -- compare "$root/scenes/cradle-2.json" --methods "$steps"
expect 1 "to t = 1.905 s, 2 bodies, compared at 50 common times" -- compare "$root/scenes/metronome.json" --until 1.9 --methods exact:0.015,dcr:0.015,potential:1e-4
"$program" compare "$cradle" --methods "$steps" --report steps.html >/dev/null
grep -q '{"name":"common times","text":"100 to 6 s"}' steps.html || complain "the page does not say when methods are compared"
# The last common time does not lie beyond the end; fewer than ten are too few, and the shorter steps are interpolated.
expect 0 "to t = 0.99 s" -- compare "$cradle" --until 1 --methods "$steps"
expect 0 "dcr:0.015 against exact:0.01" -- compare "$cradle" --until 0.2 --methods "$steps"
expect 0 "exact:0.01 is interpolated between its steps, by cubics of pose and velocity" -- compare "$cradle" --until 0.2 --methods "$steps"
# Interpolation adds no error of its own: the square of 2 ms less that of 1.23457 ms and of 1.25 ms are as 1.0157 to 1.
chain=$root/scenes/five-link-chain.json
for method in variational:1.0157 reduced:rk4:1.0123; do
    name=${method%:*} share=${method##*:}
    met=$("$program" compare "$chain" --until 0.5 --methods "$name:0.002,$name:0.00125" --json | tail -1)
    passed=$("$program" compare "$chain" --until 0.5 --methods "$name:0.002,$name:0.00123457" --json | tail -1)
    same "interpolated $name" "$(field interpolated <<<"$passed")" true
    for quantity in position attitude velocity spin energy; do
        a=$(sed -E 's/.*"largest":\{([^}]*)\}.*/\1/;s/.*"'$quantity'":([^,]*).*/\1/' <<<"$met")
        b=$(sed -E 's/.*"largest":\{([^}]*)\}.*/\1/;s/.*"'$quantity'":([^,]*).*/\1/' <<<"$passed")
        awk -v a="$a" -v b="$b" -v share="$share" 'BEGIN { exit !(b > 0.97 * share * a && b < 1.03 * share * a) }' ||
            complain "$name: $quantity differs by $b between steps and $a at steps"
    done
done

# ---- hostile options
expect 2 "'compare' needs two recordings, or a scene and --methods" -- compare a.carom
expect 2 "'compare' needs two recordings, or a scene and --methods" -- compare
expect 2 "'compare' needs two recordings, or a scene and --methods" -- compare a.carom a.carom a.carom
expect 2 "nothing more, but there is also 'a.carom'" -- compare "$scene" a.carom --methods euler,variational
expect 2 "--set and --until are for a scene with --methods" -- compare a.carom a.carom --until 1
expect 2 "--methods needs two methods or more with commas between them, not 'euler'" -- compare "$scene" --methods euler
expect 2 "--tolerance needs a number, not 'small'" -- compare a.carom a.carom --tolerance small
expect 2 "--tolerance needs a number, not 'nan'" -- compare a.carom a.carom --tolerance nan
expect 2 "--tolerance is -1, must not be negative" -- compare a.carom a.carom --tolerance=-1
expect 2 "it would take 2e+18 steps" -- compare "$scene" --methods euler,euler:1e-18
expect 0 "" -- compare a.carom a.carom -o report.txt
grep -q "identical to the bit" report.txt || complain "-o report.txt wrote no report"
expect 2 "report.txt exists already; --force replaces it" -- compare a.carom a.carom -o report.txt
verdict "compare tells the same from the differing"
