// SPDX-License-Identifier: MIT
#include "support/scene/small_plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/harness/check.h"
#include "support/scene/recorded_run.h"

enum { CRAFT = 1, K = SMALL_PLAN_INTERVALS, B = SMALL_PLAN_BODIES, N = SMALL_PLAN_NUMBERS };

static const char scene_text[] =
    "{\"carom\": 1, \"name\": \"small plan\", \"gravity\": [0, 0, 0], \"until\": 3,"
    "\"shapes\": {\"cube\": {\"kind\": \"box\", \"size\": [0.4, 0.3, 0.2]}},"
    "\"bodies\": [{\"name\": \"=post\", \"kind\": \"fixed\", \"shape\": \"cube\", \"position\": [1, 0, 0]},"
    " {\"name\": \"craft\", \"shape\": \"cube\", \"mass\": 2},"
    " {\"name\": \"rest\", \"shape\": \"cube\", \"mass\": 3, \"position\": [0, 3, 0]}],"
    "\"plan\": {\"intervals\": 6, \"time\": 3, \"controls\": ["
    "{\"kind\": \"wrench\", \"body\": \"craft\", \"axes\": \"body\", \"force_limit\": 5},"
    "{\"kind\": \"thruster\", \"body\": \"rest\", \"direction\": [0, 0, 1], \"force_limit\": 1}],"
    "\"end\": [{\"body\": \"craft\", \"position\": [2, 0, 0]}], \"avoid\": {\"margin\": 0.01}}}";

static void fill_controls(small_plan *p) {
    p->control[0] = (carom_plan_control){.kind = CAROM_CONTROL_WRENCH,
                                         .body = {CRAFT},
                                         .joint = -1,
                                         .in_body_axes = true,
                                         .size = 6,
                                         .force_count = 3,
                                         .force_limit = 5.0,
                                         .torque_limit = INFINITY};
    p->control[1] = (carom_plan_control){.kind = CAROM_CONTROL_THRUSTER,
                                         .body = {CRAFT + 1},
                                         .joint = -1,
                                         .first = 6,
                                         .size = 1,
                                         .force_count = 1,
                                         .force_limit = 1.0,
                                         .torque_limit = INFINITY};
    for (int k = 0; k < K; k++) {
        double *v = &p->value[k * N];
        for (int i = 0; i < 6; i++) v[i] = (i < 3 ? 0.1 : 1e-3) * sin(1.0 + k + 0.7 * i);
        v[6] = 0.05 * k;
        for (int i = 0; i < N; i++) p->guess_value[k * N + i] = 2.0 * v[i] - 0.01;
        p->wrench[2 * k] = (carom_body_wrench){
            .body = {CRAFT}, .force = {v[0], v[1], v[2]}, .torque = {v[3], v[4], v[5]}, .in_body_axes = true};
        p->wrench[2 * k + 1] = (carom_body_wrench){.body = {CRAFT + 1}, .force = {0, 0, v[6]}, .in_body_axes = true};
    }
}

static void fill_motion(small_plan *p) {
    carom_state *state = small_plan_state(p);
    for (int k = 0; k <= K; k++) {
        p->time[k] = 0.5 * k;
        for (int b = 0; b < B; b++) {
            carom_body_state *at = &p->motion[k * B + b];
            CHECK_INT(carom_state_get_body(state, (carom_body){b}, at, NULL), CAROM_OK);
            p->guess[k * B + b] = (carom_pose){at->position, at->attitude};
        }
        carom_step_report report;
        carom_input input = {.body_wrench_count = 2, .body_wrench = &p->wrench[2 * k]};
        if (k < K) CHECK_INT(carom_step_by(carom_scene_model(p->scene), state, &input, 0.5, &report, NULL), CAROM_OK);
    }
    carom_state_destroy(state);
}

static void fill_certificate(small_plan *p) {
    p->data.certificate = (carom_plan_certificate){.violation = 1e-11,
                                                   .violation_si = 2e-11,
                                                   .consistency = 3e-16,
                                                   .gap_at_nodes = 0.02,
                                                   .gap_between = 0.0125,
                                                   .margin = 0.01,
                                                   .length = 0.5,
                                                   .optimality = 1e-9,
                                                   .strict = true,
                                                   .rotation = 0.4,
                                                   .replay = 4e-16,
                                                   .replay_fine = 1e-3,
                                                   .effort = 0.25,
                                                   .guess_effort = 1.5,
                                                   .recursion_effort = 2.5,
                                                   .coarse_effort = NAN,
                                                   .kept = true};
    for (int i = 0; i < 3; i++)
        p->solve[i] = (carom_plan_solve){.start = i / 2,
                                         .level = i % 2,
                                         .intervals = i % 2 == 0 ? 3 : 6,
                                         .outcome = i == 2 ? CAROM_PLAN_STUCK : CAROM_PLAN_SOLVED,
                                         .iterations = 10 + i,
                                         .effort = 0.25 + i,
                                         .violation = 1e-11,
                                         .optimality = 1e-9,
                                         .seconds = 0.5 * i};
}

static void fill_gaps(small_plan *p) {
    for (int k = 0; k <= K; k++) {
        p->consistency[k] = 1e-16 * k;
        p->at_node[k] = (carom_plan_nearest){0.02 + 0.1 * k, {0}, {CRAFT}};
        if (k < K) p->between[k] = (carom_plan_nearest){0.0125 + 0.1 * k, {0}, {CRAFT}};
    }
    p->at_node[K] = (carom_plan_nearest){INFINITY, {-1}, {-1}};
    p->plane[0] = (carom_plan_plane){
        .interval = 1, .a = {0}, .b = {CRAFT}, .part_a = 0, .part_b = 0, .normal = {-1, 0, 0}, .offset = -0.5};
    p->plane[1] = p->plane[0];
    p->plane[1].interval = 2;
    p->impulse[0] = (carom_plan_impulse){
        .node = 3, .contact = 0, .a = {0}, .b = {CRAFT}, .point = {0.8, 0, 0}, .impulse = {-0.1, 0, 0}};
}

small_plan *small_plan_make(void) {
    small_plan *p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->scene = scene_of_text(scene_text);
    fill_controls(p);
    fill_motion(p);
    fill_certificate(p);
    fill_gaps(p);
    carom_plan_data *d = &p->data;
    d->outcome = CAROM_PLAN_SOLVED;
    d->reason = "";
    d->solve_count = 3, d->solve = p->solve;
    d->body_count = B;
    d->control_count = 2, d->number_count = N, d->control = p->control;
    d->interval_count = K, d->time = p->time;
    d->motion = p->motion, d->guess = p->guess;
    d->value = p->value, d->guess_value = p->guess_value;
    d->wrench_count = 2, d->wrench = p->wrench;
    d->consistency = p->consistency;
    d->at_node = p->at_node, d->between = p->between;
    d->plane_count = 2, d->plane = p->plane;
    d->impulse_count = 1, d->impulse = p->impulse;
    return p;
}

void small_plan_destroy(small_plan *plan) {
    carom_scene_destroy(plan->scene);
    free(plan);
}

carom_state *small_plan_state(const small_plan *plan) {
    carom_method_def method = carom_method_def_default();
    method.method = CAROM_METHOD_VARIATIONAL;
    method.step = 0.5;
    carom_state *state = NULL;
    carom_error error = {.text = ""};
    if (carom_state_create(carom_scene_model(plan->scene), &method, &state, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return state;
}

void small_plan_record(const small_plan *plan, const char *path) {
    carom_state *state = small_plan_state(plan);
    carom_recorder_def def = recorder_to(path);
    carom_recorder *recorder;
    carom_error error = {.text = ""};
    def.every = 1;
    def.overwrite = true;
    def.plan = &plan->data;
    def.plan_saved = "saved";
    def.plan_saved_size = 5;
    if (carom_recorder_create(&def, plan->scene, state, &recorder, &error) != CAROM_OK) fail_msg("%s", error.text);
    for (int k = 0; k < plan->data.interval_count; k++) {
        carom_step_report report;
        carom_input input = {.body_wrench_count = 2, .body_wrench = &plan->wrench[2 * k]};
        CHECK_INT(carom_step_by(carom_scene_model(plan->scene), state, &input, 0.5, &report, &error), CAROM_OK);
        CHECK_INT(carom_recorder_step(recorder, state, &report, &error), CAROM_OK);
    }
    const char *end = plan->data.interval_count > 0 ? NULL : plan->data.reason;
    CHECK_INT(carom_recorder_finish(recorder, state, end, &error), CAROM_OK);
    carom_recorder_destroy(recorder);
    carom_state_destroy(state);
}
