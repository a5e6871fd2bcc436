#!/usr/bin/env bash
# What `check` says about a scene before it is run, `run` says, too: warnings before its first step and once, and what
# cannot begin is refused by both.
#
#   tests/cli/start.sh PROGRAM ROOT
set -uo pipefail
program=$(realpath "$1")
source "$(dirname "$0")/../support.sh"
cd "$work" || exit 1

cat >doubtful.json <<'JSON'
{"carom": 1, "until": 0.01,
 "shapes": {"ball": {"kind": "sphere", "radius": 0.1}, "spare": {"kind": "sphere", "radius": 0.2}},
 "bodies": [{"name": "b", "shape": "ball"}]}
JSON
"$program" check doubtful.json >checked
grep warning: checked >wanted
[ "$(wc -l <wanted)" = 2 ] || complain "check of doubtful.json:" "$(cat checked)"
grep -qxF 'doubtful.json:2: shapes.spare: warning: no body has this shape' wanted || complain "check:" "$(cat wanted)"
grep -qxF 'doubtful.json:3: bodies[0]: warning: has no "mass"; 1 kg is taken' wanted || complain "check:" "$(cat wanted)"

# On the terminal: the same lines, before the summary; not when the run goes on, nor with --quiet.
"$program" run doubtful.json --no-report >out 2>said || complain "run doubtful.json: exit $?"
same "warnings of check and run" "$(cat wanted)" "$(grep warning: said)"
same "warnings in the summary" "" "$(grep warning: out)"
same "warnings of a run that goes on" "" "$("$program" run doubtful.json --no-report --resume 2>&1 | grep warning:)"
same "warnings with --quiet" "" "$("$program" run doubtful.json --no-report --force --quiet 2>&1)"

# As objects: those of `check --json`, in a list of the one object.
object=$("$program" run doubtful.json --no-report --force --json 2>said)
same "warnings beside the object" "" "$(cat said)"
list=$("$program" check doubtful.json --json | grep '"severity":"warning"' | paste -sd,)
[[ "$object" == *"\"warnings\":[$list]"* ]] || complain "run --json lacks the warnings [$list]:" "$object"

# ---- what cannot begin

cat >impossible.json <<'JSON'
{"carom": 1, "until": 1, "shapes": {"b": {"kind": "box", "size": [1, 0.1, 0.1]}},
 "bodies": [{"name": "x", "shape": "b", "density": 1000, "position": [0, 0, 0]}],
 "joints": [{"name": "l", "kind": "ball", "a": "world", "b": "x", "point_a": [-0.5, 0, 0], "point_b": [-0.5, 0, 0]},
            {"name": "r", "kind": "ball", "a": "world", "b": "x", "point_a": [0.8, 0, 0], "point_b": [0.5, 0, 0]}]}
JSON
apart="a run cannot begin: joint 'r' is 0.3 m apart, more than the 0.0013 m that are closed without asking; move its bodies or its points"
expect 2 "impossible.json:4: joints[1]: error: $apart" -- check impossible.json
expect 2 "impossible.json: 1 error, 0 warnings" -- check impossible.json
expect 2 "impossible.json:4: joints[1]: $apart" -- run impossible.json
[ -e impossible.carom ] && complain "a run that cannot begin has left a recording"
# The remedy: the point of the body moved to where the other one is.
expect 0 "good" -- check impossible.json --set 'joints[1].point_a=[0.5,0,0]'
expect 0 "verdict    green" -- run impossible.json --set 'joints[1].point_a=[0.5,0,0]' --no-report

cat >limit.json <<'JSON'
{"carom": 1, "until": 1, "gravity": [0, 0, 0],
 "bodies": [{"name": "a", "mass": 1, "inertia": [0.01, 0.01, 0.01], "position": [1, 0, 0]}],
 "joints": [{"kind": "hinge", "a": "world", "b": "a", "point": [0, 0, 0], "axis": [0, 1, 0],
             "coordinates": [{"lower": 1, "upper": 2}]}]}
JSON
outside="joints[0]: a run cannot begin: joint 'joint-0': coordinate 0 is below its lower limit by 1 rad, at 0 rad instead of 1 rad; start the bodies within the limits, or move the limit"
for method in lcp impulse multiplier reduced; do
    expect 2 "limit.json:3: $outside" -- run limit.json --set method.name=$method --force
    expect 2 "1 error" -- check limit.json --set method.name=$method
    expect 0 "verdict    green" -- run limit.json --set method.name=$method --set 'joints[0].coordinates[0].lower=0' --no-report --force
done

verdict "the program says before a run what is doubtful, and refuses what cannot begin"
