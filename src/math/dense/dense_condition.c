// SPDX-License-Identifier: MIT
// Hager's ascent on |A^-1 x|_1 over the unit ball, with Higham's safeguards: N. J. Higham, FORTRAN codes for
// estimating the one-norm of a real or complex matrix, ACM TOMS 14 (1988), Algorithm 4.1 (LAPACK's dlacn2).
#include "math/dense/dense_condition.h"

#include <math.h>

// The ascent ends after two or three rounds in practice; cycles through round-off are cut here, as in dlacn2.
enum { ASCENT_LIMIT = 5 };

static double norm1(int n, const double *x) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += fabs(x[i]);
    return sum;
}

static int index_of_largest(int n, const double *x) {
    int best = 0;
    for (int i = 1; i < n; i++)
        if (fabs(x[i]) > fabs(x[best])) best = i;
    return best;
}

// Writes the signs of x to `sign` and over x itself; true when they are those that `sign` held before.
static bool take_signs(int n, double *x, double *sign) {
    bool same = true;
    for (int i = 0; i < n; i++) {
        double s = x[i] < 0.0 ? -1.0 : 1.0;
        if (s != sign[i]) same = false;
        sign[i] = x[i] = s;
    }
    return same;
}

static double inverse_norm1(const crm_inverse *inverse, double *work) {
    int n = inverse->size;
    double *x = work, *sign = work + n;
    for (int i = 0; i < n; i++) x[i] = 1.0 / n;
    inverse->solve(inverse->factor, false, x);
    double estimate = norm1(n, x);
    if (n == 1 || !isfinite(estimate)) return estimate;

    for (int i = 0; i < n; i++) sign[i] = 0.0;
    take_signs(n, x, sign);
    inverse->solve(inverse->factor, true, x);
    int steepest = index_of_largest(n, x);
    for (int round = 1; round < ASCENT_LIMIT; round++) {
        for (int i = 0; i < n; i++) x[i] = 0.0;
        x[steepest] = 1.0;
        inverse->solve(inverse->factor, false, x);
        double next = norm1(n, x);
        if (!isfinite(next)) return INFINITY;
        bool risen = next > estimate;
        if (risen) estimate = next;
        if (take_signs(n, x, sign) || !risen) break;
        inverse->solve(inverse->factor, true, x);
        int last = steepest;
        steepest = index_of_largest(n, x);
        if (fabs(x[last]) == fabs(x[steepest])) break;
    }

    // Higham's extra vector, against matrices on which the ascent stops at once.
    for (int i = 0; i < n; i++) x[i] = (i % 2 == 0 ? 1.0 : -1.0) * (1.0 + (double)i / (n - 1));
    inverse->solve(inverse->factor, false, x);
    double extra = 2.0 * norm1(n, x) / (3.0 * n);
    return extra > estimate || isnan(extra) ? extra : estimate;
}

double crm_reciprocal_condition(const crm_inverse *inverse, double norm, double *work) {
    if (inverse->size == 0) return 1.0;
    if (!(norm > 0.0) || isinf(norm)) return 0.0;
    double inverse_norm = inverse_norm1(inverse, work);
    if (!(inverse_norm > 0.0) || isinf(inverse_norm)) return 0.0;
    // Two divisions: the product of the norms may overflow where the quotient does not.
    double reciprocal = 1.0 / norm / inverse_norm;
    return reciprocal < 1.0 ? reciprocal : 1.0;
}
