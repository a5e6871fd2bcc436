// SPDX-License-Identifier: MIT
// Forces.
#include <stdio.h>
#include <string.h>

#include "math/vec3.h"
#include "scene/flexible/flexible.h"
#include "scene/read/fields.h"
#include "scene/read/read_scene.h"

const char *const crm_scene_force_words[CRM_SCENE_FORCE_COUNT] = {
    [CRM_SCENE_DRAG] = "drag",         [CRM_SCENE_SPRING] = "spring",
    [CRM_SCENE_CHARGE] = "charge",     [CRM_SCENE_MAGNET] = "magnet",
    [CRM_SCENE_WRENCH] = "wrench",     [CRM_SCENE_PAIR] = "pair",
    [CRM_SCENE_CENTRAL] = "central",   [CRM_SCENE_ATMOSPHERE] = "atmosphere",
    [CRM_SCENE_SUNLIGHT] = "sunlight", [CRM_SCENE_FIELD] = "field",
    [CRM_SCENE_LOAD] = "load",
};

const char *const crm_scene_law_words[CAROM_PAIR_LAW_COUNT] = {
    [CAROM_PAIR_LAW_SPRING] = "spring",
    [CAROM_PAIR_LAW_CHARGE] = "charge",
    [CAROM_PAIR_LAW_POWER] = "power",
    [CAROM_PAIR_LAW_TABLE] = "table",
};

static const crm_member force_members[CRM_SCENE_FORCE_COUNT][CRM_MOST_MEMBERS] = {
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
    [CRM_SCENE_CENTRAL] = {CRM_VECTOR(carom_central_def, centre, "m"),
                           CRM_NEEDED(carom_central_def, mu, CRM_SCENE_NOT_NEGATIVE, "m^3/s^2"),
                           CRM_NUMBER(carom_central_def, j2, CRM_SCENE_ANY, ""),
                           CRM_NUMBER(carom_central_def, radius, CRM_SCENE_NOT_NEGATIVE, "m"),
                           CRM_VECTOR(carom_central_def, axis, ""), CRM_TRUTH(carom_central_def, extended)},
    [CRM_SCENE_ATMOSPHERE] = {CRM_VECTOR(carom_atmosphere_def, centre, "m"),
                              CRM_NEEDED(carom_atmosphere_def, radius, CRM_SCENE_NOT_NEGATIVE, "m"),
                              CRM_NEEDED(carom_atmosphere_def, density, CRM_SCENE_NOT_NEGATIVE, "kg/m^3"),
                              CRM_NEEDED(carom_atmosphere_def, scale_height, CRM_SCENE_POSITIVE, "m"),
                              CRM_NEEDED(carom_atmosphere_def, drag_area, CRM_SCENE_NOT_NEGATIVE, "m^2"),
                              CRM_VECTOR(carom_atmosphere_def, rotation, "rad/s")},
    [CRM_SCENE_SUNLIGHT] = {CRM_VECTOR(carom_sunlight_def, direction, ""),
                            CRM_NEEDED(carom_sunlight_def, pressure, CRM_SCENE_NOT_NEGATIVE, "N/m^2"),
                            CRM_NEEDED(carom_sunlight_def, area, CRM_SCENE_NOT_NEGATIVE, "m^2"),
                            CRM_NUMBER(carom_sunlight_def, reflectivity, CRM_SCENE_FRACTION, ""),
                            CRM_VECTOR(carom_sunlight_def, centre, "m"),
                            CRM_NUMBER(carom_sunlight_def, shadow_radius, CRM_SCENE_NOT_NEGATIVE, "m")},
    [CRM_SCENE_FIELD] = {CRM_VECTOR(carom_grid_def, origin, "m"),
                         {"spacing", CRM_MEMBER_VECTOR, CRM_SCENE_POSITIVE, "m", offsetof(carom_grid_def, spacing),
                          false}},
    [CRM_SCENE_LOAD] = {CRM_VECTOR(crm_scene_load, force, "N")},
};

static const crm_member pair_members[CAROM_PAIR_LAW_COUNT][CRM_MOST_MEMBERS] = {
    [CAROM_PAIR_LAW_SPRING] = {CRM_VECTOR(carom_pair_def, point_a, "m"), CRM_VECTOR(carom_pair_def, point_b, "m"),
                               CRM_NEEDED(carom_pair_def, stiffness, CRM_SCENE_NOT_NEGATIVE, "N/m"),
                               CRM_NUMBER(carom_pair_def, rest_length, CRM_SCENE_NOT_NEGATIVE, "m")},
    [CAROM_PAIR_LAW_CHARGE] = {CRM_VECTOR(carom_pair_def, point_a, "m"), CRM_VECTOR(carom_pair_def, point_b, "m"),
                               CRM_NEEDED(carom_pair_def, charge_a, CRM_SCENE_ANY, "C"),
                               CRM_NEEDED(carom_pair_def, charge_b, CRM_SCENE_ANY, "C")},
    [CAROM_PAIR_LAW_POWER] = {CRM_VECTOR(carom_pair_def, point_a, "m"), CRM_VECTOR(carom_pair_def, point_b, "m"),
                              CRM_NUMBER(carom_pair_def, repulsion, CRM_SCENE_ANY, "N m^repulsion_exponent"),
                              CRM_NUMBER(carom_pair_def, repulsion_exponent, CRM_SCENE_NOT_NEGATIVE, ""),
                              CRM_NUMBER(carom_pair_def, attraction, CRM_SCENE_ANY, "N m^attraction_exponent"),
                              CRM_NUMBER(carom_pair_def, attraction_exponent, CRM_SCENE_NOT_NEGATIVE, "")},
    [CAROM_PAIR_LAW_TABLE] = {CRM_VECTOR(carom_pair_def, point_a, "m"), CRM_VECTOR(carom_pair_def, point_b, "m"),
                              CRM_TRUTH(carom_pair_def, smooth)},
};

const crm_member *crm_scene_force_members(const crm_scene_force *force) {
    return force->kind == CRM_SCENE_PAIR ? pair_members[force->def.pair.law] : force_members[force->kind];
}

static bool count_forces(const crm_json_node *node, const crm_scene_data *data, crm_scene_force *force) {
    if (crm_scene_force_has_ends(force->kind))
        return crm_scene_count_pairs(node, data, force->a, force->b, &force->count);
    force->count = crm_scene_target_count(data, force->a);
    if (force->kind == CRM_SCENE_LOAD) force->count /= force->a.nodes->count;
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
    case CRM_SCENE_PAIR:
        force->def.pair = carom_pair_def_default();
        break;
    case CRM_SCENE_CENTRAL:
        force->def.central = carom_central_def_default();
        break;
    case CRM_SCENE_ATMOSPHERE:
        force->def.atmosphere = carom_atmosphere_def_default();
        break;
    case CRM_SCENE_SUNLIGHT:
        force->def.sunlight = carom_sunlight_def_default();
        break;
    case CRM_SCENE_FIELD:
        force->def.grid = carom_grid_def_default();
        break;
    case CRM_SCENE_LOAD:
        force->def.load = (crm_scene_load){.share = NULL};
        break;
    default:
        force->def.wrench = carom_wrench_def_default();
    }
}

// The nodes that share a load.
static bool read_loaded(const crm_json_node *node, const crm_scene_data *data, crm_scene_force *force) {
    static const char wanted[] = "nodes of a flexible body, {\"flexible\": name, \"nodes\": ..}";
    crm_json_node body = crm_scene_member(node, "body");
    if (!crm_scene_require(node, "body", wanted) || !crm_scene_require(node, "force", "an array of 3 numbers (N)"))
        return false;
    if (!json_is_object(body.value)) return crm_scene_error(&body, "needs %s; a rigid body takes a \"wrench\"", wanted);
    if (!crm_scene_read_nodes(&body, data, &force->a)) return false;
    force->def.load.share = crm_scene_node_shares(node, data->flex[force->a.nodes->flex].mesh.made, force->a.nodes);
    return force->def.load.share != NULL;
}

// What the force acts on: one body, or two ends. The world cannot be moved.
static bool read_targets(const crm_json_node *node, const crm_scene_data *data, crm_scene_force *force) {
    if (force->kind == CRM_SCENE_LOAD) return read_loaded(node, data, force);
    if (!crm_scene_force_has_ends(force->kind)) {
        bool world_allowed = force->kind == CRM_SCENE_CHARGE || force->kind == CRM_SCENE_MAGNET;
        return crm_scene_read_target(node, "body", world_allowed, data, &force->a);
    }
    bool good = crm_scene_read_target(node, "a", true, data, &force->a);
    return crm_scene_read_target(node, "b", true, data, &force->b) && good;
}

static bool read_kind(const crm_json_node *node, crm_scene_force *force) {
    static const char kinds[] =
        "one of drag, spring, charge, magnet, wrench, pair, central, atmosphere, sunlight, field, load";
    int kind = -1, law = -1;
    if (!json_is_object(node->value)) return crm_scene_needs(node, "an object for a force");
    if (!crm_scene_require(node, "kind", kinds)) return false;
    if (!crm_scene_read_choice(node, "kind", crm_scene_force_words, CRM_SCENE_FORCE_COUNT, &kind)) return false;
    force->kind = (crm_scene_force_kind)kind;
    set_defaults(force);
    if (force->kind != CRM_SCENE_PAIR) return true;
    if (!crm_scene_require(node, "law", "one of spring, charge, power, table")) return false;
    if (!crm_scene_read_choice(node, "law", crm_scene_law_words, CAROM_PAIR_LAW_COUNT, &law)) return false;
    force->def.pair.law = (carom_pair_law)law;
    return true;
}

// Whether the object has the keys of its kind only.
static bool check_keys(const crm_json_node *node, const crm_scene_force *force) {
    static const char *const grid_keys[] = {"file", "count", "force", "torque", "energy"};
    const char *keys[CRM_MOST_MEMBERS + 7] = {"kind", "body"};
    int count = 2;
    if (crm_scene_force_has_ends(force->kind)) keys[1] = "a", keys[count++] = "b";
    if (force->kind == CRM_SCENE_PAIR) keys[count++] = "law";
    if (force->kind == CRM_SCENE_PAIR && force->def.pair.law == CAROM_PAIR_LAW_TABLE)
        keys[count++] = "distance", keys[count++] = "force";
    for (int i = 0; force->kind == CRM_SCENE_FIELD && i < CRM_SCENE_COUNT(grid_keys); i++) keys[count++] = grid_keys[i];
    char what[64];
    if (force->kind == CRM_SCENE_PAIR)
        snprintf(what, sizeof what, "a pair with the law %s", crm_scene_law_words[force->def.pair.law]);
    else
        snprintf(what, sizeof what, "%s %s", strchr("a", crm_scene_force_words[force->kind][0]) != NULL ? "an" : "a",
                 crm_scene_force_words[force->kind]);
    return crm_scene_is_object(node, what, keys, crm_scene_list_members(crm_scene_force_members(force), keys, count));
}

// Directions must not be zero.
static bool check_direction(const crm_json_node *node, const char *key, carom_vec3 v) {
    carom_vec3 unit;
    if (crm_normalise(v, &unit) > 0.0) return true;
    crm_json_node member = crm_scene_member(node, key);
    return crm_scene_error(&member, "the %s is zero; give a direction, such as [0, 0, 1]", key);
}

static bool read_numbers(const crm_json_node *node, crm_scene_force *force) {
    if (!crm_scene_read_members(node, crm_scene_force_members(force), &force->def)) return false;
    switch (force->kind) {
    case CRM_SCENE_MAGNET:
        return check_direction(node, "axis", force->def.magnet.axis);
    case CRM_SCENE_CENTRAL:
        return check_direction(node, "axis", force->def.central.axis);
    case CRM_SCENE_SUNLIGHT:
        return check_direction(node, "direction", force->def.sunlight.direction);
    case CRM_SCENE_PAIR:
        return force->def.pair.law != CAROM_PAIR_LAW_TABLE || crm_scene_read_table(node, &force->def.pair);
    case CRM_SCENE_FIELD:
        return crm_scene_read_grid(node, &force->def.grid);
    default:
        return true;
    }
}

static bool read_force(const crm_json_node *node, const crm_scene_data *data, crm_scene_force *force) {
    *force = (crm_scene_force){.a = {.body = -1}, .b = {.body = -1}};
    if (!read_kind(node, force)) return false;
    bool good = check_keys(node, force);
    bool numbers = read_numbers(node, force), targets = read_targets(node, data, force);
    return good && targets && numbers && count_forces(node, data, force);
}

// ---- all forces

// Every two charges make a pair, so that many charges are refused before the pairs fill the memory.
static bool check_totals(const crm_json_node *forces, const crm_scene_data *data) {
    int64_t total = 0, charges = 0;
    for (int i = 0; i < data->force_count; i++) {
        const crm_scene_force *force = &data->force[i];
        if (!force->good) continue;
        total += (int64_t)force->count * (force->kind == CRM_SCENE_LOAD ? force->a.nodes->count : 1);
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
