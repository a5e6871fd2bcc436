// SPDX-License-Identifier: MIT
// The centre ray of any pair: which direction, which parts, which search.
#include <math.h>
#include <stddef.h>

#include "base/fail.h"
#include "distance/measure.h"
#include "distance/static_geometry.h"

// Centres closer than this share of the sizes and coordinates have no direction between them.
static const double coincident = 1e-14;

// ---- two bounded sides

// Where to look: a direction that is given, from centre to centre, or the last one where the centres coincide.
static carom_ray_outcome choose_direction(const crm_side *a, const crm_side *b, const carom_distance_options *options,
                                          const carom_distance_cache *cache, carom_ray_witness *out) {
    out->centre_distance = crm_normalise(crm_sub(b->centre, a->centre), &out->beta);
    out->beta_moves = true;
    if (options != NULL && options->has_direction) {
        crm_normalise(options->direction, &out->beta);
        out->beta_moves = false;
        return CAROM_RAY_MEETS;
    }
    double scale =
        a->size + b->size + crm_max_component(crm_vec3_abs(a->centre)) + crm_max_component(crm_vec3_abs(b->centre));
    if (out->centre_distance > coincident * scale) return CAROM_RAY_MEETS;
    out->beta_moves = false;
    bool known = cache != NULL && crm_length_squared(cache->ray_normal) > 0.5;
    out->beta = known ? cache->ray_normal : crm_vec3(1.0, 0.0, 0.0);
    return CAROM_RAY_NO_DIRECTION;
}

static void fill_ratio(carom_ray_outcome direction, carom_ray_witness *out) {
    out->ratio = out->rho = NAN;
    if (out->outcome == CAROM_RAY_MISSES) {
        out->value = out->plane_gap = NAN;
    } else if (direction == CAROM_RAY_NO_DIRECTION) {
        out->outcome = direction;
        out->ratio = 0.0;
        out->rho = -INFINITY;
    } else if (out->beta_moves) {
        out->rho = out->value / out->centre_distance;
        out->ratio = out->centre_distance / (out->centre_distance - out->value);
    }
}

static void look(const carom_view *a, int part_a, const carom_view *b, int part_b,
                 const carom_distance_options *options, carom_distance_cache *cache, carom_ray_witness *out) {
    crm_side side_a, side_b;
    crm_side_of(a, part_a, CRM_FROM_VIEW, &side_a);
    crm_side_of(b, part_b, CRM_FROM_VIEW, &side_b);
    carom_ray_outcome direction = choose_direction(&side_a, &side_b, options, cache, out);
    if (side_a.roundness == CRM_SHARP && side_b.roundness == CRM_SHARP)
        crm_sharp_ray(&side_a, &side_b, out->beta, cache, out);
    else
        crm_round_ray(&side_a, &side_b, out->beta, cache, out);
    if (options == NULL || !options->any_solution) {
        crm_break_ray_ties(&side_a, &side_b, out);
        if (out->outcome != CAROM_RAY_MISSES)
            crm_align_points(crm_scale(out->value, out->beta), &out->point_a, &out->point_b);
    }
    fill_ratio(direction, out);
}

// ---- with a half-space

static void look_at_plane(const carom_view *a, int part_a, const carom_view *b, int part_b,
                          const carom_distance_options *options, carom_ray_witness *out) {
    bool is_a = crm_view_kind(a) == CAROM_SHAPE_HALF_SPACE;
    const carom_view *plane = is_a ? a : b;
    crm_static_geometry half_space = crm_static_geometry_of(plane->shape, &plane->pose, is_a);
    crm_side body;
    crm_side_of(is_a ? b : a, is_a ? part_b : part_a, CRM_FROM_VIEW, &body);
    bool given = options != NULL && options->has_direction, break_ties = options == NULL || !options->any_solution;
    carom_vec3 beta;
    if (given) crm_normalise(options->direction, &beta);
    bool meets = crm_half_space_ray(&half_space, &body, given ? &beta : NULL, break_ties, out);
    out->outcome = meets ? CAROM_RAY_MEETS : CAROM_RAY_MISSES;
    out->beta_moves = !given;
    out->ratio = out->rho = out->centre_distance = NAN;
    if (!meets) out->value = out->plane_gap = NAN;
}

// ---- any pair

static carom_status check_pair(const carom_view *a, const carom_view *b, const carom_distance_options *options,
                               carom_error *error) {
    carom_status status = crm_check_view(a, "A", error);
    if (status == CAROM_OK) status = crm_check_view(b, "B", error);
    if (status != CAROM_OK) return status;
    carom_shape_kind kind_a = crm_view_kind(a), kind_b = crm_view_kind(b);
    if (kind_a == CAROM_SHAPE_CONTAINER || kind_b == CAROM_SHAPE_CONTAINER)
        return crm_fail(error, CAROM_ERR_UNSUPPORTED,
                        "view %s is a container, which has no centre outside of the body: use carom_gap_find",
                        kind_a == CAROM_SHAPE_CONTAINER ? "A" : "B");
    if (kind_a == CAROM_SHAPE_HALF_SPACE && kind_b == CAROM_SHAPE_HALF_SPACE)
        return crm_fail(error, CAROM_ERR_UNSUPPORTED, "both views are half-spaces, one must be bounded");
    // Of three or fewer vertices the hull is flat, and so may be the difference of two: no ray goes through it.
    bool flat_a = a->shape == NULL && a->vertex_count < 4, flat_b = b->shape == NULL && b->vertex_count < 4;
    if (flat_a && flat_b)
        return crm_fail(error, CAROM_ERR_UNSUPPORTED,
                        "views A and B have %d and %d vertices, one needs four for a ray: use carom_gap_find",
                        a->vertex_count, b->vertex_count);
    carom_vec3 unit;
    if (options == NULL || !options->has_direction || crm_normalise(options->direction, &unit) > 0.0) return CAROM_OK;
    carom_vec3 d = options->direction;
    return crm_refuse(error, "direction is (%g, %g, %g), must be finite and not zero", d.x, d.y, d.z);
}

static void look_at_parts(const carom_view *a, int part_a, const carom_view *b, int part_b,
                          const carom_distance_options *options, carom_distance_cache *cache, carom_ray_witness *out) {
    if (crm_view_kind(a) == CAROM_SHAPE_HALF_SPACE || crm_view_kind(b) == CAROM_SHAPE_HALF_SPACE)
        look_at_plane(a, part_a, b, part_b, options, out);
    else
        look(a, part_a, b, part_b, options, cache, out);
    out->a.part = part_a;
    out->b.part = part_b;
}

carom_status carom_ray_find(const carom_view *a, const carom_view *b, const carom_distance_options *options,
                            carom_distance_cache *cache, carom_ray_witness *out, carom_error *error) {
    CRM_NEED(a, error);
    CRM_NEED(b, error);
    CRM_NEED(out, error);
    carom_status status = CRM_CHECK_OPTIONS(options, carom_distance_options, error);
    if (status != CAROM_OK) {
        *out = (carom_ray_witness){0};
        return status;
    }
    bool plain = crm_view_is_plain(a) && crm_view_is_plain(b), break_ties = options == NULL || !options->any_solution;
    if (plain && !break_ties && !options->has_direction && crm_plain_ray(a, b, cache, out)) return CAROM_OK;
    status = check_pair(a, b, options, error);
    if (status != CAROM_OK) {
        *out = (carom_ray_witness){0};
        return status;
    }
    int count_a = crm_part_count(a), count_b = crm_part_count(b), count = count_a * count_b;
    // One cache serves one pair of convex shapes; with several parts it is not used.
    look_at_parts(a, 0, b, 0, options, count == 1 ? cache : NULL, out);
    for (int k = 1; k < count; k++) {
        carom_ray_witness found;
        look_at_parts(a, k / count_b, b, k % count_b, options, NULL, &found);
        if (found.outcome == CAROM_RAY_MISSES) continue;
        if (out->outcome == CAROM_RAY_MISSES || found.value < out->value) *out = found;
    }
    return CAROM_OK;
}
