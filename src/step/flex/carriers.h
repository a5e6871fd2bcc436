// SPDX-License-Identifier: MIT
// Bodies that carry nodes of flexible bodies, each with its nodes as one rigid body (docs/math.md 15.6): the nodes add
// their masses to it, and what acts on them acts on it.
#ifndef CRM_STEP_CARRIERS_H
#define CRM_STEP_CARRIERS_H

#include "step/method.h"

typedef struct crm_carrier {
    int body;
    int first, count;  // of its nodes in the list of all
    crm_body whole;    // with its nodes: mass and principal inertia
    carom_vec3 centre; // of mass of the whole, from that of the body, in the body's principal axes
    carom_quat frame;  // principal axes of the whole to those of the body
} crm_carrier;

typedef struct crm_carriers {
    int count;
    crm_carrier *item;
    const crm_flex_attachment **node; // by carriers (attachments of all flexible bodies)
} crm_carriers;

// Memory from the state's arena. Refuses bodies that joints act on.
carom_status crm_carriers_prepare(carom_state *state, crm_carriers *out, carom_error *error);

// Moves them from state->motions to state->next by impulses at the start of the step (body_count), which are about the
// centres of mass of each body. False with a report when one of them rotates too far.
bool crm_carriers_move(carom_state *state, const crm_carriers *carriers, const crm_vec6 *before,
                       carom_step_report *report);

// Shares the momenta in state->next, which were given to each by itself, so that each whole moves as one.
void crm_carriers_share(carom_state *state, const crm_carriers *carriers);

#endif
