// SPDX-License-Identifier: MIT
// The farthest point y of an ellipsoid from a point c, in its body axes with lengths in units of the longest half-axis:
//   y_i = c_i a_i^2 / (a_i^2 + lambda),   sum c_i^2 a_i^2 / (a_i^2 + lambda)^2 = 1,   lambda <= -1.
// With m = -(lambda + 1) and g_i = 1 - a_i^2 >= 0 this is y_i = -c_i a_i^2 / (g_i + m) and
//   f(m) = sum c_i^2 a_i^2 / (g_i + m)^2 = 1,
// which has one root for m >= 0, except in the hard case: c vanishes on all longest axes and the rest of f is at most 1
// at m = 0. Then m = 0 and what is left of the length goes on a longest axis, to either side. Near it there is a second
// local maximum on the other side, the root with the largest m < 0.
#include <float.h>
#include <math.h>

#include "distance/ellipsoid/ellipsoid.h"

// Half-axes within this share of the longest are as long, distances within this share of the size are equal.
static const double equal_axes = 1e-14, equal_distance = 1e-13;

enum { BISECTION_LIMIT = 200 };

typedef struct secular {
    double c[3], a[3], g[3]; // in units of the longest half-axis
    bool longest[3];
} secular;

static double f(const secular *s, double m) {
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        double term = s->c[i] * s->a[i] / (s->g[i] + m);
        if (s->c[i] != 0.0) sum += term * term;
    }
    return sum;
}

static double f_slope(const secular *s, double m) {
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        double d = s->g[i] + m, term = s->c[i] * s->a[i] / d;
        if (s->c[i] != 0.0) sum -= 2.0 * term * term / d;
    }
    return sum;
}

// The root of f = 1 between two places where f - 1 has different signs: Newton on 1/sqrt(f), which is nearly straight,
// kept inside the bracket by bisection.
static double find_root(const secular *s, double low, double high) {
    bool falls = f(s, low) > f(s, high);
    double m = 0.5 * (low + high);
    for (int i = 0; i < BISECTION_LIMIT; i++) {
        double value = f(s, m), slope = f_slope(s, m);
        if ((value > 1.0) == falls)
            low = m;
        else
            high = m;
        // d/dm f^(-1/2) = -f'/2 f^(-3/2)
        double next = m - (1.0 / sqrt(value) - 1.0) / (-0.5 * slope / (value * sqrt(value)));
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        if (next == m || fabs(next - m) <= DBL_EPSILON * fabs(m) || next <= low || next >= high) return next;
        m = next;
    }
    return m;
}

static carom_vec3 point_of(const secular *s, double m) {
    double y[3];
    for (int i = 0; i < 3; i++) y[i] = s->c[i] == 0.0 ? 0.0 : -s->c[i] * s->a[i] * s->a[i] / (s->g[i] + m);
    return crm_vec3(y[0], y[1], y[2]);
}

// The minimum of f, which is convex, on an open interval at whose ends it is infinite or the slope tells.
static double find_minimum(const secular *s, double low, double high) {
    for (int i = 0; i < BISECTION_LIMIT; i++) {
        double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high) return middle;
        if (f_slope(s, middle) < 0.0)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

// The largest m < 0 with f(m) = 1, between the poles of the longest and the next longest axis.
static bool find_second(const secular *s, double *m) {
    double next_pole = INFINITY;
    for (int i = 0; i < 3; i++)
        if (!s->longest[i] && s->g[i] < next_pole) next_pole = s->g[i];
    if (!isfinite(next_pole) || next_pole <= 0.0) return false;
    double along = 0.0;
    for (int i = 0; i < 3; i++) along += s->longest[i] ? s->c[i] * s->c[i] : 0.0;
    if (along == 0.0) return false; // no pole at 0: the hard case gives both points
    double bottom = find_minimum(s, -next_pole, 0.0);
    if (!(f(s, bottom) < 1.0)) return false;
    // Close enough to the pole f exceeds 1: there the term of the longest axes alone does.
    *m = find_root(s, bottom, -0.5 * sqrt(along));
    return -0.5 * sqrt(along) > bottom && *m < 0.0;
}

static secular secular_of(const crm_ellipsoid *e, carom_vec3 centre) {
    carom_vec3 in_body = crm_mat3_apply_t(e->axes, crm_sub(centre, e->centre));
    secular s;
    for (int i = 0; i < 3; i++) {
        s.c[i] = crm_component(in_body, i) / crm_max_component(e->half_axes);
        s.a[i] = crm_component(e->half_axes, i) / crm_max_component(e->half_axes);
        s.longest[i] = s.a[i] >= 1.0 - equal_axes;
        if (s.longest[i]) s.a[i] = 1.0;
        s.g[i] = (1.0 - s.a[i]) * (1.0 + s.a[i]);
    }
    return s;
}

// The part of the squared length that is left for the longest axes at m = 0; below 0 when there is none.
static double left_over(const secular *s) {
    double left = 1.0;
    for (int i = 0; i < 3; i++) {
        if (s->longest[i] || s->c[i] == 0.0) continue;
        double term = s->c[i] * s->a[i] / s->g[i];
        left -= term * term;
    }
    return left;
}

static carom_vec3 to_world(const crm_ellipsoid *e, carom_vec3 y) {
    return crm_add(e->centre, crm_mat3_apply(e->axes, crm_scale(crm_max_component(e->half_axes), y)));
}

static double set_point(const crm_ellipsoid *e, carom_vec3 centre, double radius, carom_vec3 y, carom_vec3 *point,
                        carom_vec3 *normal) {
    *point = to_world(e, y);
    return radius - crm_normalise(crm_sub(*point, centre), normal);
}

crm_inside_witness crm_ellipsoid_in_sphere(const crm_ellipsoid *e, carom_vec3 centre, double radius) {
    secular s = secular_of(e, centre);
    double along = 0.0, weighted = 0.0;
    int longest_count = 0, first_longest = 0;
    for (int i = 2; i >= 0; i--) {
        weighted += s.a[i] * s.a[i] * s.c[i] * s.c[i];
        if (!s.longest[i]) continue;
        along += s.c[i] * s.c[i];
        longest_count++;
        first_longest = i;
    }
    along = sqrt(along);
    weighted = sqrt(weighted);
    double left = left_over(&s);
    crm_inside_witness w = {.family = CRM_FARTHEST_UNIQUE};
    carom_vec3 y, second;
    double m = 0.0, second_m;
    // What rounding leaves of a centre that lies in the plane of the short axes counts as nothing.
    bool hard = left >= 0.0 && along <= 4.0 * DBL_EPSILON * (1.0 + weighted);
    if (hard) {
        for (int i = 0; i < 3; i++)
            if (s.longest[i]) s.c[i] = 0.0;
        y = point_of(&s, 0.0);
        second = y;
        y = crm_with_component(y, first_longest, sqrt(left));
        second = crm_with_component(second, first_longest, -sqrt(left));
        w.has_second = left > 0.0;
        static const crm_farthest_family families[] = {CRM_FARTHEST_UNIQUE, CRM_FARTHEST_TWO_POINTS,
                                                       CRM_FARTHEST_CIRCLE, CRM_FARTHEST_SPHERE};
        if (left > 0.0) w.family = families[longest_count];
    } else {
        m = along == weighted ? along : find_root(&s, along, weighted);
        y = point_of(&s, m);
        w.has_second = find_second(&s, &second_m);
        if (w.has_second) second = point_of(&s, second_m);
    }
    w.gap = set_point(e, centre, radius, y, &w.point, &w.normal);
    w.sphere_point = crm_madd(centre, radius, w.normal);
    w.multiplier = -(1.0 + m) * crm_max_component(e->half_axes) * crm_max_component(e->half_axes);
    if (w.has_second) w.second_gap = set_point(e, centre, radius, second, &w.second_point, &w.second_normal);
    if (w.has_second && w.family == CRM_FARTHEST_UNIQUE &&
        w.second_gap - w.gap <= equal_distance * crm_max_component(e->half_axes))
        w.family = longest_count == 1 ? CRM_FARTHEST_TWO_POINTS : CRM_FARTHEST_CIRCLE;
    return w;
}
