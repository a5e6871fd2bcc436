// SPDX-License-Identifier: MIT
// A json node: a place in the scene's tree and the value there. They live on the stack and point to their parents.
#ifndef CRM_SCENE_JSON_NODE_H
#define CRM_SCENE_JSON_NODE_H

#include <jansson.h>
#include <stddef.h>

typedef struct crm_json_node {
    struct crm_scene_context *context;  // of the reading; the same for all nodes below a root
    const struct crm_json_node *parent; // NULL for the root
    const char *key;                    // of a member; NULL for the root and for items of arrays
    size_t key_size;
    int index;     // of an item; -1 else
    json_t *value; // borrowed; NULL where there is none
} crm_json_node;

// The whole scene.
crm_json_node crm_scene_root(struct crm_scene_context *context, json_t *value);

// A member of an object, or an item of an array; the value is NULL when there is none.
crm_json_node crm_scene_member(const crm_json_node *object, const char *key);
crm_json_node crm_scene_item(const crm_json_node *array, int index);

enum { CRM_SCENE_PATH_SIZE = 512 };

// Such as bodies[2].mass or materials["a b"]; "" for the root. Long keys are cut, and so are deep paths.
void crm_scene_path(const crm_json_node *node, char out[CRM_SCENE_PATH_SIZE]);

#endif
