#!/usr/bin/env bash
# Files that cannot be read or written: one sentence each, exit code 2, and nothing is changed.
#
#   tests/cli/files.sh PROGRAM ROOT
set -uo pipefail
program=$(realpath "$1") root=$(realpath "$2")
source "$(dirname "$0")/support.sh"
cd "$work" || exit 1
scene=$root/scenes/tumbling-block.json
"$program" run "$scene" --until 0.1 --quiet -o good.carom
head -c 5000 good.carom >cut.carom
: >empty
echo "not a recording" >foreign
mkdir folder

for verb in info hash "export --csv"; do
    read -ra words <<<"$verb"
    expect 2 "missing: No such file or directory" -- "${words[@]}" missing
    expect 2 "folder: is a folder" -- "${words[@]}" folder
    expect 2 "empty: is empty" -- "${words[@]}" empty
    expect 2 "foreign: is not a carom recording" -- "${words[@]}" foreign
    expect 2 "cut.carom: the recording is damaged" -- "${words[@]}" cut.carom
    expect 2 "good.carom/x: Not a directory" -- "${words[@]}" good.carom/x
done
for verb in run check; do
    severity=""
    [ "$verb" = check ] && severity="error: "
    expect 2 "missing.json: ${severity}there is no such file" -- "$verb" missing.json
    expect 2 "folder: ${severity}this is a folder, not a file" -- "$verb" folder
    expect 2 "empty:1:" -- "$verb" empty
    expect 2 "foreign:1:" -- "$verb" foreign
    expect 2 "good.carom:1:" -- "$verb" good.carom
done

expect 2 "folder: is a folder" -- run "$scene" -o folder
expect 2 "its folder does not exist" -- run "$scene" -o nowhere/x.carom
expect 2 "foreign exists already" -- run "$scene" -o foreign
expect 2 "foreign: is not a carom recording" -- run "$scene" -o foreign --force
expect 2 "foreign: is not a carom recording" -- run "$scene" -o foreign --resume
expect 2 "cut.carom: the recording is damaged" -- run "$scene" -o cut.carom --resume
expect 2 "(File name too long)" -- run "$scene" -o "$(printf 'x%.0s' {1..300})"
same "the foreign file" "$(cat foreign)" "not a recording"
ln -s nowhere dangling
expect 2 "dangling: is a link to nowhere" -- run "$scene" -o dangling
expect 2 "exists" -- export good.carom --csv -o foreign
same "the foreign file" "$(cat foreign)" "not a recording"
# Root may write anywhere but where nobody may.
readonly_folder=folder
chmod a-w folder
[ -w folder ] && readonly_folder=/sys
if [ "$readonly_folder" = folder ] || [ -d /sys/kernel ]; then # a container may have an ordinary folder there
    expect 2 "its folder may not be written to" -- run "$scene" -o "$readonly_folder/x.carom"
    expect 2 "$readonly_folder/x.csv" -- export good.carom --csv -o "$readonly_folder/x.csv"
fi

# A limit on the size of files is an error of writing, no signal.
answer=$(ulimit -f 16 && "$program" run "$scene" -o limited.carom --quiet 2>&1)
[ "$?" -eq 2 ] && [[ "$answer" == *"limited.carom: cannot be written, most likely as files may have 16384 bytes at most here (ulimit -f)"* ]] ||
    complain "a limit on the size of files is not told:" "$answer"
[ ! -e limited.carom ] || complain "a limit on the size of files leaves a recording that is none"

# A scene and a recording with spaces, quotes and a leading dash in their names.
cp -- "$scene" "-a 'b' \"c\".json"
expect 0 "contract   kept" -- run --until 0.1 -- "-a 'b' \"c\".json"
expect 0 "steps      100" -- info -- "-a 'b' \"c\".carom"

# Nothing half-written is left.
left=$(find . -name '*.new-*' -o -name '*-journal' -o -name '*-wal')
same "files that are left" "$left" ""
verdict "bad files are refused with a sentence, and left as they are"
