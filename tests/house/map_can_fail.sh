#!/usr/bin/env bash
# The check of the map must catch what is missing on it, in a small tree made for it.
set -uo pipefail
check=$(dirname "$0")/map.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0

fresh_tree() {
    rm -rf "${tree:?}"/*
    mkdir -p "$tree"/{src/base,src/solve/newton,docs}
    printf '// SPDX-License-Identifier: MIT\n// Memory.\n// Enters: sizes. Leaves: blocks.\n// Called by all.\n' >"$tree/src/base/arena.h"
    cp "$tree/src/base/arena.h" "$tree/src/solve/newton/step.h"
    touch "$tree"/src/base/{arena.c,clock.c} "$tree"/src/solve/newton/step{,_avx2}.c
    printf '| memory | `src/base/arena.h` |\n| time | `clock.c` |\n| Newton | `newton/step.c` |\n' >"$tree/docs/architecture.md"
}

must_pass() {
    bash "$check" "$tree" || {
        echo "a good tree was refused"
        failures=$((failures + 1))
    }
}

must_fail() { # what, words of the message
    local answer
    if answer=$(bash "$check" "$tree"); then
        echo "not caught: $1"
        failures=$((failures + 1))
    elif [[ "$answer" != *"$2"* ]]; then
        echo "caught, but badly explained: $1: $answer"
        failures=$((failures + 1))
    fi
}

fresh_tree
must_pass >/dev/null
touch "$tree/src/solve/newton/law.c"
must_fail "a module that is not on the map" "src/solve/newton/law.c: docs/architecture.md does not name it"
fresh_tree
rm "$tree/src/base/clock.c"
must_fail "a file that is gone" "names clock.c, which is not there"
fresh_tree
echo '// SPDX-License-Identifier: MIT' >"$tree/src/solve/newton/step.h"
must_fail "a folder without a word" "src/solve/newton: no header says"
[ "$failures" -eq 0 ] && echo "what is missing on the map is caught"
exit "$failures"
