#!/usr/bin/env bash
# Mistakes that people make in their first scenes: each answer says the file, the line, the path, what is wrong and what
# is right, with the nearest word where there is one.
#
#   tests/cli/mistakes.sh PROGRAM ROOT
set -uo pipefail
program=$(realpath "$1")
source "$(dirname "$0")/../support.sh"
cd "$work" || exit 1

# mistake TEXT SENTENCE...: a scene with this text is refused by check and run, with these lines and no others
mistake() {
    printf '%s' "$1" >scene.json
    local wanted got code
    wanted=$(printf 'scene.json:%s\n' "${@:2}")
    got=$("$program" run scene.json --no-report 2>&1)
    code=$?
    [ "$code" -eq 2 ] || complain "exit $code, wanted 2, for: $1"
    same "the answers to $1" "$wanted" "$got"
    "$program" check scene.json >/dev/null && complain "check is content with: $1"
}

mistake '{"carom":1,"body":[]}' \
    '1: body: is not a key of a scene; the list of bodies is "bodies"'
mistake '{"carom":1,"bodies":[{"mas":1}]}' \
    '1: bodies[0].mas: is not a key of a body; did you mean "mass"?'
mistake '{"carom":1,"shapes":{"box":{"kind":"box","size":[1,1,1]}},"bodies":[{"shape":"box","density":1000,"position":[0,1]}]}' \
    '1: bodies[0].position: needs an array of 3 numbers (m), not an array of 2'
mistake '{"carom":1,"shapes":{"box":{"kind":"box","size":[1,1,1]}},"bodies":[{"shape":"box","density":"1000 kg/m3"}]}' \
    '1: bodies[0].density: needs a positive number (kg/m^3), not the string "1000 kg/m3"'
mistake '{"carom":1,"bodies":[{"mass":0,"inertia":[1,1,1]}]}' \
    '1: bodies[0].mass: needs a positive number (kg), not 0'
mistake '{"carom":1,"method":"lcp","bodies":[{"name":"a","mass":1,"inertia":[1,1,1]}]}' \
    '1: method: needs an object for a method, such as {"name": "lcp"}, not a string'
mistake '{"carom":1,"method":{"name":"rk4"},"bodies":[{"name":"a","mass":1,"inertia":[1,1,1]}]}' \
    '1: method.name: needs "variational", "euler", "multiplier", "reduced", "lcp", "impulse", "penalty", "potential", "newmark", "exact" or "dcr", not the string "rk4"'
mistake '{"carom":1,"method":{"name":"LCP"},"bodies":[{"name":"a","mass":1,"inertia":[1,1,1]}]}' \
    '1: method.name: needs "variational", "euler", "multiplier", "reduced", "lcp", "impulse", "penalty", "potential", "newmark", "exact" or "dcr", not the string "LCP"; did you mean "lcp"?'
mistake '{"carom":1,"method":{"step":"1/240"},"bodies":[{"name":"a","mass":1,"inertia":[1,1,1]}]}' \
    '1: method.step: needs a positive number (s), not the string "1/240"'
mistake '{"carom":1,"method":{"timestep":0.01},"bodies":[{"name":"a","mass":1,"inertia":[1,1,1]}]}' \
    '1: method.timestep: is not a key of a method; the step is "step"'
mistake '{"carom":1,"dt":0.01,"bodies":[{"name":"a","mass":1,"inertia":[1,1,1]}]}' \
    '1: dt: is not a key of a scene; the step is "step" of "method"'
mistake '{"carom":1,"gravity":-9.81,"bodies":[{"name":"a","mass":1,"inertia":[1,1,1]}]}' \
    '1: gravity: needs an array of 3 numbers (m/s^2), such as [0, 0, -9.81], not -9.81'
mistake '{"carom":1,"gravity":[0,-9.81],"bodies":[{"name":"a","mass":1,"inertia":[1,1,1]}]}' \
    '1: gravity: needs an array of 3 numbers (m/s^2), not an array of 2'
mistake '{"carom":1,"gravity":9.81,"bodies":[{"name":"a","mass":1,"inertia":[1,1,1]}]}' \
    '1: gravity: needs an array of 3 numbers (m/s^2), such as [0, 0, -9.81], not 9.81'
mistake '{"carom":1,"shapes":{"box":{"kind":"box","size":[1,1,1]}},"bodies":[{"shape":{"kind":"box","size":[1,1,1]},"density":1000}]}' \
    '1: bodies[0].shape: needs the name of a shape, not an object; describe it under "shapes" and give its name here'
mistake '{"carom":1,"bodies":[{"shape":"box","density":1000}]}' \
    '1: bodies[0].shape: "box" is not the name of a shape in this scene, which has none'
mistake '{"carom":1,"shapes":{"box":{"type":"box","size":[1,1,1]}},"bodies":[{"shape":"box","density":1}]}' \
    '1: shapes.box: needs "kind": such as sphere, ellipsoid, box, capsule, polytope, half_space'
mistake '{"carom":1,"shapes":{"box":{"kind":"cube","size":1}},"bodies":[{"shape":"box","density":1}]}' \
    '1: shapes.box.kind: needs "sphere", "ellipsoid", "box", "capsule", "polytope", "tetrahedron", "pyramid", "prism", "half_space", "container" or "compound", not the string "cube"; did you mean "box"?'
mistake '{"carom":1,"shapes":{"box":{"kind":"box","size":1}},"bodies":[{"shape":"box","density":1}]}' \
    '1: shapes.box.size: needs an array of 3 positive numbers (m), not 1'
mistake '{"carom":1,"shapes":{"box":{"kind":"box","size":[1,1,0]}},"bodies":[{"shape":"box","density":1}]}' \
    '1: shapes.box.size[2]: needs a positive number (m), not 0'
mistake '{"carom":1,"shapes":{"b":{"kind":"sphere","size":1}},"bodies":[{"shape":"b","density":1}]}' \
    '1: shapes.b.size: is not a key of a sphere; known are kind, radius'
mistake '{"carom":1,"shapes":{"b":{"kind":"sphere","diameter":1}},"bodies":[{"shape":"b","density":1}]}' \
    '1: shapes.b.diameter: is not a key of a sphere; the radius is "radius"'
mistake '{"carom":1,"shapes":{"b":{"kind":"plane"}},"bodies":[{"shape":"b","kind":"fixed"}]}' \
    '1: shapes.b.kind: needs "sphere", "ellipsoid", "box", "capsule", "polytope", "tetrahedron", "pyramid", "prism", "half_space", "container" or "compound", not the string "plane"; did you mean "half_space"?'
mistake '{"carom":1,"shapes":{"b":{"kind":"half_space","normal":[0,0,1]}},"bodies":[{"shape":"b"}]}' \
    '1: bodies[0].shape: is without mass or end; make the body "fixed", or choose another shape'
mistake '{"carom":1,"bodies":[{"name":"a","mass":1,"inertia":[1,1,1]},{"name":"a","mass":1,"inertia":[1,1,1]}]}' \
    '1: bodies[1].name: the name "a" is that of bodies[0] already; choose another'
mistake '{"carom":1,"bodies":[{"name":"a","mass":1,"inertia":[1,1,1]}],"joints":[{"kind":"hinge","a":"a","b":"a"}]}' \
    '1: joints[0]: joint '\''joint-0'\'': both sides are body '\''a'\''; join two different bodies'
mistake '{"carom":1,"bodies":[{"name":"a","mass":1,"inertia":[1,1,1]}],"joints":[{"kind":"hinge","a":"world","b":"arm","point":[0,0,0]}]}' \
    '1: joints[0].b: "arm" is not the name of a body in this scene; there is "a"'
mistake '{"carom":1,"bodies":[{"name":"a","mass":1,"inertia":[1,1,1]}],"joints":[{"kind":"revolute","a":"world","b":"a","point":[0,0,0]}]}' \
    '1: joints[0].kind: needs "mix", "fixed", "hinge", "universal", "ball", "slider", "cylindrical", "point_on_line", "planar", "point_on_plane" or "distance", not the string "revolute"; did you mean "hinge"?'
mistake '{"carom":1,"bodies":[{"name":"a","mass":1,"inertia":[1,1,1]}],"joints":[{"type":"hinge","parent":"world","child":"a"}]}' \
    '1: joints[0].type: is not a key of a joint; the kind of joint is "kind"' \
    '1: joints[0].parent: is not a key of a joint; the first body is "a"' \
    '1: joints[0].child: is not a key of a joint; the second body is "b"' \
    '1: joints[0]: needs "a": the name of a body, or "world"' \
    '1: joints[0]: needs "b": the name of a body, or "world"' \
    '1: joints[0]: needs "kind": such as "hinge", "ball", "slider", "fixed" or "mix"'
mistake '{"carom":1,"materials":{"m":{"friction":-0.1}},"bodies":[{"name":"a","mass":1,"inertia":[1,1,1]}]}' \
    '1: materials.m.friction: needs a number of at least 0, not -0.1'
mistake '{"carom":1,"materials":{"m":{"restitution":1.5}},"bodies":[{"name":"a","mass":1,"inertia":[1,1,1]}]}' \
    '1: materials.m.restitution: needs a number from 0 to 1, not 1.5'
mistake '{"carom":1,"materials":{"m":0.5},"bodies":[{"name":"a","mass":1,"inertia":[1,1,1]}]}' \
    '1: materials.m: needs an object for a material, not 0.5'
mistake '{"carom":1,"friction":0.5,"bodies":[{"name":"a","mass":1,"inertia":[1,1,1]}]}' \
    '1: friction: is not a key of a scene; friction belongs to the "materials"'
mistake '{"carom":1,"bodies":[{"mass":1,"inertia":[1,1,1],"friction":0.5}]}' \
    '1: bodies[0].friction: is not a key of a body; friction belongs to a material, which is named by "material"'
mistake '{"carom":1,"bodies":[{"mass":1,"inertia":1}]}' \
    '1: bodies[0].inertia: needs 3 numbers for a diagonal or 3 rows of 3 numbers (kg m^2), not 1'
mistake '{"carom":1,"bodies":[{"mass":1,"inertia":[1,1,5]}]}' \
    '1: bodies[0].inertia: the principal moments are 1, 1, 5 kg m^2; no body has one above the sum of the other two'
mistake '{"carom":1,"bodies":{"a":{"mass":1}}}' \
    '1: bodies: needs an array of bodies, not an object'
mistake '{"carom":2,"bodies":[{"name":"a","mass":1,"inertia":[1,1,1]}]}' \
    '1: carom: this file has format 2, and this carom reads format 1; use a newer carom'
mistake '{"carom":"1.0","bodies":[{"name":"a","mass":1,"inertia":[1,1,1]}]}' \
    '1: carom: needs the version of the format, 1, not the string "1.0"'
mistake '{"bodies":[{"name":"a","mass":1,"inertia":[1,1,1]}]}' \
    '1: needs "carom": the version of the format, 1'
mistake '{"carom":1,"bodies":[{"name":"a","mass":1,"inertia":[1,1,1]}],}' \
    '1: a comma comes before a closing bracket; remove the comma'
mistake '{"carom":1, // a comment
"bodies":[{"name":"a","mass":1,"inertia":[1,1,1]}]}' \
    '1: JSON has no comments; use "description"'
mistake '{"carom":1,"until":NaN,"bodies":[{"name":"a","mass":1,"inertia":[1,1,1]}]}' \
    '1: until: NaN is not a number in JSON; give a finite number'
mistake '{"carom":1,"until":1e999,"bodies":[{"name":"a","mass":1,"inertia":[1,1,1]}]}' \
    '1: until: 1e999 is beyond the largest number, 1.8e308; give a smaller one'
mistake 'time,x,y
0,1,2
' \
    '1: this is no JSON: a scene begins with '\''{'\'', not with time'
mistake '' \
    '1: the file is empty; a scene is an object such as {"carom": 1, "bodies": []}'
mistake '{'\''carom'\'':1}' \
    '1: JSON strings are written in double quotes, not in single ones'
mistake '{"carom":1,"until":"10s","bodies":[{"name":"a","mass":1,"inertia":[1,1,1]}]}' \
    '1: until: needs a number of at least 0 (s), not the string "10s"'
mistake '{"carom":1,"until":-5,"bodies":[{"name":"a","mass":1,"inertia":[1,1,1]}]}' \
    '1: until: needs a number of at least 0 (s), not -5'
mistake '{"carom":1,"bodies":[{"mass":1,"inertia":[1,1,1],"rotation":[0,0,90]}]}' \
    '1: bodies[0].rotation: is not a key of a body; the orientation is "attitude"'
mistake '{"carom":1,"bodies":[{"mass":1,"inertia":[1,1,1],"attitude":[0,0,90]}]}' \
    '1: bodies[0].attitude: needs an array of 4 numbers (w, x, y, z), not an array of 3'
mistake '{"carom":1,"bodies":[{"mass":1,"inertia":[1,1,1],"attitude":{"axis":[0,0,1],"angle":"90deg"}}]}' \
    '1: bodies[0].attitude.angle: needs a number (rad), not the string "90deg"'
mistake '{"carom":1,"bodies":[{"mass":1,"inertia":[1,1,1],"kind":"static"}]}' \
    '1: bodies[0].kind: needs "free", "fixed", "planar" or "point", not the string "static"; did you mean "fixed"?'
mistake '{"carom":1,"bodies":[{"mass":1,"inertia":[1,1,1],"fixed":true}]}' \
    '1: bodies[0].fixed: is not a key of a body; how the body can move is "kind"'
mistake '{"carom":1,"bodies":[{"name":"a","mass":1,"inertia":[1,1,1]}],"forces":[{"kind":"spring","a":"a","b":"b","stiffness":10}]}' \
    '1: forces[0].b: "b" is not the name of a body in this scene; there is "a"'
mistake '{"carom":1,"bodies":[{"name":"a","mass":1,"inertia":[1,1,1]}],"forces":[{"kind":"spring","a":"a","b":"world","k":10}]}' \
    '1: forces[0].k: is not a key of a spring; the stiffness is "stiffness"' \
    '1: forces[0]: needs "stiffness": a number of at least 0 (N/m)'
mistake '{"carom":1,"bodies":[{"name":"a","mass":1,"inertia":[1,1,1]}],"forces":[{"kind":"gravity","body":"a"}]}' \
    '1: forces[0].kind: needs "drag", "spring", "charge", "magnet", "wrench", "pair", "central", "atmosphere", "sunlight", "field" or "load", not the string "gravity"'
mistake '{"carom":1,"bodies":[{"name":"a","mass":1,"inertia":[1,1,1]}],"forces":{"kind":"drag"}}' \
    '1: forces: needs an array of forces, not an object'
mistake '{"carom":1,"frame_rate":0,"bodies":[{"name":"a","mass":1,"inertia":[1,1,1]}]}' \
    '1: frame_rate: needs a positive number (1/s), not 0'
mistake '{"carom":1,"bodies":[{"kind":"point","mass":1,"spin":[1,0,0]}]}' \
    '1: bodies[0].spin: a point does not spin; remove its spin, or choose another kind'
mistake '{"carom":1,"bodies":[{"kind":"planar","mass":1,"inertia":[1,1,1],"velocity":[0,0,1]}]}' \
    '1: bodies[0].velocity: a planar body moves along x and y only; make the third number 0'
mistake '{"carom":1,"bodies":[{"mass":1,"inertia":[1,1,1],"repeat":{"count":3}}]}' \
    '1: bodies[0].repeat.count: is not a key of a repeat; known are lattice, random'
mistake '{"carom":1,"bodies":[{"mass":1e-400,"inertia":[1,1,1]}]}' \
    '1: bodies[0].mass: needs a positive number (kg), not 0'
mistake '[1,2]' \
    '1: needs an object for a scene, such as {"carom": 1, "bodies": []}, not an array of 2'
mistake '{"carom":1,"bodies":[{"mass":1,"inertia":[1,1,1],"velocity":[1,null,0]}]}' \
    '1: bodies[0].velocity[1]: needs a number (m/s), not null'
mistake '{"carom":1,"bodies":[{"mass":1,"inertia":[1,1,1],"position":"0 0 1"}]}' \
    '1: bodies[0].position: needs an array of 3 numbers (m), not the string "0 0 1"'
mistake '{"carom":1,"bodies":[{"mass":1,"inertia":[1,1,1],"material":"steel"}]}' \
    '1: bodies[0].material: "steel" is not the name of a material in this scene, which has none'
mistake '{"carom":1,"method":{"name":"lcp","iterations":50},"bodies":[{"name":"a","mass":1,"inertia":[1,1,1]}]}' \
    '1: method.iterations: is not a key of a method; the largest number of iterations is "iteration_limit"'
mistake '{"carom":1,"shapes":{"b":{"kind":"mesh","file":"a.obj"}},"bodies":[{"shape":"b","density":1}]}' \
    '1: shapes.b.kind: needs "sphere", "ellipsoid", "box", "capsule", "polytope", "tetrahedron", "pyramid", "prism", "half_space", "container" or "compound", not the string "mesh"; did you mean "polytope"?'
mistake '{"carom":1,"shapes":{"b":{"kind":"polytope","vertices":[[0,0,0],[1,0,0],[0,1,0]]}},"bodies":[{"shape":"b","density":1}]}' \
    '1: shapes.b.vertices: needs an array of at least 4 points (m), not an array of 3'
mistake '{"carom":1,"shapes":{"b":{"kind":"capsule","radius":0.1,"height":1}},"bodies":[{"shape":"b","density":1}]}' \
    '1: shapes.b.height: is not a key of a capsule; the length of its cylinder is "length"'
mistake '{"carom":1,"shapes":{"b":{"kind":"cylinder","radius":0.1,"length":1}},"bodies":[{"shape":"b","density":1}]}' \
    '1: shapes.b.kind: needs "sphere", "ellipsoid", "box", "capsule", "polytope", "tetrahedron", "pyramid", "prism", "half_space", "container" or "compound", not the string "cylinder"; did you mean "prism"?'
mistake '{"carom":1,"mobility":{"kind":"stokes"},"bodies":[{"name":"a","mass":1,"inertia":[1,1,1]}]}' \
    '1: mobility: body '\''a'\'' has no drag in a viscous fluid: give it a sphere or an ellipsoid as shape, or give a matrix as mobility'
mistake '{"carom":1,"bodies":[{"mass":"1","inertia":[1,1,1]}]}' \
    '1: bodies[0].mass: needs a positive number (kg), not the string "1"'
mistake '{"carom":1,"bodies":[{"mass":1,"inertia":[1,1,1],"name":5}]}' \
    '1: bodies[0].name: needs a string, not 5'
mistake '{"carom":1,"bodies":[{"mass":1,"inertia":[1,1,1]} {"mass":1}]}' \
    '1: bodies: JSON needs a comma or '\'']'\'' here, not '\''{'\'''
mistake '{"carom":1,"bodies":[{"mass":1,"inertia":[1,1,1]}]' \
    '1: the text ends too early; a bracket is not closed or the file was cut off'
mistake '{"carom":1,"bodies":[{"mass":1,"inertia":[1,1,1],"meets":"floor"}]}' \
    '1: bodies[0].meets: needs an array of names of groups, not the string "floor"'
mistake '{"carom":1,"bodies":[{"name":"a","mass":1,"inertia":[1,1,1]}],"joints":[{"kind":"hinge","a":"world","b":"a","point":[0,0,0],"limits":[0,1]}]}' \
    '1: joints[0].limits: is not a key of a joint; limits and motors belong to the "coordinates"'
mistake '{"carom":1,"bodies":[{"name":"a","mass":1,"inertia":[1,1,1]}],"joints":[{"kind":"hinge","a":"world","b":"a","point":[0,0,0],"coordinates":[{"lower":1,"upper":-1}]}]}' \
    '1: joints[0].coordinates[0].lower: the limits are 1 and -1; make "lower" the smaller'
mistake '{"carom":1,"bodies":[{"name":"a","mass":1,"inertia":[1,1,1]}],"joints":[{"kind":"hinge","a":"world","b":"a","point":[0,0,0],"coordinates":{"lower":1}}]}' \
    '1: joints[0].coordinates: needs an array of coordinates, not an object'
mistake '{"carom":1,"bodies":[{"name":"a","mass":1,"inertia":[1,1,1]}],"joints":[{"kind":"hinge","a":"world","b":"a","point":[0,0,0],"motor":{"kind":"velocity"}}]}' \
    '1: joints[0].motor: is not a key of a joint; limits and motors belong to the "coordinates"'

# ---- files

expect 2 "nowhere.json: error: there is no such file; check the name and the folder" -- check nowhere.json
expect 2 "nowhere.json: there is no such file; check the name and the folder" -- run nowhere.json
mkdir folder
expect 2 "folder: this is a folder, not a file; name a file in it" -- run folder
expect 2 "'run' needs a scene; 'carom help run' shows how it is used" -- run
expect 2 "there is no verb 'rnu'; did you mean 'run'?" -- rnu scene.json
expect 2 "there is no option of 'run' called '--untl'; did you mean '--until'?" -- run scene.json --untl 3
expect 2 "--until needs a number of seconds, not '3s'" -- run scene.json --until 3s

# ---- what is allowed, and has no effect

echo '{"carom": 1, "method": {"name": "lcp", "tolerance": 1e-8}, "bodies": [{"mass": 1, "inertia": [1, 1, 1]}]}' >scene.json
expect 0 'scene.json:1: method.tolerance: warning: has no effect under the method lcp; that has "tolerance" of "lcp"' -- run scene.json --no-report --until 0.01
expect 2 '--set: method.tolerance: error: has no effect under the method lcp; set method.lcp.tolerance' -- check scene.json --set method.tolerance=1e-9

verdict "first mistakes are answered with place, reason and remedy"
