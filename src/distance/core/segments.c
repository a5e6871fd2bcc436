// SPDX-License-Identifier: MIT
// The gap of two cores that are points or segments: spheres and capsules. Closed forms, because the difference of such
// cores is flat, and has no inside that a search could start from.
#include <float.h>
#include <math.h>

#include "distance/measure.h"

// Segments whose directions differ by less than this sine are parallel.
static const double least_sine = 1e-9;

typedef struct nearest {
    double s, t;  // shares of the second vertices of A and B
    carom_vec3 d; // from the point of A to that of B
    double square;
    bool inside; // of both segments
} nearest;

static double clamp(double x) {
    return x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
}

// From p + s u to q + t v, with w = q - p.
static nearest at(carom_vec3 w, carom_vec3 u, carom_vec3 v, double s, double t) {
    carom_vec3 d = crm_sub(crm_madd(w, t, v), crm_scale(s, u));
    return (nearest){.s = s, .t = t, .d = d, .square = crm_length_squared(d)};
}

static double foot(carom_vec3 arm, carom_vec3 along) {
    double square = crm_length_squared(along);
    return square > 0.0 ? clamp(crm_dot(arm, along) / square) : 0.0;
}

static nearest nearest_points(carom_vec3 w, carom_vec3 u, carom_vec3 v, carom_vec3 m) {
    double square = crm_length_squared(m);
    if (square > least_sine * least_sine * crm_length_squared(u) * crm_length_squared(v)) {
        // w + t v - s u is along m: cross with v and u.
        double s = crm_dot(crm_cross(w, v), m) / square, t = crm_dot(crm_cross(w, u), m) / square;
        if (s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0) {
            nearest inside = at(w, u, v, s, t);
            inside.inside = true;
            return inside;
        }
    }
    // Otherwise an end of one of them is nearest.
    nearest best = {.square = HUGE_VAL};
    for (int end = 0; end < 2; end++) {
        nearest of_a = at(w, u, v, end, foot(crm_negate(crm_madd(w, -end, u)), v));
        nearest of_b = at(w, u, v, foot(crm_madd(w, end, v), u), end);
        if (of_a.square < best.square) best = of_a;
        if (of_b.square < best.square) best = of_b;
    }
    return best;
}

// Without its part along a segment that it ends inside of, however short it is: there is none but by rounding.
static carom_vec3 across(carom_vec3 d, double share, carom_vec3 along) {
    double square = crm_length_squared(along);
    return share > 0.0 && share < 1.0 && square > 0.0 ? crm_madd(d, -crm_dot(d, along) / square, along) : d;
}

// Where the cores meet: normal to both, so that neither is cut.
static carom_vec3 normal_of_crossing(carom_vec3 u, carom_vec3 v, carom_vec3 m) {
    carom_vec3 n;
    double a = crm_length(u), b = crm_length(v);
    if (crm_length(m) > least_sine * a * b && crm_normalise(m, &n) > 0.0) return n;
    if (crm_normalise(a > b ? u : v, &n) > 0.0) return crm_any_normal(n);
    return crm_vec3(1.0, 0.0, 0.0);
}

static void fill_touch(carom_touch *touch, int vertex_count, double second) {
    double weights[2] = {1.0 - second, second};
    *touch = (carom_touch){0};
    for (int i = 0; i < vertex_count; i++) {
        if (!(weights[i] > 0.0)) continue;
        touch->vertices[touch->vertex_count] = i;
        touch->weights[touch->vertex_count++] = weights[i];
    }
}

void crm_segment_gap(const crm_side *a, const crm_side *b, carom_gap_witness *out) {
    carom_vec3 p = crm_core_arm(a, 0), q = crm_core_arm(b, 0);
    carom_vec3 u = a->vertex_count > 1 ? crm_sub(crm_core_arm(a, 1), p) : crm_vec3_zero();
    carom_vec3 v = b->vertex_count > 1 ? crm_sub(crm_core_arm(b, 1), q) : crm_vec3_zero();
    carom_vec3 c = crm_sub(b->centre, a->centre), m = crm_cross(u, v);
    nearest found = nearest_points(crm_add(crm_sub(q, p), c), u, v, m);
    carom_vec3 d = across(across(found.d, found.s, u), found.t, v);
    double scale = a->size + b->size + crm_length(c), distance = crm_length(d);
    out->normal_unique = distance > 4.0 * DBL_EPSILON * scale;
    if (!out->normal_unique) {
        out->normal = normal_of_crossing(u, v, m);
    } else if (found.inside) {
        crm_normalise(m, &out->normal); // keeps its digits however close they are
        if (crm_dot(out->normal, found.d) < 0.0) out->normal = crm_negate(out->normal);
        distance = crm_dot(out->normal, found.d);
    } else {
        out->normal = crm_scale(1.0 / distance, d);
    }
    out->gap = distance - a->radius - b->radius;
    carom_vec3 core_a = crm_add(a->centre, crm_madd(p, found.s, u));
    carom_vec3 core_b = crm_add(b->centre, crm_madd(q, found.t, v));
    out->point_a = crm_madd(core_a, a->radius, out->normal);
    out->point_b = crm_madd(core_b, -b->radius, out->normal);
    fill_touch(&out->a, a->vertex_count, found.s);
    fill_touch(&out->b, b->vertex_count, found.t);
    out->points_unique = true;
    out->global = true;
    out->accuracy = 8.0 * DBL_EPSILON * scale;
    out->supports = 0;
}
