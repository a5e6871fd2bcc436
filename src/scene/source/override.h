// SPDX-License-Identifier: MIT
// Overrides: "path=value" changes the tree before anything is checked.
//
//   path    key, key.key, key[2], key["any key"]: settings that are missing on the way are made, bodies, joints, forces,
//           materials and shapes are not; a last index may be one past the end
//   value   JSON, or else a bare word, which is a string
#ifndef CRM_SCENE_OVERRIDE_H
#define CRM_SCENE_OVERRIDE_H

#include "scene/scene_context.h"

// Applies one override to the root object. What is wrong with it becomes a message of the file "--set".
void crm_scene_override(crm_scene_context *context, json_t *root, const char *override);

// Gives back the references that overrides hold.
void crm_scene_forget_overrides(crm_scene_context *context);

#endif
