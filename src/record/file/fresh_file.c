// SPDX-License-Identifier: MIT
#define _GNU_SOURCE // renameat2: renaming that never replaces
#include "record/file/fresh_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "record/file/database.h"

static const char journal_ending[] = "-journal"; // of a database's name
enum { HEAD = 512 };                             // bytes of a file that tell what it is

static carom_status fail_exists(const char *path, carom_error *error) {
    return crm_fail(error, CAROM_ERR_FILE, "%s: exists already; choose another name or ask for it to be overwritten",
                    crm_shown_path(path));
}

static carom_status fail_raced(const char *path, carom_error *error) {
    return crm_fail(error, CAROM_ERR_FILE,
                    "%s: another process has made it meanwhile, and it is left alone; wait for its end or choose "
                    "another name",
                    crm_shown_path(path));
}

static carom_status fail_system(const char *path, const char *what, carom_error *error) {
    int number = errno;
    const char *shown = crm_shown_path(path);
    switch (number) {
    case ENOENT:
    case ENOTDIR:
        return crm_fail(error, CAROM_ERR_FILE, "%s: cannot be %s, as its folder does not exist; make the folder first",
                        shown, what);
    case EACCES:
    case EPERM:
    case EROFS:
        return crm_fail(error, CAROM_ERR_FILE,
                        "%s: cannot be %s, as its folder may not be written to; change its permissions or choose "
                        "another folder",
                        shown, what);
    case ENOSPC:
    case EDQUOT:
        return crm_fail(error, CAROM_ERR_FILE, "%s: cannot be %s, as the disk is full; free some space", shown, what);
    default:
        return crm_fail(error, crm_file_status(number), "%s: cannot be %s (%s); choose another name or folder", shown,
                        what, strerror(number));
    }
}

// Its first bytes, with a zero behind them; false when it cannot be read. Streams would take memory.
static bool read_head(const char *path, char *head, size_t room) {
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) return false;
    ssize_t got = read(descriptor, head, room - 1);
    close(descriptor);
    head[got > 0 ? got : 0] = '\0';
    return got >= 0;
}

carom_status crm_fresh_file_claim(const char *path, crm_is_ours *is_ours, const char *kind, carom_error *error) {
    struct stat about;
    char head[HEAD];
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size == 0) return CAROM_OK;
    if (read_head(path, head, sizeof head) && is_ours(head)) return CAROM_OK;
    return crm_fail(error, CAROM_ERR_FILE, "%s: is no %s of carom and is left alone; choose another name",
                    crm_shown_path(path), kind);
}

static carom_status check_target(crm_fresh_file *file, const char *path, bool overwrite, carom_error *error) {
    struct stat about;
    const char *shown = crm_shown_path(path);
    if (lstat(path, &about) != 0) {
        if (errno != ENOENT) return fail_system(path, "written", error);
        file->target = strdup(path);
        return file->target != NULL ? CAROM_OK : crm_fail_memory(error, shown, strlen(path) + 1);
    }
    if (stat(path, &about) != 0)
        return crm_fail(error, CAROM_ERR_FILE, "%s: is a link to nowhere; remove it or choose another name", shown);
    if (S_ISDIR(about.st_mode))
        return crm_fail(error, CAROM_ERR_FILE, "%s: is a folder; give the name of a file in it", shown);
    if (!S_ISREG(about.st_mode))
        return crm_fail(error, CAROM_ERR_FILE, "%s: is not an ordinary file and is left alone; choose another name",
                        shown);
    if (!overwrite) return fail_exists(path, error);
    // Renaming onto a link would replace the link.
    file->target = realpath(path, NULL);
    file->exists = true;
    return file->target != NULL ? CAROM_OK : fail_system(path, "found", error);
}

carom_status crm_fresh_file_begin(crm_fresh_file *file, const char *path, bool overwrite, carom_error *error) {
    *file = (crm_fresh_file){0};
    carom_status status = check_target(file, path, overwrite, error);
    if (status != CAROM_OK) return status;
    size_t size = strlen(file->target) + 48 + sizeof journal_ending;
    char *name = malloc(size);
    if (name == NULL) return crm_fail_memory(error, crm_shown_path(path), size);
    // Names of files that killed processes have left are stepped over.
    for (int attempt = 0; attempt < 1000; attempt++) {
        snprintf(name, size, "%s.new-%ld-%d", file->target, (long)getpid(), attempt);
        int descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0) {
            close(descriptor);
            file->temporary = name;
            return CAROM_OK;
        }
        if (errno != EEXIST) break;
    }
    status = fail_system(path, "made", error);
    free(name);
    return status;
}

static int sync_path(const char *path, int flags) {
    int descriptor = open(path, flags | O_CLOEXEC);
    if (descriptor < 0) return -1;
    int result = fsync(descriptor);
    int number = errno;
    close(descriptor);
    errno = number;
    return result;
}

// The name itself must survive a power failure too. Not every file system lets a folder be synced: then it is not.
static void sync_folder(const char *path) {
    char *copy = strdup(path);
    if (copy != NULL) sync_path(dirname(copy), O_RDONLY);
    free(copy);
}

static int rename_to_new_name(const char *from, const char *to) {
#ifdef RENAME_NOREPLACE
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return -1;
#endif
    if (link(from, to) != 0) return -1;
    return unlink(from);
}

carom_status crm_fresh_file_publish(crm_fresh_file *file, carom_error *error) {
    if (sync_path(file->temporary, O_RDONLY) != 0) return fail_system(file->target, "written", error);
    int result =
        file->exists ? rename(file->temporary, file->target) : rename_to_new_name(file->temporary, file->target);
    if (result != 0)
        return errno == EEXIST ? fail_raced(file->target, error) : fail_system(file->target, "named", error);
    free(file->temporary);
    file->temporary = NULL;
    sync_folder(file->target);
    return CAROM_OK;
}

void crm_fresh_file_end(crm_fresh_file *file) {
    if (file->temporary != NULL) {
        unlink(file->temporary);
        // On a full disk SQLite cannot undo what it began, and leaves its journal.
        unlink(strcat(file->temporary, journal_ending));
    }
    free(file->temporary);
    free(file->target);
    *file = (crm_fresh_file){0};
}
