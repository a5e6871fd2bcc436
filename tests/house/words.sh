#!/usr/bin/env bash
# Fails when a word that was given up comes back: docs/glossary.md has the words of carom, one meaning each. A rule is the
# word (a pattern, whatever its case), where it is looked for ("all": everything that people read), and what to say instead.
#
#   tests/house/words.sh ROOT
set -euo pipefail
cd "${1:?usage: words.sh ROOT}"
all='src include cli tools bench tests viewer/src viewer/test docs README.md CHANGELOG.md'

rules=(
    # word                                          where    instead
    '\bblows?\b|_blows?\b|\bblow_'                  "$all"   'impact'
    '\bstruck\b|\bstrik(e|es|ing)\b'                "$all"   'hit'
    '\b(run|runs|ran|running) into\b'               "$all"   'hit'
    '\brows? of turns?\b'                           "$all"   'angular row'
    '\b(turns?|turning)\b|_turn(s|ing)?\b|\bturn(s|ing)?_|\bturned by\b'  "$all"   'rotation, rotate'
    '\bjudg(e|es|ed|ing)\b|_judge\b|\bjudge_'       "$all"   'residual evaluator, evaluate, check, measure'
    '\bknots?\b|_knots?\b|\bknots?_'                "$all"   'unconverged sub-problem, local refinement'
    '\bchains?\b|_chain\b'                          'src/solve docs/solvers.md' 'fallback cascade'
    '\bswept\b|_swept\b|\bswept_'                   "$all"   'Newton-Gauss-Seidel hybrid, or continuous'
    '\brelent'                                      "$all"   'relax stabilisation'
    'drop_push_out'                                 "$all"   'without stabilisation'
    '\bsweeps?\b|_sweep\b|\bsweep_'                 'src/contact src/distance src/step/exact include/carom/contact.h include/carom/time_of_impact.h docs/contact.md docs/distance.md' 'continuous, along the way'
    '\bevents?\b|_events?\b|\bevents?_'             'src/contact src/distance/features src/distance/box include/carom/contact.h include/carom/features.h docs/contact.md' 'feature contact'
    '\b(the|a|an|joint|its|their|whose|of) reach\b|_reach\b|\breach_' "$all" 'margin'
    'surroundings'                                  "$all"   'static geometry'
    '\bseams?\b'                                    "$all"   'internal edge'
    '\bsunk\b|part_cover'                           "$all"   'deep penetration, internal cover'
    '\bthinning\b|\bthinned\b|lower_corners'        "$all"   'manifold reduction'
    '\bstill[_ ]apart\b'                            "$all"   'separating-axis cache'
    '\bextra[_ ]rows?\b'                            "$all"   'limit or motor row'
    '\bfelt\b'                                      "$all"   'projected wrench'
    '\bkick(s|ed)?\b'                               "$all"   'explicit impulse'
    '\bborne\b'                                     "$all"   'joint impulse'
    '\blone\b|\blone_'                              "$all"   'isolated'
    '\bloose[ _](joints?|ones?)\b|_loose\b|\bloose_' "$all"  'spring-only'
    '\bjoint[_ ]parts?\b|\bparts of (a|the) step\b' "$all"   'joint component, substep'
    'settl'                                         'src/distance src/solve' 'tie breaking, polish'
    '\blinks?\b'                                    'src/solve' 'incidence'
    '\bask\.c\b'                                    "$all"   'accessors'
    'lcp\.sweep|impulse\.sweeps|exact\.impacts|"sweeps?"' "$all" 'continuous, iterations, event_limit'
)

# What stays all the same: path, then a pattern of the line.
allowed=(
    '^docs/glossary\.md:'                            ''
    ':'                                              '\b(in|by|take|takes|taking|out of|of) turns?\b'
    ':'                                              '\bturns? (out|on|off)\b|\bturns? .*\binto\b'
    ':'                                              '\bout of reach\b'
    '^bench/'                                        '"sweep"'
    '^(tools/verify/control|tests/verify)/'          '"turns|expected\.turns' # a member of reference data
    '^tests/data/control_spin\.json:'                ''
    '^tests/scene/good/everything\.json:'            'felt' # a cloth
)

wrong=0
found=$(mktemp)
trap 'rm -f "$found"' EXIT
for ((i = 0; i < ${#rules[@]}; i += 3)); do
    existing=()
    for place in ${rules[i + 1]}; do [ ! -e "$place" ] || existing+=("$place"); done
    [ "${#existing[@]}" -gt 0 ] || continue
    grep -rniE --include='*.c' --include='*.h' --include='*.cpp' --include='*.def' --include='*.md' --include='*.js' --include='*.mjs' \
        --include='*.html' --include='*.json' -- "${rules[i]}" "${existing[@]}" >"$found" || continue
    for ((k = 0; k < ${#allowed[@]}; k += 2)); do
        keep=$(grep -vE -- "${allowed[k]}.*${allowed[k + 1]}" "$found" || true)
        printf '%s\n' "$keep" | sed '/^$/d' >"$found"
    done
    while IFS= read -r hit; do
        word=$(cut -d: -f3- <<<"$hit" | grep -oiE -- "${rules[i]}" | head -1)
        echo "$(cut -d: -f1-2 <<<"$hit"): '$word' was given up; say: ${rules[i + 2]}"
        wrong=$((wrong + 1))
    done <"$found"
done

files=$(find src include -name '*.[ch]' | wc -l)
if [ "$files" -eq 0 ]; then
    echo "no source files found under $1"
    exit 1
fi
[ "$wrong" -eq 0 ] && echo "none of the words that were given up is in $files sources and the documents"
[ "$wrong" -eq 0 ]
