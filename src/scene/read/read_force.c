// SPDX-License-Identifier: MIT
// Forces.
#include <stdio.h>

#include "math/vec3.h"
#include "scene/read/fields.h"
#include "scene/read/read_scene.h"

const char *const crm_scene_force_words[5] = {
    [CRM_SCENE_DRAG] = "drag",     [CRM_SCENE_SPRING] = "spring", [CRM_SCENE_CHARGE] = "charge",
    [CRM_SCENE_MAGNET] = "magnet", [CRM_SCENE_WRENCH] = "wrench",
};

const crm_member crm_scene_force_members[5][CRM_MOST_MEMBERS] = {
    [CRM_SCENE_DRAG] = {CRM_NUMBER(carom_drag_def, linear, CRM_SCENE_NOT_NEGATIVE, "N s/m"),
                        CRM_NUMBER(carom_drag_def, quadratic, CRM_SCENE_NOT_NEGATIVE, "N s^2/m^2"),
                        CRM_NUMBER(carom_drag_def, angular, CRM_SCENE_NOT_NEGATIVE, "N m s")},
    [CRM_SCENE_SPRING] = {CRM_VECTOR(carom_spring_def, point_a, "m"), CRM_VECTOR(carom_spring_def, point_b, "m"),
                          CRM_NEEDED(carom_spring_def, stiffness, CRM_SCENE_NOT_NEGATIVE, "N/m"),
                          CRM_NUMBER(carom_spring_def, damping, CRM_SCENE_NOT_NEGATIVE, "N s/m"),
                          CRM_NUMBER(carom_spring_def, rest_length, CRM_SCENE_NOT_NEGATIVE, "m")},
    [CRM_SCENE_CHARGE] = {CRM_VECTOR(carom_charge_def, point, "m"),
                          CRM_NEEDED(carom_charge_def, charge, CRM_SCENE_ANY, "C")},
    [CRM_SCENE_MAGNET] = {CRM_VECTOR(carom_magnet_def, centre, "m"), CRM_VECTOR(carom_magnet_def, axis, ""),
                          CRM_LENGTH(carom_magnet_def, length),
                          CRM_NEEDED(carom_magnet_def, strength, CRM_SCENE_ANY, "C")},
    [CRM_SCENE_WRENCH] = {CRM_VECTOR(carom_wrench_def, point, "m"), CRM_VECTOR(carom_wrench_def, force, "N"),
                          CRM_VECTOR(carom_wrench_def, torque, "N m"), CRM_TRUTH(carom_wrench_def, in_body_axes)},
};

static bool count_forces(const crm_json_node *node, const crm_scene_data *data, crm_scene_force *force) {
    if (force->kind == CRM_SCENE_SPRING) return crm_scene_count_pairs(node, data, force->a, force->b, &force->count);
    force->count = crm_scene_target_count(data, force->a);
    return true;
}

static void set_defaults(crm_scene_force *force) {
    switch (force->kind) {
    case CRM_SCENE_DRAG:
        force->def.drag = carom_drag_def_default();
        break;
    case CRM_SCENE_SPRING:
        force->def.spring = carom_spring_def_default();
        break;
    case CRM_SCENE_CHARGE:
        force->def.charge = carom_charge_def_default();
        break;
    case CRM_SCENE_MAGNET:
        force->def.magnet = carom_magnet_def_default();
        break;
    default:
        force->def.wrench = carom_wrench_def_default();
    }
}

// What the force acts on: one body, or the two ends of a spring. The world cannot be moved.
static bool read_targets(const crm_json_node *node, const crm_scene_data *data, crm_scene_force *force) {
    if (force->kind != CRM_SCENE_SPRING) {
        bool world_allowed = force->kind == CRM_SCENE_CHARGE || force->kind == CRM_SCENE_MAGNET;
        return crm_scene_read_target(node, "body", world_allowed, data, &force->a);
    }
    bool good = crm_scene_read_target(node, "a", true, data, &force->a);
    return crm_scene_read_target(node, "b", true, data, &force->b) && good;
}

static bool read_force(const crm_json_node *node, const crm_scene_data *data, crm_scene_force *force) {
    int kind = -1;
    *force = (crm_scene_force){.a = {.body = -1}, .b = {.body = -1}};
    if (!json_is_object(node->value)) return crm_scene_needs(node, "an object for a force");
    if (!crm_scene_require(node, "kind", "one of drag, spring, charge, magnet, wrench")) return false;
    if (!crm_scene_read_choice(node, "kind", crm_scene_force_words, 5, &kind)) return false;
    force->kind = (crm_scene_force_kind)kind;
    const crm_member *members = crm_scene_force_members[kind];
    const char *keys[CRM_MOST_MEMBERS + 3] = {"kind", "body"};
    int key_count = 2;
    if (kind == CRM_SCENE_SPRING) keys[1] = "a", keys[key_count++] = "b";
    char what[32];
    snprintf(what, sizeof what, "a %s", crm_scene_force_words[kind]);
    bool good = crm_scene_is_object(node, what, keys, crm_scene_list_members(members, keys, key_count));
    set_defaults(force);
    bool numbers = crm_scene_read_members(node, members, &force->def), targets = read_targets(node, data, force);
    carom_vec3 unit;
    if (numbers && kind == CRM_SCENE_MAGNET && crm_normalise(force->def.magnet.axis, &unit) == 0.0) {
        crm_json_node axis = crm_scene_member(node, "axis");
        return crm_scene_error(&axis, "the axis is zero; give a direction, such as [0, 0, 1]");
    }
    return good && targets && numbers && count_forces(node, data, force);
}

// ---- all forces

// Every two charges make a pair, so that many charges are refused before the pairs fill the memory.
static bool check_totals(const crm_json_node *forces, const crm_scene_data *data) {
    int64_t total = 0, charges = 0;
    for (int i = 0; i < data->force_count; i++) {
        const crm_scene_force *force = &data->force[i];
        if (!force->good) continue;
        total += force->count;
        if (force->kind == CRM_SCENE_CHARGE) charges += force->count;
        if (force->kind == CRM_SCENE_MAGNET) charges += 2 * (int64_t)force->count;
    }
    if (!crm_scene_within(forces, (double)total, forces->context->limits.forces, "forces", "forces")) return false;
    if (total > CRM_SCENE_MOST_ITEMS)
        return crm_scene_error(forces, "there are %lld forces on repeated bodies; at most %d are allowed",
                               (long long)total, CRM_SCENE_MOST_ITEMS);
    if (charges * (charges - 1) / 2 > CRM_SCENE_MOST_ITEMS)
        return crm_scene_error(forces, "%lld charges (a magnet has two) make more than %d pairs; use fewer",
                               (long long)charges, CRM_SCENE_MOST_ITEMS);
    return true;
}

void crm_scene_read_forces(const crm_json_node *root, crm_scene_data *data) {
    crm_json_node forces = crm_scene_member(root, "forces");
    if (forces.value == NULL || !crm_scene_is_array(&forces, "an array of forces")) return;
    int count = (int)json_array_size(forces.value);
    data->force = crm_scene_take(root, count, sizeof *data->force);
    if (data->force == NULL) return;
    data->force_count = count;
    for (int i = 0; i < count; i++) {
        crm_json_node node = crm_scene_item(&forces, i);
        data->force[i].good = read_force(&node, data, &data->force[i]);
    }
    if (check_totals(&forces, data)) return;
    for (int i = 0; i < count; i++) data->force[i].good = false;
}
