// SPDX-License-Identifier: MIT
// The Euclidean gap where one side is an ellipsoid: F(n) / |n| is climbed (round_climb.h) from the normal of the centre
// ray, or from the last one.
//
// Which maximum? F is concave and of degree 1: a stationary point with F > 0 is the global one. With F < 0 there may be
// several. Let rho be the radii of the balls plus the least radius of curvature of the ellipsoid, a_min^2/a_max. Then
// s(n) - rho |n| is still convex, so that F' = F + rho |n| is the F of smaller bodies; on unit vectors the two differ
// by a constant. So a stationary depth of at most rho, where F' >= 0, is the global one, whatever the core. Deeper than
// that, the search starts again from the axes, the nearest facets and a few other directions.
#include <float.h>
#include <math.h>
#include <stddef.h>

#include "distance/measure.h"
#include "distance/round_climb.h"

// A second direction counts as another one beyond this angle, and as equally good within this share of the sizes.
static const double same_direction = 1e-6, same_value = 1e-12;

// A climb that ends farther from a stationary point than this share of the sizes proves nothing.
static const double stationary = 1e-9;

// Nearest facets from which the search starts.
enum { FACET_STARTS = 4 };

static double least_curvature(const crm_side *side) {
    if (side->roundness != CRM_ELLIPSOID) return side->radius;
    carom_vec3 axes = side->half_axes;
    double low = axes.x < axes.y ? axes.x : axes.y, least = low < axes.z ? low : axes.z;
    return least * least / crm_max_component(axes);
}

static carom_vec3 shortest_axis(const crm_side *side) {
    carom_vec3 a = side->half_axes;
    if (a.x <= a.y && a.x <= a.z) return side->rotation.x;
    return a.y <= a.z ? side->rotation.y : side->rotation.z;
}

typedef struct search {
    crm_round_problem problem;
    crm_round_summit best;
    bool unique;
} search;

static void climb_from_ray(search *s, crm_round_summit *at) {
    const crm_side *a = s->problem.a, *b = s->problem.b;
    carom_vec3 beta;
    if (crm_normalise(s->problem.offset, &beta) <= DBL_EPSILON * s->problem.size)
        beta = shortest_axis(a->roundness == CRM_ELLIPSOID ? a : b);
    crm_round_problem ray = crm_round_problem_of(a, b, &beta);
    *at = (crm_round_summit){.n = crm_mat3_apply(ray.chart, crm_mat3_apply_t(ray.chart, beta))};
    crm_round_climb(&ray, at);
    s->problem.supports += ray.supports;
    crm_round_climb(&s->problem, at);
}

static void compare(search *s, const crm_round_summit *at) {
    carom_vec3 n, best;
    crm_normalise(at->n, &n);
    crm_normalise(s->best.n, &best);
    bool other = crm_distance(n, best) > same_direction;
    double more = at->value - s->best.value, same = same_value * s->problem.size;
    if (other && fabs(more) <= same) s->unique = false;
    if (more > same) s->unique = true;
    if (more > 0.0) s->best = *at;
}

static void try_from(search *s, carom_vec3 n) {
    crm_round_summit at = {.n = n};
    crm_round_climb(&s->problem, &at);
    compare(s, &at);
}

// The facets of a polytope with the largest F, in closed form; `sign` is -1 for B, whose normals look towards A.
static void try_facets(search *s, const crm_side *side, double sign) {
    const crm_polytope *polytope = side->polytope;
    carom_vec3 normal[FACET_STARTS];
    double value[FACET_STARTS];
    int count = 0;
    for (int i = 0; i < polytope->facet_count; i++) {
        carom_vec3 n = crm_scale(sign, crm_mat3_apply(side->rotation, polytope->normal[i]));
        double depth = polytope->offset[i] - crm_dot(polytope->normal[i], side->local);
        double f = crm_dot(n, s->problem.offset) - depth - crm_round_support(s->problem.a, n, NULL) -
                   crm_round_support(s->problem.b, n, NULL);
        int place = count;
        while (place > 0 && value[place - 1] < f) place--;
        if (place == FACET_STARTS) continue;
        if (count < FACET_STARTS) count++;
        for (int k = count - 1; k > place; k--) {
            value[k] = value[k - 1];
            normal[k] = normal[k - 1];
        }
        value[place] = f;
        normal[place] = n;
    }
    for (int i = 0; i < count; i++) try_from(s, normal[i]);
}

static void try_axes(search *s, carom_mat3 axes) {
    const carom_vec3 list[] = {axes.x, axes.y, axes.z};
    for (int i = 0; i < 3; i++) {
        try_from(s, list[i]);
        try_from(s, crm_negate(list[i]));
    }
}

static void search_everywhere(search *s) {
    crm_round_summit at;
    climb_from_ray(s, &at);
    compare(s, &at);
    if (s->best.value > 0.0) return;
    const crm_side *side[] = {s->problem.a, s->problem.b};
    for (int i = 0; i < 2; i++) {
        if (side[i]->polytope != NULL) try_facets(s, side[i], i == 0 ? 1.0 : -1.0);
        // Of a capsule these are the directions along and across; of loose vertices they are arbitrary.
        if (side[i]->polytope == NULL && (side[i]->vertex_count > 1 || side[i]->roundness == CRM_ELLIPSOID))
            try_axes(s, side[i]->rotation);
    }
}

void crm_round_gap(const crm_side *a, const crm_side *b, carom_distance_cache *cache, carom_gap_witness *out) {
    search s = {.problem = crm_round_problem_of(a, b, NULL), .unique = true};
    if (cache != NULL && crm_length_squared(cache->gap_normal) > 0.0) {
        s.best.n = cache->gap_normal;
        crm_round_read_pairs(&s.problem, cache->gap_count, cache->gap, &s.best);
        crm_round_climb(&s.problem, &s.best);
    } else {
        climb_from_ray(&s, &s.best);
    }
    double size = s.problem.size, certain = least_curvature(a) + least_curvature(b);
    if (s.best.value < -certain || !(s.best.residual <= stationary * size)) search_everywhere(&s);
    *out = (carom_gap_witness){.gap = s.best.value, .normal_unique = s.unique, .points_unique = true};
    out->global = s.best.value > 0.0 || (s.best.value >= -certain && s.best.residual <= stationary * size);
    crm_normalise(s.best.n, &out->normal);
    crm_round_points(&s.problem, &s.best, &out->point_a, &out->point_b, &out->a, &out->b);
    out->accuracy = s.best.residual + s.problem.slack;
    out->supports = s.problem.supports;
    if (cache == NULL) return;
    cache->gap_normal = out->normal;
    cache->gap_count = crm_round_write_pairs(&s.best, cache->gap);
}
