// SPDX-License-Identifier: MIT
// From a file or text to a tree, whatever is made of it then: the frame of every reading, with its messages.
//
// A file or a text and overrides enter; jansson's tree leaves, and messages with path and line. Called by the readers
// of scenes, pairs of shapes and impacts.
#ifndef CRM_SCENE_SCENE_SOURCE_H
#define CRM_SCENE_SCENE_SOURCE_H

#include "scene/scene_context.h"

// Makes something of the tree of `source`, into `out`. False when it could not; then there are messages, or no memory.
typedef bool crm_scene_reader(const crm_json_node *root, const carom_scene_source *source, void *out);

// Reads a source as carom_scene_read tells. With a status that is not CAROM_OK the caller drops what is in `out`:
// memory may run out after the reader has been content.
carom_status crm_scene_read_source(const carom_scene_source *source, const carom_allocator *allocator,
                                   crm_scene_reader *reader, void *out, carom_scene_messages **messages,
                                   carom_error *error);

#endif
