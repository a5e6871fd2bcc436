// SPDX-License-Identifier: MIT
// From plain data to a frozen model.
#ifndef CRM_SCENE_SCENE_BUILD_H
#define CRM_SCENE_SCENE_BUILD_H

#include "scene/scene_context.h"
#include "scene/scene_data.h"

// Adds everything that is good to a new model, freezes it and asks whether the method can run it. What the model
// refuses becomes a message at the place that it came from. NULL without memory (context->no_memory) or without a
// model.
carom_model *crm_scene_build(const crm_json_node *root, crm_scene_data *data);

#endif
