// SPDX-License-Identifier: MIT
// The simplex method against enumeration of all bases, duality and certificates, and on programs made to make it fail.
#include "reference/program/simplex.h"

#include <math.h>

#include "reference/program/optimal_face.h"
#include "support/harness/check.h"
#include "support/harness/sample.h"

enum { ROWS = 3, COLUMNS = 8 };

typedef struct random_program {
    wide matrix[ROWS * COLUMNS], rhs[ROWS], cost[COLUMNS];
    linear_program program;
} random_program;

// Small integers make ties, and with them degenerate vertices and several optima.
static void fill(sampler *s, bool integers, bool feasible, random_program *p) {
    for (int k = 0; k < ROWS * COLUMNS; k++) p->matrix[k] = sample_between(s, -3.0, 3.0);
    for (int k = 0; k < COLUMNS; k++) p->cost[k] = sample_between(s, -1.0, 4.0);
    for (int r = 0; r < ROWS; r++) p->rhs[r] = sample_between(s, -3.0, 3.0);
    if (integers) {
        for (int k = 0; k < ROWS * COLUMNS; k++) p->matrix[k] = roundl(p->matrix[k]);
        for (int k = 0; k < COLUMNS; k++) p->cost[k] = roundl(p->cost[k]);
    }
    for (int r = 0; r < ROWS && feasible; r++) {
        p->rhs[r] = 0.0L;
        for (int k = 0; k < COLUMNS; k++) p->rhs[r] += k % 3 == 0 ? p->matrix[r + ROWS * k] : 0.0L;
    }
    if (integers && !feasible)
        for (int r = 0; r < ROWS; r++) p->rhs[r] = roundl(p->rhs[r]);
    p->program = (linear_program){ROWS, COLUMNS, p->matrix, p->rhs, p->cost, NULL};
}

// The best vertex of all; infinity when there is none.
static wide best_vertex(const random_program *p) {
    wide best = INFINITY;
    for (int i = 0; i < COLUMNS; i++)
        for (int j = 0; j < i; j++)
            for (int k = 0; k < j; k++) {
                const int chosen[ROWS] = {i, j, k};
                wide a[ROWS * ROWS], x[ROWS], value = 0.0L;
                bool feasible = true;
                for (int c = 0; c < ROWS; c++)
                    for (int r = 0; r < ROWS; r++) a[r + ROWS * c] = p->matrix[r + ROWS * chosen[c]];
                if (!wide_solve(ROWS, a, false, p->rhs, 1e-12L, x)) continue;
                for (int c = 0; c < ROWS; c++) {
                    feasible = feasible && x[c] >= -1e-12L;
                    value += p->cost[chosen[c]] * x[c];
                }
                if (feasible && value < best) best = value;
            }
    return best;
}

static wide row_product(const linear_program *p, int row, const wide *x) {
    wide sum = 0.0L;
    for (int k = 0; k < p->columns; k++) sum += p->matrix[row + p->rows * k] * x[k];
    return sum;
}

static wide column_product(const linear_program *p, int column, const wide *y) {
    wide sum = 0.0L;
    for (int r = 0; r < p->rows; r++) sum += p->matrix[r + p->rows * column] * y[r];
    return sum;
}

// Feasible on both sides with equal values: nothing else is needed to prove an optimum.
static void check_optimum(const linear_program *p, const lp_solution *s) {
    wide dual_value = 0.0L;
    for (int r = 0; r < p->rows; r++) {
        CHECK_NEAR((double)row_product(p, r, s->x), (double)p->rhs[r], 1e-14);
        dual_value += p->rhs[r] * s->y[r];
    }
    for (int k = 0; k < p->columns; k++) {
        CHECK(s->x[k] >= -1e-14L);
        CHECK(p->cost[k] - column_product(p, k, s->y) >= -1e-14L);
    }
    CHECK_NEAR((double)dual_value, (double)s->value, 1e-13 * fmax(1.0, fabs((double)s->value)));
}

static void check_certificate(const random_program *p, const lp_solution *s) {
    const linear_program *lp = &p->program;
    wide gain = 0.0L;
    if (s->status == LP_UNBOUNDED) {
        for (int r = 0; r < ROWS; r++) CHECK_NEAR((double)row_product(lp, r, s->x), 0.0, 1e-13);
        for (int k = 0; k < COLUMNS; k++) {
            CHECK(s->x[k] >= -1e-13L);
            gain += p->cost[k] * s->x[k];
        }
        CHECK(gain < 0.0L);
    } else {
        for (int k = 0; k < COLUMNS; k++) CHECK(column_product(lp, k, s->y) <= 1e-14L);
        for (int r = 0; r < ROWS; r++) gain += p->rhs[r] * s->y[r];
        CHECK(gain > 1e-12L);
    }
}

TEST(random_programs_agree_with_enumeration) {
    sampler s = {.seed = 1};
    int seen[4] = {0};
    for (int i = 0; i < 4000; i++) {
        random_program p;
        lp_solution solution;
        fill(&s, i % 2 == 0, i % 4 < 2, &p);
        lp_solve(&p.program, &solution);
        seen[solution.status]++;
        wide best = best_vertex(&p);
        if (solution.status == LP_OPTIMAL) {
            CHECK_NEAR((double)solution.value, (double)best, 1e-11);
            check_optimum(&p.program, &solution);
        } else {
            CHECK((best == INFINITY) == (solution.status == LP_INFEASIBLE));
            check_certificate(&p, &solution);
        }
    }
    CHECK_INT(seen[LP_STALLED], 0);
    CHECK(seen[LP_OPTIMAL] > 500 && seen[LP_UNBOUNDED] > 100 && seen[LP_INFEASIBLE] > 100);
    print_message("%d optimal, %d unbounded, %d infeasible\n", seen[LP_OPTIMAL], seen[LP_UNBOUNDED],
                  seen[LP_INFEASIBLE]);
}

// Beale (1955): the largest-coefficient rule goes round in circles here.
TEST(beale_does_not_cycle) {
    const wide matrix[3 * 7] = {0.25L, 0.5L, 0, -60, -90, 0, -1.0L / 25, -1.0L / 50, 1, 9, 3,
                                0,     1,    0, 0,   0,   1, 0,          0,          0, 1};
    const wide rhs[3] = {0, 0, 1}, cost[7] = {-0.75L, 150, -0.02L, 6, 0, 0, 0};
    linear_program p = {3, 7, matrix, rhs, cost, NULL};
    lp_solution s;
    lp_solve(&p, &s);
    CHECK_INT(s.status, LP_OPTIMAL);
    CHECK_NEAR((double)s.value, -0.05, 1e-17);
    check_optimum(&p, &s);
}

// A row given twice, and a free variable: x + y = 1 twice, minimise z with z = x - y free.
TEST(redundant_rows_and_free_variables_are_handled) {
    const wide matrix[3 * 3] = {1, 1, 1, 1, 1, -1, 0, 0, -1};
    const wide rhs[3] = {1, 1, 0}, cost[3] = {0, 0, 1};
    const bool is_free[3] = {false, false, true};
    linear_program p = {3, 3, matrix, rhs, cost, is_free};
    lp_solution s;
    lp_solve(&p, &s);
    CHECK_INT(s.status, LP_OPTIMAL);
    CHECK_NEAR((double)s.value, -1.0, 1e-18);
    CHECK_NEAR((double)s.x[1], 1.0, 1e-18);
    CHECK_NEAR((double)s.x[2], -1.0, 1e-18);
}

// Minimise x1 + x2 + 2 x3 with x1 + x2 + x3 = 1: an edge of optima, its middle the shortest. The dual is unique.
TEST(optimal_edge_is_found_with_its_middle) {
    const wide matrix[3] = {1, 1, 1}, rhs[1] = {1}, cost[3] = {1, 1, 2};
    linear_program p = {1, 3, matrix, rhs, cost, NULL};
    lp_solution s;
    optimal_face face;
    wide x[3];
    lp_solve(&p, &s);
    optimal_face_find(&p, &s, (face_tolerance){1e-12L, 1e-12L, 1e-12L}, &face);
    CHECK_INT(face.x_dimension, 1);
    CHECK_INT(face.y_dimension, 0);
    CHECK(face.carries[0] && face.carries[1] && !face.carries[2]);
    CHECK(optimal_face_least_x(&p, &face, x, NULL));
    CHECK_NEAR((double)x[0], 0.5, 1e-18);
    CHECK_NEAR((double)x[1], 0.5, 1e-18);
}

// Maximise y3 over an upside-down tent y3 <= 1 - k.(y1, y2): here its flat top, the square |y1|, |y2| <= 1, is optimal.
TEST(optimal_square_of_multipliers_is_found) {
    // columns are the constraints a.y <= c: y3 <= 1, y1 + y3 <= 2, -y1 + y3 <= 2, y2 + y3 <= 2, -y2 + y3 <= 2
    const wide matrix[15] = {0, 0, 1, 1, 0, 1, -1, 0, 1, 0, 1, 1, 0, -1, 1}, rhs[3] = {0, 0, 1},
               cost[5] = {1, 2, 2, 2, 2};
    const wide w[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    linear_program p = {3, 5, matrix, rhs, cost, NULL};
    lp_solution s;
    optimal_face face;
    wide y[3];
    lp_solve(&p, &s);
    CHECK_NEAR((double)s.value, 1.0, 1e-18);
    optimal_face_find(&p, &s, (face_tolerance){1e-12L, 1e-12L, 1e-12L}, &face);
    CHECK_INT(face.x_dimension, 0);
    CHECK_INT(face.y_dimension, 2);
    CHECK_INT(face.extreme_count, 4);
    for (int i = 0; i < 4; i++) {
        CHECK_NEAR((double)fabsl(face.extreme[i][0]), 1.0, 1e-18);
        CHECK_NEAR((double)fabsl(face.extreme[i][1]), 1.0, 1e-18);
    }
    CHECK(optimal_face_least_y(&p, &face, 3, w, y, NULL));
    CHECK_NEAR((double)hypotl(y[0], y[1]), 0.0, 1e-18);
}

TEST_MAIN(CASE(random_programs_agree_with_enumeration), CASE(beale_does_not_cycle),
          CASE(redundant_rows_and_free_variables_are_handled), CASE(optimal_edge_is_found_with_its_middle),
          CASE(optimal_square_of_multipliers_is_found))
