// SPDX-License-Identifier: MIT
/// @file
/// Methods, states, and the step from one state to the next, with its certificate.
#ifndef CAROM_STEP_H
#define CAROM_STEP_H

#include <stddef.h>
#include <stdint.h>

#include "carom/impact.h"
#include "carom/joint.h"
#include "carom/model.h"
#include "carom/solve.h"
#include "carom/verdict.h"

typedef enum carom_method {
    CAROM_METHOD_VARIATIONAL, ///< Discrete Euler-Lagrange equations: order 2, momenta exact, energy without drift.
    CAROM_METHOD_EULER,       ///< Explicit Euler with the half-acceleration term: order 1, for teaching and comparison.
    CAROM_METHOD_MULTIPLIER,  ///< Accelerations of all bodies and the forces of joints from one linear system.
    CAROM_METHOD_REDUCED,     ///< Coordinates of joints as unknowns, for trees: joints are closed by construction.
    CAROM_METHOD_LCP,         ///< Contact, friction, joints, limits and motors in one complementarity problem a step.
    CAROM_METHOD_IMPULSE,     ///< Smooth motion between impacts, and impulses for these: the classic way.
    CAROM_METHOD_PENALTY,     ///< Springs and dampers between bodies that overlap. Stiff, order 1, for comparison.
    CAROM_METHOD_POTENTIAL,   ///< `variational` with elastic contact by a potential of overlaps.
    CAROM_METHOD_NEWMARK,     ///< Explicit, forces at the nodes, with the same contact: order 2, for small steps.
    CAROM_METHOD_EXACT,       ///< Variational steps cut at every collision; elastic, without friction.
    CAROM_METHOD_DCR,         ///< Variational steps, projected where bodies overlap; restitution and friction.
    CAROM_METHOD_COUNT
} carom_method;

/// How `multiplier` and `reduced` go through a step.
typedef enum carom_integrator {
    CAROM_INTEGRATOR_DP54,  ///< Dormand-Prince 5(4): as many substeps as the tolerances ask for.
    CAROM_INTEGRATOR_RK4,   ///< The classical Runge-Kutta method of order 4, one substep.
    CAROM_INTEGRATOR_EULER, ///< Semi-implicit: velocities first, then positions with them. Order 1.
    CAROM_INTEGRATOR_COUNT
} carom_integrator;

/// How `multiplier` keeps joints from drifting apart.
typedef enum carom_stabilisation {
    CAROM_STABILISATION_PROJECTION, ///< After each substep, poses and velocities onto the joints in the masses' metric.
    CAROM_STABILISATION_BAUMGARTE,  ///< Feedback: c'' = -2 alpha c' - beta^2 c of every blocked motion c.
    CAROM_STABILISATION_COUNT
} carom_stabilisation;

/// Which quantities `euler` integrates.
typedef enum carom_euler_form {
    CAROM_EULER_MOMENTUM, ///< (x, q, P, L): keeps P and L exactly when no force acts.
    CAROM_EULER_VELOCITY, ///< (x, q, v, w): the gyroscopic term as a torque.
} carom_euler_form;

/// Which law of friction `lcp` solves.
typedef enum carom_friction_model {
    CAROM_FRICTION_CONE,    ///< Coulomb's cone, exactly.
    CAROM_FRICTION_RELAXED, ///< The cone without De Saxce's term: convex, but what slides floats.
    CAROM_FRICTION_PYRAMID, ///< A pyramid of `pyramid_sides` in place of the cone. Dense: for small islands.
    CAROM_FRICTION_COUNT
} carom_friction_model;

typedef enum carom_restitution_law {
    CAROM_RESTITUTION_NEWTON,  ///< The normal velocity after is at least -e times that before.
    CAROM_RESTITUTION_POISSON, ///< The normal impulse of restitution is at least e times that of compression.
    CAROM_RESTITUTION_COUNT
} carom_restitution_law;

/// How far `lcp` solves its steps: docs/method-lcp.md has what each costs and is worth.
typedef enum carom_accuracy {
    CAROM_ACCURACY_DEFAULT, ///< Residual 1e-3 of what moves, 1e-5 of what rests; the contract is 1e-3.
    CAROM_ACCURACY_FAST,    ///< 20 sweeps, whatever the residual is then: every step states it, no contract is on it.
    CAROM_ACCURACY_PRECISE, ///< Residual 1e-8, with a large budget.
    CAROM_ACCURACY_COUNT
} carom_accuracy;

/// Settings of `lcp`: docs/method-lcp.md.
typedef struct carom_lcp_def {
    carom_accuracy accuracy; ///< Default CAROM_ACCURACY_DEFAULT.
    double tolerance; ///< Residual that every step is solved to, scale-free, below 1. Default 0: as `accuracy` has it;
                      ///< with a tolerance no other accuracy than the default may be given.
    double budget;    ///< Work that a step may take, s of a reference machine for 1,000 contacts; counted, not timed.
                      ///< A step that ends there states the residual it got to. At least 20 contacts are counted, and
                      ///< 0.005 at least, 0.025 where the general solvers have the step to themselves. Default 0: as
                      ///< `accuracy` has it, 0.25, of CAROM_ACCURACY_PRECISE 20.
    double gamma;     ///< Share of an overlap or of a joint's error that is undone in a step, 0 to 1. Default 1.
    double barrier;   ///< Contacts act this far before touch, m, >= 0. Default 0.
    double push_out;  ///< Largest speed at which overlaps, open joints and violated limits are undone, m/s, > 0; of
                      ///< angles that speed over the size of the jointed system at the start. Default infinite.
    carom_friction_model friction;     ///< Default CAROM_FRICTION_CONE.
    int pyramid_sides;                 ///< Even, 4 to 64. Default 8.
    carom_restitution_law restitution; ///< Default CAROM_RESTITUTION_NEWTON.
    carom_contact_measure measure;     ///< Default CAROM_MEASURE_FEATURES.
    bool all_contacts;                 ///< Rows that others stand for too. Default false.
    bool continuous;                   ///< Fast bodies by their time of impact. Default false.
    bool rest;                         ///< What stands still takes the impulses of an earlier step over. Default true.
    carom_solver solver;               ///< Default CAROM_SOLVER_AUTO.
    int iterations; ///< Of that solver in a step, at most; a step that ends there may miss its tolerance and is then
                    ///< CAROM_STEP_MISSED. Default 0: the solver's own limit.
} carom_lcp_def;

/// How `impulse` goes through a step.
typedef enum carom_impulse_variant {
    CAROM_IMPULSE_AUTO,   ///< FIXED for models with joints, else EVENTS.
    CAROM_IMPULSE_EVENTS, ///< Smooth phases with error control; the times of impacts are found.
    CAROM_IMPULSE_FIXED,  ///< Fixed steps: impacts, then forces, then what rests and joints, then poses. Order 1.
    CAROM_IMPULSE_VARIANT_COUNT
} carom_impulse_variant;

/// What `impulse` does with several contacts at once.
typedef enum carom_simultaneous {
    CAROM_SIMULTANEOUS_SEQUENCE, ///< One after the other in the order of the bodies, until none is left.
    CAROM_SIMULTANEOUS_TOGETHER, ///< All as one complementarity problem. Of Newton's and Poisson's law.
    CAROM_SIMULTANEOUS_COUNT
} carom_simultaneous;

/// Settings of `impulse`: docs/methods-classic.md.
typedef struct carom_impulse_def {
    carom_impulse_variant variant;   ///< Default CAROM_IMPULSE_AUTO.
    carom_impact_law law;            ///< Default CAROM_IMPACT_LAW_STRONGE.
    double tangential_restitution;   ///< Of the algebraic law, -1 to 1. Default 0.
    carom_simultaneous simultaneous; ///< Default CAROM_SIMULTANEOUS_SEQUENCE.
    double tolerance;                ///< Residual that contacts and joints are solved to, scale-free. Default 1e-6.
    double joint_tolerance; ///< Largest error of a joint at the end of a step: a share of the size of the jointed
                            ///< system, or rad. Default 1e-8.
    double rest_speed;      ///< Contacts that close more slowly rest, m/s, >= 0. Default 0: the variant's own choice.
    double push_out;        ///< Largest speed at which overlaps are undone, m/s, > 0. Default infinite.
    int iterations;         ///< Over all contacts and joints of a phase, at most; a step that ends there may miss its
                            ///< tolerance and is then CAROM_STEP_MISSED. Default 10000.
    int event_limit;        ///< Of `events`: impacts in a step, at most. Default 1000.
} carom_impulse_def;

/// How `penalty` holds what does not slide.
typedef enum carom_penalty_friction {
    CAROM_PENALTY_SPRING,  ///< A spring and damper along the surface, cut to the cone: what rests stays.
    CAROM_PENALTY_VISCOUS, ///< A damper alone, cut to the cone: what rests on an incline creeps.
    CAROM_PENALTY_FRICTION_COUNT
} carom_penalty_friction;

/// Settings of `penalty`: docs/methods-classic.md. Stiffness and damping are those of a pair of bodies, which its
/// contacts share.
typedef struct carom_penalty_def {
    double stiffness;   ///< N/m, >= 0. Default 0: proposed for every pair (carom_penalty_propose).
    double damping;     ///< N s/m, >= 0. Default 0: proposed for every pair, from the restitution of its materials.
    double penetration; ///< That proposals allow at rest, over the size of the smaller body, > 0. Default 0.01.
    double tangent_stiffness; ///< Stiffness and damping along the surface over those along the normal, > 0. Default
                              ///< 2/7: a ball then swings along as it does across.
    carom_penalty_friction friction; ///< Default CAROM_PENALTY_SPRING.
} carom_penalty_def;

/// The spring and damper of a pair of bodies under `penalty`.
typedef struct carom_penalty_pair {
    double stiffness;        ///< N/m, shared by the contacts of the pair.
    double damping;          ///< N s/m, shared likewise; less while many contacts of a body would make it unstable.
    double penetration;      ///< That proposals allow, m.
    double rest_penetration; ///< Under ten times the pair's own weight, m: above `penetration` when no stiffness that
                             ///< the step bears would do.
    double largest_step;     ///< That is stable for this stiffness and damping at one contact through both centres, s.
} carom_penalty_pair;

/// Settings of the contact potential C/2 t^2 of overlaps t, of `potential` and `newmark`: docs/method-potential.md.
typedef struct carom_potential_def {
    double stiffness; ///< C, N/m. Default 0: the stiffest that the step resolves.
    double overlap;   ///< That is allowed, relative to the size of the smallest body, 0 to 1: a proposed stiffness that
                      ///< cannot keep to it is refused. Default 0.02.
    double damping;   ///< Of `newmark`: force against the rate of an overlap, N s/m, >= 0; contacts never pull. Default
                      ///< 0: elastic.
    int contact_substeps;     ///< Of groups of bodies that touch or can touch in a step, at most, >= 1; what a step
                              ///< resolves is then its substep. All others are moved by one. Default 1.
    double contact_tolerance; ///< Of the change of such a group's energy in a step, relative, >= 0: its substeps are
                              ///< doubled until it is met. Default 0: it has all of them.
    bool all_parts; ///< Every two parts of compounds that overlap have a potential, not the deepest two alone.
                    ///< Default false.
    double beta;    ///< Of `newmark`: how much of the force at the end moves places, 0 to 0.5. Default 0: explicit;
                    ///< with 0.25 it is stable at any step.
    double gamma;   ///< Of `newmark`: share of the force at the end in velocities, 0.5 to 1. Default 0.5; above it
                    ///< damps, and is of order 1.
    bool implicit_contact; ///< Of `newmark`: contacts have one force over a step, by which their potential changes as
                           ///< it does: they are stable at any step, and all else is as `beta` says. Default false.
} carom_potential_def;

/// Which forces the elements of flexible bodies have in a step of `variational`.
typedef enum carom_flex_scheme {
    CAROM_FLEX_SCHEME_ENERGY_MOMENTUM, ///< Those whose work is the change of the energy: energy and momenta exact.
    CAROM_FLEX_SCHEME_MIDPOINT,        ///< Those at the mean positions: momenta exact, symplectic, for small steps.
    CAROM_FLEX_SCHEME_COUNT
} carom_flex_scheme;

/// Settings of `variational`: docs/flex.md, docs/methods-variational.md.
typedef struct carom_variational_def {
    carom_flex_scheme elastic; ///< Default CAROM_FLEX_SCHEME_ENERGY_MOMENTUM.
    bool whole_steps; ///< Trees are moved by whole steps or not at all; else steps that are too long for how fast they
                      ///< swing are divided. Default false.
} carom_variational_def;

/// Which energy is the same before and after a collision of `exact`.
typedef enum carom_energy_jump {
    CAROM_JUMP_HAMILTONIAN, ///< That of the momenta at the collision.
    CAROM_JUMP_DISCRETE,    ///< That of the variational steps that lead to it and away from it.
    CAROM_JUMP_COUNT
} carom_energy_jump;

/// Settings of `exact`: docs/method-exact.md.
typedef struct carom_exact_def {
    carom_energy_jump jump; ///< Default CAROM_JUMP_HAMILTONIAN.
    int event_limit;        ///< Collisions in a step before it is given up, at least 1. Default 1000.
} carom_exact_def;

/// Settings of `dcr`: docs/method-dcr.md.
typedef struct carom_dcr_def {
    double tolerance; ///< Residual that impacts with friction are solved to, scale-free; others to rounding. Default
                      ///< 1e-6.
    double budget;    ///< As of `lcp`, s for 1,000 contacts; 0.025 counts at least. Default 1.
    bool potential;   ///< Projections weigh changes of the potential energy, too. Default false.
    int contact_substeps;     ///< As of `potential`. Default 1.
    double contact_tolerance; ///< As of `potential`, beyond what impacts take. Default 0.
} carom_dcr_def;

/// A piece of a run with steps of its own.
typedef struct carom_step_piece {
    double until; ///< s, from the start of the state; later than that of the piece before.
    double step;  ///< s, positive. The piece is gone through in equal steps, as few as are not longer than this.
} carom_step_piece;

typedef struct carom_method_def {
    uint32_t struct_size;          ///< Set by carom_method_def_default; leave it.
    carom_method method;           ///< Default CAROM_METHOD_LCP.
    double step;                   ///< s, positive; of steps after the last piece. Default 1/240.
    int piece_count;               ///< Default 0: all steps are of one length.
    const carom_step_piece *piece; ///< Steps that vary, piece after piece; a state keeps a copy. (piece_count)
    carom_euler_form form;         ///< Of `euler` only. Default CAROM_EULER_MOMENTUM.
    double tolerance;    ///< Of `variational`, `potential`: residual of the equations, relative. Default 1e-13.
    int iteration_limit; ///< Of `variational`, `potential`: Newton iterations before a step is given up. Default 50.
    carom_integrator integrator; ///< Of `multiplier` and `reduced`. Default CAROM_INTEGRATOR_DP54.
    double relative_tolerance;   ///< Of `dp54`: error of a substep relative to each position, attitude (1 rad) and
                                 ///< velocity (docs/reduced.md: rates of its trees). Default 1e-9. Ten times smaller
                                 ///< costs about 1.6 times the time.
    double absolute_tolerance;   ///< Of `dp54`: error that is always allowed, m, rad, m/s, rad/s. Default 1e-12.
    int substep_limit; ///< Of `dp54`: substeps, tried ones included, before a step is given up. Default 10000.
    carom_stabilisation stabilisation;      ///< Of `multiplier`. Default CAROM_STABILISATION_PROJECTION.
    double baumgarte_alpha, baumgarte_beta; ///< 1/s, >= 0. Default 20 each: joints close in some 0.1 s.
    carom_variational_def variational;      ///< Of `variational`.
    carom_lcp_def lcp;                      ///< Of `lcp`.
    carom_impulse_def impulse;              ///< Of `impulse`.
    carom_penalty_def penalty;              ///< Of `penalty`.
    carom_potential_def potential;          ///< Of `potential` and `newmark`.
    carom_exact_def exact;                  ///< Of `exact`.
    carom_dcr_def dcr;                      ///< Of `dcr`.
    int threads; ///< That a step may use, the caller's included. No bit depends on it. Default 1.
} carom_method_def;

typedef struct carom_state carom_state;

/// Pose and velocity of a body's own frame.
typedef struct carom_body_state {
    carom_vec3 position; ///< m
    carom_quat attitude;
    carom_vec3 velocity; ///< Of the frame's origin, world axes, m/s.
    carom_vec3 spin;     ///< World axes, rad/s.
} carom_body_state;

/// A force and a torque on a body during one step, world axes, about its centre of mass.
typedef struct carom_wrench {
    carom_body body;
    carom_vec3 force;
    carom_vec3 torque;
} carom_wrench;

/// A force at a point of a body and a torque during one step, in axes that rotate with the body or in the world's: what
/// thrusters do. Methods take both as the body stands where they evaluate forces; `variational`, `potential`, `exact`
/// and `dcr` let half of it act at either end of a step, each with the body's attitude there.
typedef struct carom_body_wrench {
    carom_body body;
    carom_vec3 point;  ///< Where the force acts, body frame, m.
    carom_vec3 force;  ///< N
    carom_vec3 torque; ///< N m
    bool in_body_axes; ///< False: force and torque have the axes of the world.
} carom_body_wrench;

/// What a motor shall do during one step, in place of what its definition says. The coordinate must have a motor.
typedef struct carom_motor_input {
    carom_joint joint;
    int coordinate;
    double target, target_rate, force;
} carom_motor_input;

/// Opens or closes a joint that can do so (carom_model_joint_switches) before a step. One that is as asked for stays.
typedef struct carom_joint_switch {
    carom_joint joint;
    bool close; ///< Within its latch's distance and angle; without a latch, where a state would close it when made.
} carom_joint_switch;

/// What acts from without during one step. Starts as {0}: nothing.
typedef struct carom_input {
    int wrench_count;
    const carom_wrench *wrench;
    int motor_count;
    const carom_motor_input *motor; ///< In ascending order of joint, then coordinate; each at most once. Motors of open
                                    ///< joints do nothing.
    int switch_count;
    const carom_joint_switch *joint_switch; ///< In ascending order of joint, each at most once.
    int body_wrench_count;
    const carom_body_wrench *body_wrench;
} carom_input;

/// Why a joint has opened or closed.
typedef enum carom_switch_reason {
    CAROM_SWITCH_LATCH,   ///< Its frames have met.
    CAROM_SWITCH_FORCE,   ///< It bore more than its break_force.
    CAROM_SWITCH_MOMENT,  ///< It bore more than its break_moment.
    CAROM_SWITCH_COMMAND, ///< carom_input.
    CAROM_SWITCH_START,   ///< Of recordings: it was open when the recording began.
    CAROM_SWITCH_COUNT
} carom_switch_reason;

/// A joint has opened or closed, or could not close.
typedef struct carom_joint_event {
    carom_joint joint;
    carom_switch_reason reason;
    bool closed;              ///< Else it has opened.
    bool failed;              ///< It could not close together with the joints that are closed: it stays open.
    double time;              ///< s
    int64_t step;             ///< Steps made before.
    double force, moment;     ///< Of one that opened: what it bore, N, N m.
    double impulse;           ///< Of one that closed: of the impulses on its bodies the largest, N s.
    double distance, angle;   ///< Error that was left to close, m and rad.
    double speed;             ///< Of the blocked velocity of B's origin that was taken, m/s.
    double moved, rotated;    ///< Largest displacement and rotation of a body that closed it, m and rad.
    double impact_energy;     ///< Kinetic energy that the impact has added, J: not above 0.
    double projection_energy; ///< Energy that moving the bodies has added, J.
} carom_joint_event;

/// Where a joint stands, and what it bears.
typedef struct carom_joint_state {
    bool closed; ///< False: the joint is open, and bears nothing. Coordinates and drifts are those of its frames.
    int coordinate_count;
    double coordinate[CAROM_JOINT_MOST_COORDINATES]; ///< m, rad
    double rate[CAROM_JOINT_MOST_COORDINATES];       ///< m/s, rad/s
    carom_vec3 point;                                ///< B's origin in the world, m.
    carom_vec3 force, torque; ///< Of the joint on b, about `point`, world axes, N and N m: of what it blocks and of its
                              ///< limits and velocity motors, mean over the last step. Zero before the first.
    carom_vec3 end_force, end_torque; ///< The same at the end of that step: what a sensor shows. Methods that know
                                      ///< means only (all but multiplier and reduced) give these, which belong to half
                                      ///< a step before; of driven mechanisms of lcp and impulse to first order only
                                      ///< (docs/recording.md).
    double linear_drift;              ///< Size of what is wrong with the blocked motions, m.
    double angular_drift;             ///< rad
} carom_joint_state;

/// What was done to poses and velocities to close the joints: when the state was made, or by the last
/// carom_state_assemble.
typedef struct carom_assembly {
    double linear_gap, angular_gap; ///< Largest drift of a joint before, m and rad.
    double moved, rotated;          ///< Largest displacement and rotation of a body, m and rad.
    double velocity_gap;            ///< Largest velocity in a blocked direction before, m/s or rad/s.
    int iterations;                 ///< 0: the joints were closed already.
    int redundant_rows;             ///< Blocked motions that other joints block already; -1: too many loops to count.
    char text[256];                 ///< Empty when nothing was changed; else a sentence.
} carom_assembly;

/// Bodies that overlapped when the state was made, by more than 1e-6 of the smaller one's size, and what was done about
/// it: carom_model_def.start_overlaps.
typedef struct carom_start_report {
    int64_t pairs;             ///< Of bodies, that overlapped; of a crowd in one place only those in it are counted.
    carom_body a, b;           ///< The pair that did so most, of its smaller body's size; {-1} when there is none.
    double overlap;            ///< Of these two, m.
    double moved, rotated;     ///< Largest displacement of a centre of mass and largest rotation of a body, m and rad.
    carom_body moved_most;     ///< The body with that displacement, or {-1}.
    int rounds;                ///< Linear problems that were solved; 0: nothing was moved that way.
    int64_t left_pairs;        ///< That still overlap.
    carom_body left_a, left_b; ///< The worst of these, or {-1}.
    double left_overlap;       ///< Of these two, m.
    char text[512];            ///< Empty when nothing overlapped; else a sentence.
} carom_start_report;

/// What a contact did in the last step.
typedef enum carom_contact_status {
    CAROM_CONTACT_STATUS_APART,  ///< No impulse.
    CAROM_CONTACT_STATUS_STICKS, ///< The tangential impulse is inside of the friction cone, or there is no slip.
    CAROM_CONTACT_STATUS_SLIDES,
} carom_contact_status;

/// One contact of the last step. Vectors: world axes. Impulses act on `b`, their opposites on `a`, at `point`.
typedef struct carom_contact_state {
    carom_body a, b;
    carom_vec3 point;          ///< Where the impulse acts, at the start of the step, m.
    carom_vec3 normal;         ///< Unit, from a to b. In `lcp` with `point` of mid-step where curved bodies rotate far.
    carom_vec3 tangent;        ///< Unit; the second one is normal x tangent.
    double gap;                ///< At the start of the step, m: negative when overlapping.
    double friction;           ///< Coefficient.
    double normal_impulse;     ///< N s
    double tangent_impulse[2]; ///< N s
    double normal_velocity;    ///< Of b's point against a's at the end of the step, m/s.
    double slip[2];            ///< The same along the tangents, m/s.
    carom_contact_status status;
} carom_contact_state;

/// One impact of the last step, of methods that find the times of all of theirs: `exact` and `impulse` by events. World
/// axes. The impulse acts on `b`, its opposite on `a`, at `point`.
typedef struct carom_collision {
    int64_t step; ///< The one that it happened in, as carom_step_report counts.
    double time;  ///< s
    carom_body a, b;
    carom_vec3 point;            ///< m
    carom_vec3 normal;           ///< Unit, from a to b.
    carom_vec3 impulse;          ///< N s
    double approach, separation; ///< Velocity of b's point against a's along the normal, before and after, m/s.
    double energy_before;        ///< Kinetic energy of the two bodies, J.
    double energy_jump;          ///< What it has added to the energy, J, by the method's own measure: the work of its
                                 ///< impulse; of `exact` with the discrete jump its share of what E_d has changed by.
} carom_collision;

typedef struct carom_energy {
    double kinetic;   ///< J
    double potential; ///< Of gravity, springs, springs of joints and of `penalty`, charges, callbacks, elements of
                      ///< flexible bodies and contact potentials, J.
} carom_energy;

typedef struct carom_momentum {
    carom_vec3 linear;  ///< kg m/s
    carom_vec3 angular; ///< About the world's origin, kg m^2/s.
} carom_momentum;

/// The energy ledger of a step (docs/math.md 12), J: the work of each kind of force, computed from its own forces,
/// impulses and displacements. The change of the kinetic energy is the sum of all lines.
typedef struct carom_ledger {
    double conservative;  ///< Of forces with a potential: what the potential energy has lost, but for elastic energy.
    double elastic;       ///< Of the elements of flexible bodies: what their elastic energy has lost.
    double viscosity;     ///< Of their viscosity, never above 0; in `passive` of nodes that drag, dampers or fields
                          ///< act on, too.
    double attachments;   ///< Of what attaches them to rigid bodies: 0 but for what a method's error is.
    double passive;       ///< Of drag, dampers, damping of joints, fluids: never above 0.
    double active;        ///< Of motors, wrenches, inputs, callbacks without a potential.
    double limits;        ///< Of limits of joints.
    double friction;      ///< Of contacts along their surfaces.
    double impacts;       ///< Of contacts along their normals, without what undoes overlaps.
    double stabilisation; ///< Of what undoes overlaps and errors of joints by velocities.
    double projection;    ///< Of poses that were moved without a velocity.
    double remainder;     ///< The method's own error: what no line has.
} carom_ledger;

typedef enum carom_step_outcome {
    CAROM_STEP_GOOD,       ///< The step was made and keeps its contract.
    CAROM_STEP_BROKEN,     ///< The step was made, but a contract quantity misses its bound: see `text`.
    CAROM_STEP_IMPOSSIBLE, ///< No step was made; the state is as before: see `text`.
    CAROM_STEP_MISSED,     ///< The step was made; its equations are solved less far than asked for, else all is kept.
} carom_step_outcome;

/// The certificate of one step. Every quantity is at the end of the step, or the change over it.
typedef struct carom_step_report {
    carom_step_outcome outcome;
    double time;  ///< s, at the end of the step.
    int64_t step; ///< Steps made since the start of the state.
    carom_energy energy;
    double discrete_energy; ///< E_d of the step (docs/math.md 10.6), J: that of its differences and midpoints, beside
                            ///< the Hamiltonian of the momenta in `energy`. Of `exact` of the last substep. Of
                            ///< `variational`, `potential`, `exact` and `dcr`; 0 of methods without one,
                            ///< NAN where groups in contact had substeps of their own, and with callbacks.
    carom_momentum momentum;
    double momentum_balance; ///< |change of P and L - impulses of all forces|, relative to their size, of the worst
                             ///< group of bodies that touch or are joined. Contract: 1e-12; for `multiplier` and
                             ///< `reduced` 10 relative tolerances of dp54, as L about the origin is as good as the
                             ///< integrator, at most 1e-6; 1e-2 with rk4 and euler.
    double energy_balance;   ///< Change of the energy less the work of drag, wrenches, inputs and dampers, J. Reported.
    carom_ledger ledger;
    double elastic_energy;    ///< Of flexible bodies, part of energy.potential, J.
    double least_determinant; ///< Of dx/dX over all quadrature points of flexible bodies: above 0 while none is turned
                              ///< inside out; 0 without any.
    int determinant_flex, determinant_element; ///< That have it; -1 without any.
    double elastic_balance;  ///< What the energy of a flexible body has changed by beyond the work of all forces, over
                             ///< that energy, of the worst one, under `variational`; else 0. Contract: 1e-10 with
                             ///< `energy_momentum`.
    double flex_limit_share; ///< The step over the longest that is stable for flexible bodies (carom_flex_limit), of
                             ///< explicit methods, as it was when it was last looked for; else 0. Contract: 1.
    double joint_drift;      ///< Largest error of a blocked motion: m relative to the size of its mechanism, or rad.
                             ///< Contract: 1e-8, but with Baumgarte's stabilisation reported only.
    int redundant_rows;      ///< Blocked motions that bore no force as others block them too. Of `multiplier`.
    double residual;         ///< Of the method's equations, relative, beyond the roundings of positions; 0 for explicit
                             ///< methods. Contract: the tolerance. Of the worst island: bodies that touch or are
                             ///< joined are held to their own velocities and impulses.
    carom_body residual_body; ///< The lowest body of that island, or {-1}: no residual, or nobody's in particular.
    int iterations; ///< Newton iterations; substeps of `multiplier` and `reduced`; substeps that `exact` has tried; 0
                    ///< for `euler`.
    int contacts;   ///< Rows of contacts that the step was made with; of `exact` collisions; of `dcr` what touches
                    ///< where bodies overlapped; 0 for methods without contact.
    double infeasibility;      ///< Largest overlap at the end of the step over the size of the smaller body, of pieces
                               ///< of flexible bodies over the mean edge of the finer mesh. Reported.
    double mean_infeasibility; ///< The same as a mean over all pairs near each other.
    double friction_work;      ///< Of friction in the step, J. Contract: not above 1e-12 of the energies.
    double projection_energy;  ///< Of `dcr`: what moving bodies out of overlaps has added, J.
    carom_vec3 projection_momentum; ///< The same of the angular momentum about the world's origin, kg m^2/s.
    double impact_energy; ///< Of `dcr` and `exact`: what impacts have added, J; not positive but for rounding. Of
                          ///< jumps in the discrete energy: to that.
    carom_solver solver;  ///< Who found the impulses, of methods that solve contact problems: of the worst island.
    int fallbacks;        ///< How many solvers had given up before; with starts from nothing and solutions without
                          ///< undoing overlaps.
    int substeps;         ///< 1, or more where a method divided the step: the whole had no solution or was unstable.
                          ///< Of `exact` the pieces that collisions cut it into, of all clusters: 1 and a cut each.
    carom_body body;      ///< The body that `text` speaks of, or {-1}.
    bool no_memory;       ///< No step was made for want of memory; it can be tried again.
    char text[256]; ///< What is wrong: body, quantity, number, likely cause and remedy. Of a good step empty, unless
                    ///< friction kept overlaps or open joints from being undone.
} carom_step_report;

/// What the certificates of a run come to; carom/certificate.h tells how it is added up.
typedef struct carom_summary {
    int64_t steps;
    int64_t broken_steps;      ///< Steps whose contract did not hold.
    int64_t first_broken_step; ///< -1 when there is none.
    int64_t missed_steps;      ///< Steps that are CAROM_STEP_MISSED.
    char first_broken_text[256];
    int64_t unbounded_residual; ///< 1: no contract is on the residual, as of `lcp` with accuracy "fast"; else 0.
    double first_energy, last_energy, largest_energy_change; ///< Total energy, J; the change is that since the start.
    double first_kinetic, largest_kinetic;                   ///< Kinetic energy at the start and at most, J.
    double least_potential, largest_potential;               ///< Potential energy over the run, start included, J.
    carom_momentum first_momentum;
    double largest_momentum_balance;
    double largest_residual;
    double largest_joint_drift;
    double least_determinant; ///< Over the run; 0 without flexible bodies.
    double largest_elastic_balance;
    double largest_flex_limit_share; ///< Of explicit methods.
    int64_t most_iterations;
    int64_t divided_steps; ///< Steps that were made in substeps.
    int64_t most_substeps;
    int64_t most_contacts;
    double largest_infeasibility;
    double mean_infeasibility_sum; ///< Over the number of steps it is their mean.
    double largest_friction_work;  ///< Its positive part, which a good step has not, J.
    int64_t fallback_steps;        ///< Steps in which a solver had given up before another one found the impulses.
    double projection_energy_sum, largest_projection_energy; ///< Of all steps; of one, as absolute value, J.
    carom_vec3 projection_momentum_sum;                      ///< kg m^2/s
    double largest_projection_momentum;                      ///< Length of that of one step, kg m^2/s.
    double impact_energy_sum, largest_impact_energy;         ///< Of all steps; of one, its positive part: rounding. J.
    carom_ledger ledger;                                     ///< Sums over all steps, J.
    carom_finding finding[CAROM_RULE_COUNT];                 ///< As carom_summary_conclude has left them.
} carom_summary;

/// What a step of a method promises; infinite where a quantity is only reported.
typedef struct carom_contract {
    double momentum_balance, joint_drift, residual, elastic_balance; ///< At most, as carom_step_report tells.
} carom_contract;

CAROM_BEGIN_C

CAROM_API const char *carom_method_name(carom_method method); ///< "?" for a number that is none.
/// Whether bodies with shapes touch under this method; others let them pass through each other.
CAROM_API bool carom_method_has_contact(carom_method method);
/// Whether contacts of this method have the friction and restitution of materials; others are elastic and slide freely.
CAROM_API bool carom_method_has_materials(carom_method method);
/// False when no method has that name.
CAROM_API bool carom_method_find(const char *name, carom_method *out);
CAROM_API carom_method_def carom_method_def_default(void);
CAROM_API carom_contract carom_method_contract(const carom_method_def *def);
/// CAROM_OK, or CAROM_ERR_UNSUPPORTED with a sentence that names what the method lacks and the methods that have it.
CAROM_API carom_status carom_method_supports(const carom_model *model, const carom_method_def *def, carom_error *error);
/// Steps from time 0 until `until`, s, is reached, as carom_step makes them; a remainder below 1e-6 of a step gets
/// none.
CAROM_API double carom_method_step_count(const carom_method_def *def, double until);
/// The longest step that begins before `until`, s; INFINITY: of all.
CAROM_API double carom_method_longest_step(const carom_method_def *def, double until);
/// When so many steps have been made from time 0 as carom_step makes them, s.
CAROM_API double carom_method_step_time(const carom_method_def *def, int64_t step);
/// Writes the pieces as they are gone through, every step divided by `divisor`, into `out` (piece_count): the same
/// times are reached, and others between them.
CAROM_API void carom_method_divide_pieces(const carom_method_def *def, int64_t divisor, carom_step_piece *out);
/// Stiffness and damping of `penalty` between two bodies with shapes, one of which moves: as `def` says, or as
/// proposed.
CAROM_API carom_status carom_penalty_propose(const carom_model *model, const carom_method_def *def, carom_body a,
                                             carom_body b, carom_penalty_pair *out, carom_error *error);

/// A state at the bodies' initial poses and velocities, time 0. The model must be frozen and outlive the state.
///
/// Joints that are slightly apart, by up to 1e-3 of the system's size or 1e-3 rad, are closed by the smallest motion of
/// the bodies in the metric of their masses, and velocities that the joints block are taken away in the same metric:
/// carom_state_assembly says what was done. Joints further apart are refused.
///
/// Bodies that overlap are then moved apart, left or refused, as the model's `start_overlaps` says: carom_state_start.
CAROM_API carom_status carom_state_create(const carom_model *model, const carom_method_def *def, carom_state **out,
                                          carom_error *error);
CAROM_API void carom_state_destroy(carom_state *state); ///< May be NULL.
/// Makes `to` equal to `from`, bit for bit. Both must be states of the same model and method.
CAROM_API carom_status carom_state_copy(const carom_state *from, carom_state *to, carom_error *error);

CAROM_API const carom_model *carom_state_model(const carom_state *state);
CAROM_API const carom_method_def *carom_state_method(const carom_state *state);
CAROM_API double carom_state_time(const carom_state *state);
CAROM_API double carom_state_next_step(const carom_state *state); ///< The length that carom_step will take, s.
CAROM_API int64_t carom_state_step_count(const carom_state *state);
CAROM_API carom_status carom_state_get_body(const carom_state *state, carom_body body, carom_body_state *out,
                                            carom_error *error);
/// Refuses what the body's kind cannot have: a planar body that is tilted or leaves its plane, a fixed one that moves,
/// a point that spins. Joints are not looked at.
CAROM_API carom_status carom_state_set_body(carom_state *state, carom_body body, const carom_body_state *in,
                                            carom_error *error);
/// Changes the momentum of a body at once by `impulse`, N s, through its centre of mass, and its angular momentum by
/// `couple`, N m s, world axes; what its kind cannot do is left out. Of a body in a mechanism carom_state_assemble
/// takes away the velocities that joints block, as it does after carom_state_set_body.
CAROM_API carom_status carom_state_apply_impulse(carom_state *state, carom_body body, carom_vec3 impulse,
                                                 carom_vec3 couple, carom_error *error);
/// The joint must be one of the model's.
CAROM_API carom_status carom_state_get_joint(const carom_state *state, carom_joint joint, carom_joint_state *out,
                                             carom_error *error);
/// False for an id that is none.
CAROM_API bool carom_state_joint_is_closed(const carom_state *state, carom_joint joint);
/// The joints that opened and closed where the last step began, in that order; valid until the state is changed. A load
/// that a step ends with, and frames that it brings together, switch joints where the next one begins.
CAROM_API const carom_joint_event *carom_state_joint_events(const carom_state *state, int *count);
CAROM_API const char *carom_switch_reason_name(carom_switch_reason reason); ///< "latch"; "?" for a number that is none.
/// Closes the joints that are closed at the state's own poses and velocities, as carom_state_create does at the initial
/// ones: to be called after carom_state_set_body has moved bodies of a mechanism. A failed call leaves the state as it
/// was.
CAROM_API carom_status carom_state_assemble(carom_state *state, carom_error *error);
CAROM_API const carom_assembly *carom_state_assembly(const carom_state *state); ///< Lives as long as the state.
/// What overlapped when the state was made. Lives as long as the state; a state that is loaded or copied keeps its own.
CAROM_API const carom_start_report *carom_state_start(const carom_state *state);
/// The contacts of the last step, in the order of the bodies, or the collisions of `exact` as they came; valid until
/// the state is changed. None before the first step, and of methods without contact.
CAROM_API const carom_contact_state *carom_state_contacts(const carom_state *state, int *count);
/// The contacts of one body among these, in the same order, each with this body as `b` and the other one as `a`:
/// normals point to it, impulses act on it. `count` gets how many there are; at most `capacity` of them, the first
/// ones, are written to `out` (may be NULL when capacity is 0).
CAROM_API carom_status carom_state_get_body_contacts(const carom_state *state, carom_body body, int capacity,
                                                     carom_contact_state *out, int *count, carom_error *error);
/// What these contacts add up to: the mean force on the body over the last step, N, and the mean torque about its
/// centre of mass where the step began, N m, world axes. Zero without contacts.
CAROM_API carom_status carom_state_get_body_contact_force(const carom_state *state, carom_body body, carom_wrench *out,
                                                          carom_error *error);
/// The collisions of the last step that this state has made, in the order of their times; those of one time as they
/// came. Valid until the state is changed; none before the first step, after carom_state_load and carom_state_copy, and
/// of methods that do not find times of impacts.
CAROM_API const carom_collision *carom_state_collisions(const carom_state *state, int *count);
/// Whether the method finds the times of its impacts.
CAROM_API bool carom_state_tells_collisions(const carom_state *state);
/// Writes the contact problem of the last step that this state has made, beside the impulses that the solver started
/// from, as a file that carom_problem_read reads: to solve a hard one again, or by other solvers. Of a step in several
/// phases (Poisson's restitution, overlaps that contradict each other) the last problem. Of `lcp` without what rests.
/// Replaces the file.
///
/// Fails with CAROM_ERR_UNSUPPORTED for methods without such problems and for bodies that a mobility couples, with
/// CAROM_ERR_BAD_INPUT when there was no problem: no step yet, no contacts and no joints.
CAROM_API carom_status carom_state_write_problem(const carom_state *state, const char *path, carom_error *error);
CAROM_API carom_energy carom_state_energy(const carom_state *state);
/// The worst that every rule of verdicts has seen since the state was made: of its steps, of what they add up to, and
/// of the start. What rests on the summary of a run (steps broken and missed) is left as carom_finding_none.
CAROM_API void carom_state_findings(const carom_state *state, carom_finding out[CAROM_RULE_COUNT]);
/// The island of the run that a body belongs to, by the lowest of its bodies: those that have pressed on each other
/// since the start, or that joints, pair potentials or a fluid connect. A body that cannot move is alone; -1 for none.
CAROM_API int carom_state_island(const carom_state *state, carom_body body);
CAROM_API carom_momentum carom_state_momentum(const carom_state *state);

/// C of the contact potential of two bodies in a state of `potential` or `newmark`, given or proposed, N/m; 0 for other
/// methods, and for bodies that do not exist or both are fixed.
CAROM_API double carom_state_contact_stiffness(const carom_state *state, carom_body a, carom_body b);

/// The longest step that is stable for the springs and the flexible bodies of a state of `newmark` where it began, s:
/// for these with a margin of 10 %. INFINITY for members that are stable at any step, without springs and flexible
/// bodies, and for other methods.
CAROM_API double carom_state_stable_step(const carom_state *state);

/// A hash of everything that influences later bits: time, poses, momenta, the method's own memory.
CAROM_API uint64_t carom_state_hash(const carom_state *state);

/// The state as bytes, for checkpoints: the size, writing, and reading back to the same bits. Reading checks a mark,
/// the format version and that model and method fit; a failed read leaves the state as it was.
CAROM_API size_t carom_state_size(const carom_state *state);
CAROM_API void carom_state_save(const carom_state *state, void *bytes);
CAROM_API carom_status carom_state_load(carom_state *state, const void *bytes, size_t size, carom_error *error);

/// One step. `input` may be NULL. A numerical outcome is in `report`; a status other than CAROM_OK is a misuse.
/// Allocates nothing once warm. Different states may be stepped on different threads.
///
/// Its length is that of the method, or of the piece that the state's time is in.
CAROM_API carom_status carom_step(const carom_model *model, carom_state *state, const carom_input *input,
                                  carom_step_report *report, carom_error *error);

/// The same by a step of `h`, s, positive: with the method's own length the same bits. A later carom_step goes on with
/// the pieces from where the state then is, by equal steps to the end of the one that it is in.
///
/// Where the stiffness of contacts was proposed (`potential`, `newmark`, `penalty`), `h` must not be longer than the
/// longest step of the method and its pieces, which it was proposed for.
CAROM_API carom_status carom_step_by(const carom_model *model, carom_state *state, const carom_input *input, double h,
                                     carom_step_report *report, carom_error *error);

CAROM_END_C

#endif
