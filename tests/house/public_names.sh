#!/usr/bin/env bash
# Every carom_ name that code, comments, messages and documents mention is one of the API: none is left of a name that
# was changed.
#
#   tests/house/public_names.sh ROOT
set -uo pipefail
cd "${1:?usage: public_names.sh ROOT}"
word='\bcarom_[a-z0-9_]*[a-z0-9]\b'
# The key at the head of a report page is one, too.
known=$( (echo carom_report
    grep -hoE "$word" include/carom/*.h tools/verify/verify.h
    grep -hoE "$word" CMakeLists.txt cmake/*) | sort -u)
[ "$(wc -l <<<"$known")" -gt 200 ] || { echo "found too few public names"; exit 1; }
wrong=$(grep -rnoE "$word" README.md CHANGELOG.md docs src cli tools bench tests \
    --include='*.md' --include='*.c' --include='*.h' --include='*.cpp' |
    awk -F: 'NR == FNR {known[$0]; next} !($3 in known)' <(echo "$known") -)
[ -z "$wrong" ] || { printf 'names that are not in include/carom:\n%s\n' "$wrong"; exit 1; }
echo "$(wc -l <<<"$known") names, none other is mentioned"
