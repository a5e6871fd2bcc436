#!/usr/bin/env bash
# Steps that break or cannot be made name the joint or the bodies, and a remedy that works; so do methods that cannot do
# a scene.
#
#   tests/cli/steps.sh PROGRAM ROOT
set -uo pipefail
program=$(realpath "$1") data=$(realpath "$2")/tests/data/words
source "$(dirname "$0")/../support.sh"
cd "$work" || exit 1
run=(run --no-report --force -o run.carom)

# A dead point: not a matter of tolerances. Both remedies lead across.
dead="the mechanism is at a dead point at t = 0.357728 s: the loop that joint 'C' closes is stretched or folded, and the forces that hold it have no bound; make one of its lengths 1 % longer, or take the method lcp"
expect 1 "ended      early: $dead" -- "${run[@]}" "$data/dead-point.json"
expect 0 "verdict    green" -- "${run[@]}" "$data/dead-point.json" --set method.name=lcp
expect 0 "verdict    green" -- "${run[@]}" "$data/past-dead-point.json"

# What is so fast or so far away that contacts end: the body, where and how fast, whatever the method.
flew="body 'ball' flew off: it is 2 m away, at 1e+13 m/s and 0 rad/s, too far or too fast to look for contacts (1e9 m); make method.step smaller, or give it less speed or force"
for method in lcp penalty exact; do expect 1 "$flew" -- "${run[@]}" "$data/flies-off.json" --set method.name=$method; done
expect 0 "verdict    green" -- "${run[@]}" "$data/flies-off.json" --set 'bodies[1].velocity=[1,0,0]'

# Velocities beyond all sums and squares are refused when they are read.
for speed in 1e308 1e154 1e101; do
    expect 2 "body 'ball': a velocity of ($(printf %g $speed), 0, 0) m/s and a spin of (0, 0, 0) rad/s give it more than 1e+200 J, too much to compute with; make them smaller" -- check "$data/flies-off.json" --set "bodies[1].velocity=[$speed,0,0]"
done
expect 2 "a spin of (0, 0, 1e+200) rad/s" -- "${run[@]}" "$data/flies-off.json" --set "bodies[1].spin=[0,0,1e200]"

# What cannot be undone: the body, and where to look. With the walls apart there is nothing to undo.
expect 1 "body 'wedge' and what it touches or is joined to: " -- "${run[@]}" "$data/squeezed.json"
expect 1 "look for what is squeezed" -- "${run[@]}" "$data/squeezed.json"
expect 0 "verdict    green" -- "${run[@]}" "$data/squeezed.json" --set 'bodies[1].position=[1.1,0,0]' --set 'bodies[0].position=[-1.1,0,0]'

# A joint that opens is named, and so is what it holds when the other side is the world.
cat >spun.json <<'JSON'
{"carom": 1, "until": 1, "gravity": [0, 0, 0], "method": {"name": "multiplier", "integrator": "rk4", "stabilisation": "baumgarte", "baumgarte_alpha": 0, "baumgarte_beta": 0, "step": 0.01},
 "bodies": [{"name": "rod", "mass": 1, "inertia": [0.01, 0.1, 0.1], "position": [0.5, 0, 0], "velocity": [0, 0, 50], "spin": [0, -100, 0]}],
 "joints": [{"name": "pin", "kind": "hinge", "a": "world", "b": "rod", "point": [0, 0, 0], "axis": [0, 1, 0]}]}
JSON
expect 1 "joint 'pin' is open by" -- "${run[@]}" spun.json
expect 1 "the contract is 5e-02: make method.step smaller" -- "${run[@]}" spun.json
expect 1 "of the smaller body's size (body 'rod')" -- "${run[@]}" spun.json
expect 0 "contract   kept in every step" -- "${run[@]}" spun.json --set method.step=1e-3

# A distance joint is no loop, and methods without joints need not list what joints they lack.
cat >string.json <<'JSON'
{"carom": 1, "until": 0.1, "bodies": [{"name": "bob", "kind": "point", "mass": 1, "position": [1, 0, 0]}],
 "joints": [{"name": "string", "kind": "distance", "a": "world", "b": "bob"}]}
JSON
for method in reduced variational dcr; do
    expect 2 "the method $method has no distance joints (joint 'string'); methods that have all this model needs: multiplier, lcp, impulse" -- check string.json --set method.name=$method
done
expect 2 "the method penalty has no joints; methods that have all this model needs: multiplier, lcp, impulse" -- check string.json --set method.name=penalty
expect 2 "the method reduced has no joints that close loops (joint 'C')" -- check "$data/dead-point.json" --set method.name=reduced
for method in multiplier lcp impulse; do expect 0 "verdict    green" -- "${run[@]}" string.json --set method.name=$method; done

verdict "steps that fail say who, what and what to do"
