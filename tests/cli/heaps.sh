#!/usr/bin/env bash
# `carom bench heaps` in short: a small heap at every setting, beside Bullet where its program is built.
#
#   tests/cli/heaps.sh PROGRAM SOURCES JSON_LINES
set -uo pipefail
program=$1 sources=$2 json_lines=$3
source "$(dirname "$0")/support.sh"

expect 2 "there is no such heap" -- bench heaps --only towr
expect 2 "there is no folder '/nowhere'" -- bench heaps --scenes /nowhere
expect 2 "--steps needs a number above 0, not 'few'" -- bench heaps --steps few
expect 2 "a benchmark takes only --json, not '--fast'" -- bench heaps --fast
expect 0 "towers, default, steps above, of a heap" -- bench heaps --only tower-8 --steps 8

# Certificates state no less than what the residual evaluator of all engines finds.
lines=$("$program" bench heaps --only tower-8 --steps 20 --json 2>/dev/null)
printf '%s\n' "$lines" | "$json_lines" >/dev/null || complain "what --json prints is no JSON"
for setting in "20 sweeps" default 1e-6 1e-8; do
    line=$(printf '%s\n' "$lines" | grep -F "\"tower-8, $setting\"")
    same "steps of $setting" "$(field steps <<<"$line")" 20
    awk -v found="$(field largest_residual <<<"$line")" -v stated="$(field largest_stated <<<"$line")" \
        'BEGIN { exit !(found > 0 && found <= 1.001 * stated + 1e-11) }' ||
        complain "$setting: the certificate is below the evaluator: $line"
done
if [ -x "$(dirname "$program")/bench/peers/heap_bullet" ]; then
    line=$(printf '%s\n' "$lines" | grep -F '"tower-8, Bullet, 10')
    awk -v overlap="$(field overlap <<<"$line")" -v residual="$(field residual <<<"$line")" \
        'BEGIN { exit !(overlap > 0 && overlap < 0.1 && residual > 0 && residual < 1) }' ||
        complain "Bullet did not stand: $line"
else
    expect 0 "the peer Bullet is missing" -- bench heaps --only tower-8 --steps 1
fi
verdict "heaps are run by all engines and measured alike"
