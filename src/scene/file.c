// SPDX-License-Identifier: MIT
#include "scene/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static carom_status refuse_system(crm_scene_context *context, const char *what, int code) {
    char reason[128];
    if (strerror_r(code, reason, sizeof reason) != 0) snprintf(reason, sizeof reason, "error %d", code);
    crm_scene_error_at(context, context->file, 0, "", "the file %s: %s", what, reason);
    return CAROM_ERR_FILE;
}

static carom_status refuse_open(crm_scene_context *context, int code) {
    if (code == ENOENT) {
        crm_scene_error_at(context, context->file, 0, "", "there is no such file; check the name and the folder");
        return CAROM_ERR_FILE;
    }
    if (code == EACCES || code == EPERM) {
        crm_scene_error_at(context, context->file, 0, "", "the file may not be read; change its permissions");
        return CAROM_ERR_FILE;
    }
    return refuse_system(context, "cannot be opened", code);
}

static carom_status refuse_size(crm_scene_context *context) {
    crm_scene_error_at(context, context->file, 0, "", "the file is larger than %d MB; use \"repeat\" for many bodies",
                       CRM_SCENE_MOST_BYTES / (1024 * 1024));
    return CAROM_ERR_TOO_LARGE;
}

// Reads to the end rather than to a size known before: a pipe has none.
static carom_status read_all(crm_scene_context *context, int file, crm_scene_text *text) {
    for (;;) {
        char piece[65536];
        ssize_t count = read(file, piece, sizeof piece);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return refuse_system(context, "cannot be read", errno);
        if (count == 0) break;
        if (text->bytes.count + count > CRM_SCENE_MOST_BYTES) return refuse_size(context);
        crm_scene_text_add(text, piece, (size_t)count);
    }
    return crm_scene_text_end(text) ? CAROM_OK : CAROM_ERR_NO_MEMORY;
}

static carom_status read_open(crm_scene_context *context, int file, crm_scene_text *text) {
    struct stat facts;
    if (fstat(file, &facts) != 0) return refuse_system(context, "cannot be read", errno);
    if (S_ISDIR(facts.st_mode)) {
        crm_scene_error_at(context, context->file, 0, "", "this is a folder, not a file; name a scene in it");
        return CAROM_ERR_FILE;
    }
    if (facts.st_size > CRM_SCENE_MOST_BYTES) return refuse_size(context);
    // One growth instead of many; a wrong size does no harm. One byte more for the final zero.
    if (facts.st_size > 0 && !CRM_ARRAY_RESERVE(&text->allocator, &text->bytes, (ptrdiff_t)facts.st_size + 1))
        return CAROM_ERR_NO_MEMORY;
    return read_all(context, file, text);
}

carom_status crm_scene_read_file(crm_scene_context *context, crm_scene_text *text) {
    int file = open(context->file, O_RDONLY | O_CLOEXEC);
    if (file < 0) return refuse_open(context, errno);
    carom_status status = read_open(context, file, text);
    close(file);
    return status;
}
