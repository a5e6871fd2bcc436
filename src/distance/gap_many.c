// SPDX-License-Identifier: MIT
// The gaps of many pairs. Pairs with an ellipsoid go by lanes, all others are measured one by one.
#include <stddef.h>

#include "base/fail.h"
#include "distance/ellipsoid/ellipsoid_gap.h"
#include "distance/measure.h"
#include "distance/round/round_lanes.h"

typedef struct answers {
    carom_distance_cache *caches; // or NULL
    carom_gap_witness *out;
} answers;

static void take_answer(void *user, int pair, const crm_ellipsoid_witness *witness) {
    const answers *to = user;
    crm_write_ellipsoid_gap(witness, to->caches != NULL ? &to->caches[pair] : NULL, &to->out[pair]);
}

static carom_status check_views(const carom_view *a, const carom_view *b, carom_error *error) {
    carom_status status = crm_check_view(a, "A", error);
    return status == CAROM_OK ? crm_check_view(b, "B", error) : status;
}

carom_status carom_gaps_find(int count, const carom_view *a, const carom_view *b, const carom_distance_options *options,
                             carom_distance_cache *caches, carom_gap_witness *out, carom_error *error) {
    if (count > 0) {
        CRM_NEED(a, error);
        CRM_NEED(b, error);
        CRM_NEED(out, error);
    }
    carom_status status = CRM_CHECK_OPTIONS(options, carom_distance_options, error);
    if (status != CAROM_OK) return status;
    answers to = {caches, out};
    crm_round_lanes lanes;
    crm_round_lanes_begin(&lanes, take_answer, &to);
    carom_error reason;
    for (int i = 0; i < count; i++) {
        if (crm_suits_round_lanes(&a[i], &b[i])) {
            status = check_views(&a[i], &b[i], &reason);
            carom_vec3 start = caches != NULL ? caches[i].gap_normal : crm_vec3_zero();
            if (status == CAROM_OK) crm_round_lanes_add(&lanes, i, &a[i], &b[i], start);
        } else {
            status = carom_gap_find(&a[i], &b[i], options, caches != NULL ? &caches[i] : NULL, &out[i], &reason);
        }
        if (status == CAROM_OK) continue;
        crm_round_lanes_end(&lanes);
        out[i] = (carom_gap_witness){0};
        return crm_fail(error, status, "pair %d: %s", i, reason.text);
    }
    crm_round_lanes_end(&lanes);
    return CAROM_OK;
}
