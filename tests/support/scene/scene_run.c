// SPDX-License-Identifier: MIT
#include "support/scene/scene_run.h"

#include <math.h>
#include <stdio.h>

#include "math/quat.h"
#include "support/harness/check.h"

scene_run scene_run_begin(const char *scene, const char *method, double step, const char *settings) {
    char file[512], name[64], length[64];
    snprintf(file, sizeof file, CAROM_SOURCE_DIR "/scenes/%s.json", scene);
    snprintf(name, sizeof name, "method.name=%s", method);
    snprintf(length, sizeof length, "method.step=%.17g", step);
    const char *overrides[] = {name, length, settings};
    scene_run r = {0};
    carom_error error = {.text = ""};
    carom_scene_source source = carom_scene_source_default();
    source.file = file;
    source.override_count = settings != NULL ? 3 : 2;
    source.overrides = overrides;
    if (carom_scene_read(&source, NULL, &r.scene, NULL, &error) != CAROM_OK) CHECK_TEXT(error.text, "");
    r.model = carom_scene_model(r.scene);
    CHECK_INT(carom_state_create(r.model, carom_scene_method(r.scene), &r.state, &error), CAROM_OK);
    carom_energy energy = carom_state_energy(r.state);
    r.energy = energy.kinetic + energy.potential;
    r.start = carom_state_momentum(r.state);
    return r;
}

static void note(scene_run *r, const carom_step_report *report) {
    r->projection_energy += report->projection_energy;
    r->impact_energy += report->impact_energy;
    r->impacts_in_all += fabs(report->impact_energy);
    double change = report->energy.kinetic + report->energy.potential - r->energy;
    carom_vec3 turned = crm_sub(report->momentum.angular, r->start.angular);
    r->energy_change = fmax(r->energy_change, fabs(change));
    r->unexplained = fmax(r->unexplained, fabs(change - r->projection_energy - r->impact_energy));
    r->linear_change = fmax(r->linear_change, crm_distance(report->momentum.linear, r->start.linear));
    r->rotation = fmax(r->rotation, crm_length(turned));
    r->spin_up = fmax(r->spin_up, fabs(turned.z));
    r->infeasibility = fmax(r->infeasibility, report->infeasibility);
    r->joint_drift = fmax(r->joint_drift, report->joint_drift);
    r->collisions += report->contacts > 0;
}

void scene_run_go(scene_run *r, int steps) {
    for (int i = 0; i < steps; i++) {
        carom_step_report report;
        CHECK_INT(carom_step(r->model, r->state, NULL, &report, NULL), CAROM_OK);
        if (!CHECK_INT(report.outcome, CAROM_STEP_GOOD)) {
            CHECK_TEXT(report.text, "");
            return;
        }
        note(r, &report);
    }
}

void scene_run_end(scene_run *r) {
    carom_state_destroy(r->state);
    carom_scene_destroy(r->scene);
}

carom_body_state scene_run_body(const scene_run *r, int body) {
    carom_body_state state = {0};
    CHECK_INT(carom_state_get_body(r->state, (carom_body){body}, &state, NULL), CAROM_OK);
    return state;
}
