// SPDX-License-Identifier: MIT
/// @file
/// Joints: what two bodies may still do to each other, with limits, springs and motors on it.
///
/// A joint has two frames: A, fixed in body `a`, and B, fixed in body `b`. It has a linear component and an angular
/// one.
///
///   linear_free   where B's origin may be             coordinates (m)
///     0           at A's origin                       none
///     1           on A's z axis                       z
///     2           in A's x-y plane                    x, y
///     3           anywhere                            x, y, z
///   angular_free  which attitudes B may have          coordinates (rad)
///     0           A's                                 none
///     1           rotated about z, z_B = z_A          the angle
///     2           z_A stays normal to x_B             the angle about z_A, then the one about x_B (universal joint)
///     3           any                                 rotation vector of B seen from A, in A's axes, at most pi long
///
/// Linear coordinates come first and are those of B's origin in A's axes. Rates of coordinates are their derivatives,
/// but for angular_free 3, where they are the relative spin of B in A's axes. Angles of angular_free 1 and 2 are those
/// nearest to their last values: they count revolutions. The world is a body at rest; its frame is the world's.
///
/// Points: a mass point has no attitude, so that only angular_free 3 or a distance joins it, at its origin, and there
/// are no angular coordinates; with linear_free 1 or 2 it must be body `b`. Planar bodies are rigid bodies whose other
/// motions are blocked: what a joint blocks a second time is redundant, which is reported and does no harm.
#ifndef CAROM_JOINT_H
#define CAROM_JOINT_H

#include "carom/model.h"

typedef struct carom_joint {
    int32_t index;
} carom_joint;

/// Names for common combinations of linear_free and angular_free.
typedef enum carom_joint_kind {
    CAROM_JOINT_MIX,            ///< As linear_free and angular_free say.
    CAROM_JOINT_FIXED,          ///< 0, 0
    CAROM_JOINT_HINGE,          ///< 0, 1: about z.
    CAROM_JOINT_UNIVERSAL,      ///< 0, 2: about z_A and x_B.
    CAROM_JOINT_BALL,           ///< 0, 3
    CAROM_JOINT_SLIDER,         ///< 1, 0: along z.
    CAROM_JOINT_CYLINDRICAL,    ///< 1, 1: along and about z.
    CAROM_JOINT_POINT_ON_LINE,  ///< 1, 3: the line is A's z axis.
    CAROM_JOINT_PLANAR,         ///< 2, 1: in A's x-y plane, rotating about z.
    CAROM_JOINT_POINT_ON_PLANE, ///< 2, 3
    CAROM_JOINT_DISTANCE,       ///< The origins of A and B keep the distance `length`. Has no coordinates.
    CAROM_JOINT_KIND_COUNT
} carom_joint_kind;

typedef enum carom_motor_kind {
    CAROM_MOTOR_NONE,
    CAROM_MOTOR_FORCE,    ///< `force` on the coordinate.
    CAROM_MOTOR_POSITION, ///< stiffness (target - coordinate) + damping (target_rate - rate) + force.
    CAROM_MOTOR_VELOCITY, ///< Whatever force, up to max_force, makes the rate equal to `target_rate`.
    CAROM_MOTOR_KIND_COUNT
} carom_motor_kind;

/// Acts along a coordinate: N for a linear one, N m for an angular one. Counts as external work, not as potential.
typedef struct carom_motor_def {
    carom_motor_kind kind; ///< Default CAROM_MOTOR_NONE.
    double target;         ///< Of a position motor, m or rad.
    double target_rate;    ///< Of a position or velocity motor, m/s or rad/s.
    double force;          ///< Of a force motor, or fed forward to a position motor.
    double stiffness;      ///< Gains of a position motor, >= 0.
    double damping;
    double max_force; ///< Bound on the size of the motor's force, >= 0. Default infinite.
} carom_motor_def;

/// What acts on one coordinate of a joint.
typedef struct carom_coordinate_def {
    double lower, upper; ///< Limits, lower < upper. Default infinite: none.
    double stiffness; ///< Of a spring to `rest`, >= 0, N/m or N m/rad: potential 1/2 stiffness (coordinate - rest)^2.
    double rest;      ///< m or rad
    double damping;   ///< Force -damping rate, >= 0.
    carom_motor_def motor;
} carom_coordinate_def;

enum { CAROM_JOINT_MOST_COORDINATES = 6 };

/// When an open joint closes by itself, at the end of a step in which all of this holds. It then closes by a plastic
/// impact: impulses between its bodies take the velocities that it blocks, the rest of its error is taken from the
/// poses. A joint that has opened again closes once its frames have been apart by more than this in between.
typedef struct carom_latch_def {
    bool on;     ///< The joint starts open. Default false.
    bool sticky; ///< Of a ball joint: it closes where the shapes of its bodies touch, at the point of contact, which
                 ///< is where its frames are from then on; points and attitudes of the definition must be left at
                 ///< their defaults. Default false.
    double distance; ///< Largest error of the blocked positions, m, positive; of a sticky joint the largest gap between
                     ///< the shapes, >= 0, where contact itself counts as touching. Default 0.
    double angle; ///< Largest error of the blocked rotations, rad, positive; none is asked for where none is blocked.
    double speed; ///< Largest blocked velocity of B's origin, m/s, positive. Default infinite.
} carom_latch_def;

typedef struct carom_joint_def {
    uint32_t struct_size;              ///< Set by carom_joint_def_default; leave it.
    const char *name;                  ///< Unique among joints, or NULL (default).
    carom_joint_kind kind;             ///< Default CAROM_JOINT_MIX.
    carom_body a, b;                   ///< Two different bodies, of which one can move; either may be CAROM_WORLD.
    carom_vec3 point_a, point_b;       ///< Origins of A and B in the frames of a and b, m.
    carom_quat attitude_a, attitude_b; ///< Axes of A and B to those of a and b. Normalised on entry.
    int linear_free, angular_free;     ///< Of a mix, 0 to 3 each. Default 0, 0. Other kinds fill them in.
    double length;                     ///< Of a distance joint, positive, m.
    bool bodies_touch;                 ///< The joint's bodies can have contacts with each other, unless another joint
                                       ///< of the two says no. Default false.
    carom_coordinate_def coordinate[CAROM_JOINT_MOST_COORDINATES]; ///< The first ones, as many as are free.
    carom_latch_def latch;
    double break_force;  ///< The joint opens when the force that it bears is larger, N, positive. Default infinite.
    double break_moment; ///< The same of its torque about B's origin, N m.
    bool by_command;     ///< carom_input opens and closes it, also without a latch or a load that breaks it. Default
                         ///< false.
} carom_joint_def;

/// Which way a joint's frames stand when both are given by the bodies' initial poses.
typedef struct carom_joint_placing {
    uint32_t struct_size; ///< Set by carom_joint_placing_default; leave it.
    carom_vec3 point;     ///< Of both origins, world, m.
    carom_vec3 axis;      ///< Of both z axes, world, any length but zero. Default (0, 0, 1).
    carom_vec3 x;         ///< Of both x axes: its component normal to `axis` counts. Default 0: any such direction.
} carom_joint_placing;

CAROM_BEGIN_C

CAROM_API const char *carom_joint_kind_name(carom_joint_kind kind); ///< "point_on_line"; "?" for a number that is none.
/// What a kind leaves free; 0, 0 for a mix, which says so itself, 3, 3 for a distance joint.
CAROM_API void carom_joint_kind_free(carom_joint_kind kind, int *linear_free, int *angular_free);
CAROM_API carom_coordinate_def carom_coordinate_def_default(void);
CAROM_API carom_joint_def carom_joint_def_default(void);
CAROM_API carom_joint_placing carom_joint_placing_default(void);

/// Fills points and attitudes of `def` so that both frames coincide at the initial poses of its bodies: every
/// coordinate is zero there.
CAROM_API carom_status carom_model_place_joint(const carom_model *model, const carom_joint_placing *placing,
                                               carom_joint_def *def, carom_error *error);

CAROM_API carom_status carom_model_add_joint(carom_model *model, const carom_joint_def *def, carom_joint *out,
                                             carom_error *error);

CAROM_API int carom_model_joint_count(const carom_model *model);
/// NULL for a joint without a name or an id that is none.
CAROM_API const char *carom_model_joint_name(const carom_model *model, carom_joint joint);
/// {-1} when there is none of that name.
CAROM_API carom_joint carom_model_find_joint(const carom_model *model, const char *name);
/// As given, with linear_free and angular_free filled in.
CAROM_API carom_status carom_model_get_joint(const carom_model *model, carom_joint joint, carom_joint_def *out,
                                             carom_error *error);
/// Whether the joint can open and close in a run: it has a latch, a load that breaks it, or `by_command`.
CAROM_API bool carom_model_joint_switches(const carom_model *model, carom_joint joint);
/// linear_free + angular_free; 0 for a distance joint, linear_free where a mass point is joined; 0 for no joint's id.
CAROM_API int carom_model_joint_coordinate_count(const carom_model *model, carom_joint joint);

CAROM_END_C

#endif
