#!/usr/bin/env bash
# The check of citations must catch each kind of wrong one, in a small tree made for it.
set -uo pipefail
check=$(dirname "$0")/math.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0

fresh_tree() {
    rm -rf "${tree:?}"/*
    mkdir -p "$tree"/{src/solve,docs}
    printf '# Mathematics\n\n## 6 Steps\n\n### 6.1 One step\n\n### 6.10 Last\n' >"$tree/docs/math.md"
    printf '// Solves the step (docs/math.md 6.1, 6.10). The residual, docs/math.md\n// 6, too.\n' >"$tree/src/solve/lemke.c"
}

must_pass() { # what, line to add
    fresh_tree
    printf '%b\n' "$2" >>"$tree/src/solve/lemke.c"
    bash "$check" "$tree" >/dev/null || {
        echo "refused: $1"
        failures=$((failures + 1))
    }
}

must_fail() { # what, line to add, words of the message
    fresh_tree
    printf '%b\n' "$2" >>"$tree/src/solve/lemke.c"
    local answer
    if answer=$(bash "$check" "$tree"); then
        echo "not caught: $1"
        failures=$((failures + 1))
    elif [[ "$answer" != *"$3"* || "$answer" != *"src/solve/lemke.c:3"* ]]; then
        echo "caught, but badly explained: $1: $answer"
        failures=$((failures + 1))
    fi
}

must_pass "good citations" '// As in docs/math.md 6.10; 17 of 20.'
must_pass "the page as a whole" '// The notation of docs/math.md.'
must_fail "a section that is not there" '// docs/math.md 6.2' "no section 6.2"
must_fail "the second of two" '// docs/math.md 6.1, 7.3: never' "no section 7.3"
must_fail "the second of two, by and" '// docs/math.md 6.1 and 9' "no section 9"
must_fail "over the end of a line" '// as in docs/math.md\n// 4.4.' "no section 4.4"
must_fail "a page that is elsewhere" '// (MATH: section 6)' "not in the repository"
must_fail "an equation of a source" '// as in [S] 2.8' "not in the repository"
[ "$failures" -eq 0 ] && echo "every kind of wrong citation is caught"
exit "$failures"
