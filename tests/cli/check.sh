#!/usr/bin/env bash
# check: every error and warning on a line with its place, counts, the resolved scene.
#
#   tests/cli/check.sh PROGRAM ROOT
set -uo pipefail
program=$(realpath "$1") root=$(realpath "$2")
source "$(dirname "$0")/support.sh"
cd "$work" || exit 1

for scene in "$root"/scenes/*.json; do expect 0 "$scene: good" -- check "$scene"; done
cat >wrong.json <<'JSON'
{"carom": 1,
 "method": {"step": -1},
 "bodies": [
   {"name": "a", "mas": 3}
 ]}
JSON
expect 2 "wrong.json:2: method.step: error: needs a positive number" -- check wrong.json
expect 2 "wrong.json:4: bodies[0].mas: error: " -- check wrong.json
expect 2 "wrong.json: 2 errors, 0 warnings" -- check wrong.json
# run says the same, all of it, without the word error.
expect 2 "wrong.json:2: method.step: needs a positive number" -- run wrong.json
expect 2 "wrong.json:4: bodies[0].mas: " -- run wrong.json
[ ! -e wrong.carom ] || complain "a scene with errors has left a recording"

echo '{"carom": 1, "method": {"step": 0.1}, "bodies": [{"name": "a", "kind": "point", "mass": 1}]}' >doubtful.json
expect 0 "doubtful.json:1: frame_rate: warning: " -- check doubtful.json
expect 0 "doubtful.json: 0 errors, 1 warning" -- check doubtful.json
expect 0 "contract" -- run doubtful.json

expect 2 "--set: method.step: error: " -- check doubtful.json --set method.step=fast
expect 2 "there is no equal sign" -- check doubtful.json --set nonsense
expect 0 "good" -- check doubtful.json --set method.step=1e-3 --set=until=2
expect 2 "do not go together" -- check doubtful.json --resolved --json

# The resolved scene alone is on the standard output, and is the same scene: its own resolved form, and the same run.
"$program" check doubtful.json --set until=2 --resolved >once.json 2>/dev/null || complain "no resolved scene"
"$program" check once.json --resolved >twice.json 2>/dev/null || complain "the resolved scene cannot be read"
same "resolved scenes" "$(cat once.json)" "$(cat twice.json)"
block=$root/scenes/tumbling-block.json
"$program" check "$block" --set until=0.5 --resolved >block.json 2>/dev/null
"$program" run block.json --quiet
"$program" run "$block" --set until=0.5 --quiet -o original.carom
same "hashes of the scene and the resolved one" "$("$program" hash block.carom)" "$("$program" hash original.carom)"
"$program" info original.carom --scene >recorded.json
same "recorded and resolved scenes" "$(cat recorded.json)" "$(cat block.json)"
verdict "scenes are checked as documented"
