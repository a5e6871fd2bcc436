// SPDX-License-Identifier: MIT
// Files as text: the scene, and what it names.
#ifndef CRM_SCENE_SCENE_FILE_H
#define CRM_SCENE_SCENE_FILE_H

#include "scene/scene_context.h"
#include "scene/write/scene_text.h"

// Larger scenes are refused: a slip in a file name should not fill the memory.
enum { CRM_SCENE_MOST_BYTES = 256 * 1024 * 1024 };

// Reads any file into `text`, which has been started, and ends it with a zero byte. What is wrong with it is in
// `error`, without its name; a lack of memory (CAROM_ERR_NO_MEMORY) leaves no sentence.
carom_status crm_scene_load_file(const char *path, crm_scene_text *text, carom_error *error);

// The same of a file that a scene names: an ordinary one, in the scene's folder or below, links followed. What a scene
// of a stranger names is opened nowhere else.
carom_status crm_scene_load_beside(const char *scene, const char *name, crm_scene_text *text, carom_error *error);

// Reads the scene's file into `text` likewise. Returns CAROM_OK, or the status of the message that it has left:
// CAROM_ERR_FILE, CAROM_ERR_TOO_LARGE, CAROM_ERR_NO_MEMORY.
carom_status crm_scene_read_file(crm_scene_context *context, crm_scene_text *text);

#endif
