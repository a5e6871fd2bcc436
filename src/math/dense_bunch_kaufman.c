// SPDX-License-Identifier: MIT
// Pivoted L D L^T: J. R. Bunch, L. Kaufman, Some stable methods for calculating inertia and solving symmetric linear
// systems, Math. Comp. 31 (1977), Algorithm A; right-looking on the lower triangle, as in LAPACK's dsytf2.
//
// Rank decisions need the size of the rounding errors, not of the matrix. work[i] therefore holds a running bound, in
// units of eps, of the error in entry (i, i) of the reduced matrix: the terms it was computed from, and the errors of
// the pivots that were used, which reach it multiplied by l^2. Without that second part, random matrices of deficient
// rank come out with a pivot too many. sqrt(work_i work_j) bounds the error of entry (i, j): a 2x2 pivot [a b; b c]
// counts as [w1+|b| |b|; |b| w2+|b|], which is positive semidefinite and bounds it entry by entry, so that the
// Cauchy-Schwarz inequality holds.
#include <float.h>
#include <math.h>

#include "math/dense_condition.h"
#include "math/dense_ldlt.h"

// (1 + sqrt(17)) / 8 makes the growth bounds of one 2x2 step and two 1x1 steps equal.
static const double pivot_preference = 0.6403882032022076;

static inline void exchange(double *x, double *y) {
    double kept = *x;
    *x = *y;
    *y = kept;
}

// The row below the diagonal of column k with the largest entry; k itself when all are zero (or NaN).
static int largest_below(int n, const double *column, int k) {
    int best = k;
    double largest = 0.0;
    for (int i = k + 1; i < n; i++)
        if (fabs(column[i]) > largest) {
            largest = fabs(column[i]);
            best = i;
        }
    return best;
}

// Whether column k of the reduced matrix is nothing but round-off.
static bool column_is_noise(int n, const double *a, ptrdiff_t lda, int k, const double *work) {
    const double *column = a + k * lda;
    const double relative_noise = n * DBL_EPSILON;
    if (!(fabs(column[k]) <= relative_noise * work[k])) return false;
    for (int i = k + 1; i < n; i++)
        if (!(fabs(column[i]) <= relative_noise * sqrt(work[i]) * sqrt(work[k]))) return false;
    return true;
}

typedef struct pivot_choice {
    int row, size;
} pivot_choice;

static pivot_choice choose_pivot(int n, const double *a, ptrdiff_t lda, int k) {
    const double *column = a + k * lda;
    int r = largest_below(n, column, k);
    if (r == k) return (pivot_choice){k, 1};
    double diagonal = fabs(column[k]), below = fabs(column[r]);
    if (diagonal >= pivot_preference * below) return (pivot_choice){k, 1};

    // The largest entry of row and column r of the reduced matrix, its diagonal left out. At least `below`.
    double beside = 0.0;
    for (int j = k; j < r; j++) beside = fmax(beside, fabs(a[r + j * lda]));
    for (int i = r + 1; i < n; i++) beside = fmax(beside, fabs(a[i + r * lda]));
    if (diagonal >= pivot_preference * below * (below / beside)) return (pivot_choice){k, 1};
    if (fabs(a[r + r * lda]) >= pivot_preference * beside) return (pivot_choice){r, 1};
    return (pivot_choice){r, 2};
}

// Exchanges rows and columns `from` and `to` > from of the reduced matrix that starts at k.
static void exchange_symmetric(int n, double *a, ptrdiff_t lda, int k, int from, int to, double *work) {
    for (int i = to + 1; i < n; i++) exchange(&a[i + from * lda], &a[i + to * lda]);
    for (int i = from + 1; i < to; i++) exchange(&a[i + from * lda], &a[to + i * lda]);
    for (int j = k; j < from; j++) exchange(&a[from + j * lda], &a[to + j * lda]);
    exchange(&a[from + from * lda], &a[to + to * lda]);
    exchange(&work[from], &work[to]);
}

// Subtracts l d l^T for the 1x1 pivot d at k and leaves l in column k.
static void eliminate_one(int n, double *a, ptrdiff_t lda, int k, double *work) {
    double *restrict column = a + k * lda;
    double d = column[k];
    for (int j = k + 1; j < n; j++) {
        double *restrict target = a + j * lda;
        double l = column[j] / d;
        work[j] += l * l * work[k];
        for (int i = j; i < n; i++) target[i] -= l * column[i];
    }
    for (int i = k + 1; i < n; i++) column[i] /= d;
}

// The same for a 2x2 pivot at k and k + 1. D^-1 is formed from the entries divided by the off-diagonal one, which is
// the largest of the first column: no overflow for any scale.
static void eliminate_two(int n, double *a, ptrdiff_t lda, int k, double *work) {
    double *restrict first = a + k * lda, *restrict second = a + (k + 1) * lda;
    double off = first[k + 1], d11 = second[k + 1] / off, d22 = first[k] / off;
    double scale = 1.0 / (d11 * d22 - 1.0) / off;
    double size1 = work[k] + fabs(off), size2 = work[k + 1] + fabs(off);
    for (int j = k + 2; j < n; j++) {
        double *restrict target = a + j * lda;
        double l1 = scale * (d11 * first[j] - second[j]), l2 = scale * (d22 * second[j] - first[j]);
        work[j] += size1 * l1 * l1 + 2.0 * fabs(off * l1 * l2) + size2 * l2 * l2;
        for (int i = j; i < n; i++) target[i] -= first[i] * l1 + second[i] * l2;
        first[j] = l1;
        second[j] = l2;
    }
}

static void count_one(crm_ldlt_report *report, double pivot, double sum) {
    if (pivot > 0.0)
        report->positive++;
    else
        report->negative++;
    // A 1x1 pivot may be smaller than its noise where the column below it is not; the ratio then says so.
    if (fabs(pivot) < report->smallest_ratio * sum) report->smallest_ratio = fabs(pivot) / sum;
}

crm_ldlt_report crm_bunch_kaufman_factor(int n, double *a, ptrdiff_t lda, int *pivots, double *work) {
    crm_ldlt_report report = {.first_dropped = -1, .smallest_ratio = 1.0, .finite = true};
    double largest_entry = 0.0, largest_sum = 0.0;
    for (int j = 0; j < n; j++) {
        work[j] = fabs(a[j + j * lda]);
        for (int i = j; i < n; i++) {
            double size = fabs(a[i + j * lda]);
            if (size > largest_entry) largest_entry = size;
            if (!isfinite(size)) report.finite = false;
        }
    }
    for (int k = 0; k < n;) {
        if (column_is_noise(n, a, lda, k, work)) {
            for (int i = k; i < n; i++) a[i + k * lda] = 0.0;
            pivots[k] = k;
            report.zero++;
            if (report.first_dropped < 0) report.first_dropped = k;
            if (work[k] > largest_sum) largest_sum = work[k];
            k++;
            continue;
        }
        pivot_choice choice = choose_pivot(n, a, lda, k);
        int last = k + choice.size - 1;
        if (choice.row != last) exchange_symmetric(n, a, lda, k, last, choice.row, work);
        for (int i = k; i <= last; i++)
            if (work[i] > largest_sum) largest_sum = work[i];
        if (choice.size == 1) {
            count_one(&report, a[k + k * lda], work[k]);
            eliminate_one(n, a, lda, k, work);
            pivots[k] = choice.row;
        } else {
            report.positive++;
            report.negative++;
            eliminate_two(n, a, lda, k, work);
            pivots[k] = pivots[k + 1] = -1 - choice.row;
        }
        k += choice.size;
    }
    if (!isfinite(largest_sum)) report.finite = false;
    report.growth = largest_entry > 0.0 ? largest_sum / largest_entry : 1.0;
    return report;
}

// x1, x2 = D^-1 (x1, x2) for the 2x2 block at k, scaled by its off-diagonal entry as in eliminate_two.
static void solve_block(const double *ldl, ptrdiff_t ld, int k, double *x) {
    double off = ldl[k + 1 + k * ld], d11 = ldl[k + k * ld] / off, d22 = ldl[k + 1 + (k + 1) * ld] / off;
    double determinant = d11 * d22 - 1.0, x1 = x[k] / off, x2 = x[k + 1] / off;
    x[k] = (d22 * x1 - x2) / determinant;
    x[k + 1] = (d11 * x2 - x1) / determinant;
}

static void solve_one(int n, const double *ldl, ptrdiff_t ld, const int *pivots, double *x) {
    // Forward: exchanges and columns of L in the order in which they arose, then D.
    for (int k = 0; k < n;) {
        const double *column = ldl + k * ld;
        if (pivots[k] >= 0) {
            exchange(&x[k], &x[pivots[k]]);
            for (int i = k + 1; i < n; i++) x[i] -= column[i] * x[k];
            x[k] = column[k] == 0.0 ? 0.0 : x[k] / column[k];
            k++;
        } else {
            const double *second = column + ld;
            exchange(&x[k + 1], &x[-1 - pivots[k]]);
            for (int i = k + 2; i < n; i++) x[i] -= column[i] * x[k] + second[i] * x[k + 1];
            solve_block(ldl, ld, k, x);
            k += 2;
        }
    }
    // Backward: L^T, each exchange undone after its column.
    for (int k = n - 1; k >= 0;) {
        const double *column = ldl + k * ld;
        if (pivots[k] >= 0) {
            if (column[k] != 0.0)
                for (int i = k + 1; i < n; i++) x[k] -= column[i] * x[i];
            exchange(&x[k], &x[pivots[k]]);
            k--;
        } else {
            const double *first = column - ld;
            double s1 = 0.0, s2 = 0.0;
            for (int i = k + 1; i < n; i++) {
                s1 += first[i] * x[i];
                s2 += column[i] * x[i];
            }
            x[k - 1] -= s1;
            x[k] -= s2;
            exchange(&x[k], &x[-1 - pivots[k]]);
            k -= 2;
        }
    }
}

void crm_bunch_kaufman_solve(int n, const double *ldl, ptrdiff_t ld, const int *pivots, int count, double *b,
                             ptrdiff_t ldb) {
    for (int k = 0; k < count; k++) solve_one(n, ldl, ld, pivots, b + k * ldb);
}

typedef struct factor {
    int n;
    const double *ldl;
    ptrdiff_t ld;
    const int *pivots;
} factor;

static void solve_for_estimate(const void *context, bool transposed, double *x) {
    (void)transposed; // symmetric
    const factor *f = context;
    solve_one(f->n, f->ldl, f->ld, f->pivots, x);
}

double crm_bunch_kaufman_condition(int n, const double *ldl, ptrdiff_t ld, const int *pivots, double norm,
                                   double *work) {
    for (int j = 0; j < n; j++)
        if (pivots[j] >= 0 && ldl[j + j * ld] == 0.0) return 0.0;
    factor f = {n, ldl, ld, pivots};
    return crm_reciprocal_condition(&(crm_inverse){solve_for_estimate, &f, n}, norm, work);
}
