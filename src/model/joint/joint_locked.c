// SPDX-License-Identifier: MIT
// B's attitude is A's. Residual: the rotation vector a = log(rotation) of the shorter arc, so that large errors count
// in full; d a/dt = J_left(a)^-1 u (so3.h).
#include "math/so3.h"
#include "model/joint/joint_component.h"

static void rows(const crm_joint *joint, const crm_joint_relation *relation, double *residual, carom_vec3 *gradient) {
    (void)joint;
    carom_vec3 a = crm_so3_log(relation->rotation);
    carom_mat3 by_row = crm_mat3_transpose(crm_dexp_left_inverse(a));
    residual[0] = a.x;
    residual[1] = a.y;
    residual[2] = a.z;
    gradient[0] = by_row.x;
    gradient[1] = by_row.y;
    gradient[2] = by_row.z;
}

static void curvature(const crm_joint *joint, const crm_joint_relation *relation, carom_vec3 rate, double *out) {
    (void)joint;
    carom_vec3 a = crm_so3_log(relation->rotation);
    carom_vec3 a_rate = crm_mat3_apply(crm_dexp_left_inverse(a), rate);
    carom_vec3 second = crm_mat3_apply(crm_ddexp_left_inverse(a, rate), a_rate);
    for (int k = 0; k < 3; k++) out[k] = crm_component(second, k);
}

static void to_config(const crm_joint_relation *relation, crm_joint_config *config) {
    (void)relation;
    (void)config;
}

static void from_config(const crm_joint_config *config, crm_joint_relation *relation) {
    (void)config;
    relation->rotation = crm_quat_identity();
}

const crm_joint_component crm_joint_locked = {
    .blocked = 3, .rows = rows, .curvature = curvature, .to_config = to_config, .from_config = from_config};
