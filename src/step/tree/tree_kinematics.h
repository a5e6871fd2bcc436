// SPDX-License-Identifier: MIT
// Links of a tree over one step: where they start, and how far changes of their coordinates take them.
//
// Everything is in world axes. A body's move is its displacement d and the quaternion F of its rotation,
// q_{k+1} = F q_k. Moves are composed from the changes of the joints along the tree, never subtracted from poses, so
// that small ones keep all their digits however far from the origin the bodies are.
//
// The folder has the mechanics of trees that variational methods share:
//
//   enters    motions of mechanisms at the start of a step, what acts on their links
//   leaves    substeps of the variational scheme and their impulses, in O(links) a solve
//   callers   variational, exact; dcr and potential through integrate/discrete.h
#ifndef CRM_STEP_TREE_KINEMATICS_H
#define CRM_STEP_TREE_KINEMATICS_H

#include "model/joint/joint.h"
#include "step/tree/tree_solve.h"

// A link at the start of a step. Of a root only the inertia has a meaning.
typedef struct crm_link_start {
    carom_mat3 axes;                  // of the joint's frame A, in the world
    carom_vec3 parent_arm, child_arm; // from the centres of mass to B's origin
    carom_vec3 axis[2];               // of one or two free angles, in A's axes
    carom_mat3 inertia;               // of the body, about its centre of mass, world axes; 0 for a point
} crm_link_start;

// What a step does to a link's body.
typedef struct crm_link_move {
    carom_vec3 displacement;
    carom_quat rotation;
    carom_vec3 parent_arm, child_arm; // at the end of the step
} crm_link_move;

// Of a body about its centre of mass, world axes; 0 for a point, that of a ball for a planar body, which rotates about
// z only.
carom_mat3 crm_body_inertia(const crm_body *body, carom_quat q);

// How the angular momentum between two nodes, 2/h (s J a + a x J a), changes with a small rotation from the left at the
// end: with delta(s, a) = 1/2 (-a.w, s w - a x w), 1/h ((s J + [a]x J - [J a]x)(s - [a]x) - (J a) a^T).
carom_mat3 crm_kinetic_slope(carom_mat3 inertia, carom_quat rotation, double h);

// Fills `start` and the left columns and arms of the system, at these motions.
void crm_tree_start(const carom_model *model, const crm_motion *motions, crm_link_start *start,
                    crm_tree_system *system);

// Changes of coordinates: slides and angles to be added, rotations to be multiplied from the left, by link. A root's
// slides are its displacement, its rotation is that of the body.

// As if the present rates lasted for the time h: by what crm_tree_start has filled in at these motions. `twist` is
// scratch (by link).
void crm_tree_guess(const carom_model *model, const crm_motion *motions, const crm_link_start *start,
                    const crm_tree_system *system, double h, crm_vec6 *twist, crm_joint_config *change);

// to = change, less w times `share`: a step in P' (by coordinate).
void crm_tree_correct(const carom_model *model, const crm_joint_config *change, double share, const double *w,
                      crm_joint_config *to);

// Fills `move` and the right columns and arms of the system. Returns the first link whose body rotates by more than 90
// degrees, where the discrete equations lose their meaning, or -1.
int crm_tree_move(const carom_model *model, const crm_link_start *start, const crm_joint_config *change,
                  crm_link_move *move, crm_tree_system *system);

// A joint's coordinates after a change.
crm_joint_config crm_joint_config_after(const crm_joint_config *config, const crm_joint_config *change);

// Poses at the end of the step: roots by their moves, all others where the new coordinates put them, so that joints
// stay closed to rounding. `configs` are brought up to date; momenta stay.
void crm_tree_put(const carom_model *model, const crm_joint_config *change, crm_joint_config *configs,
                  crm_motion *motions);

// (F - 1) r without cancellation.
static inline carom_vec3 crm_rotated_by(carom_quat f, carom_vec3 r) {
    carom_vec3 a = crm_quat_vector(f);
    return crm_scale(2.0, crm_cross(a, crm_madd(crm_cross(a, r), f.w, r)));
}

#endif
