// SPDX-License-Identifier: MIT
// What is said of an override whose path leads to nothing in the scene: which names are there, and the nearest.
#ifndef CRM_SCENE_OVERRIDE_WORDS_H
#define CRM_SCENE_OVERRIDE_WORDS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

// The members of a scene that are lists of named things, or objects of them: a path through one leads to what is there,
// and makes nothing new on the way.
typedef struct crm_scene_listing {
    const char *key; // "bodies"
    const char *one; // "body"
    bool by_name;    // an object whose keys are the names
} crm_scene_listing;

// NULL when the key is none of them.
const crm_scene_listing *crm_scene_listing_of(const char *key);

// Of a listing that is not in the scene at all; of a name that is not in one; of an index beyond the last item.
void crm_override_no_listing(const crm_scene_listing *listing, char *out, size_t size);
void crm_override_no_name(const crm_scene_listing *listing, json_t *object, const char *name, char *out, size_t size);
void crm_override_no_item(const crm_scene_listing *listing, json_t *array, char *out, size_t size);

// Of a name where an index is wanted: `path` is that of the array.
void crm_override_not_an_index(const char *path, json_t *array, const char *name, char *out, size_t size);

#endif
