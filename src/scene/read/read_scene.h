// SPDX-License-Identifier: MIT
// From the tree to plain data. Every reader reports what is wrong and goes on.
//
// Json nodes enter; crm_scene_data and messages leave; called by scene.c. A file here reads one kind of object, by the
// readers of members in fields.h.
#ifndef CRM_SCENE_READ_SCENE_H
#define CRM_SCENE_READ_SCENE_H

#include "scene/scene_context.h"
#include "scene/scene_data.h"

// The whole scene: fills `data`. Only a lack of memory ends it early (context->no_memory).
void crm_scene_read_all(const crm_json_node *root, crm_scene_data *data);

// The version of the format, which every file has.
void crm_scene_read_version(const crm_json_node *root);

// The method with its settings. False when something of it is wrong.
bool crm_scene_read_method(const crm_json_node *root, carom_method_def *method);

// Its steps that vary, when it has some.
bool crm_scene_read_steps(const crm_json_node *method, carom_method_def *def);

// What a scene has, in the order in which it is read: each may name what the earlier ones define.
void crm_scene_read_materials(const crm_json_node *root, crm_scene_data *data);
void crm_scene_read_shapes(const crm_json_node *root, crm_scene_data *data);
void crm_scene_read_bodies(const crm_json_node *root, crm_scene_data *data);
void crm_scene_read_mobility(const crm_json_node *root, crm_scene_data *data);
void crm_scene_read_forces(const crm_json_node *root, crm_scene_data *data);
void crm_scene_read_frame(const crm_json_node *root, crm_scene_data *data);
void crm_scene_read_joints(const crm_json_node *root, crm_scene_data *data);

// One shape; shape->good is false when it is wrong. `data` has the shapes that parts of a compound may name; NULL:
// none.
void crm_scene_read_shape(const crm_json_node *node, crm_scene_data *data, crm_scene_shape *shape);

// The table of a pair, and the grid of a field, which may be in a file; their numbers on the arena. False when they are
// wrong.
bool crm_scene_read_table(const crm_json_node *node, carom_pair_def *def);
bool crm_scene_read_grid(const crm_json_node *node, carom_grid_def *def);

// The parts of a compound, into `def`; false when they are wrong.
bool crm_scene_read_parts(const crm_json_node *node, crm_scene_data *data, carom_compound_def *def);

// The sentence of a shape that was refused, as a message about the member that it names: "sphere.radius is -1 m, ..."
// becomes "is -1 m, ..." at node.radius; false.
bool crm_scene_shape_refused(const crm_json_node *node, const char *sentence);

// The groups that a body is in and those that it meets, as bits. False when they are wrong.
bool crm_scene_read_groups(const crm_json_node *node, crm_scene_groups *groups, uint32_t *own, uint32_t *meets);

// A member that is an attitude; not normalised. False when it is wrong.
bool crm_scene_read_attitude(const crm_json_node *object, const char *key, carom_quat *out);

// The member "inertia"; left alone when absent. False when it is wrong.
bool crm_scene_read_inertia(const crm_json_node *object, carom_mat3 *out);

// A member that names a body, the world where that is allowed, or all of a repeated body; or nodes of a flexible one,
// where those have been read. False when it is wrong.
bool crm_scene_read_target(const crm_json_node *object, const char *key, bool world_allowed, const crm_scene_data *data,
                           crm_scene_target *out);
bool crm_scene_target_of(const crm_json_node *node, bool world_allowed, const crm_scene_data *data,
                         crm_scene_target *out);
int crm_scene_target_count(const crm_scene_data *data, crm_scene_target target);

// How many pairs two targets make: one to one, one to all, all to one, or the same number on both sides. False, with a
// message, for different numbers.
bool crm_scene_count_pairs(const crm_json_node *node, const crm_scene_data *data, crm_scene_target a,
                           crm_scene_target b, int *count);

// An array of at least `least` points, on the arena; `wanted` says what it should be. False when it is wrong.
bool crm_scene_read_points(const crm_json_node *object, const char *key, int least, const char *wanted, int *count,
                           carom_vec3 **out);

// The member "name"; "body-7" for a body without one. NULL without memory. False when it is wrong.
bool crm_scene_read_name(const crm_json_node *object, const char *kind, int index, const char **out);

// The repetition of one body, and how many it makes; false when it is wrong.
bool crm_scene_read_repeat(const crm_json_node *object, crm_scene_repeat *out, int *count);

// The index that a string names in a table, into `out`; `what` is "a material". False, with a message, when it is
// wrong.
bool crm_scene_read_reference(const crm_json_node *object, const char *key, const char *what,
                              const crm_scene_names *names, int *out);
bool crm_scene_reference_of(const crm_json_node *node, const char *what, const crm_scene_names *names, int *out);

// Zeroed memory for `count` items; a lack of it is noted in the context of the node.
void *crm_scene_take(const crm_json_node *node, int count, size_t size);

#endif
