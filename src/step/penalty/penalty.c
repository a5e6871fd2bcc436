// SPDX-License-Identifier: MIT
#include "step/penalty/penalty.h"

#include <string.h>

#include "base/fail.h"
#include "contact/contact_set.h"
#include "model/force/evaluate.h"
#include "model/proxies.h"
#include "step/certify/accounts.h"
#include "step/method.h"

static double stored_energy(const carom_state *state, const crm_motion *motions, double *of_body, size_t stride) {
    const crm_penalty *penalty = state->method_data;
    bool at_end = motions == state->next;
    const double *stored = penalty->stored_energy[at_end];
    for (int b = 0; of_body != NULL && b < state->model->bodies.count; b++)
        crm_energy_add_to_body(state->model, b, -1, stored[b], of_body, stride);
    return at_end ? penalty->next_energy : state->contacts_known ? penalty->energy : 0.0;
}

static carom_status prepare(carom_state *state, carom_error *error) {
    crm_penalty *penalty = CRM_ARENA_ZEROED(&state->arena, crm_penalty, 1);
    if (penalty == NULL) return crm_fail_memory(error, "penalty", sizeof *penalty);
    state->method_data = penalty;
    state->stored_energy = stored_energy;
    crm_state_keep(state, (crm_kept){"energy of contacts", &penalty->energy, 1, sizeof penalty->energy, crm_numbers_fit,
                                     .of_contacts = true});
    for (int i = 0; i < 2; i++)
        penalty->stored_energy[i] = CRM_ARENA_ZEROED(&state->arena, double, state->model->bodies.count);
    penalty->damped = state->contact_active = CRM_ARENA_ZEROED(&state->arena, crm_vec6, state->model->bodies.count);
    penalty->twist = CRM_ARENA_ZEROED(&state->arena, crm_vec6, state->model->bodies.count);
    penalty->stacks = CRM_ARENA_ZEROED(&state->arena, crm_penalty_stack, state->model->bodies.count);
    penalty->loads = CRM_ARENA_ZEROED(&state->arena, crm_penalty_load, state->model->bodies.count);
    if (!crm_velocity_step_create(state, &penalty->motion))
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for penalty with %d bodies", state->model->bodies.count);
    carom_contact_options options = crm_contact_options(state);
    options.duration = state->method.step;
    carom_status status = crm_contact_step_create(state, &options, true, &penalty->found, error);
    return status == CAROM_OK ? crm_contact_list_create(state, &penalty->found, error) : status;
}

static void release(carom_state *state) {
    crm_penalty *penalty = state->method_data;
    if (penalty == NULL) return;
    CRM_ARRAY_FREE(&state->model->allocator, &penalty->contacts);
    CRM_ARRAY_FREE(&state->model->allocator, &penalty->rows);
    CRM_ARRAY_FREE(&state->model->allocator, &penalty->stored);
    crm_contact_step_release(&penalty->found);
}

// Adds `factor` times a force on b, in the contact's frame, and its opposite on a.
static void add_force(const carom_model *model, const carom_state *state, const crm_penalty_contact *c,
                      const double *force, double factor, crm_vec6 *wrench) {
    carom_vec3 f = crm_vec3_zero();
    for (int i = 0; i < 3; i++) f = crm_madd(f, factor * force[i], c->site.direction[i]);
    const int body[2] = {c->site.a, c->site.b};
    for (int s = 0; s < 2; s++) {
        carom_vec3 on = s == 0 ? crm_negate(f) : f, arm = crm_sub(c->site.point, state->motions[body[s]].x);
        crm_vec6 projected =
            crm_wrench_projected(model->bodies.items[body[s]].kind, crm_vec6_of(on, crm_cross(arm, on)));
        wrench[body[s]] = crm_vec6_add(wrench[body[s]], projected);
    }
}

static void apply_forces(const carom_model *model, carom_state *state, crm_penalty *penalty) {
    double h = state->method.step;
    for (int b = 0; b < model->bodies.count; b++) penalty->motion.change[b] = penalty->damped[b] = crm_vec6_zero();
    for (int i = 0; i < penalty->contacts.count; i++) {
        const crm_penalty_contact *c = &penalty->contacts.items[i];
        add_force(model, state, c, c->force, h, penalty->motion.change);
        add_force(model, state, c, c->damped, h, penalty->damped); // springs have a potential
    }
    for (int b = 0; b < model->bodies.count; b++) state->active[b] = crm_vec6_add(state->active[b], penalty->damped[b]);
}

// The table of contacts, and what the contact set remembers: where springs along the surface are after the step.
static bool read_out(const carom_model *model, carom_state *state, crm_penalty *penalty, carom_step_report *report) {
    double h = state->method.step;
    int count = state->contact_list.count;
    if (penalty->found.proxy_count == 0) return true;
    if (!CRM_ARRAY_RESIZE(&model->allocator, &penalty->stored, 3 * (ptrdiff_t)count)) return false;
    for (int i = 0; i < 3 * count; i++) penalty->stored.items[i] = 0.0;
    state->contact_table.count = 0;
    for (int i = 0; i < penalty->contacts.count; i++) {
        const crm_penalty_contact *c = &penalty->contacts.items[i];
        carom_vec3 on_b = crm_contact_velocity(&c->site, state->motions, penalty->motion.free);
        double *stored = penalty->stored.items + 3 * (ptrdiff_t)c->index, u[3], impulse[3], work[3];
        for (int k = 0; k < 3; k++) u[k] = crm_dot(c->site.direction[k], on_b), impulse[k] = h * c->force[k];
        for (int k = 0; k < 3; k++) work[k] = 0.5 * h * c->damped[k] * (c->velocity[k] + u[k]);
        crm_ledger_add_contact(state, c->site.a, c->site.b, 0.0, work[0], work[1] + work[2]); // dampers: never elastic
        crm_ledger_note_reversed(state, c->site.a, c->site.b, fmax(0.0, work[0]) + fmax(0.0, work[1] + work[2]));
        bool pushes = c->force[0] > 0.0;
        if (!crm_contact_table_add(state, &c->site, impulse, u,
                                   !pushes     ? CAROM_CONTACT_STATUS_APART
                                   : c->slides ? CAROM_CONTACT_STATUS_SLIDES
                                               : CAROM_CONTACT_STATUS_STICKS))
            return false;
        stored[0] = impulse[0];
        bool springs = crm_penalty_tangent_stiffness(&state->method.penalty, c) > 0.0 && pushes;
        for (int k = 0; k < 2; k++) stored[1 + k] = springs ? c->stretch[k] + h * u[1 + k] : 0.0;
    }
    crm_contact_set_remember(state->contact_set, penalty->found.listed.count, penalty->found.listed.items,
                             penalty->stored.items);
    report->contacts = penalty->contacts.count;
    return true;
}

static carom_status no_memory(carom_error *error) {
    return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for the contacts of penalty");
}

static carom_status step(const carom_model *model, carom_state *state, crm_penalty *penalty, carom_step_report *report,
                         carom_error *error) {
    const carom_method_def *def = &state->method;
    carom_status status = crm_contact_list_detect(state, &penalty->found, error);
    if (status != CAROM_OK) return status;
    if (!crm_penalty_gather(model, state, state->motions, penalty)) return no_memory(error);
    penalty->energy = crm_penalty_energy(model, def, penalty, penalty->stored_energy[0]);
    state->spent = 0.0;
    crm_penalty_check_soft(model, state, penalty);
    crm_penalty_check_stable(model, state, penalty, report);
    if (!crm_penalty_press(model, state, penalty, report)) return no_memory(error);
    apply_forces(model, state, penalty);
    crm_velocity_step_move(model, state, &penalty->motion);
    if (!read_out(model, state, penalty, report)) return no_memory(error);
    status = crm_contact_list_look_ahead(state, &penalty->found, penalty->motion.explicit_impulse, report, error);
    if (status != CAROM_OK) return status;
    if (!crm_penalty_gather(model, state, state->next, penalty)) return no_memory(error);
    penalty->next_energy = crm_penalty_energy(model, def, penalty, penalty->stored_energy[1]);
    return CAROM_OK;
}

static void advance(const carom_model *model, carom_state *state, const carom_input *input, carom_step_report *report) {
    crm_penalty *penalty = state->method_data;
    carom_error error;
    if (!crm_velocity_step_begin(model, state, input, &penalty->motion, report)) return;
    if (step(model, state, penalty, report, &error) == CAROM_OK) return;
    crm_contacts_failed("contacts", &error, report);
}

static void accept(carom_state *state) {
    crm_penalty *penalty = state->method_data;
    penalty->energy = penalty->next_energy;
}

const crm_method crm_method_penalty = {
    .name = "penalty",
    .settings = "penalty",
    .features = CRM_FEATURE_DRAG | CRM_FEATURE_DAMPER | CRM_FEATURE_WRENCH | CRM_FEATURE_CALLBACK | CRM_FEATURE_FIELD |
                CRM_FEATURE_CONTACT | CRM_FEATURE_MATERIAL | CRM_FEATURE_CONTAINER,
    .hits_last = true,
    .impulses_first = true,
    .prepare = prepare,
    .release = release,
    .advance = advance,
    .accept = accept,
};
