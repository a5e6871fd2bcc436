// SPDX-License-Identifier: MIT
// The Euclidean gap of any pair: which parts, which search.
#include <stddef.h>

#include "base/fail.h"
#include "distance/measure.h"
#include "distance/static_geometry.h"

static bool is_unbounded(const carom_view *view) {
    carom_shape_kind kind = crm_view_kind(view);
    return kind == CAROM_SHAPE_HALF_SPACE || kind == CAROM_SHAPE_CONTAINER;
}

carom_status crm_check_pair(const carom_view *a, const carom_view *b, carom_error *error) {
    carom_status status = crm_check_view(a, "A", error);
    if (status == CAROM_OK) status = crm_check_view(b, "B", error);
    if (status == CAROM_OK && is_unbounded(a) && is_unbounded(b))
        status = crm_fail(error, CAROM_ERR_UNSUPPORTED, "views A and B are a %s and a %s, one must be bounded",
                          carom_shape_kind_name(a->shape->kind), carom_shape_kind_name(b->shape->kind));
    return status;
}

static void measure(const crm_side *a, const crm_side *b, bool break_ties, carom_distance_cache *cache,
                    carom_gap_witness *out) {
    if (crm_is_round_point(a) && crm_is_round_point(b)) {
        crm_ellipsoid_gap(a, b, cache, out); // without ties
        return;
    }
    if (a->roundness == CRM_ELLIPSOID || b->roundness == CRM_ELLIPSOID)
        crm_round_gap(a, b, cache, out);
    else if (a->vertex_count <= 2 && b->vertex_count <= 2)
        crm_segment_gap(a, b, out);
    else
        crm_core_gap(a, b, cache, out);
    if (!break_ties) return;
    crm_break_gap_ties(a, b, out);
    crm_align_points(crm_scale(out->gap, out->normal), &out->point_a, &out->point_b);
}

static void measure_inside(const carom_view *a, int part_a, const carom_view *b, int part_b, bool break_ties,
                           carom_gap_witness *out) {
    bool is_a = is_unbounded(a);
    const carom_view *around = is_a ? a : b;
    crm_static_geometry static_geometry = crm_static_geometry_of(around->shape, &around->pose, is_a);
    crm_side body;
    crm_side_of(is_a ? b : a, is_a ? part_b : part_a, CRM_FROM_INSIDE, &body);
    if (around->shape->kind == CAROM_SHAPE_HALF_SPACE)
        crm_half_space_gap(&static_geometry, &body, break_ties, out);
    else
        crm_container_gap(&static_geometry, &body, out);
}

static void measure_parts(const carom_view *a, int part_a, const carom_view *b, int part_b, bool break_ties,
                          carom_distance_cache *cache, carom_gap_witness *out) {
    if (is_unbounded(a) || is_unbounded(b)) {
        measure_inside(a, part_a, b, part_b, break_ties, out);
    } else {
        crm_side side_a, side_b;
        crm_side_of(a, part_a, CRM_FROM_INSIDE, &side_a);
        crm_side_of(b, part_b, CRM_FROM_INSIDE, &side_b);
        measure(&side_a, &side_b, break_ties, cache, out);
    }
    out->a.part = part_a;
    out->b.part = part_b;
}

carom_status carom_gap_find(const carom_view *a, const carom_view *b, const carom_distance_options *options,
                            carom_distance_cache *cache, carom_gap_witness *out, carom_error *error) {
    CRM_NEED(a, error);
    CRM_NEED(b, error);
    CRM_NEED(out, error);
    carom_status status = CRM_CHECK_OPTIONS(options, carom_distance_options, error);
    if (status != CAROM_OK) {
        *out = (carom_gap_witness){0};
        return status;
    }
    bool break_ties = options == NULL || !options->any_solution;
    if (!break_ties && crm_view_is_plain(a) && crm_view_is_plain(b)) {
        crm_plain_gap(a, b, cache, out);
        return CAROM_OK;
    }
    status = crm_check_pair(a, b, error);
    if (status != CAROM_OK) {
        *out = (carom_gap_witness){0};
        return status;
    }
    int count_a = crm_part_count(a), count_b = crm_part_count(b), count = count_a * count_b;
    // One cache serves one pair of convex shapes; with several parts it is not used.
    measure_parts(a, 0, b, 0, break_ties, count == 1 ? cache : NULL, out);
    for (int k = 1; k < count; k++) {
        carom_gap_witness found;
        measure_parts(a, k / count_b, b, k % count_b, break_ties, NULL, &found);
        if (found.gap < out->gap) *out = found;
    }
    return CAROM_OK;
}
