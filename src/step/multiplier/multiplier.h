// SPDX-License-Identifier: MIT
// The inside of the method `multiplier`: accelerations and the forces of joints from one linear system
// (joint_system.h), integrated as an initial value problem (integrator.h).
//
// The state of the problem is that of link_problem.h; its sums are the reactions of all joints (6 numbers each), then
// what came from outside (external_impulse.h).
//
//   enters    motions, forces, rows of joints
//   leaves    state->next, reactions, the external balance
//   callers   the table of methods
#ifndef CRM_STEP_MULTIPLIER_H
#define CRM_STEP_MULTIPLIER_H

#include "model/mechanism/joint_system.h"
#include "model/model_state.h"
#include "step/integrate/bounds.h"
#include "step/integrate/external_impulse.h"
#include "step/integrate/link_problem.h"

typedef struct crm_multiplier {
    const carom_model *model;
    carom_state *state;
    const carom_input *input;
    carom_step_report *report;
    crm_joint_system system;
    crm_bounds bounds; // of the limit and motor rows
    crm_link_problem links;
    crm_integrator integrator;
    double substep; // s, that the next step begins with; 0: none was made. Kept with the state
    double *y;      // the problem's state
    double size;    // of the jointed system, m
    bool baumgarte; // else projection

    // At the state last asked for.
    crm_motion *motions;             // (body_count)
    crm_joint_config *configs;       // at the last substep: they count revolutions (joint_count)
    crm_vec6 *wrench, *active;       // of all but the joints' rows; its part without a potential (body_count)
    crm_vec6 *twist;                 // scratch of solves (body_count)
    double *lambda, *product, *rate; // (row_count)
    crm_motion *before_impact;       // scratch of impacts (body_count)
} crm_multiplier;

// The rate of a limit or motor row's coordinate at m->motions.
double crm_multiplier_rate(const crm_multiplier *m, int limit_motor);

// What acts besides the rows, at m->motions, into wrench and active.
crm_answer crm_multiplier_forces(crm_multiplier *m, double time);

// Accelerations into m->twist, and forces into m->lambda, those of open rows too, at m->motions with the forces found
// before.
void crm_multiplier_accelerate(crm_multiplier *m);

// Makes the momenta of m->motions such that all rows that are on keep their velocities; the impulses go to m->lambda.
void crm_multiplier_project_momenta(crm_multiplier *m);

// Adds what m->lambda, forces or impulses, is to the reactions and to what comes from outside.
void crm_multiplier_add_lambda(const crm_multiplier *m, double *sums);

// How limits and velocity motors are solved (multiplier_bounds.c).
extern const crm_bounds_table crm_multiplier_bounds;

#endif
