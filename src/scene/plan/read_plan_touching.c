// SPDX-License-Identifier: MIT
// How bodies of a plan keep apart and touch: avoidance, contacts that are planned, contacts that it finds, a potential.
#include "scene/plan/scene_plan.h"
#include "scene/read/fields.h"
#include "scene/read/read_scene.h"

const crm_member crm_scene_contact_members[] = {
    CRM_NUMBER(carom_plan_contact, restitution, CRM_SCENE_FRACTION, ""),
    CRM_NUMBER(carom_plan_contact, friction, CRM_SCENE_NOT_NEGATIVE, ""),
    CRM_TRUTH(carom_plan_contact, sticky),
    CRM_NUMBER(carom_plan_contact, least_impulse, CRM_SCENE_NOT_NEGATIVE, "N s"),
    {.key = NULL},
};

const crm_member crm_scene_discover_members[] = {
    CRM_NUMBER(carom_discover_def, restitution, CRM_SCENE_FRACTION, ""),
    CRM_NUMBER(carom_discover_def, friction, CRM_SCENE_NOT_NEGATIVE, ""),
    CRM_TRUTH(carom_discover_def, hand_over),
    {.key = NULL},
};

// ---- pairs

static bool read_pair(const crm_plan_reading *r, const crm_json_node *node, carom_plan_pair *out) {
    if (!json_is_array(node->value) || json_array_size(node->value) != 2)
        return crm_scene_needs(node, "an array of the names of 2 bodies");
    crm_json_node a = crm_scene_item(node, 0), b = crm_scene_item(node, 1);
    bool good = crm_plan_body_of(r, &a, CRM_PLAN_SHAPE, &out->a) & crm_plan_body_of(r, &b, CRM_PLAN_SHAPE, &out->b);
    return good && crm_plan_can_touch(r, node, out->a, out->b);
}

static bool read_pairs(const crm_plan_reading *r, const crm_json_node *object, int *count,
                       const carom_plan_pair **out) {
    crm_json_node list = crm_scene_member(object, "pairs");
    if (list.value == NULL) return true;
    if (!crm_scene_is_array(&list, "an array of pairs, such as [[\"a\", \"b\"]]")) return false;
    if (json_array_size(list.value) == 0)
        return crm_scene_error(&list, "is empty; name pairs, or leave it out for all that can touch");
    *count = (int)json_array_size(list.value);
    carom_plan_pair *pair = crm_scene_take(object, *count, sizeof *pair);
    bool good = pair != NULL;
    for (int i = 0; i < *count && pair != NULL; i++) {
        crm_json_node item = crm_scene_item(&list, i);
        good &= read_pair(r, &item, &pair[i]);
    }
    *out = pair;
    return good;
}

// ---- the members

static bool read_avoid(crm_plan_reading *r, const crm_json_node *plan) {
    static const char *const keys[] = {"margin", "between_nodes", "pairs"};
    carom_avoid_def *def = &r->plan->def.avoid;
    crm_json_node node = crm_scene_member(plan, "avoid");
    if (node.value == NULL) return true;
    bool good = crm_scene_is_object(&node, "an avoidance", keys, CRM_SCENE_COUNT(keys));
    if (!json_is_object(node.value)) return false;
    def->on = true;
    good &= crm_scene_read_number(&node, "margin", CRM_SCENE_NOT_NEGATIVE, "m", &def->margin);
    good &= crm_scene_read_bool(&node, "between_nodes", &def->between_nodes);
    return read_pairs(r, &node, &def->pair_count, &def->pair) && good;
}

static bool read_discover(crm_plan_reading *r, const crm_json_node *plan) {
    const char *keys[CRM_MOST_MEMBERS + 1] = {"pairs"};
    carom_discover_def *def = &r->plan->def.discover;
    crm_json_node node = crm_scene_member(plan, "discover");
    if (node.value == NULL) return true;
    bool good =
        crm_scene_is_object(&node, "a discovery", keys, crm_scene_list_members(crm_scene_discover_members, keys, 1));
    if (!json_is_object(node.value)) return false;
    def->on = true;
    good &= crm_scene_read_members(&node, crm_scene_discover_members, def);
    return read_pairs(r, &node, &def->pair_count, &def->pair) && good;
}

static bool read_penalty(crm_plan_reading *r, const crm_json_node *plan) {
    static const char *const keys[] = {"stiffness"};
    carom_plan_penalty *def = &r->plan->def.penalty;
    crm_json_node node = crm_scene_member(plan, "penalty");
    if (node.value == NULL) return true;
    bool good = crm_scene_is_object(&node, "a penalty of a plan", keys, CRM_SCENE_COUNT(keys));
    if (!json_is_object(node.value)) return false;
    def->on = true;
    good &= crm_scene_require(&node, "stiffness", "a positive number (N/m)");
    return crm_scene_read_number(&node, "stiffness", CRM_SCENE_POSITIVE, "N/m", &def->stiffness) && good;
}

static bool read_contact(const crm_plan_reading *r, const crm_json_node *node, carom_plan_contact *out) {
    const char *keys[CRM_MOST_MEMBERS + 3] = {"node", "a", "b"};
    *out = carom_plan_contact_default();
    if (!crm_scene_is_object(node, "a contact of a plan", keys,
                             crm_scene_list_members(crm_scene_contact_members, keys, 3)))
        return false;
    bool good = crm_plan_read_node(r, node, r->plan->def.intervals, &out->node);
    good &= crm_plan_read_body(r, node, "a", CRM_PLAN_SHAPE, &out->a);
    good &= crm_plan_read_body(r, node, "b", CRM_PLAN_SHAPE, &out->b);
    good &= crm_scene_read_members(node, crm_scene_contact_members, out);
    return good && crm_plan_can_touch(r, node, out->a, out->b);
}

static bool read_contacts(crm_plan_reading *r, const crm_json_node *plan) {
    crm_json_node list = crm_scene_member(plan, "contacts");
    if (list.value == NULL) return true;
    if (!crm_scene_is_array(&list, "an array of contacts")) return false;
    int count = (int)json_array_size(list.value);
    carom_plan_contact *contact = crm_scene_take(plan, count, sizeof *contact);
    if (contact == NULL) return false;
    bool good = true;
    for (int i = 0; i < count; i++) {
        crm_json_node item = crm_scene_item(&list, i), node = crm_scene_member(&item, "node");
        good &= read_contact(r, &item, &contact[i]);
        if (good && i > 0 && contact[i].node < contact[i - 1].node)
            good = crm_scene_error(&node,
                                   "is before that of the contact before it, %d; give contacts in the order of "
                                   "their nodes",
                                   contact[i - 1].node);
    }
    r->plan->def.contact = contact;
    r->plan->def.contact_count = count;
    return good;
}

bool crm_plan_read_touching(crm_plan_reading *r, const crm_json_node *plan) {
    bool good = read_avoid(r, plan) & read_contacts(r, plan) & read_discover(r, plan) & read_penalty(r, plan);
    const carom_plan_def *def = &r->plan->def;
    int ways = (def->contact_count > 0) + def->discover.on + def->penalty.on;
    if (!good || ways < 2) return good;
    return crm_scene_error(plan,
                           "has more than one of \"contacts\", \"discover\" and \"penalty\"; they are ways to the "
                           "same, remove all but one");
}
