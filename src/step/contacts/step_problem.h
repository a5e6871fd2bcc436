// SPDX-License-Identifier: MIT
// The contact problem of a step (carom/solve.h), as it is built of bodies, joints and contacts. Velocities of a body
// are those of its centre of mass and its spin, world axes, as far as its kind has them.
#ifndef CRM_STEP_STEP_PROBLEM_H
#define CRM_STEP_STEP_PROBLEM_H

#include "carom/solve.h"
#include "step/contacts/contact_step.h"

typedef struct crm_step_problem {
    const carom_model *model;
    int *node_of; // of a body; -1: it cannot move (body_count)
    int *body_of; // of a node (as many as bodies move)
    // Grown, never shrunk.
    CRM_ARRAY(carom_problem_node) nodes;
    CRM_ARRAY(carom_row_group) groups;
    CRM_ARRAY(carom_entry) entries; // in the order of their groups
    CRM_ARRAY(double) offset;
    CRM_ARRAY(double) compliance;
    bool compliant;            // some compliances are not 0
    CRM_ARRAY(double) impulse; // what a solver starts from, then what it finds
} crm_step_problem;

// False: no memory.
bool crm_step_problem_create(const carom_model *model, crm_arena *arena, crm_step_problem *problem);
void crm_step_problem_release(crm_step_problem *problem);

// Takes away all rows; bodies stay.
void crm_step_problem_clear(crm_step_problem *problem);

// What follows is false without memory.

// Begins a problem without rows: masses at `motions`, velocities without impulses (body_count).
bool crm_step_problem_begin(crm_step_problem *problem, const crm_motion *motions, const crm_vec6 *free);
// Adds a group of rows; what they are on bodies follows.
bool crm_step_problem_add_group(crm_step_problem *problem, carom_row_group group, const double *offset,
                                const double *guess);
// The compliances of the last group's rows, which are 0 without.
void crm_step_problem_soften(crm_step_problem *problem, const double *compliance);
// What the rows of the last group are on one body. Nothing for bodies that cannot move, and below 0 for the world.
bool crm_step_problem_add_entry(crm_step_problem *problem, int body, const crm_vec6 *row);
// A group whose rows are on two bodies.
bool crm_step_problem_add_pair(crm_step_problem *problem, carom_row_group group, const double *offset,
                               const double *guess, int a, const crm_vec6 *on_a, int b, const crm_vec6 *on_b);
// A contact of bodies at `motions`: Coulomb's law or, without friction, one row. `offset` is beside the normal
// velocity.
bool crm_step_problem_add_contact(crm_step_problem *problem, const crm_contact_site *site, const crm_motion *motions,
                                  double friction, bool relaxed, double offset, const double guess[3]);
// The blocked motions of a joint of bodies at `motions`; `close`: with offsets that close it. `size` of the jointed
// system (crm_joints_size).
bool crm_step_problem_add_joint(crm_step_problem *problem, const crm_joint *joint, const crm_motion *motions,
                                double size, bool close, const double guess[6]);

// As a solver takes it.
carom_problem crm_step_problem_view(const crm_step_problem *problem);

#endif
