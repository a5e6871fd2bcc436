#!/usr/bin/env bash
# One prefix an enum: the constants of every enum of the public headers begin with the same words, and no other enum's do.
#
#   tests/house/enums.sh ROOT
set -uo pipefail
cd "${1:?usage: enums.sh ROOT}"
# Every named enum as "type constant ...", comments taken away. Statuses are CAROM_OK and CAROM_ERR_..., in a list.
sed -E 's://.*$::' include/carom/*.h | tr '\n' ' ' | grep -oE 'typedef enum [a-z0-9_]+ \{[^}]*\}' |
    sed -E 's/^typedef enum ([a-z0-9_]+) \{/\1 /;s/[,}]/ /g;s/ +/ /g' | grep -v '^carom_status ' |
    awk '
    # The words that two names have in common, with the last underscore.
    function common(a, b,    i, last) {
        for (i = 1; i <= length(a) && substr(a, i, 1) == substr(b, i, 1); i++) if (substr(a, i, 1) == "_") last = i
        return substr(a, 1, last)
    }
    {
        prefix = common($2, $3)
        for (i = 4; i <= NF; i++) prefix = common(prefix, $i)
        if (NF < 3 || prefix == "CAROM_") { print $1 ": its constants have no prefix of their own"; wrong = 1 }
        type[++count] = $1; of[count] = prefix
    }
    END {
        for (i = 1; i <= count; i++) for (j = 1; j <= count; j++)
            if (i != j && index(of[j], of[i]) == 1) { print type[j] " (" of[j] "...) begins like " type[i] " (" of[i] "...)"; wrong = 1 }
        if (count < 20) { print "only " count " enums were found"; wrong = 1 }
        if (!wrong) print count " enums, one prefix each"
        exit wrong
    }'
