#!/usr/bin/env bash
# The check of docs/documents.md must catch commands that do not run, what is not there, and counts that are not so.
#
#   tests/house/documents_can_fail.sh PROGRAM ROOT
set -uo pipefail
check=$(dirname "$0")/documents.sh program=$1 root=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

fresh_page() {
    cat >"$work/page.md" <<'MD'
# A page

| document | there | partly | differently | not there yet |
|---|---|---|---|---|
| [X] one | 1 | 0 | 0 | 1 |
| [Y] two | 0 | 1 | 0 | 0 |
| all | 1 | 1 | 0 | 1 |

## [X] one

| place | what | state | here |
|---|---|---|---|
| 1 | a pair | there | `carom distance sphere:1 sphere:1@3,0,0`, `carom_ray_find`, `scenes/dice.json`, `carom bench chain` |
| 2 | nothing | not there yet | control |

## [Y] two

| place | what | state | here |
|---|---|---|---|
| 1 | a run | partly | `carom run scenes/two-blocks.json`, `carom export --what joints` |
MD
}

must_fail() { # what, text to replace, its replacement, words of the message
    fresh_page
    local page answer
    page=$(<"$work/page.md")
    [[ "$page" == *"$2"* ]] || echo "the page has no '$2'"
    printf '%s\n' "${page/"$2"/"$3"}" >"$work/page.md"
    if answer=$(bash "$check" "$program" "$root" "$work/page.md"); then
        echo "not caught: $1"
        failures=$((failures + 1))
    elif [[ "$answer" != *"$4"* ]]; then
        echo "caught, but badly explained: $1: $answer"
        failures=$((failures + 1))
    fi
}

fresh_page
bash "$check" "$program" "$root" "$work/page.md" >/dev/null || {
    echo "a good page was refused"
    failures=$((failures + 1))
}
must_fail "a command that is refused" "sphere:1@3,0,0" "spheer:1" "there is no shape 'spheer'"
must_fail "a scene that is not there" "scenes/dice.json" "scenes/dicee.json" "there is no scenes/dicee.json"
must_fail "a run of no scene" "scenes/two-blocks.json" "scenes/three-blocks.json" "'carom run scenes/three-blocks.json' ends with 2"
must_fail "a call that is not there" "carom_ray_find" "carom_ray_seek" "carom_ray_seek is not in include/"
must_fail "a benchmark that is not there" "bench chain" "bench chian" "there is no benchmark 'chian'"
must_fail "a table that is not exported" "--what joints" "--what moments" "does not know 'moments'"
must_fail "a count that is not so" "| [Y] two | 0 | 1 |" "| [Y] two | 1 | 1 |" "[Y] has 0 rows that are 'there', the table says 1"
must_fail "a sum that is not so" "| all | 1 | 1 |" "| all | 2 | 1 |" "in all 1 rows are 'there', the table says 2"
must_fail "a state of its own" "| not there yet | control" "| nearly | control" "this row is in none of the states"
must_fail "a row without a word" "| control |" "| |" "says nothing"
[ "$failures" -eq 0 ] && echo "pages that do not hold are caught"
exit "$failures"
