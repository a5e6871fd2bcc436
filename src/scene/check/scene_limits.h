// SPDX-License-Identifier: MIT
// Whether a scene asks for more than it may, before anything is made of it: counts, memory, the text, the steps.
#ifndef CRM_SCENE_SCENE_LIMITS_H
#define CRM_SCENE_SCENE_LIMITS_H

#include "scene/scene_context.h"
#include "scene/scene_data.h"

// Of all that has been read; false after errors with the number of each that is too large.
bool crm_scene_check_limits(const crm_json_node *root, const crm_scene_data *data);

// Adds the time that making something takes, s of a reference machine; false with an error when that becomes too much.
bool crm_scene_spend(const crm_json_node *node, double seconds);

#endif
