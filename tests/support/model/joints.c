// SPDX-License-Identifier: MIT
#include "support/model/joints.h"

#include "math/vec3.h"
#include "support/harness/check.h"

carom_body_def joints_bar(carom_vec3 middle) {
    const double mass = 2.0, thick = 0.1;
    double across = mass * (1.0 + thick * thick) / 12.0, along = mass * thick * thick / 6.0;
    carom_body_def def = world_body_def(mass, crm_vec3(along, across, across));
    def.position = middle;
    return def;
}

carom_joint_def joints_def(const carom_model *model, carom_joint_kind kind, carom_body a, carom_body b,
                           carom_vec3 point, carom_vec3 axis) {
    carom_joint_def def = carom_joint_def_default();
    def.kind = kind;
    def.a = a;
    def.b = b;
    carom_joint_placing placing = carom_joint_placing_default();
    placing.point = point;
    placing.axis = axis;
    carom_error error = {.text = ""};
    if (!CHECK_INT(carom_model_place_joint(model, &placing, &def, &error), CAROM_OK)) CHECK_TEXT(error.text, "");
    return def;
}

carom_joint joints_add(carom_model *model, const carom_joint_def *def) {
    carom_joint joint = {-1};
    carom_error error = {.text = ""};
    if (!CHECK_INT(carom_model_add_joint(model, def, &joint, &error), CAROM_OK)) CHECK_TEXT(error.text, "");
    return joint;
}

carom_model *joints_chain(int links, carom_joint_kind kind, carom_vec3 gravity) {
    carom_model *model = world_model(gravity, 0.0);
    carom_body last = CAROM_WORLD;
    for (int i = 0; i < links; i++) {
        carom_body_def bar = joints_bar(crm_vec3(i + 0.5, 0.0, 0.0));
        carom_body body = world_add(model, &bar);
        carom_joint_def def = joints_def(model, kind, last, body, crm_vec3(i, 0.0, 0.0), crm_vec3(0.0, 1.0, 0.0));
        joints_add(model, &def);
        last = body;
    }
    return model;
}

carom_method_def joints_method(carom_integrator integrator, double step, double tolerance) {
    carom_method_def def = carom_method_def_default();
    def.method = CAROM_METHOD_MULTIPLIER;
    def.integrator = integrator;
    def.step = step;
    def.relative_tolerance = def.absolute_tolerance = tolerance;
    return def;
}

carom_method_def joints_method_by(carom_method by, carom_integrator integrator, double step, double tolerance) {
    carom_method_def def = joints_method(integrator, step, tolerance);
    def.method = by;
    return def;
}

carom_state *joints_state(carom_model *model, const carom_method_def *def) {
    carom_state *state = NULL;
    carom_error error = {.text = ""};
    CHECK_INT(carom_model_freeze(model, &error), CAROM_OK);
    if (!CHECK_INT(carom_state_create(model, def, &state, &error), CAROM_OK)) CHECK_TEXT(error.text, "");
    return state;
}

carom_joint_state joints_get(const carom_state *state, int joint) {
    carom_joint_state out = {0};
    CHECK_INT(carom_state_get_joint(state, (carom_joint){joint}, &out, NULL), CAROM_OK);
    return out;
}
