// SPDX-License-Identifier: MIT
// Cyclic Jacobi: rotate in the (0,1), (0,2), (1,2) planes one after the other, each time making one off-diagonal entry
// zero.
//
// Chosen over the trigonometric formula (loses half the digits of clustered values) and over QL (loses the small
// values of graded matrices). The stopping test is relative to the two diagonal entries: Demmel and Veselic, "Jacobi's
// method is more accurate than QR" (1992).
#include "math/eigen3.h"

#include <float.h>

// An off-diagonal entry this small against the root of its two diagonal ones changes their eigenvalues by less than a
// rounding. Not zero, as the rotations themselves leave entries of one rounding.
static const double negligible_ratio = 0.5 * DBL_EPSILON;

// Convergence is quadratic: 3 or 4 sweeps, 6 seen at most. The limit only keeps the loop bounded.
enum { SWEEP_LIMIT = 30 };

// Above this, z^2 + 1 is z^2 to rounding and z^2 may overflow: the rotation's tangent is 1/(2z).
static const double large_cotangent = 1e10;

// Entries of this size are divided by a power of two first: sums of them might overflow, or rotations lose bits to
// underflow.
static const double upper_size = 0x1p+1000, lower_size = 0x1p-900;

typedef struct symmetric {
    double d[3];   // diagonal
    double off[3]; // off[k]: the entry whose row and column are the two other than k
} symmetric;

// One rotation in the plane (p, q); r is the third index. True when there was something to do.
static bool rotate(symmetric *a, carom_vec3 v[3], int p, int q, int r) {
    double off = a->off[r];
    if (fabs(off) <= negligible_ratio * sqrt(fabs(a->d[p])) * sqrt(fabs(a->d[q]))) return false;
    // t = tan of the angle, the smaller root of t^2 + 2 z t - 1 = 0
    double z = 0.5 * (a->d[q] - a->d[p]) / off;
    double t = fabs(z) > large_cotangent ? 0.5 / z : copysign(1.0, z) / (fabs(z) + sqrt(1.0 + z * z));
    double c = 1.0 / sqrt(1.0 + t * t), s = t * c;
    a->d[p] -= t * off;
    a->d[q] += t * off;
    a->off[r] = 0.0;
    double rp = a->off[q], rq = a->off[p];
    a->off[q] = c * rp - s * rq;
    a->off[p] = s * rp + c * rq;
    carom_vec3 old = v[p];
    v[p] = crm_madd(crm_scale(c, old), -s, v[q]);
    v[q] = crm_madd(crm_scale(s, old), c, v[q]);
    return true;
}

// Exchanges two columns and negates one, so that V stays a proper rotation.
static void put_in_order(double d[3], carom_vec3 v[3], int i, int j) {
    if (d[i] <= d[j]) return;
    double value = d[i];
    d[i] = d[j];
    d[j] = value;
    carom_vec3 vector = v[i];
    v[i] = v[j];
    v[j] = crm_negate(vector);
}

bool crm_eigen3(carom_mat3 a, carom_vec3 *values, carom_mat3 *vectors) {
    *values = crm_vec3_zero();
    *vectors = crm_mat3_identity();
    carom_vec3 diagonal = crm_vec3(a.x.x, a.y.y, a.z.z), lower = crm_vec3(a.y.z, a.x.z, a.x.y);
    if (!crm_vec3_finite(diagonal) || !crm_vec3_finite(lower)) return false;
    double size = crm_max_component(crm_vec3_max(crm_vec3_abs(diagonal), crm_vec3_abs(lower)));
    if (size == 0.0) return true;

    // A power of two, so that nothing is rounded. Rotations form no product of two entries, so only sums near the ends
    // of the range need it, and a diagonal matrix has no rotations: its entries pass through untouched.
    int exponent = 0;
    bool diagonal_only = lower.x == 0.0 && lower.y == 0.0 && lower.z == 0.0;
    if (!diagonal_only && (size > upper_size || size < lower_size)) (void)frexp(size, &exponent);
    symmetric s;
    for (int k = 0; k < 3; k++) {
        s.d[k] = ldexp(crm_component(diagonal, k), -exponent);
        s.off[k] = ldexp(crm_component(lower, k), -exponent);
    }
    carom_vec3 v[3] = {vectors->x, vectors->y, vectors->z};
    bool busy = true;
    for (int sweep = 0; busy && sweep < SWEEP_LIMIT; sweep++) {
        busy = rotate(&s, v, 0, 1, 2);
        busy |= rotate(&s, v, 0, 2, 1);
        busy |= rotate(&s, v, 1, 2, 0);
    }
    put_in_order(s.d, v, 0, 1);
    put_in_order(s.d, v, 1, 2);
    put_in_order(s.d, v, 0, 1);
    *values = crm_vec3(ldexp(s.d[0], exponent), ldexp(s.d[1], exponent), ldexp(s.d[2], exponent));
    *vectors = crm_mat3_columns(v[0], v[1], v[2]);
    return true;
}
