#!/usr/bin/env bash
# The check of words must catch those that were given up, and leave plain English alone, in a small tree made for it.
set -uo pipefail
check=$(dirname "$0")/words.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0

fresh_tree() {
    rm -rf "${tree:?}"/*
    mkdir -p "$tree"/{src/solve,src/contact,include/carom,docs,viewer/src}
    printf '// Sweeps of Gauss-Seidel; bodies take turns, the loop returns. A body that cannot reach another.\nint rotation;\n' >"$tree/src/solve/sweep.c"
    printf '// Contacts with a margin.\n' >"$tree/src/contact/item.h"
    printf '# A page\n\nA chain of five links settles; which of them turns out to be heavy.\n' >"$tree/docs/page.md"
    printf '| blow | impact |\n' >"$tree/docs/glossary.md"
}

must_fail() { # word, file, line to add
    fresh_tree
    printf '%s\n' "$3" >>"$tree/$2"
    local answer
    if answer=$(bash "$check" "$tree"); then
        echo "not caught: $1"
        failures=$((failures + 1))
    elif [[ "$answer" != *"$2:"*"'$1'"*"say: "* ]]; then
        echo "caught, but badly explained: $1: $answer"
        failures=$((failures + 1))
    fi
}

fresh_tree
bash "$check" "$tree" >/dev/null || {
    echo "a good tree was refused"
    failures=$((failures + 1))
}
must_fail blow docs/page.md 'The blow is elastic.'
must_fail Blows src/solve/sweep.c '// Blows come first.'
must_fail _blow src/solve/sweep.c 'int row_blow;'
must_fail judge src/solve/sweep.c '// The judge, on a packed problem.'
must_fail turn viewer/src/page.js '// by a quarter turn'
must_fail events src/contact/item.h '// The events of a pair.'
must_fail sweep src/contact/item.h '// The sweep of a fast body.'
must_fail chain src/solve/sweep.c '// The chain of solvers.'
must_fail Settl src/solve/sweep.c '// Settles the last digits.'
must_fail '"sweep"' docs/scene.schema.json '{"sweep": {"type": "boolean"}}'
[ "$failures" -eq 0 ] && echo "words that were given up are caught"
exit "$failures"
