// SPDX-License-Identifier: MIT
// The messages of one reading: collected in any order, given out in the order of the file.
#ifndef CRM_SCENE_SCENE_LOG_H
#define CRM_SCENE_SCENE_LOG_H

#include <stdarg.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/array.h"
#include "carom/scene.h"

// A scene with more messages than this gets a last one that counts the rest.
enum { CRM_SCENE_MOST_MESSAGES = 100 };

typedef struct crm_scene_log {
    carom_scene_messages shown; // first, so that a pointer to it is one to the log
    carom_allocator allocator;
    crm_arena arena; // of the texts
    CRM_ARRAY(carom_scene_message) list;
    int error_count;   // all of them, also those left off
    int left_off;      // messages beyond the limit
    bool left_off_bad; // an error was among them
    bool failed;       // there was no memory for a message
} crm_scene_log;

// NULL without memory.
crm_scene_log *crm_scene_log_create(const carom_allocator *allocator);
void crm_scene_log_destroy(crm_scene_log *log);

// Copies file, path and text.
void crm_scene_log_add(crm_scene_log *log, carom_severity severity, const char *file, int line, const char *path,
                       const char *format, va_list arguments) CAROM_PRINTF_LIKE(6, 0);

// Sorts the messages and fills `shown`; nothing is added afterwards.
void crm_scene_log_finish(crm_scene_log *log, const char *file);

// The first error as one line, "file:line: path: text".
void crm_scene_log_first_error(const crm_scene_log *log, carom_status status, carom_error *error);

#endif
