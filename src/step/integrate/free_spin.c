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

// Rotations of half a step above this, rad, are looked at: what they make of the energy is of third order. They may
// make this share of it.
static const double large_rotation = 0.5, least_gain = 0.01;

static double energy_of(carom_vec3 inverse, carom_vec3 m) {
    return crm_dot(m, crm_vec3_mul(inverse, m));
}

// Whether the momentum m, in principal axes, has more energy after a rotation by 2 t.
static bool makes_energy(carom_vec3 inverse, carom_vec3 m, carom_vec3 t) {
    if (crm_length_squared(t) <= large_rotation * large_rotation) return false;
    carom_vec3 after = rotated_back(crm_scale(2.0, t), m);
    return !(energy_of(inverse, after) <= (1.0 + least_gain) * energy_of(inverse, m));
}

carom_vec3 crm_free_spin(const crm_body *body, double drag, carom_quat q, carom_vec3 l, double step) {
    carom_vec3 inertia = body->inertia, inverse = body->inverse_inertia;
    if (drag > 0.0) {
        inertia = crm_add(inertia, crm_vec3(drag, drag, drag));
        inverse = crm_vec3(inverse.x / (1.0 + drag * inverse.x), inverse.y / (1.0 + drag * inverse.y),
                           inverse.z / (1.0 + drag * inverse.z));
    }
    if (body->kind == CAROM_BODY_PLANAR) return crm_vec3(0.0, 0.0, inverse.z * l.z);
    carom_vec3 m = crm_quat_rotate_inverse(q, l), w = crm_vec3_mul(inverse, m);
    if ((inertia.x == inertia.y && inertia.y == inertia.z) || !(crm_length_squared(m) > 0.0))
        return crm_quat_rotate(q, w);
    double largest = crm_max_component(inertia);
    carom_vec3 t = crm_scale(0.5 * step, w);
    if (solve(crm_scale(1.0 / largest, inertia), crm_scale(0.5 * step / largest, m), &t) &&
        !makes_energy(inverse, m, t))
        return crm_quat_rotate(q, crm_scale(2.0 / step, t));
    return crm_scale(energy_of(inverse, m) / crm_length_squared(l), l);
}

carom_vec3 crm_bounded_spin(const crm_body *body, carom_quat q, carom_vec3 l, carom_vec3 w, double step) {
    double half = 0.5 * step;
    if (body->kind != CAROM_BODY_FREE || !(half * half * crm_length_squared(w) > large_rotation * large_rotation))
        return w;
    carom_vec3 m = crm_quat_rotate_inverse(q, l), t = crm_quat_rotate_inverse(q, crm_scale(half, w));
    if (!makes_energy(body->inverse_inertia, m, t)) return w;
    return crm_scale(energy_of(body->inverse_inertia, m) / crm_length_squared(l), l);
}
