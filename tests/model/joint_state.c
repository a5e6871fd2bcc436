// SPDX-License-Identifier: MIT
// What a state says of its joints, and that it keeps their full rotations. The states are put together by hand, so that
// no method is needed.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"
#include "model/model_state.h"
#include "support/harness/check.h"

static const double pi = 3.14159265358979323846;

// A wheel on a fixed axle along y at (0, 0, 1), its centre of mass 0.2 m beside the axle.
typedef struct wheel_state {
    carom_model *model;
    carom_state state;
    crm_motion motion[1];
    crm_joint_config config[1];
    carom_vec3 start_centre[1];
    crm_vec6 reaction[2]; // mean, and at the end of the step
} wheel_state;

static void start(wheel_state *w) {
    carom_model_def model_def = carom_model_def_default();
    *w = (wheel_state){.model = NULL};
    assert_int_equal(carom_model_create(&model_def, &w->model, NULL), CAROM_OK);
    carom_body_def body = carom_body_def_default();
    body.position = (carom_vec3){0.0, 0.0, 1.0};
    body.centre = (carom_vec3){0.2, 0.0, 0.0};
    body.spin = (carom_vec3){0.0, 3.0, 0.0};
    assert_int_equal(carom_model_add_body(w->model, &body, NULL, NULL), CAROM_OK);
    carom_joint_def def = carom_joint_def_default();
    def.kind = CAROM_JOINT_HINGE;
    def.b = (carom_body){0};
    carom_joint_placing placing = {
        .struct_size = sizeof(carom_joint_placing), .point = {0.0, 0.0, 1.0}, .axis = {0.0, 1.0, 0.0}};
    assert_int_equal(carom_model_place_joint(w->model, &placing, &def, NULL), CAROM_OK);
    assert_int_equal(carom_model_add_joint(w->model, &def, NULL, NULL), CAROM_OK);
    assert_int_equal(carom_model_freeze(w->model, NULL), CAROM_OK);
    w->state = (carom_state){.model = w->model, .whole = w->model, .method = carom_method_def_default()};
    w->state.plan.step = w->state.plan.longest = w->state.clock.step = w->state.method.step;
    w->state.method.method = CAROM_METHOD_VARIATIONAL;
    w->state.motions = w->motion;
    w->state.configs = w->config;
    w->state.start_centre = w->start_centre;
    w->state.reaction = w->reaction;
    w->state.end_reaction = w->reaction + 1;
    w->motion[0] = crm_motion_initial(&w->model->bodies.items[0]);
    assert_int_equal(carom_state_assemble(&w->state, NULL), CAROM_OK);
}

static void rotate_by(wheel_state *w, double angle) {
    carom_body_state body;
    CHECK_INT(carom_state_get_body(&w->state, (carom_body){0}, &body, NULL), CAROM_OK);
    body.attitude = crm_quat_mul(crm_quat_from_axis_angle(crm_vec3(0.0, 1.0, 0.0), angle), body.attitude);
    CHECK_INT(carom_state_set_body(&w->state, (carom_body){0}, &body, NULL), CAROM_OK);
}

static carom_joint_state joint_of(const wheel_state *w) {
    carom_joint_state joint;
    CHECK_INT(carom_state_get_joint(&w->state, (carom_joint){0}, &joint, NULL), CAROM_OK);
    return joint;
}

TEST(joint_state_has_coordinates_rates_point_and_reaction) {
    wheel_state w;
    start(&w);
    w.reaction[0] = crm_vec6_of(crm_vec3(1.0, 2.0, 3.0), crm_vec3(4.0, 5.0, 6.0));
    w.reaction[1] = crm_vec6_of(crm_vec3(7.0, 8.0, 7.0), crm_vec3(7.0, 7.0, 9.0));
    rotate_by(&w, 0.4);
    carom_joint_state joint = joint_of(&w);
    CHECK_INT(joint.coordinate_count, 1);
    CHECK_NEAR(joint.coordinate[0], 0.4, 1e-14);
    CHECK_NEAR(joint.rate[0], 3.0, 1e-14);
    CHECK_NEAR(crm_distance(joint.point, crm_vec3(0.0, 0.0, 1.0)), 0.0, 1e-15);
    CHECK_NEAR(joint.force.z, 3.0, 0.0);
    CHECK_NEAR(joint.torque.x, 4.0, 0.0);
    CHECK_NEAR(joint.end_force.y, 8.0, 0.0);
    CHECK_NEAR(joint.end_torque.z, 9.0, 0.0);
    CHECK_NEAR(joint.linear_drift + joint.angular_drift, 0.0, 1e-15);
    carom_error error = {.text = ""};
    CHECK_INT(carom_state_get_joint(&w.state, (carom_joint){1}, &joint, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "get joint state: there is no joint 1; the model has 1 joints");
    carom_model_destroy(w.model);
}

TEST(drift_is_how_far_a_joint_is_open) {
    wheel_state w;
    start(&w);
    w.motion[0].x.x += 3e-3;
    w.motion[0].x.y -= 4e-3;
    w.motion[0].q = crm_quat_mul(crm_quat_from_axis_angle(crm_vec3(0.0, 0.0, 1.0), 1e-3), w.motion[0].q);
    carom_joint_state joint = joint_of(&w);
    // The centre of mass stayed, so that the axle moved by the rotation as well: 0.2 mm along -y.
    CHECK_NEAR(joint.linear_drift, sqrt(9e-6 + 4.2e-3 * 4.2e-3), 1e-6);
    CHECK_NEAR(joint.angular_drift, 1e-3, 1e-12);
    carom_model_destroy(w.model);
}

// Ten full rotations in steps of a third of one, then saved, loaded and copied.
TEST(full_rotations_are_counted_kept_and_hashed) {
    wheel_state w, other;
    start(&w);
    start(&other);
    uint64_t at_first = carom_state_hash(&w.state);
    CHECK(carom_state_hash(&other.state) == at_first);
    for (int i = 0; i < 30; i++) rotate_by(&w, 2.0 * pi / 3.0);
    CHECK_NEAR(joint_of(&w).coordinate[0], 20.0 * pi, 1e-12);
    // The same pose without the full rotations is another state.
    memcpy(other.motion, w.motion, sizeof w.motion);
    CHECK(carom_state_hash(&other.state) != carom_state_hash(&w.state));

    // Another state of the same model, far away in full rotations.
    crm_motion motion[1] = {w.motion[0]};
    crm_joint_config config[1] = {{.rotation = {1.0, 0.0, 0.0, 0.0}}};
    carom_vec3 centre[1];
    crm_vec6 reaction[2] = {{{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}};
    carom_state loaded = w.state;
    loaded.motions = motion;
    loaded.configs = config;
    loaded.start_centre = centre;
    loaded.reaction = reaction;
    loaded.end_reaction = reaction + 1;
    size_t size = carom_state_size(&w.state);
    unsigned char *bytes = malloc(size + 1);
    assert_non_null(bytes);
    carom_state_save(&w.state, bytes + 1); // at an odd address
    CHECK_INT(carom_state_load(&loaded, bytes + 1, size, NULL), CAROM_OK);
    CHECK(carom_state_hash(&loaded) == carom_state_hash(&w.state));
    CHECK_NEAR(config[0].angle[0], 20.0 * pi, 1e-12);
    // One wrong byte in the joints' part.
    config[0].angle[0] = 0.5;
    bytes[1 + size - 110] ^= 1;
    CHECK_INT(carom_state_load(&loaded, bytes + 1, size, NULL), CAROM_ERR_BAD_INPUT);
    CHECK_NEAR(config[0].angle[0], 0.5, 0.0);
    CHECK_INT(carom_state_copy(&w.state, &loaded, NULL), CAROM_OK);
    CHECK(carom_state_hash(&loaded) == carom_state_hash(&w.state));
    free(bytes);
    carom_model_destroy(w.model);
    carom_model_destroy(other.model);
}

// A joint's numbers are part of what a saved state must fit.
TEST(fingerprint_knows_joints) {
    wheel_state w;
    start(&w);
    uint64_t first = crm_model_fingerprint(w.model);
    w.model->joints.items[0].def.coordinate[0].upper = 1.0;
    uint64_t limited = crm_model_fingerprint(w.model);
    w.model->joints.items[0].b.at.x += 1e-9;
    CHECK(first != limited && limited != crm_model_fingerprint(w.model));
    carom_model_destroy(w.model);
}

TEST(assembly_of_a_state_closes_its_own_poses) {
    wheel_state w;
    start(&w);
    CHECK_TEXT(carom_state_assembly(&w.state)->text, "");
    w.motion[0].x.y += 1e-5;
    CHECK_INT(carom_state_assemble(&w.state, NULL), CAROM_OK);
    CHECK_NEAR(joint_of(&w).linear_drift, 0.0, 1e-14);
    CHECK_NEAR(carom_state_assembly(&w.state)->linear_gap, 1e-5, 1e-15);
    w.motion[0].x.y += 1.0;
    crm_motion before = w.motion[0];
    carom_error error = {.text = ""};
    CHECK_INT(carom_state_assemble(&w.state, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "joint 0 is 1 m apart, more than");
    CHECK(memcmp(&before, &w.motion[0], sizeof before) == 0);
    CHECK_NEAR(carom_state_assembly(&w.state)->linear_gap, 1e-5, 1e-15);
    carom_model_destroy(w.model);
}

TEST_MAIN(CASE(joint_state_has_coordinates_rates_point_and_reaction), CASE(drift_is_how_far_a_joint_is_open),
          CASE(full_rotations_are_counted_kept_and_hashed), CASE(fingerprint_knows_joints),
          CASE(assembly_of_a_state_closes_its_own_poses))
