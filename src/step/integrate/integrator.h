// SPDX-License-Identifier: MIT
// Integrators of initial value problems whose states are attitudes and numbers: `euler`, `rk4`, `dp54`.
//
// The state is one array: unit quaternions first (4 numbers each), then positions, velocities and sums. Its rate is one
// too: a spin for each quaternion (3 numbers: q <- exp(dt spin) q), then the derivatives of all numbers. Sums are
// integrals that nothing depends on (impulses, work): no error is controlled in them.
//
// Rotations are integrated in the rotation vector from the start of a substep, theta' = J_left^-1(theta) spin
// (Munthe-Kaas): every Runge-Kutta method keeps its order, quaternions their length, and a constant spin is exact.
//
// The folder has the steps in time that methods share:
//
//   enters    motions and forces, or any initial value problem
//   leaves    motions a step later, sums of external impulses
//   callers   all methods
#ifndef CRM_STEP_INTEGRATOR_H
#define CRM_STEP_INTEGRATOR_H

#include "base/arena.h"
#include "carom/step.h"
#include "model/model_state.h"

typedef enum crm_answer {
    CRM_ANSWER_GOOD,
    CRM_ANSWER_SMALLER, // not here, perhaps with a smaller step: dp54 tries one, the others give up
    CRM_ANSWER_STOP,    // the problem knows why
} crm_answer;

// Numbers whose error is measured together, by its length.
typedef struct crm_error_block {
    int count;
    double scale; // the absolute tolerance is per this: 1 for metres and radians, a mass for a momentum
    double least; // the relative one is of no less than this: 1 for angles
} crm_error_block;

typedef struct crm_ivp {
    int rotation_count, position_count, velocity_count, sum_count;
    int error_block_count;
    const crm_error_block *error_block; // of positions and velocities, in their order (error_block_count)
    void *context;

    crm_answer (*rate)(void *context, double time, const double *state, double *rate);

    // The part of the rate that is kinematic: spins and derivatives of positions, from the velocities. Of `euler`.
    void (*drift)(void *context, const double *state, double *rate);

    // Before the error of a substep is measured, after the rate at its end: may set `least` of error blocks. May be
    // NULL.
    void (*weigh)(void *context);

    // Puts the state at the end of a substep back onto its constraints. May be NULL.
    crm_answer (*end_substep)(void *context, double time, double *state);

    // Events. NULL, or how far the nearest event is, in units of the tolerance to which it is to be found: below -1 it
    // has been passed. `event` then changes the state or the problem so that margin is -1 or more. It is also called
    // once at the start.
    double (*margin)(void *context, double time, const double *state);
    crm_answer (*event)(void *context, double time, double *state);
    int event_limit; // in a step; 0: CRM_MOST_EVENTS

    carom_interrupt interrupt; // ends the journey as an answer CRM_ANSWER_STOP does
} crm_ivp;

static inline int crm_ivp_number_count(const crm_ivp *problem) {
    return problem->position_count + problem->velocity_count + problem->sum_count;
}

// Whether every number of a state is finite.
bool crm_ivp_is_finite(const crm_ivp *problem, const double *state);

static inline int crm_ivp_state_size(const crm_ivp *problem) {
    return 4 * problem->rotation_count + crm_ivp_number_count(problem);
}

static inline int crm_ivp_rate_size(const crm_ivp *problem) {
    return 3 * problem->rotation_count + crm_ivp_number_count(problem);
}

enum { CRM_MOST_STAGES = 7 };

// Work memory, for one problem and one method definition.
typedef struct crm_integrator {
    const crm_ivp *problem;
    const carom_method_def *def;
    double *stage[CRM_MOST_STAGES]; // rates (rate_size)
    double *end_rate;               // at the end of the substep (rate_size)
    double *increment;              // tangent, from the start of the substep (rate_size)
    double *trial;                  // a state (state_size)
    bool first_known;               // stage[0] holds the rate at the start of the next substep
} crm_integrator;

carom_status crm_integrator_create(const crm_ivp *problem, const carom_method_def *def, crm_arena *arena,
                                   crm_integrator *integrator, carom_error *error);

typedef enum crm_integration_end {
    CRM_INTEGRATION_GOOD,
    CRM_INTEGRATION_STOPPED,    // by an answer of the problem
    CRM_INTEGRATION_SUBSTEPS,   // the limit of substeps was reached
    CRM_INTEGRATION_TOO_SMALL,  // substeps as small as the rounding of the time did not keep the tolerances
    CRM_INTEGRATION_MANY_EVENTS // as many events as may be, and the end of the step was not reached
} crm_integration_end;

enum { CRM_MOST_EVENTS = 1000 };

typedef struct crm_integration {
    crm_integration_end end;
    int substeps; // made
    int rejected; // tried in vain: too large an error
    int events;
    double reached; // time, s
} crm_integration;

// From `time` over `length`, in place. *substep: the size that dp54 starts with (0: it finds one) and ends with; it
// influences bits and belongs to the state. Allocates nothing. When the end is not good, `state` is somewhere on the
// way.
crm_integration crm_integrate(crm_integrator *integrator, double time, double length, double *substep, double *state);
// What a saved state may say of *substep (crm_kept_check).
bool crm_substep_fits(const carom_state *state, const crm_kept *kept, int index, const void *item);

// Fills the report's iterations (substeps), and outcome and text when the end was not good (and not stopped: then the
// problem does).
void crm_integration_report(const carom_method_def *def, const crm_integration *integration, carom_step_report *report);

#endif
