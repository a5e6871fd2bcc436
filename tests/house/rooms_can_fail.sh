#!/usr/bin/env bash
# The check of rooms must catch crowded folders and names that are there twice, in a small tree made for it.
set -uo pipefail
check=$(dirname "$0")/rooms.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0

fresh_tree() {
    rm -rf "${tree:?}"/*
    mkdir -p "$tree"/{src/base,src/solve/newton,cli,bench,tools/verify,tests/data,scenes}
    touch "$tree"/src/base/arena.{c,h} "$tree"/src/solve/newton/step.{c,h} "$tree"/cli/main.c
    for i in $(seq 40); do touch "$tree/tests/data/case$i.json" "$tree/scenes/scene$i.json"; done
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
bash "$check" "$tree" >/dev/null || {
    echo "a good tree was refused"
    failures=$((failures + 1))
}
for room in src/base src/solve/newton cli bench tools/verify tests/data; do
    fresh_tree
    for i in $(seq 23); do touch "$tree/$room/file$i.c"; done
    must_fail "a crowd in $room" "$room: has 2"
done
fresh_tree
touch "$tree/src/solve/arena.h"
must_fail "a name that is there twice" "the name arena.h is there twice: src/base/arena.h src/solve/arena.h"
[ "$failures" -eq 0 ] && echo "crowded folders and double names are caught"
exit "$failures"
