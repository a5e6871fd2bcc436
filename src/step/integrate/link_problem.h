// SPDX-License-Identifier: MIT
// The links of a model as the state of an initial value problem (integrator.h): attitudes of those that rotate, centres
// of mass, momenta P, L of each, and behind them the sums of a method. In the rate: spins, velocities, forces.
#ifndef CRM_STEP_LINK_PROBLEM_H
#define CRM_STEP_LINK_PROBLEM_H

#include "model/model_state.h"
#include "step/integrate/integrator.h"

typedef struct crm_link_problem {
    const carom_model *model;
    int *rotation; // of each link: its number among the attitudes, or -1 (link_count)
    crm_ivp ivp;
} crm_link_problem;

// Counts and error blocks; the functions of the problem are left to the caller. `strict`: angular momenta are measured
// by the least moment of inertia, else by the largest. False: no memory.
bool crm_link_problem_create(const carom_model *model, int sum_count, bool strict, crm_arena *arena,
                             crm_link_problem *problem);

void crm_link_problem_unpack(const crm_link_problem *problem, const double *y, crm_motion *motions);
void crm_link_problem_pack(const crm_link_problem *problem, const crm_motion *motions, double *y);
double *crm_link_problem_sums(const crm_link_problem *problem, double *y);

// The kinematic part of the rate: spins and velocities at these motions.
void crm_link_problem_drift(const crm_link_problem *problem, const crm_motion *motions, double *rate);
// The force on a link in the rate, about its centre of mass.
void crm_link_problem_put_force(const crm_link_problem *problem, int link, crm_vec6 force, double *rate);
// Where the sums of the rate begin.
double *crm_link_problem_sum_rates(const crm_link_problem *problem, double *rate);

// Forces at these motions, as crm_forces_evaluate, for the rate of a problem; a refusal goes to the report.
crm_answer crm_integrated_forces(const carom_state *state, double time, const crm_motion *motions,
                                 const crm_joint_config *configs, const carom_input *input, crm_vec6 *wrench,
                                 crm_vec6 *active, carom_step_report *report);

// Moves a body: L stays what it is to the body, as the spin rotates with the attitude.
void crm_motion_displace(crm_motion *motion, crm_vec6 by, bool rotates);

#endif
