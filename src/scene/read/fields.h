// SPDX-License-Identifier: MIT
// Reading members of objects: type, range and unit in one call, and a sentence when they are wrong.
//
// Each reader leaves its output as it was when the member is absent (the caller has put the default there) or wrong,
// and returns false only when it is wrong.
#ifndef CRM_SCENE_FIELDS_H
#define CRM_SCENE_FIELDS_H

#include <stdint.h>

#include "carom/types.h"
#include "scene/members.h"
#include "scene/scene_context.h"

#define CRM_SCENE_COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

enum { CRM_SCENE_SHOWN = 64 };

// What a value is, for a sentence: "-1", "the string \"abc\"", "an array of 2", "an object".
void crm_scene_describe(const json_t *value, char out[CRM_SCENE_SHOWN + 32]);

// "needs WANTED, not WHAT IT IS"; false.
bool crm_scene_needs(const crm_json_node *node, const char *wanted);

// Whether the node is an object whose keys are all known; unknown ones are reported with the nearest known one. `what`
// names the object: "a body".
bool crm_scene_is_object(const crm_json_node *node, const char *what, const char *const *keys, int key_count);
bool crm_scene_is_array(const crm_json_node *node, const char *wanted);

// Whether a member is there; a missing one is reported with `wanted`, what it should be.
bool crm_scene_has(const crm_json_node *object, const char *key);
bool crm_scene_require(const crm_json_node *object, const char *key, const char *wanted);

bool crm_scene_read_number(const crm_json_node *object, const char *key, crm_scene_range range, const char *unit,
                           double *out);
// A whole number in low ... high.
bool crm_scene_read_whole(const crm_json_node *object, const char *key, int64_t low, int64_t high, int64_t *out);
bool crm_scene_read_bool(const crm_json_node *object, const char *key, bool *out);
// The text lives as long as the tree.
bool crm_scene_read_string(const crm_json_node *object, const char *key, const char **out);
// One of the words; `out` is its index.
bool crm_scene_read_choice(const crm_json_node *object, const char *key, const char *const *words, int word_count,
                           int *out);
// An array of `count` numbers.
bool crm_scene_read_numbers(const crm_json_node *object, const char *key, crm_scene_range range, const char *unit,
                            int count, double *out);
bool crm_scene_read_vec3(const crm_json_node *object, const char *key, crm_scene_range range, const char *unit,
                         carom_vec3 *out);

// The members of a table, into the definition that it describes.
bool crm_scene_read_members(const crm_json_node *object, const crm_member *members, void *def);
// Appends the keys of a table; the new count.
int crm_scene_list_members(const crm_member *members, const char **keys, int count);

// The same for a node at hand, such as an item of an array.
bool crm_scene_number_of(const crm_json_node *node, crm_scene_range range, const char *unit, double *out);
bool crm_scene_numbers_of(const crm_json_node *node, crm_scene_range range, const char *unit, int count, double *out);

// A name: 1 to 100 bytes, no control characters, no '*', not "world".
bool crm_scene_name_is_good(const crm_json_node *node, const char *name);

#endif
