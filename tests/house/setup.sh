#!/usr/bin/env bash
# scripts/setup waits while another program holds the lock of the packages, and only then. With an apt-get of our own.
#
#   tests/house/setup.sh ROOT
set -uo pipefail
root=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
complain() {
    printf '%s\n' "$@"
    failures=$((failures + 1))
}

# A machine on which nothing but cc and the tools of this script is installed.
mkdir -p "$work/bin" "$work/scripts" "$work/viewer/node_modules"
cp "$root/scripts/setup" "$work/scripts/"
echo '{}' | tee "$work/viewer/package-lock.json" >"$work/viewer/node_modules/.carom-lock"
for tool in bash basename cat cmp dirname env grep mktemp rm sed sort; do ln -s "$(command -v "$tool")" "$work/bin/$tool"; done
tool() { # name, text
    printf '#!/bin/bash\n%s\n' "$2" >"$work/bin/$1"
    chmod +x "$work/bin/$1"
}
tool id 'echo 0'
tool cc 'exit 0'
tool sleep "echo sleep >>'$work/calls'; [ ! -e '$work/slow' ] || exec $(command -v sleep) 1"
# Fails as often as $work/refusals says, with the sentence in $work/sentence.
tool apt-get "echo \"apt-get \$*\" >>'$work/calls'
left=\$(cat '$work/refusals')
[ \"\$left\" -eq 0 ] && exit 0
echo \$((left - 1)) >'$work/refusals'
cat '$work/sentence' >&2
exit 100"

setup() { # refusals, sentence, seconds of patience
    echo "$1" >"$work/refusals"
    echo "$2" >"$work/sentence"
    : >"$work/calls"
    answer=$(PATH=$work/bin CC=clang CAROM_PATIENCE=$3 bash "$work/scripts/setup" build 2>&1)
    code=$?
}
held='E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 4711 (apt-get)'

setup 0 '' 100
[ "$code" -eq 0 ] || complain "setup fails without a lock: $answer"
grep -q 'apt-get.* install .*clang.*nodejs' "$work/calls" || complain "setup does not ask for clang and node:" "$(cat "$work/calls")"

setup 3 "$held" 100
[ "$code" -eq 0 ] || complain "setup does not wait for a lock: $answer"
[ "$(grep -c sleep "$work/calls")" -eq 3 ] || complain "setup does not try again:" "$(cat "$work/calls")"
[ "$(grep -c 'waiting for it' <<<"$answer")" -eq 1 ] || complain "setup does not say once that it waits: $answer"

touch "$work/slow"
setup 1000000 "$held" 2
[ "$code" -ne 0 ] || complain "setup waits for ever"
[[ "$answer" == *"process 4711"*"carom needs these Debian packages"* ]] || complain "setup does not say who holds the lock: $answer"
rm "$work/slow"

setup 1000000 'E: Unable to locate package libcmocka-dev' 100
[ "$code" -ne 0 ] || complain "setup takes a failure for a success"
grep -q sleep "$work/calls" && complain "setup tries again when there is no lock"
[[ "$answer" == *"Unable to locate package"* ]] || complain "setup does not show what apt says: $answer"

[ "$failures" -eq 0 ] && echo "setup waits for a lock, and only for one"
exit "$((failures > 0))"
