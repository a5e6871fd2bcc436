#!/usr/bin/env bash
# Files of others stay as they are, limits on files end in a sentence, and names cannot turn round what a terminal shows.
#
#   tests/cli/outputs.sh PROGRAM ROOT
set -uo pipefail
program=$(realpath "$1") root=$(realpath "$2")
source "$(dirname "$0")/../support.sh"
cd "$work" || exit 1
scene=$root/scenes/dominoes.json

# ---- export --force replaces exports, and nothing else

expect 0 "verdict" -- run "$scene" --until 0.02 --no-report -o run.carom
for what in frames joints contacts certificates; do
    expect 0 "$what.csv" -- export run.carom --csv --what $what -o $what.csv
    expect 2 "$what.csv: exists already" -- export run.carom --csv --what $what -o $what.csv
    expect 0 "$what.csv" -- export run.carom --csv --what $what -o $what.csv --force
    expect 0 "frames.csv" -- export run.carom --csv -o frames.csv --force
done
echo "results of a year" >mine.csv
cp mine.csv kept
ln -s mine.csv link.csv
for name in mine.csv link.csv; do
    expect 2 "$name: is no export of carom and is left alone; choose another name" -- export run.carom --csv -o $name --force
done
same "a file of somebody" "$(cat kept)" "$(cat mine.csv)"
: >empty.csv
expect 0 "empty.csv" -- export run.carom --csv -o empty.csv --force

# ---- a limit on the size of files

(ulimit -f 200 && "$program" run "$scene" --no-report -o limited.carom >out 2>said)
code=$?
[ $code -eq 3 ] || complain "a run at a limit on files: exit $code, wanted 3"
wanted="limited.carom: cannot be written, most likely as files may have 204800 bytes at most here (ulimit -f); raise that, then resume the run from its last checkpoint"
[[ "$(cat said)" == *"$wanted"* ]] || complain "wanted '$wanted' in:" "$(cat said)"
expect 0 "goes on after step" -- run "$scene" --no-report -o limited.carom --resume --until 0.1

# ---- two runs on one output

"$program" run "$scene" --until 1000 --no-report -o busy.carom >/dev/null 2>&1 &
runner=$!
until [ -e busy.carom ] || ! kill -0 $runner 2>/dev/null; do sleep 0.02; done
expect 2 "busy.carom: another process uses the file, most likely a run that is being recorded to it; wait for its end or choose another file" -- run "$scene" --no-report -o busy.carom --force
kill $runner
wait $runner

# ---- names

printf '{"carom": 1, "bodies": [{"name": "a\xe2\x80\xaeb", "mass": 1, "inertia": [1, 1, 1]},\n{"name": "x\xe2\x80\xa8y", "mass": 1, "inertia": [1, 1, 1]},\n{"name": "\xc3\xa4\xe6\x97\xa5", "mass": 1, "inertia": [1, 1, 1]}]}' >turned.json
rest="cannot be a name; use 1 to 100 bytes without '*', control characters and marks of direction (shown as '?'), and not \"world\""
expect 2 "turned.json:1: bodies[0].name: error: \"a?b\" $rest" -- check turned.json
expect 2 "turned.json:2: bodies[1].name: error: \"x?y\" $rest" -- check turned.json
expect 2 "turned.json: 2 errors, 0 warnings" -- check turned.json

answer=$("$program" check $'a\xe2\x80\xaenosj.json' 2>&1)
same "a file whose name is turned" "a?nosj.json: error: there is no such file; check the name and the folder" "$(head -1 <<<"$answer")"

verdict "outputs and names of others are left as they are"
