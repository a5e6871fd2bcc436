// SPDX-License-Identifier: MIT
// The linear system of bodies and joints (docs/math.md 8.1, 8.3),
//     [M J^T; J 0] [t; -lambda] = [f; c]:   M t = f + J^T lambda,  J t = c
// whatever t is: accelerations with their forces, velocities with impulses, displacements.
//
// Nodes are bodies and joints. A tree is eliminated from its leaves: a body, then the joint to its parent, whose pivots
// are by then -J M_b^-1 J^T of what hangs below (Baraff's order; the parent's block becomes its articulated inertia).
// No fill arises, and the cost is linear in the number of links. Joints that close loops come last, as a dense
// remainder. Rows that others make redundant show as pivots that are rounding only: they get no force and are counted.
// So are rows that act on nothing, as some of a hinge between planar bodies.
//
// Beside the motions that a joint blocks there are limit and motor rows (limit_motor_row.h), which may be off: then
// their lambda is 0 and their c is not read.
#ifndef CRM_MODEL_JOINT_SYSTEM_H
#define CRM_MODEL_JOINT_SYSTEM_H

#include "math/block/block_factor.h"
#include "model/joint/joint.h"
#include "model/joint/limit_motor_row.h"

typedef struct crm_joint_system {
    const carom_model *model;
    int row_count;  // of all joints, limit and motor rows included
    int *first_row; // those of a joint: blocked motions, then limit and motor rows (joint_count + 1)
    int limit_motor_count;
    crm_limit_motor_row *limit_motor; // in the order of rows (limit_motor_count)

    // At the poses of the last evaluation:
    crm_joint_pose *pose; // (joint_count)
    crm_joint_row *row;   // (row_count)
    double *residual;     // of a limit's row the coordinate, of a motor's 0 (row_count)
    bool factored;
    int redundant;               // rows that got no force in the last factorization
    const carom_mat3 *stiffness; // what is added to the inertia of a body, kg m^2; NULL: nothing (body_count)

    // Inside.
    int *node_of_joint; // -1: without rows (joint_count)
    int (*edge)[2];     // to a and b; -1: does not move (joint_count)
    crm_motion *poses;  // of the last evaluation (body_count)
    bool evaluated;     // there was one
    bool *idle;         // rows that act on nothing (row_count)
    crm_block_symbolic symbolic;
    crm_block_matrix matrix;
    crm_block_factor factor;
    double *vector, *work;
} crm_joint_system;

// Memory from the arena. The model must be frozen.
carom_status crm_joint_system_create(const carom_model *model, crm_arena *arena, crm_joint_system *system,
                                     carom_error *error);

// Rows at these poses; `configs` tell the full rotations of angles. Does nothing when the poses are those of the last
// time.
void crm_joint_system_evaluate(crm_joint_system *system, const crm_motion *motions, const crm_joint_config *configs);

// Switches a limit or motor row.
void crm_joint_system_switch(crm_joint_system *system, int limit_motor, bool on);

// dJ/dt t: what is left of the second derivatives of all rows' functions at zero accelerations (row_count).
void crm_joint_system_products(const crm_joint_system *system, const crm_motion *motions, double *product);

// Factors when poses or switches have changed. In `t`: forces in, motions out (body_count; zero for bodies that do not
// move). In `lambda`: c in, lambda out (row_count).
void crm_joint_system_solve(crm_joint_system *system, crm_vec6 *t, double *lambda);

// J^T lambda, projected on what bodies can do (body_count).
void crm_joint_system_forces(const crm_joint_system *system, const double *lambda, crm_vec6 *force);

// J t (row_count).
void crm_joint_system_rates(const crm_joint_system *system, const crm_motion *motions, double *rate);

// The wrenches of `lambda` on the two bodies of a joint, about their centres of mass.
crm_joint_row crm_joint_system_wrenches(const crm_joint_system *system, int joint, const double *lambda);

// The same on b about B's origin.
crm_vec6 crm_joint_system_reaction(const crm_joint_system *system, int joint, const double *lambda);

#endif
