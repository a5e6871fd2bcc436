// SPDX-License-Identifier: MIT
#include "base/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "verb/verb.h"

static int refuse_writing(const char *path) {
    bool memory = errno == ENOMEM;
    refuse("%s: cannot be written (%s); check the folder and choose another name", path, strerror(errno));
    return memory ? EXIT_INTERNAL : EXIT_BAD_INPUT;
}

int open_output(output *out, const char *path, bool force) {
    *out = (output){.to = stdout, .path = path};
    if (path == NULL || strcmp(path, "-") == 0) return EXIT_GOOD;
    struct stat about;
    bool exists = stat(path, &about) == 0;
    if (exists && S_ISREG(about.st_mode) && !force) return refuse("%s exists already; --force replaces it", path);
    if (exists && !S_ISREG(about.st_mode)) { // a pipe, a device
        out->to = fopen(path, "w");
        return out->to != NULL ? EXIT_GOOD : refuse_writing(path);
    }
    size_t size = strlen(path) + 32;
    out->temporary = malloc(size);
    if (out->temporary == NULL) return refuse_memory("a file name");
    snprintf(out->temporary, size, "%s.new-%ld", path, (long)getpid());
    out->to = fopen(out->temporary, "wx");
    return out->to != NULL ? EXIT_GOOD : refuse_writing(path);
}

int close_output(output *out, int code) {
    bool failed = false;
    if (out->to != NULL && out->to != stdout) {
        bool empty = out->temporary != NULL && ftell(out->to) == 0;
        failed = ferror(out->to) != 0;
        failed |= fclose(out->to) != 0;
        if (!failed && !empty && out->temporary != NULL) failed = rename(out->temporary, out->path) != 0;
        if (failed) refuse_writing(out->path);
        if (out->temporary != NULL && (failed || empty)) unlink(out->temporary);
    }
    free(out->temporary);
    *out = (output){.to = NULL};
    return failed ? EXIT_INTERNAL : code;
}
