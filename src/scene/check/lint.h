// SPDX-License-Identifier: MIT
// What is allowed but likely not meant.
#ifndef CRM_SCENE_LINT_H
#define CRM_SCENE_LINT_H

#include "scene/scene_context.h"
#include "scene/scene_data.h"

// `model` is the one that was built; NULL, or not whole, when there are errors.
void crm_scene_lint(crm_scene_context *context, const crm_json_node *root, const crm_scene_data *data,
                    const carom_model *model);

// The part about joints.
void crm_scene_lint_joints(crm_scene_context *context, const crm_json_node *root, const crm_scene_data *data,
                           const carom_model *model);

#endif
