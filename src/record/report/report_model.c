// SPDX-License-Identifier: MIT
// What a recording says once and for all: bodies and shapes, joints; of its scene the name and the forces that can be
// seen.
#include <string.h>

#include "base/fail.h"
#include "base/text/json_parse.h"
#include "math/quat.h"
#include "record/report/report_shape.h"
#include "record/report/run_report.h"

static json_t *describe_body(crm_report *report, int number) {
    json_t *body = json_object();
    const carom_recorded_body *about = carom_recording_body(report->recording, number);
    bool weighed = about->mass > 0.0 && strcmp(about->kind, "fixed") != 0;
    crm_tree_set(&report->tree, body, "name", crm_tree_text(about->name));
    crm_tree_set(&report->tree, body, "shape", json_integer(about->shape));
    crm_tree_set(&report->tree, body, "kind", crm_tree_text(about->kind[0] != '\0' ? about->kind : "free"));
    crm_tree_set(&report->tree, body, "mass", weighed ? crm_tree_number(about->mass) : json_null());
    return body;
}

// Shapes are recorded as scenes write them.
static carom_status add_shapes(crm_report *report, carom_error *error) {
    json_t *shapes = json_array();
    carom_status status = CAROM_OK;
    for (int s = 0; s < report->info.shape_count && status == CAROM_OK; s++) {
        carom_shape *shape = NULL;
        status = carom_scene_read_shape(carom_recording_shape(report->recording, s)->definition, NULL, &shape, error);
        if (status == CAROM_OK) crm_tree_append(&report->tree, shapes, crm_report_shape(&report->tree, shape));
        carom_shape_destroy(shape);
    }
    crm_tree_set(&report->tree, report->tree.header, "shapes", shapes);
    return status;
}

static json_t *describe_joint(crm_report *report, int number) {
    json_t *joint = json_object();
    const carom_recorded_joint *about = carom_recording_joint(report->recording, number);
    crm_tree_set(&report->tree, joint, "name", crm_tree_text(about->name));
    crm_tree_set(&report->tree, joint, "kind", crm_tree_text(about->kind));
    crm_tree_set(&report->tree, joint, "a", json_integer(about->a));
    crm_tree_set(&report->tree, joint, "b", json_integer(about->b));
    carom_joint_def def;
    bool known = report->scene != NULL &&
                 carom_model_get_joint(carom_scene_model(report->scene), (carom_joint){number}, &def, NULL) == CAROM_OK;
    // The z axis of the joint's frame: what it rotates about, slides along, or is normal to.
    bool has_axis = (about->angular == 1 || about->angular == 2 || about->linear == 1 || about->linear == 2);
    if (known && has_axis) {
        carom_quat frame = about->a >= 0 ? def.attitude_a : def.attitude_b;
        crm_tree_set(&report->tree, joint, "axis",
                     crm_tree_vec3(&report->tree, crm_quat_rotate(frame, (carom_vec3){0.0, 0.0, 1.0})));
    }
    return joint;
}

// ---- forces, from the resolved text: a model does not give them back

// Copies members of a force; a name of a body becomes its number.
static json_t *pick(crm_tree *tree, const json_t *force, const char *const *keys, const json_t *numbers) {
    json_t *picked = json_object();
    for (; *keys != NULL; keys++) {
        json_t *value = json_object_get(force, *keys);
        if (value == NULL) continue;
        if (json_is_string(value)) value = json_object_get(numbers, json_string_value(value));
        crm_tree_set(tree, picked, *keys, value != NULL ? json_incref(value) : json_integer(-1)); // -1: the world
    }
    return picked;
}

static void add_forces(crm_tree *tree, const json_t *scene, const json_t *numbers) {
    static const struct {
        const char *kind, *list;
        const char *const keys[6];
    } shown[] = {
        {"charge", "charges", {"body", "point", "charge", NULL}},
        {"magnet", "magnets", {"body", "centre", "axis", "length", "strength", NULL}},
        {"spring", "springs", {"a", "b", "point_a", "point_b", NULL}},
    };
    for (size_t k = 0; k < sizeof shown / sizeof shown[0]; k++) {
        json_t *list = json_array();
        size_t i;
        json_t *force;
        json_array_foreach(json_object_get(scene, "forces"), i, force) {
            const char *kind = json_string_value(json_object_get(force, "kind"));
            if (kind != NULL && strcmp(kind, shown[k].kind) == 0)
                crm_tree_append(tree, list, pick(tree, force, shown[k].keys, numbers));
        }
        if (list == NULL || json_array_size(list) > 0)
            crm_tree_set(tree, tree->header, shown[k].list, list);
        else
            json_decref(list);
    }
}

static carom_status add_scene(crm_report *report, carom_error *error) {
    const char *text = carom_recording_scene(report->recording);
    if (text[0] == '\0') return CAROM_OK;
    crm_json_error why;
    json_t *scene = crm_json_parse(text, strlen(text), CRM_JSON_ANY_ROOT, &why);
    if (scene == NULL && why.no_memory) return crm_fail_memory(error, "the scene of a report", strlen(text));
    json_t *numbers = json_object(), *gravity = json_object_get(scene, "gravity");
    for (int b = 0; b < report->info.body_count; b++) {
        const char *name = carom_recording_body_name(report->recording, b);
        if (json_object_set_new_nocheck(numbers, name, json_integer(b)) != 0) report->tree.incomplete = true;
    }
    if (gravity != NULL) crm_tree_set(&report->tree, report->tree.header, "gravity", json_incref(gravity));
    add_forces(&report->tree, scene, numbers);
    json_decref(numbers);
    json_decref(scene);
    return crm_blobs_add_text(&report->blobs, "scene", text, error);
}

carom_status crm_report_model(crm_report *report, carom_error *error) {
    json_t *bodies = json_array(), *joints = json_array();
    for (int b = 0; b < report->info.body_count; b++) crm_tree_append(&report->tree, bodies, describe_body(report, b));
    for (int j = 0; j < report->info.joint_count; j++)
        crm_tree_append(&report->tree, joints, describe_joint(report, j));
    const char *name = report->scene != NULL ? carom_scene_name(report->scene) : "";
    crm_tree_set(&report->tree, report->tree.header, "title", crm_tree_text(name));
    crm_tree_set(&report->tree, report->tree.header, "description",
                 crm_tree_text(report->scene != NULL ? carom_scene_description(report->scene) : ""));
    crm_tree_set(&report->tree, report->tree.header, "bodies", bodies);
    crm_tree_set(&report->tree, report->tree.header, "joints", joints);
    carom_status status = add_shapes(report, error);
    return status == CAROM_OK ? add_scene(report, error) : status;
}
