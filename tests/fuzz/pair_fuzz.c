// SPDX-License-Identifier: MIT
// Any bytes as a pair of shapes (`carom distance FILE`), by every measure.
#include <stdlib.h>

#include "carom/carom.h"
#include "carom/tools.h"
#include "fuzz/fuzz.h"
#include "fuzz/limits.h"
#include "support/harness/bounded_allocator.h"

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
    char *text = fuzz_text(data, size);
    bounded_allocator bounds = {.most = FUZZ_BYTES};
    carom_allocator allocator = bounded_allocator_hook(&bounds);
    carom_scene_source source = carom_scene_source_default();
    source.text = text;
    carom_scene_pair *pair = NULL;
    carom_scene_messages *messages = NULL;
    carom_error error = {.text = ""};
    carom_status status = carom_scene_read_pair(&source, &allocator, &pair, &messages, &error);
    FUZZ_CHECK((status == CAROM_OK) == (pair != NULL));
    FUZZ_CHECK((status == CAROM_OK) == (error.text[0] == '\0'));
    FUZZ_CHECK(status != CAROM_ERR_BAD_INPUT || messages->count > 0);
    if (pair != NULL) measure(&pair->a, &pair->b, &pair->options);
    carom_scene_pair_destroy(pair);
    carom_scene_messages_destroy(messages);
    FUZZ_CHECK(bounds.used == 0);
    free(text);
    return 0;
}
