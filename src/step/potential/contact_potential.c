// SPDX-License-Identifier: MIT

#include "base/fail.h"
#include "step/potential/potential.h"

static double stored_energy(const carom_state *state, const crm_motion *motions, double *of_body, size_t stride) {
    const crm_contact_potential *contact = state->method_data;
    return crm_overlap_energy(state, motions, of_body, stride) +
           crm_piece_contact_energy(state, &contact->pieces, motions, of_body, stride);
}

double carom_state_contact_stiffness(const carom_state *state, carom_body a, carom_body b) {
    const carom_model *model = state->model;
    if (state->stored_energy != stored_energy || crm_model_check_body(model, a, false, "stiffness", NULL) != CAROM_OK ||
        crm_model_check_body(model, b, false, "stiffness", NULL) != CAROM_OK)
        return 0.0;
    return crm_body_moves(model, a.index) || crm_body_moves(model, b.index)
               ? crm_pair_stiffness(state, a.index, b.index)
               : 0.0;
}

carom_status crm_contact_potential_prepare(carom_state *state, crm_contact_potential *contact, carom_error *error) {
    int bodies = state->model->bodies.count;
    contact->ahead = CRM_ARENA_ZEROED(&state->arena, crm_motion, bodies);
    if (contact->ahead == NULL) return crm_fail_memory(error, "motions", (size_t)bodies * sizeof *contact->ahead);
    carom_status status = crm_overlap_create(state, &contact->overlap, error);
    if (status == CAROM_OK) status = crm_stiffness_check(state, error);
    if (status == CAROM_OK) status = crm_piece_contact_prepare(state, &contact->pieces, error);
    if (status == CAROM_OK) state->stored_energy = stored_energy;
    return status;
}

void crm_contact_potential_release(const carom_state *state, crm_contact_potential *contact) {
    crm_overlap_release(state, &contact->overlap);
    crm_piece_contact_release(state, &contact->pieces);
}

carom_status crm_contact_potential_begin(carom_state *state, crm_contact_potential *contact, carom_error *error) {
    const carom_model *model = state->model;
    double h = state->method.step;
    for (int b = 0; b < model->bodies.count; b++) {
        contact->ahead[b] = state->motions[b];
        const crm_body *body = &model->bodies.items[b];
        if (body->kind == CAROM_BODY_FIXED) continue;
        contact->ahead[b].p = crm_madd(contact->ahead[b].p, h * body->mass, model->gravity);
    }
    return crm_overlap_find_pairs(state, contact->ahead, &contact->overlap, error);
}

void crm_contact_potential_finish(carom_state *state, crm_contact_potential *contact, carom_step_report *report) {
    carom_error error = {.text = ""};
    if (crm_overlap_read_out(state, state->next, &contact->overlap, report) &&
        crm_piece_contact_read_out(state, &contact->pieces, state->next, report))
        return;
    crm_fail_memory(&error, "contacts", sizeof(carom_contact_state));
    crm_contact_potential_stop(report, &error);
}

void crm_contact_potential_stop(carom_step_report *report, const carom_error *error) {
    if (error->text[0] != '\0')
        crm_contacts_failed("contacts", error, report);
    else
        crm_contacts_refuse("contacts", "a number is not finite; make method.step smaller", report);
}
