// SPDX-License-Identifier: MIT
/// @file
/// Bodies in a viscous fluid: velocities are forces times a mobility, and inertia does not matter. Contacts and joints
/// then push by the same mobility; the method `lcp` solves for them.
#ifndef CAROM_MOBILITY_H
#define CAROM_MOBILITY_H

#include "carom/model.h"
#include "carom/step.h"

typedef enum carom_mobility_kind {
    CAROM_MOBILITY_NONE,     ///< Inertia: the usual mechanics. Default.
    CAROM_MOBILITY_STOKES,   ///< Every body by itself: the drag tensors of spheres and ellipsoids in a viscous fluid.
    CAROM_MOBILITY_MATRIX,   ///< One given matrix that couples all bodies, whatever their poses.
    CAROM_MOBILITY_FUNCTION, ///< A function of the poses.
    CAROM_MOBILITY_KIND_COUNT
} carom_mobility_kind;

/// Velocities of all bodies that move, from their forces. Six numbers a body, in the order of bodies, fixed ones left
/// out: force and torque about the centre of mass (N, N m), velocity of the centre of mass and spin (m/s, rad/s), world
/// axes. Linear in the force, symmetric, positive definite; called many times at the same poses, from one thread at a
/// time. `poses` are those of the bodies' frames, `centres` their centres of mass in the world (both `count`).
typedef void carom_mobility_function(void *user, int count, const carom_pose *poses, const carom_vec3 *centres,
                                     const double *force, double *velocity);

typedef struct carom_mobility_def {
    uint32_t struct_size; ///< Set by carom_mobility_def_default; leave it.
    carom_mobility_kind kind;
    double viscosity;                  ///< Of CAROM_MOBILITY_STOKES, Pa s, positive. Default 1e-3: water.
    int size;                          ///< Of CAROM_MOBILITY_MATRIX: 6 times the number of bodies that move.
    const double *matrix;              ///< size * size, row by row, in the order above; symmetric, positive definite.
    carom_mobility_function *function; ///< Of CAROM_MOBILITY_FUNCTION.
    void *user;                        ///< Must outlive the model.
} carom_mobility_def;

CAROM_BEGIN_C

CAROM_API carom_mobility_def carom_mobility_def_default(void);
/// The matrix is copied. What depends on the bodies (their number, their shapes) is looked at when the model is frozen:
/// carom_model_freeze refuses bodies that are neither free nor fixed and, of CAROM_MOBILITY_STOKES, shapes other than
/// spheres and ellipsoids, and matrices of another size.
CAROM_API carom_status carom_model_set_mobility(carom_model *model, const carom_mobility_def *def, carom_error *error);
CAROM_API carom_mobility_kind carom_model_mobility_kind(const carom_model *model);

CAROM_END_C

#endif
