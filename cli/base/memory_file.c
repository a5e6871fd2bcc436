// SPDX-License-Identifier: MIT
#define _GNU_SOURCE // fopencookie
#include "base/memory_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

static ssize_t write_more(void *cookie, const char *bytes, size_t count) {
    memory_file *file = cookie;
    if (count >= file->room - file->size) {
        size_t room = 2 * (file->size + count) + 1024;
        char *larger = realloc(file->text, room);
        if (larger == NULL) {
            file->failed = true;
            return 0;
        }
        file->text = larger;
        file->room = room;
    }
    memcpy(file->text + file->size, bytes, count);
    file->size += count;
    file->text[file->size] = '\0';
    return (ssize_t)count;
}

bool memory_file_open(memory_file *file) {
    *file = (memory_file){.text = calloc(1, 1), .room = 1};
    if (file->text != NULL) file->to = fopencookie(file, "w", (cookie_io_functions_t){.write = write_more});
    if (file->to != NULL) return true;
    free(file->text);
    return false;
}

char *memory_file_close(memory_file *file) {
    if (fclose(file->to) == 0 && !file->failed) return file->text;
    free(file->text);
    return NULL;
}
