// SPDX-License-Identifier: MIT
// Discrete mechanics between two nodes k and k+1, h apart (docs/math.md 10.1, 10.3, 10.4): momenta by the discrete
// Legendre transforms, their projection and reduction by the joints, energies.
//
// Every body's momentum is in its null-space form, force and moment about the centre of mass in world axes: what
// crm_motion keeps as p and l. Between the nodes it is one vector,
//   kinetic = (m d/h, 2/h (s J a + a x J a)),   d the displacement, (s, a) the rotation, J at k,
// and forces come in half at each end, with the potentials' gradients at the midpoint and the arms at that end:
//   p-_k = kinetic - before,   p+_{k+1} = kinetic + after.
#ifndef CRM_STEP_DISCRETE_H
#define CRM_STEP_DISCRETE_H

#include "model/force/evaluate.h"
#include "step/tree/tree_kinematics.h"

// The interval between two nodes.
typedef struct crm_interval {
    const crm_motion *from, *to; // (body_count)
    double h;                    // s
} crm_interval;

// Of one body: zero for a fixed one.
crm_vec6 crm_discrete_kinetic(const crm_body *body, const crm_motion *from, const crm_motion *to, double h);

// Impulses of gravity and of pairs, projected on what the bodies admit, at both ends. Springs of joints act on
// coordinates and are not among them.
void crm_discrete_impulses(const carom_model *model, const crm_interval *interval, crm_vec6 *before, crm_vec6 *after);

// p- at the start and p+ at the end, before the joints have had their share (body_count each).
void crm_discrete_legendre(const carom_model *model, const crm_interval *interval, crm_vec6 *minus, crm_vec6 *plus);

// E_d: that of the interval, from differences and the midpoint. `from`, `to` are the joints' configurations at both
// ends (joint_count).
double crm_discrete_energy(const carom_model *model, const crm_interval *interval, const crm_joint_config *from,
                           const crm_joint_config *to);

// Shares of it for certificates, which know it to rounding; jumps are matched by the above. Of one body h^2 times its
// kinetic energy, by its principal axes: a certificate of an isolated body can afford no more. Zero for a fixed one.
static inline double crm_discrete_body_action(const crm_body *body, const crm_motion *from, const crm_motion *to) {
    carom_quat p = from->q, q = to->q;
    // p* q, rotation by the axes of the body; either sign serves.
    double x = p.w * q.x - p.x * q.w - p.y * q.z + p.z * q.y, y = p.w * q.y + p.x * q.z - p.y * q.w - p.z * q.x,
           z = p.w * q.z - p.x * q.y + p.y * q.x - p.z * q.w;
    double rotation = body->inertia.x * (x * x) + body->inertia.y * (y * y) + body->inertia.z * (z * z);
    return 0.5 * body->mass * crm_length_squared(crm_sub(to->x, from->x)) + 2.0 * rotation;
}

// Of one body, with gravity.
double crm_discrete_body_energy(const carom_model *model, int body, const crm_interval *interval);
// Of springs of joints and of pairs, where the joints' configurations at the end are told by the motions there and
// `from`.
double crm_discrete_coupling_energy(const carom_model *model, const crm_interval *interval,
                                    const crm_joint_config *from);

// H_d: that of a node, from its momenta. Without contact potentials.
double crm_discrete_hamiltonian(const carom_model *model, const crm_motion *motions, const crm_joint_config *configs);

// The null space P of the joints of trees at one configuration, with P^T M P factored.
typedef struct crm_null_space {
    const carom_model *model;
    crm_tree_system system;
    crm_link_start *start;
    crm_vec6 *twist;  // scratch (by link)
    double *nothing;  // zeros (by coordinate)
    double *rate;     // scratch (by coordinate)
    crm_vec6 *inputs; // scratch (by link)
} crm_null_space;

carom_status crm_null_space_create(const carom_model *model, crm_arena *arena, crm_null_space *space,
                                   carom_error *error);

// At these motions; false when P^T M P is singular.
bool crm_null_space_at(crm_null_space *space, const crm_motion *motions);

// P^T p (by coordinate): reduced momenta, or the share of impulses that joints do not block.
void crm_null_space_reduce(crm_null_space *space, const crm_vec6 *p, double *reduced);

// M^-1 Q p = P (P^T M P)^-1 P^T p: the twists that momenta or impulses p lead to, zero for fixed bodies (body_count).
void crm_null_space_twists(crm_null_space *space, const crm_vec6 *p, crm_vec6 *twist);

// Q p: momenta that keep the joints' velocity constraints. `projected` may be `p`.
void crm_null_space_project(crm_null_space *space, const crm_motion *motions, const crm_vec6 *p, crm_vec6 *projected);

// The multipliers of the joints, as impulses on b about B's origin that make Q p of p (joint_count; zero for those in
// no tree). They have no part that a free motion of their joint would feel, whatever `projected` is: of momenta that
// are not Q p they do not account for the difference.
void crm_null_space_multipliers(crm_null_space *space, const crm_vec6 *p, const crm_vec6 *projected, crm_vec6 *impulse);

// Fills the blocks of a system with the masses of its links at these motions and factors it.
bool crm_tree_factor_masses(const carom_model *model, const crm_motion *motions, crm_tree_system *system);

#endif
