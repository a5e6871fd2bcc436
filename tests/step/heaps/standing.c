// SPDX-License-Identifier: MIT
// What stands at the default tolerance stays where it is: houses of cards, an arch, a pyramid. Solved badly, cards
// fall. CAROM_PRINT=1 prints how far they creep.
#include <stdio.h>
#include <stdlib.h>

#include "support/harness/check.h"
#include "support/scene/heap.h"

#define FINE "{\"tolerance\": 1e-6, \"budget\": 20}"

static const double allowed = 1e-3; // of a body's size

static void check_creep(const char *name, double crept, double until, int missed) {
    if (getenv("CAROM_PRINT") != NULL)
        printf("%s: creeps by %.2e of its size in %g s, %d steps above the tolerance\n", name, crept, until, missed);
    CHECK(crept < allowed);
}

static void check_stands(const char *name, double until) {
    heap first = heap_begin(name, "{}", 1), h = heap_begin(name, "{}", 1);
    int missed = heap_go(&h, until);
    check_creep(name, heap_creep(&h, &first, CAROM_WORLD), until, missed);
    heap_end(&h);
    heap_end(&first);
}

// The sledge swings, and its cubes slide on it by an error of the step, a hundredth of their size in ten seconds at any
// tolerance: what the tolerance adds is the distance to a fine run, seen from the sledge.
static void check_pyramid(double until) {
    heap fine = heap_begin("pyramid", FINE, 1), h = heap_begin("pyramid", "{}", 1);
    int missed = heap_go(&h, until);
    heap_go(&fine, until);
    check_creep("pyramid", heap_creep(&h, &fine, carom_model_find_body(h.model, "sledge")), until, missed);
    heap_end(&h);
    heap_end(&fine);
}

TEST(houses_of_cards_arch_and_pyramid_stand) {
    check_stands("cards", 0.5);
    check_stands("card-house", 1.0);
    check_stands("arch", 1.0);
    check_pyramid(1.0);
}

TEST(houses_of_cards_stand_for_a_minute) {
    check_stands("cards", 60.0);
    check_stands("card-house", 60.0);
}

TEST(arch_and_pyramid_stand_for_a_minute) {
    check_stands("arch", 60.0);
    check_pyramid(60.0);
}

// The measure can tell.
TEST(cards_fall_where_steps_are_solved_badly) {
    heap first = heap_begin("cards", "{}", 1), h = heap_begin("cards", "{\"tolerance\": 1e-1}", 1);
    heap_go(&h, 1.0);
    CHECK(heap_creep(&h, &first, CAROM_WORLD) > 10.0 * allowed);
    heap_end(&h);
    heap_end(&first);
}

TEST_MAIN(CASE(houses_of_cards_arch_and_pyramid_stand), LONG_CASE(houses_of_cards_stand_for_a_minute),
          LONG_CASE(arch_and_pyramid_stand_for_a_minute), CASE(cards_fall_where_steps_are_solved_badly))
