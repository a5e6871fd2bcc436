// SPDX-License-Identifier: MIT
#include "support/scene/stepped_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/harness/check.h"
#include "support/model/world.h"

static stepped_scene begin(carom_scene_source source, const char *const *overrides) {
    stepped_scene s = {0};
    carom_scene_messages *messages;
    carom_error error = {.text = ""};
    while (overrides != NULL && overrides[source.override_count] != NULL) source.override_count++;
    source.overrides = overrides;
    if (!CHECK_INT(carom_scene_read(&source, NULL, &s.scene, &messages, &error), CAROM_OK)) CHECK_TEXT(error.text, "");
    carom_scene_messages_destroy(messages);
    CHECK_INT(carom_state_create(carom_scene_model(s.scene), carom_scene_method(s.scene), &s.state, &error), CAROM_OK);
    s.first = world_energy(s.state);
    s.rise = s.passive = -INFINITY;
    return s;
}

stepped_scene stepped_from_file(const char *file, const char *const *overrides) {
    char path[512];
    snprintf(path, sizeof path, CAROM_SOURCE_DIR "/%s.json", file);
    carom_scene_source source = carom_scene_source_default();
    source.file = path;
    return begin(source, overrides);
}

stepped_scene stepped_from_text(const char *text, const char *const *overrides) {
    char *json = strdup(text);
    for (char *c = json; *c != '\0'; c++)
        if (*c == '\'') *c = '"';
    carom_scene_source source = carom_scene_source_default();
    source.file = "test", source.text = json;
    stepped_scene s = begin(source, overrides);
    free(json);
    return s;
}

void stepped_go(stepped_scene *s, double until) {
    const carom_model *model = carom_scene_model(s->scene);
    double step = carom_scene_method(s->scene)->step;
    bool fluid = carom_model_mobility_kind(model) != CAROM_MOBILITY_NONE; // what it moves has no kinetic energy
    while (carom_state_time(s->state) < until - 0.5 * step) {
        carom_step_report report;
        CHECK_INT(carom_step(model, s->state, NULL, &report, NULL), CAROM_OK);
        const carom_ledger *l = &report.ledger;
        double change = fluid ? -l->conservative
                              : l->passive + l->active + l->limits + l->friction + l->impacts + l->stabilisation +
                                    l->projection + l->remainder;
        s->rise = fmax(s->rise, change - l->active - fmax(l->stabilisation, 0.0));
        s->passive = fmax(s->passive, l->passive);
        s->scale = fmax(s->scale, fabs(world_energy(s->state) - s->first) + report.energy.kinetic);
        s->drift = fmax(s->drift, report.joint_drift);
    }
}

void stepped_end(stepped_scene *s) {
    carom_state_destroy(s->state);
    carom_scene_destroy(s->scene);
}
