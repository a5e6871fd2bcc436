// SPDX-License-Identifier: MIT
// What joints a model takes, what it refuses in which words, and what it says of them.
#include <math.h>

#include "carom/carom.h"
#include "model/joint/joint.h"
#include "support/harness/check.h"

// Bodies: 0 "cart", 1 "arm", 2 "bead" (a point), 3 "wall" (fixed).
static carom_model *workshop(void) {
    static const char *const names[] = {"cart", "arm", "bead", "wall"};
    static const carom_body_kind kinds[] = {CAROM_BODY_FREE, CAROM_BODY_FREE, CAROM_BODY_POINT, CAROM_BODY_FIXED};
    carom_model *model = NULL;
    carom_model_def def = carom_model_def_default();
    assert_int_equal(carom_model_create(&def, &model, NULL), CAROM_OK);
    for (int i = 0; i < 4; i++) {
        carom_body_def body = carom_body_def_default();
        body.name = names[i];
        body.kind = kinds[i];
        body.position = (carom_vec3){1.0 * i, 0.5, 0.0};
        if (i < 2) body.attitude = (carom_quat){1.0, 0.3 * i, 0.2, 0.0};
        assert_int_equal(carom_model_add_body(model, &body, NULL, NULL), CAROM_OK);
    }
    return model;
}

static carom_joint_def joint_between(int a, int b) {
    carom_joint_def def = carom_joint_def_default();
    def.name = "pin";
    def.kind = CAROM_JOINT_HINGE;
    def.a = (carom_body){a};
    def.b = (carom_body){b};
    return def;
}

static void check_refused(const carom_joint_def *def, const char *sentence) {
    carom_model *model = workshop();
    carom_error error = {.text = ""};
    CHECK_INT(carom_model_add_joint(model, def, NULL, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, sentence);
    CHECK_INT(carom_model_joint_count(model), 0);
    CHECK_INT(carom_model_find_joint(model, "pin").index, -1);
    carom_model_destroy(model);
}

TEST(joints_of_no_two_bodies_are_refused) {
    carom_joint_def def = joint_between(1, 1);
    check_refused(&def, "joint 'pin': both sides are body 'arm'; join two different bodies");
    def = joint_between(-1, -1);
    check_refused(&def, "joint 'pin': both sides are the world; join two different bodies");
    def = joint_between(-1, 3);
    check_refused(&def, "joint 'pin': neither the world nor body 'wall' can move; join one that can");
    def = joint_between(0, 9);
    check_refused(&def, "joint 'pin': there is no body 9; the model has 4 bodies");
    def = joint_between(-2, 0);
    check_refused(&def, "joint 'pin': there is no body -2; the model has 4 bodies");
}

TEST(joints_with_wrong_numbers_are_refused) {
    carom_joint_def def = joint_between(0, 1);
    def.name = "";
    check_refused(&def, "joint 0: its name is empty; leave it out or give one");
    def = joint_between(0, 1);
    def.name = NULL;
    def.kind = (carom_joint_kind)77;
    check_refused(&def, "joint 0: 77 is no kind of joint");
    def = joint_between(0, 1);
    def.kind = CAROM_JOINT_MIX;
    def.linear_free = 4;
    check_refused(&def, "joint 'pin': linear_free is 4 and angular_free 0, both must be 0, 1, 2 or 3");
    def = joint_between(0, 1);
    def.point_b.y = NAN;
    check_refused(&def, "joint 'pin': point_b is (0, nan, 0) m, must be finite");
    def = joint_between(0, 1);
    def.attitude_a = (carom_quat){0.0, 0.0, 0.0, 0.0};
    check_refused(&def, "joint 'pin': attitude_a is (0, 0, 0, 0), must be finite and not zero");
    def = joint_between(0, 1);
    def.kind = CAROM_JOINT_DISTANCE;
    def.length = -2.0;
    check_refused(&def, "joint 'pin': length is -2 m, must be positive and finite (for none at all use a ball joint)");
    def = joint_between(0, 1);
    def.length = 1.0;
    check_refused(&def, "joint 'pin': length is 1 m, but only a distance joint has one");
}

TEST(coordinates_with_wrong_numbers_are_refused) {
    carom_joint_def def = joint_between(0, 1);
    def.coordinate[0].lower = 1.0;
    def.coordinate[0].upper = -1.0;
    check_refused(&def, "joint 'pin': coordinate 0: its limits are 1 and -1, the lower must be the smaller");
    def.coordinate[0].upper = NAN;
    check_refused(&def, "joint 'pin': coordinate 0: its limits are 1 and nan, the lower must be the smaller");
    def = joint_between(0, 1);
    def.coordinate[0].damping = -1.0;
    check_refused(&def, "joint 'pin': coordinate 0: stiffness is 0 and damping -1, must be finite and not negative");
    def = joint_between(0, 1);
    def.coordinate[0].rest = INFINITY;
    check_refused(&def, "joint 'pin': coordinate 0: rest is inf, must be finite");
    def = joint_between(0, 1);
    def.coordinate[1].stiffness = 1.0;
    check_refused(&def,
                  "joint 'pin': coordinate 1 has a limit, spring, damper or motor, but the joint has 1 coordinates");
    def = joint_between(0, 1);
    def.coordinate[0].motor.kind = (carom_motor_kind)9;
    check_refused(&def, "joint 'pin': coordinate 0: 9 is no kind of motor");
    def = joint_between(0, 1);
    def.coordinate[0].motor.target = NAN;
    check_refused(&def,
                  "joint 'pin': coordinate 0: the motor has target nan, target_rate 0, force 0, all must be finite");
    def = joint_between(0, 1);
    def.coordinate[0].motor.stiffness = -3.0;
    check_refused(
        &def, "joint 'pin': coordinate 0: the motor has stiffness -3 and damping 0, must be finite and not negative");
    def = joint_between(0, 1);
    def.coordinate[0].motor.max_force = -1.0;
    check_refused(&def, "joint 'pin': coordinate 0: max_force is -1, must not be negative");
}

TEST(mass_points_are_joined_at_their_origin_and_without_attitude) {
    carom_joint_def def = joint_between(0, 2);
    check_refused(&def, "joint 'pin': a mass point has no attitude to hold; use angular_free 3, such as a ball joint");
    def.kind = CAROM_JOINT_BALL;
    def.point_b.x = 0.1;
    check_refused(&def,
                  "joint 'pin': point_b is (0.1, 0, 0) m, but its body is a mass point: it is joined at its origin");
    def = joint_between(2, 0);
    def.kind = CAROM_JOINT_POINT_ON_LINE;
    check_refused(&def, "joint 'pin': body a is a mass point, which carries no line or plane; exchange a and b");
    def = joint_between(0, 2);
    def.kind = CAROM_JOINT_POINT_ON_PLANE;
    def.coordinate[2].damping = 1.0;
    check_refused(&def,
                  "joint 'pin': coordinate 2 has a limit, spring, damper or motor, but the joint has 2 coordinates");
    def.coordinate[2].damping = 0.0;
    carom_model *model = workshop();
    carom_joint joint;
    CHECK_INT(carom_model_add_joint(model, &def, &joint, NULL), CAROM_OK);
    CHECK_INT(carom_model_joint_coordinate_count(model, joint), 2);
    carom_model_destroy(model);
}

TEST(joints_are_found_by_name_and_given_back) {
    carom_model *model = workshop();
    carom_joint_def def = joint_between(0, 1), got;
    carom_joint joint;
    carom_error error = {.text = ""};
    def.kind = CAROM_JOINT_CYLINDRICAL;
    def.attitude_b = (carom_quat){0.0, 3.0, 0.0, 4.0};
    def.coordinate[1].upper = 2.0;
    CHECK_INT(carom_model_add_joint(model, &def, &joint, NULL), CAROM_OK);
    CHECK_INT(carom_model_find_joint(model, "pin").index, joint.index);
    CHECK_TEXT(carom_model_joint_name(model, joint), "pin");
    CHECK_INT(carom_model_joint_coordinate_count(model, joint), 2);
    CHECK_INT(carom_model_get_joint(model, joint, &got, NULL), CAROM_OK);
    CHECK_INT(got.linear_free, 1);
    CHECK_INT(got.angular_free, 1);
    CHECK_NEAR(got.attitude_b.z, 0.8, 1e-15);
    CHECK_NEAR(got.coordinate[1].upper, 2.0, 0.0);
    CHECK_INT(carom_model_add_joint(model, &def, NULL, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "joint 'pin': there is a joint of that name already");
    CHECK_INT(carom_model_get_joint(model, (carom_joint){4}, &got, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "get joint: there is no joint 4; the model has 1 joints");
    CHECK(carom_model_joint_name(model, (carom_joint){-1}) == NULL);
    CHECK_INT(carom_model_joint_coordinate_count(model, (carom_joint){4}), 0);
    CHECK_INT(carom_model_freeze(model, NULL), CAROM_OK);
    def.name = NULL;
    CHECK_INT(carom_model_add_joint(model, &def, NULL, &error), CAROM_ERR_FROZEN);
    carom_model_destroy(model);
}

TEST(kinds_leave_free_what_their_names_say) {
    static const struct {
        carom_joint_kind kind;
        const char *name;
        int rows, free;
    } wanted[] = {{CAROM_JOINT_FIXED, "fixed", 6, 0},
                  {CAROM_JOINT_HINGE, "hinge", 5, 1},
                  {CAROM_JOINT_UNIVERSAL, "universal", 4, 2},
                  {CAROM_JOINT_BALL, "ball", 3, 3},
                  {CAROM_JOINT_SLIDER, "slider", 5, 1},
                  {CAROM_JOINT_CYLINDRICAL, "cylindrical", 4, 2},
                  {CAROM_JOINT_POINT_ON_LINE, "point_on_line", 2, 4},
                  {CAROM_JOINT_PLANAR, "planar", 3, 3},
                  {CAROM_JOINT_POINT_ON_PLANE, "point_on_plane", 1, 5},
                  {CAROM_JOINT_DISTANCE, "distance", 1, 0}};
    carom_model *model = workshop();
    for (int i = 0; i < 10; i++) {
        carom_joint_def def = joint_between(0, 1);
        def.name = NULL;
        def.kind = wanted[i].kind;
        def.length = def.kind == CAROM_JOINT_DISTANCE ? 1.0 : 0.0;
        CHECK_INT(carom_model_add_joint(model, &def, NULL, NULL), CAROM_OK);
        CHECK_TEXT(carom_joint_kind_name(def.kind), wanted[i].name);
        CHECK_INT(model->joints.items[i].rows, wanted[i].rows);
        CHECK_INT(model->joints.items[i].free, wanted[i].free);
    }
    CHECK_TEXT(carom_joint_kind_name((carom_joint_kind)-1), "?");
    carom_model_destroy(model);
}

// Placed at a world point, all coordinates are zero there and the z axis is the one asked for.
TEST(placed_joints_are_closed_at_zero) {
    carom_model *model = workshop();
    carom_joint_placing placing = carom_joint_placing_default();
    placing.point = (carom_vec3){0.4, -0.3, 2.0};
    placing.axis = (carom_vec3){1.0, -2.0, 0.5};
    placing.x = (carom_vec3){0.0, 0.0, 3.0};
    for (int a = -1; a < 2; a++) {
        carom_joint_def def = joint_between(a, a == 1 ? -1 : 1);
        def.name = NULL;
        def.kind = CAROM_JOINT_PLANAR;
        CHECK_INT(carom_model_place_joint(model, &placing, &def, NULL), CAROM_OK);
        CHECK_INT(carom_model_add_joint(model, &def, NULL, NULL), CAROM_OK);
        crm_motion motions[4];
        for (int b = 0; b < 4; b++) motions[b] = crm_motion_initial(&model->bodies.items[b]);
        const crm_joint *joint = &model->joints.items[a + 1];
        crm_joint_pose pose = crm_joint_evaluate(joint, motions);
        crm_joint_config config = crm_joint_config_of(joint, &pose, NULL);
        double linear, angular, value[6];
        crm_joint_drift(joint, &pose, &linear, &angular);
        crm_joint_values(joint, &config, value);
        CHECK_NEAR(linear, 0.0, 1e-15);
        CHECK_NEAR(angular, 0.0, 1e-15);
        for (int k = 0; k < 3; k++) CHECK_NEAR(value[k], 0.0, 2e-15);
        carom_vec3 z;
        crm_normalise(placing.axis, &z);
        CHECK_NEAR(crm_distance(pose.axes.z, z), 0.0, 1e-15);
        CHECK(pose.axes.x.z > 0.5);
    }
    carom_error error = {.text = ""};
    carom_joint_def def = joint_between(0, 1);
    placing.axis = (carom_vec3){0.0, 0.0, 0.0};
    CHECK_INT(carom_model_place_joint(model, &placing, &def, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "place joint: axis is (0, 0, 0), must be finite and not zero");
    placing.axis = placing.x;
    CHECK_INT(carom_model_place_joint(model, &placing, &def, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "place joint: x is along the axis; give one across it");
    carom_model_destroy(model);
}

// Until a method has them, scenes with joints are refused by what is missing.
TEST(methods_without_joints_say_what_they_lack) {
    carom_model *model = workshop();
    carom_joint_def def = joint_between(0, 1);
    def.coordinate[0].lower = -1.0;
    def.coordinate[0].stiffness = 1.0;
    def.coordinate[0].motor.kind = CAROM_MOTOR_VELOCITY;
    CHECK_INT(carom_model_add_joint(model, &def, NULL, NULL), CAROM_OK);
    CHECK_INT(carom_model_freeze(model, NULL), CAROM_OK);
    carom_method_def method = carom_method_def_default();
    method.method = CAROM_METHOD_EULER;
    carom_error error = {.text = ""};
    CHECK_INT(carom_method_supports(model, &method, &error), CAROM_ERR_UNSUPPORTED);
    CHECK_CONTAINS(error.text, "the method euler has no joints; methods that have all this model needs: ");
    carom_model_destroy(model);
}

TEST_MAIN(CASE(joints_of_no_two_bodies_are_refused), CASE(joints_with_wrong_numbers_are_refused),
          CASE(coordinates_with_wrong_numbers_are_refused),
          CASE(mass_points_are_joined_at_their_origin_and_without_attitude),
          CASE(joints_are_found_by_name_and_given_back), CASE(kinds_leave_free_what_their_names_say),
          CASE(placed_joints_are_closed_at_zero), CASE(methods_without_joints_say_what_they_lack))
