#!/usr/bin/env bash
# `carom bench distance --overlap`: the test of overlapping simplices and the centre ray agree on every pair, and their
# operations are counted: of two tetrahedra apart, all 16 pairs of triangles.
#
#   tests/cli/overlap.sh PROGRAM JSON_LINES
set -uo pipefail
program=$1 json_lines=$2
source "$(dirname "$0")/support.sh"

"$program" bench distance --overlap --json >"$work/rows.jsonl" || complain "the two tests do not agree: exit code $?"
answer=$("$json_lines" <"$work/rows.jsonl") || complain "what --json prints is no JSON: $answer"
same "rows" "$(wc -l <"$work/rows.jsonl")" 70
# The document's estimates, 30 a pair of triangles and 2 (n + m + 1)^3: of boxes both are whole numbers.
grep -q '"case":"boxes, apart: the document.s estimate","carom":9826,.*"peer_value":4320,' "$work/rows.jsonl" ||
    complain "the estimates for boxes are not 9826 and 4320: $(grep estimate "$work/rows.jsonl" | head -3)"
# Warm, the ray of 128 vertices takes less than a hundredth of the operations of all pairs of triangles.
awk -F'[:,]' '/128 vertices, apart: operations, warm/ {
    for (i = 1; i < NF; i++) { if ($i == "\"carom\"") ray = $(i + 1); if ($i == "\"peer_value\"") other = $(i + 1) } }
    END { exit !(ray > 0 && 100 * ray < other) }' "$work/rows.jsonl" || complain "the ray is not cheap any more"
verdict "both tests of overlap agree"
