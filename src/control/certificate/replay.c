// SPDX-License-Identifier: MIT
#include "control/certificate/replay.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "control/motion/control_wrench.h"
#include "model/motion.h"

typedef struct run {
    const carom_model *model;
    const carom_plan_def *def;
    const crm_plan_motion *motion;
    carom_state *state;
    carom_body_wrench *wrench; // of an interval (2 control_count)
    crm_replay *out;
} run;

// ---- the start

// Pose and velocity of the body's frame at node 0 of the plan.
static carom_body_state start_of(const run *r, int b) {
    const crm_body *body = &r->model->bodies.items[b];
    const crm_plan_motion *m = r->motion;
    crm_motion at = {.x = m->position[b],
                     .q = crm_quat_mul(crm_quat_from_mat3(m->attitude[b]), body->frame),
                     .p = m->momentum_start[b],
                     .l = m->spin_momentum_start[b]};
    carom_body_state state = crm_motion_to_body_state(body, &at);
    if (body->kind == CAROM_BODY_POINT) state.spin = crm_vec3_zero();
    return state;
}

static carom_status begin(const run *r, carom_error *error) {
    carom_status status = CAROM_OK;
    for (int b = 0; b < r->motion->body_count && status == CAROM_OK; b++) {
        if (!crm_body_moves(r->model, b)) continue;
        carom_body_state start = start_of(r, b);
        status = carom_state_set_body(r->state, (carom_body){b}, &start, error);
    }
    return status == CAROM_OK && r->model->joints.count > 0 ? carom_state_assemble(r->state, error) : status;
}

// ---- an interval

static int find_wrenches(const run *r, int interval) {
    const double *number = r->motion->control + (ptrdiff_t)interval * r->motion->control_number_count;
    int count = 0;
    for (int c = 0; c < r->def->control_count; c++) {
        const carom_control_def *control = &r->def->control[c];
        crm_control_numbers numbers = crm_control_numbers_of(r->model, control);
        count += crm_control_wrenches(r->model, control, number, r->wrench + count);
        number += numbers.forces + numbers.torques;
    }
    return count;
}

static carom_status push_at_node(const run *r, int node, carom_error *error) {
    carom_status status = CAROM_OK;
    for (int i = 0; i < r->motion->impulse_count && status == CAROM_OK; i++) {
        const crm_plan_impulse *impulse = &r->motion->impulse[i];
        const carom_body end[2] = {impulse->a, impulse->b};
        if (impulse->node != node || impulse->joint >= 0) continue;
        for (int e = 0; e < 2 && status == CAROM_OK; e++) {
            if (!crm_body_moves(r->model, end[e].index)) continue;
            double sign = e == 0 ? 1.0 : -1.0;
            carom_vec3 centre = r->motion->position[node * r->motion->body_count + end[e].index];
            carom_vec3 moment = crm_cross(crm_sub(impulse->point, centre), impulse->impulse);
            status = carom_state_apply_impulse(r->state, end[e], crm_scale(sign, impulse->impulse),
                                               crm_scale(sign, crm_add(impulse->couple, moment)), error);
        }
    }
    return status;
}

// False: a step could not be made, which `text` tells.
static carom_status make_interval(run *r, int interval, int division, bool *made, carom_error *error) {
    const carom_input input = {.body_wrench_count = find_wrenches(r, interval), .body_wrench = r->wrench};
    double h = r->motion->length[interval] / division;
    *made = true;
    for (int i = 0; i < division && *made; i++) {
        carom_step_report report;
        carom_status status = carom_step_by(r->model, r->state, &input, h, &report, error);
        if (status != CAROM_OK) return status;
        if (report.substeps > r->out->substeps) r->out->substeps = report.substeps;
        *made = report.outcome != CAROM_STEP_IMPOSSIBLE;
        if (!*made) snprintf(r->out->text, sizeof r->out->text, "%s", report.text);
    }
    return CAROM_OK;
}

// ---- how far from the plan

static carom_status compare(const run *r, int node, carom_error *error) {
    double worst = 0.0;
    for (int b = 0; b < r->motion->body_count; b++) {
        const crm_body *body = &r->model->bodies.items[b];
        int at = node * r->motion->body_count + b;
        carom_body_state state;
        carom_status status = carom_state_get_body(r->state, (carom_body){b}, &state, error);
        if (status != CAROM_OK) return status;
        if (!crm_body_moves(r->model, b)) continue;
        carom_vec3 centre = crm_add(state.position, crm_quat_rotate(state.attitude, body->centre));
        double distance = crm_distance(centre, r->motion->position[at]), angle = 0.0;
        if (body->kind != CAROM_BODY_POINT)
            angle = crm_quat_angle(state.attitude, crm_quat_from_mat3(r->motion->attitude[at]));
        double extent = crm_body_extent(body);
        r->out->distance[b] = distance;
        r->out->angle[b] = angle;
        worst = fmax(worst, fmax(distance / (extent > 0.0 ? extent : 1.0), angle));
    }
    r->out->difference[node] = worst;
    return CAROM_OK;
}

// ---- all of it

static carom_status make_run(run *r, const crm_replay_options *o, carom_error *error) {
    carom_status status = begin(r, error);
    for (int k = 0; k <= r->motion->interval_count && status == CAROM_OK; k++) {
        bool made = true;
        status = compare(r, k, error);
        if (status == CAROM_OK && o->impulses) status = push_at_node(r, k, error);
        if (k == r->motion->interval_count || status != CAROM_OK) break;
        status = make_interval(r, k, o->division, &made, error);
        if (!made) break;
        r->out->made = k + 1;
    }
    return status;
}

carom_status crm_replay_plan(const carom_model *model, const carom_plan_def *def, const crm_plan_motion *motion,
                             const crm_replay_options *options, crm_arena *arena, crm_replay *out, carom_error *error) {
    run r = {.model = model, .def = def, .motion = motion, .out = out};
    *out = (crm_replay){.text = ""};
    out->difference = CRM_ARENA_ARRAY(arena, double, (ptrdiff_t)motion->interval_count + 1);
    out->distance = CRM_ARENA_ZEROED(arena, double, motion->body_count);
    out->angle = CRM_ARENA_ZEROED(arena, double, motion->body_count);
    r.wrench = CRM_ARENA_ARRAY(arena, carom_body_wrench, 2 * (ptrdiff_t)def->control_count);
    if (crm_arena_refused(arena)) return crm_fail_memory(error, "a run of a plan", sizeof *r.wrench);
    for (int k = 0; k <= motion->interval_count; k++) out->difference[k] = INFINITY;
    carom_method_def method = carom_method_def_default();
    method.method = options->method;
    method.variational.whole_steps = true; // as the plan's rows have them
    method.step = 0.0;
    for (int k = 0; k < motion->interval_count; k++) method.step = fmax(method.step, motion->length[k]);
    method.step /= options->division;
    carom_error why = {.text = ""};
    carom_status status = carom_state_create(model, &method, &r.state, &why);
    if (status == CAROM_OK) status = make_run(&r, options, &why);
    carom_state_destroy(r.state);
    if (status == CAROM_ERR_UNSUPPORTED || status == CAROM_ERR_BAD_INPUT) {
        snprintf(out->text, sizeof out->text, "%.250s", why.text);
        return CAROM_OK;
    }
    if (status != CAROM_OK && error != NULL) *error = why;
    return status;
}
