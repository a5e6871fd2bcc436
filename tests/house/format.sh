#!/usr/bin/env bash
# Every C file is as `make format` leaves it.
#
#   tests/house/format.sh ROOT
set -uo pipefail
cd "$1" || exit 1
mapfile -d '' files < <(find include src tools cli tests bench -type f \( -name '*.c' -o -name '*.h' -o -name '*.cpp' \) -print0 2>/dev/null)
clang-format --dry-run --Werror "${files[@]}" || { echo "run 'make format'"; exit 1; }
echo "${#files[@]} files are formatted"
