// SPDX-License-Identifier: MIT
// The tables of `carom bench flex`.
#ifndef BENCH_FLEX_FLEX_TABLES_H
#define BENCH_FLEX_FLEX_TABLES_H

#include <stdbool.h>

// elements.c: energy and forces, and stiffness, of an element.
void bench_flex_elements(bool json);

// cubes.c: an elastic cube falls on a floor, beside Bullet.
void bench_flex_cubes(bool json);

// cantilevers.c: a static solution, beside CalculiX.
void bench_flex_cantilevers(bool json);

#endif
