#!/usr/bin/env bash
# The include check must catch each kind of wrong include, in a small tree made for it.
set -uo pipefail
check=$(dirname "$0")/includes.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0

fresh_tree() {
    rm -rf "${tree:?}"/*
    mkdir -p "$tree"/{src/base,src/math,src/solve,src/step,include/carom,cli}
    echo '#include <stddef.h>' >"$tree/include/carom/carom.h"
    echo '#include "carom/carom.h"' >"$tree/src/base/arena.h"
    printf '#include "math/vec3.h"\n#include "base/arena.h"\n' >"$tree/src/math/vec3.c"
    echo '#include "base/arena.h"' >"$tree/src/math/vec3.h"
    echo '#include "solve/lemke.h"' >"$tree/src/step/lcp.c"
    printf '#include <stdio.h>\n#include "carom/carom.h"\n#include "verb.h"\n' >"$tree/cli/main.c"
    echo '#include <stdbool.h>' >"$tree/cli/verb.h"
}

must_pass() {
    bash "$check" "$tree" >/dev/null || {
        echo "a good tree was refused"
        failures=$((failures + 1))
    }
}

must_fail() { # what, file, line to add, words of the message
    fresh_tree
    echo "$3" >>"$tree/$2"
    local answer
    if answer=$(bash "$check" "$tree"); then
        echo "not caught: $1"
        failures=$((failures + 1))
    elif [[ "$answer" != *"$4"* || "$answer" != *"$2:"* ]]; then
        echo "caught, but badly explained: $1: $answer"
        failures=$((failures + 1))
    fi
}

fresh_tree
must_pass
must_fail "a lower folder includes an upper one" src/base/arena.h '#include "math/vec3.h"' "may not include"
must_fail "solve includes a sibling above math" src/solve/lemke.c '#include "step/lcp.h"' "may not include"
must_fail "an include with spaces" src/base/arena.h '  #  include   "math/vec3.h"' "may not include"
must_fail "an include that climbs" src/math/vec3.c '#include "../step/lcp.h"' "climbs"
must_fail "an include without a folder" src/math/vec3.c '#include "vec3.h"' "does not name its folder"
must_fail "a front end looks inside" cli/main.c '#include "math/vec3.h"' "front end"
must_fail "a front end includes a library" cli/main.c '#include <jansson.h>' "front end"
must_fail "a public header looks inside" include/carom/carom.h '#include "base/arena.h"' "public header"
must_fail "a public header needs a library" include/carom/carom.h '#include <sqlite3.h>' "public header"
mkdir -p "$tree/src/attic"
must_fail "a folder nobody knows" src/base/arena.h '#include "attic/old.h"' "may not include"
[ "$failures" -eq 0 ] && echo "every kind of wrong include is caught"
exit "$failures"
