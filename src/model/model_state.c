// SPDX-License-Identifier: MIT
// Asking, copying, saving and hashing a state.
#include "model/model_state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/fail.h"
#include "base/hash.h"
#include "model/force/evaluate.h"
#include "model/mechanism/assemble.h"

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
    *count = state->contact_table.count;
    return state->contact_table.items;
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
    state->contacts_known = false;
    state->motions[body.index] = crm_motion_from_body_state(&state->model->bodies.items[body.index], &value);
    crm_joints_remember(state->model, state->motions, state->configs);
    return CAROM_OK;
}

carom_status carom_state_get_joint(const carom_state *state, carom_joint id, carom_joint_state *out,
                                   carom_error *error) {
    carom_status status = crm_model_check_joint(state->model, id, "get joint state", error);
    if (status != CAROM_OK) return status;
    const crm_joint *joint = &state->model->joints.items[id.index];
    crm_joint_pose pose = crm_joint_evaluate(joint, state->motions);
    crm_joint_twists twists = crm_joint_twists_of(state->model, joint, state->motions);
    *out = (carom_joint_state){.coordinate_count = joint->free,
                               .point = crm_point_position((crm_point){joint->b.body, joint->b.at}, state->motions),
                               .force = state->reaction[id.index].linear,
                               .torque = state->reaction[id.index].angular,
                               .end_force = state->end_reaction[id.index].linear,
                               .end_torque = state->end_reaction[id.index].angular};
    crm_joint_values(joint, &state->configs[id.index], out->coordinate);
    crm_joint_rates(joint, &pose, &twists, out->rate);
    crm_joint_drift(joint, &pose, &out->linear_drift, &out->angular_drift);
    return CAROM_OK;
}

carom_status carom_state_assemble(carom_state *state, carom_error *error) {
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

carom_energy carom_state_energy(const carom_state *state) {
    carom_energy energy = crm_energy(state->model, carom_state_time(state), state->motions, state->configs);
    if (state->stored_energy != NULL) energy.potential += state->stored_energy(state, state->motions);
    return energy;
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

void crm_state_keep(carom_state *state, void *start, size_t bytes, bool of_contacts) {
    CRM_ASSERT(state->kept_count < CRM_MOST_KEPT);
    state->kept[state->kept_count++] = (crm_kept){start, bytes, of_contacts};
}

static size_t kept_size(const carom_state *state) {
    size_t size = 0;
    for (int i = 0; i < state->kept_count; i++) size += state->kept[i].bytes;
    return size;
}

// The numbers and words of a contact, without what the compiler leaves between them.
static uint64_t hash_contact(uint64_t hash, const carom_contact *c) {
    const int32_t words[] = {c->a, c->b, c->part_a, c->part_b, (int32_t)c->kind, c->feature_a, c->feature_b, c->fresh};
    const carom_vec3 vectors[] = {c->normal, c->point_a, c->point_b, c->tangent};
    hash = crm_hash(crm_hash(hash, words, sizeof words), &c->gap, sizeof c->gap);
    return crm_hash(crm_hash(hash, vectors, sizeof vectors), c->impulse, sizeof c->impulse);
}

uint64_t carom_state_hash(const carom_state *state) {
    uint64_t hash = crm_hash(0, &state->step_count, sizeof state->step_count);
    hash = crm_hash(hash, &state->method.step, sizeof state->method.step);
    hash = crm_hash(hash, state->motions, motions_size(state));
    if (state->model->joints.count > 0)
        hash = crm_hash(crm_hash(hash, state->configs, configs_size(state)), state->reaction, reactions_size(state));
    for (int i = 0; i < state->kept_count; i++) {
        const crm_kept *kept = &state->kept[i];
        if (kept->bytes > 0 && (state->contacts_known || !kept->of_contacts))
            hash = crm_hash(hash, kept->start, kept->bytes);
    }
    if (!state->contacts_known) return hash;
    for (int i = 0; i < state->contact_list.count; i++) hash = hash_contact(hash, &state->contact_list.items[i]);
    return hash;
}

// Of the settings that influence later bits, but those that the header names.
static uint64_t settings_hash(const carom_method_def *def) {
    const carom_lcp_def *lcp = &def->lcp;
    const double numbers[] = {(double)def->integrator,    def->relative_tolerance, def->absolute_tolerance,
                              (double)def->substep_limit, def->stabilisation,      def->baumgarte_alpha,
                              def->baumgarte_beta};
    const double contact[] = {lcp->tolerance,
                              lcp->gamma,
                              lcp->barrier,
                              lcp->push_out,
                              (double)lcp->friction,
                              (double)lcp->pyramid_sides,
                              (double)lcp->restitution,
                              (double)lcp->measure,
                              (double)lcp->all_contacts,
                              (double)lcp->continuous,
                              (double)lcp->solver,
                              (double)lcp->iterations,
                              lcp->effort};
    const carom_impulse_def *impulse = &def->impulse;
    const double blows[] = {(double)impulse->variant,      (double)impulse->law, impulse->tangential_restitution,
                            (double)impulse->simultaneous, impulse->tolerance,   impulse->joint_tolerance,
                            impulse->rest_speed,           impulse->push_out,    (double)impulse->iterations,
                            (double)impulse->event_limit};
    const carom_penalty_def *penalty = &def->penalty;
    const double springs[] = {penalty->stiffness, penalty->damping, penalty->penetration, penalty->tangent_stiffness,
                              (double)penalty->friction};
    const double exact[] = {(double)def->exact.jump, (double)def->exact.event_limit};
    const double dcr[] = {def->dcr.tolerance, def->dcr.effort, (double)def->dcr.potential};
    const double potential[] = {def->potential.stiffness, def->potential.overlap, def->potential.damping};
    uint64_t hash = crm_hash(0, numbers, sizeof numbers);
    if (def->method == CAROM_METHOD_LCP) hash = crm_hash(hash, contact, sizeof contact);
    if (def->method == CAROM_METHOD_IMPULSE) hash = crm_hash(hash, blows, sizeof blows);
    if (def->method == CAROM_METHOD_PENALTY) hash = crm_hash(hash, springs, sizeof springs);
    if (def->method == CAROM_METHOD_POTENTIAL || def->method == CAROM_METHOD_NEWMARK)
        hash = crm_hash(hash, potential, sizeof potential);
    if (def->method == CAROM_METHOD_EXACT) hash = crm_hash(hash, exact, sizeof exact);
    if (def->method == CAROM_METHOD_DCR) hash = crm_hash(hash, dcr, sizeof dcr);
    return hash;
}

// How a saved state begins. Motions, configurations of joints, reactions, what the method keeps, the list of contacts
// and what the contact set remembers follow; `digest` is of all that, and tells damage.
typedef struct saved_header {
    char mark[8];
    int32_t format;
    int32_t method;
    int32_t form;
    int32_t body_count;
    int64_t iteration_limit;
    double tolerance;
    double step;
    uint64_t settings;
    int64_t step_count;
    int64_t contact_count; // -1: the list is not known
    int64_t table_count;
    uint64_t set_bytes;
    uint64_t fingerprint;
    uint64_t digest;
} saved_header;

enum { SAVED_FORMAT = 5 };
static const char saved_mark[8] = "caromst";

// Of what has the same size in every state of this model and method.
static size_t plain_size(const carom_state *state) {
    return motions_size(state) + configs_size(state) + reactions_size(state) + kept_size(state);
}

static size_t set_size(const carom_state *state) {
    return state->contact_set != NULL ? carom_contact_set_size(state->contact_set) : 0;
}

static size_t table_size(const carom_state *state) {
    return (size_t)state->contact_table.count * sizeof *state->contact_table.items;
}

size_t carom_state_size(const carom_state *state) {
    size_t contacts = state->contacts_known ? (size_t)state->contact_list.count : 0;
    return sizeof(saved_header) + plain_size(state) + contacts * sizeof(carom_contact) + table_size(state) +
           set_size(state);
}

static unsigned char *put(unsigned char *to, const void *from, size_t size) {
    if (size > 0) memcpy(to, from, size);
    return to + size;
}

static const unsigned char *get(const unsigned char *from, void *to, size_t size) {
    if (size > 0) memcpy(to, from, size);
    return from + size;
}

// All bytes set, those between the members too.
static unsigned char *put_contact(unsigned char *to, const carom_contact *c) {
    carom_contact clean;
    memset(&clean, 0, sizeof clean);
    clean.a = c->a, clean.b = c->b, clean.part_a = c->part_a, clean.part_b = c->part_b, clean.kind = c->kind;
    clean.feature_a = c->feature_a, clean.feature_b = c->feature_b, clean.fresh = c->fresh;
    clean.gap = c->gap, clean.normal = c->normal, clean.point_a = c->point_a, clean.point_b = c->point_b;
    clean.tangent = c->tangent;
    memcpy(clean.impulse, c->impulse, sizeof clean.impulse);
    return put(to, &clean, sizeof clean);
}

// Of everything but the digest itself.
static uint64_t digest_of(saved_header header, const void *rest, size_t size) {
    header.digest = 0;
    return crm_hash(crm_hash(0, &header, sizeof header), rest, size);
}

void carom_state_save(const carom_state *state, void *bytes) {
    saved_header header = {.format = SAVED_FORMAT,
                           .method = (int32_t)state->method.method,
                           .form = (int32_t)state->method.form,
                           .body_count = state->model->bodies.count,
                           .iteration_limit = state->method.iteration_limit,
                           .tolerance = state->method.tolerance,
                           .step = state->method.step,
                           .settings = settings_hash(&state->method),
                           .step_count = state->step_count,
                           .contact_count = state->contacts_known ? state->contact_list.count : -1,
                           .table_count = state->contact_table.count,
                           .set_bytes = set_size(state),
                           .fingerprint = crm_model_fingerprint(state->model)};
    memcpy(header.mark, saved_mark, sizeof header.mark);
    unsigned char *start = (unsigned char *)bytes + sizeof header, *to = start;
    to = put(to, state->motions, motions_size(state));
    to = put(to, state->configs, configs_size(state));
    to = put(to, state->reaction, reactions_size(state));
    for (int i = 0; i < state->kept_count; i++) to = put(to, state->kept[i].start, state->kept[i].bytes);
    for (int64_t i = 0; i < header.contact_count; i++) to = put_contact(to, &state->contact_list.items[i]);
    to = put(to, state->contact_table.items, table_size(state));
    if (state->contact_set != NULL) carom_contact_set_save(state->contact_set, to);
    header.digest = digest_of(header, start, carom_state_size(state) - sizeof header);
    memcpy(bytes, &header, sizeof header);
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
    if (header->method != (int32_t)state->method.method || header->form != (int32_t)state->method.form ||
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
    if (header->settings != settings_hash(&state->method))
        return crm_fail(error, CAROM_ERR_BAD_INPUT,
                        "saved state: it was made with other settings of its method, which may change later bits");
    size_t rest = size - sizeof *header, plain = plain_size(state);
    uint64_t contacts = header->contact_count > 0 ? (uint64_t)header->contact_count : 0;
    uint64_t table = header->table_count > 0 ? (uint64_t)header->table_count : 0;
    bool whole =
        rest >= plain && contacts <= (rest - plain) / sizeof(carom_contact) &&
        table <= (rest - plain) / sizeof(carom_contact_state) &&
        plain + contacts * sizeof(carom_contact) + table * sizeof(carom_contact_state) + header->set_bytes == rest;
    if (!whole)
        return crm_fail(error, CAROM_ERR_BAD_INPUT, "saved state: it is cut off, or bytes were added: it has %zu",
                        size);
    return CAROM_OK;
}

static carom_status load_contacts(carom_state *state, const saved_header *header, const unsigned char *from,
                                  carom_error *error) {
    if (state->contact_set == NULL) return CAROM_OK;
    int count = header->contact_count > 0 ? (int)header->contact_count : 0;
    int rows = header->table_count > 0 ? (int)header->table_count : 0;
    if (!CRM_ARRAY_RESERVE(&state->model->allocator, &state->contact_list, count) ||
        !CRM_ARRAY_RESERVE(&state->model->allocator, &state->contact_table, rows))
        return crm_fail_memory(error, "contacts", (size_t)count * sizeof(carom_contact));
    const unsigned char *table = from + (size_t)count * sizeof(carom_contact);
    const unsigned char *set = table + (size_t)rows * sizeof(carom_contact_state);
    carom_status status = carom_contact_set_load(state->contact_set, set, header->set_bytes, error);
    if (status != CAROM_OK) return status;
    state->contact_list.count = count;
    get(from, state->contact_list.items, (size_t)count * sizeof(carom_contact));
    state->contact_table.count = rows;
    get(table, state->contact_table.items, (size_t)rows * sizeof(carom_contact_state));
    return CAROM_OK;
}

carom_status carom_state_load(carom_state *state, const void *bytes, size_t size, carom_error *error) {
    saved_header header = {.mark = ""};
    if (size >= sizeof header) memcpy(&header, bytes, sizeof header);
    carom_status status = check_header(state, &header, size, error);
    if (status != CAROM_OK) return status;
    const unsigned char *from = (const unsigned char *)bytes + sizeof header;
    if (digest_of(header, from, size - sizeof header) != header.digest)
        return crm_fail(error, CAROM_ERR_BAD_INPUT, "saved state: its contents are damaged");
    status = load_contacts(state, &header, from + plain_size(state), error);
    if (status != CAROM_OK) return status;
    from = get(from, state->motions, motions_size(state));
    from = get(from, state->configs, configs_size(state));
    from = get(from, state->reaction, reactions_size(state));
    for (int i = 0; i < state->kept_count; i++) from = get(from, state->kept[i].start, state->kept[i].bytes);
    state->contacts_known = header.contact_count >= 0;
    state->step_count = header.step_count;
    return CAROM_OK;
}

static carom_status copy_contacts(const carom_state *from, carom_state *to, carom_error *error) {
    if (from->contact_set == NULL) return CAROM_OK;
    if (!CRM_ARRAY_RESERVE(&to->model->allocator, &to->contact_list, from->contact_list.count) ||
        !CRM_ARRAY_RESERVE(&to->model->allocator, &to->contact_table, from->contact_table.count))
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for %d contacts", from->contact_list.count);
    carom_status status = carom_contact_set_copy(from->contact_set, to->contact_set, error);
    if (status != CAROM_OK) return status;
    to->contact_list.count = from->contact_list.count;
    if (from->contact_list.count > 0)
        memcpy(to->contact_list.items, from->contact_list.items,
               (size_t)from->contact_list.count * sizeof(carom_contact));
    to->contacts_known = from->contacts_known;
    to->contact_table.count = from->contact_table.count;
    if (from->contact_table.count > 0) memcpy(to->contact_table.items, from->contact_table.items, table_size(from));
    return CAROM_OK;
}

carom_status carom_state_copy(const carom_state *from, carom_state *to, carom_error *error) {
    const carom_method_def *a = &from->method, *b = &to->method;
    if (from->model != to->model || a->method != b->method || a->step != b->step || a->form != b->form ||
        settings_hash(a) != settings_hash(b))
        return crm_fail(error, CAROM_ERR_BAD_INPUT, "copy state: both must be of the same model and method");
    carom_status status = copy_contacts(from, to, error);
    if (status != CAROM_OK) return status;
    memcpy(to->motions, from->motions, motions_size(from));
    memcpy(to->configs, from->configs, configs_size(from));
    memcpy(to->reaction, from->reaction, reactions_size(from));
    for (int i = 0; i < from->kept_count; i++)
        if (from->kept[i].bytes > 0) memcpy(to->kept[i].start, from->kept[i].start, from->kept[i].bytes);
    to->step_count = from->step_count;
    return CAROM_OK;
}
