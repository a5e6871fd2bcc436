// SPDX-License-Identifier: MIT
// The work of contacts, from their impulses and the velocities at both ends of the step (docs/math.md 12).
#ifndef CRM_STEP_CONTACT_WORK_H
#define CRM_STEP_CONTACT_WORK_H

#include "model/model_state.h"

// Velocities of all bodies at both ends of the step, for what follows and for crm_contact_sums_add.
void crm_contact_twists(const carom_model *model, carom_state *state);

// Velocity of separation of a contact with the motions of the start (0) or the end (1) of the step, m/s.
double crm_contact_rate(const carom_state *state, const carom_contact_state *contact, int end);

// The restitution of a pair of materials that was asked for last: of a heap there are few pairs, and looking one up for
// each contact is much of the work. Zero bytes know none.
typedef struct crm_last_restitution {
    bool known;
    carom_material a, b;
    double value;
} crm_last_restitution;

// The restitution of a contact's materials.
double crm_contact_restitution(const carom_model *model, const carom_contact_state *contact,
                               crm_last_restitution *last);

// Adds the lines of friction, impacts and stabilisation of all contacts in the state's table, whose impulses act on
// bodies as they are in state->motions and lead to state->next.
void crm_contact_work(const carom_model *model, carom_state *state);

#endif
