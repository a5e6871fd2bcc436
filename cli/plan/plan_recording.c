// SPDX-License-Identifier: MIT
#include "plan/plan_recording.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "verb/verb.h"

// What is written at once.
typedef struct writing {
    const carom_scene *scene;
    carom_plan_data data;
    carom_state *state;
    carom_recorder *recorder;
    void *saved;
    size_t saved_size;
    carom_error error;
} writing;

static carom_status make_state(const carom_scene *scene, double step, carom_state **out, carom_error *error) {
    carom_method_def method = *carom_scene_method(scene);
    method.method = CAROM_METHOD_VARIATIONAL;
    method.variational.whole_steps = true; // as the plan has them
    method.step = step;
    method.piece_count = 0;
    method.piece = NULL;
    return carom_state_create(carom_scene_model(scene), &method, out, error);
}

carom_status make_plan_state(const carom_scene *scene, carom_state **out, carom_error *error) {
    const carom_plan_def *def = carom_scene_plan(scene);
    return make_state(scene, def->time / def->intervals, out, error);
}

static carom_status begin_motion(writing *w) {
    double longest = 0.0;
    for (int k = 0; k < w->data.interval_count; k++) longest = fmax(longest, w->data.time[k + 1] - w->data.time[k]);
    if (w->data.interval_count == 0) return make_plan_state(w->scene, &w->state, &w->error);
    carom_status status = make_state(w->scene, longest, &w->state, &w->error);
    return status == CAROM_OK ? carom_plan_place(&w->data, 0, w->state, &w->error) : status;
}

// The poses of the plan, to the bit; velocities are those that the simulator comes to, after impulses.
static carom_status put_on_node(writing *w, int node) {
    carom_status status = CAROM_OK;
    for (int b = 0; b < w->data.body_count && status == CAROM_OK; b++) {
        carom_body_def def;
        carom_body_state now;
        status = carom_model_get_body(carom_scene_model(w->scene), (carom_body){b}, &def, &w->error);
        if (status == CAROM_OK) status = carom_state_get_body(w->state, (carom_body){b}, &now, &w->error);
        if (status != CAROM_OK || def.kind == CAROM_BODY_FIXED) continue;
        const carom_body_state *planned = &w->data.motion[(ptrdiff_t)node * w->data.body_count + b];
        now.position = planned->position;
        now.attitude = planned->attitude;
        status = carom_state_set_body(w->state, (carom_body){b}, &now, &w->error);
    }
    return status == CAROM_OK ? carom_plan_apply_impulses(&w->data, node, w->state, &w->error) : status;
}

static carom_status record_interval(writing *w, int k, carom_step_report *report) {
    carom_input input = carom_plan_input(&w->data, k);
    double length = w->data.time[k + 1] - w->data.time[k];
    carom_status status = carom_step_by(carom_scene_model(w->scene), w->state, &input, length, report, &w->error);
    if (status != CAROM_OK || report->outcome == CAROM_STEP_IMPOSSIBLE) return status;
    status = put_on_node(w, k + 1);
    return status == CAROM_OK ? carom_recorder_step(w->recorder, w->state, report, &w->error) : status;
}

// A plan whose intervals the simulator cannot step is not one to be trusted; what it came to is kept.
static carom_status record_motion(writing *w) {
    char end[384] = "";
    carom_status status = CAROM_OK;
    for (int k = 0; k < w->data.interval_count && status == CAROM_OK && end[0] == '\0'; k++) {
        carom_step_report report;
        status = record_interval(w, k, &report);
        if (status == CAROM_OK && report.outcome == CAROM_STEP_IMPOSSIBLE)
            snprintf(end, sizeof end, "the simulator cannot go through interval %d: %s", k, report.text);
    }
    if (status == CAROM_OK && w->data.interval_count == 0) snprintf(end, sizeof end, "%s", w->data.reason);
    return status == CAROM_OK ? carom_recorder_finish(w->recorder, w->state, end[0] != '\0' ? end : NULL, &w->error)
                              : status;
}

static carom_status create(writing *w, const char *path, bool overwrite, const carom_state *state) {
    carom_recorder_def def = carom_recorder_def_default();
    def.path = path;
    def.overwrite = overwrite;
    def.every = 1;
    def.checkpoint_seconds = INFINITY;
    def.plan = &w->data;
    def.plan_saved = w->saved;
    def.plan_saved_size = w->saved_size;
    return carom_recorder_create(&def, w->scene, state, &w->recorder, &w->error);
}

static int gather(const carom_scene *scene, carom_plan *plan, writing *w) {
    *w = (writing){.scene = scene, .saved_size = carom_plan_size(plan)};
    w->saved = malloc(w->saved_size);
    if (w->saved == NULL) return refuse_memory("the plan");
    carom_plan_save(plan, w->saved);
    return carom_plan_get_data(plan, &w->data, &w->error) == CAROM_OK ? EXIT_GOOD : refuse_error(&w->error);
}

static int end(writing *w, int code, carom_status status) {
    carom_recorder_destroy(w->recorder);
    carom_state_destroy(w->state);
    free(w->saved);
    if (code != EXIT_GOOD || status == CAROM_OK) return code;
    return status == CAROM_ERR_INTERRUPTED ? EXIT_INTERRUPTED : refuse_error(&w->error);
}

int record_unfinished_plan(const char *path, bool overwrite, const carom_scene *scene, const carom_state *start,
                           carom_plan *plan) {
    writing w;
    int code = gather(scene, plan, &w);
    return end(&w, code, code == EXIT_GOOD ? create(&w, path, overwrite, start) : CAROM_OK);
}

int record_whole_plan(const char *path, const carom_scene *scene, carom_plan *plan) {
    writing w;
    carom_status status = CAROM_OK;
    int code = gather(scene, plan, &w);
    if (code == EXIT_GOOD) status = begin_motion(&w);
    if (code == EXIT_GOOD && status == CAROM_OK) status = create(&w, path, true, w.state);
    if (code == EXIT_GOOD && status == CAROM_OK) status = record_motion(&w);
    return end(&w, code, status);
}
