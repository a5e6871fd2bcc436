// SPDX-License-Identifier: MIT
// Two bodies that touch at a point: a file without a model.
#include <stdio.h>

#include "base/fail.h"
#include "carom/tools.h"
#include "math/mat3.h"
#include "math/quat.h"
#include "scene/read/fields.h"
#include "scene/read/read_scene.h"
#include "scene/source/scene_source.h"

static void read_body(const crm_json_node *root, const char *key, carom_impact_body *body) {
    static const char *const keys[] = {"fixed", "mass", "inertia", "position", "attitude", "velocity", "spin"};
    if (!crm_scene_require(root, key, "an object, such as {\"fixed\": true}")) return;
    crm_json_node node = crm_scene_member(root, key);
    if (!crm_scene_is_object(&node, "a body of a collision", keys, CRM_SCENE_COUNT(keys))) return;
    crm_scene_read_bool(&node, "fixed", &body->fixed);
    crm_scene_read_vec3(&node, "position", CRM_SCENE_ANY, "m", &body->centre);
    crm_scene_read_vec3(&node, "velocity", CRM_SCENE_ANY, "m/s", &body->velocity);
    crm_scene_read_vec3(&node, "spin", CRM_SCENE_ANY, "rad/s", &body->spin);
    crm_scene_read_number(&node, "mass", CRM_SCENE_POSITIVE, "kg", &body->mass);
    crm_scene_read_inertia(&node, &body->inertia);
    carom_quat attitude = crm_quat_identity();
    if (!crm_scene_read_attitude(&node, "attitude", &attitude)) return;
    body->inertia = crm_congruence(crm_quat_to_mat3(crm_quat_normalised(attitude)), body->inertia);
    if (body->fixed) return;
    crm_scene_require(&node, "mass", "a positive number (kg), or \"fixed\": true beside it");
    crm_scene_require(&node, "inertia", "3 numbers for a diagonal or 3 rows of 3 numbers (kg m^2)");
}

static void read_tangential(const crm_json_node *root, double *out) {
    crm_json_node node = crm_scene_member(root, "tangential");
    if (crm_scene_read_number(root, "tangential", CRM_SCENE_ANY, "", out) && !(*out >= -1.0 && *out <= 1.0))
        crm_scene_error(&node, "is %g; give a number from -1, which keeps the slip, to 1, which reverses it", *out);
}

static void read_root(const crm_json_node *root, carom_scene_impact *out) {
    static const char *const keys[] = {"carom", "name",   "description", "a",           "b",
                                       "point", "normal", "friction",    "restitution", "tangential"};
    if (!json_is_object(root->value)) {
        crm_scene_needs(root, "an object for a collision, such as {\"carom\": 1, \"a\": {...}, \"b\": {...}}");
        return;
    }
    crm_scene_is_object(root, "a collision", keys, CRM_SCENE_COUNT(keys));
    crm_scene_read_version(root);
    const char *name = "", *description = "";
    crm_scene_read_string(root, "name", &name);
    crm_scene_read_string(root, "description", &description);
    snprintf(out->name, sizeof out->name, "%s", name);
    carom_impact_pair *pair = &out->pair;
    read_body(root, "a", &pair->a);
    read_body(root, "b", &pair->b);
    crm_scene_require(root, "point", "the point of contact, 3 numbers (m)");
    crm_scene_read_vec3(root, "point", CRM_SCENE_ANY, "m", &pair->point);
    crm_scene_read_number(root, "friction", CRM_SCENE_NOT_NEGATIVE, "", &pair->friction);
    crm_scene_read_number(root, "restitution", CRM_SCENE_FRACTION, "", &pair->restitution);
    read_tangential(root, &pair->tangential);
    if (crm_scene_require(root, "normal", "the direction from a to b, 3 numbers, such as [0, 0, 1]") &&
        crm_scene_read_vec3(root, "normal", CRM_SCENE_ANY, "", &pair->normal) && crm_safe_length(pair->normal) == 0.0) {
        crm_json_node normal = crm_scene_member(root, "normal");
        crm_scene_error(&normal, "the normal is zero; give the direction from a to b, such as [0, 0, 1]");
    }
    if (pair->a.fixed && pair->b.fixed) crm_scene_error(root, "both bodies are fixed; let one of them move");
}

static bool read_collision(const crm_json_node *root, const carom_scene_source *source, void *out) {
    (void)source;
    read_root(root, out);
    return !root->context->no_memory && root->context->log->error_count == 0;
}

carom_status carom_scene_read_impact(const carom_scene_source *source, const carom_allocator *allocator,
                                     carom_scene_impact *out, carom_scene_messages **messages, carom_error *error) {
    CRM_NEED(out, error);
    *out = (carom_scene_impact){.name = ""};
    return crm_scene_read_source(source, allocator, read_collision, out, messages, error);
}
