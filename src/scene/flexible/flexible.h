// SPDX-License-Identifier: MIT
// Flexible bodies of scenes (docs/scene.md, docs/flex.md).
//
// Json nodes enter, crm_scene_flex leaves, with meshes made and sets of nodes as numbers; then the model's flexible
// bodies, the resolved text and what is doubtful about them. Called by the steps of a reading: read/, scene_build.c,
// write/, check/.
#ifndef CRM_SCENE_FLEXIBLE_H
#define CRM_SCENE_FLEXIBLE_H

#include "scene/instance.h"
#include "scene/scene_context.h"
#include "scene/write/scene_text.h"

extern const char *const crm_scene_mesh_words[CRM_SCENE_MESH_COUNT];
extern const char *const crm_scene_pieces_words[CAROM_FLEX_PIECES_COUNT];
extern const char *const crm_scene_flex_start_words[CAROM_FLEX_START_COUNT];

// All flexible bodies, after the bodies. Whatever happens, crm_scene_forget_meshes is to be called at the end.
void crm_scene_read_flexible(const crm_json_node *root, crm_scene_data *data);
void crm_scene_forget_meshes(crm_scene_data *data);

// The member "elastic" of a material; left alone when absent. False when it is wrong.
bool crm_scene_read_elastic(const crm_json_node *material, crm_scene_material *out);

// The member "mesh": makes it. False when it is wrong.
bool crm_scene_read_mesh(const crm_json_node *flexible, crm_scene_mesh *out);

// A set of nodes of a mesh, on the arena, ascending; false when it is wrong or empty.
bool crm_scene_read_node_set(const crm_json_node *node, const carom_mesh *mesh, int *count, const int32_t **out);

// A target {"flexible": name, "nodes": set}. False when it is wrong.
bool crm_scene_read_nodes(const crm_json_node *node, const crm_scene_data *data, crm_scene_target *out);

// Which share of a force each of these nodes has: by the area of the surface triangles that have all their nodes among
// them, a third of each; the same for all where there is none. On the arena; NULL without memory.
const double *crm_scene_node_shares(const crm_json_node *node, const carom_mesh *mesh, const crm_scene_nodes *nodes);

// Number `instance` of a flexible body, in 0 ... count - 1, but for the ids of the model. `name` is room for its name.
carom_flex_def crm_scene_flex_instance(const crm_scene_flex *flex, int instance, char name[CRM_SCENE_INSTANCE_NAME]);

// Which instance and which node of its mesh the n-th force or joint means.
int crm_scene_nodes_instance(crm_scene_target target, int n);
int32_t crm_scene_nodes_node(crm_scene_target target, int n);
// Where such a node starts.
carom_vec3 crm_scene_node_start(const crm_scene_data *data, crm_scene_target target, int n);

// Whether the name is that of one flexible body of a repeated one.
bool crm_scene_find_repeated_flex(const crm_scene_data *data, const char *name, size_t size, int *flex, int *instance);

// One of them as an object of the resolved text: its node sets as numbers, its mesh as it was made.
void crm_scene_write_flex(const crm_scene_data *data, const crm_scene_flex *flex, int instance, crm_scene_text *text);
void crm_scene_write_elastic(const carom_elastic_def *elastic, crm_scene_text *text);
// A target that is nodes, and all nodes of a load.
void crm_scene_write_nodes(const crm_scene_data *data, crm_scene_target target, int n, crm_scene_text *text);
void crm_scene_write_loaded(const crm_scene_data *data, crm_scene_target target, int n, crm_scene_text *text);

// Meshes that lock or have slivers, materials that nothing flexible is of; a step above the stable one is said by
// whoever makes a state.
void crm_scene_lint_flexible(const crm_json_node *root, const crm_scene_data *data);

#endif
