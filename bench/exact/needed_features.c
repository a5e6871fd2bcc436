// SPDX-License-Identifier: MIT
#include "exact/needed_features.h"

#include "math/vec3.h"
#include "reference/program/simplex.h"

enum { ROWS = 6 };

// Far above the rounding of gaps (1e-15) and far below any tolerance that a list is made with, m.
static const double same_gap = 1e-11;

static void fill_row(const carom_feature_contact *feature, carom_vec3 about, wide row[ROWS]) {
    carom_vec3 rotating = crm_cross(crm_sub(feature->point_a, about), feature->normal);
    const double values[ROWS] = {feature->normal.x, feature->normal.y, feature->normal.z,
                                 rotating.x,        rotating.y,        rotating.z};
    for (int i = 0; i < ROWS; i++) row[i] = values[i];
}

int bench_needed_features(int count, const carom_feature_contact *features) {
    static wide rows[ROWS * BENCH_NEEDED_MOST], gaps[BENCH_NEEDED_MOST];
    if (count > BENCH_NEEDED_MOST) return -1;
    int left = 0;
    for (; left < count; left++) {
        fill_row(&features[left], features[0].point_a, rows + ROWS * left);
        gaps[left] = features[left].gap;
    }
    for (int i = count - 1; i >= 0 && left > 1; i--) {
        // The contact in question goes to the end of those left.
        static lp_solution solution;
        wide row[ROWS], gap = gaps[i];
        for (int k = 0; k < ROWS; k++) {
            row[k] = rows[ROWS * i + k];
            rows[ROWS * i + k] = rows[ROWS * (left - 1) + k];
            rows[ROWS * (left - 1) + k] = row[k];
        }
        gaps[i] = gaps[left - 1];
        gaps[left - 1] = gap;
        lp_solve(&(linear_program){.rows = ROWS, .columns = left - 1, .matrix = rows, .rhs = row, .cost = gaps},
                 &solution);
        if (solution.status == LP_STALLED) return -1;
        bool implied =
            solution.status == LP_UNBOUNDED || (solution.status == LP_OPTIMAL && solution.value <= gap + same_gap);
        if (implied) left--;
    }
    return left;
}
