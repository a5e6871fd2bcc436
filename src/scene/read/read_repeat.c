// SPDX-License-Identifier: MIT
// How often and where a body, flexible or not, is repeated.
#include <math.h>

#include "scene/read/fields.h"
#include "scene/read/read_scene.h"

// What is random about each body, but for its position.
static bool read_chance(const crm_json_node *node, crm_scene_repeat *repeat) {
    // Whole numbers up to 2^53 are exact in JSON readers of every kind.
    static const int64_t largest_seed = (int64_t)1 << 53;
    int64_t seed = 0;
    bool good = crm_scene_read_whole(node, "seed", 0, largest_seed, &seed);
    good &= crm_scene_read_bool(node, "attitude", &repeat->attitude);
    good &= crm_scene_read_number(node, "speed", CRM_SCENE_NOT_NEGATIVE, "m/s", &repeat->speed);
    good &= crm_scene_read_number(node, "spin", CRM_SCENE_NOT_NEGATIVE, "rad/s", &repeat->spin);
    repeat->seed = (uint64_t)seed;
    return good;
}

static bool read_lattice(const crm_json_node *node, crm_scene_repeat *repeat, int *count) {
    static const char *const keys[] = {"count", "spacing", "total", "seed", "attitude", "speed", "spin"};
    bool good = crm_scene_is_object(node, "a lattice", keys, CRM_SCENE_COUNT(keys));
    if (!json_is_object(node->value)) return false;
    good &= crm_scene_require(node, "count", "an array of 3 whole numbers");
    good &= crm_scene_require(node, "spacing", "an array of 3 numbers (m)");
    good &= crm_scene_read_vec3(node, "spacing", CRM_SCENE_ANY, "m", &repeat->spacing);
    good &= read_chance(node, repeat);
    double along[3] = {1.0, 1.0, 1.0};
    good &= crm_scene_read_numbers(node, "count", CRM_SCENE_POSITIVE, "whole", 3, along);
    if (!good) return false;
    double total = along[0] * along[1] * along[2];
    crm_json_node count_node = crm_scene_member(node, "count");
    for (int i = 0; i < 3; i++) {
        if (along[i] != floor(along[i])) return crm_scene_error(&count_node, "needs whole numbers, not %g", along[i]);
    }
    if (total > CRM_SCENE_MOST_ITEMS)
        return crm_scene_error(&count_node, "makes %g bodies; at most %d are allowed", total, CRM_SCENE_MOST_ITEMS);
    int64_t bodies = (int64_t)total;
    if (!crm_scene_read_whole(node, "total", 1, bodies, &bodies)) return false;
    for (int i = 0; i < 3; i++) repeat->lattice[i] = (int)along[i];
    repeat->kind = CRM_SCENE_LATTICE;
    *count = (int)bodies;
    return true;
}

static bool read_box(const crm_json_node *node, crm_scene_repeat *repeat) {
    static const char wanted[] = "two corners, [[x, y, z], [x, y, z]] (m)";
    crm_json_node box = crm_scene_member(node, "box");
    if (!crm_scene_require(node, "box", wanted)) return false;
    if (!json_is_array(box.value) || json_array_size(box.value) != 2) return crm_scene_needs(&box, wanted);
    double low[3], high[3];
    crm_json_node first = crm_scene_item(&box, 0), second = crm_scene_item(&box, 1);
    bool good = crm_scene_numbers_of(&first, CRM_SCENE_ANY, "m", 3, low);
    good &= crm_scene_numbers_of(&second, CRM_SCENE_ANY, "m", 3, high);
    for (int i = 0; good && i < 3; i++) {
        if (low[i] <= high[i] && isfinite(high[i] - low[i])) continue;
        crm_scene_error(&box, "the first corner must be the lower one; along %c it is %g, the second %g", "xyz"[i],
                        low[i], high[i]);
        good = false;
    }
    if (!good) return false;
    repeat->low = (carom_vec3){low[0], low[1], low[2]};
    repeat->high = (carom_vec3){high[0], high[1], high[2]};
    return true;
}

static bool read_random(const crm_json_node *node, crm_scene_repeat *repeat, int *count) {
    static const char *const keys[] = {"count", "seed", "box", "attitude", "speed", "spin"};
    bool good = crm_scene_is_object(node, "a random repeat", keys, CRM_SCENE_COUNT(keys));
    if (!json_is_object(node->value)) return false;
    int64_t bodies = 1;
    good &= crm_scene_require(node, "count", "a whole number");
    good &= crm_scene_read_whole(node, "count", 1, CRM_SCENE_MOST_ITEMS, &bodies);
    good &= read_box(node, repeat);
    good &= read_chance(node, repeat);
    if (!good) return false;
    repeat->kind = CRM_SCENE_RANDOM;
    *count = (int)bodies;
    return true;
}

bool crm_scene_read_repeat(const crm_json_node *object, crm_scene_repeat *out, int *count) {
    static const char *const keys[] = {"lattice", "random"};
    crm_json_node repeat = crm_scene_member(object, "repeat");
    if (repeat.value == NULL) return true;
    bool good = crm_scene_is_object(&repeat, "a repeat", keys, CRM_SCENE_COUNT(keys));
    if (!json_is_object(repeat.value)) return false;
    if (crm_scene_has(&repeat, "lattice") == crm_scene_has(&repeat, "random")) {
        if (good) crm_scene_error(&repeat, "needs either \"lattice\" or \"random\"");
        return false;
    }
    crm_json_node lattice = crm_scene_member(&repeat, "lattice"), random = crm_scene_member(&repeat, "random");
    bool read = lattice.value != NULL ? read_lattice(&lattice, out, count) : read_random(&random, out, count);
    return read && good;
}
