// SPDX-License-Identifier: MIT
// What all steps of one reading share: the text, the memory and the messages.
#ifndef CRM_SCENE_SCENE_CONTEXT_H
#define CRM_SCENE_SCENE_CONTEXT_H

#include "scene/scene_log.h"
#include "scene/source/json_node.h"
#include "scene/source/locate.h"

// A member or item that an override has set: messages about it and what is below it name "--set".
typedef struct crm_scene_mark {
    json_t *container; // owned reference, so that the address stays that of this container
    const char *key;   // NULL for an item
    int index;
} crm_scene_mark;

typedef struct crm_scene_context {
    carom_allocator allocator;
    crm_arena arena; // scratch of the reading; gone when it ends
    crm_scene_log *log;
    const char *file;
    bool is_text;        // the scene is no file: `file` only names it
    crm_scene_span span; // the JSON text
    CRM_ARRAY(crm_scene_mark) marks;
    bool no_memory; // sticky
    carom_limits limits;
    double seconds; // of the limit that shapes have taken, s
    carom_interrupt interrupt;
} crm_scene_context;

// Whether a number of what is called `what` ("bodies") is within its limit, the member of that name; else an error that
// has both numbers.
bool crm_scene_within(const crm_json_node *node, double number, double limit, const char *name, const char *what);

// An error or a warning about a node. The error is false, for readers to return.
bool crm_scene_error(const crm_json_node *node, const char *format, ...) CAROM_PRINTF_LIKE(2, 3);
void crm_scene_warn(const crm_json_node *node, const char *format, ...) CAROM_PRINTF_LIKE(2, 3);

// Whether a node, or one that it is inside of, was set by an override.
bool crm_scene_is_set(const crm_json_node *node);

// An error at a line that is known already, or without one (0).
void crm_scene_error_at(crm_scene_context *context, const char *file, int line, const char *path, const char *format,
                        ...) CAROM_PRINTF_LIKE(5, 6);

#endif
