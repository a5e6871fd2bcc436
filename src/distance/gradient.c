// SPDX-License-Identifier: MIT
// How a ray's value and a gap change with the poses. The envelope theorem lets alpha, the normal and the weights stand
// still: what moves are the witness points, as parts of their bodies, and for the ray beta. docs/math.md
// 3.5.
#include <stddef.h>

#include "distance/ties/ray_weights.h"

static carom_pose_gradient zero_gradient(void) {
    carom_vec3 zero = crm_vec3_zero();
    return (carom_pose_gradient){zero, zero, zero, zero};
}

// Adds the change of f.(p_b - p_a), the points moving with their bodies and f standing still.
static void add_row(const carom_view *a, const carom_view *b, carom_vec3 p_a, carom_vec3 p_b, carom_vec3 f,
                    carom_pose_gradient *out) {
    carom_vec3 arm_a = crm_sub(p_a, a->pose.position), arm_b = crm_sub(p_b, b->pose.position);
    out->translation_a = crm_sub(out->translation_a, f);
    out->rotation_a = crm_sub(out->rotation_a, crm_cross(arm_a, f));
    out->translation_b = crm_add(out->translation_b, f);
    out->rotation_b = crm_add(out->rotation_b, crm_cross(arm_b, f));
}

static carom_pose_gradient scaled(double s, const carom_pose_gradient *g) {
    return (carom_pose_gradient){crm_scale(s, g->translation_a), crm_scale(s, g->rotation_a),
                                 crm_scale(s, g->translation_b), crm_scale(s, g->rotation_b)};
}

static bool is_half_space(const carom_view *view) {
    return crm_view_kind(view) == CAROM_SHAPE_HALF_SPACE;
}

// With beta given: t = <alpha, p_b - p_a> with <alpha, beta> = 1. Of a half-space too, at any beta: there alpha is
// n/<n, beta> and rotates with the plane, t = n.(b - x)/(n.beta) with x any point of the plane, and the change of the
// quotient moves the lever from b to b - t beta, which is p_a. When beta is the plane's own normal, the change of beta
// along itself is none, and of alpha - beta = 0 no more is left.
//
// With beta = c/D between the centres, <alpha, beta> = 1 must be kept: dt = <alpha, d(p_b - p_a)> - t <alpha, dbeta>,
// dbeta = (1 - beta beta^T) dc/D, so that -rho (alpha - beta) acts at the centres. Further drho = (dt - rho dD)/D with
// dD = <beta, dc>.
void carom_ray_gradient(const carom_view *a, const carom_view *b, const carom_ray_witness *ray,
                        carom_pose_gradient *value, carom_pose_gradient *rho) {
    *value = zero_gradient();
    if (rho != NULL) *rho = zero_gradient();
    if (ray->outcome == CAROM_RAY_MISSES) return;
    add_row(a, b, ray->point_a, ray->point_b, ray->alpha, value);
    if (!ray->beta_moves || is_half_space(a) || is_half_space(b)) return;
    crm_side side_a, side_b;
    crm_side_of(a, ray->a.part, CRM_FROM_VIEW, &side_a);
    crm_side_of(b, ray->b.part, CRM_FROM_VIEW, &side_b);
    carom_vec3 by_rotation = crm_scale(-ray->rho, crm_sub(ray->alpha, ray->beta));
    add_row(a, b, side_a.centre, side_b.centre, by_rotation, value);
    if (rho == NULL) return;
    *rho = *value;
    add_row(a, b, side_a.centre, side_b.centre, crm_scale(-ray->rho, ray->beta), rho);
    *rho = scaled(1.0 / ray->centre_distance, rho);
}

void carom_gap_gradient(const carom_view *a, const carom_view *b, const carom_gap_witness *gap,
                        carom_pose_gradient *out) {
    *out = zero_gradient();
    add_row(a, b, gap->point_a, gap->point_b, gap->normal, out);
}

// A vertex moves the witness point by its weight and the centre by its share of the mean.
void carom_ray_vertex_gradient(const carom_view *a, const carom_view *b, const carom_ray_witness *ray,
                               carom_vec3 *gradient_a, carom_vec3 *gradient_b) {
    crm_ray_weights w;
    crm_ray_weights_of(a, b, ray, &w);
    carom_vec3 *gradient[2] = {gradient_a, gradient_b};
    double rho = ray->beta_moves && !is_half_space(a) && !is_half_space(b) ? ray->rho : 0.0;
    carom_vec3 by_rotation = crm_scale(-rho, crm_sub(ray->alpha, ray->beta));
    for (int k = 0; k < 2; k++) {
        double sign = k == 0 ? -1.0 : 1.0;
        int count = w.side[k].vertex_count;
        for (int v = 0; v < count && gradient[k] != NULL; v++) {
            gradient[k][v] = crm_vec3_zero();
            if (ray->outcome == CAROM_RAY_MISSES) continue;
            carom_vec3 by_mean = crm_scale(sign / count, by_rotation);
            gradient[k][v] = crm_madd(by_mean, sign * crm_ray_weight(&w, k, v), ray->alpha);
        }
    }
}
