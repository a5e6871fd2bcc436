// SPDX-License-Identifier: MIT
// Controls: what can push and rotate bodies, how far, and what that costs.
#include "math/vec3.h"
#include "scene/plan/scene_plan.h"
#include "scene/read/fields.h"
#include "scene/read/read_scene.h"

const char *const crm_scene_control_words[CAROM_CONTROL_KIND_COUNT] = {[CAROM_CONTROL_WRENCH] = "wrench",
                                                                       [CAROM_CONTROL_FORCE] = "force",
                                                                       [CAROM_CONTROL_THRUSTER] = "thruster",
                                                                       [CAROM_CONTROL_MOTOR] = "motor"};

static const char *const axes_words[] = {"world", "body"};

#define FORCE_NUMBERS                                                    \
    CRM_NUMBER(carom_control_def, force_limit, CRM_SCENE_POSITIVE, "N"), \
        CRM_NUMBER(carom_control_def, force_weight, CRM_SCENE_NOT_NEGATIVE, "")
#define TORQUE_NUMBERS                                                      \
    CRM_NUMBER(carom_control_def, torque_limit, CRM_SCENE_POSITIVE, "N m"), \
        CRM_NUMBER(carom_control_def, torque_weight, CRM_SCENE_NOT_NEGATIVE, "1/m^2")

const crm_member *crm_scene_control_members(carom_control_kind kind, carom_joint_kind joint) {
    static const crm_member of_kind[CAROM_CONTROL_KIND_COUNT][CRM_MOST_MEMBERS] = {
        [CAROM_CONTROL_WRENCH] = {CRM_TRUTH(carom_control_def, force), CRM_TRUTH(carom_control_def, torque),
                                  FORCE_NUMBERS, TORQUE_NUMBERS},
        [CAROM_CONTROL_FORCE] = {CRM_VECTOR(carom_control_def, point, "m"), FORCE_NUMBERS},
        [CAROM_CONTROL_THRUSTER] = {CRM_VECTOR(carom_control_def, point, "m"),
                                    CRM_VECTOR(carom_control_def, direction, ""), FORCE_NUMBERS},
        [CAROM_CONTROL_MOTOR] = {TORQUE_NUMBERS},
    };
    static const crm_member of_slider[CRM_MOST_MEMBERS] = {FORCE_NUMBERS};
    return kind == CAROM_CONTROL_MOTOR && joint == CAROM_JOINT_SLIDER ? of_slider : of_kind[kind];
}

static bool has_axes(carom_control_kind kind) {
    return kind == CAROM_CONTROL_WRENCH || kind == CAROM_CONTROL_FORCE;
}

static bool check_keys(const crm_json_node *node, const carom_control_def *def, carom_joint_kind joint) {
    static const char *const names[CAROM_CONTROL_KIND_COUNT] = {"a wrench of a plan", "a force of a plan", "a thruster",
                                                                "a motor of a plan"};
    const char *keys[CRM_MOST_MEMBERS + 3] = {"kind", def->kind == CAROM_CONTROL_MOTOR ? "joint" : "body"};
    int count = 2;
    if (has_axes(def->kind)) keys[count++] = "axes";
    count = crm_scene_list_members(crm_scene_control_members(def->kind, joint), keys, count);
    return crm_scene_is_object(node, names[def->kind], keys, count);
}

static bool check_wrench(const crm_json_node *node, const carom_control_def *def) {
    if (def->kind != CAROM_CONTROL_WRENCH || def->force || def->torque) return true;
    return crm_scene_error(node, "has neither \"force\" nor \"torque\"; leave one of them out, or remove the control");
}

static bool check_thruster(const crm_json_node *node, const carom_control_def *def) {
    static const char limit[] = "the largest force of the thruster (N)", direction[] = "along which it pushes its body";
    if (def->kind != CAROM_CONTROL_THRUSTER) return true;
    if (!crm_scene_require(node, "direction", direction) || !crm_scene_require(node, "force_limit", limit))
        return false;
    carom_vec3 unit;
    crm_json_node at = crm_scene_member(node, "direction");
    if (crm_normalise(def->direction, &unit) > 0.0) return true;
    return crm_scene_error(&at, "the direction is zero; give one, such as [0, 0, 1]");
}

static bool read_control(const crm_plan_reading *r, const crm_json_node *node, carom_control_def *def) {
    int kind = -1, axes = 0;
    carom_joint_kind joint = CAROM_JOINT_HINGE;
    *def = carom_control_def_default();
    if (!json_is_object(node->value)) return crm_scene_needs(node, "an object for a control");
    if (!crm_scene_require(node, "kind", "one of wrench, force, thruster, motor") ||
        !crm_scene_read_choice(node, "kind", crm_scene_control_words, CAROM_CONTROL_KIND_COUNT, &kind))
        return false;
    def->kind = (carom_control_kind)kind;
    bool motor = def->kind == CAROM_CONTROL_MOTOR;
    bool good = motor ? crm_plan_read_joint(r, node, &def->joint, &joint)
                      : crm_plan_read_body(r, node, "body", CRM_PLAN_MOVES, &def->body);
    good &= check_keys(node, def, joint);
    if (has_axes(def->kind)) good &= crm_scene_read_choice(node, "axes", axes_words, 2, &axes);
    def->in_body_axes = axes == 1;
    good &= crm_scene_read_members(node, crm_scene_control_members(def->kind, joint), def);
    return good && check_wrench(node, def) && check_thruster(node, def);
}

bool crm_plan_read_controls(crm_plan_reading *r, const crm_json_node *plan) {
    crm_json_node list = crm_scene_member(plan, "controls");
    if (list.value == NULL) return true;
    if (!crm_scene_is_array(&list, "an array of controls")) return false;
    int count = (int)json_array_size(list.value);
    carom_control_def *control = crm_scene_take(plan, count, sizeof *control);
    if (control == NULL) return false;
    bool good = true;
    for (int i = 0; i < count; i++) {
        crm_json_node item = crm_scene_item(&list, i);
        good &= read_control(r, &item, &control[i]);
    }
    r->plan->def.control = control;
    r->plan->def.control_count = count;
    return good;
}
