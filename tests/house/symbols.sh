#!/usr/bin/env bash
# The libraries define only carom_ and crm_ symbols, and a shared object made of the first shows only the former.
#
#   tests/house/symbols.sh LIBRARY CC LIBRARY...
set -uo pipefail
library=$1 cc=$2
shift 2
status=0
strangers=$(nm -g --defined-only "$library" "$@" 2>/dev/null | awk 'NF == 3 {print $3}' | grep -vE '^(carom_|crm_)')
if [ -n "$strangers" ]; then
    printf 'symbols without the prefix carom_ or crm_:\n%s\n' "$strangers"
    status=1
fi
shared=$(mktemp)
trap 'rm -f "$shared"' EXIT
"$cc" -shared -o "$shared" -Wl,--whole-archive "$library" -Wl,--no-whole-archive -lamd -lsuitesparseconfig -lqhull_r -ljansson -lsqlite3 -lz -lm -pthread || exit 1
shown=$(nm -D --defined-only "$shared" | awk '{print $3}' | grep -vE '^_(init|fini)$')
hidden_shown=$(grep -vE '^carom_' <<<"$shown")
if [ -n "$hidden_shown" ]; then
    printf 'shown to users, but not public:\n%s\n' "$hidden_shown"
    status=1
fi
grep -q '^carom_version$' <<<"$shown" || { echo "carom_version is not shown"; status=1; }
[ "$status" -eq 0 ] && echo "$(wc -l <<<"$shown") public symbols, all carom_"
exit "$status"
