// SPDX-License-Identifier: MIT
// Columns of boxes, four contacts with friction at every face: matrices that are copositive only, of a rank far below
// their size, with masses from light under heavy to heavy under light.
#include <stdlib.h>

#include "solve/dense/dense_lcp_check.h"
#include "solve/dense/pyramid.h"
#include "support/harness/sample.h"

enum { MOST_BOXES = 8, MOST_CONTACTS = 4 * MOST_BOXES, MOST_ROWS = 3 * MOST_CONTACTS };

typedef struct column {
    int boxes, contacts;
    double mass[MOST_BOXES], inertia[MOST_BOXES], v[MOST_BOXES][6];
    carom_row_group groups[MOST_CONTACTS];
    double rows[MOST_ROWS][6 * MOST_BOXES];
    double w[MOST_ROWS * MOST_ROWS], q[MOST_ROWS];
} column;

// Row of the velocity along `axis` (n = z, then x and y) of the point at `lever` of a box, with a sign.
static void add_row(double *row, int box, int axis, const double lever[3], double sign) {
    static const int direction[3] = {2, 0, 1};
    int d = direction[axis], next = (d + 1) % 3, last = (d + 2) % 3;
    row[6 * box + d] += sign;
    // (spin x lever)_d = spin_next lever_last - spin_last lever_next
    row[6 * box + 3 + next] += sign * lever[last];
    row[6 * box + 3 + last] -= sign * lever[next];
}

static void build_column(column *c, int boxes, double spread, double mu, sampler *s) {
    memset(c, 0, sizeof *c);
    c->boxes = boxes;
    c->contacts = 4 * boxes;
    for (int b = 0; b < boxes; b++) {
        c->mass[b] = exp2(sample_between(s, -spread, spread));
        c->inertia[b] = c->mass[b] / 6.0; // a unit cube
        for (int k = 0; k < 2; k++) c->v[b][k] = crm_random_below(s, 2) == 0 ? 0.0 : sample_between(s, -1.0, 1.0);
        c->v[b][2] = -0.0981;
    }
    for (int k = 0; k < c->contacts; k++) {
        int upper = k / 4;
        double x = k % 2 == 0 ? -0.5 : 0.5, y = k % 4 < 2 ? -0.5 : 0.5;
        c->groups[k] = (carom_row_group){.law = CAROM_LAW_CONE, .rows = 3, .friction = mu};
        for (int axis = 0; axis < 3; axis++) {
            double *row = c->rows[3 * k + axis];
            add_row(row, upper, axis, (double[]){x, y, -0.5}, 1.0);
            if (upper > 0) add_row(row, upper - 1, axis, (double[]){x, y, 0.5}, -1.0);
        }
    }
    int n = 3 * c->contacts;
    for (int i = 0; i < n; i++) {
        for (int d = 0; d < 6 * boxes; d++) c->q[i] += c->rows[i][d] * c->v[d / 6][d % 6];
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int d = 0; d < 6 * boxes; d++)
                sum += c->rows[i][d] * c->rows[j][d] / (d % 6 < 3 ? c->mass[d / 6] : c->inertia[d / 6]);
            c->w[i * n + j] = sum;
        }
    }
}

static void solve_columns(int count, int most_boxes, double spread, double tolerance) {
    sampler s = {.seed = 80};
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    column *c = malloc(sizeof *c);
    int newton = 0, solved = 0, largest = 0;
    long long pivots = 0;
    double worst = 0.0;
    for (int k = 0; k < count; k++) {
        int boxes = 1 + (int)crm_random_below(&s, (unsigned)most_boxes), sides = k % 2 == 0 ? 4 : 8;
        build_column(c, boxes, spread, k % 7 == 0 ? 0.0 : sample_between(&s, 0.1, 1.0), &s);
        crm_pyramid pyramid;
        CHECK_INT(crm_pyramid_build(c->contacts, c->groups, c->w, c->q, sides, &arena, &pyramid, NULL), CAROM_OK);
        double z[10 * MOST_CONTACTS];
        newton += solved_by(&pyramid.lcp, CAROM_SOLVER_MIN_MAP, tolerance, z, NULL).outcome == CAROM_DENSE_LCP_SOLVED;
        carom_dense_lcp_report report = solved_by(&pyramid.lcp, CAROM_SOLVER_LEMKE, tolerance, z, NULL);
        pivots += report.pivots;
        solved += CHECK_INT(report.outcome, CAROM_DENSE_LCP_SOLVED) & CHECK(lcp_residual(&pyramid.lcp, z) <= tolerance);
        worst = fmax(worst, lcp_residual(&pyramid.lcp, z));
        check_solved(&pyramid.lcp, CAROM_SOLVER_AUTO, tolerance, z, "column");
        worst = fmax(worst, lcp_residual(&pyramid.lcp, z));
        largest = pyramid.lcp.size > largest ? pyramid.lcp.size : largest;
        crm_arena_reset(&arena);
    }
    printf("%d columns, masses 2^+-%g, up to %d unknowns: lemke alone %d (%.1f pivots each), min-map alone %d, worst "
           "residual %.1e\n",
           count, spread, largest, solved, (double)pivots / count, newton, worst);
    free(c);
    crm_arena_free(&arena);
}

TEST(short_columns_are_solved) {
    solve_columns(40, 3, 1.0, 1e-11);
}

TEST(tall_columns_are_solved) {
    solve_columns(20, MOST_BOXES, 1.0, 1e-11);
}

// Up to a million to one, where roundings alone are near 1e-12.
TEST(columns_of_unequal_masses_are_solved) {
    solve_columns(30, 6, 10.0, 1e-10);
}

TEST_MAIN(CASE(short_columns_are_solved), LONG_CASE(tall_columns_are_solved),
          LONG_CASE(columns_of_unequal_masses_are_solved))
