// SPDX-License-Identifier: MIT
// What docs/accuracy.md promises: every pair of kinds, 2 mm apart, touching and 2 mm deep, with fewer poses than
// `carom bench accuracy` takes, and others.
#include "reference/accuracy_table.h"

#include <stdio.h>

#include "support/check.h"

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
    check_all(POSED_GAP, 60, 101);
}

TEST(rays_of_every_pair_are_exact) {
    check_all(POSED_RAY, 60, 102);
}

TEST(gaps_stay_exact_in_many_poses) {
    check_all(POSED_GAP, 500, 103);
}

TEST(rays_stay_exact_in_many_poses) {
    check_all(POSED_RAY, 500, 104);
}

TEST_MAIN(CASE(gaps_of_every_pair_are_exact), CASE(rays_of_every_pair_are_exact),
          LONG_CASE(gaps_stay_exact_in_many_poses), LONG_CASE(rays_stay_exact_in_many_poses))
