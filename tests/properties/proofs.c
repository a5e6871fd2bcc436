// SPDX-License-Identifier: MIT
// Weak duality proves an answer without another algorithm: planes show that the bodies are not nearer, points that they
// are not farther. Of overlapping bodies the gap's planes and points prove that the translation separates them; that
// none is shorter is the references' to say.
#include <float.h>
#include <math.h>
#include <string.h>

#include "distance/core/core_kernels.h"
#include "math/vec3.h"
#include "properties/properties.h"
#include "reference/polytope/convex_body.h"

// Touches with more vertices than are listed cannot be weighed from the witness alone.
static bool is_listed(const carom_touch *a, const carom_touch *b) {
    return a->vertex_count <= CAROM_TOUCH_VERTICES && b->vertex_count <= CAROM_TOUCH_VERTICES;
}

// What an accuracy does not tell: rounding of the poses, and of the normal (`length` is |alpha|) by which it is proved.
static double world_rounding(const distance_pair *pair, double scale, double length) {
    const carom_view *v = pair->view;
    double position = crm_length(v[0].pose.position) + crm_length(v[1].pose.position);
    return 2.0 * DBL_EPSILON * (position + scale) * length;
}

// The first optimum that is found is exact to rounding. What is chosen afterwards among several (tie_breaking.c) takes
// vertices within 1e-9 of a plane for its own, and is as good as that.
static void prove_ray_of(const distance_pair *pair, const carom_ray_witness *ray, bool tied, property_tally *tally) {
    proof p = prove_ray(&pair->view[0], &pair->view[1], ray);
    double scale = pair_scale(pair, ray), length = crm_length(ray->alpha), unit = scale * length;
    double points = fmax(p.chord, fmax(p.a, p.b)), told = ray->accuracy + world_rounding(pair, scale, length);
    points = fmax(points - ray->accuracy, 0.0); // of round bodies it is that of a stationary point
    if (!tied && pair->ordinary) {
        property_note(tally, PROPERTY_RAY_PLANES, pair->number, p.value / unit);
        property_note(tally, PROPERTY_RAY_POINTS, pair->number, points / unit);
        property_note(tally, PROPERTY_RAY_ACCURACY, pair->number, p.value / told);
    } else if (!tied) {
        property_note(tally, PROPERTY_RAY_EXTREME, pair->number, fmax(p.value, points) / unit);
    } else if (is_listed(&ray->a, &ray->b)) {
        property_note(tally, PROPERTY_RAY_TIES, pair->number, fmax(p.value, points) / unit);
    }
    property_note(tally, pair->sharp ? PROPERTY_RAY_SUPPORTS : PROPERTY_CLIMB_SUPPORTS, pair->number, ray->supports);
}

static void prove_gap_of(const distance_pair *pair, const carom_gap_witness *gap, bool tied, double scale,
                         property_tally *tally) {
    proof p = prove_gap(&pair->view[0], &pair->view[1], gap);
    bool ellipsoid = has_ellipsoid(pair);
    double told = gap->accuracy + world_rounding(pair, scale, 1.0), points = fmax(p.chord, fmax(p.a, p.b));
    points = fmax(points - gap->accuracy, 0.0);
    if (!tied && pair->ordinary) {
        property_note(tally, PROPERTY_GAP_PLANES, pair->number, p.value / scale);
        property_note(tally, PROPERTY_GAP_POINTS, pair->number, points / scale);
        property_note(tally, PROPERTY_GAP_ACCURACY, pair->number, p.value / told);
    } else if (!tied) {
        property_id id = ellipsoid ? PROPERTY_GAP_ROUND_EXTREME : PROPERTY_GAP_EXTREME;
        property_note(tally, id, pair->number, fmax(p.value, points) / scale);
    } else if (!ellipsoid && is_listed(&gap->a, &gap->b)) {
        property_note(tally, PROPERTY_GAP_TIES, pair->number, fmax(p.value, points) / scale);
    }
    property_note(tally, ellipsoid ? PROPERTY_ROUND_SUPPORTS : PROPERTY_GAP_SUPPORTS, pair->number, gap->supports);
}

// Apart 0 <= plane gap <= gap <= value, overlapping value <= plane gap <= gap <= 0; the plane gap's place is that of
// any separation, and only where the gap is proved to be the best.
static double disorder(const carom_ray_witness *ray, const carom_gap_witness *gap) {
    double wrong = gap->global ? ray->plane_gap - gap->gap : 0.0;
    if (ray->value > 0.0) return fmax(wrong, gap->gap - ray->value);
    return fmax(wrong, fmax(ray->value - ray->plane_gap, gap->gap));
}

// ---- instruction sets

static bool same_vector(carom_vec3 a, carom_vec3 b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

static bool same_touch(const carom_touch *a, const carom_touch *b) {
    if (a->part != b->part || a->vertex_count != b->vertex_count) return false;
    int listed = a->vertex_count < CAROM_TOUCH_VERTICES ? a->vertex_count : CAROM_TOUCH_VERTICES;
    return memcmp(a->vertices, b->vertices, (size_t)listed * sizeof a->vertices[0]) == 0 &&
           memcmp(a->weights, b->weights, (size_t)listed * sizeof a->weights[0]) == 0;
}

static bool same_number(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

static bool same_ray(const carom_ray_witness *a, const carom_ray_witness *b) {
    if (a->outcome != b->outcome || a->supports != b->supports || !same_vector(a->normal, b->normal)) return false;
    if (a->outcome == CAROM_RAY_MISSES) return true;
    return same_number(a->value, b->value) && same_number(a->plane_gap, b->plane_gap) &&
           same_vector(a->alpha, b->alpha) && same_vector(a->point_a, b->point_a) &&
           same_vector(a->point_b, b->point_b) && same_touch(&a->a, &b->a) && same_touch(&a->b, &b->b) &&
           same_number(a->accuracy, b->accuracy);
}

static bool same_gap(const carom_gap_witness *a, const carom_gap_witness *b) {
    return same_number(a->gap, b->gap) && same_vector(a->normal, b->normal) && same_vector(a->point_a, b->point_a) &&
           same_vector(a->point_b, b->point_b) && same_touch(&a->a, &b->a) && same_touch(&a->b, &b->b) &&
           a->normal_unique == b->normal_unique && a->global == b->global && same_number(a->accuracy, b->accuracy) &&
           a->supports == b->supports;
}

static void compare_variants(const distance_pair *pair, carom_vec3 beta, property_tally *tally) {
    crm_side from_view[2], from_inside[2];
    for (int k = 0; k < 2; k++) {
        crm_side_of(&pair->view[k], 0, CRM_FROM_VIEW, &from_view[k]);
        crm_side_of(&pair->view[k], 0, CRM_FROM_INSIDE, &from_inside[k]);
    }
    carom_ray_witness ray[2] = {{.beta_moves = true}, {.beta_moves = true}};
    carom_gap_witness gap[2];
    for (int variant = 0; crm_distance_kernels_variant(variant) != NULL; variant++) {
        const crm_distance_kernels *kernels = crm_distance_kernels_variant(variant);
        int to = variant > 0;
        kernels->ray(&from_view[0], &from_view[1], beta, NULL, &ray[to]);
        kernels->gap(&from_inside[0], &from_inside[1], NULL, &gap[to]);
        if (to == 0) continue;
        property_note(tally, PROPERTY_VARIANTS, pair->number, !same_ray(&ray[0], &ray[1]));
        property_note(tally, PROPERTY_VARIANTS, pair->number, !same_gap(&gap[0], &gap[1]));
    }
}

// ----

void check_proofs(const distance_pair *pair, property_tally *tally) {
    const carom_view *a = &pair->view[0], *b = &pair->view[1];
    carom_distance_options any = carom_distance_options_default();
    any.any_solution = true;
    carom_ray_witness ray;
    carom_gap_witness gap;
    bool looked = has_ray(pair) && ask_ray(pair, a, b, NULL, NULL, tally, &ray);
    bool measured = ask_gap(pair, a, b, NULL, NULL, tally, &gap);
    if (!pair->convex || !looked || !measured) return;
    double scale = pair_scale(pair, &ray), unit = scale * crm_length(ray.alpha);
    property_note(tally, PROPERTY_ORDER, pair->number, disorder(&ray, &gap) / unit);
    if (pair->sharp && ray.outcome == CAROM_RAY_MEETS) compare_variants(pair, ray.beta, tally);
    prove_ray_of(pair, &ray, true, tally);
    prove_gap_of(pair, &gap, true, scale, tally);
    if (ask_ray(pair, a, b, &any, NULL, tally, &ray)) prove_ray_of(pair, &ray, false, tally);
    if (ask_gap(pair, a, b, &any, NULL, tally, &gap)) prove_gap_of(pair, &gap, false, scale, tally);
}
