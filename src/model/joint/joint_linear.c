// SPDX-License-Identifier: MIT
// Linear components that are straight: B's origin on a point, a line, a plane or anywhere, along A's axes.
#include "model/joint/joint_component.h"

static void point_rows(const crm_joint *joint, const crm_joint_relation *relation, double *residual,
                       carom_vec3 *gradient) {
    (void)joint;
    for (int k = 0; k < 3; k++) {
        residual[k] = crm_component(relation->offset, k);
        gradient[k] = crm_with_component(crm_vec3_zero(), k, 1.0);
    }
}

static void point_to_config(const crm_joint_relation *relation, crm_joint_config *config) {
    (void)relation;
    (void)config;
}

static void point_from_config(const crm_joint_config *config, crm_joint_relation *relation) {
    (void)config;
    relation->offset = crm_vec3_zero();
}

const crm_joint_component crm_joint_point = {
    .blocked = 3, .rows = point_rows, .to_config = point_to_config, .from_config = point_from_config};

static void line_rows(const crm_joint *joint, const crm_joint_relation *relation, double *residual,
                      carom_vec3 *gradient) {
    (void)joint;
    residual[0] = relation->offset.x;
    residual[1] = relation->offset.y;
    gradient[0] = crm_vec3(1.0, 0.0, 0.0);
    gradient[1] = crm_vec3(0.0, 1.0, 0.0);
}

static void line_axes(const crm_joint_relation *relation, carom_vec3 *axis) {
    (void)relation;
    axis[0] = crm_vec3(0.0, 0.0, 1.0);
}

static void line_to_config(const crm_joint_relation *relation, crm_joint_config *config) {
    config->slide[0] = relation->offset.z;
}

static void line_from_config(const crm_joint_config *config, crm_joint_relation *relation) {
    relation->offset = crm_vec3(0.0, 0.0, config->slide[0]);
}

const crm_joint_component crm_joint_line = {.blocked = 2,
                                            .free = 1,
                                            .rows = line_rows,
                                            .axes = line_axes,
                                            .to_config = line_to_config,
                                            .from_config = line_from_config};

static void plane_rows(const crm_joint *joint, const crm_joint_relation *relation, double *residual,
                       carom_vec3 *gradient) {
    (void)joint;
    residual[0] = relation->offset.z;
    gradient[0] = crm_vec3(0.0, 0.0, 1.0);
}

static void plane_axes(const crm_joint_relation *relation, carom_vec3 *axis) {
    (void)relation;
    axis[0] = crm_vec3(1.0, 0.0, 0.0);
    axis[1] = crm_vec3(0.0, 1.0, 0.0);
}

static void plane_to_config(const crm_joint_relation *relation, crm_joint_config *config) {
    config->slide[0] = relation->offset.x;
    config->slide[1] = relation->offset.y;
}

static void plane_from_config(const crm_joint_config *config, crm_joint_relation *relation) {
    relation->offset = crm_vec3(config->slide[0], config->slide[1], 0.0);
}

const crm_joint_component crm_joint_plane = {.blocked = 1,
                                             .free = 2,
                                             .rows = plane_rows,
                                             .axes = plane_axes,
                                             .to_config = plane_to_config,
                                             .from_config = plane_from_config};

static void anywhere_axes(const crm_joint_relation *relation, carom_vec3 *axis) {
    (void)relation;
    for (int k = 0; k < 3; k++) axis[k] = crm_with_component(crm_vec3_zero(), k, 1.0);
}

static void anywhere_to_config(const crm_joint_relation *relation, crm_joint_config *config) {
    for (int k = 0; k < 3; k++) config->slide[k] = crm_component(relation->offset, k);
}

static void anywhere_from_config(const crm_joint_config *config, crm_joint_relation *relation) {
    relation->offset = crm_vec3(config->slide[0], config->slide[1], config->slide[2]);
}

const crm_joint_component crm_joint_anywhere = {
    .free = 3, .axes = anywhere_axes, .to_config = anywhere_to_config, .from_config = anywhere_from_config};
