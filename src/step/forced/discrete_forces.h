// SPDX-License-Identifier: MIT
// Discrete forces (docs/math.md 10.3): what the forces without a pair potential do over an interval between two nodes,
// of the forced discrete Euler-Lagrange equations: drag, dampers of springs, wrenches, callbacks, whatever
// crm_unpaired_forces_evaluate knows. All variational methods take these from here.
//
// They are evaluated once, in the middle: of the time, of the places, of the rotations, with the momenta between the
// nodes (m d/h and the kinetic moment), which are those of the middle. A wrench (f, tau) there does its virtual work on
// what displacements and small rotations of the two ends move the middle by, so that it acts as the impulses
//
//   before = h/2 (f, tau - c x tau)   at the start,     after = h/2 (f, tau + c x tau)   at the end,
//
// c = tan(angle / 4) along the axis of the rotation (B^T of both ends). P changes by h f and L about the origin by
// h (x x f + tau), x the middle: forces on one line that cancel keep both. The scheme is symmetric in time, hence of
// order 2; what has a potential stays symplectic; drag and dampers only ever shrink momenta, at any step.
//
//   enters    motions at the start of an interval, where it leads to
//   leaves    impulses at both ends with their derivatives, work; steps of bodies that nothing else acts on
//   callers   variational, and with it potential and dcr; exact; trees
#ifndef CRM_STEP_DISCRETE_FORCES_H
#define CRM_STEP_DISCRETE_FORCES_H

#include "model/force/derivatives.h"
#include "model/model_state.h"
#include "step/integrate/discrete.h"

typedef struct crm_discrete_forces {
    const carom_model *model;
    bool any; // there are such forces; else there is nothing below
    // The interval, and where it leads to:
    const crm_motion *from; // (body_count)
    double time, h;         // of its start; its length, s
    crm_motion *middle;     // momenta between the nodes (body_count)
    carom_quat *rotation;   // of the interval (body_count)
    carom_vec3 *quarter;    // c (body_count)
    // What was evaluated there:
    crm_vec6 *wrench, *active, *passive; // all, without potential, of drag and dampers (body_count)
    crm_callback_answer answer;
    crm_force_derivatives slopes;
    // Of the intervals taken since the sums were begun, J:
    crm_told_work *work; // (body_count)
} crm_discrete_forces;

carom_status crm_discrete_forces_create(const carom_model *model, crm_arena *arena, crm_discrete_forces *forces,
                                        carom_error *error);

// An interval of length h from these motions on. Of bodies that cannot move the middle is where they are.
void crm_discrete_forces_begin(crm_discrete_forces *forces, const crm_motion *from, double time, double h);

// The body moves by `displacement` and rotates by `rotation` (from the left) in the interval.
void crm_discrete_forces_place(crm_discrete_forces *forces, int body, carom_vec3 displacement, carom_quat rotation);

// At the middles that were placed; false when a callback has not answered well: `answer` says which.
bool crm_discrete_forces_evaluate(crm_discrete_forces *forces);

// Their potential energy in the middle, which E_d of an interval counts, J.
double crm_discrete_forces_energy(const crm_discrete_forces *forces);

// Impulses at both ends, projected on what the body admits.
crm_vec6 crm_discrete_forces_before(const crm_discrete_forces *forces, int body);
crm_vec6 crm_discrete_forces_after(const crm_discrete_forces *forces, int body);

// Leaves in slopes.stiffness how `before` changes with displacements and small rotations from the left at the end, in
// the blocks of bodies and edges.
void crm_discrete_forces_differentiate(crm_discrete_forces *forces);

// Of a body: that, column-major.
static inline const double *crm_discrete_forces_block(const crm_discrete_forces *forces, int body) {
    return forces->slopes.stiffness.diagonal + forces->slopes.stiffness.node_block[body];
}

// The interval is made: adds up the work that forces without potential did in it, force times displacement.
void crm_discrete_forces_clear_work(crm_discrete_forces *forces);
void crm_discrete_forces_add_work(crm_discrete_forces *forces, int body);

// A callback had no answer for a step: a sentence.
void crm_discrete_forces_refuse(const crm_discrete_forces *forces, carom_step_report *report);

#endif
