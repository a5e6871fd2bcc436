#!/usr/bin/env bash
# The program's verbs: what they print, and how they refuse.
#
#   tests/cli/verbs.sh PROGRAM
set -uo pipefail
program=$1
failures=0

# expect CODE PART -- ARGUMENTS...: the exit code, and a part of what is printed on either stream
expect() {
    local code=$1 part=$2 answer got
    shift 3
    answer=$("$program" "$@" 2>&1)
    got=$?
    if [ "$got" -ne "$code" ] || [[ "$answer" != *"$part"* ]]; then
        echo "carom $*: exit $got, wanted $code; wanted '$part' in:"
        echo "$answer"
        failures=$((failures + 1))
    fi
}

expect 0 "usage: carom VERB" --
expect 0 "develop" -- help
expect 0 "usage: carom VERB" -- --help
expect 0 "usage: carom bench [NAME | all]" -- help bench
expect 0 '{"verb":"version"' -- help --json
expect 2 "there is no verb 'flyy' to help with" -- help flyy
expect 2 "takes one verb" -- help bench version
expect 0 "carom 0." -- version
expect 0 "carom 0." -- --version
expect 0 '{"version":"0.' -- version --json
expect 2 "'version' takes only --json, not 'now'" -- version now
expect 2 "there is no verb 'versoin'; did you mean 'version'?" -- versoin
expect 2 "there is no verb 'zzzzzzzz'; there are: bench help version" -- zzzzzzzz
expect 2 "there is no verb ''" -- ""
expect 2 "there is no verb '$(printf 'x%.0s' {1..500})'" -- "$(printf 'x%.0s' {1..500})"
expect 0 "cholesky" -- bench
expect 2 "there is no benchmark 'cholesk'; did you mean 'cholesky'?" -- bench cholesk
expect 2 "a benchmark takes only --json, not '--fast'" -- bench cholesky --fast

# A full disk must not pass for success.
if [ -e /dev/full ]; then
    "$program" version >/dev/full 2>/dev/null
    [ $? -eq 3 ] || { echo "writing to a full disk was not noticed"; failures=$((failures + 1)); }
fi
[ "$failures" -eq 0 ] && echo "all verbs answer as documented"
exit "$failures"
