// SPDX-License-Identifier: MIT
// What is allowed but likely not meant.
//
// A scene as data and the model that was built of it enter, warnings leave through the context; called at the end of
// every reading, by scene.c.
#ifndef CRM_SCENE_LINT_H
#define CRM_SCENE_LINT_H

#include "scene/scene_context.h"
#include "scene/scene_data.h"

// `model` is the one that was built; NULL, or not whole, when there are errors.
void crm_scene_lint(const crm_json_node *root, const crm_scene_data *data, const carom_model *model);

// Those about materials, shapes, groups and settings that nothing uses; of overrides they are errors.
void crm_scene_lint_unused(const crm_json_node *root, const crm_scene_data *data);

// Those about joints.
void crm_scene_lint_joints(const crm_json_node *root, const crm_scene_data *data);

// Those about what a run would begin with, which joints are open, which bodies overlap, whether the step is too long
// for the forces; makes a state as a run would, and where none can be made that is an error. True: the step is too long
// for springs, which is then said.
bool crm_scene_lint_start(const crm_json_node *root, const crm_scene_data *data, const carom_model *model);

// What of it is about joints.
void crm_scene_lint_assembly(const crm_json_node *joints, const carom_state *state);
void crm_scene_lint_latches(const crm_json_node *joints, const crm_scene_data *data, const carom_state *state);

#endif
