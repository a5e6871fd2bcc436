// SPDX-License-Identifier: MIT
#include "support/scene/text_scene.h"

#include "support/harness/check.h"

text_scene text_scene_begin(const char *text, const char *const *overrides) {
    text_scene s = {NULL, NULL, NULL};
    carom_error error = {.text = ""};
    carom_scene_source source = carom_scene_source_default();
    source.text = text;
    source.file = "test";
    source.overrides = overrides;
    while (overrides != NULL && overrides[source.override_count] != NULL) source.override_count++;
    if (carom_scene_read(&source, NULL, &s.scene, NULL, &error) != CAROM_OK) fail_msg("%s", error.text);
    s.model = carom_scene_model(s.scene);
    if (carom_state_create(s.model, carom_scene_method(s.scene), &s.state, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return s;
}

carom_step_report text_scene_step(const text_scene *s) {
    carom_error error = {.text = ""};
    carom_step_report report;
    if (carom_step(s->model, s->state, NULL, &report, &error) != CAROM_OK) fail_msg("%s", error.text);
    if (report.outcome == CAROM_STEP_IMPOSSIBLE) fail_msg("%s", report.text);
    return report;
}

void text_scene_end(text_scene *s) {
    carom_state_destroy(s->state);
    carom_scene_destroy(s->scene);
}
