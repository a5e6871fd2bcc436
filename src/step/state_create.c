// SPDX-License-Identifier: MIT
// States: made, and prepared for their methods; given back.
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "model/body_groups.h"
#include "model/joint/joint_limits.h"
#include "model/proxies.h"
#include "step/certify/accounts.h"
#include "step/certify/rates.h"
#include "step/divide/divide.h"
#include "step/flex/flex_start.h"
#include "step/method.h"
#include "step/settings.h"
#include "step/start/start.h"
#include "step/switch/remake.h"

bool crm_state_take_memory(carom_state *state) {
    int bodies = state->model->bodies.count;
    // Zeroed: every byte of a motion is hashed and saved.
    state->motions = CRM_ARENA_ZEROED(&state->arena, crm_motion, bodies);
    state->next = CRM_ARENA_ZEROED(&state->arena, crm_motion, bodies);
    state->start_centre = CRM_ARENA_ZEROED(&state->arena, carom_vec3, bodies);
    state->impulse = CRM_ARENA_ZEROED(&state->arena, crm_vec6, bodies);
    state->active = CRM_ARENA_ZEROED(&state->arena, crm_vec6, bodies);
    state->passive = CRM_ARENA_ZEROED(&state->arena, crm_vec6, bodies);
    state->balances = CRM_ARENA_ZEROED(&state->arena, crm_momentum_balance, bodies);
    state->joined = CRM_ARENA_ARRAY(&state->arena, int, bodies);
    state->groups = CRM_ARENA_ARRAY(&state->arena, int, bodies);
    state->configs = CRM_ARENA_ZEROED(&state->arena, crm_joint_config, state->model->joints.count);
    state->reaction = CRM_ARENA_ZEROED(&state->arena, crm_vec6, 2 * (ptrdiff_t)state->model->joints.count);
    if (state->reaction != NULL) state->end_reaction = state->reaction + state->model->joints.count;
    state->former_reaction = CRM_ARENA_ARRAY(&state->arena, crm_vec6, 2 * (ptrdiff_t)state->model->joints.count);
    state->slots = crm_arena_take(&state->arena, crm_pool_slots_bytes(bodies, CRM_BODY_GRAIN, CRM_BODY_SLOT));
    if (crm_arena_refused(&state->arena)) return false;
    crm_body_groups(state->model, state->joined);
    return true;
}

static carom_status make_plan(carom_state *state, const carom_method_def *def, carom_error *error) {
    if (!crm_step_plan_create(def, &state->lasting, &state->plan))
        return crm_fail_memory(error, "steps that vary", (size_t)def->piece_count * sizeof *def->piece);
    state->method.piece = state->plan.piece;
    state->clock.step = crm_step_plan_next(&state->plan, 0.0);
    return CAROM_OK;
}

static carom_status set_initial_motions(carom_state *state, carom_error *error) {
    for (int b = 0; b < state->model->bodies.count; b++)
        state->motions[b] = crm_motion_initial(&state->model->bodies.items[b]);
    // Angles start within half a revolution of zero: the configurations are zero yet.
    carom_status status = carom_state_assemble(state, error);
    if (status != CAROM_OK) return status;
    return crm_joints_check_limits(state->model, state->motions, state->configs, error);
}

// As they are after the method was prepared, which may have made a choice that was left to it.
static carom_status list_settings(carom_state *state, carom_error *error) {
    const char *group = crm_method_of(state)->settings;
    state->setting_count = crm_settings_list(&state->method, group, NULL);
    state->settings = CRM_ARENA_ARRAY(&state->arena, crm_setting_value, state->setting_count);
    if (state->settings == NULL) return crm_fail_memory(error, "settings", sizeof *state->settings);
    crm_settings_list(&state->method, group, state->settings);
    return CAROM_OK;
}

carom_status crm_state_prepare(carom_state *state, carom_error *error) {
    const crm_method *method = crm_method_of(state);
    carom_status status = method->prepare != NULL ? method->prepare(state, error) : CAROM_OK;
    if (status != CAROM_OK) return status;
    if (method->keeps_external_balance && state->externals == NULL) crm_accounts_join_driven(state);
    status = crm_divide_create(state, error);
    if (status == CAROM_OK) status = list_settings(state, error);
    if (status != CAROM_OK) return status;
    state->contract = carom_method_contract(&state->method);
    crm_rates_prepare(state);
    return CAROM_OK;
}

void crm_state_release_method(carom_state *state) {
    const crm_method *method = crm_method_of(state);
    if (method->release != NULL) method->release(state);
    crm_divide_release(state);
}

static void note_start(carom_state *state) {
    const carom_start_report *start = &state->start;
    if (start->pairs == 0) return;
    double share = start->overlap / crm_pair_size(state->model, start->a.index, start->b.index);
    crm_finding_raise(state, CAROM_RULE_START_OVERLAP, share, start->a.index, start->b.index);
}

carom_status carom_state_create(const carom_model *model, const carom_method_def *def, carom_state **out,
                                carom_error *error) {
    CRM_NEED(model, error);
    CRM_NEED(def, error);
    CRM_NEED(out, error);
    *out = NULL;
    if (!model->frozen)
        return crm_fail(error, CAROM_ERR_FROZEN, "the model must be frozen before a state can be made of it");
    carom_status status = carom_method_supports(model, def, error);
    if (status != CAROM_OK) return status;
    carom_state *state = model->allocator.allocate(model->allocator.user, sizeof *state);
    if (state == NULL) return crm_fail_memory(error, "state", sizeof *state);
    *state = (carom_state){.model = model, .whole = model, .method = *def, .interruption.asked = model->interrupt};
    state->method.piece = NULL; // the plan has them
    crm_arena_init(&state->arena, &model->allocator);
    state->arena.frugal = true; // arrays of bodies, taken once
    crm_arena_init(&state->lasting, &model->allocator);
    if (model->switching_count > 0) status = crm_switches_create(state, error);
    if (status == CAROM_OK && !crm_state_take_memory(state))
        status = crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for a state of %d bodies", model->bodies.count);
    if (status == CAROM_OK) status = make_plan(state, def, error);
    if (status == CAROM_OK && def->threads > 1)
        status = crm_pool_create(&model->allocator, def->threads, &state->pool, error);
    if (status == CAROM_OK && !crm_accounts_create(state))
        status = crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for the accounts of %d bodies", model->bodies.count);
    if (status == CAROM_OK) status = set_initial_motions(state, error);
    if (status == CAROM_OK) status = crm_start_overlaps(state, carom_method_has_contact(def->method), error);
    if (status == CAROM_OK) status = crm_flex_start(state, error);
    if (status == CAROM_OK) note_start(state);
    if (status == CAROM_OK && state->switches != NULL && model->bodies.count > 0)
        memcpy(state->switches->base, state->motions, (size_t)model->bodies.count * sizeof *state->motions);
    if (status == CAROM_OK) status = crm_state_prepare(state, error);
    if (status != CAROM_OK) {
        carom_state_destroy(state);
        return status;
    }
    state->method.step = state->clock.step; // of the first step
    crm_rates_check(state->model, state, state->motions);
    state->method.step = state->plan.step;
    *out = state;
    return CAROM_OK;
}

void carom_state_destroy(carom_state *state) {
    if (state == NULL) return;
    carom_allocator allocator = state->model->allocator;
    crm_state_release_method(state);
    carom_contact_set_destroy(state->contact_set);
    CRM_ARRAY_FREE(&allocator, &state->loaded);
    CRM_ARRAY_FREE(&allocator, &state->contact_table);
    CRM_ARRAY_FREE(&allocator, &state->collisions);
    crm_pool_destroy(state->pool);
    crm_arena_free(&state->arena);
    crm_arena_free(&state->lasting);
    crm_switches_destroy(state);
    allocator.release(allocator.user, state, sizeof *state);
}
