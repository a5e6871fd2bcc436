// SPDX-License-Identifier: MIT
// The top of a scene: version, method, times, gravity.
#include "scene/read/read_scene.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene/flexible/flexible.h"
#include "scene/plan/scene_plan.h"
#include "scene/read/fields.h"
#include "scene/write/scene_text.h"

static const double default_until = 10.0, default_frame_rate = 60.0;

enum { FORMAT_VERSION = 1 };

const char *const crm_scene_rule_words[CAROM_COMBINE_COUNT] = {
    [CAROM_COMBINE_GEOMETRIC] = "geometric", [CAROM_COMBINE_MEAN] = "mean",       [CAROM_COMBINE_LEAST] = "least",
    [CAROM_COMBINE_LARGEST] = "largest",     [CAROM_COMBINE_PRODUCT] = "product",
};

const char *const crm_scene_start_words[CAROM_START_COUNT] = {
    [CAROM_START_PROJECT] = "project", [CAROM_START_KEEP] = "keep", [CAROM_START_REFUSE] = "refuse"};

const char *const crm_scene_frame_words[CAROM_FRAME_COUNT] = {
    [CAROM_FRAME_INERTIAL] = "inertial", [CAROM_FRAME_HILL] = "hill"};

void *crm_scene_take(const crm_json_node *node, int count, size_t size) {
    void *memory = crm_arena_take_zeroed(&node->context->arena, count, size);
    if (memory == NULL) node->context->no_memory = true;
    return memory;
}

// ---- names

enum { LONGEST_NAMES = 300 };

static const char *nearest_name(const crm_scene_names *names, const char *word) {
    const char *nearest = NULL;
    int least = INT_MAX;
    for (int i = 0; i < names->capacity; i++) {
        const crm_scene_name *slot = &names->slot[i];
        if (slot->start == NULL) continue;
        int distance = crm_scene_edit_distance(word, slot->start);
        // The earlier one of two that are equally near, whatever their places in the table.
        bool tie =
            distance == least && nearest != NULL && slot->value < crm_scene_names_find(names, nearest, strlen(nearest));
        if (distance < least || tie) {
            least = distance;
            nearest = slot->start;
        }
    }
    return nearest != NULL && crm_scene_is_near(word, least) ? nearest : NULL;
}

// "a, b and c", in their order in the file; false when there are too many to be read.
static bool list_names(const crm_scene_names *names, char *out, size_t size) {
    enum { MOST_LISTED = 12 };
    if (names->count > MOST_LISTED) return false;
    size_t used = 0;
    int last = -1;
    for (int n = 0; n < names->count; n++) {
        const crm_scene_name *next = NULL;
        for (int i = 0; i < names->capacity; i++) {
            const crm_scene_name *slot = &names->slot[i];
            if (slot->start != NULL && slot->value > last && (next == NULL || slot->value < next->value)) next = slot;
        }
        if (next == NULL) break;
        last = next->value;
        char shown[CRM_SCENE_SHOWN];
        crm_scene_show(next->start, next->size, shown, sizeof shown);
        const char *between = n == 0 ? "" : n + 1 == names->count ? " and " : ", ";
        used += (size_t)snprintf(out + used, size - used, "%s\"%s\"", between, shown);
        if (used >= size) return false;
    }
    return used > 0;
}

bool crm_scene_reference_of(const crm_json_node *node, const char *what, const crm_scene_names *names, int *out) {
    const char *name = json_string_value(node->value);
    if (name == NULL) {
        char wanted[64];
        snprintf(wanted, sizeof wanted, "the name of %s", what);
        if (!json_is_object(node->value)) return crm_scene_needs(node, wanted);
        return crm_scene_error(node, "needs %s, not an object; describe it under \"%ss\" and give its name here",
                               wanted, node->key);
    }
    *out = crm_scene_names_find(names, name, strlen(name));
    if (*out >= 0) return true;
    char shown[CRM_SCENE_SHOWN];
    crm_scene_show(name, strlen(name), shown, sizeof shown);
    const char *nearest = nearest_name(names, name);
    if (nearest != NULL)
        return crm_scene_error(node, "\"%s\" is not the name of %s; did you mean \"%s\"?", shown, what, nearest);
    char all[LONGEST_NAMES];
    if (list_names(names, all, sizeof all))
        return crm_scene_error(node, "\"%s\" is not the name of %s in this scene; there %s %s", shown, what,
                               names->count == 1 ? "is" : "are", all);
    return crm_scene_error(node, "\"%s\" is not the name of %s in this scene%s", shown, what,
                           names->count == 0 ? ", which has none" : "");
}

bool crm_scene_read_reference(const crm_json_node *object, const char *key, const char *what,
                              const crm_scene_names *names, int *out) {
    crm_json_node node = crm_scene_member(object, key);
    return node.value == NULL || crm_scene_reference_of(&node, what, names, out);
}

bool crm_scene_read_name(const crm_json_node *object, const char *kind, int index, const char **out) {
    crm_json_node node = crm_scene_member(object, "name");
    bool good = crm_scene_read_string(object, "name", out);
    if (*out != NULL) return crm_scene_name_is_good(&node, *out) && good;
    char *name = crm_scene_take(object, 32, 1);
    if (name != NULL) snprintf(name, 32, "%s-%d", kind, index);
    *out = name;
    return good;
}

// ---- the top

void crm_scene_read_version(const crm_json_node *root) {
    static const char wanted[] = "the version of the format, 1";
    if (!crm_scene_require(root, "carom", wanted)) return;
    crm_json_node node = crm_scene_member(root, "carom");
    double version = json_number_value(node.value);
    if (json_is_number(node.value) && version == FORMAT_VERSION) return;
    if (json_is_number(node.value) && version > FORMAT_VERSION && version == floor(version))
        crm_scene_error(&node, "this file has format %.0f, and this carom reads format 1; use a newer carom", version);
    else
        crm_scene_needs(&node, wanted);
}

static void read_rule(const crm_json_node *root, const char *key, carom_combination *out) {
    int rule = *out;
    crm_scene_read_choice(root, key, crm_scene_rule_words, CAROM_COMBINE_COUNT, &rule);
    *out = (carom_combination)rule;
}

static void read_start(const crm_json_node *root, carom_start_overlaps *out) {
    int start = *out;
    crm_scene_read_choice(root, "start_overlaps", crm_scene_start_words, CAROM_START_COUNT, &start);
    *out = (carom_start_overlaps)start;
}

void crm_scene_read_frame(const crm_json_node *root, crm_scene_data *data) {
    static const char *const keys[] = {"kind", "mean_motion"};
    crm_json_node node = crm_scene_member(root, "reference_frame");
    if (node.value == NULL || !crm_scene_is_object(&node, "a frame", keys, CRM_SCENE_COUNT(keys))) return;
    int kind = CAROM_FRAME_INERTIAL;
    if (!crm_scene_require(&node, "kind", "inertial or hill")) return;
    if (!crm_scene_read_choice(&node, "kind", crm_scene_frame_words, CAROM_FRAME_COUNT, &kind)) return;
    bool hill = kind == CAROM_FRAME_HILL;
    crm_json_node motion = crm_scene_member(&node, "mean_motion");
    if (!hill && motion.value != NULL) {
        crm_scene_error(&motion, "is of Hill's frame only; make \"kind\" \"hill\", or leave it out");
        return;
    }
    if (hill && !crm_scene_require(&node, "mean_motion", "the mean motion of the frame (rad/s)")) return;
    if (!crm_scene_read_number(&node, "mean_motion", CRM_SCENE_POSITIVE, "rad/s", &data->model.mean_motion)) return;
    data->model.reference_frame = (carom_reference_frame)kind;
}

void crm_scene_read_all(const crm_json_node *root, crm_scene_data *data) {
    static const char *const keys[] = {"carom",
                                       "name",
                                       "description",
                                       "method",
                                       "until",
                                       "frame_rate",
                                       "record_contacts",
                                       "gravity",
                                       "coulomb_constant",
                                       "reference_frame",
                                       "mobility",
                                       "friction_rule",
                                       "restitution_rule",
                                       "start_overlaps",
                                       "materials",
                                       "material_pairs",
                                       "shapes",
                                       "bodies",
                                       "flexible",
                                       "forces",
                                       "joints",
                                       "plan"};
    *data = (crm_scene_data){.name = "",
                             .description = "",
                             .until = default_until,
                             .frame_rate = default_frame_rate,
                             .model = carom_model_def_default()};
    if (!json_is_object(root->value)) {
        crm_scene_needs(root, "an object for a scene, such as {\"carom\": 1, \"bodies\": []}");
        return;
    }
    crm_scene_is_object(root, "a scene", keys, CRM_SCENE_COUNT(keys));
    crm_scene_read_version(root);
    crm_scene_read_string(root, "name", &data->name);
    crm_scene_read_string(root, "description", &data->description);
    data->method_good = crm_scene_read_method(root, &data->method);
    crm_scene_read_number(root, "until", CRM_SCENE_NOT_NEGATIVE, "s", &data->until);
    crm_scene_read_number(root, "frame_rate", CRM_SCENE_POSITIVE, "1/s", &data->frame_rate);
    crm_scene_read_bool(root, "record_contacts", &data->record_contacts);
    crm_json_node gravity = crm_scene_member(root, "gravity");
    if (json_is_number(gravity.value))
        crm_scene_needs(&gravity, "an array of 3 numbers (m/s^2), such as [0, 0, -9.81]");
    else
        crm_scene_read_vec3(root, "gravity", CRM_SCENE_ANY, "m/s^2", &data->model.gravity);
    crm_scene_read_number(root, "coulomb_constant", CRM_SCENE_NOT_NEGATIVE, "N m^2/C^2", &data->model.coulomb_constant);
    read_rule(root, "friction_rule", &data->model.friction_rule);
    read_rule(root, "restitution_rule", &data->model.restitution_rule);
    read_start(root, &data->model.start_overlaps);
    crm_scene_read_frame(root, data);
    crm_scene_read_materials(root, data);
    if (!root->context->no_memory) crm_scene_read_shapes(root, data);
    if (!root->context->no_memory) crm_scene_read_bodies(root, data);
    if (!root->context->no_memory) crm_scene_read_flexible(root, data);
    if (!root->context->no_memory) crm_scene_read_mobility(root, data);
    if (!root->context->no_memory) crm_scene_read_forces(root, data);
    if (!root->context->no_memory) crm_scene_read_joints(root, data);
    if (!root->context->no_memory) crm_scene_read_plan(root, data);
}
