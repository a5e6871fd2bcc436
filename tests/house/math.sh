#!/usr/bin/env bash
# Fails when code or a document cites a section of docs/math.md that is not there, or equations of a page that is not in
# the repository. A citation is `docs/math.md 4.2`, or several sections: `docs/math.md 4.3, 4.4`.
#
#   tests/house/math.sh ROOT
set -euo pipefail
cd "${1:?usage: math.sh ROOT}"
page=docs/math.md
sections=" $(sed -nE 's/^##+ ([0-9]+(\.[0-9]+)?) .*/\1/p' "$page" | tr '\n' ' ')"
wrong=0

# Comments are joined to one line each, so that a citation may go over the end of a line.
citations() { # file: prints "line sections"
    awk '{ text = $0; sub(/^[[:space:]]*(\/\/\/?<?|#|\*)[[:space:]]*/, "", text)
           if (open) { printf "%s ", text; printf "\n"; open = 0 }
           while (match(text, /docs\/math\.md[:,]?/)) {
               text = substr(text, RSTART + RLENGTH)
               if (text ~ /^[[:space:]]*$/) { printf "%d ", NR; open = 1; break }
               printf "%d %s\n", NR, text
           } }
         END { if (open) printf "\n" }' "$1"
}

count=0
while IFS= read -r file; do
    while read -r line text; do
        # The numbers at the head of what follows, with commas, "and" or "to" between them.
        text=${text#:}
        while [[ "$text" =~ ^(,|and|to)?\ *([0-9]+(\.[0-9]+)?)([^0-9].*)?$ ]]; do
            number=${BASH_REMATCH[2]}
            text=${BASH_REMATCH[4]}
            text=${text#"${text%%[![:space:]]*}"}
            count=$((count + 1))
            if [[ "$sections" != *" $number "* ]]; then
                echo "$file:$line: docs/math.md has no section $number"
                wrong=1
            fi
            [[ "$text" =~ ^(,|and|to)\ *[0-9] ]] || break
        done
    done < <(citations "$file")
done < <(grep -rlF 'docs/math.md' src include cli bench tools tests scenes viewer/src docs 2>/dev/null |
    grep -vE '^tests/house/math(_can_fail)?\.sh$|^docs/math\.md$' || true)

while IFS= read -r hit; do
    echo "$hit: cites a page that is not in the repository; name a section of docs/math.md"
    wrong=1
done < <(grep -rnE '\bMATH(\.md|:| sections?)|\[[ELNRS]\] ?\(?[0-9]' src include cli bench tools tests scenes viewer/src 2>/dev/null |
    grep -vE '^tests/house/math|docs/math' | cut -d: -f1-2 || true)

if [ "$count" -eq 0 ]; then
    echo "no citation of docs/math.md found under $1"
    exit 1
fi
[ "$wrong" -eq 0 ] && echo "$count citations, every one names a section of docs/math.md"
exit "$wrong"
