// SPDX-License-Identifier: MIT
// The Euclidean gap of any pair: which parts, which search.
#include <math.h>
#include <stddef.h>

#include "base/fail.h"
#include "distance/measure.h"

static int part_count(const carom_view *view) {
    return view->shape != NULL && view->shape->kind == CAROM_SHAPE_COMPOUND ? view->shape->part_count : 1;
}

static void measure_pair(const crm_side *a, const crm_side *b, bool settle, carom_distance_cache *cache,
                         carom_gap_witness *out) {
    crm_core_gap(a, b, cache, out);
    (void)settle;
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
    crm_side side_a, side_b;
    int count_a = part_count(a), count_b = part_count(b);
    for (int i = 0; i < count_a; i++) {
        crm_side_of(a, i, CRM_FROM_INSIDE, &side_a);
        for (int j = 0; j < count_b; j++) {
            crm_side_of(b, j, CRM_FROM_INSIDE, &side_b);
            carom_gap_witness found;
            measure_pair(&side_a, &side_b, settle, cache, &found);
            found.a.part = i;
            found.b.part = j;
            if ((i == 0 && j == 0) || found.gap < out->gap) *out = found;
        }
    }
    return CAROM_OK;
}
