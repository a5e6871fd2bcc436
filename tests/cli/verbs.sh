#!/usr/bin/env bash
# The program's verbs: what they print, and how they refuse.
#
#   tests/cli/verbs.sh PROGRAM
set -uo pipefail
program=$1
source "$(dirname "$0")/support.sh"

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
expect 2 "there is no verb 'zzzzzzzz'; there are: run plan check info hash export report render gallery compare converge distance impact solve verify bench help version" -- zzzzzzzz
expect 2 "there is no verb ''" -- ""
expect 2 "there is no verb '$(printf 'x%.0s' {1..500})'" -- "$(printf 'x%.0s' {1..500})"
expect 0 "cholesky" -- bench
expect 0 "prisms" -- bench
expect 2 "there is no benchmark 'cholesk'; did you mean 'cholesky'?" -- bench cholesk
expect 2 "a benchmark takes only --json, not '--fast'" -- bench cholesky --fast
expect 2 "a benchmark takes only --json, not '--fast'" -- bench prisms --fast
expect 2 "this benchmark takes --json and files of problems, not '--fast'" -- bench solve --fast
expect 2 "/nowhere.json: cannot be read" -- bench solve /nowhere.json

# Each verb has its help, by either way to ask.
for verb in run check info hash export report render gallery compare converge distance impact solve verify bench help version; do
    expect 0 "usage: carom $verb " -- help "$verb"
    expect 0 "usage: carom $verb " -- "$verb" --help
    expect 0 "usage: carom $verb " -- "$verb" something -h
done
expect 0 "-o, --out FILE" -- help run
for group in run look study develop; do expect 0 $'\n'"$group"$'\n' -- help; done

# Options.
expect 2 "there is no option of 'run' called '--froce'; did you mean '--force'?" -- run x --froce
expect 2 "there is no option of 'run' called '--forc'; did you mean '--force'?" -- run x --forc=1
expect 2 "there is no option of 'hash' called '-x'; there are: --json" -- hash -x
expect 2 "there is no option of 'version' called '--jsn'; did you mean '--json'?" -- version --jsn
expect 2 "--force takes no value, but was given 'yes'" -- run x --force=yes
expect 2 "--until needs a value: --until T" -- run x --until
expect 2 "--until needs a value: --until T" -- run x --until=
expect 2 "--until needs a value: --until T" -- run x --until --force
expect 2 "--until needs a number of seconds, not 'soon'" -- run x --until soon
expect 2 "--until needs a number of seconds, not '1s'" -- run x --until 1s
expect 2 "--until needs a number of seconds, not 'nan'" -- run x --until nan
expect 2 "--until needs a number of seconds, not 'inf'" -- run x --until=inf
expect 2 "--until needs a number of seconds, not '1e999'" -- run x --until 1e999
expect 2 "--until is -3 s, must not be negative" -- run x --until -3
expect 2 "--every needs a whole number from 1 to 2147483647, not '0'" -- run x --every 0
expect 2 "--every needs a whole number from 1 to 2147483647, not '2.5'" -- run x --every=2.5
expect 2 "--every needs a whole number from 1 to 2147483647, not '99999999999999999999'" -- run x --every 99999999999999999999
expect 2 "--set needs a value: --set PATH=VALUE" -- run x --set
expect 2 "--out needs a value: --out FILE" -- run x -o
expect 2 "-x: there is no such file" -- run -- -x
expect 2 "'run' needs a scene" -- run
expect 2 "'run' needs a scene" -- run --
expect 2 "'run' takes a scene and nothing more, but there is also 'b'" -- run a b
expect 2 "'check' needs a scene" -- check --json
expect 2 "'info' needs a recording" -- info
expect 2 "'hash' takes a recording and nothing more, but there is also '--json'" -- hash a -- --json
expect 2 "'export' needs a recording" -- export --csv
expect 2 "'verify' needs files of reference data" -- verify
# A control character must not reach the terminal.
expect 2 "there is no verb '?[31mrun'" -- $'\e[31mrun'

# A full disk must not pass for success.
if [ -e /dev/full ]; then
    "$program" version >/dev/full 2>/dev/null
    [ $? -eq 3 ] || complain "writing to a full disk was not noticed"
fi
verdict "all verbs answer as documented"
