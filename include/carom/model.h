// SPDX-License-Identifier: MIT
/// @file
/// What never changes in a run: bodies, materials, forces. Built by calls, then frozen.
///
/// Ids are small integers, valid for the model that returned them (and its states). A failed call leaves the model as
/// it was. Definitions are copied; nothing keeps your pointers, but for those named `user`.
///
/// Every definition starts from its `_default()`, which also notes its size at its head: one that does not, or that was
/// compiled with the headers of another carom, is refused with a sentence.
#ifndef CAROM_MODEL_H
#define CAROM_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/allocator.h"
#include "carom/api.h"
#include "carom/contact.h"
#include "carom/limits.h"
#include "carom/status.h"
#include "carom/types.h"

typedef struct carom_model carom_model;

typedef struct carom_body {
    int32_t index; ///< -1 names the world: a body that is everywhere at rest.
} carom_body;

typedef struct carom_material {
    int32_t index;
} carom_material;

/// A shape that the model owns; any number of bodies may have it.
typedef struct carom_model_shape {
    int32_t index; ///< -1: none.
} carom_model_shape;

#define CAROM_WORLD ((carom_body){-1})

/// How the coefficients of two materials become that of the pair.
typedef enum carom_combination {
    CAROM_COMBINE_GEOMETRIC, ///< sqrt(a b)
    CAROM_COMBINE_MEAN,      ///< (a + b) / 2
    CAROM_COMBINE_LEAST,
    CAROM_COMBINE_LARGEST,
    CAROM_COMBINE_PRODUCT,
    CAROM_COMBINE_COUNT
} carom_combination;

/// What is done about bodies that overlap at the start by more than 1e-6 of the smaller one's size, by methods with
/// contact.
typedef enum carom_start_overlaps {
    CAROM_START_PROJECT, ///< They are moved apart in the metric of the masses, without a velocity.
    CAROM_START_KEEP,    ///< They stay: the method undoes them as it does any overlap.
    CAROM_START_REFUSE,  ///< No state is made.
    CAROM_START_COUNT
} carom_start_overlaps;

/// The frame in which positions, velocities, attitudes and spins are given and told.
typedef enum carom_reference_frame {
    CAROM_FRAME_INERTIAL,
    /// Hill's: its origin goes round a centre on a circle with the mean motion n, x points away from the centre, y
    /// along the way, z completes them; n is that of z. Velocities and spins are those seen in it. The terms of the
    /// frame act on every element of mass: a force m (3 n^2 x + 2 n v_y, -2 n v_x, -n^2 z) at the centre of mass, and
    /// on free bodies the moments that follow from their inertia.
    CAROM_FRAME_HILL,
    CAROM_FRAME_COUNT
} carom_reference_frame;

typedef struct carom_model_def {
    uint32_t struct_size;    ///< Set by carom_model_def_default; leave it.
    carom_vec3 gravity;      ///< Acceleration, m/s^2. Default (0, 0, -9.81).
    double coulomb_constant; ///< Force between unit charges at unit distance, N m^2/C^2. Default 8.9875517923e9.
    carom_combination friction_rule;       ///< Default CAROM_COMBINE_GEOMETRIC.
    carom_combination restitution_rule;    ///< Default CAROM_COMBINE_LARGEST.
    carom_start_overlaps start_overlaps;   ///< Default CAROM_START_PROJECT.
    carom_reference_frame reference_frame; ///< Default CAROM_FRAME_INERTIAL.
    double mean_motion;                    ///< Of CAROM_FRAME_HILL, rad/s, positive. Default 0.
    const carom_allocator *allocator;      ///< NULL (default): malloc and free.
    carom_limits limits;                   ///< `pairs`, `contacts` and `seconds` of steps. Default carom_limits_none.
    carom_interrupt interrupt;             ///< Asked during steps and while states are made. Default {0}: nobody.
} carom_model_def;

typedef enum carom_body_kind {
    CAROM_BODY_FREE,   ///< Six degrees of freedom.
    CAROM_BODY_FIXED,  ///< Never moves.
    CAROM_BODY_PLANAR, ///< Moves in the plane z = 0 of its centre of mass and rotates about z.
    CAROM_BODY_POINT,  ///< A mass without extension or attitude.
} carom_body_kind;

typedef struct carom_body_def {
    uint32_t struct_size; ///< Set by carom_body_def_default; leave it.
    const char *name;     ///< Unique in the model, or NULL (default).
    carom_body_kind kind;
    double density;      ///< kg/m^3. Positive: mass, centre and inertia are those of the shape filled evenly, as of a
                         ///< scene's `density`, and must be left at their defaults. Default 0: as they are given.
    double mass;         ///< kg, positive (unless fixed). Default 1.
    carom_vec3 centre;   ///< Centre of mass in the body frame, m. Default 0. Must be 0 for a point.
    carom_mat3 inertia;  ///< About the centre of mass, axes of the body frame, symmetric, kg m^2. Default identity.
    carom_vec3 position; ///< Origin of the body frame in the world, m.
    carom_quat attitude; ///< Body frame to world. Normalised on entry. Default identity.
    carom_vec3 velocity; ///< Of the body frame's origin, world axes, m/s.
    carom_vec3 spin;     ///< Angular velocity, world axes, rad/s.
    carom_material material; ///< Default {-1}: the model's default material.
    carom_model_shape shape; ///< In the body's frame. Default {-1}: none, it touches nothing. Gives the mass with
                             ///< `density` only. A point has none; a half-space or a container needs a fixed body.
    uint32_t groups;         ///< Bits: what the body is. Default 1.
    uint32_t meets;          ///< Bits: what it can touch. Two bodies meet when each is in a group that the other meets.
                             ///< Default all. Jointed bodies: see carom_joint_def.
    void *user;              ///< Yours: carom_model_body_user gives it back. Default NULL.
} carom_body_def;

typedef struct carom_material_def {
    uint32_t struct_size; ///< Set by carom_material_def_default; leave it.
    const char *name;     ///< Unique among materials, or NULL.
    double friction;      ///< Coulomb coefficient, >= 0. Default 0.5.
    double restitution;   ///< 0 to 1. Default 0.
} carom_material_def;

/// Resistance of a medium at rest: F = -linear v - quadratic |v| v at the centre of mass, torque -angular w.
typedef struct carom_drag_def {
    uint32_t struct_size; ///< Set by carom_drag_def_default; leave it.
    carom_body body;
    double linear;    ///< N s/m, >= 0
    double quadratic; ///< N s^2/m^2, >= 0
    double angular;   ///< N m s, >= 0
} carom_drag_def;

/// A spring between a point of body `a` and a point of body `b` (either may be CAROM_WORLD, then the point is a world
/// point).
typedef struct carom_spring_def {
    uint32_t struct_size; ///< Set by carom_spring_def_default; leave it.
    carom_body a, b;
    carom_vec3 point_a, point_b; ///< In the body frames, m.
    double stiffness;            ///< N/m, >= 0
    double damping;              ///< Along the spring, N s/m, >= 0. Not a potential: see carom_method_supports.
    double rest_length;          ///< m, >= 0. With 0 the spring pulls like a linear one in all directions.
} carom_spring_def;

/// A point charge fixed in a body. Every pair of charges on different bodies acts by Coulomb's law; equal signs repel.
typedef struct carom_charge_def {
    uint32_t struct_size; ///< Set by carom_charge_def_default; leave it.
    carom_body body;      ///< Or CAROM_WORLD.
    carom_vec3 point;     ///< In the body frame, m.
    double charge;        ///< C
} carom_charge_def;

/// A magnet as two opposite charges `length` apart, fixed in a body.
typedef struct carom_magnet_def {
    uint32_t struct_size; ///< Set by carom_magnet_def_default; leave it.
    carom_body body;
    carom_vec3 centre; ///< In the body frame, m.
    carom_vec3 axis;   ///< From the negative to the positive pole, body frame; need not be a unit vector.
    double length;     ///< m, positive
    double strength;   ///< Charge of the positive pole, C
} carom_magnet_def;

/// A constant force and torque on a body, in world or in body axes.
typedef struct carom_wrench_def {
    uint32_t struct_size; ///< Set by carom_wrench_def_default; leave it.
    carom_body body;
    carom_vec3 point; ///< Where the force acts, body frame, m.
    carom_vec3 force;
    carom_vec3 torque;
    bool in_body_axes; ///< Default false: world axes.
} carom_wrench_def;

/// What a force callback sees of a body and what it returns.
typedef struct carom_force_sample {
    double time;         ///< s
    carom_vec3 position; ///< Of the body frame, world.
    carom_quat attitude;
    carom_vec3 velocity; ///< Of the body frame's origin, world axes.
    carom_vec3 spin;
} carom_force_sample;

typedef struct carom_force_value {
    carom_vec3 force;  ///< World axes, at the body frame's origin, N.
    carom_vec3 torque; ///< World axes, about the body frame's origin, N m.
    bool conservative; ///< The force is minus the gradient of `energy`, which then counts as potential energy.
    double energy;     ///< J
} carom_force_value;

/// 0: fine; positive: the step should be smaller; negative: stop the run.
typedef int carom_force_function(void *user, const carom_force_sample *sample, carom_force_value *value);

typedef struct carom_callback_def {
    uint32_t struct_size; ///< Set by carom_callback_def_default; leave it.
    carom_body body;
    carom_force_function *function;
    void *user; ///< Must outlive the model.
} carom_callback_def;

CAROM_BEGIN_C

CAROM_API const char *carom_body_kind_name(carom_body_kind kind); ///< "?" for a number that is none.
CAROM_API carom_model_def carom_model_def_default(void);
CAROM_API carom_body_def carom_body_def_default(void);
CAROM_API carom_material_def carom_material_def_default(void);
CAROM_API carom_drag_def carom_drag_def_default(void);
CAROM_API carom_spring_def carom_spring_def_default(void);
CAROM_API carom_charge_def carom_charge_def_default(void);
CAROM_API carom_magnet_def carom_magnet_def_default(void);
CAROM_API carom_wrench_def carom_wrench_def_default(void);
CAROM_API carom_callback_def carom_callback_def_default(void);

CAROM_API carom_status carom_model_create(const carom_model_def *def, carom_model **out, carom_error *error);
CAROM_API void carom_model_destroy(carom_model *model); ///< May be NULL. Its states must be gone.

CAROM_API carom_status carom_model_add_material(carom_model *model, const carom_material_def *def, carom_material *out,
                                                carom_error *error);
/// What friction and restitution two materials have together; without it, see carom_model_get_material_pair.
CAROM_API carom_status carom_model_set_material_pair(carom_model *model, carom_material a, carom_material b,
                                                     double friction, double restitution, carom_error *error);
CAROM_API carom_status carom_model_add_body(carom_model *model, const carom_body_def *def, carom_body *out,
                                            carom_error *error);
CAROM_API carom_status carom_model_add_drag(carom_model *model, const carom_drag_def *def, carom_error *error);
CAROM_API carom_status carom_model_add_spring(carom_model *model, const carom_spring_def *def, carom_error *error);
CAROM_API carom_status carom_model_add_charge(carom_model *model, const carom_charge_def *def, carom_error *error);
CAROM_API carom_status carom_model_add_magnet(carom_model *model, const carom_magnet_def *def, carom_error *error);
CAROM_API carom_status carom_model_add_wrench(carom_model *model, const carom_wrench_def *def, carom_error *error);
CAROM_API carom_status carom_model_add_callback(carom_model *model, const carom_callback_def *def, carom_error *error);

/// Makes a shape of the model. `name` is unique among shapes, or NULL. Fails like carom_shape_create.
CAROM_API carom_status carom_model_add_shape(carom_model *model, const char *name, const carom_shape_def *def,
                                             carom_model_shape *out, carom_error *error);
/// Which bodies (by their indices, the lower first) have no contacts, besides groups and joints. NULL: no filter.
/// `user` must outlive the model.
CAROM_API carom_status carom_model_set_pair_filter(carom_model *model, carom_pair_filter *filter, void *user,
                                                   carom_error *error);

/// No more additions; states can be made. Frozen models are read-only and may be shared by threads.
CAROM_API carom_status carom_model_freeze(carom_model *model, carom_error *error);

CAROM_API carom_vec3 carom_model_gravity(const carom_model *model); ///< m/s^2
CAROM_API int carom_model_body_count(const carom_model *model);
CAROM_API int carom_model_material_count(const carom_model *model);
CAROM_API int carom_model_shape_count(const carom_model *model);
/// Lives with the model; NULL for an id that is none.
CAROM_API const carom_shape *carom_model_get_shape(const carom_model *model, carom_model_shape shape);
/// NULL for a shape without a name or an id that is none.
CAROM_API const char *carom_model_shape_name(const carom_model *model, carom_model_shape shape);
/// Whether these two bodies can have contacts: shapes, groups, joints and the filter allow it, and one can move. False
/// before the model is frozen.
CAROM_API bool carom_model_bodies_meet(const carom_model *model, carom_body a, carom_body b);
/// NULL for a body without a name or an id that is none.
CAROM_API const char *carom_model_body_name(const carom_model *model, carom_body body);
/// {-1} when there is none of that name.
CAROM_API carom_body carom_model_find_body(const carom_model *model, const char *name);
/// As given, attitude normalised; mass, centre and inertia in place of a density, which is then 0.
CAROM_API carom_status carom_model_get_body(const carom_model *model, carom_body body, carom_body_def *out,
                                            carom_error *error);
/// The pointer of the body's definition, or the one that was set last; NULL for an id that is none.
CAROM_API void *carom_model_body_user(const carom_model *model, carom_body body);
/// Also of a frozen model, but not while other threads use it. Neither hashes nor saved states know of it.
CAROM_API carom_status carom_model_set_body_user(carom_model *model, carom_body body, void *user, carom_error *error);
/// Friction and restitution of a pair: as set for it, else by the rules of the model.
CAROM_API carom_status carom_model_get_material_pair(const carom_model *model, carom_material a, carom_material b,
                                                     double *friction, double *restitution, carom_error *error);

CAROM_END_C

#endif
