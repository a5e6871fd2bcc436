// SPDX-License-Identifier: MIT
// One island on its way through Newton methods: the iterate, the best impulses so far by the independent residual, and
// the methods themselves. All are bounded and none fails: the residual says how far they came.
//
// newton/ is called by the cascade and by the search for proofs (infeasible/). An operator and a start enter, the best
// impulses met leave. A method asks every group for its block (newton_blocks.h), the system factors them and finds a
// direction (newton_system.h).
#ifndef CRM_SOLVE_NEWTON_H
#define CRM_SOLVE_NEWTON_H

#include "solve/newton/newton_system.h"
#include "solve/solver_state.h"
#include "solve/sweeps/group_sweep.h"

typedef struct crm_newton {
    crm_newton_system system;
    double tolerance, velocity_scale;
    double aim;                        // where steps that find the way easily end: the tolerance, or less
    double *best;                      // of all impulses evaluated so far, in the problem's units (rows)
    carom_residual_report best_report; // theirs; the residual is INFINITY before the first; the floor is not known
    double *impulse, *residual_work, *residual_u;
    double *v, *r, *u;    // the iterate, scaled
    double *dv, *dr, *du; // direction
    double *trial_r, *trial_u;
    double trial_length;
    double *y, *dy;                      // duals of the interior point; centre and points of the proximal one
    double *rest;                        // momentum residual
    double *path_v, *path_r, *path_u;    // tangent of the path that is followed
    double *slope_v, *slope_r, *slope_u; // derivative along it with respect to its parameter
    double *kept_v;                      // where a step along it began; the impulses are in trial_r
    double *weight;                      // of crm_newton_rescale (group_count)
    int iterations;
    carom_interrupt interrupt; // the options': methods end where they are
} crm_newton;

// Starts from no impulses. Memory comes from the arena. CAROM_ERR_INTERRUPTED when it was.
carom_status crm_newton_open(const crm_operator *op, const carom_solve_options *options, crm_arena *arena,
                             crm_newton *newton, carom_error *error);

// Sets the iterate from impulses in the problem's units, NULL for none; what was evaluated stays.
void crm_newton_start(crm_newton *newton, const double *impulse);

// The residual of the iterate's impulses alone; keeps them when they are the best.
double crm_newton_evaluate(crm_newton *newton);
bool crm_newton_met(const crm_newton *newton);

// The report of the best impulses with its floor.
const carom_residual_report *crm_newton_verdict(crm_newton *newton);

// Units of work that a step takes, about.
double crm_newton_price(const crm_newton *newton);

// Changes the scale, keeps the iterate.
void crm_newton_set_weight(crm_newton *newton, const double *weight);

// Weights for which |r'| and a typical |u'| of every group are alike, from one linear solve with all contacts sticking.
void crm_newton_stick_weight(crm_newton *newton, double *weight);

// Factors the present blocks and finds the direction.
void crm_newton_step(crm_newton *newton);

// trial = iterate + length * direction; and the exchange of the two.
void crm_newton_set_trial(crm_newton *newton, double length);
void crm_newton_take_trial(crm_newton *newton);

// The sum of squares of the natural map of that width over all groups.
double crm_newton_map_square(const crm_newton_system *system, const double *u, const double *r, double smoothing);

// ---- methods, of so many Newton steps at most. They start from the iterate; true when the tolerance is met.

bool crm_semismooth(crm_newton *newton, int steps);

// With sweeps between the steps; the sweep's impulses are scratch.
bool crm_newton_gauss_seidel(crm_newton *newton, crm_sweep *sweep, int steps);

// `near`: the iterate is worth something. The width falls less at a time, and impulses move less.
bool crm_smoothing(crm_newton *newton, int steps, bool near);

// Does nothing where crm_proximal_knows a law not.
bool crm_proximal(crm_newton *newton, int steps);

// Starts from no impulses, whatever the iterate. `width`: at the start, against the error without impulses; another
// width is another path.
bool crm_path(crm_newton *newton, int steps, double width);

// Makes its own start. `goal`: residual at which it ends, or the tolerance if that is larger.
bool crm_interior(crm_newton *newton, int steps, double goal);

#endif
