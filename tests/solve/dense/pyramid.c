// SPDX-License-Identifier: MIT
// Contact laws as complementarity problems: the form of the rows, and impulses known by hand for every law.
#include "solve/dense/pyramid.h"

#include "solve/dense/dense_lcp_check.h"
#include "solve/thrown_sphere.h"

enum { ROWS = 8 };

// Impulses of u = W r + q under the groups' laws, by Lemke's method.
static bool impulses(int group_count, const carom_row_group *groups, const double *w, const double *q, int sides,
                     double *r) {
    crm_arena arena;
    crm_pyramid pyramid;
    double z[256];
    crm_arena_init(&arena, NULL);
    bool good = CHECK_INT(crm_pyramid_build(group_count, groups, w, q, sides, &arena, &pyramid, NULL), CAROM_OK) &&
                check_solved(&pyramid.lcp, CAROM_SOLVER_LEMKE, 1e-12, z, "pyramid") &&
                check_solved(&pyramid.lcp, CAROM_SOLVER_AUTO, 1e-12, z, "pyramid");
    if (good) crm_pyramid_impulse(&pyramid, z, r);
    crm_arena_free(&arena);
    return good;
}

TEST(cones_have_the_rows_of_the_textbook) {
    sampler s = {.seed = 70};
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    for (int k = 0; k < 20; k++) {
        thrown_sphere sphere = throw_sphere(&s, true);
        crm_pyramid pyramid;
        CHECK_INT(crm_pyramid_build(2, sphere.groups, sphere.w, sphere.q, 4, &arena, &pyramid, NULL), CAROM_OK);
        const double *a = pyramid.lcp.matrix, *w = sphere.w;
        if (!CHECK_INT(pyramid.lcp.size, 12)) break;
        // (c_n of both, four beta of each, lambda of both)
        CHECK(a[0] == w[0] && a[1] == w[3] && a[12 + 1] == w[3 * 6 + 3] && a[2 * 12] == w[6]);
        CHECK_NEAR(a[4 * 12 + 2], -w[1 * 6 + 1], 1e-15 * fabs(w[7]));
        CHECK_NEAR(a[3 * 12 + 9], -w[2 * 6 + 5], 1e-15 * fabs(w[7]));
        CHECK(a[10 * 12] == sphere.groups[0].friction && a[11 * 12] == 0.0 && a[11 * 12 + 1] == a[10 * 12]);
        for (int j = 0; j < 8; j++) {
            CHECK(a[(2 + j) * 12 + 10] == (j < 4) && a[(2 + j) * 12 + 11] == (j >= 4));
            CHECK(a[10 * 12 + 2 + j] == -(j < 4) && a[11 * 12 + 2 + j] == -(j >= 4));
        }
        CHECK(pyramid.lcp.offset[0] == sphere.q[0] && pyramid.lcp.offset[10] == 0.0);
        CHECK_NEAR(pyramid.lcp.offset[4], -sphere.q[1], 1e-14 * (1.0 + fabs(sphere.q[1])));
    }
    crm_arena_free(&arena);
}

// A point of unit mass that comes down with 1 and along with speed v: it stops when v <= mu, else it slides on.
TEST(a_point_sticks_or_slides) {
    const double w[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    for (int sides = 4; sides <= 16; sides += 4) {
        carom_row_group cone = {.law = CAROM_LAW_CONE, .rows = 3, .friction = 0.5};
        double r[3];
        if (impulses(1, &cone, w, (double[]){-1.0, 0.3, 0.0}, sides, r)) {
            CHECK_NEAR(r[0], 1.0, 1e-14);
            CHECK_NEAR(r[1], -0.3, 1e-14);
            CHECK_NEAR(r[2], 0.0, 1e-14);
        }
        if (impulses(1, &cone, w, (double[]){-1.0, 0.0, -3.0}, sides, r)) {
            CHECK_NEAR(r[0], 1.0, 1e-14);
            CHECK_NEAR(r[1], 0.0, 1e-14);
            CHECK_NEAR(r[2], 0.5, 1e-14);
        }
        cone.friction = 0.0;
        if (impulses(1, &cone, w, (double[]){-1.0, 0.3, 0.0}, sides, r)) CHECK(r[0] == 1.0 && r[1] == 0.0);
    }
}

// The relaxed cone in the plane: r = a (1, mu) + b (1, -mu) with both edges' velocities >= 0. From (-1, 3) only the
// edge against the sliding pulls: (1 + mu^2) b = 1 + 3 mu.
TEST(a_relaxed_planar_cone_lets_the_sliding_point_lift) {
    const double w[4] = {1.0, 0.0, 0.0, 1.0};
    carom_row_group cone = {.law = CAROM_LAW_CONE, .rows = 2, .friction = 0.5, .relaxed = true};
    double r[2];
    if (impulses(1, &cone, w, (double[]){-1.0, 3.0}, 4, r)) {
        CHECK_NEAR(r[0], 2.0, 1e-14);
        CHECK_NEAR(r[1], -1.0, 1e-14);
    }
    cone.relaxed = false;
    if (impulses(1, &cone, w, (double[]){-1.0, 3.0}, 4, r)) {
        CHECK_NEAR(r[0], 1.0, 1e-14);
        CHECK_NEAR(r[1], -0.5, 1e-14);
    }
}

// One row r with u = 2 r + q under every law of one row.
TEST(single_rows_by_hand) {
    const double inf = (double)INFINITY, w = 2.0;
    const struct {
        carom_row_group group;
        double q, r;
    } cases[] = {
        {{.law = CAROM_LAW_EQUALITY, .rows = 1}, 3.0, -1.5},
        {{.law = CAROM_LAW_EQUALITY, .rows = 1}, -3.0, 1.5},
        {{.law = CAROM_LAW_UNILATERAL, .rows = 1}, 3.0, 0.0},
        {{.law = CAROM_LAW_UNILATERAL, .rows = 1}, -3.0, 1.5},
        {{.law = CAROM_LAW_BOX, .rows = 1, .lower = -1.0, .upper = 4.0}, 3.0, -1.0},
        {{.law = CAROM_LAW_BOX, .rows = 1, .lower = -1.0, .upper = 4.0}, -3.0, 1.5},
        {{.law = CAROM_LAW_BOX, .rows = 1, .lower = -1.0, .upper = 4.0}, -30.0, 4.0},
        {{.law = CAROM_LAW_BOX, .rows = 1, .lower = 0.5, .upper = 0.5}, -30.0, 0.5},
        {{.law = CAROM_LAW_BOX, .rows = 1, .lower = -1.0, .upper = inf}, 30.0, -1.0},
        {{.law = CAROM_LAW_BOX, .rows = 1, .lower = -1.0, .upper = inf}, -30.0, 15.0},
        {{.law = CAROM_LAW_BOX, .rows = 1, .lower = -inf, .upper = 2.0}, -30.0, 2.0},
        {{.law = CAROM_LAW_BOX, .rows = 1, .lower = -inf, .upper = 2.0}, 30.0, -15.0},
        {{.law = CAROM_LAW_BOX, .rows = 1, .lower = -inf, .upper = inf}, 30.0, -15.0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        double r;
        if (impulses(1, &cases[k].group, &w, &cases[k].q, 4, &r)) CHECK_NEAR(r, cases[k].r, 1e-14);
    }
}

// All laws at once on a random positive definite W: every group's law holds of the impulses that come back.
TEST(mixed_laws_hold) {
    sampler s = {.seed = 71};
    const carom_row_group groups[] = {{.law = CAROM_LAW_EQUALITY, .rows = 2},
                                      {.law = CAROM_LAW_CONE, .rows = 2, .friction = 0.6},
                                      {.law = CAROM_LAW_UNILATERAL, .rows = 1},
                                      {.law = CAROM_LAW_BOX, .rows = 1, .lower = -0.3, .upper = 0.2},
                                      {.law = CAROM_LAW_CONE, .rows = 2, .friction = 0.3, .relaxed = true}};
    for (int k = 0; k < 200; k++) {
        double b[ROWS * ROWS], w[ROWS * ROWS], q[ROWS], r[ROWS], u[ROWS];
        for (int i = 0; i < ROWS * ROWS; i++) b[i] = sample_between(&s, -1.0, 1.0);
        for (int i = 0; i < ROWS; i++) {
            q[i] = sample_between(&s, -1.0, 1.0);
            for (int j = 0; j < ROWS; j++) {
                w[i * ROWS + j] = i == j ? 0.1 : 0.0;
                for (int l = 0; l < ROWS; l++) w[i * ROWS + j] += b[i * ROWS + l] * b[j * ROWS + l];
            }
        }
        if (!impulses(5, groups, w, q, 4, r)) break;
        for (int i = 0; i < ROWS; i++) {
            u[i] = q[i];
            for (int j = 0; j < ROWS; j++) u[i] += w[i * ROWS + j] * r[j];
        }
        bool good = CHECK_NEAR(u[0], 0.0, 1e-11) & CHECK_NEAR(u[1], 0.0, 1e-11);
        good &= CHECK_NEAR(fmin(r[2], u[2]), 0.0, 1e-11) & CHECK(fabs(r[3]) <= 0.6 * r[2] + 1e-11);
        good &= CHECK_NEAR(r[3] * u[3], -0.6 * r[2] * fabs(u[3]), 1e-10);
        good &= CHECK_NEAR(fmin(r[4], u[4]), 0.0, 1e-11);
        good &= CHECK_NEAR(r[5] - fmin(0.2, fmax(-0.3, r[5] - u[5])), 0.0, 1e-11);
        good &= CHECK(fabs(r[7]) <= 0.3 * r[6] + 1e-11) & CHECK(u[6] >= 0.3 * fabs(u[7]) - 1e-11);
        good &= CHECK_NEAR(r[6] * u[6] + r[7] * u[7], 0.0, 1e-10);
        if (!good) break;
    }
}

TEST(odd_pyramids_are_refused) {
    const double w = 1.0, q = -1.0;
    carom_row_group group = {.law = CAROM_LAW_UNILATERAL, .rows = 1};
    crm_arena arena;
    crm_pyramid pyramid;
    carom_error error;
    crm_arena_init(&arena, NULL);
    for (int sides = -1; sides < 6; sides++) {
        bool fits = sides == 4;
        CHECK_INT(crm_pyramid_build(1, &group, &w, &q, sides, &arena, &pyramid, &error),
                  fits ? CAROM_OK : CAROM_ERR_BAD_INPUT);
        if (!fits) CHECK_CONTAINS(error.text, "even number");
    }
    CHECK_INT(crm_pyramid_build(0, NULL, NULL, NULL, 4, &arena, &pyramid, &error), CAROM_OK);
    CHECK_INT(pyramid.lcp.size, 0);
    crm_arena_free(&arena);
}

TEST_MAIN(CASE(cones_have_the_rows_of_the_textbook), CASE(a_point_sticks_or_slides),
          CASE(a_relaxed_planar_cone_lets_the_sliding_point_lift), CASE(single_rows_by_hand), CASE(mixed_laws_hold),
          CASE(odd_pyramids_are_refused))
