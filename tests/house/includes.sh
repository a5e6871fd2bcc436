#!/usr/bin/env bash
# Fails when an include points upward: a lower folder of src/ to a higher one, a front end to anything but include/carom,
# a public header to anything of ours but public headers.
#
#   tests/house/includes.sh ROOT
set -euo pipefail
cd "${1:?usage: includes.sh ROOT}"

# folder: what it may include besides itself and the public headers
declare -A may_include=(
    [base]=""
    [math]="base"
    [shape]="base math"
    [distance]="base math shape"
    [contact]="base math shape distance"
    [flex]="base math"
    [model]="base math shape distance contact flex"
    [solve]="base math"
    [impact]="base math"
    [step]="base math shape distance contact model flex solve impact"
    [control]="base math shape distance contact model flex solve impact step"
    [scene]="base math"
    [record]="base math"
)
# What only src/, tests/ and bench/ may know of.
third_party='amd|IpStdC|cholmod|jansson|sqlite3|zlib|libqhull|libxml|coin|mpi'

wrong=0
complain() {
    echo "$1:$2: $3"
    wrong=1
}

# Prints "line kind path" for every include of a file: kind is quoted or angled.
includes_of() {
    sed -nE '/^[[:space:]]*#[[:space:]]*include/{=;s/^[^<"]*"([^"]+)".*/quoted \1/;s/^[^<"]*<([^>]+)>.*/angled \1/;p}' "$1" | paste -d' ' - -
}

check_source() { # file in src/
    local folder=${1#src/}
    folder=${folder%%/*}
    if [ -z "${may_include[$folder]+known}" ]; then
        complain "$1" 1 "the folder src/$folder is not in the table of tests/house/includes.sh; add it with what it may include"
        return
    fi
    local line kind path
    while read -r line kind path; do
        [ "$kind" = quoted ] || continue
        local target=${path%%/*}
        case "$path" in
        ../* | */../*) complain "$1" "$line" "\"$path\" climbs; name the folder: \"folder/file.h\"" ;;
        carom/*) ;;
        */*) case " $folder ${may_include[$folder]} " in
            *" $target "*) ;;
            *) complain "$1" "$line" "src/$folder may not include \"$path\"; it may include: carom $folder ${may_include[$folder]}" ;;
            esac ;;
        *) complain "$1" "$line" "\"$path\" does not name its folder: \"$folder/$path\"" ;;
        esac
    done < <(includes_of "$1")
}

check_front_end() { # file, folder
    local line kind path
    while read -r line kind path; do
        if [ "$kind" = angled ]; then
            [[ ! "$path" =~ ^($third_party) ]] || complain "$1" "$line" "a front end may not include <$path>"
        elif [[ "$path" != carom/* && ! -f "$2/$path" && ! -f "tools/$path" ]]; then
            complain "$1" "$line" "a front end may include \"carom/...\", tools and its own headers, not \"$path\""
        fi
    done < <(includes_of "$1")
}

# A tool: public headers, its own headers (named from tools/), and the lowest folders of src; what checks plans may look
# at their rows, too.
check_tool() { # file in tools/
    local line kind path
    while read -r line kind path; do
        [ "$kind" = quoted ] || continue
        case "$path" in
        carom/* | base/* | math/*) ;;
        control/*) [[ "$1" == tools/verify/control/* ]] || complain "$1" "$line" "only tools/verify/control may include \"$path\"" ;;
        *) [ -f "tools/$path" ] || complain "$1" "$line" "tools may include \"carom/...\", base, math and their own headers, not \"$path\"" ;;
        esac
    done < <(includes_of "$1")
}

check_public() { # file in include/carom
    local line kind path
    while read -r line kind path; do
        if [ "$kind" = quoted ]; then
            [[ "$path" == carom/* && -f "include/$path" ]] || complain "$1" "$line" "a public header may include \"carom/...\" only, not \"$path\""
        else
            [[ ! "$path" =~ ^($third_party) ]] || complain "$1" "$line" "a public header may not include <$path>"
        fi
    done < <(includes_of "$1")
}

count=0
while IFS= read -r -d '' file; do
    count=$((count + 1))
    case "$file" in
    src/*) check_source "$file" ;;
    include/carom/*) check_public "$file" ;;
    tools/*) check_tool "$file" ;;
    cli/*) check_front_end "$file" cli ;;
    python/*) check_front_end "$file" python ;;
    esac
done < <(find src include cli tools python -type f \( -name '*.c' -o -name '*.h' \) -print0 2>/dev/null)

if [ "$count" -eq 0 ]; then
    echo "no source files found under $1"
    exit 1
fi
[ "$wrong" -eq 0 ] && echo "$count files, every include points downward"
exit "$wrong"
