// SPDX-License-Identifier: MIT
// The blocks of Newton's method against differences of the maps that they linearise, for every law and region.
#include "solve/newton/newton_blocks.h"

#include <math.h>
#include <string.h>

#include "support/harness/check.h"
#include "support/harness/sample.h"

enum { N = CAROM_GROUP_ROWS, MOST_NUMBERS = 4 * N * N + 2 * N };

static const crm_newton_law laws[] = {
    {.law = CAROM_LAW_EQUALITY, .rows = 4},
    {.law = CAROM_LAW_EQUALITY, .rows = 2, .compliant = true, .compliance = {0.3, 0.1}},
    {.law = CAROM_LAW_UNILATERAL, .rows = 1},
    {.law = CAROM_LAW_UNILATERAL, .rows = 1, .compliant = true, .compliance = {0.2}},
    {.law = CAROM_LAW_BOX, .rows = 1, .lower = -0.5, .upper = 0.7},
    {.law = CAROM_LAW_BOX, .rows = 1, .lower = -INFINITY, .upper = 0.2},
    {.law = CAROM_LAW_BOX, .rows = 1, .lower = 0.1, .upper = INFINITY},
    {.law = CAROM_LAW_CONE, .rows = 3, .shift = 1.0},
    {.law = CAROM_LAW_CONE, .rows = 2, .shift = 1.0},
    {.law = CAROM_LAW_CONE, .rows = 3},
    {.law = CAROM_LAW_CONE, .rows = 2},
    {.law = CAROM_LAW_CONE, .rows = 3, .frictionless = true, .shift = 1.0},
    {.law = CAROM_LAW_CONE, .rows = 3, .shift = 1.0, .compliant = true, .compliance = {0.3, 0.1, 0.2}},
};
enum { LAWS = sizeof laws / sizeof laws[0] };

static void draw(sampler *s, int rows, double *x) {
    for (int i = 0; i < rows; i++) x[i] = sample_between(s, -1.0, 1.0);
}

static double product(int rows, const double *matrix, int i, const double *x) {
    double sum = 0.0;
    for (int j = 0; j < rows; j++) sum += matrix[i * rows + j] * x[j];
    return sum;
}

// A du + B dr is the change of the map to first order. Random points meet open, sliding and sticking ones; those with
// a kink in between (the two sides differ) are left out, and must be few.
static void check_against_differences(double smoothing) {
    const double step = 1e-6;
    sampler s = {.seed = 3};
    for (int k = 0; k < LAWS; k++) {
        int rows = laws[k].rows, kinks = 0;
        for (int trial = 0; trial < 300; trial++) {
            double u[N], r[N], du[N], dr[N], ahead[N], back[N], here[N], high_u[N], high_r[N], low_u[N], low_r[N];
            double numbers[MOST_NUMBERS];
            crm_newton_block block = crm_newton_block_place(rows, numbers);
            draw(&s, rows, u), draw(&s, rows, r), draw(&s, rows, du), draw(&s, rows, dr);
            for (int i = 0; i < rows; i++) {
                high_u[i] = u[i] + step * du[i], low_u[i] = u[i] - step * du[i];
                high_r[i] = r[i] + step * dr[i], low_r[i] = r[i] - step * dr[i];
            }
            crm_natural_map(&laws[k], high_u, high_r, smoothing, ahead);
            crm_natural_map(&laws[k], low_u, low_r, smoothing, back);
            crm_natural_map(&laws[k], u, r, smoothing, here);
            crm_natural_block(&laws[k], u, r, smoothing, 0.0, &block);
            bool kink = false;
            for (int i = 0; i < rows; i++) kink |= fabs(ahead[i] + back[i] - 2.0 * here[i]) > 1e-9;
            kinks += kink;
            for (int i = 0; i < rows && !kink; i++) {
                double change = (ahead[i] - back[i]) / (2.0 * step);
                CHECK_NEAR(product(rows, block.a, i, du) + product(rows, block.b, i, dr), change, 2e-8);
                CHECK_NEAR(block.c[i], -here[i], 1e-15);
            }
        }
        CHECK(kinks <= 3);
    }
}

TEST(natural_block_is_the_derivative) {
    check_against_differences(0.0);
}

TEST(smoothed_block_is_the_derivative) {
    check_against_differences(0.3);
}

// The right-hand side of a path is minus the map's derivative with respect to width and share of De Saxce's term.
TEST(path_is_the_derivative) {
    const double step = 1e-6, width = 0.3, width_rate = -0.7, shift_rate = 0.4;
    sampler s = {.seed = 12};
    for (int k = 0; k < LAWS; k++)
        for (int trial = 0; trial < 100; trial++) {
            int rows = laws[k].rows;
            double u[N], r[N], before[N], after[N], numbers[MOST_NUMBERS];
            crm_newton_block block = crm_newton_block_place(rows, numbers);
            crm_newton_law law = laws[k], less = law, more = law;
            double rate = law.shift > 0.0 ? shift_rate : 0.0;
            law.shift *= 0.5;
            less.shift = law.shift - step * rate, more.shift = law.shift + step * rate;
            draw(&s, rows, u), draw(&s, rows, r);
            crm_natural_map(&less, u, r, width - step * width_rate, before);
            crm_natural_map(&more, u, r, width + step * width_rate, after);
            crm_natural_block(&law, u, r, width, 0.0, &block);
            crm_natural_path(&law, u, r, width, width_rate, rate, &block);
            for (int i = 0; i < rows; i++) {
                CHECK_NEAR(block.c[i], (before[i] - after[i]) / (2.0 * step), 1e-7);
                if (law.law != CAROM_LAW_EQUALITY) CHECK_NEAR(product(rows, block.b, i, block.push), block.c[i], 1e-12);
            }
        }
}

// stiffness = B^-1 A and push = B^-1 c, over twelve orders of the prox term.
TEST(reduced_block_solves_the_pair) {
    sampler s = {.seed = 4};
    for (int k = 0; k < LAWS; k++)
        for (int trial = 0; trial < 100; trial++) {
            int rows = laws[k].rows;
            double u[N], r[N], prox = pow(10.0, sample_between(&s, -12.0, 0.0));
            double numbers[MOST_NUMBERS];
            crm_newton_block block = crm_newton_block_place(rows, numbers);
            draw(&s, rows, u), draw(&s, rows, r);
            crm_natural_block(&laws[k], u, r, trial % 2 == 0 ? 0.0 : 0.1, prox, &block);
            for (int i = 0; i < rows; i++) {
                CHECK_NEAR(product(rows, block.b, i, block.push), block.c[i], 1e-13 + 1e-15 / prox);
                for (int j = 0; j < rows; j++) {
                    double sum = 0.0;
                    for (int l = 0; l < rows; l++) sum += block.b[i * rows + l] * block.stiffness[l * rows + j];
                    CHECK_NEAR(sum, block.a[i * rows + j], 1e-13 + 1e-15 / prox);
                }
            }
        }
}

// The proximal r(u): D du + prox dr = 0 is its derivative, and at a solution of the law it stays where it is.
TEST(proximal_block_is_the_derivative) {
    const double step = 1e-7, prox = 0.1;
    sampler s = {.seed = 8};
    for (int k = 0; k < LAWS; k++) {
        int rows = laws[k].rows, kinks = 0;
        if (!crm_proximal_knows(&laws[k])) continue;
        for (int trial = 0; trial < 200; trial++) {
            double u[N], centre[N], du[N], high[N], low[N], ahead[N] = {0}, back[N] = {0}, here[N] = {0};
            double numbers[MOST_NUMBERS];
            crm_newton_block block = crm_newton_block_place(rows, numbers);
            draw(&s, rows, u), draw(&s, rows, centre), draw(&s, rows, du);
            for (int i = 0; i < rows; i++) high[i] = u[i] + step * du[i], low[i] = u[i] - step * du[i];
            crm_proximal_point(&laws[k], high, 0.2, centre, prox, ahead);
            crm_proximal_point(&laws[k], low, 0.2, centre, prox, back);
            crm_proximal_point(&laws[k], u, 0.2, centre, prox, here);
            crm_proximal_block(&laws[k], u, 0.2, centre, prox, here, &block);
            bool kink = false;
            for (int i = 0; i < rows; i++) kink |= fabs(ahead[i] + back[i] - 2.0 * here[i]) > 1e-10;
            kinks += kink;
            for (int i = 0; i < rows && !kink; i++) {
                CHECK_NEAR(-product(rows, block.stiffness, i, du), (ahead[i] - back[i]) / (2.0 * step), 1e-6);
                CHECK_NEAR(block.c[i], 0.0, 1e-15);
            }
        }
        CHECK(kinks <= 3);
    }
}

// A point inside the cone, at a distance from its boundary that spans six orders.
static void draw_inside(sampler *s, const crm_newton_law *law, double *x) {
    draw(s, law->rows, x);
    double norm = law->rows == 3 ? hypot(x[1], x[2]) : law->rows == 2 ? fabs(x[1]) : 0.0;
    x[0] = norm + pow(10.0, sample_between(s, -6.0, 0.0));
}

// The direction of an interior step solves the linearised complementarity in the scaling of Nesterov and Todd: at a
// point on the central path with its own target it is zero.
TEST(interior_step_rests_on_the_path) {
    sampler s = {.seed = 5};
    for (int rows = 1; rows <= 3; rows++) {
        crm_newton_law law = {.law = rows == 1 ? CAROM_LAW_UNILATERAL : CAROM_LAW_CONE, .rows = rows};
        for (int trial = 0; trial < 100; trial++) {
            double r[N], y[N], target = 0.37;
            draw_inside(&s, &law, r);
            double det = r[0] * r[0];
            for (int i = 1; i < rows; i++) det -= r[i] * r[i];
            for (int i = 0; i < rows; i++) y[i] = target * (i == 0 ? r[0] : -r[i]) / det; // r o y = target
            double numbers[MOST_NUMBERS];
            crm_newton_block block = crm_newton_block_place(rows, numbers);
            crm_interior_block(&law, y, r, y, target, 0.0, 0.0, &block);
            for (int i = 0; i < rows; i++) CHECK_NEAR(block.c[i] / (1.0 + fabs(r[0])), 0.0, 1e-8);
        }
    }
}

// Nesterov and Todd's V maps y to r: with A = (I + V)^-1 V and B = (I + V)^-1, A y = B r.
TEST(scaling_maps_one_to_the_other) {
    sampler s = {.seed = 6};
    for (int rows = 1; rows <= 3; rows++) {
        crm_newton_law law = {.law = rows == 1 ? CAROM_LAW_UNILATERAL : CAROM_LAW_CONE, .rows = rows};
        for (int trial = 0; trial < 200; trial++) {
            double r[N], y[N];
            double numbers[MOST_NUMBERS];
            crm_newton_block block = crm_newton_block_place(rows, numbers);
            draw_inside(&s, &law, r), draw_inside(&s, &law, y);
            crm_interior_block(&law, y, r, y, 0.1, 0.0, 0.0, &block);
            for (int i = 0; i < rows; i++) CHECK_NEAR(product(rows, block.a, i, y), product(rows, block.b, i, r), 1e-9);
        }
    }
}

// The corrected step obeys y.dr + r.dy = target - r.y - a.b, where a and b are the first direction: with dy = 0 its dr
// is the block's push.
TEST(correction_is_of_second_order) {
    sampler s = {.seed = 9};
    for (int rows = 1; rows <= 3; rows++) {
        crm_newton_law law = {.law = rows == 1 ? CAROM_LAW_UNILATERAL : CAROM_LAW_CONE, .rows = rows};
        for (int trial = 0; trial < 200; trial++) {
            double r[N], y[N], a[N], b[N], target = 0.05, left = 0.0, right = target;
            double numbers[MOST_NUMBERS];
            crm_newton_block block = crm_newton_block_place(rows, numbers);
            draw_inside(&s, &law, r), draw_inside(&s, &law, y), draw(&s, rows, a), draw(&s, rows, b);
            crm_interior_block(&law, y, r, y, 0.0, 0.0, 0.0, &block);
            crm_interior_correct(&law, r, y, target, a, b, &block);
            for (int i = 0; i < rows; i++) left += y[i] * block.push[i], right -= r[i] * y[i] + a[i] * b[i];
            CHECK_NEAR(left, right, 1e-7);
        }
    }
}

// The step length ends on the boundary: a little less is inside, a little more is outside.
TEST(step_lengths_end_on_the_boundary) {
    sampler s = {.seed = 7};
    int cut = 0;
    for (int rows = 1; rows <= 3; rows++) {
        crm_newton_law law = {.law = rows == 1 ? CAROM_LAW_UNILATERAL : CAROM_LAW_CONE, .rows = rows};
        for (int trial = 0; trial < 300; trial++) {
            double x[N], dx[N];
            draw_inside(&s, &law, x), draw(&s, rows, dx);
            double reach = crm_interior_step_length(&law, x, dx);
            CHECK(reach > 0.0 && reach <= 1.0);
            for (int side = -1; side <= 1; side += 2) {
                double at = reach * (1.0 + 1e-6 * side), p[3] = {0};
                for (int i = 0; i < rows; i++) p[i] = x[i] + at * dx[i];
                double depth = p[0] - hypot(p[1], p[2]);
                if (side < 0)
                    CHECK(depth > -1e-12);
                else if (reach < 1.0)
                    CHECK(depth < 1e-12);
            }
            cut += reach < 1.0;
        }
    }
    CHECK(cut > 200);
}

TEST_MAIN(CASE(natural_block_is_the_derivative), CASE(smoothed_block_is_the_derivative), CASE(path_is_the_derivative),
          CASE(reduced_block_solves_the_pair), CASE(interior_step_rests_on_the_path),
          CASE(scaling_maps_one_to_the_other), CASE(step_lengths_end_on_the_boundary),
          CASE(correction_is_of_second_order), CASE(proximal_block_is_the_derivative))
