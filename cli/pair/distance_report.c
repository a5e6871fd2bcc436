// SPDX-License-Identifier: MIT
#include "pair/distance_report.h"

#include <stdlib.h>

#include "verb/verb.h"

const char *verdict_of(const carom_gap_witness *gap) {
    return gap->gap > gap->accuracy ? "apart" : gap->gap < -gap->accuracy ? "overlapping" : "touching";
}

const char *feature_word(carom_feature_kind kind) {
    static const char *const words[] = {[CAROM_FEATURE_KIND_SMOOTH] = "surface",
                                        [CAROM_FEATURE_KIND_VERTEX] = "vertex",
                                        [CAROM_FEATURE_KIND_EDGE] = "edge",
                                        [CAROM_FEATURE_KIND_FACET] = "facet"};
    return words[kind];
}

static int find_features(distance_report *report, carom_error *error) {
    carom_feature_options options = carom_feature_options_default();
    carom_status status = carom_features_find(&report->a, &report->b, &options, 0, NULL, &report->feature_count, error);
    if (status == CAROM_ERR_UNSUPPORTED) return EXIT_GOOD;
    if (status != CAROM_OK) return refuse_error(error);
    report->has_features = true;
    report->collision = carom_collision_of(&report->a, &report->b, &report->ray, &report->contact);
    if (report->feature_count == 0) return EXIT_GOOD;
    report->features = calloc((size_t)report->feature_count, sizeof *report->features);
    if (report->features == NULL) {
        refuse("no memory for %d events", report->feature_count);
        return EXIT_INTERNAL;
    }
    status = carom_features_find(&report->a, &report->b, &options, report->feature_count, report->features,
                                 &report->feature_count, error);
    return status == CAROM_OK ? EXIT_GOOD : refuse_error(error);
}

int find_distances(const pair_input *pair, distance_report *report) {
    *report = (distance_report){.a = pair->a, .b = pair->b};
    carom_error error;
    if (carom_gap_find(&report->a, &report->b, &pair->options, NULL, &report->gap, &error) != CAROM_OK)
        return refuse_error(&error);
    carom_gap_gradient(&report->a, &report->b, &report->gap, &report->gap_gradient);
    report->ray_status = carom_ray_find(&report->a, &report->b, &pair->options, NULL, &report->ray, &report->ray_error);
    // Not every pair has one: nothing is seen from the centre of a container.
    if (report->ray_status == CAROM_ERR_UNSUPPORTED) return EXIT_GOOD;
    if (report->ray_status != CAROM_OK) return refuse_error(&report->ray_error);
    carom_ray_find_optima(&report->a, &report->b, &report->ray, &report->optima);
    carom_ray_gradient(&report->a, &report->b, &report->ray, &report->value_gradient, &report->rho_gradient);
    return report->ray.outcome == CAROM_RAY_MISSES ? EXIT_GOOD : find_features(report, &error);
}

void free_distances(distance_report *report) {
    free(report->features);
}
