// SPDX-License-Identifier: MIT
// One step of the variational scheme on trees, of any length: the whole step of a method or a substep of it.
//
// Joints push twice: at the start, so that P(q_k)^T (p- - p_k) = 0, and at the end, where p+ is replaced by M P nu with
// P^T M P nu = P^T p+, so that the twists at the end satisfy the joints' velocity constraints.
#ifndef CRM_STEP_TREE_SUBSTEP_H
#define CRM_STEP_TREE_SUBSTEP_H

#include "step/tree/tree_newton.h"

typedef struct crm_tree_substep {
    crm_tree_newton newton;
    // At the end of the substep:
    crm_motion *motions;       // (body_count)
    crm_joint_config *configs; // (joint_count)
    crm_vec6 *taken_after;     // impulse that a link takes from its parent there (by link)
    crm_vec6 *joint_wrench;    // mean force and torque on b about B's origin of what a joint blocks (joint_count)
    double *rate;              // nu (by coordinate)
} crm_tree_substep;

carom_status crm_tree_substep_create(const carom_model *model, crm_arena *arena, crm_tree_substep *substep,
                                     carom_error *error);

// Makes the substep of length h that starts at `from`; false, with the report of the iteration, if there is none.
bool crm_tree_substep_make(crm_tree_substep *substep, const carom_method_def *method, const crm_motion *from,
                           const crm_joint_config *configs, const crm_tree_external *external, double h,
                           crm_tree_newton_report *report);

// The substep was taken: adds the work of its discrete forces.
void crm_tree_substep_add_work(crm_tree_substep *substep);

// Wrench on the child about B's origin of forces on the coordinates of its joint, times `factor`; columns and forces
// are the joint's.
crm_vec6 crm_tree_driven_child(const crm_joint *joint, const crm_vec6 *column, const double *force, double factor);

#endif
