// SPDX-License-Identifier: MIT
// The Euclidean gap where one side is an ellipsoid: F(n) / |n| is climbed (round_climb.h) from the line of the centres,
// or from the last normal.
//
// Which maximum? F is concave and of degree 1: a stationary point with F > 0 is the global one. With F < 0 there may be
// several. Let R_A and R_B be the radii of balls that lie inside the bodies and touch their surfaces at the points
// found. A depth of at most R_A + R_B is the depth of the two balls, and a translation that separates the bodies
// separates them as well: there is no shorter one. Deeper than that, the search starts again from the normal of the
// centre ray, the axes and the nearest facets.
#include <float.h>
#include <math.h>
#include <stddef.h>

#include "distance/measure.h"
#include "distance/round/round_climb.h"

// A second direction counts as another one beyond this angle, and as equally good within this share of the sizes.
static const double same_direction = 1e-6, same_value = 1e-12;

// A climb that ends farther from a stationary point than this share of the sizes proves nothing.
static const double stationary = 1e-9;

// Nearest facets from which the search starts.
enum { FACET_STARTS = 4 };

// 1 - cosine of the angle below which a facet's normal is the normal: an angle of 1e-7.
static const double same_facet = 5e-15;

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

// From centre to centre; for centres that coincide the ellipsoid's short way.
static carom_vec3 centre_line(const crm_round_problem *p) {
    carom_vec3 line;
    if (crm_normalise(p->offset, &line) > DBL_EPSILON * p->size) return line;
    return shortest_axis(p->a->roundness == CRM_ELLIPSOID ? p->a : p->b);
}

// The largest ball inside an ellipsoid that touches it where the normal is n (unit). The nearest surface point of an
// inner point o is the x with x_i = o_i a_i^2/(a_i^2 + t), t >= -a_min^2; from x inwards, o_i = x_i (1 - R h/a_i^2).
static double ball_in_ellipsoid(const crm_side *side, carom_vec3 n) {
    carom_vec3 a = side->half_axes;
    double low = a.x < a.y ? a.x : a.y, least = low < a.z ? low : a.z;
    return least * least / crm_round_support(side, n, NULL);
}

// The same inside a polytope, touching at the point k: a facet at the distance d from k with the normal m leaves room
// for R <= d / (1 - m.n).
static double ball_in_polytope(const crm_side *side, carom_vec3 k, carom_vec3 n) {
    const crm_polytope *p = side->polytope;
    carom_vec3 local = crm_add(side->local, crm_mat3_apply_t(side->rotation, crm_sub(k, side->centre)));
    n = crm_mat3_apply_t(side->rotation, n);
    double radius = INFINITY;
    for (int i = 0; i < p->facet_count; i++) {
        double room = p->offset[i] - crm_dot(p->normal[i], local), tilt = 1.0 - crm_dot(p->normal[i], n);
        // A facet along n holds k, and the ball.
        if (tilt > same_facet) radius = fmin(radius, room / tilt);
    }
    return radius > 0.0 ? radius : 0.0;
}

static double ball_in_side(const crm_side *side, carom_vec3 k, carom_vec3 n) {
    if (side->roundness == CRM_ELLIPSOID) return ball_in_ellipsoid(side, n);
    return side->polytope != NULL ? ball_in_polytope(side, k, n) : side->radius;
}

// R_A + R_B less the depth. If it is positive, the balls have one shortest way out, and so have the bodies; at zero the
// balls have one centre, and the way is a shortest one.
static double spare_room(const search *s) {
    if (s->best.value > 0.0) return INFINITY;
    if (!(s->best.residual <= stationary * s->problem.size)) return -INFINITY;
    carom_vec3 n, point_a, point_b;
    carom_touch touch_a, touch_b;
    crm_normalise(s->best.n, &n);
    crm_round_points(&s->problem, &s->best, &point_a, &point_b, &touch_a, &touch_b);
    return ball_in_side(s->problem.a, point_a, n) + ball_in_side(s->problem.b, point_b, crm_negate(n)) + s->best.value;
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

// The ray tells whether the bodies are apart, whatever the start has led to.
static void try_from_ray(search *s) {
    carom_vec3 beta = centre_line(&s->problem);
    crm_round_problem ray = crm_round_problem_of(s->problem.a, s->problem.b, &beta);
    crm_round_summit at = {.n = crm_mat3_apply(ray.chart, crm_mat3_apply_t(ray.chart, beta))};
    crm_round_climb(&ray, &at);
    s->problem.supports += ray.supports;
    crm_round_climb(&s->problem, &at);
    compare(s, &at);
}

static void search_everywhere(search *s) {
    try_from_ray(s);
    if (s->best.value > 0.0) return;
    const crm_side *side[] = {s->problem.a, s->problem.b};
    for (int i = 0; i < 2; i++) {
        if (side[i]->polytope != NULL) try_facets(s, side[i], i == 0 ? 1.0 : -1.0);
        // Of a capsule these are the directions along and across; of bare vertices they are arbitrary.
        if (side[i]->polytope == NULL && (side[i]->vertex_count > 1 || side[i]->roundness == CRM_ELLIPSOID))
            try_axes(s, side[i]->rotation);
    }
}

void crm_round_gap(const crm_side *a, const crm_side *b, carom_distance_cache *cache, carom_gap_witness *out) {
    search s = {.problem = crm_round_problem_of(a, b, NULL), .unique = true};
    if (cache != NULL && crm_length_squared(cache->gap_normal) > 0.0) {
        s.best.n = cache->gap_normal;
        crm_round_read_pairs(&s.problem, cache->gap_count, cache->gap, &s.best);
    } else {
        s.best.n = crm_mat3_apply(s.problem.chart, crm_mat3_apply_t(s.problem.chart, centre_line(&s.problem)));
    }
    crm_round_climb(&s.problem, &s.best);
    double room = spare_room(&s), same = same_value * s.problem.size;
    if (room <= same) {
        search_everywhere(&s);
        room = spare_room(&s);
    }
    *out = (carom_gap_witness){.gap = s.best.value, .normal_unique = s.unique, .points_unique = true};
    out->global = room >= -same && s.best.residual <= stationary * s.problem.size;
    crm_normalise(s.best.n, &out->normal);
    crm_round_points(&s.problem, &s.best, &out->point_a, &out->point_b, &out->a, &out->b);
    out->accuracy = s.best.residual + s.problem.slack;
    out->supports = s.problem.supports;
    if (cache == NULL) return;
    cache->gap_normal = out->normal;
    cache->gap_count = crm_round_write_pairs(&s.best, cache->gap);
}
