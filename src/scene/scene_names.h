// SPDX-License-Identifier: MIT
// A table from names to small numbers, and the search for the name that was meant.
#ifndef CRM_SCENE_SCENE_NAMES_H
#define CRM_SCENE_SCENE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

typedef struct crm_scene_name {
    const char *start; // not copied: must outlive the table
    size_t size;
    int value;
} crm_scene_name;

// Starts as {0}. Its memory is the arena's, and ends with it.
typedef struct crm_scene_names {
    crm_scene_name *slot; // (capacity) open addressing; an empty slot has start == NULL
    int capacity;         // a power of two, or 0
    int count;
} crm_scene_names;

// The value of a name, or -1.
int crm_scene_names_find(const crm_scene_names *names, const char *start, size_t size);

// Adds a name that is not in the table. False without memory.
bool crm_scene_names_add(crm_scene_names *names, crm_arena *arena, const char *start, size_t size, int value);

// Insertions, deletions, replacements and swaps of neighbours that make one word of the other. Words beyond 63 bytes
// are never near each other.
int crm_scene_edit_distance(const char *a, const char *b);

// Whether a word at this distance may be what was meant by `word`.
bool crm_scene_is_near(const char *word, int distance);

// The one of `known` that is nearest to `word`, or NULL when none is near.
const char *crm_scene_nearest(const char *word, const char *const *known, int count);

#endif
