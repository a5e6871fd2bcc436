// SPDX-License-Identifier: MIT
// Properties of distances over 100,000 random pairs of all kinds; 2,000 under the sanitizers, which are slow. `carom
// bench properties` runs the same checks over more.
#include "properties/properties.h"

#include "support/harness/check.h"

#ifdef CAROM_CHECKED
static const long long pairs = 2000;
#else
static const long long pairs = 100000;
#endif

// Runs one check, over every `stride`-th pair, and checks what it has looked at: the properties `from` to `to`, and
// that every answer was finite.
static void run(property_check *check, int stride, property_id from, property_id to) {
    property_tally tally = property_tally_empty();
    property_run only = {check, stride};
    properties_run(1, pairs, 1, &only, &tally);
    for (int i = 0; i < PROPERTY_COUNT; i++) {
        const property *p = &tally.of[i];
        if (i != PROPERTY_FINITE && (i < (int)from || i > (int)to)) continue;
        print_message("%-32s %.2g %s, %lld checked, %lld skipped\n", p->name, p->worst, p->unit, p->checked,
                      p->skipped);
        if (!CHECK(property_holds(p)))
            print_error("%s: %g, allowed %g, pair %llu\n", p->name, p->worst, p->target,
                        (unsigned long long)p->worst_pair);
    }
}

TEST(planes_and_points_prove_the_answers) {
    run(check_proofs, 1, PROPERTY_RAY_PLANES, PROPERTY_VARIANTS);
}

TEST(order_place_and_cache_change_nothing) {
    run(check_invariance, 1, PROPERTY_SWAP, PROPERTY_SAME_EXTREME);
}

// One sharp pair takes the three programs a millisecond: every fifth, 7,000 of 100,000.
TEST(reference_programs_agree) {
    run(check_references, 5, PROPERTY_SSH, PROPERTY_AXES);
}

// Half of the pairs are ordinary: 50,000 with 50 queries each.
TEST(gradients_are_differences) {
    run(check_gradients, 1, PROPERTY_RAY_GRADIENT, PROPERTY_VERTEX_GRADIENT);
}

// A number that any algorithm would get wrong must show: the tally is not blind.
TEST(tally_sees_errors_gaps_and_nan) {
    property_tally tally = property_tally_empty();
    property *p = &tally.of[PROPERTY_SWAP];
    CHECK(!property_holds(p)); // nothing checked
    property_note(&tally, PROPERTY_SWAP, 3, 0.5 * p->target);
    CHECK(property_holds(p));
    property_skip(&tally, PROPERTY_SWAP);
    CHECK(property_holds(p));
    property_skip(&tally, PROPERTY_SWAP);
    CHECK(!property_holds(p)); // more skipped than checked
    property_note(&tally, PROPERTY_SWAP, 4, 0.0 / (p->target - p->target));
    property_note(&tally, PROPERTY_SWAP, 5, 0.0);
    property_note(&tally, PROPERTY_SWAP, 6, 0.0);
    CHECK(!property_holds(p));
    CHECK_INT(p->worst_pair, 4);
}

TEST_MAIN(CASE(planes_and_points_prove_the_answers), CASE(order_place_and_cache_change_nothing),
          CASE(reference_programs_agree), CASE(gradients_are_differences), CASE(tally_sees_errors_gaps_and_nan))
