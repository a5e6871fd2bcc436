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

carom_body_def crm_scene_instance(const crm_scene_body *body, int instance, char name[CRM_SCENE_INSTANCE_NAME]) {
    carom_body_def def = body->def;
    if (body->repeat.kind == CRM_SCENE_ONCE) {
        snprintf(name, CRM_SCENE_INSTANCE_NAME, "%s", def.name);
    } else {
        snprintf(name, CRM_SCENE_INSTANCE_NAME, "%s-%d", def.name, instance);
        if (body->repeat.kind == CRM_SCENE_LATTICE) put_on_lattice(&body->repeat, instance, &def);
        if (body->repeat.kind == CRM_SCENE_RANDOM) put_at_random(&body->repeat, instance, &def);
        rotate_and_throw_at_random(&body->repeat, instance, &def);
    }
    def.name = name;
    return def;
}

bool crm_scene_find_repeated(const crm_scene_data *data, const char *name, crm_scene_target *out) {
    const char *dash = strrchr(name, '-');
    if (dash == NULL || dash[1] == '\0' || (dash[1] == '0' && dash[2] != '\0')) return false;
    int number = 0;
    for (const char *digit = dash + 1; *digit != '\0'; digit++) {
        if (*digit < '0' || *digit > '9' || number > CRM_SCENE_MOST_ITEMS) return false;
        number = 10 * number + (*digit - '0');
    }
    int body = crm_scene_names_find(&data->body_names, name, (size_t)(dash - name));
    if (body < 0 || data->body[body].repeat.kind == CRM_SCENE_ONCE || number >= data->body[body].count) return false;
    *out = (crm_scene_target){.body = body, .instance = number};
    return true;
}
