// SPDX-License-Identifier: MIT
#include "step/integrate/free_spin.h"

#include <float.h>
#include <math.h>

#include "math/so3_series.h"

enum { MOST_ITERATIONS = 30 };

// exp(-[t]x) m for a rotation vector t: m - sinc t x m + cosc t x (t x m).
static carom_vec3 rotated_back(carom_vec3 t, carom_vec3 m) {
    double s, c;
    crm_sinc_cosc_squared(crm_length_squared(t), &s, &c);
    carom_vec3 tm = crm_cross(t, m);
    return crm_madd(crm_madd(m, -s, tm), c, crm_cross(t, tm));
}

// In principal axes and angles, t = h w / 2: e t = exp(-[t]x) m, with inertias e and the momentum m over the largest
// inertia, this times h / 2. Newton's method with the derivative at leading order, e - [m']x with m' the rotated
// momentum, whose inverse is (adj(e) + m' m'^T + [e m']x) / det: what it leaves shrinks by |t|^2 in every iteration, so
// that the last one need not be looked at. False: it does not shrink.
static bool solve(carom_vec3 e, carom_vec3 m, carom_vec3 *t) {
    const double close = 4.0 * DBL_EPSILON, closer = 0.125 * close;
    carom_vec3 adjugate = crm_vec3(e.y * e.z, e.z * e.x, e.x * e.y);
    double least = INFINITY, whole = crm_length_squared(m);
    for (int i = 0; i < MOST_ITERATIONS; i++) {
        carom_vec3 back = rotated_back(*t, m), em = crm_vec3_mul(e, back), wrong = crm_sub(back, crm_vec3_mul(e, *t));
        double square = crm_length_squared(wrong), determinant = e.x * adjugate.x + crm_dot(back, em);
        if (square <= close * close * whole) return true;
        if (!(square < least)) return i > 3 && square <= 1e-26 * whole;
        carom_vec3 sum = crm_add(crm_vec3_mul(adjugate, wrong), crm_cross(em, wrong));
        *t = crm_madd(*t, 1.0 / determinant, crm_madd(sum, crm_dot(back, wrong), back));
        if (i > 0 && square * square <= closer * closer * whole * least) return true;
        least = square;
    }
    return false;
}

carom_vec3 crm_free_spin(const crm_body *body, carom_quat q, carom_vec3 l, double step) {
    if (body->kind == CAROM_BODY_PLANAR) return crm_vec3(0.0, 0.0, body->inverse_inertia.z * l.z);
    carom_vec3 inertia = body->inertia, m = crm_quat_rotate_inverse(q, l);
    carom_vec3 w = crm_vec3_mul(body->inverse_inertia, m);
    if ((inertia.x == inertia.y && inertia.y == inertia.z) || !(crm_length_squared(m) > 0.0))
        return crm_quat_rotate(q, w);
    double largest = crm_max_component(inertia);
    carom_vec3 t = crm_scale(0.5 * step, w);
    if (solve(crm_scale(1.0 / largest, inertia), crm_scale(0.5 * step / largest, m), &t)) w = crm_scale(2.0 / step, t);
    return crm_quat_rotate(q, w);
}
