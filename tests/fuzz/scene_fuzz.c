// SPDX-License-Identifier: MIT
// Any bytes as a scene: nothing may crash or leak, what is accepted must read back, and what is small is run for some
// steps, saved and loaded.
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"
#include "fuzz/limits.h"
#include "fuzz/reading.h"

static bool is_small(const carom_model *model) {
    int corners = 0;
    for (int i = 0; i < carom_model_shape_count(model); i++) {
        const carom_shape *shape = carom_model_get_shape(model, (carom_model_shape){i});
        corners += carom_shape_vertex_count(shape);
        for (int k = 0; k < carom_shape_part_count(shape); k++) {
            carom_pose pose;
            corners += 4 + carom_shape_vertex_count(carom_shape_part(shape, k, &pose));
        }
    }
    return carom_model_body_count(model) <= FUZZ_BODIES && corners <= FUZZ_CORNERS;
}

static void save_and_load(carom_state *state) {
    size_t size = carom_state_size(state);
    void *bytes = malloc(size);
    if (bytes == NULL) return;
    uint64_t hash = carom_state_hash(state);
    carom_state_save(state, bytes);
    carom_status status = carom_state_load(state, bytes, size, NULL);
    FUZZ_CHECK(status == CAROM_ERR_NO_MEMORY || (status == CAROM_OK && carom_state_hash(state) == hash));
    free(bytes);
}

static void run(const carom_scene *scene) {
    const carom_model *model = carom_scene_model(scene);
    if (!is_small(model)) return;
    carom_state *state = NULL;
    carom_error error = {.text = ""};
    carom_status status = carom_state_create(model, carom_scene_method(scene), &state, &error);
    FUZZ_CHECK((status == CAROM_OK) == (state != NULL) && (status == CAROM_OK) == (error.text[0] == '\0'));
    for (int i = 0; i < FUZZ_STEPS && state != NULL; i++) {
        carom_step_report report;
        FUZZ_CHECK(carom_step(model, state, NULL, &report, &error) == CAROM_OK);
        FUZZ_CHECK(report.outcome != CAROM_STEP_IMPOSSIBLE || report.text[0] != '\0');
        if (report.outcome == CAROM_STEP_IMPOSSIBLE) break;
    }
    if (state != NULL) save_and_load(state);
    carom_state_destroy(state);
}

static void read_back(const carom_scene *scene, const carom_allocator *allocator) {
    carom_scene *again = NULL;
    carom_error error;
    carom_scene_source resolved = carom_scene_source_default();
    resolved.text = carom_scene_resolved(scene);
    carom_status status = carom_scene_read(&resolved, allocator, &again, NULL, &error);
    FUZZ_CHECK(status == CAROM_OK || status == CAROM_ERR_NO_MEMORY);
    if (again != NULL) FUZZ_CHECK(strcmp(carom_scene_resolved(again), carom_scene_resolved(scene)) == 0);
    carom_scene_destroy(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_reading r;
    fuzz_reading_begin(&r, data, size);
    r.source.lint = true;
    carom_scene *scene = NULL;
    carom_status status = carom_scene_read(&r.source, &r.allocator, &scene, &r.messages, &r.error);
    fuzz_reading_check(&r, status, scene != NULL);
    if (scene != NULL) {
        read_back(scene, &r.allocator);
        run(scene);
    }
    carom_scene_destroy(scene);
    fuzz_reading_end(&r);
    return 0;
}
