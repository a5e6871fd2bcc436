// SPDX-License-Identifier: MIT
// Nonnegative least squares by their optimality conditions, least norms by trying every set of positive unknowns.
#include "reference/program/least_norm.h"

#include "support/harness/check.h"
#include "support/harness/sample.h"

enum { ROWS_MAX = 5, COLUMNS_MAX = 8 };

TEST(nonnegative_least_squares_are_optimal) {
    sampler s = {.seed = 1};
    for (int trial = 0; trial < 2000; trial++) {
        int rows = 2 + trial % 4, columns = 1 + trial % 8;
        wide e[ROWS_MAX * COLUMNS_MAX], f[ROWS_MAX], w[COLUMNS_MAX], rest[ROWS_MAX];
        for (int k = 0; k < rows * columns; k++) e[k] = sample_between(&s, -1.0, 1.0);
        for (int r = 0; r < rows; r++) f[r] = sample_between(&s, -1.0, 1.0);
        CHECK(nonnegative_least_squares(rows, columns, e, f, w));
        for (int r = 0; r < rows; r++) {
            rest[r] = f[r];
            for (int j = 0; j < columns; j++) rest[r] -= e[r + rows * j] * w[j];
        }
        // Nowhere a gradient that pulls upwards, none at all where the unknown is positive.
        for (int j = 0; j < columns; j++) {
            wide gradient = 0.0L;
            for (int r = 0; r < rows; r++) gradient += e[r + rows * j] * rest[r];
            CHECK(w[j] >= 0.0L && gradient <= 1e-14L);
            if (w[j] > 0.0L) CHECK_NEAR((double)gradient, 0.0, 1e-14);
        }
    }
}

// The shortest of the feasible least-norm solutions over all sets of unknowns that may be positive; -1 without any.
static wide shortest_by_enumeration(int rows, int columns, const wide *a, const wide *b) {
    wide best = -1.0L;
    for (int set = 0; set < 1 << columns; set++) {
        wide kept[ROWS_MAX * COLUMNS_MAX], square = 0.0L;
        int count = 0;
        for (int j = 0; j < columns; j++) {
            if (!(set >> j & 1)) continue;
            for (int r = 0; r < rows; r++) kept[r + rows * count] = a[r + rows * j];
            count++;
        }
        affine_set solutions = affine_set_solve(rows, count, kept, b, 1e-12L);
        bool feasible = solutions.residual <= 1e-12L;
        for (int j = 0; j < count; j++) {
            feasible = feasible && solutions.point[j] >= -1e-13L;
            square += solutions.point[j] * solutions.point[j];
        }
        affine_set_free(&solutions);
        if (feasible && (best < 0.0L || square < best)) best = square;
    }
    return best;
}

TEST(least_norms_agree_with_enumeration) {
    sampler s = {.seed = 2};
    int feasible = 0, pushed = 0;
    for (int trial = 0; trial < 600; trial++) {
        int rows = 1 + trial % 4, columns = 4 + trial % 5;
        wide a[ROWS_MAX * COLUMNS_MAX], b[ROWS_MAX], x[COLUMNS_MAX], plain[COLUMNS_MAX], square = 0.0L;
        for (int k = 0; k < rows * columns; k++) a[k] = sample_between(&s, -1.0, 1.0);
        for (int r = 0; r < rows; r++) b[r] = sample_between(&s, -0.7, 0.7);
        wide best = shortest_by_enumeration(rows, columns, a, b);
        bool found = least_norm_nonnegative(rows, columns, a, b, 1e-12L, x, plain);
        CHECK(found == (best >= 0.0L));
        if (!found) continue;
        feasible++;
        bool negative = false;
        for (int j = 0; j < columns; j++) {
            CHECK(x[j] >= 0.0L);
            square += x[j] * x[j];
            negative = negative || plain[j] < -1e-9L;
        }
        pushed += negative;
        CHECK_NEAR((double)square, (double)best, 1e-12 * (1.0 + (double)best));
        for (int r = 0; r < rows; r++) {
            wide rest = -b[r];
            for (int j = 0; j < columns; j++) rest += a[r + rows * j] * x[j];
            CHECK_NEAR((double)rest, 0.0, 1e-12);
        }
    }
    CHECK(feasible > 100 && feasible < 600 && pushed > 50);
    print_message("%d of 600 feasible, in %d the Moore-Penrose solution has negative entries\n", feasible, pushed);
}

TEST_MAIN(CASE(nonnegative_least_squares_are_optimal), CASE(least_norms_agree_with_enumeration))
