// SPDX-License-Identifier: MIT
// The end of a step of Newmark's family with given wrenches there: impulses before the motion and the joints' that
// close them, the motion, rows of contacts and impulses after it, the joints' that stop what they block, forces of
// contacts.
#include <string.h>

#include "model/force/evaluate.h"
#include "step/potential/newmark.h"

static crm_vec6 mean(const crm_vec6 *start, const crm_vec6 *end, double of_start, double of_end) {
    return crm_vec6_madd(crm_vec6_scale(of_start, *start), of_end, *end);
}

static void add_momenta(carom_state *state, const crm_vec6 *impulse) {
    for (int b = 0; b < state->model->bodies.count; b++) {
        state->next[b].p = crm_add(state->next[b].p, impulse[b].linear);
        state->next[b].l = crm_add(state->next[b].l, impulse[b].angular);
    }
}

static void let_stay(carom_state *state, crm_newmark *n) {
    for (int b = 0; b < state->model->bodies.count; b++) {
        if (!crm_state_stays(state, b)) continue;
        state->next[b] = state->motions[b];
        n->before[b] = n->after[b] = crm_vec6_zero();
    }
}

bool crm_newmark_move(carom_state *state, crm_newmark *n, const crm_vec6 *wrench, carom_step_report *report) {
    const carom_potential_def *def = &state->method.potential;
    const carom_model *model = state->model;
    crm_overlap *overlap = &n->contact.overlap;
    double h = state->method.step, beta = def->beta, gamma = def->gamma;
    for (int b = 0; b < model->bodies.count; b++) {
        n->before[b] = mean(&n->start[b], &wrench[b], h * (0.5 - beta), h * beta);
        n->after[b] = mean(&n->start[b], &wrench[b], h * (0.5 - gamma + beta), h * (gamma - beta));
    }
    crm_newmark_contacts_push(state, overlap, &n->contacts, n->before);
    if (!crm_newmark_joints_close(state, &n->joints, n->before, n->response, &n->worst)) return false;
    carom_error error = {.text = ""};
    if (crm_overlap_evaluate(state, state->next, false, overlap, &error) != CAROM_OK) {
        crm_contact_potential_stop(report, &error);
        return false;
    }
    crm_newmark_contacts_push_after(state, overlap, &n->contacts, n->after);
    add_momenta(state, n->after);
    crm_newmark_joints_slow(state, &n->joints, n->after);
    let_stay(state, n);
    crm_newmark_contacts_find(state, overlap, &n->contacts);
    return true;
}
