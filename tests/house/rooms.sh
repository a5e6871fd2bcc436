#!/usr/bin/env bash
# Fails when a folder of sources has more files than a person takes in at a glance, or a file name of src/ is there twice.
# Scenes, documents and stored data may be many.
#
#   tests/house/rooms.sh ROOT
set -euo pipefail
cd "${1:?usage: rooms.sh ROOT}"
most=22 # files in a folder, its headers included
wrong=0
complain() {
    echo "$1"
    wrong=1
}

sources() { find src cli bench tools tests -type f \( -name '*.c' -o -name '*.h' -o -name '*.cpp' -o -name '*.sh' \) 2>/dev/null | LC_ALL=C sort; }

folders=0
while read -r count folder; do
    folders=$((folders + 1))
    [ "$count" -le "$most" ] || complain "$folder: has $count files; make sub-folders of at most $most"
done < <(sources | sed 's|/[^/]*$||' | uniq -c)

while read -r name; do
    complain "$(find src -name "$name" | LC_ALL=C sort | head -1): the name $name is there twice: $(find src -name "$name" | LC_ALL=C sort | tr '\n' ' ')"
done < <(find src -type f \( -name '*.c' -o -name '*.h' \) | sed 's|.*/||' | LC_ALL=C sort | uniq -d)

if [ "$folders" -eq 0 ]; then
    echo "no source files found under $1"
    exit 1
fi
[ "$wrong" -eq 0 ] && echo "$folders folders of sources, none with more than $most files; no name of src/ twice"
exit "$wrong"
