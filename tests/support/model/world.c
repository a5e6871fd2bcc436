// SPDX-License-Identifier: MIT
#include "support/model/world.h"

#include "support/harness/check.h"

static void must(carom_status status, const carom_error *error) {
    if (status != CAROM_OK) CHECK_TEXT(error->text, "");
}

static carom_model *model_of(const carom_model_def *def) {
    carom_model *model;
    carom_error error;
    must(carom_model_create(def, &model, &error), &error);
    return model;
}

carom_model *world_model(carom_vec3 gravity, double coulomb_constant) {
    carom_model_def def = carom_model_def_default();
    def.gravity = gravity;
    def.coulomb_constant = coulomb_constant;
    return model_of(&def);
}

carom_model *world_starting(carom_vec3 gravity, carom_start_overlaps start) {
    carom_model_def def = carom_model_def_default();
    def.gravity = gravity;
    def.coulomb_constant = 0.0;
    def.start_overlaps = start;
    return model_of(&def);
}

carom_body world_add(carom_model *model, const carom_body_def *def) {
    carom_body body = {-1};
    carom_error error;
    must(carom_model_add_body(model, def, &body, &error), &error);
    return body;
}

carom_body_def world_body_def(double mass, carom_vec3 moments) {
    carom_body_def def = carom_body_def_default();
    def.mass = mass;
    def.inertia = (carom_mat3){{moments.x, 0.0, 0.0}, {0.0, moments.y, 0.0}, {0.0, 0.0, moments.z}};
    return def;
}

carom_state *world_state(carom_model *model, carom_method method, double step) {
    carom_error error;
    must(carom_model_freeze(model, &error), &error);
    carom_method_def def = carom_method_def_default();
    def.method = method;
    def.step = step;
    def.lcp.tolerance = 1e-6;
    def.lcp.budget = 20.0;
    carom_state *state;
    must(carom_state_create(model, &def, &state, &error), &error);
    return state;
}

carom_step_report world_run(carom_state *state, int steps) {
    carom_step_report report = {.outcome = CAROM_STEP_GOOD};
    carom_error error;
    for (int i = 0; i < steps && report.outcome == CAROM_STEP_GOOD; i++) {
        must(carom_step(carom_state_model(state), state, NULL, &report, &error), &error);
        if (report.outcome != CAROM_STEP_GOOD) CHECK_TEXT(report.text, "");
    }
    return report;
}

carom_body_state world_body(const carom_state *state, int body) {
    carom_body_state result = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    carom_error error;
    must(carom_state_get_body(state, (carom_body){body}, &result, &error), &error);
    return result;
}

double world_energy(const carom_state *state) {
    carom_energy energy = carom_state_energy(state);
    return energy.kinetic + energy.potential;
}

void world_destroy(carom_state *state) {
    carom_model *model = (carom_model *)carom_state_model(state);
    carom_state_destroy(state);
    carom_model_destroy(model);
}
