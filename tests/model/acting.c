// SPDX-License-Identifier: MIT
// Which kinds of forces are known to act on which bodies: every kind of which a model can have any, on its bodies
// alone.
#include "model/force/acting.h"

#include "carom/mobility.h"
#include "support/harness/check.h"
#include "support/model/world.h"

static const carom_vec3 gravity = {0.0, 0.0, -9.81};

static unsigned acting_on(const carom_model *model, carom_body body) {
    return model->bodies.items[body.index].acting;
}

static int no_force(void *user, const carom_force_sample *sample, carom_force_value *value) {
    (void)user, (void)sample, (void)value;
    return 0;
}

static void add_bodies(carom_model *model, carom_body *body, int count) {
    carom_body_def def = world_body_def(1.0, (carom_vec3){1.0, 1.0, 1.0});
    for (int i = 0; i < count; i++) {
        def.position.x = 2.0 * i;
        body[i] = world_add(model, &def);
    }
}

TEST(forces_are_known_by_their_bodies) {
    carom_model *model = world_model(gravity, 1.0);
    carom_body b[8];
    add_bodies(model, b, 8);
    carom_drag_def drag = carom_drag_def_default();
    drag.body = b[0], drag.linear = 1.0;
    CHECK_INT(carom_model_add_drag(model, &drag, NULL), CAROM_OK);
    carom_spring_def spring = carom_spring_def_default();
    spring.a = b[1], spring.b = b[2], spring.stiffness = 1.0;
    CHECK_INT(carom_model_add_spring(model, &spring, NULL), CAROM_OK);
    spring.b = (carom_body){-1}, spring.a = b[2], spring.damping = 1.0;
    CHECK_INT(carom_model_add_spring(model, &spring, NULL), CAROM_OK);
    carom_charge_def charge = carom_charge_def_default();
    charge.charge = 1.0;
    for (int i = 3; i < 5; i++) {
        charge.body = b[i];
        CHECK_INT(carom_model_add_charge(model, &charge, NULL), CAROM_OK);
    }
    carom_wrench_def wrench = carom_wrench_def_default();
    wrench.body = b[5], wrench.force.x = 1.0;
    CHECK_INT(carom_model_add_wrench(model, &wrench, NULL), CAROM_OK);
    carom_callback_def callback = carom_callback_def_default();
    callback.body = b[6], callback.function = no_force;
    CHECK_INT(carom_model_add_callback(model, &callback, NULL), CAROM_OK);
    CHECK_INT(carom_model_freeze(model, NULL), CAROM_OK);
    static const unsigned expected[8] = {CRM_ACTS_DRAG,    CRM_ACTS_SPRING, CRM_ACTS_SPRING | CRM_ACTS_DAMPER,
                                         CRM_ACTS_CHARGE,  CRM_ACTS_CHARGE, CRM_ACTS_WRENCH,
                                         CRM_ACTS_CALLBACK};
    for (int i = 0; i < 8; i++) CHECK_INT(acting_on(model, b[i]), expected[i]);
    carom_model_destroy(model);
}

TEST(joints_and_their_drives_are_known) {
    carom_model *model = world_model(gravity, 0.0);
    carom_body b[4];
    add_bodies(model, b, 4);
    carom_joint_def joint = carom_joint_def_default();
    joint.kind = CAROM_JOINT_HINGE;
    joint.a = (carom_body){-1}, joint.b = b[0];
    CHECK_INT(carom_model_add_joint(model, &joint, NULL, NULL), CAROM_OK);
    joint.a = b[1], joint.b = b[2], joint.coordinate[0].damping = 1.0;
    CHECK_INT(carom_model_add_joint(model, &joint, NULL, NULL), CAROM_OK);
    CHECK_INT(carom_model_freeze(model, NULL), CAROM_OK);
    static const unsigned expected[4] = {CRM_ACTS_JOINT, CRM_ACTS_JOINT | CRM_ACTS_DRIVE,
                                         CRM_ACTS_JOINT | CRM_ACTS_DRIVE};
    for (int i = 0; i < 4; i++) CHECK_INT(acting_on(model, b[i]), expected[i]);
    carom_model_destroy(model);
}

TEST(a_fluid_acts_on_all) {
    carom_model *model = world_model(gravity, 0.0);
    carom_body b[2];
    add_bodies(model, b, 2);
    double unit[144] = {0.0};
    for (int i = 0; i < 12; i++) unit[13 * i] = 1.0;
    carom_mobility_def fluid = carom_mobility_def_default();
    fluid.kind = CAROM_MOBILITY_MATRIX, fluid.matrix = unit, fluid.size = 12;
    CHECK_INT(carom_model_set_mobility(model, &fluid, NULL), CAROM_OK);
    CHECK_INT(carom_model_freeze(model, NULL), CAROM_OK);
    for (int i = 0; i < 2; i++) CHECK_INT(acting_on(model, b[i]), CRM_ACTS_FLUID);
    carom_model_destroy(model);
}

TEST_MAIN(CASE(forces_are_known_by_their_bodies), CASE(joints_and_their_drives_are_known), CASE(a_fluid_acts_on_all))
