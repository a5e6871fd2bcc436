#!/usr/bin/env bash
# --set that leads to nothing is an error with the nearest name, whatever the verb.
#
#   tests/cli/override.sh PROGRAM ROOT
set -uo pipefail
program=$(realpath "$1")
source "$(dirname "$0")/../support.sh"
cd "$work" || exit 1

cat >slide.json <<'JSON'
{"carom": 1, "until": 0.05, "materials": {"steel": {"friction": 0.3}},
 "shapes": {"block": {"kind": "box", "size": [1, 1, 1]}, "floor": {"kind": "half_space", "normal": [0, 0, 1]}},
 "bodies": [{"name": "ground", "kind": "fixed", "shape": "floor", "material": "steel"},
            {"name": "crate", "shape": "block", "density": 500, "position": [0, 0, 0.5], "material": "steel"}]}
JSON
for verb in "check slide.json" "run slide.json --force --no-report" "compare slide.json --methods lcp,dcr" "converge slide.json"; do
    read -ra words <<<"$verb"
    expect 2 '--set: materials.stel.friction: ' -- "${words[@]}" --set materials.stel.friction=0.1
    expect 2 'the scene has no material "stel"; did you mean "steel"?' -- "${words[@]}" --set materials.stel.friction=0.1
    expect 2 'bodies is an array; did you mean "crate", which is bodies[1]?' -- "${words[@]}" --set bodies.crat.mass=2
    expect 2 'the scene has 2 bodies, the last is bodies[1]; to add one, set all of it: bodies[2]={..}' -- "${words[@]}" --set 'bodies[2].mass=2'
    expect 2 'is not a key of a body; did you mean "velocity"?' -- "${words[@]}" --set 'bodies[1].velocty=[1,0,0]'
    expect 2 'is not a key of a method; did you mean "step"?' -- "${words[@]}" --set method.stepp=1e-3
    expect 2 'is not the name of a shape; did you mean "block"?' -- "${words[@]}" --set 'bodies[1].shape=blok'
done
expect 2 '--set: method.name: ' -- run slide.json --set method.name=lpc --force --no-report
expect 2 'not the string "lpc"; did you mean "lcp"?' -- run slide.json --set method.name=lpc --force --no-report
expect 2 '--set: method.dcr.budget: has no effect: the method is lcp; set method.name=dcr, too' -- run slide.json --set method.dcr.budget=1 --force --no-report
expect 0 'verdict    green' -- run slide.json --set method.dcr.budget=1 --set method.name=dcr --force --no-report
# What is there is changed, and what is whole is added.
expect 0 'verdict    green' -- run slide.json --set materials.steel.friction=0.1 --force --no-report
expect 0 'verdict    green' -- run slide.json --set 'materials.ice={"friction":0}' --set 'bodies[0].material=ice' --force --no-report

verdict "overrides that lead to nothing are refused with the nearest name"
