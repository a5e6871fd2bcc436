#!/usr/bin/env bash
# One verdict: terminal, object, page, gallery and exit code agree, on runs of every colour; and runs at half the step.
#
#   tests/cli/verdict.sh PROGRAM ROOT
set -uo pipefail
program=$(realpath "$1") root=$(realpath "$2")
source "$(dirname "$0")/../support.sh"
cd "$work" || exit 1
mkdir scenes

cat >scenes/flies.json <<'JSON'
{"carom": 1, "until": 0.1, "bodies": [{"name": "it", "mass": 1, "inertia": [1, 1, 1], "velocity": [1, 0, 0]}]}
JSON
# A pendulum at its ends, by a method that solves for its joints.
cat >scenes/pendulum.json <<'JSON'
{"carom": 1, "until": 2, "method": {"name": "variational", "step": 0.005},
 "bodies": [{"name": "bob", "mass": 1, "inertia": [0.01, 0.01, 0.01], "position": [1, 0, 0]}],
 "joints": [{"kind": "ball", "a": "world", "b": "bob", "point_b": [-1, 0, 0]}]}
JSON
# A ball that two plates squeeze: a part of it is inside of both, and the contract breaks in every step.
cat >scenes/squeezed.json <<'JSON'
{"carom": 1, "until": 0.1, "method": {"name": "lcp", "step": 0.01},
 "shapes": {"plate": {"kind": "box", "size": [4, 4, 1]}, "ball": {"kind": "sphere", "radius": 0.5}},
 "bodies": [{"name": "below", "kind": "fixed", "shape": "plate", "position": [0, 0, -0.5]},
            {"name": "above", "kind": "fixed", "shape": "plate", "position": [0, 0, 1.4]},
            {"name": "ball", "shape": "ball", "mass": 1, "position": [0, 0, 0.45]}]}
JSON
# Overlaps that gamma = 0 leaves as they are: 10 % of the ball's size.
cat >scenes/inside.json <<'JSON'
{"carom": 1, "until": 0.1, "method": {"name": "lcp", "step": 0.01, "lcp": {"gamma": 0}},
 "shapes": {"ground": {"kind": "half_space", "normal": [0, 0, 1]}, "ball": {"kind": "sphere", "radius": 0.5}},
 "bodies": [{"kind": "fixed", "shape": "ground"}, {"name": "ball", "shape": "ball", "mass": 1, "position": [0, 0, 0.4]}]}
JSON
# A spring that euler makes run away until no step is left.
cat >scenes/runs-away.json <<'JSON'
{"carom": 1, "until": 100, "method": {"name": "euler", "step": 0.1},
 "bodies": [{"name": "weight", "kind": "point", "mass": 1, "position": [1, 0, 0]}],
 "forces": [{"kind": "spring", "a": "world", "b": "weight", "stiffness": 1e6}]}
JSON
# 20 sweeps promise no residual.
cat >scenes/fast.json <<'JSON'
{"carom": 1, "until": 0.2, "method": {"name": "lcp", "step": 0.01, "lcp": {"accuracy": "fast"}},
 "shapes": {"ground": {"kind": "half_space", "normal": [0, 0, 1]}, "ball": {"kind": "sphere", "radius": 0.5}},
 "bodies": [{"kind": "fixed", "shape": "ground"}, {"name": "ball", "shape": "ball", "mass": 1, "position": [0, 0, 0.5]}]}
JSON
cp "$root"/scenes/{tumbling-block,two-charges,five-link-chain}.json scenes/

code_of() { # colour, strict
    case $1:$2 in green:* | amber:no) echo 0 ;; *) echo 1 ;; esac
}

colours=
for scene in scenes/*.json; do
    name=$(basename "$scene" .json)
    said=$("$program" run "$scene" --until 0.5 -o "$name.carom" 2>/dev/null)
    code=$?
    told=$(sed -nE 's/^  verdict    //p' <<<"$said")
    colour=${told%%:*} strict_code=
    [ "$(grep -cE '^  verdict ' <<<"$said")" = 1 ] || complain "$name: there is not one verdict:" "$said"
    [[ "$told" =~ ^(green|amber|red):\ .+ ]] || complain "$name: the verdict is '$told'"
    colours+="$name=$colour "
    same "exit code of run, $name ($colour)" "$code" "$(code_of "$colour" no)"
    "$program" run "$scene" --until 0.5 -o "$name.carom" --force --strict --quiet >/dev/null 2>&1
    same "exit code of run --strict, $name ($colour)" "$?" "$(code_of "$colour" yes)"
    "$program" info "$name.carom" --json >info.json
    # The sentence may have quotation marks, which objects escape.
    same "object and terminal, $name" "$(field verdict <info.json): $(sed -E 's/.*"verdict_text":"(([^"\\]|\\.)*)".*/\1/;s/\\"/"/g' info.json)" "$told"
    same "info and run, $name" "$("$program" info "$name.carom" | sed -nE 's/^  verdict    //p')" "$told"
    same "page and terminal, $name" "$(page_verdict "$name.html")" "${told//\"/\\\"}"
    "$program" report "$name.carom" --force --json >report.json
    same "exit code of report, $name" "$?" "$(code_of "$colour" no)"
    same "object of report, $name" "$(field verdict <report.json)" "$colour"
    "$program" report "$name.carom" --force --strict >/dev/null
    same "exit code of report --strict, $name" "$?" "$(code_of "$colour" yes)"
    "$program" compare "$name.carom" "$name.carom" --json >compare.json
    same "exit code of compare, $name" "$?" "$(code_of "$colour" no)"
    same "object of compare, $name" "$(field verdict_a <compare.json)" "$colour"
    # Every finding that is not green is told once, and only where the verdict is not green either.
    lines=$(sed -nE '/^  verdict /,$p' <<<"$said" | grep -cE '(amber|red): ')
    findings=$(grep -o '"rule":' info.json | wc -l)
    if [ "$colour" = green ]; then
        same "findings of $name" "$findings" 0
    elif [[ "$told" != *"The run stopped"* && "$told" != *"not finished"* ]]; then
        same "lines and findings of $name" "$lines" "$findings"
    fi
done
for wanted in flies=green inside=amber squeezed=red runs-away=red; do
    [[ "$colours" == *"$wanted "* ]] || complain "$wanted is wanted in: $colours"
done
[[ "$("$program" info fast.carom)" == *"no residual is promised, so that this rests on overlaps, joints, friction cones and energy"* ]] ||
    complain "accuracy fast does not say what its verdict rests on:" "$("$program" info fast.carom)"

# The gallery: the same colours, and an exit code by the worst.
"$program" gallery --no-pictures --scenes scenes -o out --json >cards.jsonl 2>/dev/null
same "exit code of a gallery with red" "$?" 1
while read -r card; do
    name=$(field scene <<<"$card")
    same "card and recording of $name" "$(field verdict <<<"$card")" "$("$program" info "out/$name.carom" --json | field verdict)"
    same "card and page of $name" "$(field verdict <<<"$card")" "$(page_verdict "out/$name.html" | cut -d: -f1)"
done <cards.jsonl
mkdir few && cp scenes/flies.json scenes/inside.json few/
expect 0 "amber inside" -- gallery --no-pictures --scenes few -o few-out
expect 1 "amber inside" -- gallery --no-pictures --scenes few -o few-out --strict

# Studies: a verdict on every run, and the exit code by those of the shortest step.
expect 0 "verdict green" -- converge scenes/two-charges.json --until 0.05 --halvings 1 --methods euler
expect 1 "verdict red" -- converge scenes/squeezed.json --halvings 1 --methods lcp
expect 0 "verdict amber" -- converge scenes/inside.json --halvings 1 --methods lcp
expect 1 "verdict amber" -- converge scenes/inside.json --halvings 1 --methods lcp --strict
expect 1 "lcp is red: The contract broke" -- compare scenes/squeezed.json --methods lcp,lcp --tolerance 1
expect 0 "lcp is amber: " -- compare scenes/inside.json --methods lcp,lcp --tolerance 1
expect 1 "lcp is amber: " -- compare scenes/inside.json --methods lcp,lcp --tolerance 1 --strict

# At half the step: euler slows a ball down by drag at first order. At a long step nothing but the second run sees that, a short one is
# green; and all who look at the recording know it.
cat >slows.json <<'JSON'
{"carom": 1, "until": 1, "gravity": [0, 0, 0], "method": {"name": "euler", "step": 0.1},
 "bodies": [{"name": "ball", "mass": 1, "inertia": [0.01, 0.01, 0.01], "velocity": [10, 0, 0]}],
 "forces": [{"kind": "drag", "body": "ball", "linear": 5}]}
JSON
# It gets to x(h) = 10 (1 - 5 h / 2) (1 - (1 - 5 h)^n) / 5 after n steps; its size is twice the radius of gyration, 0.2 m.
wanted=$(awk 'function x(h) { return 2 * (1 - 2.5 * h) * (1 - (1 - 5 * h)^(1 / h)) } BEGIN { printf "%.9f", (x(0.05) - x(0.1)) / (0.02 * (x(0.05) + 0.2)) }')
expect 0 "verdict    green" -- run slows.json
expect 0 "amber: The run at half the step differs, by 6.32 times 2 % of way and size (body 'ball')" -- run slows.json --force --confirm
same "the difference" "$("$program" info slows.carom --json | field half_step_difference | awk '{ printf "%.9f", $1 }')" "$wanted"
expect 1 "verdict    amber: The run at half the step" -- run slows.json --force --confirm --strict
expect 0 "verdict    amber: The run at half the step differs" -- info slows.carom
same "page of a run that is not confirmed" "$(page_verdict slows.html | cut -d: -f1)" amber
expect 0 "the run is finished; there is nothing left to do" -- run slows.json --resume --confirm
expect 0 "half step  differs by 0.28" -- run slows.json --set method.step=0.005 --force --confirm
expect 0 "verdict    green" -- info slows.carom
"$program" run slows.json --force --quiet
expect 2 "is finished and was not confirmed; run the scene again with --force --confirm" -- run slows.json --resume --confirm
# Flights and rebounds do not depend on the step: a bounce of e = 0.8 is confirmed at steps of a fifth of a second.
cat >drops.json <<'JSON'
{"carom": 1, "until": 4, "method": {"name": "lcp", "step": 0.2}, "materials": {"m": {"friction": 0, "restitution": 0.8}},
 "shapes": {"floor": {"kind": "half_space", "normal": [0, 0, 1]}, "ball": {"kind": "sphere", "radius": 0.1}},
 "bodies": [{"kind": "fixed", "shape": "floor", "material": "m"},
            {"name": "ball", "shape": "ball", "mass": 1, "position": [0, 0, 1.1], "material": "m"}]}
JSON
expect 0 "verdict    green" -- run drops.json --confirm

verdict "terminal, objects, pages, the gallery and exit codes have one verdict"
