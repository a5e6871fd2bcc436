// SPDX-License-Identifier: MIT
// The scene as it was understood: defaults filled in, repeats written out, numbers to the last bit.
//
// crm_scene_data enters, JSON text leaves: what recordings keep and carom_scene_resolved gives; called by scene.c.
#ifndef CRM_SCENE_WRITE_SCENE_H
#define CRM_SCENE_WRITE_SCENE_H

#include "scene/scene_data.h"
#include "scene/write/scene_text.h"

// Writes the whole scene into a started text and ends it. False without memory, or, with `*too_large`, when the text
// would be larger than a scene may be.
bool crm_scene_write(const crm_scene_data *data, crm_scene_text *text, bool *too_large);

// One shape as an object in one line; the parts of a compound stand in it in full.
void crm_scene_write_shape(const carom_shape_def *def, crm_scene_text *text);

// Members that flexible bodies have, too: names of groups, and whom a force or joint is for.
void crm_scene_write_groups(const crm_scene_data *data, const char *name, uint32_t bits, crm_scene_text *text);
void crm_scene_write_target(const crm_scene_data *data, const char *name, crm_scene_target target, int n,
                            crm_scene_text *text);

#endif
