// SPDX-License-Identifier: MIT
// Materials and pairs of them.
#include <string.h>

#include "scene/flexible/flexible.h"
#include "scene/read/fields.h"
#include "scene/read/read_scene.h"

static bool read_surface(const crm_json_node *node, double *friction, double *restitution) {
    bool good = crm_scene_read_number(node, "friction", CRM_SCENE_NOT_NEGATIVE, "", friction);
    return crm_scene_read_number(node, "restitution", CRM_SCENE_FRACTION, "", restitution) && good;
}

static void read_material(const crm_json_node *node, crm_scene_material *material) {
    static const char *const keys[] = {"friction", "restitution", "elastic"};
    material->def = carom_material_def_default();
    material->def.name = node->key;
    material->id.index = -1;
    material->good = crm_scene_name_is_good(node, node->key);
    material->good &= crm_scene_is_object(node, "a material", keys, CRM_SCENE_COUNT(keys));
    if (json_is_object(node->value))
        material->good &= read_surface(node, &material->def.friction, &material->def.restitution) &
                          crm_scene_read_elastic(node, material);
}

static void read_pair(const crm_json_node *node, const crm_scene_data *data, crm_scene_material_pair *pair) {
    static const char *const keys[] = {"pair", "friction", "restitution"};
    static const char wanted[] = "an array of the names of two materials";
    pair->a = pair->b = -1;
    pair->good = crm_scene_is_object(node, "a pair of materials", keys, CRM_SCENE_COUNT(keys));
    if (!json_is_object(node->value)) return;
    bool whole = crm_scene_require(node, "friction", "a number of at least 0");
    whole &= crm_scene_require(node, "restitution", "a number from 0 to 1");
    pair->good &= read_surface(node, &pair->friction, &pair->restitution) && whole;
    if (!crm_scene_require(node, "pair", wanted)) {
        pair->good = false;
        return;
    }
    crm_json_node names = crm_scene_member(node, "pair");
    if (!json_is_array(names.value) || json_array_size(names.value) != 2) {
        crm_scene_needs(&names, wanted);
        pair->good = false;
        return;
    }
    crm_json_node first = crm_scene_item(&names, 0), second = crm_scene_item(&names, 1);
    pair->good &= crm_scene_reference_of(&first, "a material", &data->material_names, &pair->a);
    pair->good &= crm_scene_reference_of(&second, "a material", &data->material_names, &pair->b);
}

// A pair may be given once, in either order. Pairs are few: comparing all is fast enough up to some thousands.
static void check_repeated_pair(const crm_json_node *node, const crm_scene_data *data, int index) {
    crm_scene_material_pair *pair = &data->pair[index];
    for (int i = 0; i < index && pair->good; i++) {
        const crm_scene_material_pair *other = &data->pair[i];
        bool same = (other->a == pair->a && other->b == pair->b) || (other->a == pair->b && other->b == pair->a);
        if (!other->good || !same) continue;
        crm_scene_error(node, "this pair is given by material_pairs[%d] already; remove one", i);
        pair->good = false;
    }
}

static void read_pairs(const crm_json_node *root, crm_scene_data *data) {
    crm_json_node pairs = crm_scene_member(root, "material_pairs");
    if (pairs.value == NULL || !crm_scene_is_array(&pairs, "an array of pairs of materials")) return;
    int count = (int)json_array_size(pairs.value);
    enum { MOST_PAIRS = 10000 };
    if (count > MOST_PAIRS) {
        crm_scene_error(&pairs, "has %d pairs; at most %d are allowed", count, MOST_PAIRS);
        return;
    }
    data->pair = crm_scene_take(root, count, sizeof *data->pair);
    if (data->pair == NULL) return;
    data->pair_count = count;
    for (int i = 0; i < count; i++) {
        crm_json_node node = crm_scene_item(&pairs, i);
        read_pair(&node, data, &data->pair[i]);
        check_repeated_pair(&node, data, i);
    }
}

void crm_scene_read_materials(const crm_json_node *root, crm_scene_data *data) {
    crm_json_node materials = crm_scene_member(root, "materials");
    if (materials.value != NULL && !json_is_object(materials.value))
        crm_scene_needs(&materials, "an object of materials by their names");
    data->material = crm_scene_take(root, (int)json_object_size(materials.value), sizeof *data->material);
    if (data->material == NULL) return;
    const char *name;
    json_t *value;
    json_object_foreach(materials.value, name, value) {
        crm_json_node node = crm_scene_member(&materials, name);
        int index = data->material_count++;
        read_material(&node, &data->material[index]);
        if (crm_scene_names_add(&data->material_names, &root->context->arena, name, strlen(name), index)) continue;
        root->context->no_memory = true;
        return;
    }
    read_pairs(root, data);
}
