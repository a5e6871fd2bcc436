// SPDX-License-Identifier: MIT
// What stands at the default tolerance stays where it is: houses of cards, an arch, a pyramid. Solved badly, cards
// fall. CAROM_PRINT=1 prints how far they creep.
#include <stdio.h>
#include <stdlib.h>

#include "math/quat.h"
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

// The bowl of the pyramid's sledge is a ball about the origin: rotated back by the angle at which the scene begins, the
// sledge lies level at its bottom.
static void put_level(heap *h) {
    carom_quat back = crm_quat_from_axis_angle(crm_vec3(0.0, 1.0, 0.0), -0.5);
    for (int b = 1; b < carom_model_body_count(h->model); b++) {
        carom_body_state at;
        CHECK_INT(carom_state_get_body(h->state, (carom_body){b}, &at, NULL), CAROM_OK);
        at.position = crm_quat_rotate(back, at.position);
        at.attitude = crm_quat_mul(back, at.attitude);
        CHECK_INT(carom_state_set_body(h->state, (carom_body){b}, &at, NULL), CAROM_OK);
    }
}

static void check_level_pyramid(double until) {
    heap first = heap_begin("pyramid", "{}", 1), h = heap_begin("pyramid", "{}", 1);
    put_level(&first);
    put_level(&h);
    int missed = heap_go(&h, until);
    check_creep("level pyramid", heap_creep(&h, &first, CAROM_WORLD), until, missed);
    heap_end(&h);
    heap_end(&first);
}

// Where the sledge swings, its cubes slide on it by an error of the step, a hundredth of their size in ten seconds at
// any tolerance: no farther than in a fine run.
static void check_swinging_pyramid(double until) {
    heap first = heap_begin("pyramid", "{}", 1), fine = heap_begin("pyramid", FINE, 1);
    heap h = heap_begin("pyramid", "{}", 1);
    int missed = heap_go(&h, until);
    heap_go(&fine, until);
    carom_body sledge = carom_model_find_body(h.model, "sledge");
    double farther = heap_creep(&h, &first, sledge) - heap_creep(&fine, &first, sledge);
    check_creep("swinging pyramid", farther, until, missed);
    heap_end(&h);
    heap_end(&fine);
    heap_end(&first);
}

TEST(houses_of_cards_arch_and_pyramid_stand) {
    check_stands("cards", 0.5);
    check_stands("card-house", 1.0);
    check_stands("arch", 1.0);
    check_level_pyramid(1.0);
    check_swinging_pyramid(1.0);
}

TEST(houses_of_cards_stand_for_a_minute) {
    check_stands("cards", 60.0);
    check_stands("card-house", 60.0);
}

TEST(arch_and_pyramid_stand_for_a_minute) {
    check_stands("arch", 60.0);
    check_level_pyramid(60.0);
    check_swinging_pyramid(60.0);
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
