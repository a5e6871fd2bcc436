// SPDX-License-Identifier: MIT
// Column pivoting: Businger and Golub, Linear least squares solutions by Householder transformations, Numer. Math. 7
// (1965), with the norm downdating of Drmac and Bujanovic, ACM TOMS 35 (2008), as in LAPACK's dlaqp2. Completion from
// the right: Golub & Van Loan, 4th ed., section 5.4, as in LAPACK's dlatrz.
#include "math/dense/dense_qr.h"

#include <float.h>
#include <math.h>

#include "math/dense/dense.h"
#include "math/dense/dense_triangle.h"

static inline int smaller(int a, int b) {
    return a < b ? a : b;
}

// H = I - tau [1; v][1; v]^T takes [alpha; x] to [beta; 0]. Replaces alpha by beta and x by v; returns tau.
static double make_reflection(int size, double *alpha, double *x, ptrdiff_t stride, double norm) {
    if (norm == 0.0) return 0.0;
    // Opposite signs: the subtraction below cannot cancel.
    double beta = -copysign(hypot(*alpha, norm), *alpha);
    double tau = (beta - *alpha) / beta, denominator = *alpha - beta;
    for (int i = 0; i < size; i++) x[i * stride] /= denominator;
    *alpha = beta;
    return tau;
}

// [top; x] = H [top; x]
static inline void reflect(int size, double tau, const double *v, double *top, double *x) {
    double s = tau * (*top + crm_dense_dot(size, v, x));
    *top -= s;
    crm_dense_add_scaled(size, -s, v, x);
}

static void exchange_columns(crm_qr *qr, int j, int k, double *norm, double *exact_norm) {
    double *x = qr->a + j * qr->lda, *y = qr->a + k * qr->lda;
    for (int i = 0; i < qr->rows; i++) {
        double kept = x[i];
        x[i] = y[i];
        y[i] = kept;
    }
    int kept = qr->pivots[j];
    qr->pivots[j] = qr->pivots[k];
    qr->pivots[k] = kept;
    norm[k] = norm[j]; // column j's own norms are not needed any more
    exact_norm[k] = exact_norm[j];
}

// The norms of the columns' remaining parts after row k was taken off. Subtracting loses digits; when half of them may
// be gone the norm is computed anew.
static void downdate_norms(const crm_qr *qr, int k, double *norm, double *exact_norm) {
    static const double digits_left = 1.5e-8; // sqrt(eps), after Drmac and Bujanovic
    for (int j = k + 1; j < qr->cols; j++) {
        if (norm[j] == 0.0) continue;
        const double *column = qr->a + j * qr->lda;
        double share = fabs(column[k]) / norm[j], since = norm[j] / exact_norm[j];
        double left = fmax(0.0, (1.0 - share) * (1.0 + share));
        if (left * since * since > digits_left) {
            norm[j] *= sqrt(left);
        } else {
            norm[j] = exact_norm[j] = crm_dense_norm2(qr->rows - k - 1, column + k + 1);
        }
    }
}

// Takes [R11 R12] to [T 0] by reflections from the right, last row first; their vectors replace R12. `work`: rank.
static void complete(crm_qr *qr, double *work) {
    int rank = qr->rank, extra = qr->cols - rank;
    ptrdiff_t lda = qr->lda;
    double *beside = qr->a + rank * lda;
    for (int k = rank - 1; k >= 0; k--) {
        double *column = qr->a + k * lda;
        double norm = 0.0;
        for (int l = 0; l < extra; l++) norm = hypot(norm, beside[k + l * lda]);
        double tau = make_reflection(extra, &column[k], beside + k, lda, norm);
        qr->row_tau[k] = tau;
        for (int i = 0; i < k; i++) work[i] = column[i];
        for (int l = 0; l < extra; l++) crm_dense_add_scaled(k, beside[k + l * lda], beside + l * lda, work);
        crm_dense_add_scaled(k, -tau, work, column);
        for (int l = 0; l < extra; l++) crm_dense_add_scaled(k, -tau * beside[k + l * lda], work, beside + l * lda);
    }
}

crm_qr_report crm_qr_factor(crm_qr *qr, double tolerance, double *work) {
    int rows = qr->rows, cols = qr->cols;
    double *norm = work, *exact_norm = work + cols;
    crm_qr_report report = {.finite = crm_dense_is_finite(rows, cols, qr->a, qr->lda)};
    if (tolerance <= 0.0) tolerance = (rows > cols ? rows : cols) * DBL_EPSILON;
    for (int j = 0; j < cols; j++) {
        qr->pivots[j] = j;
        norm[j] = exact_norm[j] = crm_dense_norm2(rows, qr->a + j * qr->lda);
    }

    double first = 0.0;
    qr->rank = 0;
    for (int k = 0; k < smaller(rows, cols); k++) {
        int best = k;
        for (int j = k + 1; j < cols; j++)
            if (norm[j] > norm[best]) best = j;
        if (k == 0) first = norm[best];
        if (!(norm[best] > tolerance * first)) {
            if (first > 0.0) report.largest_dropped = norm[best] / first;
            break;
        }
        if (best != k) exchange_columns(qr, k, best, norm, exact_norm);
        double *column = qr->a + k * qr->lda;
        int below = rows - k - 1;
        qr->tau[k] = make_reflection(below, &column[k], column + k + 1, 1, crm_dense_norm2(below, column + k + 1));
        for (int j = k + 1; j < cols; j++) {
            double *other = qr->a + j * qr->lda;
            reflect(below, qr->tau[k], column + k + 1, &other[k], other + k + 1);
        }
        downdate_norms(qr, k, norm, exact_norm);
        report.smallest_kept = fabs(column[k]) / first;
        qr->rank = k + 1;
    }
    if (!isfinite(report.smallest_kept) || !isfinite(first)) report.finite = false;
    if (qr->rank < cols) complete(qr, work);
    report.rank = qr->rank;
    return report;
}

void crm_qr_apply_q_transposed(const crm_qr *qr, int count, double *c, ptrdiff_t ldc) {
    for (int j = 0; j < count; j++)
        for (int k = 0; k < qr->rank; k++) {
            double *x = c + j * ldc + k;
            reflect(qr->rows - k - 1, qr->tau[k], qr->a + k * qr->lda + k + 1, x, x + 1);
        }
}

// x = Z^T [x; 0]: the reflections in the order opposite to that in which they were made.
static void apply_z_transposed(const crm_qr *qr, double *x) {
    int rank = qr->rank, extra = qr->cols - rank;
    for (int k = 0; k < rank; k++) {
        const double *v = qr->a + rank * qr->lda + k;
        double s = x[k];
        for (int l = 0; l < extra; l++) s += v[l * qr->lda] * x[rank + l];
        s *= qr->row_tau[k];
        x[k] -= s;
        for (int l = 0; l < extra; l++) x[rank + l] -= s * v[l * qr->lda];
    }
}

void crm_qr_solve(const crm_qr *qr, int count, double *b, ptrdiff_t ldb, double *work) {
    int rank = qr->rank, cols = qr->cols;
    for (int c = 0; c < count; c++) {
        double *x = b + c * ldb;
        crm_qr_apply_q_transposed(qr, 1, x, ldb);
        crm_upper_solve(rank, qr->a, qr->lda, x);
        for (int i = rank; i < cols; i++) x[i] = 0.0;
        if (rank < cols) apply_z_transposed(qr, x);
        for (int j = 0; j < cols; j++) work[j] = x[j];
        for (int j = 0; j < cols; j++) x[qr->pivots[j]] = work[j];
    }
}
