#!/usr/bin/env bash
# Every scene of the gallery: card, terminal, object, page and exit code have one verdict.
#
#   tests/cli/run/verdicts_of_scenes.sh PROGRAM ROOT
set -uo pipefail
program=$(realpath "$1") root=$(realpath "$2")
source "$(dirname "$0")/../support.sh"
cd "$work" || exit 1

"$program" gallery --no-pictures --scenes "$root/scenes" -o out --json >cards.jsonl
code=$? worst=0 count=0
text() { sed -E 's/.*"verdict_text":"(([^"\\]|\\.)*)".*/\1/'; }
while read -r card; do
    name=$(field scene <<<"$card") colour=$(field verdict <<<"$card") wanted=0
    [ "$colour" != red ] || wanted=1 worst=1
    told="$colour: $(text <<<"$card")"
    object=$("$program" info "out/$name.carom" --json)
    same "card and object of $name" "$told" "$(field verdict <<<"$object"): $(text <<<"$object")"
    same "card and terminal of $name" "${told//\\\"/\"}" "$("$program" info "out/$name.carom" | sed -nE 's/^  verdict    //p')"
    same "card and page of $name" "$told" "$(page_verdict "out/$name.html")"
    "$program" report "out/$name.carom" --force >/dev/null
    same "exit code of $name ($colour)" "$?" "$wanted"
    count=$((count + 1))
done <cards.jsonl
same "cards and scenes" "$count" "$(ls "$root"/scenes/*.json | wc -l)"
same "exit code of the gallery" "$code" "$worst"

verdict "$count scenes have one verdict each"
