#!/usr/bin/env bash
# `carom bench analytic` in short: no wrong answer is green.
#
#   tests/cli/analytic.sh PROGRAM JSON_LINES
set -uo pipefail
program=$1 json_lines=$2
source "$(dirname "$0")/support.sh"

expect 3 "'bench analytic' takes --short, --only WORD and --json" -- bench analytic --long
"$program" bench analytic --short --only pendulum --json | "$json_lines" >/dev/null || complain "what --json prints is no JSON"
expect 0 "Wrong answers with a green verdict: 0." -- bench analytic --short --only pendulum

"$program" bench analytic --short >"$work/short.md" || complain "a wrong answer is green: $(grep '| \*\*wrong\*\* | green |' "$work/short.md")"
# Every experiment has been asked of some method, and most answers are right.
[ "$(grep -c '^## ' "$work/short.md")" -ge 17 ] || complain "experiments are missing"
[ "$(grep -c '| right |' "$work/short.md")" -ge 55 ] || complain "only $(grep -c '| right |' "$work/short.md") answers are right"
verdict "closed forms are met, or the verdict is not green"
