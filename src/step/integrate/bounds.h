// SPDX-License-Identifier: MIT
// Limits and velocity motors: rows whose force has bounds, for every method that integrates (integrator.h).
//
//   limit   lambda >= 0 at the lower one, <= 0 at the upper one, and only there
//   motor   |lambda| <= max_force; where it is less, the rate is the target
//
// Between events each row is either held, an equation like those of joints, or open, with a known force. Events are: a
// limit is reached, a held limit would have to pull, a motor reaches its largest force, an overpowered motor gets to
// its target. There the rows are sorted anew: first velocities (a limit that is reached takes the approaching velocity
// away at once: inelastic; a motor of unlimited force gives its rate at once), then accelerations. Both are
// complementarity problems with bounds, solved by exchanging rows between held and open; every trial is one O(n)
// factorization of the method.
#ifndef CRM_STEP_BOUNDS_H
#define CRM_STEP_BOUNDS_H

#include "model/joint/limit_motor_row.h"
#include "model/model_state.h"
#include "step/integrate/integrator.h"

// What a row does at present.
typedef enum crm_bound_mode {
    CRM_BOUND_OPEN, // a limit that is not reached; a motor at its largest force: lambda is known
    CRM_BOUND_HELD, // an equation
} crm_bound_mode;

typedef struct crm_bound {
    crm_bound_mode mode;
    double known;  // lambda of an open row
    double level;  // the limit that is held, m or rad; the target of a motor, m/s or rad/s
    double lo, hi; // bounds on lambda, while candidates are chosen
    bool candidate;
    double max_force; // of a motor, in this step
} crm_bound;

// What the rows ask of their method.
typedef struct crm_bounds_table {
    // At a state of the problem; all that follows is there.
    crm_answer (*evaluate)(void *context, const double *y);
    double (*value)(const void *context, int limit_motor); // of a limit's coordinate
    double (*rate)(const void *context, int limit_motor);
    void (*hold)(void *context, int limit_motor, bool held);

    // What acts besides the rows; then accelerations, with the rows that are held and the known forces of the others.
    crm_answer (*forces)(void *context, double time);
    void (*accelerate)(void *context);
    double (*acceleration)(const void *context, int limit_motor); // second derivative of value, or derivative of rate

    // Keeps the velocities; then, from those, makes the rates of held rows what they should be, their level or 0 of a
    // limit, by impulses; then puts the new velocities, impulses and their work into the problem's state.
    void (*begin_impact)(void *context);
    void (*impact)(void *context);
    void (*end_impact)(void *context, double *y);

    // Force or impulse of the last accelerate or impact, and the largest there is.
    double (*lambda)(const void *context, int limit_motor);
    double (*largest_lambda)(const void *context);
} crm_bounds_table;

typedef struct crm_bounds {
    const carom_model *model;
    const crm_bounds_table *table;
    void *context;
    double size; // of the jointed system, m
    int count;
    const crm_limit_motor_row *limit_motor; // (count)
    crm_bound *bound;                       // (count)
    carom_step_report *report;              // of the present step
    carom_interrupt interrupt;              // ends the choice of rows, as if there were none
} crm_bounds;

// At the start of a step: targets and bounds of motors.
void crm_bounds_begin(crm_bounds *bounds, const carom_input *input, carom_step_report *report);

// For crm_ivp's margin and event.
double crm_bounds_margin(const crm_bounds *bounds, double time, const double *y);
crm_answer crm_bounds_event(crm_bounds *bounds, double time, double *y);

#endif
