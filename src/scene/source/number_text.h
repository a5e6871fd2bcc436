// SPDX-License-Identifier: MIT
// Files of numbers beside a scene: numbers between blanks, commas and line ends; # begins a comment.
#ifndef CRM_SCENE_NUMBER_TEXT_H
#define CRM_SCENE_NUMBER_TEXT_H

#include "scene/scene_context.h"
#include "scene/write/scene_text.h"

// Reads the ordinary file `name`, which a node names, in the scene's folder or below; false with a message where it is
// not there, and where the scene is no file. `instead` is what such a scene gives in its place. Free `text` in either
// case.
bool crm_scene_load_numbers(const crm_json_node *node, const char *name, const char *instead, crm_scene_text *text);

// The next number of a text, from *at on in its line *line; false at its end, and with a message where there is none.
// Read as JSON reads numbers, whatever the locale.
bool crm_scene_next_number(const crm_json_node *node, const char **at, int *line, double *out);

#endif
