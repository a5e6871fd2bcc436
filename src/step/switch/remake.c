// SPDX-License-Identifier: MIT
#include "step/switch/remake.h"

#include <string.h>

#include "base/fail.h"
#include "step/certify/accounts.h"
#include "step/method.h"

struct crm_former {
    carom_state state;
    crm_closed_model *closed;
};

// ---- the memory of a state that depends on its joints

// What stays with the state whatever its joints are; all else is made for them.
static void clear(carom_state *state, const carom_state *former, const carom_model *model) {
    state->model = model;
    state->motions = state->next = NULL;
    state->kept_count = state->setting_count = 0;
    state->settings = NULL;
    state->contact_set = NULL;
    state->contact_list = (crm_contact_list){0};
    memset(&state->loaded, 0, sizeof state->loaded);
    state->contacts_known = false;
    memset(&state->contact_table, 0, sizeof state->contact_table);
    state->accounts = (crm_accounts){0};
    state->impulse_midway = NULL;
    state->node_impulse_place = NULL;
    state->impulse_size = NULL;
    state->followers = NULL;
    state->externals = NULL;
    state->contact_active = NULL;
    state->drag = NULL;
    state->divide = NULL;
    state->method_data = NULL;
    state->stored_energy = NULL;
    crm_arena_init(&state->arena, &model->allocator);
    state->arena.frugal = former->arena.frugal;
}

static void release_memory(carom_state *state) {
    const carom_allocator *allocator = &state->model->allocator;
    crm_state_release_method(state);
    carom_contact_set_destroy(state->contact_set);
    CRM_ARRAY_FREE(allocator, &state->loaded);
    CRM_ARRAY_FREE(allocator, &state->contact_table);
    crm_arena_free(&state->arena);
}

// A copy of the state as it was, but for what the run itself has changed since.
static void put_back(carom_state *state, const carom_state *former) {
    bool stepping = state->interruption.stepping, closed = atomic_load(&state->interruption.happened);
    crm_phase_clock phases = state->phases;
    crm_collision_list collisions = state->collisions; // may have grown
    *state = *former;
    state->collisions = collisions;
    state->phases = phases;
    state->interruption.stepping = stepping;
    atomic_store(&state->interruption.happened, closed);
}

static carom_status prepare(carom_state *state, carom_error *error) {
    size_t bytes = (size_t)state->model->bodies.count * sizeof *state->motions;
    if (!crm_state_take_memory(state) || !crm_accounts_create(state)) return crm_fail_memory(error, "state", bytes);
    if (bytes > 0) memcpy(state->motions, state->switches->next_base, bytes);
    crm_joints_remember(state->model, state->motions, state->configs);
    return crm_state_prepare(state, error);
}

// Joints that were closed before go on counting rotations, and bear what they bore.
static void carry_joints(carom_state *state, const crm_former *former, const crm_closed_model *closed) {
    for (int j = 0; j < state->model->joints.count; j++) {
        int before = former->closed->number_of[closed->joint[j]];
        if (before < 0) continue;
        state->configs[j] = former->state.configs[before];
        state->reaction[j] = former->state.reaction[before];
        state->end_reaction[j] = former->state.end_reaction[before];
    }
    crm_joints_remember(state->model, state->motions, state->configs);
}

static void exchange(crm_switches *switches) {
    crm_joint_switch *joint = switches->joint;
    crm_motion *base = switches->base;
    switches->joint = switches->next, switches->next = joint;
    switches->base = switches->next_base, switches->next_base = base;
}

// ---- the calls

static void undo(carom_state *state, crm_former *former) {
    const carom_allocator allocator = state->whole->allocator;
    release_memory(state);
    crm_closed_model_destroy(state->switches->closed);
    exchange(state->switches);
    put_back(state, &former->state);
    state->switches->closed = former->closed;
    allocator.release(allocator.user, former, sizeof *former);
}

static void keep(carom_state *state, crm_former *former) {
    const carom_allocator allocator = state->whole->allocator;
    release_memory(&former->state);
    crm_closed_model_destroy(former->closed);
    allocator.release(allocator.user, former, sizeof *former);
}

static carom_status remake(carom_state *state, crm_former **out, carom_error *error) {
    crm_switches *switches = state->switches;
    const carom_allocator allocator = state->whole->allocator;
    crm_former *former = allocator.allocate(allocator.user, sizeof *former);
    if (former == NULL) return crm_fail_memory(error, "joints that switch", sizeof *former);
    crm_closed_model *closed;
    carom_status status = crm_closed_model_create(state->whole, switches->next, NULL, &closed, error);
    if (status == CAROM_OK) status = carom_method_supports(&closed->model, &state->method, error);
    if (status != CAROM_OK) {
        crm_closed_model_destroy(closed);
        allocator.release(allocator.user, former, sizeof *former);
        return status;
    }
    *former = (crm_former){.state = *state, .closed = switches->closed};
    clear(state, &former->state, &closed->model);
    switches->closed = closed;
    status = prepare(state, error);
    exchange(switches);
    if (status != CAROM_OK) {
        undo(state, former);
        return status;
    }
    size_t bodies = (size_t)state->model->bodies.count;
    if (bodies > 0) memcpy(state->start_centre, former->state.start_centre, bodies * sizeof *state->start_centre);
    carry_joints(state, former, closed);
    crm_accounts_carry(state, &former->state.accounts);
    *out = former;
    return CAROM_OK;
}

static const crm_remake_calls calls = {remake, keep, undo};

// ---- making and releasing

carom_status crm_switches_create(carom_state *state, carom_error *error) {
    const carom_model *whole = state->whole;
    const carom_allocator *allocator = &whole->allocator;
    crm_switches *s = allocator->allocate(allocator->user, sizeof *s);
    if (s == NULL) return crm_fail_memory(error, "joints that switch", sizeof *s);
    *s = (crm_switches){.calls = &calls};
    crm_arena_init(&s->arena, allocator);
    state->switches = s;
    int joints = whole->joints.count, bodies = whole->bodies.count, coordinates = 0;
    for (int j = 0; j < joints; j++) coordinates += whole->joints.items[j].free;
    // Zeroed: every byte is hashed and saved.
    s->joint = CRM_ARENA_ZEROED(&s->arena, crm_joint_switch, joints);
    s->next = CRM_ARENA_ZEROED(&s->arena, crm_joint_switch, joints);
    s->base = CRM_ARENA_ZEROED(&s->arena, crm_motion, bodies);
    s->next_base = CRM_ARENA_ZEROED(&s->arena, crm_motion, bodies);
    s->events.items = CRM_ARENA_ZEROED(&s->arena, carom_joint_event, joints);
    s->motors.items = CRM_ARENA_ZEROED(&s->arena, carom_motor_input, coordinates);
    if (crm_arena_refused(&s->arena)) return crm_fail_memory(error, "joints that switch", sizeof(crm_joint_switch));
    s->events.capacity = joints;
    s->motors.capacity = coordinates;
    for (int j = 0; j < joints; j++) s->joint[j] = crm_joint_switch_initial(&whole->joints.items[j]);
    carom_status status = crm_closed_model_create(whole, s->joint, NULL, &s->closed, error);
    if (status == CAROM_OK) state->model = &s->closed->model;
    return status;
}

void crm_switches_destroy(carom_state *state) {
    crm_switches *s = state->switches;
    if (s == NULL) return;
    const carom_allocator allocator = state->whole->allocator;
    crm_closed_model_destroy(s->closed);
    crm_arena_free(&s->arena);
    allocator.release(allocator.user, s, sizeof *s);
}
