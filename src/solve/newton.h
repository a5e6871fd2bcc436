// SPDX-License-Identifier: MIT
// One problem on its way through Newton methods: the iterate, the best impulses so far by the independent residual, and
// the methods themselves. All are bounded; none fails: the judge says how far they came.
#ifndef CRM_SOLVE_NEWTON_H
#define CRM_SOLVE_NEWTON_H

#include "solve/newton_system.h"

typedef struct crm_newton {
    crm_newton_system system;
    double tolerance, velocity_scale;
    double *impulse;           // the iterate's r in the problem's own units (rows)
    double *best;              // of all iterates that were judged (rows)
    double best_residual;      // INFINITY before the first judgement
    double *free;              // q (rows)
    double *v, *r, *u;         // the iterate, scaled
    double *dv, *dr, *du;      // direction
    double *trial_v, *trial_r, *trial_u;
    double *y, *dy;            // duals of the interior point
    double *rest, *value;      // momentum residual; natural map
    double *weight;            // of crm_newton_rescale (group_count)
    int iterations;
} crm_newton;

carom_status crm_newton_open(const carom_problem *problem, crm_newton_form form, crm_arena *arena, crm_arena *scratch,
                             crm_newton *newton, carom_error *error);

// Sets the iterate from impulses in the problem's units, NULL for none; forgets nothing that was judged before.
void crm_newton_start(crm_newton *newton, const double *impulse);

// The residual of the iterate's impulses alone; keeps them when they are the best.
double crm_newton_judge(crm_newton *newton);

// Changes the scale, keeps the iterate.
void crm_newton_set_weight(crm_newton *newton, const double *weight);

// All contacts sticking, with a prox term relative to W: an estimate of every group's impulse, in the problem's units.
void crm_newton_stick(crm_newton *newton, double prox, double *impulse);

typedef struct crm_semismooth_options {
    int steps;          // at most
    double prox;        // at the start
    bool search;        // line search on the natural map
} crm_semismooth_options;

// Each returns true when the tolerance is met. They start from the iterate.
bool crm_semismooth(crm_newton *newton, const crm_semismooth_options *options);

#endif
