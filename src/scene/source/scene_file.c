// SPDX-License-Identifier: MIT
#include "scene/source/scene_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"

static carom_status refuse_system(const char *what, int code, carom_error *error) {
    char reason[128];
    if (strerror_r(code, reason, sizeof reason) != 0) snprintf(reason, sizeof reason, "error %d", code);
    return crm_fail(error, CAROM_ERR_FILE, "the file %s: %s", what, reason);
}

static carom_status refuse_open(int code, carom_error *error) {
    if (code == ENOENT) return crm_fail(error, CAROM_ERR_FILE, "there is no such file; check the name and the folder");
    if (code == EACCES || code == EPERM)
        return crm_fail(error, CAROM_ERR_FILE, "the file may not be read; change its permissions");
    return refuse_system("cannot be opened", code, error);
}

static carom_status refuse_size(carom_error *error) {
    return crm_fail(error, CAROM_ERR_TOO_LARGE, "the file is larger than %d MB", CRM_SCENE_MOST_BYTES / (1024 * 1024));
}

// Reads to the end rather than to a size known before: a pipe has none.
static carom_status read_all(int file, crm_scene_text *text, carom_error *error) {
    for (;;) {
        char piece[65536];
        ssize_t count = read(file, piece, sizeof piece);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return refuse_system("cannot be read", errno, error);
        if (count == 0) break;
        if (text->bytes.count + count > CRM_SCENE_MOST_BYTES) return refuse_size(error);
        crm_scene_text_add(text, piece, (size_t)count);
    }
    return crm_scene_text_end(text) ? CAROM_OK : CAROM_ERR_NO_MEMORY;
}

static carom_status read_open(int file, crm_scene_text *text, carom_error *error) {
    struct stat facts;
    if (fstat(file, &facts) != 0) return refuse_system("cannot be read", errno, error);
    if (S_ISDIR(facts.st_mode))
        return crm_fail(error, CAROM_ERR_FILE, "this is a folder, not a file; name a file in it");
    if (facts.st_size > CRM_SCENE_MOST_BYTES) return refuse_size(error);
    // One growth instead of many; a wrong size does no harm. One byte more for the final zero.
    if (facts.st_size > 0 && !CRM_ARRAY_RESERVE(&text->allocator, &text->bytes, (ptrdiff_t)facts.st_size + 1))
        return CAROM_ERR_NO_MEMORY;
    return read_all(file, text, error);
}

carom_status crm_scene_load_file(const char *path, crm_scene_text *text, carom_error *error) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return refuse_open(errno, error);
    carom_status status = read_open(file, text, error);
    close(file);
    return status;
}

// ---- files that a scene names

static carom_status refuse_beside(int code, carom_error *error) {
    if (code != ELOOP && code != EXDEV) return refuse_open(code, error);
    return crm_fail(
        error, CAROM_ERR_FILE,
        "a scene reads files in its folder or below only: no \"..\", no path from \"/\" on, no link; copy the "
        "file to the scene's folder");
}

static bool leads_up(const char *part, size_t length) {
    return length == 2 && memcmp(part, "..", 2) == 0;
}

// Opens a name part by part, so that no part of it leads out of the folder; -1 with errno, EXDEV for one that would.
// A pipe is opened without waiting for somebody at its other end.
static int open_beside(int folder, const char *name) {
    char part[NAME_MAX + 1];
    for (;;) {
        size_t length = strcspn(name, "/");
        const bool last = name[length] == '\0';
        if (length == 0 || leads_up(name, length) || length > NAME_MAX) {
            close(folder);
            return errno = length > NAME_MAX ? ENAMETOOLONG : EXDEV, -1;
        }
        memcpy(part, name, length);
        part[length] = '\0';
        int next = openat(folder, part, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | (last ? O_NONBLOCK : O_DIRECTORY));
        int code = errno;
        close(folder);
        if (next < 0 || last) return errno = code, next;
        folder = next;
        name += length + 1;
    }
}

static int open_folder(const char *scene) {
    const char *slash = strrchr(scene, '/');
    char folder[PATH_MAX];
    int length = slash != NULL ? (int)(slash - scene) + 1 : 0;
    if (snprintf(folder, sizeof folder, "%.*s", length, scene) >= (int)sizeof folder) return errno = ENAMETOOLONG, -1;
    return open(length > 0 ? folder : ".", O_RDONLY | O_CLOEXEC | O_DIRECTORY);
}

carom_status crm_scene_load_beside(const char *scene, const char *name, crm_scene_text *text, carom_error *error) {
    int folder = open_folder(scene);
    int file = folder >= 0 ? open_beside(folder, name) : -1;
    if (file < 0) return refuse_beside(errno, error);
    struct stat facts;
    carom_status status = CAROM_OK;
    if (fstat(file, &facts) == 0 && !S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode))
        status = crm_fail(error, CAROM_ERR_FILE, "this is not an ordinary file; name one that is");
    else
        status = read_open(file, text, error);
    close(file);
    return status;
}

carom_status crm_scene_read_file(crm_scene_context *context, crm_scene_text *text) {
    carom_error error;
    carom_status status = crm_scene_load_file(context->file, text, &error);
    const char *remedy = status == CAROM_ERR_TOO_LARGE ? "; use \"repeat\" for many bodies" : "";
    if (status != CAROM_OK && status != CAROM_ERR_NO_MEMORY)
        crm_scene_error_at(context, context->file, 0, "", "%s%s", error.text, remedy);
    return status;
}
