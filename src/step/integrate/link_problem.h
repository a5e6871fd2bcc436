// SPDX-License-Identifier: MIT
// The links of a model, or some of them, as the state of an initial value problem (integrator.h): attitudes of those
// that rotate, centres of mass, momenta P, L of each, and behind them the sums of a method. In the rate: spins,
// velocities, forces.
#ifndef CRM_STEP_LINK_PROBLEM_H
#define CRM_STEP_LINK_PROBLEM_H

#include "model/force/evaluate.h"
#include "model/model_state.h"
#include "step/integrate/integrator.h"

typedef struct crm_link_problem {
    const carom_model *model;
    bool strict;   // angular momenta are measured by the least moment of inertia, else by the largest
    int *body;     // of each link (link_count)
    int *rotation; // of each link: its number among the attitudes, or -1 (link_count)
    int link_count;
    crm_error_block *block;
    crm_ivp ivp;
} crm_link_problem;

// Counts and error blocks of all links; the functions of the problem are left to the caller. False: no memory.
bool crm_link_problem_create(const carom_model *model, int sum_count, bool strict, crm_arena *arena,
                             crm_link_problem *problem);
// Makes it the problem of these bodies alone, which are links; memory that was made for all of them stays large enough.
void crm_link_problem_choose(crm_link_problem *problem, const int *bodies, int count, int sum_count);

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
// What callbacks answered as the answer of a problem.
crm_answer crm_integrated_answer(const carom_model *model, const crm_callback_answer *answer, double time,
                                 carom_step_report *report);

// Moves a body: L stays what it is to the body, as the spin rotates with the attitude.
void crm_motion_displace(crm_motion *motion, crm_vec6 by, bool rotates);

#endif
