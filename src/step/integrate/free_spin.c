// SPDX-License-Identifier: MIT
#include "step/integrate/free_spin.h"

#include <float.h>
#include <math.h>

#include "math/so3.h"

enum { MOST_ITERATIONS = 30 };

// In principal axes: I w = exp(-h w / 2) m. Newton's method with the derivative at leading order, I - [h/2 m']x with m'
// the rotated momentum: what it leaves shrinks by (h w)^2 in every iteration. False: it does not.
static bool solve(carom_vec3 inertia, carom_vec3 inverse, carom_vec3 m, double step, carom_vec3 *w) {
    double least = INFINITY;
    for (int i = 0; i < MOST_ITERATIONS; i++) {
        carom_vec3 rotated = crm_quat_rotate_inverse(crm_so3_exp(crm_scale(0.5 * step, *w)), m);
        carom_vec3 wrong = crm_sub(rotated, crm_vec3_mul(inertia, *w));
        double size = crm_length(wrong);
        if (size <= 4.0 * DBL_EPSILON * crm_length(m)) return true;
        if (!(size < least)) return i > 3 && size <= 1e-13 * crm_length(m);
        least = size;
        carom_mat3 derivative = crm_mat3_sub(crm_mat3_diagonal(inertia), crm_skew(crm_scale(0.5 * step, rotated)));
        carom_vec3 change;
        if (!crm_mat3_solve(derivative, wrong, &change)) change = crm_vec3_mul(inverse, wrong);
        *w = crm_add(*w, change);
    }
    return false;
}

carom_vec3 crm_free_spin(const crm_body *body, carom_quat q, carom_vec3 l, double step) {
    if (body->kind == CAROM_BODY_PLANAR) return crm_vec3(0.0, 0.0, body->inverse_inertia.z * l.z);
    carom_vec3 m = crm_quat_rotate_inverse(q, l);
    carom_vec3 first = crm_vec3_mul(body->inverse_inertia, m), w = first;
    bool round = body->inertia.x == body->inertia.y && body->inertia.y == body->inertia.z;
    if (!round && crm_length_squared(m) > 0.0 && !solve(body->inertia, body->inverse_inertia, m, step, &w)) w = first;
    return crm_quat_rotate(q, w);
}
