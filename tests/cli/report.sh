#!/usr/bin/env bash
# Reports and pictures: where they are written, what is refused. What the page shows is tested by viewer.sh.
#
#   tests/cli/report.sh PROGRAM ROOT JSON_LINES
set -uo pipefail
program=$(realpath "$1") root=$(realpath "$2") json_lines=$(realpath "$3")
source "$(dirname "$0")/support.sh"
cd "$work" || exit 1
scene=$root/scenes/five-link-chain.json

# A run writes its report beside the recording, and says so, unless it shall not.
mkdir runs
expect 0 "report     runs/chain.html" -- run "$scene" --until 0.1 -o runs/chain.carom
[ -f runs/chain.html ] || complain "a run has written no report"
"$program" run "$scene" --until 0.1 -o runs/none.carom --no-report --quiet
[ ! -e runs/none.html ] || complain "a report in spite of --no-report"
same "the report in --json" "$("$program" run "$scene" --until 0.1 -o other.carom --json | field report)" other.html
same "no report in --json" "$("$program" run "$scene" --until 0.1 -o other.carom --force --no-report --json | field report)" null
# A page of somebody else stays, and the run is as good without.
echo "<p>mine</p>" >mine.html
expect 0 "there is no report of this run: mine.html: is no report of carom and is left alone" -- run "$scene" --until 0.1 -o mine.carom --force
expect 0 "contract   kept" -- run "$scene" --until 0.1 -o mine.carom --force
same "the page of somebody else" "$(cat mine.html)" "<p>mine</p>"

expect 2 "'report' needs a recording" -- report
expect 2 "runs/chain.html exists already; --force replaces it" -- report runs/chain.carom
expect 0 "runs/chain.html: " -- report runs/chain.carom --force
expect 0 "7 frames" -- report runs/chain.carom -o page.html
expect 2 "mine.html: is no report of carom and is left alone; choose another name" -- report runs/chain.carom -o mine.html --force
expect 2 "nowhere/x.html: cannot be made, as its folder does not exist" -- report runs/chain.carom -o nowhere/x.html
expect 2 "mine.html: is not a carom recording" -- report mine.html -o x.html
expect 2 "missing: No such file or directory" -- report missing
"$program" report runs/chain.carom -o json.html --json | "$json_lines" >/dev/null || complain "report --json is no JSON"
same "bytes that are said" "$("$program" report runs/chain.carom -o json.html --force --json | field bytes)" "$(stat -c %s json.html)"
cmp -s json.html page.html || complain "two reports of one recording differ"
[ "$(grep -c 'https\?://[^"]*\.js"' json.html)" -eq 0 ] || complain "a report loads scripts from elsewhere"

# Pictures: everything is checked before a browser is looked for.
export CAROM_CHROMIUM=/nonexistent
expect 2 "there is no program /nonexistent, which CAROM_CHROMIUM names" -- render runs/chain.carom
expect 2 "--at needs a number of seconds, not 'soon'" -- render runs/chain.carom --at soon
expect 2 "--at is 0.2 s, but runs/chain.carom goes from 0 to 0.1 s" -- render runs/chain.carom --at 0 --at 0.2
expect 2 "--size needs two numbers from 16 to 8192" -- render runs/chain.carom --size 10x10
expect 2 "--size needs two numbers from 16 to 8192" -- render runs/chain.carom --size 100x100x
expect 2 "there is no theme 'drak'; did you mean 'dark'?" -- render runs/chain.carom --theme drak
expect 2 "there is no layer 'girds'" -- render runs/chain.carom --layers axes,girds
expect 2 "--view needs azimuth, elevation and a positive zoom" -- render runs/chain.carom --view 1,2
expect 2 "mine.html exists already; --force replaces it" -- render runs/chain.carom -o mine.html
expect 2 "missing: No such file or directory" -- render missing
unset CAROM_CHROMIUM
PATH=/nonexistent expect 2 "pictures need Chromium, which is not in the PATH" -- render runs/chain.carom
# A program that is no browser says nothing; nothing is left behind.
mkdir empty
TMPDIR=$work/empty CAROM_CHROMIUM=$(command -v true) expect 3 "the browser gives no answer" -- render runs/chain.carom
same "what is left" "$(find empty runs -name 'carom-browser*' -o -name '*.png' -o -name '*.new-*')" ""
verdict "reports are written, and refused, as documented"
