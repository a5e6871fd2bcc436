// SPDX-License-Identifier: MIT
#include "scene/scene_log.h"

#include <stdio.h>
#include <string.h>

#include "base/fail.h"

enum { LONGEST_TEXT = 1024 };

crm_scene_log *crm_scene_log_create(const carom_allocator *allocator) {
    crm_scene_log *log = allocator->allocate(allocator->user, sizeof *log);
    if (log == NULL) return NULL;
    *log = (crm_scene_log){.allocator = *allocator};
    crm_arena_init(&log->arena, allocator);
    return log;
}

void crm_scene_log_destroy(crm_scene_log *log) {
    if (log == NULL) return;
    carom_allocator allocator = log->allocator;
    CRM_ARRAY_FREE(&allocator, &log->list);
    crm_arena_free(&log->arena);
    allocator.release(allocator.user, log, sizeof *log);
}

static const char *copy(crm_scene_log *log, const char *text) {
    size_t size = strlen(text) + 1;
    char *to = crm_arena_take(&log->arena, size);
    return to == NULL ? NULL : memcpy(to, text, size);
}

static void push(crm_scene_log *log, carom_severity severity, const char *file, int line, const char *path,
                 const char *text) {
    carom_scene_message message = {
        .severity = severity, .file = copy(log, file), .line = line, .path = copy(log, path), .text = copy(log, text)};
    bool complete = message.file != NULL && message.path != NULL && message.text != NULL;
    if (!complete || !CRM_ARRAY_PUSH(&log->allocator, &log->list, message)) log->failed = true;
}

void crm_scene_log_add(crm_scene_log *log, carom_severity severity, const char *file, int line, const char *path,
                       const char *format, va_list arguments) {
    if (severity == CAROM_SEVERITY_ERROR) log->error_count++;
    if (log->list.count >= CRM_SCENE_MOST_MESSAGES) {
        log->left_off++;
        log->left_off_bad |= severity == CAROM_SEVERITY_ERROR;
        return;
    }
    char text[LONGEST_TEXT];
    vsnprintf(text, sizeof text, format, arguments);
    push(log, severity, file, line, path, text);
}

// Overrides come after the file.
static bool comes_before(const carom_scene_message *a, const carom_scene_message *b) {
    bool a_set = strcmp(a->file, "--set") == 0, b_set = strcmp(b->file, "--set") == 0;
    return a_set != b_set ? b_set : a->line < b->line;
}

void crm_scene_log_finish(crm_scene_log *log, const char *file) {
    // Insertion sort: stable, and the list is short.
    carom_scene_message *list = log->list.items;
    for (int i = 1; i < log->list.count; i++) {
        carom_scene_message moving = list[i];
        int at = i;
        for (; at > 0 && comes_before(&moving, &list[at - 1]); at--) list[at] = list[at - 1];
        list[at] = moving;
    }
    if (log->left_off > 0) {
        char text[LONGEST_TEXT];
        snprintf(text, sizeof text, "%d more messages are left off; mend these %d first", log->left_off,
                 CRM_SCENE_MOST_MESSAGES);
        push(log, log->left_off_bad ? CAROM_SEVERITY_ERROR : CAROM_SEVERITY_WARNING, file, 0, "", text);
    }
    log->shown = (carom_scene_messages){.count = log->list.count, .message = log->list.items};
}

void crm_scene_log_first_error(const crm_scene_log *log, carom_status status, carom_error *error) {
    for (int i = 0; i < log->shown.count; i++) {
        const carom_scene_message *message = &log->shown.message[i];
        if (message->severity != CAROM_SEVERITY_ERROR) continue;
        char line[16] = "";
        if (message->line > 0) snprintf(line, sizeof line, "%d:", message->line);
        crm_fail(error, status, "%s:%s %s%s%s", message->file, line, message->path,
                 message->path[0] != '\0' ? ": " : "", message->text);
        return;
    }
}
