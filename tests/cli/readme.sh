#!/usr/bin/env bash
# The scenes, commands and program of README.md, and the pairs, problems and commands of docs/distance.md, docs/solvers.md
# and docs/study.md work as printed there. The programs of docs/ are the business of tests/cli/programs.sh.
#
#   tests/cli/readme.sh PROGRAM ROOT BUILD CC
set -uo pipefail
program=$(realpath "$1") root=$(realpath "$2") build=$(realpath "$3") cc=$4
source "$(dirname "$0")/support.sh"
cd "$work" || exit 1

# blocks LANGUAGE FILE PREFIX ENDING: writes the fenced blocks of a language to PREFIX1ENDING, PREFIX2ENDING, ...
blocks() {
    awk -v language="$1" -v prefix="$3" -v ending="$4" '
        /^```/ { inside = !inside && $0 == "```" language; if (inside) file = prefix (++count) ending; next }
        inside { print > file }' "$2"
}
blocks json "$root/README.md" scene .json
blocks c "$root/README.md" readme .c
blocks json "$root/docs/distance.md" pair .json
blocks json "$root/docs/methods-classic.md" collision .json
blocks json "$root/docs/solvers.md" problem .json
mv scene1.json first.json || complain "README.md has no scene"
mv scene2.json touch.json || complain "README.md has no scene with contacts"

same "lines of the first scene" "$(wc -l <first.json)" 5
expect 0 "first.json: good" -- check first.json
# The commands of README.md, but for the folder of the program.
mapfile -t commands < <(sed -nE 's/^    build\/(carom [a-z]+ (first|touch)\..*)/\1/p' "$root/README.md")
[ "${#commands[@]}" -ge 8 ] || complain "README.md has only ${#commands[@]} commands about its scenes"
# `make check` wants no browser; where there is none, no picture can be drawn.
pictures_can_be_drawn() { [ -n "${CAROM_CHROMIUM:-}" ] || command -v chromium chromium-browser google-chrome >/dev/null; }
for command in "${commands[@]}"; do
    [[ "$command" != "carom render "* ]] || pictures_can_be_drawn || continue
    allowed=0
    [[ "$command" != *"# "*"exit code 1 where they differ" ]] || allowed=1
    (
        carom() { "$program" "$@"; }
        eval "$command"
    ) >out.txt 2>&1
    [ $? -eq "$allowed" ] || complain "$command:" "$(cat out.txt)"
done

# What `make run` prints, but for the time it takes, the hash and the last bits, in which processors may differ.
mapfile -t words < <(sed -nE 's/^\t@\$\(BUILD\)\/carom (run .*)/\1/p' "$root/Makefile" | sed 's/\$(BUILD)/build/g' | tr ' ' '\n')
steady() { sed -E '/^ *(wall time|hash)/d;s/-?[0-9.]+e-1[0-9]/tiny/g;s/^ +//'; }
mkdir build
ln -s "$root/scenes" scenes
same "printed and documented summaries of make run" "$("$program" "${words[@]}" 2>/dev/null | steady)" \
    "$(awk '/^`make run` /{on = 1} on && /^      /{print; shown = 1; next} shown{exit}' "$root/README.md" | steady)"

# What the certificates of the scene with contacts say.
mapfile -t shown < <(awk '/^The certificates say of its contacts/{on = 1} on && /^      /{print; shown = 1; next} shown{exit}' "$root/README.md")
[ "${#shown[@]}" -eq 4 ] || complain "README.md shows no certificates of contacts"
answer=$("$program" info touch.carom | sed -E 's/^ +//')
for line in "${shown[@]}"; do
    grep -qxF -- "${line#      }" <<<"$answer" || complain "README.md shows '$line', but touch.json gives:" "$answer"
done
head -1 touch-contacts.csv | grep -q "gap,friction,normal_impulse" || complain "README.md exports no contacts"

# The pair of README.md: the lines that it shows are lines of the answer.
mapfile -t shown < <(awk '/^    build\/carom distance /{on = 1} on && !/^    /{exit} on{print substr($0, 5)}' "$root/README.md")
[ "${#shown[@]}" -ge 5 ] || complain "README.md shows no distances"
read -ra words <<<"${shown[0]}"
answer=$("$program" "${words[@]:1}")
for line in "${shown[@]:1}"; do
    grep -qxF -- "$line" <<<"$answer" || complain "README.md shows '$line', which '${shown[0]}' does not print"
done

# compiled_and_run FILE PART: a part of what it must print
compiled_and_run() {
    local libraries answer
    libraries=$(sed -nE 's/^Libs: [^ ]+ //p' "$build/carom.pc")
    # shellcheck disable=SC2086
    "$cc" -std=c17 -Wall -Wextra -Wpedantic -Werror "$1" -o program -I"$root/include" -L"$build" $libraries || {
        complain "$1 cannot be compiled"
        return
    }
    answer=$(./program 2>&1) || complain "$1 fails: $answer"
    [[ "$answer" == *"$2"* ]] || complain "$1 does not print '$2' but:" "$answer"
}
compiled_and_run readme1.c "t = 2 s: energy "
# docs/distance.md: its pair, and its run with all that it printed.
expect 0 "gap" -- distance pair1.json
# docs/methods-classic.md: its collision.
expect 0 "newton gains energy" -- impact collision1.json
command=$(sed -nE 's/^\$ carom //p' "$root/docs/distance.md")
# shellcheck disable=SC2086
same "printed and documented answers of carom $command" "$("$program" $command)" \
    "$(awk '/^\$ carom /{shown = 1; next} /^```/{shown = 0} shown' "$root/docs/distance.md")"

# docs/solvers.md: its problems are solved, the first with the impulses that it names.
count=$(find . -name 'problem*.json' | wc -l)
[ "$count" -ge 3 ] || complain "docs/solvers.md has only $count problems"
for i in $(seq "$count"); do expect 0 "1 of 1 met 1e-08 by auto" -- solve "problem$i.json"; done
named=$(sed -nE 's/.*"reference": \{"r": \[([^]]*)\]\}`, to the tolerance.*/\1/p' "$root/docs/solvers.md")
"$program" solve problem1.json -o solved.json >/dev/null
found=$(sed -E 's/.*"r": \[([^]]*)\].*/\1/' solved.json)
far=$(paste <(tr -d ' ' <<<"$named" | tr , '\n') <(tr -d ' ' <<<"$found" | tr , '\n') | awk '($1 - $2)^2 > 1e-14 || NF != 2')
same "impulses of the first problem of docs/solvers.md, beyond 1e-7" "$far" ""
# docs/study.md: its commands give what it shows, but for times, what is ordered by them, and the last bits, in which
# processors may differ.
without_times() {
    sed -E '/^estimated error|^error against/,/^$/d;s/ +[0-9.]+ [num]?s( +[0-9.]+ [num]?s)*$//;/processor time|^  a step|hash/d;
            s/ +-?[0-9.]+e-1[0-9]/ tiny/g'
}
awk '/^\$ carom /{file = "study" (++count) ".txt"; print substr($0, 9) > ("study" count ".command"); inside = 1; next}
     /^```/{inside = 0} inside {print > file}' "$root/docs/study.md"
for ((i = 1; ; i++)); do
    [ -e "study$i.command" ] || break
    touch "study$i.txt"
    eval "\"\$program\" $(cat "study$i.command")" >out.txt 2>/dev/null
    same "printed and documented answers of carom $(cat "study$i.command")" "$(without_times <out.txt)" "$(without_times <"study$i.txt")"
done
[ "$i" -gt 5 ] || complain "docs/study.md has only $((i - 1)) commands"
verdict "what README.md and docs/ show is so"
