// SPDX-License-Identifier: MIT
// What a recording says once and for all: bodies and shapes, joints; of its scene the name and the forces that can be
// seen.
#include <string.h>

#include "base/fail.h"
#include "math/quat.h"
#include "record/report/json_tree.h"
#include "record/report/report_shape.h"
#include "record/report/run_report.h"

static json_t *describe_body(const crm_report *report, int number) {
    json_t *body = json_object();
    const carom_recorded_body *about = carom_recording_body(report->recording, number);
    bool weighed = about->mass > 0.0 && strcmp(about->kind, "fixed") != 0;
    json_object_set_new(body, "name", crm_tree_text(about->name));
    json_object_set_new(body, "shape", json_integer(about->shape));
    json_object_set_new(body, "kind", crm_tree_text(about->kind[0] != '\0' ? about->kind : "free"));
    json_object_set_new(body, "mass", weighed ? crm_tree_number(about->mass) : json_null());
    return body;
}

// Shapes are recorded as scenes write them.
static carom_status add_shapes(const crm_report *report, carom_error *error) {
    json_t *shapes = json_array();
    carom_status status = CAROM_OK;
    for (int s = 0; s < report->info.shape_count && status == CAROM_OK; s++) {
        carom_shape *shape = NULL;
        status = carom_scene_read_shape(carom_recording_shape(report->recording, s)->definition, NULL, &shape, error);
        if (status == CAROM_OK) json_array_append_new(shapes, crm_report_shape(shape));
        carom_shape_destroy(shape);
    }
    json_object_set_new(report->header, "shapes", shapes);
    return status;
}

static json_t *describe_joint(const crm_report *report, int number) {
    json_t *joint = json_object();
    const carom_recorded_joint *about = carom_recording_joint(report->recording, number);
    json_object_set_new(joint, "name", crm_tree_text(about->name));
    json_object_set_new(joint, "kind", crm_tree_text(about->kind));
    json_object_set_new(joint, "a", json_integer(about->a));
    json_object_set_new(joint, "b", json_integer(about->b));
    carom_joint_def def;
    bool known = report->scene != NULL &&
                 carom_model_get_joint(carom_scene_model(report->scene), (carom_joint){number}, &def, NULL) == CAROM_OK;
    // The z axis of the joint's frame: what it rotates about, slides along, or is normal to.
    bool has_axis = (about->angular == 1 || about->angular == 2 || about->linear == 1 || about->linear == 2);
    if (known && has_axis) {
        carom_quat frame = about->a >= 0 ? def.attitude_a : def.attitude_b;
        json_object_set_new(joint, "axis", crm_tree_vec3(crm_quat_rotate(frame, (carom_vec3){0.0, 0.0, 1.0})));
    }
    return joint;
}

// ---- forces, from the resolved text: a model does not give them back

// Copies members of a force; a name of a body becomes its number.
static json_t *pick(const json_t *force, const char *const *keys, const json_t *numbers) {
    json_t *picked = json_object();
    for (; *keys != NULL; keys++) {
        json_t *value = json_object_get(force, *keys);
        if (!json_is_string(value)) {
            json_object_set(picked, *keys, value);
            continue;
        }
        json_t *number = json_object_get(numbers, json_string_value(value));
        if (number != NULL)
            json_object_set(picked, *keys, number);
        else
            json_object_set_new(picked, *keys, json_integer(-1)); // the world
    }
    return picked;
}

static void add_forces(json_t *header, const json_t *scene, const json_t *numbers) {
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
                json_array_append_new(list, pick(force, shown[k].keys, numbers));
        }
        if (json_array_size(list) > 0) json_object_set(header, shown[k].list, list);
        json_decref(list);
    }
}

static carom_status add_scene(crm_report *report, carom_error *error) {
    const char *text = carom_recording_scene(report->recording);
    if (text[0] == '\0') return CAROM_OK;
    json_t *scene = json_loads(text, JSON_DECODE_ANY, NULL), *numbers = json_object();
    for (int b = 0; b < report->info.body_count; b++)
        json_object_set_new_nocheck(numbers, carom_recording_body_name(report->recording, b), json_integer(b));
    json_object_set(report->header, "gravity", json_object_get(scene, "gravity"));
    add_forces(report->header, scene, numbers);
    json_decref(numbers);
    json_decref(scene);
    return crm_blobs_add_text(&report->blobs, "scene", text, error);
}

carom_status crm_report_model(crm_report *report, carom_error *error) {
    json_t *bodies = json_array(), *joints = json_array();
    for (int b = 0; b < report->info.body_count; b++) json_array_append_new(bodies, describe_body(report, b));
    for (int j = 0; j < report->info.joint_count; j++) json_array_append_new(joints, describe_joint(report, j));
    const char *name = report->scene != NULL ? carom_scene_name(report->scene) : "";
    json_object_set_new(report->header, "title", crm_tree_text(name));
    json_object_set_new(report->header, "description",
                        crm_tree_text(report->scene != NULL ? carom_scene_description(report->scene) : ""));
    json_object_set_new(report->header, "bodies", bodies);
    json_object_set_new(report->header, "joints", joints);
    carom_status status = add_shapes(report, error);
    return status == CAROM_OK ? add_scene(report, error) : status;
}
