// SPDX-License-Identifier: MIT
#include "run/scene_input.h"

#include "base/interrupt.h"
#include "base/text.h"
#include "verb/verb.h"

void print_scene_message(FILE *to, const carom_scene_message *message, bool severity) {
    print_clean(to, message->file);
    if (message->line > 0) fprintf(to, ":%d", message->line);
    fputs(": ", to);
    if (message->path[0] != '\0') {
        print_clean(to, message->path);
        fputs(": ", to);
    }
    if (severity) fputs(message->severity == CAROM_SEVERITY_ERROR ? "error: " : "warning: ", to);
    print_clean(to, message->text);
    fputc('\n', to);
}

void put_scene_message(jsonl_writer *json, const carom_scene_message *message) {
    jsonl_text(json, "file", message->file);
    if (message->line > 0)
        jsonl_int(json, "line", message->line);
    else
        jsonl_null(json, "line");
    jsonl_text(json, "path", message->path);
    jsonl_text(json, "severity", message->severity == CAROM_SEVERITY_ERROR ? "error" : "warning");
    jsonl_text(json, "text", message->text);
}

int refuse_messages(carom_scene_messages *messages, const carom_error *error) {
    int count = 0;
    for (int i = 0; messages != NULL && i < messages->count; i++) {
        if (messages->message[i].severity != CAROM_SEVERITY_ERROR) continue;
        print_scene_message(stderr, &messages->message[i], false);
        count++;
    }
    carom_scene_messages_destroy(messages);
    // Out of memory there may be no list.
    return count > 0 ? EXIT_BAD_INPUT : refuse_error(error);
}

int read_limits(const char *text, carom_limits *out) {
    carom_error error;
    *out = carom_limits_default();
    if (text == NULL || carom_limits_set(out, text, &error) == CAROM_OK) return EXIT_GOOD;
    return refuse("--limit: %s", error.text);
}

carom_scene *read_scene(const char *file, const text_list *overrides, const char *limit,
                        carom_scene_messages **warnings, int *code) {
    carom_scene_source source = carom_scene_source_default();
    *code = read_limits(limit, &source.limits);
    if (*code != EXIT_GOOD) return NULL;
    source.interrupt = interrupts();
    source.file = file;
    source.override_count = overrides->count;
    source.overrides = overrides->items;
    source.lint = warnings != NULL;
    carom_scene *scene = NULL;
    carom_scene_messages *messages = NULL;
    carom_error error = {.status = CAROM_OK};
    if (carom_scene_read(&source, NULL, &scene, &messages, &error) != CAROM_OK)
        *code = refuse_messages(messages, &error);
    else if (warnings != NULL)
        *warnings = messages;
    else
        carom_scene_messages_destroy(messages);
    return scene;
}

int count_steps(const char *file, const carom_method_def *method, double until, int64_t *out) {
    double steps = carom_method_step_count(method, until);
    if (!(steps < 0x1p53))
        return refuse("%s: to t = %g s it would take %.3g steps of %g s; shorten 'until' or lengthen 'method.step'",
                      file, until, until / method->step, method->step);
    *out = (int64_t)steps;
    return EXIT_GOOD;
}
