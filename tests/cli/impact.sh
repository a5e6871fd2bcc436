#!/usr/bin/env bash
# impact: a collision under every law, the machine form, and how bad input is refused.
#
#   tests/cli/impact.sh PROGRAM ROOT JSON_LINES
set -uo pipefail
program=$(realpath "$1") root=$(realpath "$2") reader=$(realpath "$3")
source "$(dirname "$0")/support.sh"
cd "$work" || exit 1

# A ball of 2 kg falls on the floor at 3 m/s: j = 2 (1 + 1/2) 3 = 9 N s, and it leaves at 1.5 m/s, under every law.
cat >ball.json <<'END'
{"carom": 1, "name": "ball", "a": {"fixed": true},
 "b": {"mass": 2, "inertia": [1, 1, 1], "position": [0, 0, 1], "velocity": [0, 0, -3]},
 "point": [0, 0, 0], "normal": [0, 0, 2], "friction": 0.5, "restitution": 0.5}
END
expect 0 "z                     9              9              9              9" -- impact ball.json
expect 0 "z                   1.5            1.5            1.5            1.5" -- impact ball.json
expect 0 "before: u (0, 0, -3) m/s, energy 9 J" -- impact ball.json
expect 0 '"normal_impulse":9' -- impact ball.json --json
"$program" impact ball.json --json | "$reader" >/dev/null || complain "impact --json is not one object a line"
expect 0 "newton gains energy" -- impact "$root/scenes/pair-collisions/lean-mu0.6-e1.json"

# Each change to the file, and what is said of it.
refused() { # sed expression, sentence
    sed "$1" ball.json >bad.json
    expect 2 "$2" -- impact bad.json
}
refused 's/"mass": 2/"mass": 0/' "b.mass: needs a positive number (kg), not 0"
refused 's/"mass": 2, //' "needs \"mass\""
refused 's/"inertia": \[1, 1, 1\]/"inertia": [1, 1, 3]/' "no body has one above the sum of the other two"
refused 's/"inertia": \[1, 1, 1\]/"inertia": [[1, 0.5, 0], [0, 1, 0], [0, 0, 1]]/' "needs a symmetric matrix"
refused 's/"inertia": \[1, 1, 1\]/"inertia": [1, 1, -1]/' "b.inertia"
refused 's/"normal": \[0, 0, 2\]/"normal": [0, 0, 0]/' "the normal is zero; give the direction from a to b"
refused 's/"normal": \[0, 0, 2\], //' "needs \"normal\""
refused 's/"point": \[0, 0, 0\], //' "needs \"point\""
refused 's/"friction": 0.5/"friction": -1/' "friction: "
refused 's/"restitution": 0.5/"restitution": 2/' "restitution: "
refused 's/"restitution": 0.5/"tangential": 2/' "tangential: is 2; give a number from -1"
refused 's/-3\]/NaN]/' "bad.json"
refused 's/"velocity"/"velocitty"/' "velocity"
refused 's/"fixed": true/"fixed": false/' "a: "
refused 's/"mass": 2/"fixed": true, "mass": 2/' "both bodies are fixed; let one of them move"
refused 's/^{"carom": 1, /{/' "carom"
refused 's/.*//' "bad.json"
expect 2 "nowhere.json" -- impact nowhere.json
expect 2 "impact" -- impact
expect 2 "impact" -- impact ball.json ball.json
expect 2 "--jsno" -- impact ball.json --jsno
verdict "collisions are shown under every law as documented"
