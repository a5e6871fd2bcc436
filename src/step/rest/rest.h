// SPDX-License-Identifier: MIT
// Rest: islands that stand still take the impulses of an earlier step over, without contacts being found, rows built or
// anything solved, as long as a bound on the residual of these impulses holds (docs/math.md 6.11).
//
// The earlier step is the island's reference. Contacts push where they pushed then, at the same points of the world, so
// that both bodies of a contact get the same wrench and momenta are kept to rounding; what a body gets is its sum,
// seen from where its centre of mass is now. Its velocity is then known exactly, and the bound needs only that and how
// far the body has moved since: O(bodies).
//
//   enters    motions and free velocities of a step; a problem that was solved, its impulses and velocities
//   leaves    which bodies rest, what their contacts give them, the bound
//   callers   lcp
#ifndef CRM_STEP_REST_H
#define CRM_STEP_REST_H

#include <float.h>
#include <math.h>

#include "solve/rigid/rigid_problem.h"
#include "step/contacts/contact_step.h"
#include "step/integrate/velocity_step.h"

// A body in its reference. Saved as bytes: no padding.
typedef struct crm_rest_body {
    carom_vec3 x; // centre of mass and attitude when the reference began
    carom_quat q;
    crm_vec6 velocity; // at its end
    crm_vec6 impulse;  // of its contacts, about x
    double radius;     // no contact is farther from x, m
    int64_t island;    // 1 + the lowest body of its island; 0: it does not rest
} crm_rest_body;

// An island in its reference; docs/math.md 6.11 has the letters.
typedef struct crm_rest_island {
    double residual;    // as the evaluator has it
    double rotate;      // H_T: what rotated directions change at most, m/s for 1 rad
    double shift;       // H_d: what shifted points change at most, m/s for 1 m
    double sway;        // c_d: relative change of a row by shifted points, 1/m
    double stretch;     // c_T: the same by rotated directions; all three rows against the shortest that one can be
    double weight;      // of what changed rows do to s |r|
    double friction;    // largest mu
    double restitution; // largest e
    double rebound;     // what restitution may add to offsets beside that of speeds, m/s
    double speed;       // of any point at the end of the reference, m/s
    double radius;      // of the smallest body, m
} crm_rest_island;

// How far the bodies of an island are from their reference, at most.
typedef struct crm_rest_motion {
    double way;    // of any point, m
    double angle;  // rad
    double change; // of the velocities of points at the end of the step, m/s
    double spin;   // there, rad/s
    double speed;  // of any point there, m/s
    double start;  // of any point when the step began, m/s
    double far;    // of a centre of mass, from the world's origin, m
} crm_rest_motion;

// What a step is measured by.
typedef struct crm_rest_scale {
    double step;      // s
    double gravity;   // what it adds to velocities in a step, m/s
    double tolerance; // of the residual of what rests
} crm_rest_scale;

// Gaps and joints' errors over a step are velocities, m/s; of bodies so far from the origin they are known no better
// than this, as positions are rounded. Where nothing else moves, that is all there is to solve.
static inline double crm_gap_noise(double distance, double step) {
    return 4.0 * DBL_EPSILON * distance / step;
}

// What residuals of bodies up to so far from the origin are relative to at least, m/s: gravity, or what gaps may be
// wrong by over the tolerance.
static inline double crm_rest_velocity(const crm_rest_scale *scale, double far) {
    return fmax(scale->gravity, crm_gap_noise(far, scale->step) / scale->tolerance);
}

typedef struct crm_rest {
    const carom_model *model;     // NULL: nothing ever rests
    crm_rest_body *bodies;        // kept with the state (body_count)
    crm_rest_island *islands;     // of the lowest body of each; kept with the state (body_count)
    bool *resting;                // takes its impulses over in this step, or cannot move (body_count)
    int awake;                    // bodies that do not
    int count;                    // bodies that move and rest
    bool stale;                   // some were woken: their contacts are those of the reference yet
    bool drifted;                 // one of them by creeping alone: it may rest again at once
    double bound;                 // on the residual of what rests, the largest
    int bound_body;               // the lowest of that island; -1: none
    crm_rest_scale scale;         // of this step
    double *radius;               // about the centre of mass, of a body with a shape, m (body_count)
    bool *jointed;                // it has a joint or a spring (body_count)
    crm_vec6 *impulse;            // scratch: of what rests (body_count)
    crm_rest_motion *motion;      // scratch: of islands (body_count)
    int *parent;                  // scratch: of the search for islands (body_count)
    crm_rest_island *next;        // scratch: islands that may come to rest (body_count)
    double *arm;                  // scratch: no contact of the body is farther from its centre, m (body_count)
    double *pressure, *press;     // scratch: sums of |r| and of k |r| over a body's contacts (body_count)
    CRM_ARRAY(double) row_length; // scratch: k of every contact of the problem
} crm_rest;

// ---- rest.c

// From the state's arena, with what a state keeps. False: no memory.
bool crm_rest_create(carom_state *state, crm_rest *rest);
void crm_rest_release(const carom_model *model, crm_rest *rest);
// The step begins, forces have led to free velocities: finds what still rests, by its bound. `margin` is that of the
// list of contacts (carom_proxy).
void crm_rest_begin(const carom_state *state, const crm_velocity_step *motion, const double *margin,
                    crm_rest_scale scale, crm_rest *rest);
// Wakes islands that have contacts with bodies that do not rest. True: there were any; the list is to be made again.
bool crm_rest_wake_neighbours(const crm_contact_step *contacts, const crm_contact_list *list, crm_rest *rest);
// Wrenches of what rests, about the present centres of mass, to change[body].
void crm_rest_take(const crm_rest *rest, crm_vec6 *change);

static inline bool crm_rests(const crm_rest *rest, int body) {
    return rest->model != NULL && rest->resting[body];
}

// ---- rest_bound.c

// Of the residual of an island that takes over its impulses.
double crm_rest_bound(const crm_rest_island *island, const crm_rest_motion *motion, const crm_rest_scale *scale);
// The largest of both.
crm_rest_motion crm_rest_motion_join(const crm_rest_motion *a, const crm_rest_motion *b);

// ---- rest_reference.c

// What a step has solved.
typedef struct crm_rest_solved {
    int count;
    const crm_rigid_contact *contacts; // (count)
    const crm_rigid_body *bodies;
    const int *body_of;            // of a body of the problem
    const crm_contact_site *sites; // of the contacts (count)
    const double *impulse;         // three a contact
    const crm_rigid_report *report;
    double gamma, push_out, barrier;
} crm_rest_solved;

// The step is done: islands that stand still and whose impulses will last become references. Their bodies rest from now
// on. False: no memory.
bool crm_rest_enter(const carom_state *state, const crm_velocity_step *motion, const crm_rest_solved *solved,
                    crm_rest *rest);

#endif
