// SPDX-License-Identifier: MIT
// Asking, copying, saving and hashing a state.
#include "model/state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/hash.h"
#include "model/assemble.h"
#include "model/evaluate.h"

// rad. Far above what roundings of a long run tilt a planar body by, far below what a moment of inertia would notice.
static const double tilt_tolerance = 1e-8;

const carom_model *carom_state_model(const carom_state *state) {
    return state->model;
}

const carom_method_def *carom_state_method(const carom_state *state) {
    return &state->method;
}

double carom_state_time(const carom_state *state) {
    return (double)state->step_count * state->method.step;
}

int64_t carom_state_step_count(const carom_state *state) {
    return state->step_count;
}

const carom_contact_state *carom_state_contacts(const carom_state *state, int *count) {
    *count = state->contact_count;
    return state->contacts;
}

carom_status carom_state_get_body(const carom_state *state, carom_body body, carom_body_state *out,
                                  carom_error *error) {
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
        return crm_fail(error, CAROM_ERR_BAD_INPUT,
                        "%s would get a number that is not finite, or an attitude of length zero", where);
    // Its one moment of inertia belongs to the axis that stood upright from the start.
    if (body->kind == CAROM_BODY_PLANAR && tilt(body, attitude) > tilt_tolerance)
        return crm_fail(error, CAROM_ERR_BAD_INPUT,
                        "%s: a planar body turns about z only; this attitude tilts it by %.3g rad", where,
                        tilt(body, attitude));
    return crm_body_check_kind(where, body->kind, in->velocity, in->spin, error);
}

carom_status carom_state_set_body(carom_state *state, carom_body body, const carom_body_state *in, carom_error *error) {
    carom_status status = crm_model_check_body(state->model, body, false, "set body state", error);
    if (status == CAROM_OK) status = check_body_state(state, body.index, in, error);
    if (status != CAROM_OK) return status;
    carom_body_state value = *in;
    value.attitude = crm_quat_normalised(in->attitude);
    state->motions[body.index] = crm_motion_from_body_state(&state->model->bodies.items[body.index], &value);
    crm_joints_remember(state->model, state->motions, state->configs);
    return CAROM_OK;
}

carom_status carom_state_get_joint(const carom_state *state, carom_joint id, carom_joint_state *out,
                                   carom_error *error) {
    carom_status status = crm_model_check_joint(state->model, id, "get joint state", error);
    if (status != CAROM_OK) return status;
    const crm_joint *joint = &state->model->joints.items[id.index];
    crm_joint_place place = crm_joint_place_of(joint, state->motions);
    crm_joint_twists twists = crm_joint_twists_of(state->model, joint, state->motions);
    *out = (carom_joint_state){.coordinate_count = joint->free,
                               .point = crm_point_place((crm_point){joint->b.body, joint->b.at}, state->motions),
                               .force = state->reaction[id.index].linear,
                               .torque = state->reaction[id.index].angular,
                               .end_force = state->end_reaction[id.index].linear,
                               .end_torque = state->end_reaction[id.index].angular};
    crm_joint_values(joint, &state->configs[id.index], out->coordinate);
    crm_joint_rates(joint, &place, &twists, out->rate);
    crm_joint_drift(joint, &place, &out->linear_drift, &out->angular_drift);
    return CAROM_OK;
}

carom_status carom_state_assemble(carom_state *state, carom_error *error) {
    carom_assembly report;
    carom_status status = crm_assemble(state->model, state->motions, &report, error);
    if (status != CAROM_OK) return status;
    state->assembly = report;
    crm_joints_remember(state->model, state->motions, state->configs);
    return CAROM_OK;
}

const carom_assembly *carom_state_assembly(const carom_state *state) {
    return &state->assembly;
}

carom_energy carom_state_energy(const carom_state *state) {
    return crm_energy(state->model, carom_state_time(state), state->motions, state->configs);
}

carom_momentum carom_state_momentum(const carom_state *state) {
    return crm_momentum(state->model, state->motions);
}

static size_t motions_size(const carom_state *state) {
    return (size_t)state->model->bodies.count * sizeof *state->motions;
}

static size_t configs_size(const carom_state *state) {
    return (size_t)state->model->joints.count * sizeof *state->configs;
}

static size_t reactions_size(const carom_state *state) {
    return 2 * (size_t)state->model->joints.count * sizeof *state->reaction;
}

// Of the parts of a state, in whatever memory they lie.
static uint64_t hash_parts(const carom_state *state, int64_t step_count, double substep, const void *motions,
                           const void *configs, const void *reaction) {
    uint64_t hash = crm_hash(0, &step_count, sizeof step_count);
    hash = crm_hash(hash, &state->method.step, sizeof state->method.step);
    hash = crm_hash(hash, &substep, sizeof substep);
    hash = crm_hash(hash, motions, motions_size(state));
    if (state->model->joints.count == 0) return hash;
    return crm_hash(crm_hash(hash, configs, configs_size(state)), reaction, reactions_size(state));
}

uint64_t carom_state_hash(const carom_state *state) {
    return hash_parts(state, state->step_count, state->substep, state->motions, state->configs, state->reaction);
}

// Of the settings of integrators, all of which influence later bits.
static uint64_t integrator_hash(const carom_method_def *def) {
    const double numbers[] = {(double)def->integrator,    def->relative_tolerance, def->absolute_tolerance,
                              (double)def->substep_limit, def->stabilisation,      def->baumgarte_alpha,
                              def->baumgarte_beta};
    return crm_hash(0, numbers, sizeof numbers);
}

// How a saved state begins. Motions, configurations of joints and reactions follow; `hash` tells damage.
typedef struct saved_header {
    char mark[8];
    int32_t format;
    int32_t method;
    int32_t euler_form;
    int32_t body_count;
    int64_t iteration_limit;
    double tolerance;
    double step;
    double substep;
    uint64_t integrator;
    int64_t step_count;
    uint64_t fingerprint;
    uint64_t hash;
} saved_header;

enum { SAVED_FORMAT = 2 };
static const char saved_mark[8] = "caromst";

size_t carom_state_size(const carom_state *state) {
    return sizeof(saved_header) + motions_size(state) + configs_size(state) + reactions_size(state);
}

void carom_state_save(const carom_state *state, void *bytes) {
    saved_header header = {.format = SAVED_FORMAT,
                           .method = (int32_t)state->method.method,
                           .euler_form = (int32_t)state->method.euler_form,
                           .body_count = state->model->bodies.count,
                           .iteration_limit = state->method.iteration_limit,
                           .tolerance = state->method.tolerance,
                           .step = state->method.step,
                           .substep = state->substep,
                           .integrator = integrator_hash(&state->method),
                           .step_count = state->step_count,
                           .fingerprint = crm_model_fingerprint(state->model),
                           .hash = carom_state_hash(state)};
    memcpy(header.mark, saved_mark, sizeof header.mark);
    unsigned char *to = bytes;
    memcpy(to, &header, sizeof header);
    memcpy(to += sizeof header, state->motions, motions_size(state));
    memcpy(to += motions_size(state), state->configs, configs_size(state));
    memcpy(to + configs_size(state), state->reaction, reactions_size(state));
}

static carom_status check_header(const carom_state *state, const saved_header *header, size_t size,
                                 carom_error *error) {
    if (size < sizeof *header || memcmp(header->mark, saved_mark, sizeof header->mark) != 0)
        return crm_fail(error, CAROM_ERR_BAD_INPUT, "saved state: these %zu bytes are no saved state of carom", size);
    if (header->format != SAVED_FORMAT)
        return crm_fail(error, CAROM_ERR_UNSUPPORTED, "saved state: its format is %d, this carom reads %d",
                        header->format, SAVED_FORMAT);
    if (header->body_count != state->model->bodies.count || header->fingerprint != crm_model_fingerprint(state->model))
        return crm_fail(error, CAROM_ERR_BAD_INPUT, "saved state: it belongs to another model (%d bodies, here %d)",
                        header->body_count, state->model->bodies.count);
    if (header->method != (int32_t)state->method.method || header->euler_form != (int32_t)state->method.euler_form ||
        header->step != state->method.step)
        return crm_fail(error, CAROM_ERR_BAD_INPUT,
                        "saved state: it was made by %s with step %g s, this state is %s with step %g s",
                        carom_method_name((carom_method)header->method), header->step,
                        carom_method_name(state->method.method), state->method.step);
    if (header->tolerance != state->method.tolerance || header->iteration_limit != state->method.iteration_limit)
        return crm_fail(
            error, CAROM_ERR_BAD_INPUT,
            "saved state: it was made with tolerance %g and iteration limit %lld, this state has %g and %d, "
            "which may change later bits",
            header->tolerance, (long long)header->iteration_limit, state->method.tolerance,
            state->method.iteration_limit);
    if (header->integrator != integrator_hash(&state->method))
        return crm_fail(error, CAROM_ERR_BAD_INPUT,
                        "saved state: it was made with another integrator, tolerance or stabilisation, which may "
                        "change later bits");
    if (size != carom_state_size(state))
        return crm_fail(error, CAROM_ERR_BAD_INPUT, "saved state: %zu bytes, must be %zu: it is cut off", size,
                        carom_state_size(state));
    return CAROM_OK;
}

carom_status carom_state_load(carom_state *state, const void *bytes, size_t size, carom_error *error) {
    saved_header header = {.mark = ""};
    if (size >= sizeof header) memcpy(&header, bytes, sizeof header);
    carom_status status = check_header(state, &header, size, error);
    if (status != CAROM_OK) return status;
    const unsigned char *motions = (const unsigned char *)bytes + sizeof header;
    const unsigned char *configs = motions + motions_size(state), *reaction = configs + configs_size(state);
    if (hash_parts(state, header.step_count, header.substep, motions, configs, reaction) != header.hash)
        return crm_fail(error, CAROM_ERR_BAD_INPUT, "saved state: its contents are damaged");
    memcpy(state->motions, motions, motions_size(state));
    memcpy(state->configs, configs, configs_size(state));
    memcpy(state->reaction, reaction, reactions_size(state));
    state->step_count = header.step_count;
    state->substep = header.substep;
    return CAROM_OK;
}

carom_status carom_state_copy(const carom_state *from, carom_state *to, carom_error *error) {
    const carom_method_def *a = &from->method, *b = &to->method;
    if (from->model != to->model || a->method != b->method || a->step != b->step || a->euler_form != b->euler_form ||
        integrator_hash(a) != integrator_hash(b))
        return crm_fail(error, CAROM_ERR_BAD_INPUT, "copy state: both must be of the same model and method");
    memcpy(to->motions, from->motions, motions_size(from));
    memcpy(to->configs, from->configs, configs_size(from));
    memcpy(to->reaction, from->reaction, reactions_size(from));
    to->step_count = from->step_count;
    to->substep = from->substep;
    return CAROM_OK;
}
