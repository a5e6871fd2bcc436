// SPDX-License-Identifier: MIT
// What a state tells, and what it is told.
#include "model/model_state.h"
#include "model/flex/flex_forces.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/fail.h"
#include "base/limits/limit.h"
#include "model/force/evaluate.h"
#include "model/mechanism/assemble.h"

// rad. Far above what roundings of a long run tilt a planar body by, far below what a moment of inertia would notice.
static const double tilt_tolerance = 1e-8;

const carom_model *carom_state_model(const carom_state *state) {
    return state->whole;
}

const carom_method_def *carom_state_method(const carom_state *state) {
    return &state->method;
}

double carom_state_time(const carom_state *state) {
    return crm_clock_time(&state->clock, state->step_count);
}

double carom_state_next_step(const carom_state *state) {
    return crm_step_plan_next(&state->plan, carom_state_time(state));
}

int64_t carom_state_step_count(const carom_state *state) {
    return state->step_count;
}

void carom_state_time_phases(carom_state *state, bool on) {
    state->phases = (crm_phase_clock){.on = on};
}

carom_step_work carom_state_work(const carom_state *state) {
    return state->work;
}

carom_step_phases carom_state_phases(const carom_state *state) {
    return state->phases.sum;
}

const carom_contact_state *carom_state_contacts(const carom_state *state, int *count) {
    *count = state->contact_table.count;
    return state->contact_table.items;
}

const carom_collision *carom_state_collisions(const carom_state *state, int *count) {
    *count = state->collisions.count;
    return state->collisions.items;
}

bool carom_state_tells_collisions(const carom_state *state) {
    return state->tells_collisions;
}

carom_status carom_state_get_body(const carom_state *state, carom_body body, carom_body_state *out,
                                  carom_error *error) {
    CRM_NEED(state, error);
    CRM_NEED(out, error);
    carom_status status = crm_model_check_body(state->model, body, false, "get body state", error);
    if (status != CAROM_OK) return status;
    *out = crm_motion_to_body_state(&state->model->bodies.items[body.index], &state->motions[body.index]);
    return CAROM_OK;
}

// Angle between the world's z axis and where the attitude takes the body's vector that was along it at first.
static double tilt(const crm_body *body, carom_quat attitude) {
    carom_vec3 z = crm_vec3(0.0, 0.0, 1.0);
    carom_vec3 now = crm_quat_rotate(attitude, crm_quat_rotate_inverse(body->def.attitude, z));
    return atan2(crm_length(crm_cross(z, now)), now.z);
}

static carom_status check_body_state(const carom_state *state, int index, const carom_body_state *in,
                                     carom_error *error) {
    char name[CRM_BODY_TEXT], where[CRM_BODY_TEXT + 32];
    snprintf(where, sizeof where, "set body state: %s", crm_body_text(state->model, index, name));
    const crm_body *body = &state->model->bodies.items[index];
    carom_quat attitude;
    bool good = crm_quat_normalise(in->attitude, &attitude) && crm_vec3_finite(in->position) &&
                crm_vec3_finite(in->velocity) && crm_vec3_finite(in->spin);
    if (!good)
        return crm_refuse(error, "%s would get a number that is not finite, or an attitude of length zero", where);
    // Its one moment of inertia belongs to the axis that stood upright from the start.
    if (body->kind == CAROM_BODY_PLANAR && tilt(body, attitude) > tilt_tolerance)
        return crm_refuse(error, "%s: a planar body rotates about z only; this attitude tilts it by %.3g rad", where,
                          tilt(body, attitude));
    carom_status status = crm_body_check_kind(where, body->kind, in->velocity, in->spin, error);
    return status == CAROM_OK ? crm_body_check_energy(where, body, in->velocity, in->spin, error) : status;
}

carom_status carom_state_set_body(carom_state *state, carom_body body, const carom_body_state *in, carom_error *error) {
    CRM_NEED(state, error);
    CRM_NEED(in, error);
    carom_status status = crm_model_check_body(state->model, body, false, "set body state", error);
    if (status == CAROM_OK) status = check_body_state(state, body.index, in, error);
    if (status != CAROM_OK) return status;
    carom_body_state value = *in;
    value.attitude = crm_quat_normalised(in->attitude);
    state->contacts_known = false;
    state->motions[body.index] = crm_motion_from_body_state(&state->model->bodies.items[body.index], &value);
    for (int f = 0; f < state->model->flexes.count; f++)
        crm_flex_carry(state->model, &state->model->flexes.items[f], state->motions);
    crm_joints_remember(state->model, state->motions, state->configs);
    return CAROM_OK;
}

carom_status carom_state_apply_impulse(carom_state *state, carom_body body, carom_vec3 impulse, carom_vec3 couple,
                                       carom_error *error) {
    CRM_NEED(state, error);
    carom_status status = crm_model_check_body(state->model, body, false, "apply impulse", error);
    if (status != CAROM_OK) return status;
    if (!crm_vec3_finite(impulse) || !crm_vec3_finite(couple))
        return crm_refuse(error, "apply impulse: impulse and couple must be finite");
    const crm_body *of = &state->model->bodies.items[body.index];
    crm_vec6 change = crm_wrench_projected(of->kind, crm_vec6_of(impulse, couple));
    crm_motion after = state->motions[body.index];
    after.p = crm_add(after.p, change.linear);
    after.l = crm_add(after.l, change.angular);
    char name[CRM_BODY_TEXT], where[CRM_BODY_TEXT + 32];
    snprintf(where, sizeof where, "apply impulse: %s", crm_body_text(state->model, body.index, name));
    status = crm_body_check_energy(where, of, crm_motion_velocity(of, &after), crm_motion_spin(of, &after), error);
    if (status != CAROM_OK) return status;
    state->contacts_known = false; // how far bodies get in a step has changed
    state->motions[body.index] = after;
    for (int f = 0; f < state->model->flexes.count; f++)
        crm_flex_carry(state->model, &state->model->flexes.items[f], state->motions);
    return CAROM_OK;
}

int crm_state_joint_number(const carom_state *state, int joint) {
    return state->switches != NULL ? state->switches->closed->number_of[joint] : joint;
}

bool carom_state_joint_is_closed(const carom_state *state, carom_joint joint) {
    return joint.index >= 0 && joint.index < state->whole->joints.count &&
           crm_state_joint_number(state, joint.index) >= 0;
}

const carom_joint_event *carom_state_joint_events(const carom_state *state, int *count) {
    *count = state->switches != NULL ? state->switches->events.count : 0;
    return state->switches != NULL ? state->switches->events.items : NULL;
}

const char *carom_switch_reason_name(carom_switch_reason reason) {
    static const char *const names[CAROM_SWITCH_COUNT] = {"latch", "force", "moment", "command", "start"};
    return (int)reason >= 0 && reason < CAROM_SWITCH_COUNT ? names[reason] : "?";
}

carom_status carom_state_get_joint(const carom_state *state, carom_joint id, carom_joint_state *out,
                                   carom_error *error) {
    CRM_NEED(state, error);
    CRM_NEED(out, error);
    carom_status status = crm_model_check_joint(state->whole, id, "get joint state", error);
    if (status != CAROM_OK) return status;
    int number = crm_state_joint_number(state, id.index);
    const crm_joint *joint = number >= 0 ? &state->model->joints.items[number] : &state->whole->joints.items[id.index];
    crm_joint_pose pose = crm_joint_evaluate(joint, state->motions);
    crm_joint_twists twists = crm_joint_twists_of(state->model, joint, state->motions);
    crm_joint_config config = number >= 0 ? state->configs[number] : crm_joint_config_of(joint, &pose, NULL);
    *out = (carom_joint_state){.closed = number >= 0,
                               .coordinate_count = joint->free,
                               .point = crm_point_position((crm_point){joint->b.body, joint->b.at}, state->motions)};
    if (number >= 0) {
        out->force = state->reaction[number].linear;
        out->torque = state->reaction[number].angular;
        out->end_force = state->end_reaction[number].linear;
        out->end_torque = state->end_reaction[number].angular;
    }
    crm_joint_values(joint, &config, out->coordinate);
    crm_joint_rates(joint, &pose, &twists, out->rate);
    crm_joint_drift(joint, &pose, &out->linear_drift, &out->angular_drift);
    return CAROM_OK;
}

carom_status carom_state_assemble(carom_state *state, carom_error *error) {
    CRM_NEED(state, error);
    carom_assembly report;
    carom_status status = crm_assemble(state->model, state->motions, &report, error);
    if (status != CAROM_OK) return status;
    state->assembly = report;
    state->contacts_known = false;
    crm_joints_remember(state->model, state->motions, state->configs);
    return CAROM_OK;
}

const carom_assembly *carom_state_assembly(const carom_state *state) {
    return &state->assembly;
}

const carom_start_report *carom_state_start(const carom_state *state) {
    return &state->start;
}

carom_energy carom_state_energy(const carom_state *state) {
    carom_energy energy = crm_energy(state->model, carom_state_time(state), state->motions, state->configs);
    if (state->stored_energy != NULL) energy.potential += state->stored_energy(state, state->motions, NULL, 0);
    return energy;
}

carom_momentum carom_state_momentum(const carom_state *state) {
    return crm_momentum(state->model, state->motions);
}

static bool ask_to_end(void *user) {
    crm_interruption *end = user;
    if (atomic_load_explicit(&end->happened, memory_order_relaxed)) return true;
    if (!crm_interrupted(&end->asked)) return false;
    atomic_store_explicit(&end->happened, true, memory_order_relaxed);
    return true;
}

carom_interrupt crm_state_interrupt(const carom_state *state) {
    if (state->interruption.asked.asked == NULL) return (carom_interrupt){NULL, NULL};
    return (carom_interrupt){ask_to_end, (void *)(uintptr_t)&state->interruption};
}

bool crm_state_interrupted(const carom_state *state) {
    carom_interrupt interrupt = crm_state_interrupt(state);
    return crm_interrupted(&interrupt);
}

void crm_state_keep(carom_state *state, crm_kept kept) {
    CRM_ASSERT(state->kept_count < CRM_MOST_KEPT);
    state->kept[state->kept_count++] = kept;
}
