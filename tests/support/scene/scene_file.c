// SPDX-License-Identifier: MIT
#include "support/scene/scene_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *read_test_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) return NULL;
    fseek(file, 0, SEEK_END);
    long bytes = ftell(file);
    rewind(file);
    char *text = malloc((size_t)bytes + 1);
    size_t got = fread(text, 1, (size_t)bytes, file);
    text[got] = '\0';
    fclose(file);
    if (size != NULL) *size = got;
    return text;
}

char *messages_as_text(const carom_scene_messages *messages) {
    size_t room = 1;
    for (int i = 0; messages != NULL && i < messages->count; i++)
        room += strlen(messages->message[i].path) + strlen(messages->message[i].text) + 64;
    char *text = malloc(room), *at = text;
    *text = '\0';
    for (int i = 0; messages != NULL && i < messages->count; i++) {
        const carom_scene_message *message = &messages->message[i];
        if (message->severity == CAROM_SEVERITY_WARNING) at += sprintf(at, "warning ");
        if (strcmp(message->file, "--set") == 0)
            at += sprintf(at, "--set: ");
        else
            at += sprintf(at, "%d: ", message->line);
        if (message->path[0] != '\0') at += sprintf(at, "%s: ", message->path);
        at += sprintf(at, "%s\n", message->text);
    }
    return text;
}
