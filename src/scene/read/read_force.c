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

// The members that each kind has.
static const char *const force_keys[5][8] = {
    [CRM_SCENE_DRAG] = {"kind", "body", "linear", "quadratic", "angular"},
    [CRM_SCENE_SPRING] = {"kind", "a", "b", "point_a", "point_b", "stiffness", "damping", "rest_length"},
    [CRM_SCENE_CHARGE] = {"kind", "body", "point", "charge"},
    [CRM_SCENE_MAGNET] = {"kind", "body", "centre", "axis", "length", "strength"},
    [CRM_SCENE_WRENCH] = {"kind", "body", "point", "force", "torque", "in_body_axes"},
};

static bool count_forces(const crm_json_node *node, const crm_scene_data *data, crm_scene_force *force) {
    if (force->kind == CRM_SCENE_SPRING) return crm_scene_count_pairs(node, data, force->a, force->b, &force->count);
    force->count = crm_scene_target_count(data, force->a);
    return true;
}

// ---- kinds

static bool read_drag(const crm_json_node *node, carom_drag_def *def) {
    bool good = crm_scene_read_number(node, "linear", CRM_SCENE_NOT_NEGATIVE, "N s/m", &def->linear);
    good &= crm_scene_read_number(node, "quadratic", CRM_SCENE_NOT_NEGATIVE, "N s^2/m^2", &def->quadratic);
    return crm_scene_read_number(node, "angular", CRM_SCENE_NOT_NEGATIVE, "N m s", &def->angular) && good;
}

static bool read_spring(const crm_json_node *node, carom_spring_def *def) {
    bool good = crm_scene_require(node, "stiffness", "a number of at least 0 (N/m)");
    good &= crm_scene_read_number(node, "stiffness", CRM_SCENE_NOT_NEGATIVE, "N/m", &def->stiffness);
    good &= crm_scene_read_number(node, "damping", CRM_SCENE_NOT_NEGATIVE, "N s/m", &def->damping);
    good &= crm_scene_read_number(node, "rest_length", CRM_SCENE_NOT_NEGATIVE, "m", &def->rest_length);
    good &= crm_scene_read_vec3(node, "point_a", CRM_SCENE_ANY, "m", &def->point_a);
    return crm_scene_read_vec3(node, "point_b", CRM_SCENE_ANY, "m", &def->point_b) && good;
}

static bool read_charge(const crm_json_node *node, carom_charge_def *def) {
    bool good = crm_scene_require(node, "charge", "a number (C)");
    good &= crm_scene_read_number(node, "charge", CRM_SCENE_ANY, "C", &def->charge);
    return crm_scene_read_vec3(node, "point", CRM_SCENE_ANY, "m", &def->point) && good;
}

static bool read_magnet(const crm_json_node *node, carom_magnet_def *def) {
    bool good = crm_scene_require(node, "length", "a positive number (m)");
    good &= crm_scene_require(node, "strength", "a number (C)");
    good &= crm_scene_read_number(node, "length", CRM_SCENE_POSITIVE, "m", &def->length);
    good &= crm_scene_read_number(node, "strength", CRM_SCENE_ANY, "C", &def->strength);
    good &= crm_scene_read_vec3(node, "centre", CRM_SCENE_ANY, "m", &def->centre);
    good &= crm_scene_read_vec3(node, "axis", CRM_SCENE_ANY, "", &def->axis);
    carom_vec3 unit;
    if (good && crm_normalise(def->axis, &unit) == 0.0) {
        crm_json_node axis = crm_scene_member(node, "axis");
        crm_scene_error(&axis, "the axis is zero; give a direction, such as [0, 0, 1]");
        good = false;
    }
    return good;
}

static bool read_wrench(const crm_json_node *node, carom_wrench_def *def) {
    bool good = crm_scene_read_vec3(node, "point", CRM_SCENE_ANY, "m", &def->point);
    good &= crm_scene_read_vec3(node, "force", CRM_SCENE_ANY, "N", &def->force);
    good &= crm_scene_read_vec3(node, "torque", CRM_SCENE_ANY, "N m", &def->torque);
    return crm_scene_read_bool(node, "in_body_axes", &def->in_body_axes) && good;
}

static bool read_kind(const crm_json_node *node, const crm_scene_data *data, crm_scene_force *force) {
    bool fields, world_allowed = false;
    switch (force->kind) {
    case CRM_SCENE_DRAG:
        force->def.drag = carom_drag_def_default();
        fields = read_drag(node, &force->def.drag);
        break;
    case CRM_SCENE_SPRING:
        force->def.spring = carom_spring_def_default();
        fields = crm_scene_read_target(node, "a", true, data, &force->a);
        fields &= crm_scene_read_target(node, "b", true, data, &force->b);
        return read_spring(node, &force->def.spring) && fields;
    case CRM_SCENE_CHARGE:
        force->def.charge = carom_charge_def_default();
        world_allowed = true;
        fields = read_charge(node, &force->def.charge);
        break;
    case CRM_SCENE_MAGNET:
        force->def.magnet = carom_magnet_def_default();
        world_allowed = true;
        fields = read_magnet(node, &force->def.magnet);
        break;
    default:
        force->def.wrench = carom_wrench_def_default();
        fields = read_wrench(node, &force->def.wrench);
    }
    return crm_scene_read_target(node, "body", world_allowed, data, &force->a) && fields;
}

static bool read_force(const crm_json_node *node, const crm_scene_data *data, crm_scene_force *force) {
    int kind = -1;
    *force = (crm_scene_force){.a = {.body = -1}, .b = {.body = -1}};
    if (!json_is_object(node->value)) return crm_scene_needs(node, "an object for a force");
    if (!crm_scene_require(node, "kind", "one of drag, spring, charge, magnet, wrench")) return false;
    if (!crm_scene_read_choice(node, "kind", crm_scene_force_words, 5, &kind)) return false;
    force->kind = (crm_scene_force_kind)kind;
    int key_count = 0;
    while (key_count < 8 && force_keys[kind][key_count] != NULL) key_count++;
    char what[32];
    snprintf(what, sizeof what, "a %s", crm_scene_force_words[kind]);
    bool known = crm_scene_is_object(node, what, force_keys[kind], key_count);
    return read_kind(node, data, force) && known && count_forces(node, data, force);
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
