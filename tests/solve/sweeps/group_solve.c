// SPDX-License-Identifier: MIT
// One group alone: the law must hold for what comes back, on random blocks of every conditioning.
#include "solve/sweeps/group_solve.h"

#include <math.h>
#include <stdio.h>

#include "solve/cone.h"
#include "support/harness/check.h"
#include "support/harness/sample.h"

// A = R^T D R + `skew` with the condition number 10^`decades`, of mean diagonal about 1.
static void random_block(sampler *s, int rows, double decades, double skew, double *a) {
    double axes[3][3];
    carom_vec3 x = sample_unit(s), y = sample_unit(s);
    carom_vec3 z = {x.y * y.z - x.z * y.y, x.z * y.x - x.x * y.z, x.x * y.y - x.y * y.x};
    double length = sqrt(z.x * z.x + z.y * z.y + z.z * z.z);
    z = (carom_vec3){z.x / length, z.y / length, z.z / length};
    y = (carom_vec3){z.y * x.z - z.z * x.y, z.z * x.x - z.x * x.z, z.x * x.y - z.y * x.x};
    const carom_vec3 frame[3] = {x, y, z};
    for (int k = 0; k < 3; k++) {
        axes[k][0] = frame[k].x;
        axes[k][1] = frame[k].y;
        axes[k][2] = frame[k].z;
    }
    double d[3];
    for (int k = 0; k < 3; k++) d[k] = pow(10.0, -decades * sample_between(s, 0, 1));
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < rows; j++) {
            a[i * rows + j] = 0.0;
            for (int k = 0; k < 3; k++) a[i * rows + j] += axes[k][i] * d[k] * axes[k][j];
            a[i * rows + j] += skew * sample_between(s, -1, 1);
        }
    }
}

// s |r - P(r - w / s)| over the size of the terms in u.
static double violation(const carom_row_group *group, const double *a, const double *b, const double *r) {
    double u[3], terms = 0.0, s = 0.0, off = 0.0, w[3], moved[3], near[3];
    for (int i = 0; i < group->rows; i++) {
        u[i] = b[i];
        terms = fmax(terms, fabs(b[i]));
        for (int j = 0; j < group->rows; j++) {
            u[i] += a[i * group->rows + j] * r[j];
            terms = fmax(terms, fabs(a[i * group->rows + j] * r[j]));
        }
        s += a[i * group->rows + i] / group->rows;
    }
    crm_law_velocity(group, u, w);
    for (int i = 0; i < group->rows; i++) moved[i] = r[i] - w[i] / s;
    crm_law_project(group, moved, near);
    for (int i = 0; i < group->rows; i++) off = fmax(off, s * fabs(r[i] - near[i]));
    return off / terms;
}

static void solve_many(bool relaxed, double decades, double skew, double tolerance, int trials) {
    sampler s = {.seed = 10 + (uint64_t)decades};
    int opened = 0, stuck = 0, slid = 0;

    for (int k = 0; k < trials; k++) {
        carom_row_group group = {.law = CAROM_LAW_CONE,
                                 .rows = 2 + k % 2,
                                 .friction = k % 7 == 0 ? 0.0 : pow(10.0, sample_between(&s, -3, 0.5)),
                                 .relaxed = relaxed};
        double a[9], b[3], r[3], multiplier = k % 3 == 0 ? pow(10.0, sample_between(&s, -6, 3)) : 0.0;
        random_block(&s, group.rows, decades, skew, a);
        for (int i = 0; i < 3; i++) b[i] = sample_between(&s, -1, 1);
        crm_cone_solve(&group, a, b, r, &multiplier);
        double off = violation(&group, a, b, r);
        if (!CHECK(off <= tolerance)) {
            fprintf(stderr, "trial %d: mu %g, rows %d, r %g %g %g, off %g\n", k, group.friction, group.rows, r[0], r[1],
                    group.rows == 3 ? r[2] : 0.0, off);
            break;
        }
        opened += r[0] == 0.0;
        slid += r[0] > 0.0 && crm_cone_slip(group.rows, r) > 0.999999 * group.friction * r[0];
        stuck += r[0] > 0.0 && crm_cone_slip(group.rows, r) < 0.999999 * group.friction * r[0];
    }
    CHECK(opened > trials / 25 && stuck > trials / 25 && slid > trials / 25);
}

TEST(coulomb_holds_exactly) {
    solve_many(false, 0.0, 0.0, 1e-14, 20000);
    solve_many(false, 3.0, 0.0, 1e-13, 20000);
}

// Blocks as they come at high mass ratios.
TEST(coulomb_holds_on_bad_blocks) {
    solve_many(false, 8.0, 0.0, 1e-12, 20000);
}

TEST(coulomb_holds_on_unsymmetric_blocks) {
    solve_many(false, 1.0, 1e-3, 1e-13, 20000);
}

TEST(relaxation_holds_exactly) {
    solve_many(true, 0.0, 0.0, 1e-13, 4000);
    solve_many(true, 3.0, 0.0, 1e-12, 4000);
}

// Block on a slope, by hand: b is the free velocity, A = 1/m.
TEST(slope_sticks_and_slides) {
    for (int k = 0; k <= 8; k++) {
        double mu = 0.5, angle = 0.1 * k, m = 3.0, g = 0.0981;
        double a[9] = {1 / m, 0, 0, 0, 1 / m, 0, 0, 0, 1 / m}, b[3] = {-g * cos(angle), 0, -g * sin(angle)}, r[3];
        double multiplier = 0.0;
        carom_row_group group = {.law = CAROM_LAW_CONE, .rows = 3, .friction = mu};
        crm_cone_solve(&group, a, b, r, &multiplier);
        bool sticks = tan(angle) <= mu;
        CHECK_NEAR(r[0], m * g * cos(angle), 1e-15);
        CHECK_NEAR(r[1], 0, 1e-15);
        CHECK_NEAR(r[2], m * g * (sticks ? sin(angle) : mu * cos(angle)), 1e-15);
        CHECK_INT(multiplier > 0.0, !sticks);
    }
}

TEST(rows_reach_their_bounds) {
    carom_row_group unilateral = {.law = CAROM_LAW_UNILATERAL, .rows = 1};
    CHECK_NEAR(crm_row_solve(&unilateral, 2, -4, 0), 2, 0);
    CHECK_NEAR(crm_row_solve(&unilateral, 2, 4, 7), 0, 0);
    CHECK_NEAR(crm_row_solve(&unilateral, 0, 4, 7), 0, 0);
    CHECK_NEAR(crm_row_solve(&unilateral, 0, -4, 7), 7, 0); // nothing helps
    carom_row_group box = {.law = CAROM_LAW_BOX, .rows = 1, .lower = -1, .upper = INFINITY};
    CHECK_NEAR(crm_row_solve(&box, 2, 4, 0), -1, 0);
    CHECK_NEAR(crm_row_solve(&box, 2, -40, 0), 20, 0);
    CHECK_NEAR(crm_row_solve(&box, 0, 1, 3), -1, 0);
    CHECK_NEAR(crm_row_solve(&box, 0, -1, 3), 3, 0);
}

TEST_MAIN(CASE(coulomb_holds_exactly), CASE(coulomb_holds_on_bad_blocks), CASE(coulomb_holds_on_unsymmetric_blocks),
          CASE(relaxation_holds_exactly), CASE(slope_sticks_and_slides), CASE(rows_reach_their_bounds))
