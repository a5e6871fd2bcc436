// SPDX-License-Identifier: MIT
// Finds a node again in the text of the scene. The tree keeps no positions, so that reading stays fast; a message,
// which is rare, pays for a walk through the text.
#ifndef CRM_SCENE_LOCATE_H
#define CRM_SCENE_LOCATE_H

#include <stdbool.h>
#include <stddef.h>

#include "scene/source/json_node.h"

typedef struct crm_scene_span {
    const char *text; // valid JSON
    size_t size;
} crm_scene_span;

// The line, from 1, where a node's key or item stands; that of its nearest ancestor when the text has no such node.
int crm_scene_locate(crm_scene_span span, const crm_json_node *node);

// The line of a byte.
int crm_scene_line_at(crm_scene_span span, size_t at);

// After white space.
size_t crm_scene_skip_space(crm_scene_span span, size_t at);

#endif
