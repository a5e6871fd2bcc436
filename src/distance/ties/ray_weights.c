// SPDX-License-Identifier: MIT
#include "distance/ties/ray_weights.h"

// The point of the core, in the frame of the view, to which a point of the surface with this outward normal belongs.
static carom_vec3 to_core(const crm_side *side, carom_vec3 point, carom_vec3 outward) {
    carom_vec3 round;
    crm_round_support(side, outward, &round);
    return crm_mat3_apply_t(side->rotation, crm_sub(crm_sub(point, round), side->position));
}

crm_pierced_face crm_face_of_ray(const crm_ray_weights *w, const carom_ray_witness *ray, carom_vec3 *alpha) {
    const crm_side *a = &w->side[0], *b = &w->side[1];
    crm_pierced_face face = {
        .anchor = {to_core(a, ray->point_a, ray->normal), to_core(b, ray->point_b, crm_negate(ray->normal))}};
    bool sharp = a->roundness == CRM_SHARP && b->roundness == CRM_SHARP;
    *alpha = sharp ? ray->alpha : ray->normal;
    crm_find_pierced_face(a, b, sharp ? ray->beta : ray->normal, &ray->a, &ray->b, alpha, &face);
    return face;
}

// Over a half-space the least sum of squares is the same weight for all that are lowest.
static void weigh_on_plane(const carom_ray_witness *ray, int side, crm_ray_weights *w) {
    crm_weighting *weighting = &w->weighting[side];
    const crm_side *s = &w->side[side];
    carom_vec3 down = side == 0 ? ray->normal : crm_negate(ray->normal);
    *weighting = (crm_weighting){.side = s, .dimension = 2, .anchor = s->vertex[crm_core_support(s, down, -1)]};
    weighting->axis[2] = crm_mat3_apply_t(s->rotation, down);
    crm_tangents(weighting->axis[2], &weighting->axis[0], &weighting->axis[1]);
    weighting->off_plane = crm_active_distance(s, weighting->anchor);
    weighting->level = 1.0 / w->touch[side]->vertex_count;
}

void crm_ray_weights_of(const carom_view *a, const carom_view *b, const carom_ray_witness *ray, crm_ray_weights *out) {
    const carom_view *view[2] = {a, b};
    out->touch[0] = &ray->a;
    out->touch[1] = &ray->b;
    int plane = -1;
    for (int k = 0; k < 2; k++) {
        if (crm_view_kind(view[k]) == CAROM_SHAPE_HALF_SPACE) {
            out->side[k].vertex_count = 0;
            plane = k;
        } else {
            crm_side_of(view[k], out->touch[k]->part, CRM_FROM_VIEW, &out->side[k]);
        }
    }
    out->listed = ray->a.vertex_count <= CAROM_TOUCH_VERTICES && ray->b.vertex_count <= CAROM_TOUCH_VERTICES;
    if (out->listed) return;
    if (plane >= 0) {
        weigh_on_plane(ray, 1 - plane, out);
        return;
    }
    carom_vec3 alpha;
    crm_pierced_face face = crm_face_of_ray(out, ray, &alpha);
    crm_find_least_weights(&out->side[0], &out->side[1], &face, out->weighting, NULL);
}

double crm_ray_weight(const crm_ray_weights *weights, int side, int vertex) {
    if (!weights->listed) return crm_weight_of(&weights->weighting[side], vertex);
    const carom_touch *touch = weights->touch[side];
    for (int k = 0; k < touch->vertex_count; k++)
        if (touch->vertices[k] == vertex) return touch->weights[k];
    return 0.0;
}

void carom_ray_weights(const carom_view *a, const carom_view *b, const carom_ray_witness *ray, double *weights_a,
                       double *weights_b) {
    crm_ray_weights w;
    crm_ray_weights_of(a, b, ray, &w);
    double *dense[2] = {weights_a, weights_b};
    for (int k = 0; k < 2; k++)
        for (int v = 0; v < w.side[k].vertex_count && dense[k] != NULL; v++) dense[k][v] = crm_ray_weight(&w, k, v);
}
