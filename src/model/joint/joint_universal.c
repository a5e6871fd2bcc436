// SPDX-License-Identifier: MIT
// A universal joint: z_A stays normal to x_B, as the two arms of its cross. B is rotated about z_A by the first angle,
// then about its own x axis by the second: rotation = R_z(angle 0) R_x(angle 1). With n = x_B seen from A the residual
// is the angle by which n leaves the x-y plane, asin(n_z).
#include <math.h>

#include "model/joint/joint_component.h"

// n_z = +-1 is an error of 90 degrees, where the gradient has no direction; below this length of (n_x, n_y) it keeps
// its size.
static const double least_sine = 1e-8;

static carom_vec3 cross_arm(const crm_joint_relation *relation) {
    return crm_quat_rotate(relation->rotation, crm_vec3(1.0, 0.0, 0.0));
}

static double in_plane(carom_vec3 n) {
    return fmax(sqrt(n.x * n.x + n.y * n.y), least_sine);
}

// d n/dt = u x n, so that d n_z/dt = u . (n x z).
static void rows(const crm_joint *joint, const crm_joint_relation *relation, double *residual, carom_vec3 *gradient) {
    (void)joint;
    carom_vec3 n = cross_arm(relation);
    double cosine = in_plane(n);
    residual[0] = atan2(n.z, cosine);
    gradient[0] = crm_scale(1.0 / cosine, crm_cross(n, crm_vec3(0.0, 0.0, 1.0)));
}

static void curvature(const crm_joint *joint, const crm_joint_relation *relation, carom_vec3 rate, double *out) {
    (void)joint;
    carom_vec3 n = cross_arm(relation), n_rate = crm_cross(rate, n), n_second = crm_cross(rate, n_rate);
    double cosine = in_plane(n), slope = n_rate.z / cosine;
    out[0] = n_second.z / cosine + slope * slope * n.z / cosine;
}

static void axes(const crm_joint_relation *relation, carom_vec3 *axis) {
    axis[0] = crm_vec3(0.0, 0.0, 1.0);
    axis[1] = cross_arm(relation);
}

// The second axis rotates with the first angle.
static carom_vec3 axes_rate(const crm_joint_relation *relation, const double *coordinate_rate) {
    return crm_scale(coordinate_rate[0] * coordinate_rate[1], crm_cross(crm_vec3(0.0, 0.0, 1.0), cross_arm(relation)));
}

static void to_config(const crm_joint_relation *relation, crm_joint_config *config) {
    carom_mat3 rotation = crm_quat_to_mat3(relation->rotation);
    config->angle[0] = atan2(rotation.x.y, rotation.x.x);
    config->angle[1] = atan2(rotation.y.z, rotation.z.z);
}

static void from_config(const crm_joint_config *config, crm_joint_relation *relation) {
    relation->rotation = crm_quat_mul(crm_quat_from_axis_angle(crm_vec3(0.0, 0.0, 1.0), config->angle[0]),
                                      crm_quat_from_axis_angle(crm_vec3(1.0, 0.0, 0.0), config->angle[1]));
}

const crm_joint_component crm_joint_universal = {.blocked = 1,
                                                 .free = 2,
                                                 .rows = rows,
                                                 .curvature = curvature,
                                                 .axes = axes,
                                                 .axes_rate = axes_rate,
                                                 .to_config = to_config,
                                                 .from_config = from_config};
