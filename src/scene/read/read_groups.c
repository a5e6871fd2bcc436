// SPDX-License-Identifier: MIT
// Groups of bodies: names in the file, bits in the model, numbered in the order in which they are first mentioned.
#include <string.h>

#include "scene/read/fields.h"
#include "scene/read/read_scene.h"

// The number of a group, a new one for a name that is new. -1, with a message, when there are too many.
static int group_of(const crm_json_node *node, crm_scene_groups *groups, const char *name) {
    if (groups->count == 0) groups->name[groups->count++] = "default";
    for (int i = 0; i < groups->count; i++)
        if (strcmp(groups->name[i], name) == 0) return i;
    if (groups->count < CRM_SCENE_MOST_GROUPS) {
        groups->name[groups->count] = name;
        return groups->count++;
    }
    crm_scene_error(node, "is one group too many; a scene has at most %d, \"default\" included", CRM_SCENE_MOST_GROUPS);
    return -1;
}

static bool read_names(const crm_json_node *object, const char *key, crm_scene_groups *groups, uint32_t *out) {
    crm_json_node list = crm_scene_member(object, key);
    if (list.value == NULL) return true;
    if (!crm_scene_is_array(&list, "an array of names of groups")) return false;
    bool good = true;
    *out = 0;
    for (int i = 0; i < (int)json_array_size(list.value); i++) {
        crm_json_node item = crm_scene_item(&list, i);
        const char *name = json_string_value(item.value);
        if (name == NULL) crm_scene_needs(&item, "the name of a group");
        int group = name != NULL && crm_scene_name_is_good(&item, name) ? group_of(&item, groups, name) : -1;
        if (group >= 0) *out |= UINT32_C(1) << group;
        good &= group >= 0;
    }
    return good;
}

bool crm_scene_read_groups(const crm_json_node *node, crm_scene_groups *groups, uint32_t *own, uint32_t *meets) {
    bool good = read_names(node, "groups", groups, own);
    groups->inhabited |= *own;
    return read_names(node, "meets", groups, meets) && good;
}
