// SPDX-License-Identifier: MIT
// The Euclidean gap of any pair: which parts, which search.
#include <math.h>
#include <stddef.h>

#include "base/fail.h"
#include "distance/measure.h"

static bool is_compound(const carom_view *view) {
    return view->shape != NULL && view->shape->kind == CAROM_SHAPE_COMPOUND;
}

static int part_count(const carom_view *view) {
    return is_compound(view) ? view->shape->part_count : 1;
}

static void measure_pair(const crm_side *a, const crm_side *b, bool settle, carom_distance_cache *cache,
                         carom_gap_witness *out) {
    crm_core_gap(a, b, cache, out);
    (void)settle;
}

static void look(const carom_view *a, int i, const carom_view *b, int j, bool settle, carom_distance_cache *cache,
                 carom_gap_witness *out) {
    crm_side side_a, side_b;
    crm_side_of(a, i, CRM_FROM_INSIDE, &side_a);
    crm_side_of(b, j, CRM_FROM_INSIDE, &side_b);
    measure_pair(&side_a, &side_b, settle, cache, out);
    out->a.part = i;
    out->b.part = j;
}

carom_status carom_find_gap(const carom_view *a, const carom_view *b, const carom_distance_options *options,
                            carom_distance_cache *cache, carom_gap_witness *out, carom_error *error) {
    carom_status status = crm_check_view(a, "A", error);
    if (status == CAROM_OK) status = crm_check_view(b, "B", error);
    if (status != CAROM_OK) {
        *out = (carom_gap_witness){0};
        return status;
    }
    bool settle = options == NULL || !options->any_solution;
    if (!is_compound(a) && !is_compound(b)) {
        look(a, 0, b, 0, settle, cache, out);
        return CAROM_OK;
    }
    int count_a = part_count(a), count_b = part_count(b);
    look(a, 0, b, 0, settle, NULL, out);
    for (int k = 1; k < count_a * count_b; k++) {
        carom_gap_witness found;
        look(a, k / count_b, b, k % count_b, settle, NULL, &found);
        if (found.gap < out->gap) *out = found;
    }
    return CAROM_OK;
}
