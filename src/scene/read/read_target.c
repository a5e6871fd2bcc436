// SPDX-License-Identifier: MIT
// The bodies that forces and joints name: one, one of a repeated one, or all of it.
#include <stdio.h>
#include <string.h>

#include "scene/flexible/flexible.h"
#include "scene/read/fields.h"
#include "scene/read/read_scene.h"
#include "scene/write/scene_text.h"

static bool refuse_target(const crm_json_node *node, const char *sentence) {
    char shown[CRM_SCENE_SHOWN];
    crm_scene_show(json_string_value(node->value), json_string_length(node->value), shown, sizeof shown);
    return crm_scene_error(node, "\"%s\" %s", shown, sentence);
}

// "ball-*": all of a repeated body.
static bool find_family(const crm_json_node *node, const crm_scene_data *data, crm_scene_target *out) {
    const char *name = json_string_value(node->value);
    size_t size = strlen(name);
    int body = crm_scene_names_find(&data->body_names, name, size - 2);
    if (body < 0 || data->body[body].repeat.kind == CRM_SCENE_ONCE) {
        // A body whose repeat is wrong has been reported.
        if (body >= 0 && !data->body[body].good) {
            *out = (crm_scene_target){.body = body, .instance = 0};
            return true;
        }
        return refuse_target(node, "stands for a repeated body, and there is none of that name");
    }
    *out = (crm_scene_target){.body = body, .instance = -1};
    return true;
}

// "ball-9" of a "ball" that is repeated five times; true when it was that, and reported.
static bool refuse_number(const crm_json_node *node, const crm_scene_data *data) {
    const char *name = json_string_value(node->value), *dash = strrchr(name, '-');
    int body = dash == NULL ? -1 : crm_scene_names_find(&data->body_names, name, (size_t)(dash - name));
    if (body < 0 || data->body[body].repeat.kind == CRM_SCENE_ONCE) return false;
    char sentence[96];
    snprintf(sentence, sizeof sentence, "is not one of the repeated body; its numbers go from -0 to -%d",
             data->body[body].count - 1);
    refuse_target(node, sentence);
    return true;
}

// A flexible body by its name alone; true when it was that, and reported.
static bool refuse_flexible(const crm_json_node *node, const crm_scene_data *data) {
    const char *name = json_string_value(node->value);
    int flex = crm_scene_names_find(&data->flex_names, name, strlen(name)), instance;
    if (flex < 0 && !crm_scene_find_repeated_flex(data, name, strlen(name), &flex, &instance)) return false;
    refuse_target(node, "is a flexible body; name nodes of it, {\"flexible\": \"..\", \"nodes\": [0]}");
    return true;
}

bool crm_scene_target_of(const crm_json_node *node, bool world_allowed, const crm_scene_data *data,
                         crm_scene_target *out) {
    const char *name = json_string_value(node->value);
    if (json_is_object(node->value) && data->flex_count > 0) return crm_scene_read_nodes(node, data, out);
    if (name == NULL)
        return crm_scene_needs(node, world_allowed ? "the name of a body, or \"world\"" : "the name of a body");
    if (strcmp(name, "world") == 0) {
        *out = (crm_scene_target){.body = -1};
        return world_allowed || refuse_target(node, "cannot be moved by this force; name a body");
    }
    size_t size = strlen(name);
    if (size > 2 && strcmp(name + size - 2, "-*") == 0) return find_family(node, data, out);
    if (crm_scene_find_repeated(data, name, out)) return true;
    int body = crm_scene_names_find(&data->body_names, name, size);
    if (body < 0 && (refuse_number(node, data) || refuse_flexible(node, data))) return false;
    if (!crm_scene_reference_of(node, "a body", &data->body_names, &body)) return false;
    *out = (crm_scene_target){.body = body, .instance = 0};
    if (data->body[body].repeat.kind == CRM_SCENE_ONCE) return true;
    return refuse_target(node, "is repeated; add \"-0\" to its name for the first, \"-*\" for all");
}

bool crm_scene_read_target(const crm_json_node *force, const char *key, bool world_allowed, const crm_scene_data *data,
                           crm_scene_target *out) {
    crm_json_node node = crm_scene_member(force, key);
    return crm_scene_require(force, key, world_allowed ? "the name of a body, or \"world\"" : "the name of a body") &&
           crm_scene_target_of(&node, world_allowed, data, out);
}

int crm_scene_target_count(const crm_scene_data *data, crm_scene_target target) {
    if (target.nodes != NULL)
        return target.nodes->count * (target.instance >= 0 ? 1 : data->flex[target.nodes->flex].count);
    return target.body < 0 || target.instance >= 0 ? 1 : data->body[target.body].count;
}

// Whether it stands for several by its form: all of a repeated body, or more than one node.
static bool is_family(crm_scene_target target) {
    if (target.nodes != NULL) return target.instance < 0 || target.nodes->count > 1;
    return target.instance < 0 && target.body >= 0;
}

bool crm_scene_count_pairs(const crm_json_node *node, const crm_scene_data *data, crm_scene_target a,
                           crm_scene_target b, int *count) {
    int of_a = crm_scene_target_count(data, a), of_b = crm_scene_target_count(data, b);
    *count = of_a > of_b ? of_a : of_b;
    if (!is_family(a) || !is_family(b) || of_a == of_b) return true;
    return crm_scene_error(node, "joins %d bodies to %d; the numbers must be equal, or one side a single body", of_a,
                           of_b);
}
