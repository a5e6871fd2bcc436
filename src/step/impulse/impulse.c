// SPDX-License-Identifier: MIT
#include "step/impulse/impulse.h"

#include <math.h>

#include "base/fail.h"
#include "step/impulse/impulse_fixed.h"
#include "step/method.h"

static bool is_fixed(const carom_state *state) {
    return state->method.impulse.variant == CAROM_IMPULSE_FIXED;
}

static carom_status prepare(carom_state *state, carom_error *error) {
    crm_impulse *impulse = CRM_ARENA_ZEROED(&state->arena, crm_impulse, 1);
    if (impulse == NULL) return crm_fail_memory(error, "impulse", sizeof *impulse);
    state->method_data = impulse;
    carom_impulse_variant *variant = &state->method.impulse.variant;
    if (*variant == CAROM_IMPULSE_AUTO)
        *variant = state->model->joints.count > 0 ? CAROM_IMPULSE_FIXED : CAROM_IMPULSE_EVENTS;
    return is_fixed(state) ? crm_impulse_fixed_prepare(state, impulse, error)
                           : crm_impulse_events_prepare(state, impulse, error);
}

static void release(carom_state *state) {
    crm_impulse *impulse = state->method_data;
    if (impulse == NULL) return;
    if (is_fixed(state))
        crm_impulse_fixed_release(state, impulse);
    else
        crm_impulse_events_release(state, impulse);
}

static void advance(const carom_model *model, carom_state *state, const carom_input *input, carom_step_report *report) {
    if (is_fixed(state))
        crm_impulse_fixed_step(model, state, input, state->method_data, report);
    else
        crm_impulse_events_step(model, state, input, state->method_data, report);
}

static void accept(carom_state *state) {
    if (is_fixed(state)) crm_impulse_fixed_accept(state, state->method_data);
}

static carom_status dump_problem(const carom_state *state, const char *path, carom_error *error) {
    const crm_impulse *impulse = state->method_data;
    return crm_lcp_dump(state, impulse->fixed != NULL ? impulse->fixed->rows : NULL, path, error);
}

static void contract(const carom_method_def *def, carom_contract *contract) {
    contract->residual = fmin(def->impulse.tolerance, CRM_COARSEST_CONTACTS);
    contract->joint_drift = fmin(def->impulse.joint_tolerance, 0.05);
    if (def->impulse.variant == CAROM_IMPULSE_FIXED) contract->momentum_balance = 1e-12;
}

const crm_method crm_method_impulse = {
    .name = "impulse",
    .settings = "impulse",
    .contract = contract,
    .features = CRM_FEATURE_DRAG | CRM_FEATURE_DAMPER | CRM_FEATURE_WRENCH | CRM_FEATURE_CALLBACK | CRM_FEATURE_FIELD |
                CRM_FEATURE_JOINT | CRM_FEATURE_LOOP | CRM_FEATURE_LIMIT | CRM_FEATURE_JOINT_SPRING |
                CRM_FEATURE_JOINT_DAMPER | CRM_FEATURE_MOTOR | CRM_FEATURE_VELOCITY_MOTOR | CRM_FEATURE_CONTACT |
                CRM_FEATURE_MATERIAL | CRM_FEATURE_CONTAINER,
    .variant_key = "impulse.variant",
    .keeps_external_balance = true,
    .prepare = prepare,
    .release = release,
    .advance = advance,
    .accept = accept,
    .dump_problem = dump_problem,
};
