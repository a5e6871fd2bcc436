// SPDX-License-Identifier: MIT
// Angular components that block nothing: any attitude, and none to speak of.
#include "model/joint/joint_component.h"

// The rates are the relative spin itself.
static void axes(const crm_joint_relation *relation, carom_vec3 *axis) {
    (void)relation;
    for (int k = 0; k < 3; k++) axis[k] = crm_with_component(crm_vec3_zero(), k, 1.0);
}

static void to_config(const crm_joint_relation *relation, crm_joint_config *config) {
    config->rotation = relation->rotation;
}

static void from_config(const crm_joint_config *config, crm_joint_relation *relation) {
    relation->rotation = config->rotation;
}

const crm_joint_component crm_joint_any_rotation = {
    .free = 3, .axes = axes, .to_config = to_config, .from_config = from_config};

static void nothing_to_config(const crm_joint_relation *relation, crm_joint_config *config) {
    (void)relation;
    (void)config;
}

static void nothing_from_config(const crm_joint_config *config, crm_joint_relation *relation) {
    (void)config;
    relation->rotation = crm_quat_identity();
}

const crm_joint_component crm_joint_no_rotation = {.to_config = nothing_to_config, .from_config = nothing_from_config};
