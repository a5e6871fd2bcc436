// SPDX-License-Identifier: MIT
// The section `plan` of scenes: what each key becomes, its defaults, and the numbers that bodies and joints get.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/carom.h"
#include "support/harness/check.h"

static carom_scene *read_source(const carom_scene_source *source) {
    carom_scene *scene = NULL;
    carom_error error = {.text = ""};
    carom_scene_read(source, NULL, &scene, NULL, &error);
    if (!CHECK(scene != NULL)) fprintf(stderr, "%s\n", error.text);
    return scene;
}

static carom_scene *read_file(void) {
    carom_scene_source source = carom_scene_source_default();
    source.file = CAROM_SOURCE_DIR "/tests/scene/good/plan.json";
    return read_source(&source);
}

static carom_scene *read_text(const char *text) {
    carom_scene_source source = carom_scene_source_default();
    source.text = text;
    return read_source(&source);
}

static void check_vec(carom_vec3 v, double x, double y, double z) {
    CHECK_NEAR(v.x, x, 0.0);
    CHECK_NEAR(v.y, y, 0.0);
    CHECK_NEAR(v.z, z, 0.0);
}

static int body_named(const carom_scene *scene, const char *name) {
    return carom_model_find_body(carom_scene_model(scene), name).index;
}

TEST(a_scene_without_a_plan_has_none) {
    carom_scene *scene = read_text("{\"carom\": 1}");
    CHECK(carom_scene_plan(scene) == NULL);
    CHECK_TEXT(carom_scene_plan_recording(scene), "");
    carom_scene_destroy(scene);
}

TEST(what_is_left_out_is_the_default) {
    carom_scene *scene =
        read_text("{\"carom\": 1, \"bodies\": [{\"name\": \"b\"}], \"plan\": {\"intervals\": 4, \"time\": "
                  "2.5, \"controls\": [{\"kind\": \"wrench\", \"body\": \"b\"}]}}");
    const carom_plan_def *plan = carom_scene_plan(scene);
    carom_plan_def fallback = carom_plan_def_default();
    if (!CHECK(plan != NULL)) return;
    CHECK_INT(plan->struct_size, sizeof *plan);
    CHECK_INT(plan->intervals, 4);
    CHECK_NEAR(plan->time, 2.5, 0.0);
    CHECK(!plan->time_free && !plan->avoid.on && !plan->discover.on && !plan->penalty.on);
    CHECK_INT(plan->condition_count + plan->contact_count + plan->way_point_count, 0);
    CHECK_INT(plan->guess, CAROM_GUESS_STRAIGHT);
    CHECK_INT(plan->levels, fallback.levels);
    CHECK_INT(plan->starts, fallback.starts);
    CHECK_NEAR(plan->tolerance, fallback.tolerance, 0.0);
    carom_control_def control = carom_control_def_default();
    CHECK_INT(plan->control_count, 1);
    CHECK(plan->control[0].force && plan->control[0].torque && !plan->control[0].in_body_axes);
    CHECK(plan->control[0].force_limit == control.force_limit && isinf(control.force_limit));
    CHECK_NEAR(plan->control[0].torque_weight, 1.0, 0.0);
    carom_scene_destroy(scene);
}

TEST(every_key_has_its_effect) {
    carom_scene *scene = read_file();
    const carom_plan_def *plan = carom_scene_plan(scene);
    if (!CHECK(plan != NULL)) return;
    CHECK_INT(plan->intervals, 12);
    CHECK(plan->time_free);
    CHECK_NEAR(plan->time, 2.0, 0.0);
    CHECK_NEAR(plan->time_least, 1.5, 0.0);
    CHECK_NEAR(plan->time_most, 4.0, 0.0);
    CHECK_NEAR(plan->time_weight, 0.01, 0.0);
    CHECK_INT(plan->levels, 3);
    CHECK_INT(plan->starts, 4);
    CHECK_INT(plan->seed, 17);
    CHECK_NEAR(plan->tolerance, 1e-7, 0.0);
    CHECK(plan->avoid.on && !plan->avoid.between_nodes);
    CHECK_NEAR(plan->avoid.margin, 0.002, 0.0);
    CHECK_INT(plan->avoid.pair_count, 2);
    CHECK_INT(plan->avoid.pair[1].a.index, body_named(scene, "ground"));
    CHECK_INT(plan->avoid.pair[1].b.index, body_named(scene, "arm"));
    CHECK_INT(plan->contact_count, 2);
    CHECK_INT(plan->contact[0].node, 4);
    CHECK_NEAR(plan->contact[0].restitution, 0.5, 0.0);
    CHECK_NEAR(plan->contact[0].friction, 0.2, 0.0);
    CHECK_NEAR(plan->contact[0].least_impulse, 0.001, 0.0);
    CHECK(!plan->contact[0].sticky && plan->contact[1].sticky);
    carom_scene_destroy(scene);
}

TEST(controls_know_their_bodies_and_joints) {
    carom_scene *scene = read_file();
    const carom_plan_def *plan = carom_scene_plan(scene);
    if (!CHECK(plan != NULL) || !CHECK_INT(plan->control_count, 7)) return;
    const carom_control_def *c = plan->control;
    CHECK(c[0].kind == CAROM_CONTROL_WRENCH && c[0].in_body_axes && !c[0].force && c[0].torque);
    CHECK_INT(c[0].body.index, body_named(scene, "brick"));
    CHECK_NEAR(c[0].torque_limit, 0.3, 0.0);
    CHECK_NEAR(c[0].torque_weight, 2.0, 0.0);
    CHECK_INT(c[2].kind, CAROM_CONTROL_FORCE);
    CHECK_INT(c[2].body.index, body_named(scene, "ball-1"));
    check_vec(c[2].point, 0.0, 0.0, 0.05);
    CHECK_NEAR(c[2].force_weight, 0.5, 0.0);
    CHECK_INT(c[3].kind, CAROM_CONTROL_THRUSTER);
    check_vec(c[3].direction, 1.0, 0.0, 0.0);
    CHECK_NEAR(c[3].force_limit, 0.25, 0.0);
    const carom_model *model = carom_scene_model(scene);
    CHECK_INT(c[4].joint, carom_model_find_joint(model, "rail").index);
    CHECK_INT(c[5].joint, carom_model_find_joint(model, "pin-1").index);
    CHECK_INT(c[6].joint, carom_model_find_joint(model, "bolt").index);
    CHECK_INT(c[6].kind, CAROM_CONTROL_MOTOR);
    carom_scene_destroy(scene);
}

TEST(conditions_stand_in_the_order_of_time) {
    carom_scene *scene = read_file();
    const carom_plan_def *plan = carom_scene_plan(scene);
    if (!CHECK(plan != NULL) || !CHECK_INT(plan->condition_count, 5)) return;
    const carom_plan_condition *c = plan->condition;
    const int node[] = {0, 4, 8, -1, -1};
    for (int i = 0; i < 5; i++) CHECK_INT(c[i].node, node[i]);
    CHECK(c[0].has_position && !c[0].has_attitude && !c[0].has_velocity && !c[0].has_spin && !c[0].has_box);
    CHECK(c[1].has_box && isinf(c[1].box_low.y) && c[1].box_low.y < 0.0 && isinf(c[1].box_high.z));
    CHECK_NEAR(c[1].box_low.z, -0.5, 0.0);
    CHECK_INT(c[1].direction_count, 1);
    check_vec(c[1].direction[0].toward, 0.0, 0.0, 1.0);
    CHECK_NEAR(c[1].direction[0].least, 0.9, 0.0);
    CHECK_INT(c[2].relative_to.index, body_named(scene, "brick"));
    CHECK(c[3].has_position && c[3].has_attitude && c[3].has_velocity && c[3].has_spin);
    CHECK_INT(c[3].relative_to.index, CAROM_WORLD.index);
    CHECK_NEAR(c[3].spin.z, 0.125, 0.0);
    CHECK(c[4].together && c[4].body.index == body_named(scene, "ball-2"));
    carom_scene_destroy(scene);
}

TEST(way_points_have_the_pose_of_the_start_where_they_give_none) {
    carom_scene *scene = read_file();
    const carom_plan_def *plan = carom_scene_plan(scene);
    if (!CHECK(plan != NULL) || !CHECK_INT(plan->way_point_count, 3)) return;
    CHECK_INT(plan->guess, CAROM_GUESS_WAY_POINTS);
    const carom_way_point *w = plan->way_point;
    CHECK_NEAR(w[0].share, 0.25, 0.0);
    check_vec(w[0].pose.position, 0.2, 0.0, 0.5);
    CHECK_NEAR(w[0].pose.attitude.w, 1.0, 0.0);
    CHECK_NEAR(w[1].pose.attitude.x, sqrt(0.5), 1e-15);
    CHECK_INT(w[2].body.index, body_named(scene, "arm"));
    check_vec(w[2].pose.position, 0.0, 2.0, 0.0);
    CHECK_NEAR(w[2].pose.attitude.w, cos(15.0 / 180.0 * 3.14159265358979323846), 1e-15);
    carom_scene_destroy(scene);
}

TEST(a_recording_is_named_and_left_to_others) {
    carom_scene *scene =
        read_text("{\"carom\": 1, \"plan\": {\"intervals\": 4, \"time\": 1, \"guess\": {\"recording\": "
                  "\"first.carom\"}, \"discover\": {\"friction\": 0.5}, \"avoid\": {}}}");
    const carom_plan_def *plan = carom_scene_plan(scene);
    if (!CHECK(plan != NULL)) return;
    CHECK_INT(plan->guess, CAROM_GUESS_MOTION);
    CHECK(plan->motion == NULL && plan->motion_count == 0);
    CHECK_TEXT(carom_scene_plan_recording(scene), "first.carom");
    CHECK(plan->discover.on && plan->discover.hand_over && plan->discover.pair_count == 0);
    CHECK_NEAR(plan->discover.friction, 0.5, 0.0);
    CHECK(plan->avoid.on && plan->avoid.between_nodes && plan->avoid.margin == 0.0);
    carom_scene_destroy(scene);
}

TEST_MAIN(CASE(a_scene_without_a_plan_has_none), CASE(what_is_left_out_is_the_default), CASE(every_key_has_its_effect),
          CASE(controls_know_their_bodies_and_joints), CASE(conditions_stand_in_the_order_of_time),
          CASE(way_points_have_the_pose_of_the_start_where_they_give_none),
          CASE(a_recording_is_named_and_left_to_others))
