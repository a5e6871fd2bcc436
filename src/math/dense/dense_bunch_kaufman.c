// SPDX-License-Identifier: MIT
// Pivoted L D L^T: J. R. Bunch, L. Kaufman, Some stable methods for calculating inertia and solving symmetric linear
// systems, Math. Comp. 31 (1977), Algorithm A; right-looking on the lower triangle, as in LAPACK's dsytf2.
//
// Rank decisions need the size of the rounding errors, not of the matrix. Two numbers follow each diagonal entry of the
// reduced matrix, in units of the largest entry of A: the absolute sum of the terms it was computed from, and a bound
// of its error in units of eps, in which the errors of earlier pivots arrive multiplied by l^2. Without these, one
// random matrix of deficient rank in ten comes out with a pivot too many. sqrt(e_i e_j) bounds the error of entry (i,
// j): a 2x2 pivot [a b; b c] counts as [e1+|b| |b|; |b| e2+|b|], which is positive semidefinite and bounds it entry by
// entry, so that the Cauchy-Schwarz inequality holds.
#include <float.h>
#include <math.h>

#include "math/dense/dense.h"
#include "math/dense/dense_condition.h"
#include "math/dense/dense_ldlt.h"

// (1 + sqrt(17)) / 8 makes the growth bounds of one 2x2 step and two 1x1 steps equal.
static const double pivot_preference = 0.6403882032022076;

// Such a bound grows exponentially in the worst case and would take regular matrices of order 120 for singular; it is
// trusted up to this multiple of the terms. Measured: 5 of 12,000 random matrices of deficient rank (orders 6 to 60)
// keep a pivot too many, 7 at 1e4; none of 12,400 regular ones (orders 6 to 200) is called singular at either.
static const double largest_amplification = 1e5;

typedef struct error_model {
    double unit;   // the largest entry of A
    double *terms; // absolute sums (n)
    double *error; // bounds, in eps (n)
} error_model;

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

// sqrt(n eps e_i), so that the product of two is the noise of an off-diagonal entry.
static double root_noise(int n, const error_model *model, int i) {
    double error = fmin(model->error[i], largest_amplification * model->terms[i]);
    return sqrt(n * DBL_EPSILON * error);
}

// Whether column k of the reduced matrix is nothing but round-off.
static bool column_is_noise(int n, const double *a, ptrdiff_t lda, int k, const error_model *model) {
    const double *column = a + k * lda;
    double root = root_noise(n, model, k);
    if (!(fabs(column[k]) <= root * root * model->unit)) return false;
    for (int i = k + 1; i < n; i++)
        if (!(fabs(column[i]) <= root * root_noise(n, model, i) * model->unit)) return false;
    return true;
}

// Adds a product to what entry i was computed from: the size of its terms and the error it brings.
static inline void add_terms(const error_model *model, int i, double terms, double error) {
    model->terms[i] += terms;
    model->error[i] += error;
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
static void exchange_symmetric(int n, double *a, ptrdiff_t lda, int k, int from, int to, const error_model *model) {
    for (int i = to + 1; i < n; i++) exchange(&a[i + from * lda], &a[i + to * lda]);
    for (int i = from + 1; i < to; i++) exchange(&a[i + from * lda], &a[to + i * lda]);
    for (int j = k; j < from; j++) exchange(&a[from + j * lda], &a[to + j * lda]);
    exchange(&a[from + from * lda], &a[to + to * lda]);
    exchange(&model->terms[from], &model->terms[to]);
    exchange(&model->error[from], &model->error[to]);
}

// Subtracts l d l^T for the 1x1 pivot d at k and leaves l in column k.
static void eliminate_one(int n, double *a, ptrdiff_t lda, int k, const error_model *model) {
    double *restrict column = a + k * lda;
    double d = column[k];
    for (int j = k + 1; j < n; j++) {
        double *restrict target = a + j * lda;
        double l = column[j] / d;
        add_terms(model, j, l * l * (fabs(d) / model->unit), l * l * model->error[k]);
        for (int i = j; i < n; i++) target[i] -= l * column[i];
    }
    for (int i = k + 1; i < n; i++) column[i] /= d;
}

// The same for a 2x2 pivot at k and k + 1. D^-1 is formed from the entries divided by the off-diagonal one, which is
// the largest of the first column: no overflow for any scale.
static void eliminate_two(int n, double *a, ptrdiff_t lda, int k, const error_model *model) {
    double *restrict first = a + k * lda, *restrict second = a + (k + 1) * lda;
    double off = first[k + 1], d11 = second[k + 1] / off, d22 = first[k] / off;
    double scale = 1.0 / (d11 * d22 - 1.0) / off;
    double size = fabs(off) / model->unit, diagonal1 = fabs(first[k]) / model->unit;
    double diagonal2 = fabs(second[k + 1]) / model->unit;
    for (int j = k + 2; j < n; j++) {
        double *restrict target = a + j * lda;
        double l1 = scale * (d11 * first[j] - second[j]), l2 = scale * (d22 * second[j] - first[j]);
        double mixed = size * (fabs(l1) + fabs(l2)) * (fabs(l1) + fabs(l2));
        add_terms(model, j, mixed + diagonal1 * l1 * l1 + diagonal2 * l2 * l2,
                  mixed + model->error[k] * l1 * l1 + model->error[k + 1] * l2 * l2);
        for (int i = j; i < n; i++) target[i] -= first[i] * l1 + second[i] * l2;
        first[j] = l1;
        second[j] = l2;
    }
}

// Starts the error model; false when A is not finite.
static bool start_model(int n, const double *a, ptrdiff_t lda, error_model *model) {
    bool finite = true;
    model->unit = 0.0;
    for (int j = 0; j < n; j++) {
        model->unit = fmax(model->unit, crm_dense_largest(n - j, a + j + j * lda));
        finite = crm_dense_is_finite(n - j, 1, a + j + j * lda, lda) && finite;
    }
    if (model->unit == 0.0) model->unit = 1.0;
    for (int j = 0; j < n; j++) model->terms[j] = model->error[j] = fabs(a[j + j * lda]) / model->unit;
    return finite;
}

static void count_one(crm_ldlt_report *report, double pivot, double terms) {
    if (pivot > 0.0)
        report->positive++;
    else
        report->negative++;
    // A 1x1 pivot may be smaller than its noise where the column below it is not; the ratio then says so.
    if (fabs(pivot) < report->smallest_ratio * terms) report->smallest_ratio = fabs(pivot) / terms;
}

crm_ldlt_report crm_bunch_kaufman_factor(int n, double *a, ptrdiff_t lda, int *pivots, double *work) {
    crm_ldlt_report report = {.first_dropped = -1, .smallest_ratio = 1.0};
    error_model model = {.terms = work, .error = work + n};
    report.finite = start_model(n, a, lda, &model);
    for (int k = 0; k < n;) {
        if (column_is_noise(n, a, lda, k, &model)) {
            for (int i = k; i < n; i++) a[i + k * lda] = 0.0;
            pivots[k] = k;
            report.zero++;
            if (report.first_dropped < 0) report.first_dropped = k;
            k++;
            continue;
        }
        pivot_choice choice = choose_pivot(n, a, lda, k);
        int last = k + choice.size - 1;
        if (choice.row != last) exchange_symmetric(n, a, lda, k, last, choice.row, &model);
        if (choice.size == 1) {
            count_one(&report, a[k + k * lda], model.terms[k] * model.unit);
            eliminate_one(n, a, lda, k, &model);
            pivots[k] = choice.row;
        } else {
            report.positive++;
            report.negative++;
            eliminate_two(n, a, lda, k, &model);
            pivots[k] = pivots[k + 1] = -1 - choice.row;
        }
        k += choice.size;
    }
    // An entry's terms stay as they are once it has become part of D.
    report.growth = crm_dense_largest(n, model.terms);
    if (!crm_dense_is_finite(n, 1, model.terms, n)) report.finite = false;
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
