// SPDX-License-Identifier: MIT
// Solving with 3x3 matrices, and their nearest rotations.
#include "math/mat3.h"

#include <float.h>
#include <limits.h>

#include "math/svd3.h"

// What elimination leaves of a rank-deficient matrix of size 1 is rounding: up to a few epsilon of the first pivot
// (complete pivoting lets 3x3 entries grow by 2.25 at most). A pivot below this has no correct bit.
static const double singular_pivot = 16.0 * DBL_EPSILON;

// P A' Q = L U with A' = 2^-row_exponent A 2^-column_exponent; L (unit) and U share `e`, stored by rows.
typedef struct factors {
    double e[3][3];
    int row[3], column[3]; // row[k], column[k]: where the k-th pivot was in A
    int row_exponent[3], column_exponent[3];
} factors;

// The exponent of the largest of three finite magnitudes; false when all are zero.
static bool largest_exponent(double a, double b, double c, int *exponent) {
    double largest = fmax(fabs(a), fmax(fabs(b), fabs(c)));
    (void)frexp(largest, exponent);
    return largest > 0.0;
}

// Scales columns, then rows, by powers of two (exactly) until the largest entry of each is in [1/2, 1).
static bool equilibrate(carom_mat3 a, factors *f) {
    const carom_vec3 columns[3] = {a.x, a.y, a.z};
    for (int j = 0; j < 3; j++) {
        carom_vec3 c = columns[j];
        if (!crm_vec3_finite(c) || !largest_exponent(c.x, c.y, c.z, &f->column_exponent[j])) return false;
        for (int i = 0; i < 3; i++) f->e[i][j] = ldexp(crm_component(c, i), -f->column_exponent[j]);
    }
    for (int i = 0; i < 3; i++) {
        if (!largest_exponent(f->e[i][0], f->e[i][1], f->e[i][2], &f->row_exponent[i])) return false;
        for (int j = 0; j < 3; j++) f->e[i][j] = ldexp(f->e[i][j], -f->row_exponent[i]);
    }
    return true;
}

static void swap_doubles(double *a, double *b) {
    double t = *a;
    *a = *b;
    *b = t;
}

static void swap_ints(int *a, int *b) {
    int t = *a;
    *a = *b;
    *b = t;
}

// Brings the largest entry of the part that is left to position (k, k).
static void pivot(factors *f, int k) {
    int row = k, column = k;
    for (int i = k; i < 3; i++)
        for (int j = k; j < 3; j++)
            if (fabs(f->e[i][j]) > fabs(f->e[row][column])) row = i, column = j;
    for (int j = 0; j < 3; j++) swap_doubles(&f->e[k][j], &f->e[row][j]);
    for (int i = 0; i < 3; i++) swap_doubles(&f->e[i][k], &f->e[i][column]);
    swap_ints(&f->row[k], &f->row[row]);
    swap_ints(&f->column[k], &f->column[column]);
}

static bool factorise(carom_mat3 a, factors *f) {
    if (!equilibrate(a, f)) return false;
    for (int k = 0; k < 3; k++) f->row[k] = f->column[k] = k;
    for (int k = 0; k < 3; k++) {
        pivot(f, k);
        if (!(fabs(f->e[k][k]) > singular_pivot * fabs(f->e[0][0]))) return false;
        for (int i = k + 1; i < 3; i++) {
            double l = f->e[i][k] / f->e[k][k];
            f->e[i][k] = l;
            for (int j = k + 1; j < 3; j++) f->e[i][j] -= l * f->e[k][j];
        }
    }
    return true;
}

// The right side is scaled as a whole too (2^-size), so that nothing overflows before the answer does.
static bool substitute(const factors *f, carom_vec3 b, carom_vec3 *x) {
    *x = crm_vec3_zero();
    if (!crm_vec3_finite(b)) return false;
    int size = INT_MIN;
    for (int i = 0; i < 3; i++) {
        int exponent;
        if (crm_component(b, i) == 0.0) continue;
        (void)frexp(crm_component(b, i), &exponent);
        if (exponent - f->row_exponent[i] > size) size = exponent - f->row_exponent[i];
    }
    if (size == INT_MIN) return true; // b = 0
    double y[3];
    for (int k = 0; k < 3; k++) {
        int i = f->row[k];
        y[k] = ldexp(crm_component(b, i), -f->row_exponent[i] - size);
        for (int j = 0; j < k; j++) y[k] -= f->e[k][j] * y[j];
    }
    for (int k = 2; k >= 0; k--) {
        for (int j = k + 1; j < 3; j++) y[k] -= f->e[k][j] * y[j];
        y[k] /= f->e[k][k];
    }
    carom_vec3 answer = crm_vec3_zero();
    for (int k = 0; k < 3; k++) {
        int j = f->column[k];
        answer = crm_with_component(answer, j, ldexp(y[k], size - f->column_exponent[j]));
    }
    if (!crm_vec3_finite(answer)) return false;
    *x = answer;
    return true;
}

bool crm_mat3_solve(carom_mat3 a, carom_vec3 b, carom_vec3 *x) {
    factors f;
    *x = crm_vec3_zero();
    return factorise(a, &f) && substitute(&f, b, x);
}

bool crm_mat3_inverse(carom_mat3 a, carom_mat3 *inverse) {
    factors f;
    carom_mat3 answer;
    *inverse = crm_mat3_zero();
    if (!factorise(a, &f)) return false;
    if (!substitute(&f, crm_vec3(1.0, 0.0, 0.0), &answer.x) || !substitute(&f, crm_vec3(0.0, 1.0, 0.0), &answer.y) ||
        !substitute(&f, crm_vec3(0.0, 0.0, 1.0), &answer.z))
        return false;
    *inverse = answer;
    return true;
}

// With A = U diag(s) V^T, both factors proper and s.z signed, tr(R^T A) is largest for R = U V^T, and for no other R
// while s.y + s.z > 0: a rotation by t in the plane of the last two directions costs (1 - cos t)(s.y + s.z).
bool crm_nearest_rotation(carom_mat3 a, carom_mat3 *rotation) {
    carom_mat3 u, v;
    carom_vec3 s;
    bool finite = crm_svd3(a, &u, &s, &v);
    *rotation = crm_mat3_mul_nt(u, v);
    return finite && s.y + s.z > singular_pivot * s.x;
}

bool crm_frame_from_axes(carom_vec3 z, carom_vec3 x, carom_mat3 *frame) {
    static const double least_sine = 1e-6;
    carom_vec3 unit, across;
    *frame = crm_mat3_identity();
    if (crm_normalise(z, &unit) == 0.0 || !crm_vec3_finite(x)) return false;
    carom_mat3 axes = crm_frame_from_normal(unit);
    if (crm_normalise(x, &x) > 0.0) {
        if (crm_normalise(crm_madd(x, -crm_dot(x, unit), unit), &across) < least_sine) return false;
        axes.x = across;
        axes.y = crm_cross(axes.z, axes.x);
    }
    *frame = axes;
    return true;
}
