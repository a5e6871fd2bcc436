#!/usr/bin/env bash
# `carom bench analytic` in short: no wrong answer is green but those that are known, and these are still wrong.
#
#   tests/cli/analytic.sh PROGRAM SOURCES JSON_LINES
set -uo pipefail
program=$1 sources=$2 json_lines=$3
source "$(dirname "$0")/support.sh"

expect 3 "'bench analytic' takes --short, --only WORD and --json" -- bench analytic --long
"$program" bench analytic --short --only pendulum --json | "$json_lines" >/dev/null || complain "what --json prints is no JSON"
expect 0 "Wrong answers with a green verdict: 0." -- bench analytic --short --only pendulum

"$program" bench analytic --short >"$work/short.md"
# Rows that are wrong and green, as "experiment | method"; the list of those that are known has the same form.
awk '/^## / { name = substr($0, 4) } /^\|.*\| \*\*wrong\*\* \| green \|$/ { split($0, cell, "|"); gsub(/[` ]+$|^[` ]+/, "", cell[2]); print name " | " cell[2] }' \
    "$work/short.md" | sort >"$work/unnoticed"
grep -v '^#' "$sources/tests/data/analytic_unnoticed.txt" | sort >"$work/known"
same "wrong answers with a green verdict" "$(cat "$work/unnoticed")" "$(cat "$work/known")"
# Every experiment has been asked of some method, and most answers are right.
[ "$(grep -c '^## ' "$work/short.md")" -ge 17 ] || complain "experiments are missing"
[ "$(grep -c '| right |' "$work/short.md")" -ge 55 ] || complain "only $(grep -c '| right |' "$work/short.md") answers are right"
verdict "closed forms are met, or the verdict is not green"
