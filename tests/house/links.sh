#!/usr/bin/env bash
# Fails when a link of README.md, CHANGELOG.md or docs/ names a file that is not there, or a heading that its page has not.
#
#   tests/house/links.sh ROOT
set -euo pipefail
export LC_ALL=C.UTF-8
cd "${1:?usage: links.sh ROOT}"
wrong=0
count=0

# The names of a page's headings: in lower case, without punctuation, blanks as hyphens.
headings() {
    sed -nE '/^```/,/^```/!s/^#+ +(.*)/\1/p' "$1" | tr '[:upper:]' '[:lower:]' | sed -E 's/[^[:alnum:] _-]//g; s/ /-/g'
}

while IFS= read -r page; do
    folder=$(dirname "$page")
    while IFS= read -r link; do
        case $link in http:* | https:* | mailto:*) continue ;; esac
        count=$((count + 1))
        file=${link%%#*} heading=
        [[ "$link" != *"#"* ]] || heading=${link#*#}
        target=$page
        [ -z "$file" ] || target=$folder/$file
        if [ ! -e "$target" ]; then
            echo "$page: the link to $link leads nowhere"
            wrong=1
        elif [ -n "$heading" ] && ! headings "$target" | grep -qxF -- "$heading"; then
            echo "$page: $target has no heading #$heading"
            wrong=1
        fi
    done < <(sed '/^```/,/^```/d' "$page" | grep -oE '\]\([^)]+\)' | sed -E 's/^\]\(//; s/\)$//' || true)
done < <(find README.md CHANGELOG.md docs -name '*.md' 2>/dev/null)

if [ "$count" -eq 0 ]; then
    echo "no links found under $1"
    exit 1
fi
[ "$wrong" -eq 0 ] && echo "$count links lead somewhere"
exit "$wrong"
