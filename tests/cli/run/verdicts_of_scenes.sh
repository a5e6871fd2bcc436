#!/usr/bin/env bash
# Every scene of the gallery, and every stored one that is wrong: card, terminal, object, page and exit code have one
# verdict.
#
#   tests/cli/run/verdicts_of_scenes.sh PROGRAM ROOT
set -uo pipefail
program=$(realpath "$1") root=$(realpath "$2")
source "$(dirname "$0")/../support.sh"
cd "$work" || exit 1

text() { sed -E 's/.*"verdict_text":"(([^"\\]|\\.)*)".*/\1/'; }

total=0
# The cards of a folder of scenes; scenes that cannot begin have no recording, and make the gallery's exit code 2.
look_at() {
    local folder=$1 out=$2 worst=0 count=0 refused=0 code
    "$program" gallery --no-pictures --scenes "$folder" -o "$out" --json >cards.jsonl 2>refusals.txt
    code=$?
    while read -r card; do
        name=$(field scene <<<"$card") colour=$(field verdict <<<"$card") wanted=0
        count=$((count + 1))
        if [ ! -e "$out/$name.carom" ]; then
            refused=$((refused + 1))
            "$program" run "$folder/$name.json" -o refused.carom --quiet >/dev/null 2>&1
            same "exit code of $name, which is refused" "$?" 2
            continue
        fi
        [ "$colour" != red ] || wanted=1 worst=1
        told="$colour: $(text <<<"$card")"
        object=$("$program" info "$out/$name.carom" --json)
        same "card and object of $name" "$told" "$(field verdict <<<"$object"): $(text <<<"$object")"
        same "card and terminal of $name" "${told//\\\"/\"}" "$("$program" info "$out/$name.carom" | sed -nE 's/^  verdict    //p')"
        same "card and page of $name" "$told" "$(page_verdict "$out/$name.html")"
        "$program" report "$out/$name.carom" --force >/dev/null
        same "exit code of $name ($colour)" "$?" "$wanted"
    done <cards.jsonl
    same "cards and scenes of $folder" "$count" "$(ls "$folder"/*.json | wc -l)"
    same "exit code of the gallery of $folder" "$code" "$([ $refused -gt 0 ] && echo 2 || echo $worst)"
    total=$((total + count))
}

look_at "$root/scenes" gallery
look_at "$root/tests/data/verdict/wrong" wrong

verdict "$total scenes have one verdict each"
