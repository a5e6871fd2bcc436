#!/usr/bin/env bash
# Holds docs/documents.md against the program: its commands run, for a moment of simulated time, the files, keys of
# tables and benchmarks that it names are there, and its counts are those of its rows.
#
#   tests/house/documents.sh PROGRAM ROOT [PAGE]
set -uo pipefail
export LC_ALL=C.UTF-8
program=$(realpath "$1")
cd "$2" || exit 1
page=${3:-docs/documents.md}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wrong=0
complain() {
    echo "$page: $1"
    wrong=1
}

# Everything between backticks in its tables.
mapfile -t spans < <(grep '^|' "$page" | grep -oE '`[^`]+`' | tr -d '`')

# Long runs are made for this long only, s.
moment=0.02
ran=0
# run COMMAND...: the words of a command of the page
run() {
    local -a words=("$@")
    case ${words[1]} in
    bench) # programs that take minutes: only whether they are there
        [ -f "bench/${words[2]}.c" ] || complain "there is no benchmark '${words[2]}'"
        return
        ;;
    export) # needs a recording; its words are the program's
        "$program" help export | grep -qw -- "${words[3]}" || complain "'carom help export' does not know '${words[3]}'"
        return
        ;;
    run) words+=(--until "$moment" --quiet --no-report --force -o "$work/run.carom") ;;
    compare | converge) [[ "$*" == *--until* ]] || words+=(--until "$moment") ;;
    esac
    # Tiny scenes have no three halvings of a step within the moment.
    (ulimit -t 120 && exec "$program" "${words[@]:1}") >"$work/out" 2>"$work/err" </dev/null
    local code=$?
    ran=$((ran + 1))
    # Methods may differ, and orders be unsteady, within a moment: that is what exit code 1 of these says.
    case "${words[1]} $code" in
    *" 0" | "compare 1" | "converge 1") ;;
    *) complain "'$*' ends with $code: $(head -c 300 "$work/err")" ;;
    esac
}

for span in "${spans[@]}"; do
    case $span in
    carom\ *)
        read -ra words <<<"$span"
        if [ "${#words[@]}" -gt 2 ]; then
            run "${words[@]}"
        else # just a verb
            "$program" help "${words[1]}" >/dev/null 2>&1 || complain "there is no '$span'"
        fi
        ;;
    scenes/* | tests/* | src/* | docs/*) [ -e "$span" ] || complain "there is no $span" ;;
    carom_*) grep -rqw -- "$span" include || complain "$span is not in include/" ;;
    esac
done
[ "$ran" -gt 50 ] || [ -n "${3:-}" ] || complain "only $ran commands were found"

# The table of counts: each document's rows by state, and their sums.
count_of() { # SECTION STATE
    awk -F'|' -v section="## [$1]" -v state=" $2 " '
        /^## / { inside = index($0, section) == 1 }
        inside && NF == 6 && $4 == state { n++ }
        END { print n + 0 }' "$page"
}
states=("there" "partly" "differently" "not there yet")
sums=(0 0 0 0)
while IFS='|' read -r _ name counts; do
    letter=$(sed -E 's/^ \[([A-Z])\].*/\1/' <<<"$name")
    IFS='|' read -ra told <<<"$counts"
    for i in 0 1 2 3; do
        number=$(tr -d ' ' <<<"${told[i]}")
        if [ "$name" = " all " ]; then
            [ "$number" = "${sums[i]}" ] || complain "in all ${sums[i]} rows are '${states[i]}', the table says $number"
        else
            found=$(count_of "$letter" "${states[i]}")
            [ "$number" = "$found" ] || complain "[$letter] has $found rows that are '${states[i]}', the table says $number"
            sums[i]=$((sums[i] + found))
        fi
    done
done < <(grep -E '^\| (\[[A-Z]\] .*|all) (\| [0-9]+ ){4}\|$' "$page")

# No row is in a state of its own, or without a word of where or why.
while read -r line; do
    complain "this row is in none of the states, or says nothing: $line"
done < <(awk -F'|' '/^## /{ inside = 1 } inside && NF == 6 && $2 !~ /^ place $|^-+$/ &&
    ($4 !~ /^ (there|partly|differently|not there yet) $/ || $5 ~ /^ *$/)' "$page")

[ "$wrong" -eq 0 ] && echo "$ran commands run, and what is named is there"
exit "$wrong"
