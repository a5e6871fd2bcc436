// SPDX-License-Identifier: MIT
/// @file
/// The small value types of the API. SI units, right-handed frames, angles in radians, double precision.
#ifndef CAROM_TYPES_H
#define CAROM_TYPES_H

typedef struct carom_vec3 {
    double x, y, z;
} carom_vec3;

/// A 3x3 matrix by its columns: of a rotation matrix they are the body's axes (directors) in the world frame.
typedef struct carom_mat3 {
    carom_vec3 x, y, z;
} carom_mat3;

/// Unit quaternion, scalar first; takes body vectors to world vectors. `q` and `-q` are the same attitude.
typedef struct carom_quat {
    double w, x, y, z;
} carom_quat;

/// Where a frame is: x_parent = position + attitude(x_child).
typedef struct carom_pose {
    carom_vec3 position; ///< m
    carom_quat attitude;
} carom_pose;

#endif
