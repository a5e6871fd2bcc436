// SPDX-License-Identifier: MIT
// What a run makes no use of. In a file that is doubtful; in an override, whose effect somebody wants to see, an error.
#include <string.h>

#include "carom/tools.h"
#include "scene/check/lint.h"

// Settings of a method that does not run. In a file they may wait for another method; on the command line they are
// lost.
static void refuse_other_methods(const crm_json_node *root, const crm_scene_data *data) {
    const char *name = carom_method_name(data->method.method), *own = carom_method_settings(data->method.method);
    crm_json_node method = crm_scene_member(root, "method");
    for (int i = 1; i < carom_setting_count(); i++) {
        const carom_setting *setting = carom_setting_at(i);
        if (setting->group[0] == '\0' || (own != NULL && strcmp(setting->group, own) == 0)) continue;
        crm_json_node group = crm_scene_member(&method, setting->group), key = crm_scene_member(&group, setting->key);
        if (key.value != NULL && crm_scene_is_set(&key))
            crm_scene_error(&key, "has no effect: the method is %s; set method.name=%s, too", name, setting->group);
    }
}

// Settings of "method" itself that the method does not look at, though it has one of its own for the same.
static void lint_own_tolerance(const crm_json_node *root, const crm_scene_data *data) {
    static const char *const keys[] = {"tolerance", "iteration_limit"};
    const char *name = carom_method_name(data->method.method);
    carom_method by = data->method.method;
    bool own = by == CAROM_METHOD_LCP || by == CAROM_METHOD_IMPULSE;
    crm_json_node method = crm_scene_member(root, "method");
    for (int i = 0; own && i < 2; i++) {
        crm_json_node key = crm_scene_member(&method, keys[i]);
        const char *its = i == 0 ? "tolerance" : "iterations";
        if (key.value == NULL) continue;
        if (crm_scene_is_set(&key))
            crm_scene_error(&key, "has no effect under the method %s; set method.%s.%s", name, name, its);
        else
            crm_scene_warn(&key, "has no effect under the method %s; that has \"%s\" of \"%s\"", name, its, name);
    }
}

static void refuse_unused(const crm_json_node *node, const char *what) {
    if (crm_scene_is_set(node))
        crm_scene_error(node, "no body has this %s; name it in one, as in bodies[0].%s=%s", what, what, node->key);
    else
        crm_scene_warn(node, "no body has this %s", what);
}

void crm_scene_lint_unused(const crm_json_node *root, const crm_scene_data *data) {
    crm_json_node materials = crm_scene_member(root, "materials"), shapes = crm_scene_member(root, "shapes");
    for (int i = 0; i < data->material_count; i++) {
        crm_json_node node = crm_scene_member(&materials, data->material[i].def.name);
        if (!data->material[i].used) refuse_unused(&node, "material");
    }
    for (int i = 0; i < data->shape_count; i++) {
        crm_json_node node = crm_scene_member(&shapes, data->shape[i].name);
        if (!data->shape[i].used) refuse_unused(&node, "shape");
    }
    crm_json_node bodies = crm_scene_member(root, "bodies");
    for (int i = 1; i < data->groups.count; i++)
        if ((data->groups.inhabited >> i & 1) == 0)
            crm_scene_warn(&bodies, "no body is in the group \"%s\", which some would meet", data->groups.name[i]);
    if (!data->method_good) return;
    lint_own_tolerance(root, data);
    refuse_other_methods(root, data);
}
