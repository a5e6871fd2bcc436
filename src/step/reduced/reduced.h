// SPDX-License-Identifier: MIT
// The inside of the method `reduced`: coordinates of joints and their rates as an initial value problem
// (integrator.h), accelerations from the articulated-body algorithm (articulated.h).
//
// The state of the problem: rotations of ball joints and attitudes of roots; tree by tree positions (of roots, slides)
// and angles, then tree by tree linear and angular rates; then what came from outside, and the reaction of every joint
// as sums. The error of a rate is relative to those of its tree: a joint at rest in a tree that moves needs no better.
// That of the impulses from outside is relative to all momenta: the certificate compares these with them, and nothing
// else in the problem would keep their quadrature as good.
//
//   enters    coordinates of joints and their rates, forces
//   leaves    state->next, reactions, the external balance
//   callers   the table of methods
#ifndef CRM_STEP_REDUCED_H
#define CRM_STEP_REDUCED_H

#include "model/model_state.h"
#include "step/integrate/bounds.h"
#include "step/integrate/external_impulse.h"
#include "step/integrate/link_problem.h"
#include "step/reduced/articulated.h"

// Where the coordinates of a link stand in the problem's state: among rotations, positions, velocities. -1: has none.
typedef struct crm_reduced_offsets {
    int rotation;
    int slide, slide_count; // linear positions
    int angle, angle_count; // angles
    int linear_rate;        // as many as slides
    int angular_rate, angular_count;
} crm_reduced_offsets;

// What the errors of a link's rates are relative to.
typedef struct crm_reduced_weight {
    crm_error_block *linear, *angular; // their error blocks
    double mass;                       // of the link and all that hangs on it, its branch
    carom_vec3 first;                  // moments of these about the link's origin: first, second
    double second;
    double energy; // kinetic, of the branch, then of the tree
} crm_reduced_weight;

typedef struct crm_reduced {
    const carom_model *model;
    carom_state *state;
    const carom_input *input;
    carom_step_report *report;
    crm_articulated tree;
    crm_bounds bounds;
    crm_limit_motor_row *limit_motor; // of the bounds
    crm_ivp problem;
    crm_error_block *external_block; // of external impulse and moment: their scale is known step by step
    crm_integrator integrator;
    double substep;             // s, that the next step begins with; 0: none was made. Kept with the state
    double *y;                  // the problem's state
    crm_reduced_offsets *place; // (link_count)
    crm_reduced_weight *weight; // (link_count)

    // At the state last asked for.
    crm_motion *motions;       // (body_count)
    crm_joint_config *configs; // (joint_count)
    double *rate;              // (free_count)
    crm_vec6 *wrench, *active; // of all but joints, limits and velocity motors; its part without a potential
    double *force;             // on coordinates, of open rows (free_count)
    bool factored;
    double *before_impact; // rates (free_count)
    double *curvature;     // of the limit and motor rows: what their second derivatives are without accelerations
} crm_reduced;

// The problem's state, m->y, at the start of a step.
void crm_reduced_begin(crm_reduced *m, const carom_input *input, carom_step_report *report);

// Puts all bodies where the problem's state says.
void crm_reduced_unpack(crm_reduced *m, const double *y);

// What acts besides joints, limits and velocity motors.
crm_answer crm_reduced_forces(crm_reduced *m, double time);

// Factors unless done. STOP, with a sentence, where a link has no inertia.
crm_answer crm_reduced_factor(crm_reduced *m);

// Accelerations and forces of joints, with the forces found before, into m->tree.
crm_answer crm_reduced_accelerate(crm_reduced *m);

// Coordinates from m->motions and m->configs; velocities from m->rate.
void crm_reduced_pack_coordinates(const crm_reduced *m, double *y);
void crm_reduced_pack_rates(const crm_reduced *m, double *y);

// In the state or its rate: what came from outside (external_impulse.h), and behind it the reactions, 6 numbers a
// joint.
double *crm_reduced_external(const crm_reduced *m, double *y);

// Adds the forces, or impulses, of joints to their reactions and to what comes from outside.
void crm_reduced_add_reactions(const crm_reduced *m, double *external);

// ---- the problem's numbers (reduced_layout.c)

// Counts, error blocks and places of rotations, positions and velocities.
carom_status crm_reduced_lay_out(crm_reduced *m, crm_arena *arena, carom_error *error);

// crm_ivp's weigh.
void crm_reduced_weigh(void *context);

// ---- limits and velocity motors (reduced_bounds.c)

// rows[link]: how many a link has; then, with the tree made for them, their numbers in it.
void crm_reduced_count_rows(crm_reduced *m, int *rows);
void crm_reduced_number_rows(crm_reduced *m);

// Gradients and curvatures of the rows at the motions last unpacked.
void crm_reduced_evaluate_rows(crm_reduced *m);

// m->force, of open rows; what held rows want of accelerations.
void crm_reduced_prepare_rows(crm_reduced *m);

// Power of the motors.
double crm_reduced_motor_power(const crm_reduced *m);

// Takes away what events leave and roundings add: coordinates at their limits, and rates as their motors want them.
void crm_reduced_snap(crm_reduced *m, double *y);

extern const crm_bounds_table crm_reduced_bounds;

#endif
