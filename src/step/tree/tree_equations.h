// SPDX-License-Identifier: MIT
// The discrete Euler-Lagrange equations of trees of links over one step of length h, projected by the discrete null
// space at its start (docs/math.md 10.3, 10.4). Unknown are the changes of all coordinates. Per body, with displacement
// d, rotation (s, a) and potentials at the midpoint,
//   p- = kinetic - pushed + h/2 (gradients, arms at k),   kinetic = (m d/h, 2/h (s J a + a x J a))
//   p+ = kinetic + pushed_after - h/2 (gradients, arms at k+1)
// and the equations are P(q_k)^T (p- - p_k) = h/2 (forces on the joints' coordinates at k).
#ifndef CRM_STEP_TREE_EQUATIONS_H
#define CRM_STEP_TREE_EQUATIONS_H

#include "step/forced/discrete_forces.h"
#include "step/tree/tree_spring_only.h"

// What roundings of the changes along the tree do to a body's move, as variances: rotation, then displacement with its
// covariance to the rotation, sum over the links above of variance times arm.
typedef struct crm_move_blur {
    double rotation, displacement;
    carom_vec3 lever;
} crm_move_blur;

// A spring or two charges over a step.
typedef struct crm_tree_pair_potential {
    int link[2];                    // -1: does not move
    carom_vec3 before[2], after[2]; // arms from the centres of mass, at both ends of the step
    carom_vec3 gradient;            // with respect to the first point, at the midpoint, N
    carom_mat3 hessian;
} crm_tree_pair_potential;

// What acts from outside over a step.
typedef struct crm_tree_external {
    const carom_input *input;       // its motors; may be NULL
    const crm_vec6 *active;         // wrenches of the input (body_count)
    const crm_vec6 *before, *after; // impulses at both ends, projected; NULL: none (body_count)
    double time;                    // of the start, s
    const crm_follower *followers;  // of the input; NULL: none (body_count)
} crm_tree_external;

// Arrays by link have link_count items, those by coordinate free_count.
typedef struct crm_tree_equations {
    const carom_model *model;
    crm_tree_system system;
    // The step:
    double h;
    const crm_motion *from;          // (body_count)
    const crm_joint_config *configs; // at `from` (joint_count)
    const carom_input *input;
    crm_link_start *start;         // (by link)
    const crm_follower *followers; // as in crm_tree_external
    crm_vec6 *pushed,
        *pushed_after; // impulses at both ends of gravity, the input and what is given, projected; `pushed_after`
                       // without followers until the end is known (by link)
    // What follows from the changes that were evaluated last:
    crm_link_move *move; // (by link)
    crm_vec6 *kinetic;   // (by link)
    crm_vec6 *pull,
        *pull_after; // less the forces of pairs, spring-only joints and discrete forces, as at either end (by link)
    crm_vec6 *taken; // impulse that a link takes from its parent at the start (by link)
    crm_move_blur *move_blur; // (by link)
    double *size, *blur;      // of force and moment of `taken`: what they are made of, and what roundings of places do
                              // to them (2 by link)
    double *drive, *drive_after;       // forces on the coordinates at either end (by coordinate)
    double *active_drive;              // the share of dampers and motors, the same at both ends (by coordinate)
    crm_tree_pair_potential *pair;     // (pair_count)
    crm_tree_spring_only *spring_only; // (spring_only_count)
    int spring_only_count;
    crm_discrete_forces forces;
    crm_motion *after; // poses of bodies at the end of the step, where spring-only joints need them (body_count)
    double *residual;  // (by coordinate)
    double relative;   // the largest residual relative to what it is made of, beyond roundings of places
    int worst;         // its link
    // How it is solved:
    bool crossed;     // a pair or a spring-only joint joins two links: then the tree's elimination leaves something out
    crm_vec6 *effect; // scratch of the product (by link)
} crm_tree_equations;

carom_status crm_tree_equations_create(const carom_model *model, crm_arena *arena, crm_tree_equations *equations,
                                       carom_error *error);

void crm_tree_equations_begin(crm_tree_equations *equations, const crm_motion *from, const crm_joint_config *configs,
                              const crm_tree_external *external, double h);

// The end of the interval is known: `pushed_after` gets what followers do there.
void crm_tree_equations_follow(crm_tree_equations *equations, const crm_motion *to);

// Fills in all that follows from the changes, the residual included. Returns -1, or the first link that rotates too
// far.
int crm_tree_equations_evaluate(crm_tree_equations *equations, const crm_joint_config *change);

// The derivative of the residual by a step in P', at the changes that were evaluated last: fills the system's blocks,
// which hold all of it but pairs and spring-only joints between two links.
void crm_tree_equations_differentiate(crm_tree_equations *equations);

// out = derivative times w (by coordinate), with these too. Where nothing is `crossed`, not after a factorization.
void crm_tree_equations_product(crm_tree_equations *equations, const double *w, double *out);

#endif
