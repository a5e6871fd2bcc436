// SPDX-License-Identifier: MIT
// All optimal answers of a ray, from one of them.
#include "distance/ties/optimal_alphas.h"
#include "distance/ties/optimal_weights.h"
#include "distance/ties/ray_weights.h"

// With a half-space alpha is a multiple of its normal, and every one of the lowest vertices is as good as the mean.
static void list_lowest(const crm_ray_weights *w, int body, carom_ray_optima *out) {
    const crm_side *side = &w->side[body];
    for (int v = 0; v < side->vertex_count; v++) {
        if (!(crm_ray_weight(w, body, v) > 0.0)) continue;
        if (out->weighting_count == CAROM_OPTIMA_WEIGHTINGS) {
            out->weightings_all = false;
            return;
        }
        carom_weighting *to = &out->weightings[out->weighting_count++];
        *to = (carom_weighting){.count_a = body == 0, .count_b = body == 1};
        (body == 0 ? to->vertices_a : to->vertices_b)[0] = v;
        (body == 0 ? to->weights_a : to->weights_b)[0] = 1.0;
    }
}

static void list_pair(const crm_ray_weights *w, const carom_ray_witness *ray, carom_ray_optima *out) {
    const crm_side *a = &w->side[0], *b = &w->side[1];
    carom_vec3 alpha;
    crm_pierced_face face = crm_face_of_ray(w, ray, &alpha);
    if (a->roundness == CRM_SHARP && b->roundness == CRM_SHARP) crm_list_alphas(a, b, ray->beta, alpha, &face, out);
    crm_list_weightings(a, b, &face, out);
}

void carom_ray_find_optima(const carom_view *a, const carom_view *b, const carom_ray_witness *ray,
                           carom_ray_optima *out) {
    out->alpha_count = out->weighting_count = 0;
    out->alphas_all = out->weightings_all = true;
    if (ray->outcome == CAROM_RAY_MISSES) return;
    out->alphas[out->alpha_count++] = ray->alpha;
    crm_ray_weights w;
    crm_ray_weights_of(a, b, ray, &w);
    if (crm_view_kind(a) == CAROM_SHAPE_HALF_SPACE)
        list_lowest(&w, 1, out);
    else if (crm_view_kind(b) == CAROM_SHAPE_HALF_SPACE)
        list_lowest(&w, 0, out);
    else
        list_pair(&w, ray, out);
}
