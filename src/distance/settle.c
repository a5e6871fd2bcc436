// SPDX-License-Identifier: MIT
// What is reported where several answers are optimal: the shortest alpha and the weights of least sum of squares, which
// are as symmetric as the pair. The usual pair has one answer, and is left alone after a look at the neighbours of the
// vertices that carry weight.
#include <stdint.h>

#include "distance/least_weights.h"
#include "distance/measure.h"

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

// What the slow way finds beside alpha and the weights themselves, which are changed in place.
typedef struct settled {
    bool alpha_unique, weights_unique, points_unique;
    carom_vec3 arm_a, arm_b; // weighted means of the cores' vertices from the centres, world axes, m
} settled;

static settled settle(const crm_side *a, const crm_side *b, carom_vec3 beta, carom_vec3 *alpha, carom_touch *touch_a,
                      carom_touch *touch_b) {
    crm_pierced_face face;
    crm_weighting weighting[2];
    settled out;
    crm_find_pierced_face(a, b, beta, touch_a, touch_b, alpha, &face);
    bool found = crm_find_least_weights(a, b, &face, weighting, (carom_touch *const[2]){touch_a, touch_b});
    out.alpha_unique = face.dimension == 2;
    out.weights_unique = weighting[0].vertex_count + weighting[1].vertex_count == face.dimension + 2;
    out.points_unique = weighting[0].span + weighting[1].span <= face.dimension;
    // Without an answer the anchors belong to the weights that came.
    carom_vec3 mean_a = found ? weighting[0].mean : face.anchor[0], mean_b = found ? weighting[1].mean : face.anchor[1];
    out.arm_a = crm_mat3_apply(a->rotation, crm_sub(mean_a, a->local));
    out.arm_b = crm_mat3_apply(b->rotation, crm_sub(mean_b, b->local));
    return out;
}

void crm_settle_ray(const crm_side *a, const crm_side *b, carom_ray_witness *ray) {
    ray->alpha_unique = ray->weights_unique = true;
    if (ray->outcome == CAROM_RAY_MISSES) return;
    if (ray->a.vertex_count + ray->b.vertex_count == 4 && all_clear(&ray->a) && all_clear(&ray->b) &&
        is_simplex(a, b, &ray->a, &ray->b) && is_alone(a, &ray->a, ray->normal) &&
        is_alone(b, &ray->b, crm_negate(ray->normal)))
        return;
    settled s = settle(a, b, ray->beta, &ray->alpha, &ray->a, &ray->b);
    ray->alpha_unique = s.alpha_unique;
    ray->weights_unique = s.weights_unique;
    ray->plane_gap = ray->value / crm_normalise(ray->alpha, &ray->normal);
    ray->point_a = crm_add(a->centre, s.arm_a);
    ray->point_b = crm_add(b->centre, s.arm_b);
}

void crm_settle_gap(const crm_side *a, const crm_side *b, carom_gap_witness *gap) {
    gap->points_unique = true;
    if (all_clear(&gap->a) && all_clear(&gap->b) && is_simplex(a, b, &gap->a, &gap->b) &&
        is_alone(a, &gap->a, gap->normal) && is_alone(b, &gap->b, crm_negate(gap->normal)))
        return;
    carom_vec3 kept = gap->normal;
    settled s = settle(a, b, gap->normal, &kept, &gap->a, &gap->b);
    gap->points_unique = s.points_unique;
    gap->point_a = crm_madd(crm_add(a->centre, s.arm_a), a->radius, gap->normal);
    gap->point_b = crm_madd(crm_add(b->centre, s.arm_b), -b->radius, gap->normal);
}
