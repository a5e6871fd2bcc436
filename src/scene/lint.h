// SPDX-License-Identifier: MIT
// What is allowed but likely not meant.
#ifndef CRM_SCENE_LINT_H
#define CRM_SCENE_LINT_H

#include "scene/context.h"
#include "scene/data.h"

void crm_scene_lint(crm_scene_context *context, const crm_scene_node *root, const crm_scene_data *data);

#endif
