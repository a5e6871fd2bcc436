#!/usr/bin/env bash
# The C programs of a document compile without a warning, run, and print what the document says after them: "It prints
# `...`". Blocks without a main that use the public API alone are pieces: they compile where there is a model, a scene
# and an error.
#
#   tests/cli/programs.sh ROOT BUILD CC DOCUMENT
set -uo pipefail
root=$(realpath "$1") build=$(realpath "$2") cc=$3 document=$4
program=none
source "$(dirname "$0")/support.sh"
cd "$work" || exit 1

# program1.c, program2.c, ... and what each prints: program1.claims, ...
awk '/^```/ { if (!inside && $0 == "```c") { inside = 1; text = "" }
              else if (inside) { inside = 0; if (text ~ /\nint main/) printf "%s", text > ("program" (++count) ".c")
                                   else if (text !~ /crm_|TEST\(/) printf "%s", text > ("piece" (++pieces) ".txt") }
              next }
     inside { text = text $0 "\n"; next }
     count && match($0, /It prints `[^`]+`/) { print substr($0, RSTART + 11, RLENGTH - 12) > ("program" count ".claims") }' "$root/$document"
# Programs that read a scene read the first of README.md.
awk '/^```/{if (inside) exit; inside = $0 == "```json"; next} inside' "$root/README.md" >first.json
libraries=$(sed -nE 's/^Libs: [^ ]+ //p' "$build/carom.pc")
shopt -s nullglob
for source in program*.c; do
    # shellcheck disable=SC2086
    "$cc" -std=c17 -Wall -Wextra -Wpedantic -Werror "$source" -o run -I"$root/include" -L"$build" $libraries || {
        complain "$source of $document cannot be compiled"
        continue
    }
    answer=$(./run 2>&1) || complain "$source of $document fails: $answer"
    [ -n "$answer" ] || complain "$source of $document prints nothing"
    [ -e "${source%.c}.claims" ] || continue
    while IFS= read -r claim; do
        [[ "$answer" == *"$claim"* ]] || complain "$source of $document does not print '$claim' but:" "$answer"
    done <"${source%.c}.claims"
done
for piece in piece*.txt; do
    {
        printf '#include <carom/carom.h>\n#include <stdio.h>\nextern carom_model *model;\nextern carom_scene *scene;\n'
        printf 'extern carom_error error;\nvoid piece(void);\nvoid piece(void) {\n%s\n}\n' "$(cat "$piece")"
    } | "$cc" -std=c17 -Wall -Wextra -Wno-unused -Werror -xc -fsyntax-only -I"$root/include" - ||
        complain "$piece of $document cannot be compiled:" "$(cat "$piece")"
done
programs=(program*.c)
[ "${#programs[@]}" -gt 0 ] || complain "$document has no program"
verdict "${#programs[@]} programs of $document work"
