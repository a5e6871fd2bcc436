// SPDX-License-Identifier: MIT
// The plan: how many intervals, how long, and what its other members give.
#include <string.h>

#include "scene/plan/scene_plan.h"
#include "scene/read/fields.h"
#include "scene/read/read_scene.h"

enum { LEAST_INTERVALS = 2, MOST_INTERVALS = 2000, MOST_LEVELS = 8, MOST_STARTS = 1000 };

// Of free time, over its guess, where the scene gives no bounds.
static const double time_factor = 10.0;
// Numbers of JSON are doubles: whole ones are exact up to here.
static const int64_t most_seed = INT64_C(1) << 53;

// ---- time

static bool read_free_time(const crm_json_node *node, carom_plan_def *def) {
    static const char *const keys[] = {"guess", "least", "most", "weight"};
    bool good = crm_scene_is_object(node, "a free time", keys, CRM_SCENE_COUNT(keys));
    good &= crm_scene_require(node, "guess", "a positive number (s)");
    if (!crm_scene_read_number(node, "guess", CRM_SCENE_POSITIVE, "s", &def->time) || !good) return false;
    def->time_free = true;
    def->time_least = def->time / time_factor;
    def->time_most = def->time * time_factor;
    good &= crm_scene_read_number(node, "least", CRM_SCENE_POSITIVE, "s", &def->time_least);
    good &= crm_scene_read_number(node, "most", CRM_SCENE_POSITIVE, "s", &def->time_most);
    good &= crm_scene_read_number(node, "weight", CRM_SCENE_NOT_NEGATIVE, "1/s", &def->time_weight);
    if (!good || (def->time_least <= def->time && def->time <= def->time_most)) return good;
    return crm_scene_error(node, "the guess is %g s, and the time may be %g to %g s; make it one of these", def->time,
                           def->time_least, def->time_most);
}

static bool read_time(const crm_json_node *plan, carom_plan_def *def) {
    crm_json_node node = crm_scene_member(plan, "time");
    if (!crm_scene_require(plan, "time", "a positive number (s), or {\"guess\": ..} for free time")) return false;
    if (json_is_object(node.value)) return read_free_time(&node, def);
    return crm_scene_number_of(&node, CRM_SCENE_POSITIVE, "s", &def->time);
}

// ---- numbers

static bool read_whole(const crm_json_node *plan, const char *key, int low, int high, int *out) {
    int64_t number = *out;
    if (!crm_scene_read_whole(plan, key, low, high, &number)) return false;
    *out = (int)number;
    return true;
}

static bool read_numbers(const crm_json_node *plan, carom_plan_def *def) {
    int64_t seed = 0;
    bool good = read_whole(plan, "starts", 1, MOST_STARTS, &def->starts);
    good &= crm_scene_read_whole(plan, "seed", 0, most_seed, &seed);
    def->seed = (uint64_t)seed;
    good &= crm_scene_read_number(plan, "tolerance", CRM_SCENE_POSITIVE, "", &def->tolerance);
    crm_json_node tolerance = crm_scene_member(plan, "tolerance"), levels = crm_scene_member(plan, "levels");
    if (good && !(def->tolerance < 1.0)) good = crm_scene_needs(&tolerance, "a number between 0 and 1");
    if (!read_whole(plan, "levels", 1, MOST_LEVELS, &def->levels)) return false;
    int coarsest = def->intervals >> (def->levels - 1);
    if (def->intervals == 0 || (coarsest >= LEAST_INTERVALS && coarsest << (def->levels - 1) == def->intervals))
        return good;
    return crm_scene_error(&levels, "%d levels halve %d intervals %d times, which must leave %d or more and no rest",
                           def->levels, def->intervals, def->levels - 1, LEAST_INTERVALS);
}

bool crm_plan_read_node(const crm_plan_reading *r, const crm_json_node *object, int most, int *out) {
    crm_json_node node = crm_scene_member(object, "node");
    int step = 1 << (r->plan->def.levels - 1);
    int64_t number = 1;
    if (!crm_scene_require(object, "node", "a whole number")) return false;
    if (r->plan->def.intervals == 0) return true; // that was reported
    if (!crm_scene_read_whole(object, "node", 1, most, &number)) return false;
    *out = (int)number;
    if (*out % step == 0) return true;
    return crm_scene_error(&node, "is %d, which is no node of the coarsest of %d levels; give a multiple of %d", *out,
                           r->plan->def.levels, step);
}

// ---- what the model has before each of the scene's

static const int *number_bodies(const crm_json_node *root, const crm_scene_data *data) {
    int *first = crm_scene_take(root, data->body_count + 1, sizeof *first);
    for (int i = 0; i < data->body_count && first != NULL; i++) first[i + 1] = first[i] + data->body[i].count;
    return first;
}

static const int *number_joints(const crm_json_node *root, const crm_scene_data *data) {
    int *first = crm_scene_take(root, data->joint_count + 1, sizeof *first);
    for (int i = 0; i < data->joint_count && first != NULL; i++) first[i + 1] = first[i] + data->joint[i].count;
    return first;
}

static bool name_joints(const crm_json_node *root, crm_plan_reading *r) {
    for (int i = 0; i < r->data->joint_count; i++) {
        const char *name = r->data->joint[i].def.name;
        if (name == NULL || crm_scene_names_find(&r->joint_names, name, strlen(name)) >= 0) continue;
        if (!crm_scene_names_add(&r->joint_names, &root->context->arena, name, strlen(name), i)) return false;
    }
    return true;
}

// ---- all of it

static void read_members(crm_plan_reading *r, const crm_json_node *plan) {
    static const char *const keys[] = {"intervals", "time",   "controls", "start",    "through",
                                       "end",       "avoid",  "contacts", "discover", "penalty",
                                       "guess",     "levels", "starts",   "seed",     "tolerance"};
    carom_plan_def *def = &r->plan->def;
    crm_scene_is_object(plan, "a plan", keys, CRM_SCENE_COUNT(keys));
    if (crm_scene_require(plan, "intervals", "a whole number"))
        read_whole(plan, "intervals", LEAST_INTERVALS, MOST_INTERVALS, &def->intervals);
    read_time(plan, def);
    read_numbers(plan, def);
    crm_plan_read_controls(r, plan);
    crm_plan_read_conditions(r, plan);
    crm_plan_read_touching(r, plan);
    crm_plan_read_guess(r, plan);
}

void crm_scene_read_plan(const crm_json_node *root, crm_scene_data *data) {
    crm_json_node plan = crm_scene_member(root, "plan"), flexible = crm_scene_member(root, "flexible");
    if (plan.value == NULL) return;
    if (!json_is_object(plan.value)) {
        crm_scene_needs(&plan, "an object for a plan");
        return;
    }
    if (data->flex_count > 0)
        crm_scene_error(&flexible, "a plan is of rigid bodies; remove the flexible ones, or the \"plan\"");
    crm_plan_reading r = {.data = data,
                          .first_body = number_bodies(root, data),
                          .first_joint = number_joints(root, data),
                          .plan = crm_scene_take(root, 1, sizeof *r.plan)};
    if (root->context->no_memory) return;
    r.plan->def = carom_plan_def_default();
    r.plan->recording = "";
    data->plan = r.plan;
    if (name_joints(root, &r))
        read_members(&r, &plan);
    else
        root->context->no_memory = true;
}
