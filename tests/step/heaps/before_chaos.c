// SPDX-License-Identifier: MIT
// How far a heap at the default tolerance gets from one at 1e-6 before small differences have grown to chaos.
// CAROM_PRINT=1 prints the distances.
#include <stdio.h>
#include <stdlib.h>

#include "support/harness/check.h"
#include "support/scene/heap.h"

#define FINE "{\"tolerance\": 1e-6, \"budget\": 20}"

static double distance_after(const char *name, const char *settings, double until) {
    heap h = heap_begin(name, settings, 1), fine = heap_begin(name, FINE, 1);
    heap_go(&h, until);
    heap_go(&fine, until);
    double apart = heap_distance(&h, &fine);
    if (getenv("CAROM_PRINT") != NULL)
        printf("%s, %s: %.2e m from the fine run at %g s, as a mean\n", name, settings, apart, until);
    heap_end(&h);
    heap_end(&fine);
    return apart;
}

TEST(falling_dominoes_are_where_they_should_be) {
    CHECK(distance_after("dominoes", "{}", 2.5) < 0.5e-3);
}

TEST(pulled_sledges_are_where_they_should_be) {
    CHECK(distance_after("sledges", "{}", 1.5) < 5e-3);
}

// The first strokes alone, and the measure can tell.
TEST(a_bad_tolerance_shows_after_half_a_second) {
    CHECK(distance_after("sledges", "{}", 0.4) < 3e-3);
    CHECK(distance_after("sledges", "{\"tolerance\": 0.3}", 0.4) > 1e-2);
}

TEST_MAIN(CASE(a_bad_tolerance_shows_after_half_a_second), LONG_CASE(falling_dominoes_are_where_they_should_be),
          LONG_CASE(pulled_sledges_are_where_they_should_be))
