// SPDX-License-Identifier: MIT
// All measures of a pair, side by side: found, shown as text, written as an object.
#ifndef CLI_DISTANCE_REPORT_H
#define CLI_DISTANCE_REPORT_H

#include "carom/features.h"
#include "pair/pair_input.h"

typedef struct distance_report {
    carom_view a, b;
    carom_gap_witness gap;
    carom_pose_gradient gap_gradient;
    carom_status ray_status; // not CAROM_OK: why there is no ray is in ray_error
    carom_error ray_error;
    carom_ray_witness ray;
    carom_ray_optima optima;
    carom_pose_gradient value_gradient, rho_gradient;
    bool has_features; // of two boxes or polytopes; with them the features that the ray has found:
    int feature_count;
    carom_feature_contact *features;
    carom_collision_type collision;
    carom_vec3 contact;
} distance_report;

// Returns an exit code, after a sentence when it is not EXIT_GOOD. Freed in any case.
int find_distances(const pair_input *pair, distance_report *report);
void free_distances(distance_report *report);

void print_distances(const distance_report *report);
void print_distances_object(const distance_report *report);

// "apart", "touching" or "overlapping", as far as the gap is known.
const char *verdict_of(const carom_gap_witness *gap);
const char *feature_word(carom_feature_kind kind);

#endif
