// SPDX-License-Identifier: MIT
#include "scene/instance.h"

#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "math/quat.h"

static void put_on_lattice(const crm_scene_repeat *repeat, int instance, carom_body_def *def) {
    int i = instance % repeat->lattice[0], rest = instance / repeat->lattice[0];
    int j = rest % repeat->lattice[1], k = rest / repeat->lattice[1];
    def->position = crm_add(def->position, crm_vec3_mul(crm_vec3(i, j, k), repeat->spacing));
}

// Every body has a stream of its own, and every quantity an index in it: a body does not move when another quantity is
// made random or the count grows.
enum { POSITION = 0, ATTITUDE = 3, VELOCITY = 4, SPIN = 5 };

static void put_at_random(const crm_scene_repeat *repeat, int instance, carom_body_def *def) {
    crm_random random = {.seed = repeat->seed, .stream = (uint32_t)instance};
    carom_vec3 offset = {crm_random_between_at(&random, POSITION, repeat->low.x, repeat->high.x),
                         crm_random_between_at(&random, POSITION + 1, repeat->low.y, repeat->high.y),
                         crm_random_between_at(&random, POSITION + 2, repeat->low.z, repeat->high.z)};
    def->position = crm_add(def->position, offset);
}

static void rotate_and_throw_at_random(const crm_scene_repeat *repeat, int instance, carom_body_def *def) {
    crm_random random = {.seed = repeat->seed, .stream = (uint32_t)instance};
    if (repeat->attitude) def->attitude = crm_quat_mul(crm_random_rotation_at(&random, ATTITUDE), def->attitude);
    if (repeat->speed > 0.0)
        def->velocity = crm_madd(def->velocity, repeat->speed, crm_random_direction_at(&random, VELOCITY));
    if (repeat->spin > 0.0) def->spin = crm_madd(def->spin, repeat->spin, crm_random_direction_at(&random, SPIN));
}

void crm_scene_place_instance(const crm_scene_repeat *repeat, int instance, carom_body_def *def,
                              char name[CRM_SCENE_INSTANCE_NAME]) {
    if (repeat->kind == CRM_SCENE_ONCE) {
        snprintf(name, CRM_SCENE_INSTANCE_NAME, "%s", def->name);
    } else {
        snprintf(name, CRM_SCENE_INSTANCE_NAME, "%s-%d", def->name, instance);
        if (repeat->kind == CRM_SCENE_LATTICE) put_on_lattice(repeat, instance, def);
        if (repeat->kind == CRM_SCENE_RANDOM) put_at_random(repeat, instance, def);
        rotate_and_throw_at_random(repeat, instance, def);
    }
    def->name = name;
}

carom_body_def crm_scene_instance(const crm_scene_body *body, int instance, char name[CRM_SCENE_INSTANCE_NAME]) {
    carom_body_def def = body->def;
    crm_scene_place_instance(&body->repeat, instance, &def, name);
    return def;
}

bool crm_scene_split_name(const char *name, size_t size, size_t *stem, int *number) {
    size_t dash = size;
    while (dash > 0 && name[dash - 1] != '-') dash--;
    if (dash == 0 || dash == size || (name[dash] == '0' && dash + 1 < size)) return false;
    *number = 0;
    for (size_t i = dash; i < size; i++) {
        if (name[i] < '0' || name[i] > '9' || *number > CRM_SCENE_MOST_ITEMS) return false;
        *number = 10 * *number + (name[i] - '0');
    }
    *stem = dash - 1;
    return true;
}

bool crm_scene_find_repeated(const crm_scene_data *data, const char *name, crm_scene_target *out) {
    size_t stem;
    int number;
    if (!crm_scene_split_name(name, strlen(name), &stem, &number)) return false;
    int body = crm_scene_names_find(&data->body_names, name, stem);
    if (body < 0 || data->body[body].repeat.kind == CRM_SCENE_ONCE || number >= data->body[body].count) return false;
    *out = (crm_scene_target){.body = body, .instance = number};
    return true;
}
