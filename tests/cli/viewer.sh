#!/usr/bin/env bash
# Reports as a browser shows them: the numbers of the recording, hostile names, pictures.
#
#   tests/cli/viewer.sh PROGRAM ROOT NODE
set -uo pipefail
program=$(realpath "$1") root=$(realpath "$2") node=$3
source "$(dirname "$0")/support.sh"
cd "$work" || exit 1
export CHROMIUM=${CAROM_CHROMIUM:-$(command -v chromium)}

# expectations RUN TITLE: what the page must show, from the exports of the recording: the last body in the first, a middle
# and the last frame; energy in the last step, its change from the start on, what the potential has lost in all, and in the step of the hardest impact what it and the projection have added, if any. Positions are kept to 3e-8 of the run's box.
expectations() {
    "$program" export "$1" --csv --what frames -o frames.csv --force >/dev/null
    "$program" export "$1" --csv --what certificates -o certificates.csv --force >/dev/null
    local bodies frames
    bodies=$("$program" info "$1" --json | field bodies)
    frames=$("$program" info "$1" --json | field frames)
    printf '{"kind":"run","bodies":%d,"frames":%d,"verdict":"%s","title":"%s","poses":[' "$bodies" "$frames" \
        "$("$program" info "$1" --json | field verdict)" "$2"
    local separator=""
    for frame in 0 $((frames / 2)) $((frames - 1)); do
        # The last fields: names may have commas.
        awk -F, -v line=$((2 + frame * bodies + bodies - 1)) -v frame="$frame" -v body=$((bodies - 1)) -v s="$separator" '
            NR == line { k = NF - 12
                printf "%s{\"frame\":%d,\"body\":%d,\"position\":[%s,%s,%s],\"attitude\":[%s,%s,%s,%s],\"tolerance\":1e-4}", s, frame, body,
                    $k, $(k + 1), $(k + 2), $(k + 3), $(k + 4), $(k + 5), $(k + 6) }' frames.csv
        separator=,
    done
    awk -F, 'function plot(name, series, time, value, tolerance) {
            printf "{\"plot\":\"%s\",\"series\":\"%s\",\"time\":%s,\"value\":%.12g,\"tolerance\":%s}", name, series, time, value, tolerance }
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == "work_conservative") line = i }
        NR > 1 { lost += $line }
        NR > 1 && $24 != 0 { projects = 1 }
        NR > 1 && ($25 != 0 || $26 != 0 || $27 != 0) { rotates = 1 }
        NR > 1 && $28 < hardest { hardest = $28; hardest_time = $2; projected = $24; rotated = $26 }
        END { printf "],\"plots\":["; plot("energy", "kinetic", $2, $3, 1e-9)
            printf ","; plot("energy_change", "total less that of the start", 0, 0, 0)
            printf ","; plot("ledger", "conservative", 0, 0, 0)
            printf ","; plot("ledger", "conservative", $2, lost, 1e-6 * (lost < 0 ? -lost : lost))
            if (hardest < 0) { printf ","; plot("impact_energy", "impacts", hardest_time, hardest, -1e-7 * hardest)
                if (projects) { printf ","; plot("projection_energy", "projection", hardest_time, projected, 1e-9) }
                if (rotates) { printf ","; plot("projection_momentum", "y", hardest_time, rotated, 1e-9) } }
            print "]}" }' certificates.csv
}

# Of a plan also the first number of its controls in the third interval, and the least gap there.
planned() {
    "$program" export "$1" --csv --what controls -o - | awk -F, 'NR > 1 && $1 == 2 && $5 == 0 {
        printf "{\"plot\":\"plan_control_0_force\",\"series\":\"fx\",\"time\":%.12g,\"value\":%s,\"tolerance\":1e-12}", ($2 + $3) / 2, $12 }'
    "$program" export "$1" --csv --what gaps -o - | awk -F, 'NR > 1 && $1 == 2 && $3 != "" {
        printf ",{\"plot\":\"plan_gaps\",\"series\":\"until the next node, proved\",\"time\":%.12g,\"value\":%s,\"tolerance\":1e-12}", $2 + 1e-6, $8 }'
}

# shown RUN TITLE: the page of a recording in the browser
shown() {
    expectations "$1" "$2" >expected.json
    [ "${3:-}" != plan ] || sed -i "s/\"plots\":\[/\"plots\":[$(planned "$1"),/" expected.json
    "$program" report "$1" -o page.html --force >/dev/null
    "$node" "$root/viewer/test/browser.mjs" page.html expected.json >said.txt 2>&1 || complain "the report of $1:" "$(cat said.txt)"
}

"$program" run "$root/scenes/five-link-chain.json" --until 0.5 --quiet --no-report -o chain.carom
shown chain.carom five-link-chain
"$program" run "$root/scenes/cube-settles.json" --until 0.6 --quiet --no-report -o cube.carom
shown cube.carom cube-settles
"$program" run "$root/scenes/hexagonal-prisms.json" --set method.name=dcr --until 0.6 --quiet --no-report -o prisms.carom
grep -q projection_energy expected.json && complain "cube-settles projects: another scene should show pages without it"
shown prisms.carom hexagonal-prisms
grep -q projection_momentum expected.json || complain "hexagonal-prisms has nothing of projections to show"
cat >hostile.json <<'JSON'
{"carom": 1, "name": "</script><b>x & y", "description": "<img src=x onerror=alert(1)>", "until": 0.2,
 "bodies": [{"name": "</script><script>document.title='lost'</script>", "mass": 1, "inertia": [1, 1, 1]},
            {"name": "<!-- \"it's\" ${1} \u00e9 -->", "mass": 1, "inertia": [1, 2, 2], "position": [1, 0, 0], "spin": [1, 2, 3]}]}
JSON
"$program" run hostile.json --quiet --no-report
shown hostile.carom '</script><b>x & y'

cat >plan.json <<'JSON'
{"carom": 1, "name": "a plan", "shapes": {"cube": {"kind": "box", "size": [0.2, 0.2, 0.2]}},
 "bodies": [{"name": "craft", "shape": "cube", "mass": 2}],
 "plan": {"intervals": 8, "time": 2, "controls": [{"kind": "wrench", "body": "craft", "axes": "body"}],
  "end": [{"body": "craft", "position": [1, 0.5, 0.3], "attitude": {"axis": [0, 0, 1], "degrees": 60}, "velocity": [0, 0, 0], "spin": [0, 0, 0]}]}}
JSON
"$program" plan plan.json --quiet --no-report -o plan.carom
shown plan.carom 'a plan' plan
grep -q plan_control_0_force expected.json || complain "the plan has no controls to show"

# Pictures: PNG of the size that was asked for, another at another time.
"$program" render chain.carom --at 0 --at 0.5 -o shot.png --size 320x200 >said.txt 2>&1 || complain "no pictures:" "$(cat said.txt)"
same "names of pictures" "$(cat said.txt)" $'shot-1.png\nshot-2.png'
for shot in shot-1.png shot-2.png; do
    same "size of $shot" "$(od -An -tx1 -j 1 -N 23 $shot | tr -d ' \n')" "504e470d0a1a0a0000000d49484452""00000140""000000c8"
done
cmp -s shot-1.png shot-2.png && complain "pictures at two times are the same"
verdict "reports show what was recorded"
