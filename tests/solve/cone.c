// SPDX-License-Identifier: MIT
// Projections on cones: what defines them, and Moreau's decomposition.
#include "solve/cone.h"

#include "support/harness/check.h"
#include "support/harness/sample.h"

static const double frictions[] = {0.0, 1e-6, 0.3, 1.0, 4.0, 1e6};
enum { FRICTIONS = sizeof frictions / sizeof frictions[0] };

// (x - P x) (y - P x) <= 0 for every y of K characterises the nearest point of a convex set.
TEST(projection_is_the_nearest_point) {
    sampler s = {.seed = 1};
    for (int k = 0; k < 20000; k++) {
        int rows = 2 + k % 2;
        double mu = frictions[k % FRICTIONS], x[3], near[3], y[3], product = 0.0;
        for (int i = 0; i < 3; i++) x[i] = i > 0 && k % 7 == 0 ? 0.0 : sample_between(&s, -1, 1);
        y[0] = sample_between(&s, 0, 2);
        double angle = sample_between(&s, -4, 4), size = mu * y[0] * sample_between(&s, 0, 1);
        y[1] = rows == 2 ? size : size * cos(angle);
        y[2] = size * sin(angle);
        crm_cone_project(mu, rows, x, near);
        CHECK(near[0] >= 0.0 && crm_cone_slip(rows, near) <= mu * near[0] * (1 + 1e-15) + 1e-300);
        double scale = 0.0;
        for (int i = 0; i < rows; i++) {
            product += (x[i] - near[i]) * (y[i] - near[i]);
            scale += fabs(x[i] - near[i]) * fabs(y[i] - near[i]);
        }
        if (!CHECK(product <= 1e-15 * scale + 1e-300)) break;
    }
}

// x = P_K(x) + P_polar(x), orthogonal; the polar cone of mu is minus the cone of 1 / mu.
TEST(moreau_decomposition_holds) {
    sampler s = {.seed = 2};
    for (int k = 0; k < 10000; k++) {
        double mu = frictions[1 + k % (FRICTIONS - 1)], x[3], minus[3], near[3], polar[3], product = 0.0;
        for (int i = 0; i < 3; i++) minus[i] = -(x[i] = sample_between(&s, -1, 1));
        crm_cone_project(mu, 3, x, near);
        crm_cone_project(1.0 / mu, 3, minus, polar);
        for (int i = 0; i < 3; i++) {
            CHECK_NEAR(near[i] - polar[i], x[i], 4e-16);
            product += near[i] * polar[i];
        }
        if (!CHECK_NEAR(product, 0.0, 1e-15)) break;
    }
}

TEST(laws_project_on_their_sets) {
    double x[3] = {-3, 4, 0}, out[3];
    carom_row_group cone = {.law = CAROM_LAW_CONE, .rows = 3, .friction = 1};
    crm_law_project(&cone, x, out);
    CHECK_NEAR(out[0], 0.5, 1e-15);
    CHECK_NEAR(out[1], 0.5, 1e-15);
    carom_row_group box = {.law = CAROM_LAW_BOX, .rows = 1, .lower = -2, .upper = -1};
    crm_law_project(&box, x, out);
    CHECK_NEAR(out[0], -2, 0);
    crm_law_project(&box, x + 1, out);
    CHECK_NEAR(out[0], -1, 0);
    carom_row_group unilateral = {.law = CAROM_LAW_UNILATERAL, .rows = 1};
    crm_law_project(&unilateral, x, out);
    CHECK_NEAR(out[0], 0, 0);
    carom_row_group joint = {.law = CAROM_LAW_EQUALITY, .rows = 3};
    crm_law_project(&joint, x, x); // in place
    CHECK_NEAR(x[0], -3, 0);
    crm_law_velocity(&cone, x, out);
    CHECK_NEAR(out[0], 1, 1e-15);
    cone.relaxed = true;
    crm_law_velocity(&cone, x, out);
    CHECK_NEAR(out[0], -3, 0);
}

TEST_MAIN(CASE(projection_is_the_nearest_point), CASE(moreau_decomposition_holds), CASE(laws_project_on_their_sets))
