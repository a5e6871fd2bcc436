// SPDX-License-Identifier: MIT
// `impulse`, variant `events`: smooth phases between events, integrated with error control (integrator.h), and impacts.
//
// A *touch* is a place where two bodies can touch: nearest points, a corner over a plane, two edges. While it is open
// its gap is watched; while it is closed it has a force, found from accelerations (docs/math.md 7.5):
//
//   frictionless, sliding   0 <= a_n  _|_  f >= 0, the force along n - mu t, t the direction of slip
//   sticking, rolling       Coulomb's law between the acceleration of the touching points and the force
//
// Bodies move in *groups*: those that forces couple or that come near each other in the step, each with its own events
// and substeps, so that nothing depends on what is elsewhere (impulse_events_groups.c).
//
// Events end a smooth phase: a gap closes, a closed touch lifts off, slip ends or begins. They are found to the
// resolution of the numbers that tell them; between them the modes of all touches are kept and motion is smooth.
#ifndef CRM_STEP_IMPULSE_EVENTS_H
#define CRM_STEP_IMPULSE_EVENTS_H

#include "carom/solve.h"
#include "step/certify/accounts.h"
#include "step/contacts/contact_step.h"
#include "step/integrate/external_impulse.h"
#include "step/integrate/link_problem.h"

typedef enum crm_touch_kind {
    CRM_TOUCH_NEAREST, // nearest points of the two shapes, wherever they are
    CRM_TOUCH_PLANE,   // a ball fixed in one body (a corner has radius 0) over a plane fixed in the other
    CRM_TOUCH_WALL,    // a ball inside of a container
    CRM_TOUCH_EDGES,   // two lines
} crm_touch_kind;

typedef enum crm_touch_mode {
    CRM_TOUCH_OPEN,
    CRM_TOUCH_STICKS, // closed, without slip: rolling too
    CRM_TOUCH_SLIDES, // closed, slipping along `slip`, or about to
} crm_touch_mode;

typedef struct crm_touch {
    int a, b; // bodies
    // What makes it the same touch in the next list.
    carom_contact_kind source;
    int part_a, part_b, feature_a, feature_b;
    bool guard; // the gap of a pair whose corners and edges are touches of their own: it only says when to look

    crm_touch_kind kind;
    bool ball_in_a;
    carom_vec3 at_a, at_b;       // ball's centre, point of the plane or the edge, centre of the wall: principal axes
    carom_vec3 along_a, along_b; // normal of the plane, directions of the edges: principal axes
    double radius, wall_radius;  // m
    carom_distance_cache cache;  // of nearest points
    double friction, restitution;
    double resolution; // gaps are known to this, m
    double noise;      // velocities are known to this, m/s
    double slip_known; // slips above have a direction, m/s

    crm_touch_mode mode;
    carom_vec3 slip; // unit: of b's point along a's; of one that begins to slide that of its acceleration
    bool slip_ends;  // at this event, at some touch of the same bodies
    crm_contact_point geometry;
    carom_vec3 velocity; // of b's point against a's, m/s
    bool closed;         // its gap is, and the place is on both bodies
    carom_vec3 push;     // force on b, N
    double lift;         // second derivative of the gap, m/s^2
    carom_vec3 sideways; // acceleration of b's point along a's, m/s^2

    // At the last state that the integrator arrived at.
    bool watched;                        // its gap says when it is to be looked at
    double start_gap, start_rate, depth; // m, m/s; an overlap that is already there, m >= 0
    carom_vec3 start_normal;
    carom_vec3 start_push;

    int impact_count, impact_count_before;      // in this step; when the impacts of one time began
    int order;                                  // among those kept
    int limited;                                // impacts in this step that would have made energy
    double normal_work, friction_work;          // of impacts in this step, J
    double bounce;                              // of several impacts at once: restitution
    carom_vec3 impact_impulse;                  // and impulse
    carom_vec3 impulse;                         // on b in this step, N s
    crm_contact_point hit_at;                   // where it was hit last
    carom_vec3 impulse_before, velocity_before; // of the impacts of one time: when they began
    carom_vec3 impulse_told, velocity_told;     // of those that are resolved together: when that began
    double energy_told;                         // kinetic energy of both bodies then, J
} crm_touch;

// One unknown force: what it does to two bodies, and the velocity that its law is about.
typedef struct crm_event_row {
    int a, b;
    crm_vec6 row_a, row_b;   // velocity = row_a . twist_a + row_b . twist_b
    crm_vec6 push_a, push_b; // wrenches of a unit force
    crm_vec6 move_a, move_b; // M^-1 of these
} crm_event_row;

// Rows and their laws, as a problem in W and q (carom/solve.h). Grown, never shrunk.
typedef struct crm_event_rows {
    CRM_ARRAY(crm_event_row) rows;
    CRM_ARRAY(carom_row_group) groups;
    CRM_ARRAY(double) offset, force, compliance;
    CRM_ARRAY(int) start, column;
    CRM_ARRAY(double) value;
} crm_event_rows;

// The box of all places that a body's centre of mass was asked for in a step, m.
typedef struct crm_way {
    carom_vec3 least, most;
} crm_way;

// The box that a body can reach on its way.
typedef struct crm_covered {
    crm_way box;
    int body;
} crm_covered;

// What became of a group in a step.
typedef struct crm_group_result {
    bool moved; // else the rest is of an attempt that counts for nothing
    double residual;
    double friction_work; // of impacts, J
    crm_overlaps overlaps;
    int substeps;
    bool cut_off; // a sequence of impacts had to be cut off
} crm_group_result;

typedef struct crm_event_groups {
    int *of;                  // the lowest body of each body's group (body_count)
    int *next;                // the next body of the group, or -1 (body_count)
    int *last;                // scratch: of a group's lowest body, the last in its chain (body_count)
    int *body;                // those of the group that moves now, ascending (body_count)
    int *shaped;              // those and the fixed ones, with shapes, ascending (body_count)
    int *fixed;               // that have shapes (fixed_count)
    int fixed_count;          //
    int *number;              // of each body in its group (body_count)
    crm_way *way;             // (body_count)
    crm_covered *covered;     // scratch: of bodies with shapes (body_count)
    crm_group_result *result; // of a group's lowest body (body_count)
} crm_event_groups;

typedef struct crm_impulse_events {
    const carom_model *model;
    carom_state *state;
    const carom_input *input;
    carom_step_report *report;
    carom_method_def def; // with dp54
    crm_event_groups groups;
    crm_body_scope scope;   // the group that moves now
    crm_link_problem links; // of that group; its sums are those of its bodies, CRM_EVENTS_SUMS each
    crm_integrator integrator;
    double *substep;      // s, that the next step begins with; 0: none was made. Kept with the state (body_count)
    double *next_substep; // the same of the step that is being made (body_count)
    double *sliding_work; // of friction in this step, J (body_count)
    double *y, *asked;    // the problem's state; that which accelerations are of (state_size)
    double *scratch;      // a rate (rate_size)
    bool asked_known;
    double *arrived_y;     // the state that the integrator arrived at last (state_size)
    crm_motion *from;      // at that (body_count)
    crm_motion *motions;   // at the state last asked for (body_count)
    crm_motion *listed;    // where the list of touches was made (body_count)
    crm_vec6 *twist;       // velocity of the centre of mass and spin (body_count)
    crm_vec6 *wrench;      // of all forces but touches (body_count)
    crm_vec6 *active;      // the part without a potential (body_count)
    crm_vec6 *contact;     // of all touches (body_count)
    crm_vec6 *accelerated; // free accelerations (body_count)

    carom_solver_state *solver;
    crm_contact_step found;
    CRM_ARRAY(crm_touch) touches, former;
    CRM_ARRAY(crm_touch) past; // that left the list in this step with an impulse
    CRM_ARRAY(crm_touch) kept; // of groups that have moved: what is closed or was pushed
    crm_event_rows rows;

    double end;               // of the step, s
    double arrived;           // time of the state that the integrator arrived at, s
    double acceleration;      // of what presses touches together, m/s^2: lift and slip are relative to it
    double restitution_share; // what of all restitution counts: 1, but for impacts that would make energy
    double impact_time;       // of the impacts at hand, s
    int impact_count;
    crm_group_result now; // of the group that moves
} crm_impulse_events;

// The sums of a body: what came to it from outside (external_impulse.h), then the work of friction while it slides on
// others.
enum { CRM_EVENTS_SUMS = CRM_EXTERNAL_NUMBERS + 1 };

// ---- impulse_events_groups.c: which bodies move together

bool crm_events_groups_create(crm_impulse_events *e, crm_arena *arena);
// The groups that a step begins with: what is coupled, or would come near each other without events.
void crm_events_groups_begin(crm_impulse_events *e);
// Makes the group of this lowest body the one that moves.
void crm_events_groups_choose(crm_impulse_events *e, int lowest);
// The bodies of the group are asked for at e->motions.
void crm_events_note_ways(crm_impulse_events *e);
// Joins groups whose bodies came near each other; false: there are none. Joined ones have not moved.
bool crm_events_groups_join(crm_impulse_events *e);

// ---- impulse_events_touch.c: where bodies can touch

// Makes the list of touches for the rest of the step from e->motions. What is known of touches that stay is kept.
carom_status crm_events_list_touches(crm_impulse_events *e, double time, carom_error *error);
// Whether every body is still where the list was made for, when it may use up this share of its margin.
bool crm_events_list_covers(const crm_impulse_events *e, double share);

// ---- impulse_events_evaluate.c: geometry of touches

crm_contact_point crm_touch_evaluate(const carom_model *model, crm_touch *touch, const crm_motion *a,
                                     const crm_motion *b);
// Fills e->twist from e->motions.
void crm_events_twists(crm_impulse_events *e);
// Place and velocity of every touch, or of the closed ones, at e->motions and e->twist.
void crm_events_evaluate_touches(crm_impulse_events *e, bool closed_only);
// Whether two bodies have met on the way from e->from to e->motions, which took `since`, s.
bool crm_events_passed(const crm_impulse_events *e, const crm_touch *touch, double since);
// Which touches are closed, of those that were placed.
void crm_events_mark_closed(crm_impulse_events *e);

// ---- impulse_events_products.c: what velocities add to accelerations

// While velocities of bodies stay: *normal is added to the second derivative of the gap, *velocity to the derivative of
// the touching points' velocity.
void crm_touch_products(const crm_impulse_events *e, const crm_touch *touch, double *normal, carom_vec3 *velocity);

// ---- impulse_events_rows.c: systems of unknown forces

void crm_event_rows_clear(crm_event_rows *rows);
void crm_event_rows_free(const carom_allocator *allocator, crm_event_rows *rows);
// Adds a group of one or three rows at a touch: velocities along `along`, forces along `push`. False: no memory.
bool crm_event_rows_add(crm_impulse_events *e, const crm_touch *touch, carom_row_group group, const carom_vec3 *along,
                        const carom_vec3 *push, const double *offset, const double *guess);
// Solves for the forces. The residual is added to e->now.residual. `softness`: compliance of every row, as a share of
// what its own force does to it; equations that contradict each other in their last digits need some.
carom_status crm_event_rows_solve(crm_impulse_events *e, double tolerance, double softness, bool warm,
                                  carom_error *error);
// M^-1 of a body at e->motions.
crm_vec6 crm_events_response(const crm_impulse_events *e, int body, crm_vec6 wrench);
// A force or impulse on b at a point, -push on a: as wrenches about the centres of mass.
void crm_events_wrenches(const crm_impulse_events *e, const crm_touch *touch, carom_vec3 push, crm_vec6 *on_a,
                         crm_vec6 *on_b);
// What such a push brings into both bodies from outside, in the sums of the group.
void crm_events_add_external(const crm_impulse_events *e, const crm_touch *touch, carom_vec3 push, double *sums);
// The sums of a body of the group among these.
double *crm_events_sums_of(const crm_impulse_events *e, int body, double *sums);

// ---- impulse_events_accelerate.c: forces of closed touches

// Forces of fields, springs and the like at e->motions, into wrench and active.
crm_answer crm_events_forces(crm_impulse_events *e, double time);
// Accelerations at e->motions: fills wrench, active, contact, and push, lift and sideways of closed touches.
crm_answer crm_events_accelerate(crm_impulse_events *e, double time);
// Gaps, and velocities that closed touches block, made zero; impulses go to the sums.
crm_answer crm_events_project(crm_impulse_events *e, double *sums);

// ---- impulse_events_impacts.c: collisions

// An impulse on b, its opposite on a; into the sums.
void crm_events_give(crm_impulse_events *e, crm_touch *touch, carom_vec3 impulse, double *sums);
// The speed up to which a rebound cannot be told from rest, m/s: forces undo it within the resolution of the gap.
double crm_events_rest_speed(const crm_impulse_events *e, const crm_touch *touch);
// Impacts at e->motions until no closed gap is approached.
crm_answer crm_events_impact(crm_impulse_events *e, double time, double *sums);

// ---- impulse_events_modes.c: events

double crm_events_margin(void *context, double time, const double *y);
crm_answer crm_events_event(void *context, double time, double *y);
crm_answer crm_events_end_substep(void *context, double time, double *y);

// ---- impulse_events_problem.c: the initial value problem

carom_status crm_events_prepare_problem(crm_impulse_events *e, crm_arena *arena, carom_error *error);
crm_answer crm_events_rate(void *context, double time, const double *y, double *rate);
// The step cannot go on; `format` is the whole sentence.
crm_answer crm_events_stop(crm_impulse_events *e, const char *format, ...) CAROM_PRINTF_LIKE(2, 3);
// The same for want of memory.
crm_answer crm_events_no_memory(crm_impulse_events *e, const char *what);

// ---- impulse_events_readout.c

// The group has moved: what its touches have come to. False: no memory.
bool crm_events_keep_touches(crm_impulse_events *e);
// All groups have: the table of contacts, overlaps, work of impacts. False: no memory.
bool crm_events_read_out(crm_impulse_events *e);

#endif
