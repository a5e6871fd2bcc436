// SPDX-License-Identifier: MIT
// One group of coupled bodies over a step of `variational`: by the equations of its trees if it has joints, by those of
// its potentials if it has any, else those of a body that forces act on, as if it were alone.
#ifndef CRM_STEP_VARIATIONAL_GROUP_H
#define CRM_STEP_VARIATIONAL_GROUP_H

#include "model/model_part.h"
#include "step/variational/variational.h"

typedef struct crm_variational_group {
    const crm_model_part *part;
    carom_state state; // of the part, over one step
    bool jointed, coupled;
    void *tree;                  // of variational_tree.h, if it is jointed
    crm_coupling coupling;       // if it is coupled alone
    crm_forced_body forced;      // if it is neither
    crm_discrete_forces *forces; // whichever of them has them
    crm_vec6 *before, *after;    // impulses at both ends (bodies of the part)
    crm_follower *follower;      // of the input (bodies of the part)
    carom_motor_input *motor;    // of the input (coordinates of the part's joints)
} crm_variational_group;

// From the arena of the whole state, which must outlive the group.
carom_status crm_variational_group_create(carom_state *whole, const crm_model_part *part, crm_variational_group *out,
                                          carom_error *error);

// Moves the group from whole->motions to whole->next; its own report, with bodies of the whole.
void crm_variational_group_move(carom_state *whole, crm_variational_group *group, const carom_input *input,
                                const crm_explicit_impulse *explicit_impulse, carom_step_report *report);

#endif
