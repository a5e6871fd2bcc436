// SPDX-License-Identifier: MIT
// Lines of the energy ledger: what projections and impacts have done (docs/math.md 12).
#include "step/certify/accounts.h"
#include "step/dcr/dcr.h"

static double own_energy(const crm_dcr *dcr, const crm_motion *motions, int b) {
    const crm_body *body = &dcr->model->bodies.items[b];
    return crm_motion_kinetic_energy(body, &motions[b]) - body->mass * crm_dot(dcr->model->gravity, motions[b].x);
}

void crm_dcr_add_projection_work(crm_dcr *dcr) {
    const carom_model *model = dcr->model;
    carom_state *state = dcr->state;
    double time = carom_state_time(state) + state->method.step;
    for (int b = 0; b < model->bodies.count; b++) dcr->coupled[b] = 0.0;
    crm_coupling_energy(model, time, state->next, state->configs, dcr->coupled, sizeof *dcr->coupled);
    for (int b = 0; b < model->bodies.count; b++) dcr->coupled[b] = -dcr->coupled[b];
    crm_coupling_energy(model, time, dcr->made, state->configs, dcr->coupled, sizeof *dcr->coupled);
    for (int b = 0; b < model->bodies.count; b++) {
        if (model->bodies.items[b].kind == CAROM_BODY_FIXED) continue;
        double work = own_energy(dcr, state->next, b) - own_energy(dcr, dcr->made, b) - dcr->coupled[b];
        crm_ledger_add(state, b, -1, CRM_LINE_PROJECTION, work);
    }
}

// All impulses act at the poses of state->next, so that those of several impacts one after the other do together what
// their sums do by the mean of the velocities before the first and after the last one.
void crm_dcr_add_impact_work(crm_dcr *dcr) {
    for (int c = 0; c < dcr->found.found_count; c++) {
        const crm_contact_site *site = &dcr->found.sites.items[c];
        const double *impulse = dcr->total.items + 3 * (ptrdiff_t)c;
        double before[3], after[3], work[3];
        crm_dcr_contact_velocity(dcr, site, dcr->arrived, before);
        crm_dcr_contact_velocity(dcr, site, dcr->twist, after);
        for (int k = 0; k < 3; k++) work[k] = 0.5 * impulse[k] * (before[k] + after[k]);
        crm_ledger_add_contact(dcr->state, site->a, site->b, site->restitution, work[0], work[1] + work[2]);
    }
}
