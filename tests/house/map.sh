#!/usr/bin/env bash
# Fails when docs/architecture.md does not name a module of src/ (a .c or .h file, by its stem), or names a file that is
# not there; and when no header of a folder of src/, cli/ or tools/ begins by saying what the folder is for.
#
#   tests/house/map.sh ROOT
set -euo pipefail
cd "${1:?usage: map.sh ROOT}"
map=docs/architecture.md
wrong=0
complain() {
    echo "$1"
    wrong=1
}

# Every word of the map that stands in code marks, files without their folder and ending.
named=$(grep -oE '`[^`]+`' "$map" | tr -d '`' | tr ' ,;' '\n\n\n' | sed -E 's|.*/||' | LC_ALL=C sort -u)
stems=$(find src -type f \( -name '*.c' -o -name '*.h' \) | LC_ALL=C sort)
count=0
declare -A known=()
while read -r word; do [ -z "$word" ] || known[$word]=1; done <<<"$named"
declare -A seen=()
while read -r file; do
    stem=${file##*/}
    stem=${stem%.*}
    [ -z "${seen[$stem]:-}" ] || continue
    seen[$stem]=1
    count=$((count + 1))
    # A kernel for an instruction set goes with its portable form.
    base=${stem%_avx2}
    [ -n "${known[$stem.c]:-}${known[$stem.h]:-}${known[$stem]:-}${known[$base.c]:-}${known[$base.h]:-}${known[$base]:-}" ] ||
        complain "$file: $map does not name it"
done <<<"$stems"

declare -A there=()
while read -r file; do there[${file##*/}]=1; done < <(find src include cli tools tests bench cmake scripts viewer/src -type f 2>/dev/null)
while read -r word; do
    [ -n "${there[$word]:-}" ] || complain "$map: names $word, which is not there"
done < <(grep -E '^[a-z0-9_]+\.(c|h|def)$' <<<"$named")

# The first header of a folder has the folder's own name, or is the first by name; it begins with a comment of its own.
folders=0
while read -r folder; do
    files=("$folder"/*.[ch])
    [ "${#files[@]}" -gt 1 ] || continue # one file says it itself
    folders=$((folders + 1))
    first=
    for header in "$folder/$(basename "$folder").h" "$folder"/*.h; do
        [ -f "$header" ] || continue
        # Of some length: after the licence, what enters, what leaves, who calls it.
        lines=$(awk 'NR == 1 && /SPDX/ {next} /^\/\// {n++; next} {exit} END {print n + 0}' "$header")
        [ "$lines" -lt 3 ] || { first=$header && break; }
    done
    [ -n "$first" ] || complain "$folder: no header says in three lines what enters, what leaves and who calls it"
done < <(find src cli tools -type f -name '*.[ch]' 2>/dev/null | sed 's|/[^/]*$||' | LC_ALL=C sort -u)

if [ "$count" -eq 0 ]; then
    echo "no source files found under $1"
    exit 1
fi
[ "$wrong" -eq 0 ] && echo "$count modules are on the map, $folders folders say what they are for"
exit "$wrong"
