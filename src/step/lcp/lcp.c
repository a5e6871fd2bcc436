// SPDX-License-Identifier: MIT
#include "step/lcp/lcp.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/fail.h"
#include "math/so3.h"
#include "model/force/evaluate.h"
#include "step/integrate/free_spin.h"
#include "step/method.h"

static bool in_fluid(const carom_model *model) {
    return model->mobility.kind != CAROM_MOBILITY_NONE;
}

// ---- making and releasing

static carom_status prepare(carom_state *state, carom_error *error) {
    crm_lcp *lcp = NULL;
    carom_status status = crm_lcp_create(state, &state->method.lcp, &lcp, error);
    state->method_data = lcp;
    return status;
}

static void release(carom_state *state) {
    crm_lcp_destroy(state->model, state->method_data);
}

// ---- the step

static void stop(carom_step_report *report, const char *what, const carom_error *error) {
    report->outcome = CAROM_STEP_IMPOSSIBLE;
    snprintf(report->text, sizeof report->text, "%s: %.200s", what, error->text);
}

bool crm_lcp_move_freely(const carom_model *model, carom_state *state, const carom_input *input, crm_lcp *lcp,
                         carom_step_report *report) {
    double h = state->method.step;
    crm_callback_answer answer = crm_forces_evaluate(model, carom_state_time(state), state->motions, state->configs,
                                                     input, state->impulse, state->active);
    if (answer.not_finite || answer.answer != 0) {
        crm_step_callback_refused(model, &answer, carom_state_time(state), report);
        return false;
    }
    for (int b = 0; b < model->bodies.count; b++) {
        const crm_body *body = &model->bodies.items[b];
        crm_motion *next = &state->next[b];
        *next = state->motions[b];
        lcp->explicit_impulse[b] = state->impulse[b] = crm_vec6_scale(h, state->impulse[b]);
        state->active[b] = crm_vec6_scale(h, state->active[b]);
        lcp->free[b] = crm_vec6_zero();
        if (body->kind == CAROM_BODY_FIXED) continue;
        next->p = crm_add(next->p, lcp->explicit_impulse[b].linear);
        next->l = crm_add(next->l, lcp->explicit_impulse[b].angular);
        if (in_fluid(model)) continue;
        lcp->free[b].linear = crm_motion_velocity(body, next);
        if (body->kind != CAROM_BODY_POINT) lcp->free[b].angular = crm_free_spin(body, next->q, next->l, h);
    }
    if (in_fluid(model)) crm_lcp_fluid_free(model, state, lcp);
    return true;
}

void crm_lcp_move(const carom_model *model, carom_state *state, crm_lcp *lcp) {
    double h = state->method.step;
    if (in_fluid(model)) crm_lcp_fluid_move(model, state, lcp);
    for (int b = 0; b < model->bodies.count && !in_fluid(model); b++) {
        const crm_body *body = &model->bodies.items[b];
        crm_motion *next = &state->next[b];
        crm_vec6 change = lcp->change[b], *twist = &lcp->free[b];
        if (body->kind == CAROM_BODY_FIXED) continue;
        state->impulse_size[b] =
            (crm_impulse_size){crm_length(lcp->explicit_impulse[b].linear) + crm_length(change.linear),
                               crm_length(lcp->explicit_impulse[b].angular) + crm_length(change.angular)};
        state->impulse[b] = crm_vec6_add(state->impulse[b], change);
        next->p = crm_add(next->p, change.linear);
        next->l = crm_add(next->l, change.angular);
        twist->linear = crm_motion_velocity(body, next);
        next->x = crm_madd(next->x, h, twist->linear);
        if (body->kind == CAROM_BODY_POINT) continue;
        crm_motion rotated = {.q = next->q, .l = change.angular};
        twist->angular = crm_add(twist->angular, crm_motion_spin(body, &rotated));
        next->q = crm_quat_step(next->q, twist->angular, h);
    }
    crm_lcp_row_velocities(model, lcp->free, lcp);
}

// Impulses for the contacts that are listed. `solved`: those of the contacts that were listed before are there.
static carom_status find_impulses(const carom_model *model, carom_state *state, const carom_input *input, bool solved,
                                  crm_lcp *lcp, carom_step_report *report, carom_error *error) {
    if (!crm_lcp_build(model, state, input, lcp))
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for a problem");
    if (solved && crm_lcp_still_solved(model, state, lcp)) return CAROM_OK;
    // What was said of a problem with fewer contacts counts no more.
    report->residual = 0.0;
    report->outcome = CAROM_STEP_GOOD;
    report->text[0] = '\0';
    carom_status status = crm_lcp_solve(state, lcp, report, error);
    if (status == CAROM_OK && lcp->def.restitution == CAROM_RESTITUTION_POISSON)
        status = crm_lcp_restitute(model, state, lcp, report, error);
    for (int b = 0; b < model->bodies.count; b++) lcp->change[b] = crm_vec6_zero();
    if (status == CAROM_OK) crm_lcp_add_impulses(model, lcp, lcp->change);
    return status;
}

// A body that is hit may get farther than its reach, to where no contact was looked for: then all is done again with
// what it may reach now. A hit is seldom handed on more often than this.
enum { MOST_ROUNDS = 4 };

static carom_status find_all_impulses(const carom_model *model, carom_state *state, const carom_input *input,
                                      crm_lcp *lcp, carom_step_report *report, carom_error *error) {
    carom_status status = crm_lcp_detect(model, state, lcp, error);
    // The two phases of Poisson's law are not told apart by the sum that is kept of their impulses.
    bool again = true, kept = lcp->def.restitution != CAROM_RESTITUTION_POISSON && model->joints.count == 0;
    for (int round = 0; status == CAROM_OK && again && round < MOST_ROUNDS; round++) {
        status = find_impulses(model, state, input, round > 0 && kept, lcp, report, error);
        if (status == CAROM_OK && !crm_lcp_store(model, state, lcp))
            status = crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for the impulses of contacts");
        again = false;
        if (status == CAROM_OK && !in_fluid(model) && round + 1 < MOST_ROUNDS)
            status = crm_lcp_detect_again(model, state, lcp, &again, error);
    }
    return status;
}

static void advance(const carom_model *model, carom_state *state, const carom_input *input, carom_step_report *report) {
    crm_lcp *lcp = state->method_data;
    carom_error error;
    if (!crm_lcp_move_freely(model, state, input, lcp, report)) return;
    lcp->least_scale = crm_lcp_noise(model, state) / lcp->def.tolerance;
    carom_status status = find_all_impulses(model, state, input, lcp, report, &error);
    if (status == CAROM_OK) {
        crm_lcp_move(model, state, lcp);
        crm_lcp_add_motor_impulses(model, lcp, state->active);
        if (!crm_lcp_read_out(model, state, lcp, report))
            status = crm_fail(&error, CAROM_ERR_NO_MEMORY, "no memory for the table of contacts");
    }
    if (status == CAROM_OK) status = crm_lcp_look_ahead(model, state, lcp, report, &error);
    if (status != CAROM_OK) stop(report, "contacts", &error);
}

carom_status crm_lcp_dump(const carom_state *state, crm_lcp *lcp, const char *path, carom_error *error) {
    if (lcp->guess.count == 0)
        return crm_fail(error, CAROM_ERR_BAD_INPUT,
                        "there is no problem to write: the state has made no step yet, or its last one had neither "
                        "contacts nor joints");
    char name[64];
    snprintf(name, sizeof name, "step %" PRId64, state->step_count);
    carom_problem problem = crm_lcp_problem(state->model, lcp);
    return carom_problem_write(&problem, name, lcp->guess.items, path, error);
}

static carom_status dump_problem(const carom_state *state, const char *path, carom_error *error) {
    return crm_lcp_dump(state, state->method_data, path, error);
}

const crm_method crm_method_lcp = {
    .name = "lcp",
    .features = CRM_FEATURE_DRAG | CRM_FEATURE_DAMPER | CRM_FEATURE_WRENCH | CRM_FEATURE_CALLBACK | CRM_FEATURE_JOINT |
                CRM_FEATURE_LOOP | CRM_FEATURE_LIMIT | CRM_FEATURE_JOINT_SPRING | CRM_FEATURE_JOINT_DAMPER |
                CRM_FEATURE_MOTOR | CRM_FEATURE_VELOCITY_MOTOR | CRM_FEATURE_MOBILITY | CRM_FEATURE_CONTACT |
                CRM_FEATURE_MATERIAL | CRM_FEATURE_CONTAINER,
    .impulses_first = true,
    .prepare = prepare,
    .release = release,
    .advance = advance,
    .dump_problem = dump_problem,
};
