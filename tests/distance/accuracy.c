// SPDX-License-Identifier: MIT
// What docs/accuracy.md promises: every pair of kinds, 2 mm apart, touching and 2 mm deep, with fewer poses than
// `carom bench accuracy` takes, and others.
#include "reference/posed/accuracy_table.h"

#include <stdio.h>

#include "support/geometry/convex_shapes.h"
#include "support/harness/check.h"

static void check_all(posed_measure measure, int poses, uint64_t seed) {
    accuracy_kind kinds[ACCURACY_KINDS];
    carom_error error;
    if (!accuracy_kinds_create(kinds, &error)) fail_msg("%s", error.text);
    for (int i = 0; i < ACCURACY_KINDS; i++)
        for (int k = i; k < ACCURACY_KINDS; k++)
            for (int p = 0; p < ACCURACY_PLACEMENTS && accuracy_has(i, k, measure); p++) {
                accuracy_errors e = accuracy_measure(kinds[i].shape[1], kinds[k].shape[0], measure,
                                                     accuracy_placements[p].value, poses, seed);
                for (int q = 0; q < ACCURACY_QUANTITIES; q++)
                    if (!CHECK_NEAR(e.worst[q], 0.0, ACCURACY_BOUND))
                        printf("  %s of %s and %s, %s\n", accuracy_quantities[measure][q], kinds[i].name, kinds[k].name,
                               accuracy_placements[p].name);
            }
    accuracy_kinds_destroy(kinds);
}

TEST(gaps_of_every_pair_are_exact) {
    check_all(POSED_GAP, 250, 101);
}

TEST(rays_of_every_pair_are_exact) {
    check_all(POSED_RAY, 250, 102);
}

static void check_ties(int tie, posed_measure measure, int poses) {
    accuracy_kind kinds[ACCURACY_KINDS];
    carom_error error;
    if (!accuracy_kinds_create(kinds, &error)) fail_msg("%s", error.text);
    accuracy_tie_errors e = accuracy_measure_tie(kinds, tie, measure, poses, 103);
    bool good = CHECK_NEAR(e.value, 0.0, ACCURACY_BOUND);
    good &= CHECK_NEAR(e.proof, 0.0, ACCURACY_BOUND);
    good &= CHECK_INT(e.broken, 0);
    if (!good) printf("  %s, %s\n", posed_tie_names[tie], accuracy_quantities[measure][0]);
    accuracy_kinds_destroy(kinds);
}

TEST(ties_at_touch_are_proved_and_have_gradients) {
    for (int tie = 0; tie < POSED_TIES; tie++) {
        check_ties(tie, POSED_GAP, 1000);
        check_ties(tie, POSED_RAY, 1000);
    }
}

// The slopes of parallel capsules are in a line to rounding; weights were once made of what rounding left.
TEST(rays_of_parallel_edges_pass_through_their_points) {
    check_ties(2, POSED_RAY, 20000);
}

// Rounding once put the nearest point of a remembered triangle on its other side, and the normal with it.
TEST(remembered_normals_of_touching_plates_do_not_flip) {
    carom_shape *plate = box_of(0.2, 0.2, 0.002);
    accuracy_errors e = accuracy_measure(plate, plate, POSED_GAP, 0.0, 5000, 104);
    CHECK_NEAR(e.worst[1], 0.0, ACCURACY_BOUND);
    carom_shape_destroy(plate);
}

TEST_MAIN(CASE(gaps_of_every_pair_are_exact), CASE(rays_of_every_pair_are_exact),
          CASE(ties_at_touch_are_proved_and_have_gradients), CASE(rays_of_parallel_edges_pass_through_their_points),
          CASE(remembered_normals_of_touching_plates_do_not_flip))
