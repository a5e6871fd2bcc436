// SPDX-License-Identifier: MIT
#include "scene/scene_context.h"

#include <string.h>

#include "base/limits/limit.h"

bool crm_scene_is_set(const crm_json_node *node) {
    for (; node->parent != NULL; node = node->parent) {
        for (int i = 0; i < node->context->marks.count; i++) {
            const crm_scene_mark *mark = &node->context->marks.items[i];
            if (mark->container != node->parent->value) continue;
            if (node->key == NULL ? mark->key == NULL && mark->index == node->index
                                  : mark->key != NULL && strcmp(mark->key, node->key) == 0)
                return true;
        }
    }
    return false;
}

static void add(carom_severity severity, const crm_json_node *node, const char *format, va_list arguments) {
    const crm_scene_context *context = node->context;
    char path[CRM_SCENE_PATH_SIZE];
    crm_scene_path(node, path);
    bool set = crm_scene_is_set(node);
    // The line costs a walk through the text, which a message beyond the limit need not pay.
    bool shown = context->log->list.count < CRM_SCENE_MOST_MESSAGES;
    int line = set || !shown ? 0 : crm_scene_locate(context->span, node);
    crm_scene_log_add(context->log, severity, set ? "--set" : context->file, line, path, format, arguments);
}

bool crm_scene_error(const crm_json_node *node, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add(CAROM_SEVERITY_ERROR, node, format, arguments);
    va_end(arguments);
    return false;
}

void crm_scene_warn(const crm_json_node *node, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add(CAROM_SEVERITY_WARNING, node, format, arguments);
    va_end(arguments);
}

void crm_scene_error_at(crm_scene_context *context, const char *file, int line, const char *path, const char *format,
                        ...) {
    va_list arguments;
    va_start(arguments, format);
    crm_scene_log_add(context->log, CAROM_SEVERITY_ERROR, file, line, path, format, arguments);
    va_end(arguments);
}

bool crm_scene_within(const crm_json_node *node, double number, double limit, const char *name, const char *what) {
    if (number <= limit) return true;
    char asked[32], most[32];
    return crm_scene_error(node, "asks for %s %s, and the limit is %s; use less, or allow it by --limit %s=%s",
                           crm_limit_text(number, asked), what, crm_limit_text(limit, most), name,
                           crm_limit_text(number, asked));
}
