// SPDX-License-Identifier: MIT
// crm_list_box_features, once per instruction set. All tables give the same bits.
//
// The room box/: two posed boxes enter; their feature contacts leave, and the ray's value with them, all in closed
// form. Called by carom_features_find for two boxes and, once a step and pair, by contact/narrow/manifold_features.c.
#ifndef CRM_DISTANCE_BOX_FEATURES_H
#define CRM_DISTANCE_BOX_FEATURES_H

#include "distance/features/features.h"

typedef struct crm_box_kernels {
    const char *name;
    bool (*list)(const crm_posed_box *a, const crm_posed_box *b, double near, const carom_feature_options *options,
                 int capacity, carom_feature_contact *out, int *count, crm_box_plane *plane);
} crm_box_kernels;

// All tables that this processor can run, for tests and benchmarks, the fastest last; NULL past it.
const crm_box_kernels *crm_box_kernels_variant(int index);

#endif
