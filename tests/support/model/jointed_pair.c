// SPDX-License-Identifier: MIT
#include "support/model/jointed_pair.h"

#include "math/so3.h"
#include "support/harness/check.h"

carom_joint_def sorted_joint_def(int sort) {
    carom_joint_def def = carom_joint_def_default();
    if (sort == JOINT_SORTS - 1) {
        def.kind = CAROM_JOINT_DISTANCE;
        def.length = 0.8;
    } else {
        def.linear_free = sort / 4;
        def.angular_free = sort % 4;
    }
    return def;
}

static carom_mat3 random_inertia(sampler *s) {
    carom_vec3 moments = {sample_between(s, 1.0, 1.4), sample_between(s, 1.0, 1.4), sample_between(s, 1.0, 1.4)};
    return crm_congruence_diagonal(crm_quat_to_mat3(sample_attitude(s)), moments);
}

carom_model *jointed_pair(sampler *s, const carom_joint_def *given, pair_world world) {
    carom_model *model = NULL;
    carom_model_def model_def = carom_model_def_default();
    assert_int_equal(carom_model_create(&model_def, &model, NULL), CAROM_OK);
    for (int b = 0; b < 2; b++) {
        carom_body_def body = carom_body_def_default();
        body.mass = sample_between(s, 0.5, 2.0);
        body.inertia = random_inertia(s);
        body.centre = sample_vec3(s, 0.3);
        body.position = sample_vec3(s, 1.0);
        body.attitude = sample_attitude(s);
        assert_int_equal(carom_model_add_body(model, &body, NULL, NULL), CAROM_OK);
    }
    carom_joint_def def = *given;
    def.a = (carom_body){world == PAIR_A_IS_WORLD ? -1 : 0};
    def.b = (carom_body){world == PAIR_B_IS_WORLD ? -1 : 1};
    def.point_a = sample_vec3(s, 0.5);
    def.point_b = sample_vec3(s, 0.5);
    def.attitude_a = sample_attitude(s);
    def.attitude_b = sample_attitude(s);
    carom_error error = {.text = ""};
    CHECK_INT(carom_model_add_joint(model, &def, NULL, &error), CAROM_OK);
    CHECK_TEXT(error.text, "");
    return model;
}

const crm_joint *pair_joint(const carom_model *model) {
    return &model->joints.items[0];
}

void pair_poses(sampler *s, crm_motion motions[2]) {
    for (int b = 0; b < 2; b++) motions[b] = (crm_motion){.x = sample_vec3(s, 1.0), .q = sample_attitude(s)};
}

static crm_vec6 random_twist(sampler *s, int body) {
    crm_vec6 t = crm_vec6_of(sample_vec3(s, 1.0), sample_vec3(s, 1.0));
    return body < 0 ? crm_vec6_zero() : t;
}

crm_joint_twists pair_twists(sampler *s, const crm_joint *joint) {
    crm_vec6 a = random_twist(s, joint->a.body);
    return (crm_joint_twists){a, random_twist(s, joint->b.body)};
}

void pair_at(const crm_joint *joint, const crm_motion from[2], const crm_joint_twists *twists, double time,
             crm_motion to[2]) {
    const crm_vec6 *t[2] = {&twists->a, &twists->b};
    const int body[2] = {joint->a.body, joint->b.body};
    to[0] = from[0];
    to[1] = from[1];
    for (int k = 0; k < 2; k++) {
        if (body[k] < 0) continue;
        to[body[k]].x = crm_madd(from[body[k]].x, time, t[k]->linear);
        to[body[k]].q = crm_quat_step(from[body[k]].q, t[k]->angular, time);
    }
}

crm_joint_config pair_config(sampler *s, const crm_joint *joint) {
    crm_joint_config config = {.rotation = crm_quat_identity()};
    for (int k = 0; k < joint->linear->free; k++) config.slide[k] = sample_between(s, -1.0, 1.0);
    if (joint->angular->free == 3) config.rotation = crm_so3_exp(sample_vec3(s, 1.2));
    for (int k = 0; k < joint->angular->free && joint->angular->free < 3; k++)
        config.angle[k] = sample_between(s, -2.5, 2.5);
    return config;
}
