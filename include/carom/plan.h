// SPDX-License-Identifier: MIT
/// @file
/// Plans: motions of rigid bodies with the controls that make them, of least effort, past and through contact.
///
/// A plan is a run of the method `variational` whose controls are unknowns: intervals k = 0..K-1 of lengths sigma_a h
/// between nodes 0..K, controls constant in an interval, ends, obstacles and contacts as rows, solved by a nonlinear
/// program. docs/plan.md has how to pose one, docs/math.md the rows. This header belongs to the library carom_plan,
/// which alone links a solver of nonlinear programs.
#ifndef CAROM_PLAN_H
#define CAROM_PLAN_H

#include "carom/joint.h"
#include "carom/model.h"
#include "carom/step.h"

// ---- what is planned: plain data, as in the section `plan` of a scene

typedef enum carom_control_kind {
    CAROM_CONTROL_WRENCH,   ///< Force at the centre of mass and torque, six numbers (three where one is left out).
    CAROM_CONTROL_FORCE,    ///< Force at a point of the body, three numbers.
    CAROM_CONTROL_THRUSTER, ///< Force along a direction of the body at a point of it, one number from 0 to `limit`.
    CAROM_CONTROL_MOTOR,    ///< Of a hinge: torque about its axis, one number; of a slider: force along its axis, one;
                            ///< of a ball joint: torque, three numbers, world axes. + on body b, - on body a.
    CAROM_CONTROL_KIND_COUNT
} carom_control_kind;

typedef struct carom_control_def {
    carom_control_kind kind;
    carom_body body;      ///< Of all kinds but motors.
    int joint;            ///< Of motors.
    bool in_body_axes;    ///< Of wrenches and forces. Default false: world axes.
    bool force, torque;   ///< Of wrenches: which halves there are. Default both.
    carom_vec3 point;     ///< Of forces and thrusters, body frame, m.
    carom_vec3 direction; ///< Of thrusters, body frame; need not be a unit vector.
    double force_limit;   ///< Largest size of each number that is a force, N. Default infinite; of thrusters required.
    double torque_limit;  ///< Largest size of each number that is a torque, N m. Default infinite.
    double force_weight, torque_weight; ///< Of the effort: weight times the squares. Default 1 (torques: 1/m^2).
} carom_control_def;

/// What is asked of a body at a node. Poses are those of the body's frame, velocities of its origin; the start of the
/// plan is the start of the scene, unless a condition at node 0 frees it.
typedef struct carom_plan_condition {
    int node; ///< 0 to K; -1: the last one.
    carom_body body;
    bool has_position, has_attitude, has_velocity, has_spin; ///< What is given; what is not is free.
    carom_vec3 position, velocity, spin;
    carom_quat attitude;
    carom_body relative_to;       ///< Position and attitude are seen from this body, world: absolute. Default world.
    bool together;                ///< With relative_to: the two also move as one rigid body there.
    bool has_box;                 ///< The position lies in a box:
    carom_vec3 box_low, box_high; ///< Components may be infinite.
    int direction_count;          ///< At most 3: a direction of the body may not be further from one of the world, as
    struct {                      ///< (R axis) . toward >= least.
        carom_vec3 axis, toward;
        double least;
    } direction[3];
} carom_plan_condition;

/// A pair of bodies.
typedef struct carom_plan_pair {
    carom_body a, b;
} carom_plan_pair;

typedef struct carom_avoid_def {
    bool on;            ///< Default false.
    double margin;      ///< Least gap, m, >= 0.
    bool between_nodes; ///< Default true. False: at the nodes only, for comparison.
    int pair_count;     ///< Default 0: all pairs that can have contacts.
    const carom_plan_pair *pair;
} carom_avoid_def;

/// A contact at a node: bodies a and b touch there and exchange an impulse.
typedef struct carom_plan_contact {
    int node;             ///< 1 to K-1, or K for a touch at the end.
    carom_body a, b;      ///< One of the two may be fixed.
    double restitution;   ///< 0 to 1.
    double friction;      ///< >= 0. Default 0.
    bool sticky;          ///< A ball joint at the point of contact from that node on.
    double least_impulse; ///< N s, > 0: what the contact must at least exchange. Default 0: chosen.
} carom_plan_contact;

/// Contacts that are found by the plan itself: complementarity at all nodes, of corners of `a` against fixed `b`.
typedef struct carom_discover_def {
    bool on;
    int pair_count;
    const carom_plan_pair *pair;
    double restitution, friction; ///< Of all of them.
    bool hand_over;               ///< Then plan again with arcs and planned contacts. Default true.
} carom_discover_def;

typedef struct carom_plan_penalty {
    bool on;          ///< Contact as the potential stiffness/2 t^2 of overlaps t: for comparison.
    double stiffness; ///< N/m
} carom_plan_penalty;

typedef enum carom_guess_kind {
    CAROM_GUESS_STRAIGHT,   ///< A screw from start to end, bulged where bodies overlap.
    CAROM_GUESS_WAY_POINTS, ///< Constant twists between way points.
    CAROM_GUESS_MOTION,     ///< Given poses at all nodes, such as those of a recording.
} carom_guess_kind;

typedef struct carom_way_point {
    carom_body body;
    double share;    ///< Of the time, 0 to 1.
    carom_pose pose; ///< Body frame.
} carom_way_point;

typedef struct carom_plan_def {
    uint32_t struct_size; ///< Set by carom_plan_def_default; leave it.
    int intervals;        ///< K, 2 to 2,000.
    double time;          ///< s, > 0; of free time the guess.
    bool time_free;
    double time_least, time_most; ///< Of free time, s. Default time/10, 10 time.
    int control_count;
    const carom_control_def *control;
    int condition_count;
    const carom_plan_condition *condition;
    carom_avoid_def avoid;
    int contact_count;
    const carom_plan_contact *contact; ///< In the order of their nodes.
    carom_discover_def discover;
    carom_plan_penalty penalty;
    double time_weight; ///< Of the objective, 1/s of effort: for free time.
    carom_guess_kind guess;
    int way_point_count;
    const carom_way_point *way_point;
    int motion_count; ///< Of CAROM_GUESS_MOTION: frames, each the poses of all bodies, evenly spaced in time.
    const carom_pose *motion;
    int levels;       ///< K/2^(levels-1), ..., K. Default 1.
    int starts;       ///< Default 1.
    uint64_t seed;    ///< Of starts. Default 0.
    double tolerance; ///< Of the program, scaled. Default 1e-8.
} carom_plan_def;

// ---- making a plan

typedef struct carom_plan carom_plan;

typedef enum carom_plan_outcome {
    CAROM_PLAN_UNFINISHED, ///< Not begun, or not at its end.
    CAROM_PLAN_SOLVED,     ///< A strict local optimum that keeps all rows.
    CAROM_PLAN_FEASIBLE,   ///< Keeps all rows; not proven to be a local optimum.
    CAROM_PLAN_IMPOSSIBLE, ///< No motion near by keeps all rows: `reason` says which.
    CAROM_PLAN_STUCK,      ///< The solver ended without either: `reason`.
    CAROM_PLAN_OUTCOME_COUNT
} carom_plan_outcome;

/// One solve, of a level and a start.
typedef struct carom_plan_solve {
    int start, level, intervals;
    carom_plan_outcome outcome;
    int iterations;
    double effort, violation, optimality; ///< Violation and optimality scaled.
    double seconds;                       ///< Processor time.
} carom_plan_solve;

/// What a plan promises, and its bounds in docs/plan.md.
typedef struct carom_plan_certificate {
    double violation;       ///< Largest row violation, in the plan's units.
    double violation_si;    ///< The same in SI units.
    double consistency;     ///< Momentum consistency of all intervals, relative.
    double gap_at_nodes;    ///< Least gap of all avoided pairs, m; infinite where none is avoided.
    double gap_between;     ///< Least gap between nodes, certified, m.
    double margin;          ///< That was asked for, m.
    double length;          ///< The plan's unit of length: its largest body, m.
    double optimality;      ///< First-order error, scaled.
    bool strict;            ///< Inertia is right: a strict local minimum.
    double touch_overlap;   ///< Largest overlap of bodies that touch where they are told to, in the plan's units.
    double complementarity; ///< Largest product of contacts, scaled.
    double cone;            ///< Largest violation of friction cones, relative.
    double limits;          ///< Largest violation of control limits, relative.
    double rotation;        ///< Largest rotation in an interval, rad.
    double replay;          ///< Largest difference of a run at the plan's step from the plan, of a body's size and rad.
    double replay_fine;     ///< The same of the end of a run at 1/16 of the step.
    double effort, guess_effort, recursion_effort; ///< Of the plan; of its guess by least norm; by (4.22).
    double coarse_effort;                          ///< Of the level before, NAN without one.
    bool kept;                                     ///< All contracts hold.
} carom_plan_certificate;

// ---- a plan as data: what a finished one gives, recordings keep, pages show and runs replay

/// One control as it stands in a plan: its numbers are some of those that every interval has.
typedef struct carom_plan_control {
    carom_control_kind kind;
    carom_body body;                  ///< {-1} of motors.
    int joint;                        ///< Of motors; else -1.
    bool in_body_axes;                ///< Of wrenches and forces; those of thrusters are along the body's.
    int first, size;                  ///< Which of the numbers of an interval.
    int force_count;                  ///< So many of them, the first ones, are forces, N; the others torques, N m.
    double force_limit, torque_limit; ///< Infinite: none.
} carom_plan_control;

/// The two bodies that are nearest of those that are kept apart.
typedef struct carom_plan_nearest {
    double gap;      ///< m; infinite: there are none.
    carom_body a, b; ///< {-1} then.
} carom_plan_nearest;

/// A plane that keeps two convex parts apart throughout an interval: normal . x is below `offset` for a, above for b.
typedef struct carom_plan_plane {
    int interval;
    carom_body a, b;
    int part_a, part_b;
    carom_vec3 normal; ///< Unit, world axes.
    double offset;     ///< m
} carom_plan_plane;

/// What two bodies exchange at a node: at a planned contact, or at one that sticks from there on.
typedef struct carom_plan_impulse {
    int node;
    int contact;                ///< Of carom_plan_def.
    carom_body a, b;            ///< Impulse and couple act on b, their opposites on a.
    carom_vec3 point;           ///< World, m.
    carom_vec3 impulse, couple; ///< N s, N m s
} carom_plan_impulse;

/// All of a plan. What points somewhere lives as long as what it was got from.
typedef struct carom_plan_data {
    carom_plan_outcome outcome;
    const char *reason; ///< Why it is impossible or stuck; "" otherwise.
    carom_plan_certificate certificate;
    int solve_count;
    const carom_plan_solve *solve; ///< In the order in which they were made.
    int body_count;                ///< Of the model.
    int control_count, number_count;
    const carom_plan_control *control;
    int interval_count;             ///< 0 of a plan that has no motion: then there is nothing of what follows.
    const double *time;             ///< Of nodes, s. (interval_count + 1)
    const carom_body_state *motion; ///< [node * body_count + body], velocities after impulses.
    const double *value;            ///< [interval * number_count + number], N and N m.
    int wrench_count;
    const carom_body_wrench *wrench;   ///< What the controls do in an interval: [interval * wrench_count + i].
    const double *consistency;         ///< Of momenta over each interval, then at the last node, relative. (nodes)
    const carom_pose *guess;           ///< Where it began: [node * body_count + body], evenly spaced in time.
    const double *guess_value;         ///< [interval * number_count + number]
    const carom_plan_nearest *at_node; ///< (interval_count + 1)
    const carom_plan_nearest *between; ///< The least gap in each interval, proved. (interval_count)
    int plane_count;
    const carom_plan_plane *plane; ///< In the order of their intervals.
    int impulse_count;
    const carom_plan_impulse *impulse; ///< In the order of their nodes.
} carom_plan_data;

/// A line of the certificate of plans, and its bound.
typedef struct carom_plan_line {
    const char *name, *label, *unit, *text;
    size_t offset; ///< Of its number, a double, in carom_plan_certificate.
    double bound; ///< The most that is allowed; of gaps by how much they may be below the margin, of the plan's unit of
                  ///< length. Infinite: the line is only reported.
    bool is_gap;
    bool contract; ///< Beyond its bound the plan is not to be trusted; else it is worth a look.
} carom_plan_line;

/// How large the program of a plan is.
typedef struct carom_plan_extent {
    int numbers; ///< Of the controls in an interval.
    int unknowns, rows;
} carom_plan_extent;

typedef struct carom_plan_progress {
    int start, starts, level, levels, iteration;
    double objective, violation, optimality, barrier;
} carom_plan_progress;

CAROM_BEGIN_C

CAROM_API carom_plan_def carom_plan_def_default(void);
CAROM_API carom_control_def carom_control_def_default(void);
CAROM_API carom_plan_condition carom_plan_condition_default(void);
CAROM_API carom_plan_contact carom_plan_contact_default(void);

CAROM_API const char *carom_plan_outcome_name(carom_plan_outcome outcome); ///< "solved"; "?" for a number that is none.
CAROM_API const char *carom_control_kind_name(carom_control_kind kind);    ///< "wrench"; likewise.
/// What the numbers of a control are called, in their order: "fx", "fy", .. "tz", "thrust", "torque" or "force".
CAROM_API const char *carom_plan_number_name(const carom_plan_control *control, int number);
CAROM_API const carom_plan_line *carom_plan_lines(int *count); ///< All lines of the certificate.
CAROM_API double carom_plan_line_value(const carom_plan_line *line, const carom_plan_certificate *certificate);
/// What the value is held against: at most, or of gaps at least, this. Infinite, of gaps negative: nothing.
CAROM_API double carom_plan_line_bound(const carom_plan_line *line, const carom_plan_certificate *certificate);
CAROM_API bool carom_plan_line_keeps(const carom_plan_line *line, const carom_plan_certificate *certificate);
/// Of times, motion, controls and impulses: plans with the same hash are the same.
CAROM_API uint64_t carom_plan_hash(const carom_plan_data *plan);

// ---- a plan in the simulator: what to give to carom_step, under any method

/// The interval that a time lies in; -1: none, the plan is over.
CAROM_API int carom_plan_interval_at(const carom_plan_data *plan, double time);
/// What the controls do in an interval; nothing for a number that is none. Points into the plan. By steps of the
/// method `variational` as long as the intervals a run of it is the plan, to rounding.
CAROM_API carom_input carom_plan_input(const carom_plan_data *plan, int interval);
/// Puts all bodies that can move where the plan has them at a node, with its velocities.
CAROM_API carom_status carom_plan_place(const carom_plan_data *plan, int node, carom_state *state, carom_error *error);
/// Applies the impulses of the plan's contacts at a node: for methods that find no contacts themselves.
CAROM_API carom_status carom_plan_apply_impulses(const carom_plan_data *plan, int node, carom_state *state,
                                                 carom_error *error);

// ---- making a plan

/// Checks and lays out a plan of a frozen model. Definitions are copied; the model must outlive the plan. `allocator`
/// may be NULL.
CAROM_API carom_status carom_plan_create(const carom_model *model, const carom_plan_def *def,
                                         const carom_allocator *allocator, carom_plan **out, carom_error *error);
CAROM_API void carom_plan_destroy(carom_plan *plan); ///< May be NULL.
/// How large the program of the last level is.
CAROM_API carom_plan_extent carom_plan_get_extent(const carom_plan *plan);

/// Solves the next level of the next start, calling `progress` (may be NULL) after every iteration, which returns
/// false to end it: then CAROM_ERR_INTERRUPTED, and what was finished stays. `*done` once all are solved and the best
/// is certified.
typedef bool carom_plan_progress_function(void *user, const carom_plan_progress *progress);
CAROM_API carom_status carom_plan_solve_next(carom_plan *plan, int threads, carom_plan_progress_function *progress,
                                             void *user, bool *done, carom_error *error);

/// What is finished as bytes, to go on from in another process, to the same bits: the size, writing, and reading into a
/// new plan of the same model and definition. Fails with CAROM_ERR_BAD_INPUT for bytes that are of another one.
CAROM_API size_t carom_plan_size(const carom_plan *plan);
CAROM_API void carom_plan_save(const carom_plan *plan, void *bytes);
CAROM_API carom_status carom_plan_load(carom_plan *plan, const void *bytes, size_t size, bool *done,
                                       carom_error *error);

CAROM_API carom_plan_outcome carom_plan_get_outcome(const carom_plan *plan);
/// Why it is impossible or stuck, in a sentence that names rows, bodies, node and by how much; of a plan that keeps its
/// rows the contract that does not hold; "" otherwise.
CAROM_API const char *carom_plan_reason(const carom_plan *plan);
CAROM_API carom_plan_certificate carom_plan_get_certificate(const carom_plan *plan);
CAROM_API int carom_plan_solve_count(const carom_plan *plan);
CAROM_API carom_status carom_plan_get_solve(const carom_plan *plan, int index, carom_plan_solve *out);

// ---- reading a plan back: the best start

CAROM_API int carom_plan_intervals(const carom_plan *plan);
CAROM_API double carom_plan_time(const carom_plan *plan, int node); ///< s
/// Pose, velocity before and after (they differ at contacts) of the body's frame at a node.
CAROM_API carom_status carom_plan_get_node(const carom_plan *plan, int node, carom_body body, carom_pose *pose,
                                           carom_wrench *momentum_before, carom_wrench *momentum_after);
CAROM_API int carom_plan_control_size(const carom_plan *plan, int control); ///< How many numbers it has.
CAROM_API carom_status carom_plan_get_control(const carom_plan *plan, int interval, int control, double *out);
/// All of it as data, with the sentence of the first contract that does not hold as `reason` where one does not.
/// Arrays live until this is called again, the plan is solved further, or destroyed.
CAROM_API carom_status carom_plan_get_data(carom_plan *plan, carom_plan_data *out, carom_error *error);
/// World wrench of all controls on a body in an interval with the directors of one of its nodes (0: first, 1: second):
/// force, and torque about the centre of mass.
CAROM_API carom_status carom_plan_get_wrench(const carom_plan *plan, int interval, int end, carom_body body,
                                             carom_wrench *out);

CAROM_END_C

#endif
