#!/usr/bin/env bash
# Every public header compiles alone, in C17 and in C++, without a warning.
#
#   tests/house/headers_alone.sh ROOT CC CXX
set -uo pipefail
root=$1 cc=$2 cxx=$3
status=0
count=0
for header in "$root"/include/carom/*.h; do
    count=$((count + 1))
    name=carom/$(basename "$header")
    for language in "$cc -x c -std=c17" "$cxx -x c++ -std=c++11" "$cxx -x c++ -std=c++20"; do
        if ! printf '#include "%s"\n#include "%s"\nint use(void) { return 0; }\n' "$name" "$name" |
            $language -Wall -Wextra -Wpedantic -Werror -I"$root/include" -c -o /dev/null - ; then
            echo "$name does not compile alone with: $language"
            status=1
        fi
    done
done
[ "$count" -gt 0 ] || status=1
[ "$status" -eq 0 ] && echo "$count public headers compile alone in C17, C++11 and C++20"
exit "$status"
