// SPDX-License-Identifier: MIT
// From the tree to plain data. Every part reports what is wrong with it and goes on.
#ifndef CRM_SCENE_READ_H
#define CRM_SCENE_READ_H

#include "scene/context.h"
#include "scene/data.h"

// The whole scene: fills `data`. Only a lack of memory ends it early (context->no_memory).
void crm_scene_read_all(crm_scene_context *context, const crm_scene_node *root, crm_scene_data *data);

// Its parts, in the order in which they are read: each may name what the earlier ones define.
void crm_scene_read_materials(crm_scene_context *context, const crm_scene_node *root, crm_scene_data *data);
void crm_scene_read_shapes(crm_scene_context *context, const crm_scene_node *root, crm_scene_data *data);
void crm_scene_read_bodies(crm_scene_context *context, const crm_scene_node *root, crm_scene_data *data);
void crm_scene_read_forces(crm_scene_context *context, const crm_scene_node *root, crm_scene_data *data);

// The repetition of one body; false when it is wrong.
bool crm_scene_read_repeat(crm_scene_context *context, const crm_scene_node *node, crm_scene_body *body);

// The index that a string names in a table, into `out`; `what` is "a material". False, with a message, when it is
// wrong.
bool crm_scene_read_reference(crm_scene_context *context, const crm_scene_node *object, const char *key,
                              const char *what, const crm_scene_names *names, int *out);
bool crm_scene_reference_of(crm_scene_context *context, const crm_scene_node *node, const char *what,
                            const crm_scene_names *names, int *out);

// Zeroed memory for `count` items; a lack of it is noted in the context.
void *crm_scene_take(crm_scene_context *context, int count, size_t size);

#endif
