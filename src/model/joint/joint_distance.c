// SPDX-License-Identifier: MIT
// B's origin on a sphere about A's: residual |d| - length, with d the offset. A sphere has no coordinates without a
// pole, so that the component has none and always closes a loop.
#include "model/joint/joint_component.h"

// The direction of the rod; where both ends coincide every one is as good.
static carom_vec3 direction(carom_vec3 offset, double *distance) {
    carom_vec3 n;
    *distance = crm_normalise(offset, &n);
    return *distance > 0.0 ? n : crm_vec3(0.0, 0.0, 1.0);
}

static void rows(const crm_joint *joint, const crm_joint_relation *relation, double *residual, carom_vec3 *gradient) {
    double distance;
    gradient[0] = direction(relation->offset, &distance);
    residual[0] = distance - joint->def.length;
}

// The ends rotate about each other: |rate normal to the rod|^2 / distance.
static void curvature(const crm_joint *joint, const crm_joint_relation *relation, carom_vec3 rate, double *out) {
    double distance;
    carom_vec3 n = direction(relation->offset, &distance);
    carom_vec3 across = crm_madd(rate, -crm_dot(n, rate), n);
    out[0] = crm_length_squared(across) / (distance > 0.0 ? distance : joint->def.length);
}

static void to_config(const crm_joint_relation *relation, crm_joint_config *config) {
    (void)relation;
    (void)config;
}

static void from_config(const crm_joint_config *config, crm_joint_relation *relation) {
    (void)config;
    relation->offset = crm_vec3_zero();
}

const crm_joint_component crm_joint_distance = {
    .blocked = 1, .rows = rows, .curvature = curvature, .to_config = to_config, .from_config = from_config};
