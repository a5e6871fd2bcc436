// SPDX-License-Identifier: MIT
// What files call shapes; shared by those who read and write them.
#ifndef CRM_SCENE_SHAPE_WORDS_H
#define CRM_SCENE_SHAPE_WORDS_H

#include "carom/shape.h"
#include "scene/members.h"

// The word for "kind": that of the kind, or of a named polytope.
const char *crm_scene_shape_word(const carom_shape_def *def);

// The sizes that its kind has, in the union of the definition.
const crm_member *crm_scene_shape_members(const carom_shape_def *def);

extern const char *const crm_scene_centre_words[2]; // of carom_polytope_centre

#endif
