// SPDX-License-Identifier: MIT
// Any bytes as a pair of shapes (`carom distance FILE`), by every measure.
#include "carom/carom.h"
#include "carom/tools.h"
#include "fuzz/reading.h"

enum { MOST_FEATURES = 64 };

static void measure(const carom_view *a, const carom_view *b, const carom_distance_options *options) {
    carom_error error = {.text = ""};
    carom_gap_witness gap;
    carom_pose_gradient slope, other;
    carom_status status = carom_gap_find(a, b, options, NULL, &gap, &error);
    FUZZ_CHECK((status == CAROM_OK) == (error.text[0] == '\0'));
    if (status == CAROM_OK) carom_gap_gradient(a, b, &gap, &slope);
    carom_ray_witness ray;
    if (carom_ray_find(a, b, options, NULL, &ray, &error) != CAROM_OK) return;
    carom_ray_gradient(a, b, &ray, &slope, &other);
    carom_ray_optima optima;
    carom_ray_find_optima(a, b, &ray, &optima);
    FUZZ_CHECK((optima.alpha_count == 0) == (ray.outcome == CAROM_RAY_MISSES));
    FUZZ_CHECK(optima.alpha_count <= CAROM_OPTIMA_ALPHAS && optima.weighting_count <= CAROM_OPTIMA_WEIGHTINGS);
    carom_feature_contact features[MOST_FEATURES];
    carom_feature_options feature_options = carom_feature_options_default();
    int count = 0;
    if (ray.outcome == CAROM_RAY_MISSES ||
        carom_features_find(a, b, &feature_options, MOST_FEATURES, features, &count, &error) != CAROM_OK)
        return;
    carom_vec3 point;
    carom_collision_of(a, b, &ray, &point);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_reading r;
    fuzz_reading_begin(&r, data, size);
    carom_scene_pair *pair = NULL;
    carom_status status = carom_scene_read_pair(&r.source, &r.allocator, &pair, &r.messages, &r.error);
    fuzz_reading_check(&r, status, pair != NULL);
    if (pair != NULL) measure(&pair->a, &pair->b, &pair->options);
    carom_scene_pair_destroy(pair);
    fuzz_reading_end(&r);
    return 0;
}
