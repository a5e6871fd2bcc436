// SPDX-License-Identifier: MIT
// Asynchronous steps near contact: groups of bodies that touch, or can touch within the step, go through it by several
// substeps, all others by one (docs/math.md 10.9).
//
// A group is closed under contacts, joints, pair potentials and springs: nothing acts across its border within the
// step, and all its bodies have the same substeps. So both momenta are as exact as those of a single step.
//
//   enters    a method and its step; state->only tells the method who moves
//   leaves    state->next, impulses and contacts of the whole step
//   callers   the step, where method.potential.contact_substeps or method.dcr.contact_substeps is above 1
#ifndef CRM_STEP_DIVIDE_H
#define CRM_STEP_DIVIDE_H

#include "step/contacts/contact_step.h"
#include "step/method.h"

typedef struct crm_divide {
    int most;                  // substeps of a group
    double tolerance;          // of a group's energy; 0: it gets all substeps in any case
    crm_contact_step found;    // pairs that can touch
    bool *only;                // bodies that move in a pass (body_count)
    int *group;                // a forest (body_count)
    bool *touches;             // of a root: bodies of the group can touch something (body_count)
    double *margin;            // of a body: as far as it may get within the step, m (body_count)
    double *least;             // the same at least, of bodies that have got farther than was thought (body_count)
    double *radius;            // about the centre of mass, m (body_count)
    crm_motion *ahead;         // scratch (body_count)
    crm_motion *now;           // where a substep begins (body_count)
    crm_motion *start;         // the state's own: where the step begins
    crm_joint_config *configs; // where it begins (joint_count)
    crm_vec6 *impulse, *active, *passive; // of the whole step: moments of the first about where it began (body_count)
    crm_vec6 *contact_active;             // or NULL (body_count)
    crm_told_work *told;                  // (body_count)
    crm_impulse_size *size;               // (body_count)
    crm_vec6 *reaction, *first_reaction;  // of the whole step, and before it (joint_count)
    double (*line)[CRM_LINE_COUNT];       // of the ledger before a trial (body_count)
    CRM_ARRAY(carom_contact_state) rows;  // of the whole step
    crm_overlaps overlaps;                // where it ends
    carom_step_report total;              // of the whole step
} crm_divide;

// How many substeps the method asks for at most; 1: none but whole steps.
int crm_divide_most(const carom_method_def *def);

// state->divide, when substeps are asked for.
carom_status crm_divide_create(carom_state *state, carom_error *error);
void crm_divide_release(carom_state *state);

// As crm_method.advance.
void crm_divide_advance(const crm_method *method, carom_state *state, const carom_input *input,
                        carom_step_report *report);

// ---- divide_groups.c

// Who can touch whom within the step that begins. *any: somebody can.
carom_status crm_divide_find_groups(carom_state *state, crm_divide *divide, bool *any, carom_error *error);
// Whether a body has got farther from where it began than was thought; it is given more room then.
bool crm_divide_went_beyond(crm_divide *divide, int body, const crm_motion *at);
// One group of all that moves.
void crm_divide_join_all(const carom_model *model, crm_divide *divide);

#endif
