#!/usr/bin/env bash
# An installed carom can be found by pkg-config and by CMake, linked and run, also after the tree was moved.
#
#   tests/house/install.sh BUILD CC
set -euo pipefail
build=$1 cc=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/prefix"

cat >"$work/hello.c" <<'C'
#include <carom/carom.h>
#include <stdio.h>
int main(void) {
    puts(carom_version());
    return 0;
}
C
wanted=$("$work/prefix/bin/carom" version --json | sed -E 's/.*"version":"([^"]+)".*/\1/')

export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name carom.pc)")
# shellcheck disable=SC2046
"$cc" "$work/hello.c" -o "$work/by_pkg_config" ${CFLAGS:-} $(pkg-config --cflags --libs carom)
[ "$("$work/by_pkg_config")" = "$wanted" ] || { echo "pkg-config: wrong version"; exit 1; }
[ "$(pkg-config --modversion carom)" = "$wanted" ] || { echo "carom.pc: wrong version"; exit 1; }

# Plans are a library beside it.
cat >"$work/plan.c" <<'C'
#include <carom/carom.h>
#include <stdio.h>
int main(void) {
    carom_plan *plan = NULL;
    carom_error error = {CAROM_OK, ""};
    carom_plan_def def = carom_plan_def_default();
    if (carom_plan_create(NULL, &def, NULL, &plan, &error) == CAROM_ERR_BAD_INPUT) puts(error.text);
    return 0;
}
C
# shellcheck disable=SC2046
"$cc" "$work/plan.c" -o "$work/plan" ${CFLAGS:-} $(pkg-config --cflags --libs carom_plan)
[[ "$("$work/plan")" = carom_plan_create:* ]] || { echo "pkg-config: carom_plan does not work"; exit 1; }

mkdir "$work/project"
cat >"$work/project/CMakeLists.txt" <<'C'
cmake_minimum_required(VERSION 3.25)
project(hello C)
find_package(carom REQUIRED)
add_executable(hello ../hello.c)
target_link_libraries(hello carom::carom)
add_executable(plan ../plan.c)
target_link_libraries(plan carom::carom_plan)
C
cmake -S "$work/project" -B "$work/project/build" -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_C_FLAGS="${CFLAGS:-}" >/dev/null
cmake --build "$work/project/build" >/dev/null
[ "$("$work/project/build/hello")" = "$wanted" ] || { echo "CMake package: wrong version"; exit 1; }
echo "carom $wanted: installed, moved, found by pkg-config and CMake, run"
