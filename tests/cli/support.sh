# What the tests of the program share. Sourced, with the program's path in $program; leaves the folder $work to work in.
# shellcheck shell=bash
failures=0
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT

complain() {
    printf '%s\n' "$@"
    failures=$((failures + 1))
}

# expect CODE PART -- ARGUMENTS...: the exit code, and a part of what is printed on either stream
expect() {
    local code=$1 part=$2 answer got
    shift 3
    answer=$("$program" "$@" 2>&1)
    got=$?
    if [ "$got" -ne "$code" ] || [[ "$answer" != *"$part"* ]]; then
        complain "carom $*: exit $got, wanted $code; wanted '$part' in:" "$answer"
    fi
}

# same WHAT A B: two texts must be equal
same() {
    [ "$2" = "$3" ] || complain "$1 differ:" "  $2" "  $3"
}

# field KEY: the value of a key that occurs once, from an object on the standard input; texts without their quotes
field() {
    sed -E "s/.*\"$1\":(\"([^\"]*)\"|[^,}]*).*/\1/;s/^\"(.*)\"\$/\1/"
}

# page_verdict FILE: the colour and the sentence in the header of a page of a run
page_verdict() {
    sed -nE 's/.*id="carom-header">(.*)<\/script>.*/\1/p' "$1" | grep -oE '"verdict":\{"colour":"[a-z]+","sentence":"[^"]*"' | head -1 | sed -E 's/.*"colour":"([a-z]+)","sentence":"(.*)"/\1: \2/'
}

verdict() { # sentence for success
    [ "$failures" -eq 0 ] && echo "$1"
    exit "$((failures > 0))"
}
