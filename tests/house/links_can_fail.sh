#!/usr/bin/env bash
# The check of links must catch those that lead nowhere, in a small tree made for it.
set -uo pipefail
check=$(dirname "$0")/links.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0

fresh_tree() {
    rm -rf "${tree:?}"/*
    mkdir -p "$tree/docs"
    printf '# Carom\n\n[A page](docs/page.md), [its end](docs/page.md#the-method-lcp-fixed-steps), [here](#carom), [there](https://example.org/none).\n' >"$tree/README.md"
    printf '# A page\n\n## The method `lcp`: fixed steps\n\n[Back](../README.md)\n' >"$tree/docs/page.md"
}

must_fail() { # what, line to add, words of the message
    fresh_tree
    echo "$2" >>"$tree/docs/page.md"
    local answer
    if answer=$(bash "$check" "$tree"); then
        echo "not caught: $1"
        failures=$((failures + 1))
    elif [[ "$answer" != "docs/page.md: "*"$3"* ]]; then
        echo "caught, but badly explained: $1: $answer"
        failures=$((failures + 1))
    fi
}

fresh_tree
bash "$check" "$tree" >/dev/null || {
    echo "a good tree was refused"
    failures=$((failures + 1))
}
must_fail "a page that is not there" 'See [more](more.md).' "more.md leads nowhere"
must_fail "a heading of another page" 'See [it](../README.md#caron).' "no heading #caron"
must_fail "a heading of its own" 'See [it](#the-end).' "no heading #the-end"
[ "$failures" -eq 0 ] && echo "links that lead nowhere are caught"
exit "$failures"
