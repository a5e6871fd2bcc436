// SPDX-License-Identifier: MIT
// The bodies and joints that a plan names, each one of them alone, and their numbers in the model.
#include <stdio.h>
#include <string.h>

#include "scene/instance.h"
#include "scene/plan/scene_plan.h"
#include "scene/read/fields.h"
#include "scene/read/read_scene.h"

static bool refuse_name(const crm_json_node *node, const char *sentence) {
    char shown[CRM_SCENE_SHOWN];
    crm_scene_show(json_string_value(node->value), json_string_length(node->value), shown, sizeof shown);
    return crm_scene_error(node, "\"%s\" %s", shown, sentence);
}

// ---- bodies

static bool suits(const crm_plan_reading *r, const crm_json_node *node, int body, crm_plan_body which) {
    const crm_scene_body *named = &r->data->body[body];
    if (!named->good) return false; // that was reported
    if (which == CRM_PLAN_MOVES && named->def.kind == CAROM_BODY_FIXED)
        return refuse_name(node, "is fixed; name a body that moves");
    if (which == CRM_PLAN_SHAPE && named->shape < 0) return refuse_name(node, "has no shape to touch with");
    return true;
}

bool crm_plan_body_of(const crm_plan_reading *r, const crm_json_node *node, crm_plan_body which, carom_body *out) {
    const char *name = json_string_value(node->value);
    bool world = which == CRM_PLAN_WORLD;
    if (name == NULL) return crm_scene_needs(node, world ? "the name of a body, or \"world\"" : "the name of a body");
    if (!world && strcmp(name, "world") == 0) return refuse_name(node, "is no body here; name one of the scene");
    crm_scene_target target;
    if (!crm_scene_target_of(node, true, r->data, &target)) return false;
    *out = CAROM_WORLD;
    if (target.body < 0) return true;
    if (target.instance < 0) return refuse_name(node, "stands for several bodies; name one, with its number");
    out->index = r->first_body[target.body] + target.instance;
    return suits(r, node, target.body, which);
}

bool crm_plan_read_body(const crm_plan_reading *r, const crm_json_node *object, const char *key, crm_plan_body which,
                        carom_body *out) {
    crm_json_node node = crm_scene_member(object, key);
    return crm_scene_require(object, key, "the name of a body") && crm_plan_body_of(r, &node, which, out);
}

// Which of the scene's has the number: the last one that begins at or before it.
static int place_of(const int *first, int count, int number) {
    int low = 0, high = count;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (first[middle] <= number)
            low = middle;
        else
            high = middle;
    }
    return low;
}

carom_body_def crm_plan_body_def(const crm_plan_reading *r, carom_body body, char name[CRM_SCENE_INSTANCE_NAME]) {
    int place = place_of(r->first_body, r->data->body_count, body.index);
    return crm_scene_instance(&r->data->body[place], body.index - r->first_body[place], name);
}

bool crm_plan_can_touch(const crm_plan_reading *r, const crm_json_node *at, carom_body a, carom_body b) {
    char name[CRM_SCENE_INSTANCE_NAME];
    if (a.index == b.index) return crm_scene_error(at, "names one body twice; a body does not touch itself");
    if (crm_plan_body_def(r, a, name).kind != CAROM_BODY_FIXED) return true;
    if (crm_plan_body_def(r, b, name).kind != CAROM_BODY_FIXED) return true;
    return crm_scene_error(at, "names two bodies that are fixed; one of them must move");
}

// ---- joints

static bool is_driven(const crm_scene_joint *joint) {
    carom_joint_kind kind = joint->def.kind;
    return kind == CAROM_JOINT_HINGE || kind == CAROM_JOINT_SLIDER || kind == CAROM_JOINT_BALL;
}

bool crm_plan_read_joint(const crm_plan_reading *r, const crm_json_node *object, int *out, carom_joint_kind *kind) {
    crm_json_node node = crm_scene_member(object, "joint");
    if (!crm_scene_require(object, "joint", "the name of a joint")) return false;
    const char *name = json_string_value(node.value);
    if (name == NULL) return crm_scene_needs(&node, "the name of a joint");
    size_t stem;
    int number = 0, joint = crm_scene_names_find(&r->joint_names, name, strlen(name));
    bool repeated = joint < 0 && crm_scene_split_name(name, strlen(name), &stem, &number) &&
                    (joint = crm_scene_names_find(&r->joint_names, name, stem)) >= 0;
    if (joint < 0 && !crm_scene_reference_of(&node, "a joint", &r->joint_names, &joint)) return false;
    const crm_scene_joint *named = &r->data->joint[joint];
    if (!named->good) return false; // that was reported
    if (repeated && (named->count == 1 || number >= named->count))
        return refuse_name(&node, "is not the name of a joint in this scene");
    if (!repeated && named->count > 1)
        return refuse_name(&node, "stands for several joints; name one, with its number");
    if (!is_driven(named)) return refuse_name(&node, "has no motor; hinges, sliders and balls have one");
    *out = r->first_joint[joint] + number;
    *kind = named->def.kind;
    return true;
}
