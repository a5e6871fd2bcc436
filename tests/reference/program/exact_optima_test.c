// SPDX-License-Identifier: MIT
// The exact enumeration against answers found by hand.
#include "reference/program/exact_optima.h"

#include <stdlib.h>

#include "support/harness/check.h"

static void make_cube(long x, long y, long z, exact_vector *corner) {
    for (int k = 0; k < 8; k++)
        corner[k] = (exact_vector){x + (k & 1 ? 1 : -1), y + (k & 2 ? 1 : -1), z + (k & 4 ? 1 : -1)};
}

// Cubes with edges of 2 along the axes, the second one at this place.
static exact_optima *cubes(long x, long y, long z) {
    exact_vector a[8], b[8];
    exact_optima *out = calloc(1, sizeof *out);
    assert_non_null(out);
    make_cube(0, 0, 0, a);
    make_cube(x, y, z, b);
    exact_optima_find(8, a, 8, b, (exact_vector){x, y, z}, out);
    return out;
}

static void check_cubes(long x, long y, long z, fraction value, int alphas, int weights) {
    exact_optima *o = cubes(x, y, z);
    CHECK(o->meets);
    CHECK(o->value.above == value.above && o->value.below == value.below);
    CHECK_INT(o->alpha_count, alphas);
    CHECK_INT(o->weights_count, weights);
    free(o);
}

// Face on face: four corners on corners and two crossings of diagonals. Shifted by half an edge: a rectangle of corners
// in edges, and so on. Edge on edge: its two ends. Corner on corner: the three faces of the corner of the difference.
TEST(cubes_meet_as_found_by_hand) {
    check_cubes(3, 0, 0, fraction_of(1, 3), 1, 6);
    check_cubes(2, 0, 0, fraction_of(0, 1), 1, 6);
    check_cubes(3, 3, 0, fraction_of(1, 3), 2, 2);
    check_cubes(1, 1, 0, fraction_of(-1, 1), 2, 2);
    check_cubes(2, 2, 2, fraction_of(0, 1), 3, 1);
    check_cubes(4, 4, 4, fraction_of(1, 2), 3, 1);
}

// A line that is not that of centres can miss, or graze.
TEST(a_line_that_misses_is_told) {
    exact_vector a[8], b[8];
    exact_optima *o = calloc(1, sizeof *o);
    assert_non_null(o);
    make_cube(0, 0, 0, a);
    make_cube(0, 3, 0, b);
    exact_optima_find(8, a, 8, b, (exact_vector){1, 0, 0}, o);
    CHECK(!o->meets);
    free(o);
}

TEST(fractions_are_in_lowest_terms) {
    fraction f = fraction_minus(fraction_of(7, -12), fraction_of(1, 6));
    CHECK(f.above == -3 && f.below == 4);
    f = fraction_over(fraction_times(f, fraction_of(2, 3)), fraction_of(-5, 2));
    CHECK(f.above == 1 && f.below == 5);
    CHECK_NEAR(fraction_value(fraction_of((exact_int)1 << 100, (exact_int)3 << 99)), 2.0 / 3.0, 1e-16);
    CHECK(exact_product((exact_int)1 << 70, (exact_int)1 << 55) == (exact_int)1 << 125);
    CHECK(exact_divisor((exact_int)6 << 80, (exact_int)9 << 70) == (exact_int)3 << 70);
}

TEST_MAIN(CASE(cubes_meet_as_found_by_hand), CASE(a_line_that_misses_is_told), CASE(fractions_are_in_lowest_terms))
