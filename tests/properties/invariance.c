// SPDX-License-Identifier: MIT
// What must not matter: which body is called A, where the pair is, and what a cache remembers.
#include <limits.h>
#include <math.h>

#include "math/quat.h"
#include "properties/properties.h"

typedef struct answers {
    bool looked, measured;
    carom_ray_witness ray;
    carom_gap_witness gap;
} answers;

static answers ask(const distance_pair *pair, const carom_view *a, const carom_view *b, carom_distance_cache *cache,
                   property_tally *tally) {
    answers out;
    out.looked = has_ray(pair) && ask_ray(pair, a, b, NULL, cache, tally, &out.ray);
    out.measured = ask_gap(pair, a, b, NULL, cache, tally, &out.gap);
    return out;
}

// How well the vertices that carry the answer fix its normal: the height of the triangle that they span in the
// difference, over the scale. A smaller span is that of an edge or a corner, which fix nothing.
static double condition(const distance_pair *pair, const carom_touch *touch_a, const carom_touch *touch_b,
                        double scale) {
    const carom_touch *touch[2] = {touch_a, touch_b};
    carom_vec3 arm[2], vertex[2][PAIR_POINTS * 4];
    int count = 0;
    for (int k = 0; k < 2; k++) {
        if (touch[k]->vertex_count > 3 || pair_vertices(&pair->view[k], PAIR_POINTS * 4, vertex[k]) == 0) return 0.0;
        for (int i = 1; i < touch[k]->vertex_count && count < 2; i++)
            arm[count++] = crm_sub(vertex[k][touch[k]->vertices[i]], vertex[k][touch[k]->vertices[0]]);
    }
    if (count < 2 || touch_a->vertex_count + touch_b->vertex_count != 4) return 0.0;
    double longest = fmax(crm_length(arm[0]), crm_length(arm[1]));
    return crm_length(crm_cross(arm[0], arm[1])) / (longest * scale);
}

// Normals and points are compared where the answer is unique, on a facet of the difference, of pairs that are not
// extreme. Rounding moves them by its share of the triangle's height: the error is taken times that.
static void compare_witnesses(const distance_pair *pair, property_id id, const answers *one, const answers *other,
                              carom_quat rotation, carom_vec3 shift, bool swapped, property_tally *tally) {
    const carom_ray_witness *r = &one->ray, *q = &other->ray;
    double scale = pair_scale(pair, r), sign = swapped ? -1.0 : 1.0;
    bool unique = r->centre_distance > 1e-3 * scale && r->alpha_unique && r->weights_unique && q->alpha_unique &&
                  q->weights_unique;
    double c = unique ? condition(pair, &r->a, &r->b, scale) : 0.0;
    if (c > 1e-6) {
        carom_vec3 alpha = crm_scale(sign, crm_quat_rotate(rotation, r->alpha));
        carom_vec3 point = crm_add(shift, crm_quat_rotate(rotation, r->point_a));
        double length = crm_length(r->alpha);
        property_note(tally, id, pair->number, c * crm_distance(q->alpha, alpha) / (length * length));
        property_note(tally, id, pair->number,
                      c * crm_distance(swapped ? q->point_b : q->point_a, point) / (scale * length));
    } else {
        property_skip(tally, id);
    }
}

// `rotated`: the direction between near centres is known to rounding over their distance only.
static void compare_values(const distance_pair *pair, property_id id, const answers *one, const answers *other,
                           bool rotated, property_tally *tally) {
    double scale = pair->sizes + fabs(one->gap.gap);
    if (!pair->ordinary) id = PROPERTY_SAME_EXTREME;
    if (one->looked && other->looked) {
        scale = pair_scale(pair, &one->ray);
        double error = fabs(one->ray.value - other->ray.value), unit = scale * crm_length(one->ray.alpha);
        if (rotated && one->ray.centre_distance > 0.0) unit += unit * fabs(one->ray.value) / one->ray.centre_distance;
        property_note(tally, id, pair->number, error / unit);
    }
    // Of deep overlaps of ellipsoids one of several maxima is found, and it says so.
    bool certain = one->gap.global && other->gap.global;
    if (!certain) property_skip(tally, id);
    if (!pair->ordinary && has_ellipsoid(pair)) id = PROPERTY_GAP_ROUND_EXTREME;
    if (one->measured && other->measured && certain)
        property_note(tally, id, pair->number, fabs(one->gap.gap - other->gap.gap) / scale);
}

// ---- warm starts

static carom_view nudged(sampler *s, carom_view view, double size, double amount) {
    carom_vec3 rotation = crm_scale(amount, sample_unit(s));
    view.pose.position = crm_madd(view.pose.position, amount * size, sample_unit(s));
    view.pose.attitude = crm_quat_normalised(
        crm_quat_mul((carom_quat){1.0, 0.5 * rotation.x, 0.5 * rotation.y, 0.5 * rotation.z}, view.pose.attitude));
    return view;
}

static int wild_index(sampler *s) {
    static const int wild[] = {0, 1, 2, 3, 7, 40, 1000, -1, INT_MAX, INT_MIN};
    return wild[crm_random_below(s, sizeof wild / sizeof wild[0])];
}

static carom_distance_cache garbage(sampler *s) {
    carom_distance_cache cache;
    cache.ray_count = wild_index(s);
    cache.gap_count = wild_index(s);
    for (int i = 0; i < 6; i++) {
        cache.ray[i / 2][i % 2] = wild_index(s);
        cache.gap[i / 2][i % 2] = wild_index(s);
    }
    cache.parts[0] = wild_index(s);
    cache.parts[1] = wild_index(s);
    cache.ray_normal = sample_unit(s);
    cache.gap_normal = sample_unit(s);
    return cache;
}

static void check_warm(const distance_pair *pair, const answers *cold, sampler *s, property_tally *tally) {
    const carom_view *a = &pair->view[0], *b = &pair->view[1];
    for (int from = 0; from < 3; from++) {
        carom_distance_cache cache = {0};
        if (from < 2) {
            carom_view there = nudged(s, *b, pair->sizes, from == 0 ? 1e-3 : 1.0);
            ask(pair, a, &there, &cache, tally);
        } else {
            cache = garbage(s);
        }
        answers warm = ask(pair, a, b, &cache, tally);
        compare_values(pair, PROPERTY_WARM, cold, &warm, false, tally);
    }
}

// ----

void check_invariance(const distance_pair *pair, property_tally *tally) {
    sampler s = {.seed = pair->number, .stream = 1};
    const carom_view *a = &pair->view[0], *b = &pair->view[1];
    answers plain = ask(pair, a, b, NULL, tally);
    // Without a direction the ray looks along x, or along what is remembered: another question when anything changes.
    if (plain.looked && plain.ray.outcome == CAROM_RAY_NO_DIRECTION) plain.looked = false;
    answers swapped = ask(pair, b, a, NULL, tally);
    compare_values(pair, PROPERTY_SWAP, &plain, &swapped, false, tally);
    carom_quat rotation = sample_attitude(&s);
    carom_vec3 shift = crm_scale(pair->sizes, sample_unit(&s));
    carom_view moved[2] = {*a, *b};
    for (int k = 0; k < 2; k++) {
        moved[k].pose.position = crm_add(shift, crm_quat_rotate(rotation, moved[k].pose.position));
        moved[k].pose.attitude = crm_quat_normalised(crm_quat_mul(rotation, moved[k].pose.attitude));
    }
    answers there = ask(pair, &moved[0], &moved[1], NULL, tally);
    compare_values(pair, PROPERTY_MOTION, &plain, &there, true, tally);
    if (pair->sharp && pair->ordinary && plain.looked && swapped.looked && there.looked &&
        pair->place != PAIR_ALIGNED) {
        carom_quat still = crm_quat_identity();
        compare_witnesses(pair, PROPERTY_SWAP_WITNESS, &plain, &swapped, still, crm_vec3_zero(), true, tally);
        compare_witnesses(pair, PROPERTY_MOTION_WITNESS, &plain, &there, rotation, shift, false, tally);
    }
    check_warm(pair, &plain, &s, tally);
}
