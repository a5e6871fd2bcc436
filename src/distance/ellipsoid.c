// SPDX-License-Identifier: MIT
// Safeguarded Newton on the sphere of normals (MATH: section 4). On the tangent plane at n the second derivative of psi
// is
// -(H_A + H_B) - psi 1, H = (Q - p p^T)/h with p = Q n/h: made definite by a shift, steps capped, increases only.
//
// Which maximum? psi is concave and of degree 1: a stationary point with psi > 0 is the global one. With psi < 0 there
// may be several. A stationary depth of at most a_min^2/a_max of A plus the same of B is the global one: a ball of that
// radius rolls inside A (-) B everywhere. Deeper than that, the search starts again from the centre line and the six
// axes.
#include "distance/ellipsoid.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

// Largest turn of the normal in one iteration, as a length on the tangent plane.
static const double largest_step = 0.5;

// The error after a step of this length is of the order of its square, times a factor that grows with the aspect.
static const double last_step = 1e-9;

// 3 to 5 iterations are usual; 83 over all starts together are the most that a stored case needs.
enum { ITERATION_LIMIT = 100, HALVING_LIMIT = 30 };

// A second direction counts as another one beyond this angle, and as equally good within this share of the sizes.
static const double same_direction = 1e-6, same_value = 1e-12;

crm_ellipsoid crm_ellipsoid_of(carom_vec3 centre, carom_vec3 half_axes, carom_mat3 rotation) {
    double low = half_axes.x < half_axes.y ? half_axes.x : half_axes.y;
    return (crm_ellipsoid){.centre = centre,
                           .half_axes = half_axes,
                           .axes = rotation,
                           .q = crm_congruence_diagonal(rotation, crm_vec3_mul(half_axes, half_axes)),
                           .smallest = low < half_axes.z ? low : half_axes.z,
                           .largest = crm_max_component(half_axes)};
}

// psi and what belongs to it at one normal.
typedef struct sample {
    carom_vec3 n;
    double psi, h_a, h_b;
    carom_vec3 p_a, p_b; // support points about the centres
} sample;

// h from the half-axes in the ellipsoid's own frame, where nothing cancels.
static carom_vec3 support(const crm_ellipsoid *e, carom_vec3 n, double *h) {
    carom_vec3 scaled = crm_vec3_mul(e->half_axes, crm_mat3_apply_t(e->axes, n));
    *h = crm_length(scaled);
    return crm_scale(1.0 / *h, crm_mat3_apply(e->axes, crm_vec3_mul(e->half_axes, scaled)));
}

// The same from Q at half the cost. n.Q n loses the digits of short axes: its relative error is that of a rounding
// times the square of the aspect.
static carom_vec3 quick_support(const crm_ellipsoid *e, carom_vec3 n, double *h) {
    carom_vec3 qn = crm_mat3_apply(e->q, n);
    *h = sqrt(crm_dot(n, qn));
    return crm_scale(1.0 / *h, qn);
}

// Up to this aspect the quick form is right to about 1e-14.
static const double quick_aspect = 8.0;

static bool is_round(const crm_ellipsoid *e) {
    return e->largest <= quick_aspect * e->smallest;
}

static sample sample_at(const crm_ellipsoid *a, const crm_ellipsoid *b, carom_vec3 d, carom_vec3 n) {
    sample s = {.n = n};
    s.p_a = is_round(a) ? quick_support(a, n, &s.h_a) : support(a, n, &s.h_a);
    s.p_b = is_round(b) ? quick_support(b, n, &s.h_b) : support(b, n, &s.h_b);
    s.psi = crm_dot(n, d) - s.h_a - s.h_b;
    return s;
}

// The Newton step on the tangent plane, capped.
static carom_vec3 newton_step(const crm_ellipsoid *a, const crm_ellipsoid *b, carom_vec3 d, const sample *s) {
    carom_vec3 t1, t2, slope = crm_sub(crm_sub(d, s->p_a), s->p_b);
    crm_tangents(s->n, &t1, &t2);
    double r_a = 1.0 / s->h_a, r_b = 1.0 / s->h_b;
    carom_mat3 q = crm_mat3_add(crm_mat3_scale(r_a, a->q), crm_mat3_scale(r_b, b->q));
    carom_vec3 q1 = crm_mat3_apply(q, t1), q2 = crm_mat3_apply(q, t2);
    double a1 = crm_dot(t1, s->p_a), a2 = crm_dot(t2, s->p_a), b1 = crm_dot(t1, s->p_b), b2 = crm_dot(t2, s->p_b);
    double m11 = crm_dot(t1, q1) - r_a * a1 * a1 - r_b * b1 * b1 + s->psi;
    double m22 = crm_dot(t2, q2) - r_a * a2 * a2 - r_b * b2 * b2 + s->psi;
    double m12 = crm_dot(t1, q2) - r_a * a1 * a2 - r_b * b1 * b2;
    double g1 = crm_dot(t1, slope), g2 = crm_dot(t2, slope);
    // Least eigenvalue; if it is not clearly positive, shift until it is.
    double half = 0.5 * (m11 - m22), least = 0.5 * (m11 + m22) - sqrt(half * half + m12 * m12);
    double floor = 1e-3 * (s->h_a + s->h_b);
    // A maximum whose curvature nearly vanishes would be approached by ever smaller steps if it were shifted: leave it.
    if (least < floor && !(least > 0.0 && g1 * g1 + g2 * g2 < 0.01 * least * least)) {
        m11 += floor - least;
        m22 += floor - least;
    }
    double reciprocal = 1.0 / (m11 * m22 - m12 * m12);
    double u = (m22 * g1 - m12 * g2) * reciprocal, v = (m11 * g2 - m12 * g1) * reciprocal;
    double square = u * u + v * v;
    double scale = square > largest_step * largest_step ? largest_step / sqrt(square) : 1.0;
    return crm_add(crm_scale(scale * u, t1), crm_scale(scale * v, t2));
}

// Climbs from `n` to a stationary point.
static sample climb(const crm_ellipsoid *a, const crm_ellipsoid *b, carom_vec3 d, carom_vec3 n, int *iterations) {
    sample s = sample_at(a, b, d, n);
    for (int i = 0; i < ITERATION_LIMIT; i++) {
        carom_vec3 step = newton_step(a, b, d, &s);
        double length = crm_length(step);
        ++*iterations;
        bool moved = false;
        for (int k = 0; k < HALVING_LIMIT && !moved; k++, step = crm_scale(0.5, step)) {
            // n and the step are normal to each other: the sum is longer than 1.
            carom_vec3 turned = crm_add(s.n, step);
            sample next = sample_at(a, b, d, crm_scale(1.0 / crm_length(turned), turned));
            // At the end psi no longer grows by more than its rounding: small steps are taken on trust.
            moved = next.psi > s.psi || (length < 1e-4 && next.psi >= s.psi - 4.0 * DBL_EPSILON * (s.h_a + s.h_b));
            if (moved) s = next;
        }
        if (!moved || length <= last_step) break;
    }
    return s;
}

// n ~ (Q_A/s_A + Q_B/s_B)^-1 d, s the root of the trace: exact for balls, close for others.
static carom_vec3 first_guess(const crm_ellipsoid *a, const crm_ellipsoid *b, carom_vec3 d) {
    carom_mat3 sum = crm_mat3_add(crm_mat3_scale(1.0 / sqrt(crm_mat3_trace(a->q)), a->q),
                                  crm_mat3_scale(1.0 / sqrt(crm_mat3_trace(b->q)), b->q));
    carom_vec3 yz = crm_cross(sum.y, sum.z), n;
    carom_vec3 solution =
        crm_vec3(crm_dot(yz, d), crm_dot(crm_cross(sum.z, sum.x), d), crm_dot(crm_cross(sum.x, sum.y), d));
    if (crm_normalise(solution, &n) > 0.0) return n;
    return crm_normalise(d, &n) > 0.0 ? n : a->axes.x;
}

// The stationary depth up to which it is surely the global one.
static double certain_depth(const crm_ellipsoid *a, const crm_ellipsoid *b) {
    return a->smallest * a->smallest / a->largest + b->smallest * b->smallest / b->largest;
}

crm_ellipsoid_witness crm_ellipsoid_pair(const crm_ellipsoid *a, const crm_ellipsoid *b, const carom_vec3 *start) {
    carom_vec3 d = crm_sub(b->centre, a->centre);
    crm_ellipsoid_witness w = {.normal_unique = true, .global = true};
    double size = a->largest + b->largest;
    sample best = climb(a, b, d, start != NULL ? *start : first_guess(a, b, d), &w.iterations);
    carom_vec3 line;
    bool concentric = crm_normalise(d, &line) <= DBL_EPSILON * size;
    if (best.psi < -certain_depth(a, b) || crm_dot(best.n, d) < 0.0) {
        const carom_vec3 starts[] = {
            concentric ? a->axes.x : line, a->axes.x, a->axes.y, a->axes.z, b->axes.x, b->axes.y, b->axes.z};
        for (int i = 0; i < 7; i++) {
            carom_vec3 n = crm_dot(starts[i], d) >= 0.0 ? starts[i] : crm_negate(starts[i]);
            sample s = climb(a, b, d, n, &w.iterations);
            bool other = crm_length(crm_cross(s.n, best.n)) > same_direction || crm_dot(s.n, best.n) < 0.0;
            if (other && fabs(s.psi - best.psi) <= same_value * size) w.normal_unique = false;
            if (s.psi > best.psi + same_value * size) w.normal_unique = true;
            if (s.psi > best.psi) best = s;
        }
        w.global = best.psi >= -certain_depth(a, b);
    }
    if (concentric) w.normal_unique = false; // n and -n are equally good
    w.gap = best.psi;
    w.normal = best.n;
    w.point_a = crm_add(a->centre, best.p_a);
    w.point_b = crm_sub(b->centre, best.p_b);
    return w;
}

crm_plane_witness crm_ellipsoid_plane(const crm_ellipsoid *e, carom_vec3 normal, double offset) {
    double h;
    carom_vec3 arm = support(e, normal, &h);
    crm_plane_witness w = {.gap = crm_dot(normal, e->centre) - h - offset, .point = crm_sub(e->centre, arm)};
    w.plane_point = crm_madd(w.point, -w.gap, normal);
    return w;
}
