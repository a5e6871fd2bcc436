// SPDX-License-Identifier: MIT
#include "scene/check/lint.h"
#include "scene/read/fields.h"

static bool is_outside(double value, const carom_coordinate_def *c) {
    return value < c->lower || value > c->upper;
}

static const char *unit_of(const carom_joint_def *def, int coordinate) {
    return coordinate < def->linear_free ? "m" : "rad";
}

// ---- what a coordinate says

static void lint_motor(const crm_json_node *coordinate, const carom_joint_def *def, int k) {
    crm_json_node node = crm_scene_member(coordinate, "motor"), target = crm_scene_member(&node, "target");
    const carom_coordinate_def *c = &def->coordinate[k];
    const carom_motor_def *motor = &c->motor;
    if (motor->kind == CAROM_MOTOR_NONE) return;
    bool position = motor->kind == CAROM_MOTOR_POSITION;
    if (motor->max_force == 0.0 || (motor->kind != CAROM_MOTOR_VELOCITY && motor->force == 0.0 &&
                                    (!position || (motor->stiffness == 0.0 && motor->damping == 0.0))))
        crm_scene_warn(&node, "can exert no force; give it %s",
                       motor->max_force == 0.0 ? "a larger \"max_force\""
                       : position              ? "\"stiffness\" or \"damping\""
                                               : "a \"force\"");
    if (position && motor->stiffness > 0.0 && is_outside(motor->target, c))
        crm_scene_warn(target.value != NULL ? &target : &node, "its target of %g %s is outside the limits %g and %g",
                       motor->target, unit_of(def, k), c->lower, c->upper);
}

static void lint_coordinates(const crm_json_node *joint, const carom_joint_def *def) {
    crm_json_node array = crm_scene_member(joint, "coordinates");
    int count = json_is_array(array.value) ? (int)json_array_size(array.value) : 0;
    for (int k = 0; k < count && k < def->linear_free + def->angular_free; k++) {
        crm_json_node node = crm_scene_item(&array, k), rest = crm_scene_member(&node, "rest");
        if (rest.value != NULL && def->coordinate[k].stiffness == 0.0)
            crm_scene_warn(&rest, "has no effect without \"stiffness\"");
        lint_motor(&node, def, k);
    }
}

// ---- where they start

// Velocities are left to the assembly on purpose as often as not: a spin of one body, say, that all shall share.
void crm_scene_lint_assembly(const crm_json_node *joints, const carom_state *state) {
    const carom_assembly *assembly = carom_state_assembly(state);
    if (assembly->text[0] != '\0' && (assembly->moved > 0.0 || assembly->rotated > 0.0))
        crm_scene_warn(joints, "%s", assembly->text);
}

static bool meets(const carom_joint_def *def, const carom_joint_state *at) {
    bool near = at->linear_drift <= def->latch.distance && at->angular_drift <= def->latch.angle;
    return def->latch.on && !def->latch.sticky && near;
}

void crm_scene_lint_latches(const crm_json_node *joints, const crm_scene_data *data, const carom_state *state) {
    const carom_model *model = carom_state_model(state);
    for (int i = 0, joint = 0; i < data->joint_count; i++) {
        crm_json_node node = crm_scene_item(joints, i);
        for (int n = 0; n < data->joint[i].count; n++, joint++) {
            carom_joint_def def;
            carom_joint_state at;
            if (carom_model_get_joint(model, (carom_joint){joint}, &def, NULL) != CAROM_OK ||
                carom_state_get_joint(state, (carom_joint){joint}, &at, NULL) != CAROM_OK || !meets(&def, &at))
                continue;
            crm_scene_warn(&node,
                           "the frames of joint '%s' meet at the start (%.3g m and %.3g rad apart): its latch closes "
                           "it in the first step",
                           def.name, at.linear_drift, at.angular_drift);
        }
    }
}

void crm_scene_lint_joints(const crm_json_node *root, const crm_scene_data *data) {
    crm_json_node joints = crm_scene_member(root, "joints");
    for (int i = 0; i < data->joint_count; i++) {
        crm_json_node node = crm_scene_item(&joints, i);
        if (data->joint[i].good) lint_coordinates(&node, &data->joint[i].def);
    }
}
