// SPDX-License-Identifier: MIT
// Conditions: where bodies are, and how they move, at the start, at nodes between, and at the end.
#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "scene/plan/scene_plan.h"
#include "scene/read/fields.h"
#include "scene/read/read_scene.h"

enum {
    MOST_DIRECTIONS = sizeof((carom_plan_condition *)0)->direction / sizeof((carom_plan_condition *)0)->direction[0]
};

// Of a condition, where it stands: the members of "through" have a node.
typedef struct condition_list {
    const char *key, *what;
    int node; // -1: given by each
} condition_list;

// ---- boxes

// Three numbers, or null for a side that is open.
static bool read_corner(const crm_json_node *box, const char *key, carom_vec3 *out) {
    crm_json_node node = crm_scene_member(box, key);
    if (node.value == NULL) return true;
    if (!json_is_array(node.value) || json_array_size(node.value) != 3)
        return crm_scene_needs(&node, "an array of 3 numbers (m), or null where the box is open");
    double v[3] = {out->x, out->y, out->z};
    bool good = true;
    for (int i = 0; i < 3; i++) {
        crm_json_node item = crm_scene_item(&node, i);
        if (json_is_null(item.value)) continue;
        good &= crm_scene_number_of(&item, CRM_SCENE_ANY, "m, or null where the box is open", &v[i]);
    }
    *out = crm_vec3(v[0], v[1], v[2]);
    return good;
}

static bool read_box(const crm_json_node *node, carom_plan_condition *c) {
    static const char *const keys[] = {"low", "high"};
    crm_json_node box = crm_scene_member(node, "box");
    if (box.value == NULL) return true;
    c->has_box = true;
    bool good = crm_scene_is_object(&box, "a box of a plan", keys, CRM_SCENE_COUNT(keys));
    if (!json_is_object(box.value)) return false;
    good &= read_corner(&box, "low", &c->box_low);
    good &= read_corner(&box, "high", &c->box_high);
    for (int i = 0; good && i < 3; i++) {
        double low = crm_component(c->box_low, i), high = crm_component(c->box_high, i);
        if (low > high)
            return crm_scene_error(&box, "is empty along %c: from %g to %g; exchange them", "xyz"[i], low, high);
    }
    if (!good || !c->has_position) return good;
    return crm_scene_error(&box, "gives a place that \"position\" gives already; remove one of them");
}

// ---- directions

static bool read_unit(const crm_json_node *node, const char *key, carom_vec3 *out) {
    crm_json_node at = crm_scene_member(node, key);
    carom_vec3 unit;
    if (!crm_scene_require(node, key, "an array of 3 numbers") ||
        !crm_scene_read_vec3(node, key, CRM_SCENE_ANY, "", out))
        return false;
    return crm_normalise(*out, &unit) > 0.0 || crm_scene_error(&at, "is zero; give a direction, such as [0, 0, 1]");
}

static bool read_direction(const crm_json_node *node, carom_vec3 *axis, carom_vec3 *toward, double *least) {
    static const char *const keys[] = {"axis", "toward", "least"};
    bool good = crm_scene_is_object(node, "a direction", keys, CRM_SCENE_COUNT(keys));
    if (!json_is_object(node->value)) return false;
    good &= read_unit(node, "axis", axis) & read_unit(node, "toward", toward);
    crm_json_node at = crm_scene_member(node, "least");
    if (!crm_scene_require(node, "least", "a cosine, from -1 to 1") ||
        !crm_scene_read_number(node, "least", CRM_SCENE_ANY, "", least))
        return false;
    if (fabs(*least) <= 1.0) return good;
    return crm_scene_error(&at, "is the cosine of an angle; %g is not from -1 to 1", *least);
}

static bool read_directions(const crm_json_node *node, carom_plan_condition *c) {
    crm_json_node list = crm_scene_member(node, "directions");
    if (list.value == NULL) return true;
    if (!crm_scene_is_array(&list, "an array of directions, {\"axis\", \"toward\", \"least\"}")) return false;
    int count = (int)json_array_size(list.value);
    if (count > MOST_DIRECTIONS)
        return crm_scene_error(&list, "has %d directions; a condition has at most %d", count, (int)MOST_DIRECTIONS);
    bool good = true;
    for (int i = 0; i < count; i++) {
        crm_json_node item = crm_scene_item(&list, i);
        good &= read_direction(&item, &c->direction[i].axis, &c->direction[i].toward, &c->direction[i].least);
    }
    c->direction_count = count;
    return good;
}

// ---- one condition

static bool read_poses(const crm_json_node *node, carom_plan_condition *c) {
    c->has_position = crm_scene_has(node, "position");
    c->has_attitude = crm_scene_has(node, "attitude");
    c->has_velocity = crm_scene_has(node, "velocity");
    c->has_spin = crm_scene_has(node, "spin");
    bool good = crm_scene_read_vec3(node, "position", CRM_SCENE_ANY, "m", &c->position);
    good &= crm_scene_read_attitude(node, "attitude", &c->attitude);
    good &= crm_scene_read_vec3(node, "velocity", CRM_SCENE_ANY, "m/s", &c->velocity);
    return crm_scene_read_vec3(node, "spin", CRM_SCENE_ANY, "rad/s", &c->spin) && good;
}

static bool read_relation(const crm_plan_reading *r, const crm_json_node *node, carom_plan_condition *c) {
    crm_json_node to = crm_scene_member(node, "relative_to"), together = crm_scene_member(node, "together");
    if (to.value != NULL && !crm_plan_body_of(r, &to, CRM_PLAN_WORLD, &c->relative_to)) return false;
    if (!crm_scene_read_bool(node, "together", &c->together)) return false;
    bool world = c->relative_to.index < 0;
    if (!world && c->relative_to.index == c->body.index)
        return crm_scene_error(&to, "is the body itself; name another one");
    if (world && c->together)
        return crm_scene_error(&together, "needs \"relative_to\": the body that this one moves with");
    if (c->together && (c->has_velocity || c->has_spin))
        return crm_scene_error(&together, "gives velocities, as \"velocity\" or \"spin\" does; remove one way");
    return true;
}

// Nothing that is asked for is a mistake, but at the start, where it frees what the scene gives.
static bool asks(const carom_plan_condition *c) {
    return c->has_position || c->has_attitude || c->has_velocity || c->has_spin || c->together || c->has_box ||
           c->direction_count > 0;
}

static bool read_condition(const crm_plan_reading *r, const crm_json_node *node, const condition_list *list,
                           carom_plan_condition *c) {
    static const char *const keys[] = {"body",        "position", "attitude", "velocity",   "spin",
                                       "relative_to", "together", "box",      "directions", "node"};
    bool through = list->node < 0 && strcmp(list->key, "through") == 0;
    *c = carom_plan_condition_default();
    c->node = list->node;
    if (!crm_scene_is_object(node, list->what, keys, CRM_SCENE_COUNT(keys) - !through)) return false;
    bool good = crm_plan_read_body(r, node, "body", CRM_PLAN_MOVES, &c->body);
    if (through) good &= crm_plan_read_node(r, node, r->plan->def.intervals - 1, &c->node);
    good &= read_poses(node, c);
    good &= read_box(node, c);
    good &= read_directions(node, c);
    if (!good || !read_relation(r, node, c)) return false;
    if (asks(c) || list->node == 0) return true;
    return crm_scene_error(node, "asks for nothing; give a \"position\", an \"attitude\", .., or remove it");
}

// ---- all of them

bool crm_plan_read_conditions(crm_plan_reading *r, const crm_json_node *plan) {
    static const condition_list lists[] = {{"start", "a condition at the start", 0},
                                           {"through", "a condition at a node", -1},
                                           {"end", "a condition at the end", -1}};
    int total = 0;
    bool good = true;
    for (int k = 0; k < CRM_SCENE_COUNT(lists); k++) {
        crm_json_node list = crm_scene_member(plan, lists[k].key);
        if (list.value == NULL) continue;
        good &= crm_scene_is_array(&list, "an array of conditions");
        total += (int)json_array_size(list.value);
    }
    carom_plan_condition *condition = crm_scene_take(plan, total, sizeof *condition);
    if (condition == NULL) return false;
    int count = 0;
    for (int k = 0; k < CRM_SCENE_COUNT(lists); k++) {
        crm_json_node list = crm_scene_member(plan, lists[k].key);
        for (int i = 0; i < (int)json_array_size(list.value); i++) {
            crm_json_node item = crm_scene_item(&list, i);
            good &= read_condition(r, &item, &lists[k], &condition[count++]);
        }
    }
    r->plan->def.condition = condition;
    r->plan->def.condition_count = count;
    return good;
}
