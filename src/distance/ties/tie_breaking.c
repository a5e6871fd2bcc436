// SPDX-License-Identifier: MIT
// What is reported where several answers are optimal: the shortest alpha and the weights of least sum of squares, which
// are as symmetric as the pair. The usual pair has one answer, and is left alone after a look at the neighbours of the
// vertices that carry weight.
#include <stdint.h>

#include "distance/measure.h"
#include "distance/ties/least_weights.h"

// Sine of the angle between arms below which they are not surely two directions.
static const double clear_sine = 1e-6;
// A weight above this is surely not zero, even in a triangle as thin as that.
static const double clear_weight = 1e-5;
// Polytopes of up to so many vertices are looked at as a whole.
enum { MOST_SCANNED = 16 };

// How many vertices lie above a level along `n` (frame of the view).
static int count_above(const crm_side *side, carom_vec3 n, double level) {
    const crm_polytope *p = side->polytope;
    int64_t count = 0; // as wide as what is compared
    if (p != NULL)
        for (int v = 0; v < side->vertex_count; v++) count += n.x * p->x[v] + n.y * p->y[v] + n.z * p->z[v] >= level;
    else
        for (int v = 0; v < side->vertex_count; v++) count += crm_dot(n, side->vertex[v]) >= level;
    return (int)count;
}

// Whether a neighbour of the touch's vertices that is not one of them lies above the level.
static bool neighbour_above(const crm_polytope *p, const carom_touch *touch, carom_vec3 n, double level) {
    for (int k = 0; k < touch->vertex_count; k++)
        for (int i = p->neighbour_start[touch->vertices[k]]; i < p->neighbour_start[touch->vertices[k] + 1]; i++) {
            int v = p->neighbour[i];
            bool other = true;
            for (int m = 0; m < touch->vertex_count; m++) other = other && v != touch->vertices[m];
            if (other && crm_dot(n, p->vertex[v]) >= level) return true;
        }
    return false;
}

// Whether no vertex but those of the touch lies in its plane with this outward normal (world). The vertices above a
// level are connected along edges, so that of a large polytope the neighbours of the touch are enough.
static bool is_alone(const crm_side *side, const carom_touch *touch, carom_vec3 outward) {
    carom_vec3 n = crm_mat3_apply_t(side->rotation, outward), first = side->vertex[touch->vertices[0]];
    double level = crm_dot(n, first) - crm_active_distance(side, first);
    if (side->polytope != NULL && side->vertex_count > MOST_SCANNED)
        return !neighbour_above(side->polytope, touch, n, level);
    return count_above(side, n, level) <= touch->vertex_count;
}

static bool all_clear(const carom_touch *touch) {
    for (int k = 0; k < touch->vertex_count; k++)
        if (!(touch->weights[k] > clear_weight)) return false;
    return true;
}

static carom_vec3 arm_between(const crm_side *side, const carom_touch *touch, int from, int to) {
    carom_vec3 local = crm_sub(side->vertex[touch->vertices[to]], side->vertex[touch->vertices[from]]);
    return crm_mat3_apply(side->rotation, local);
}

// Whether the touches surely span as many dimensions as they have vertices more than two: none is a mixture of others.
static bool is_simplex(const crm_side *a, const crm_side *b, const carom_touch *touch_a, const carom_touch *touch_b) {
    carom_vec3 arm[2];
    int count = 0;
    if (touch_a->vertex_count + touch_b->vertex_count > 4) return false;
    for (int k = 1; k < touch_a->vertex_count; k++) arm[count++] = arm_between(a, touch_a, 0, k);
    for (int k = 1; k < touch_b->vertex_count; k++) arm[count++] = arm_between(b, touch_b, 0, k);
    if (count == 0) return true;
    double first = crm_length_squared(arm[0]), size = touch_a->vertex_count > 1 ? a->size : b->size;
    if (count == 1) return first > clear_sine * clear_sine * size * size;
    double product = first * crm_length_squared(arm[1]);
    return crm_length_squared(crm_cross(arm[0], arm[1])) > clear_sine * clear_sine * product;
}

// Whether the answer is surely the only one with this normal.
static bool is_only(const crm_side *a, const crm_side *b, carom_vec3 normal, const carom_touch *touch_a,
                    const carom_touch *touch_b) {
    return all_clear(touch_a) && all_clear(touch_b) && is_simplex(a, b, touch_a, touch_b) &&
           is_alone(a, touch_a, normal) && is_alone(b, touch_b, crm_negate(normal));
}

// What the slow way finds beside alpha and the weights themselves, which are changed in place.
typedef struct broken_tie {
    bool alpha_unique, weights_unique, points_unique;
    carom_vec3 core_a, core_b; // the cores' points, world, m
} broken_tie;

static carom_vec3 to_world(const crm_side *side, carom_vec3 local) {
    return crm_add(side->centre, crm_mat3_apply(side->rotation, crm_sub(local, side->local)));
}

// From the anchor to the weighted mean of all listed vertices: weights of 1e-9 and less count as none in what lies on a
// face, and still belong to where the points are, or they would not be apart along the normal.
static carom_vec3 left_out(const crm_side *side, const carom_touch *touch, carom_vec3 anchor) {
    carom_vec3 sum = crm_vec3_zero();
    double total = 0.0;
    int count = crm_touch_listed(touch);
    for (int k = 0; k < count; k++) {
        sum = crm_madd(sum, touch->weights[k], crm_sub(side->vertex[touch->vertices[k]], anchor));
        total += touch->weights[k];
    }
    return total > 0.0 ? crm_scale(1.0 / total, sum) : sum;
}

static broken_tie break_ties(const crm_side *a, const crm_side *b, carom_vec3 beta, carom_vec3 *alpha,
                             carom_touch *touch_a, carom_touch *touch_b) {
    crm_pierced_face face = {.anchor = {crm_touch_anchor(a, touch_a), crm_touch_anchor(b, touch_b)}};
    crm_weighting weighting[2];
    broken_tie out;
    carom_vec3 rest_a = left_out(a, touch_a, face.anchor[0]), rest_b = left_out(b, touch_b, face.anchor[1]);
    crm_find_pierced_face(a, b, beta, touch_a, touch_b, alpha, &face);
    bool found = crm_find_least_weights(a, b, &face, weighting, (carom_touch *const[2]){touch_a, touch_b});
    out.alpha_unique = face.dimension == 2;
    out.weights_unique = weighting[0].vertex_count + weighting[1].vertex_count == face.dimension + 2;
    out.points_unique = weighting[0].span + weighting[1].span <= face.dimension;
    // Without an answer the anchors belong to the weights that came.
    out.core_a = to_world(a, crm_add(found ? weighting[0].mean : face.anchor[0], rest_a));
    out.core_b = to_world(b, crm_add(found ? weighting[1].mean : face.anchor[1], rest_b));
    return out;
}

// From the cores to the surfaces.
static void add_round_supports(const crm_side *a, const crm_side *b, const broken_tie *s, carom_vec3 normal,
                               carom_vec3 *point_a, carom_vec3 *point_b) {
    carom_vec3 round_a, round_b;
    crm_round_support(a, normal, &round_a);
    crm_round_support(b, crm_negate(normal), &round_b);
    *point_a = crm_add(s->core_a, round_a);
    *point_b = crm_add(s->core_b, round_b);
}

static void break_sharp_ray_ties(const crm_side *a, const crm_side *b, carom_ray_witness *ray) {
    broken_tie s = break_ties(a, b, ray->beta, &ray->alpha, &ray->a, &ray->b);
    ray->alpha_unique = s.alpha_unique;
    ray->weights_unique = s.weights_unique;
    ray->plane_gap = ray->value / crm_normalise(ray->alpha, &ray->normal);
    ray->point_a = s.core_a;
    ray->point_b = s.core_b;
}

// Something round has one normal at every point: alpha is kept.
static void break_round_ray_ties(const crm_side *a, const crm_side *b, carom_ray_witness *ray) {
    carom_vec3 kept = ray->normal;
    broken_tie s = break_ties(a, b, ray->normal, &kept, &ray->a, &ray->b);
    ray->weights_unique = s.weights_unique;
    add_round_supports(a, b, &s, ray->normal, &ray->point_a, &ray->point_b);
}

void crm_break_ray_ties(const crm_side *a, const crm_side *b, carom_ray_witness *ray) {
    ray->alpha_unique = ray->weights_unique = true;
    if (ray->outcome == CAROM_RAY_MISSES) return;
    bool sharp = a->roundness == CRM_SHARP && b->roundness == CRM_SHARP;
    bool one_alpha = !sharp || ray->a.vertex_count + ray->b.vertex_count == 4;
    if (one_alpha && is_only(a, b, ray->normal, &ray->a, &ray->b)) return;
    if (sharp)
        break_sharp_ray_ties(a, b, ray);
    else
        break_round_ray_ties(a, b, ray);
}

void crm_break_gap_ties(const crm_side *a, const crm_side *b, carom_gap_witness *gap) {
    gap->points_unique = true;
    if (is_only(a, b, gap->normal, &gap->a, &gap->b)) return;
    carom_vec3 kept = gap->normal;
    broken_tie s = break_ties(a, b, gap->normal, &kept, &gap->a, &gap->b);
    gap->points_unique = s.points_unique;
    add_round_supports(a, b, &s, gap->normal, &gap->point_a, &gap->point_b);
}
