// SPDX-License-Identifier: MIT
/// @file
/// Methods, states, and the step from one state to the next, with its certificate.
#ifndef CAROM_STEP_H
#define CAROM_STEP_H

#include <stddef.h>
#include <stdint.h>

#include "carom/model.h"

typedef enum carom_method {
    CAROM_METHOD_VARIATIONAL, ///< Discrete Euler-Lagrange equations: order 2, momenta exact, energy without drift.
    CAROM_METHOD_EULER,       ///< Explicit Euler with the half-acceleration term: order 1, for teaching and comparison.
    CAROM_METHOD_COUNT
} carom_method;

/// Which quantities `euler` integrates.
typedef enum carom_euler_form {
    CAROM_EULER_MOMENTUM, ///< (x, q, P, L): keeps P and L exactly when no force acts.
    CAROM_EULER_VELOCITY, ///< (x, q, v, w): the gyroscopic term as a torque.
} carom_euler_form;

typedef struct carom_method_def {
    carom_method method;         ///< Default CAROM_METHOD_VARIATIONAL.
    double step;                 ///< s, positive. Default 1/240.
    carom_euler_form euler_form; ///< Of `euler` only. Default CAROM_EULER_MOMENTUM.
    double tolerance;    ///< Of `variational`: residual of its equations relative to the momenta. Default 1e-13.
    int iteration_limit; ///< Of `variational`: Newton iterations before a step is given up. Default 50.
    int threads;         ///< That a step may use, the caller's included. No bit depends on it. Default 1.
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

/// What acts from outside during one step.
typedef struct carom_input {
    int wrench_count;
    const carom_wrench *wrench;
} carom_input;

typedef struct carom_energy {
    double kinetic;   ///< J
    double potential; ///< Of gravity, springs, charges and callbacks, J.
} carom_energy;

typedef struct carom_momentum {
    carom_vec3 linear;  ///< kg m/s
    carom_vec3 angular; ///< About the world's origin, kg m^2/s.
} carom_momentum;

typedef enum carom_outcome {
    CAROM_STEP_GOOD,       ///< The step was made and keeps its contract.
    CAROM_STEP_BROKEN,     ///< The step was made, but a contract quantity misses its bound: see `text`.
    CAROM_STEP_IMPOSSIBLE, ///< No step was made; the state is as before: see `text`.
} carom_outcome;

/// The certificate of one step. Every quantity is at the end of the step, or the change over it.
typedef struct carom_step_report {
    carom_outcome outcome;
    double time;  ///< s, at the end of the step.
    int64_t step; ///< Steps made since the start of the state.
    carom_energy energy;
    carom_momentum momentum;
    double momentum_balance; ///< |change of P and L - impulses of all forces|, relative to their size. Contract: 1e-12.
    double energy_balance;   ///< Change of the energy less the work of drag, wrenches, inputs and dampers, J. Reported.
    double residual;         ///< Of the method's equations, relative, beyond the roundings of positions; 0 for explicit
                             ///< methods. Contract: the tolerance.
    int iterations;          ///< Newton iterations; 0 for explicit methods.
    carom_body body;         ///< The body that `text` speaks of, or {-1}.
    char text[256];          ///< Empty when good; else body, quantity, number, likely cause and remedy.
} carom_step_report;

CAROM_BEGIN_C

CAROM_API const char *carom_method_name(carom_method method); ///< "?" for a number that is none.
/// The key of a scene's "method" that chooses among the forms of this method, such as "form" of `euler`; NULL when it
/// has one form only, or for a number that is no method.
CAROM_API const char *carom_method_variant_key(carom_method method);
/// False when no method has that name.
CAROM_API bool carom_method_find(const char *name, carom_method *out);
CAROM_API carom_method_def carom_method_def_default(void);
/// CAROM_OK, or CAROM_ERR_UNSUPPORTED with a sentence that names what the method lacks and the methods that have it.
CAROM_API carom_status carom_method_supports(const carom_model *model, const carom_method_def *def, carom_error *error);

/// A state at the bodies' initial poses and velocities, time 0. The model must be frozen and outlive the state.
CAROM_API carom_status carom_state_create(const carom_model *model, const carom_method_def *def, carom_state **out,
                                          carom_error *error);
CAROM_API void carom_state_destroy(carom_state *state); ///< May be NULL.
/// Makes `to` equal to `from`, bit for bit. Both must be states of the same model and method.
CAROM_API carom_status carom_state_copy(const carom_state *from, carom_state *to, carom_error *error);

CAROM_API const carom_model *carom_state_model(const carom_state *state);
CAROM_API const carom_method_def *carom_state_method(const carom_state *state);
CAROM_API double carom_state_time(const carom_state *state);
CAROM_API int64_t carom_state_step_count(const carom_state *state);
CAROM_API carom_status carom_state_get_body(const carom_state *state, carom_body body, carom_body_state *out,
                                            carom_error *error);
/// Refuses what the body's kind cannot have: a planar body that is tilted or leaves its plane, a fixed one that moves,
/// a point that spins.
CAROM_API carom_status carom_state_set_body(carom_state *state, carom_body body, const carom_body_state *in,
                                            carom_error *error);
CAROM_API carom_energy carom_state_energy(const carom_state *state);
CAROM_API carom_momentum carom_state_momentum(const carom_state *state);

/// A hash of everything that influences later bits: time, poses, momenta, the method's own part.
CAROM_API uint64_t carom_state_hash(const carom_state *state);

/// The state as bytes, for checkpoints: the size, writing, and reading back to the same bits. Reading checks a mark,
/// the format version and that model and method fit; a failed read leaves the state as it was.
CAROM_API size_t carom_state_size(const carom_state *state);
CAROM_API void carom_state_save(const carom_state *state, void *bytes);
CAROM_API carom_status carom_state_load(carom_state *state, const void *bytes, size_t size, carom_error *error);

/// One step. `input` may be NULL. A numerical outcome is in `report`; a status other than CAROM_OK is a misuse.
/// Allocates nothing once warm. Different states may be stepped on different threads.
CAROM_API carom_status carom_step(const carom_model *model, carom_state *state, const carom_input *input,
                                  carom_step_report *report, carom_error *error);

CAROM_END_C

#endif
