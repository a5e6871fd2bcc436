// SPDX-License-Identifier: MIT
// Verifying files: as they are, and with one thing changed.
#ifndef TEST_VERIFY_CHANGED_FILE_H
#define TEST_VERIFY_CHANGED_FILE_H

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "carom/verify.h"
#include "support/check.h"

#define TEST_DATA CAROM_SOURCE_DIR "/tests/data"

typedef struct failures {
    int count;
    char id[64];
    char text[512];
} failures;

static inline void note_failure(void *user, const char *id, const char *text) {
    failures *f = user;
    f->count++;
    snprintf(f->id, sizeof f->id, "%s", id);
    snprintf(f->text, sizeof f->text, "%s", text);
}

static inline carom_verify_report verified(const char *path, carom_status wanted, failures *failed,
                                           carom_error *error) {
    carom_verify_report report;
    *failed = (failures){0};
    *error = (carom_error){.text = ""};
    if (!CHECK_INT(carom_verify_file(path, NULL, note_failure, failed, &report, error), wanted))
        CHECK_TEXT(error->text, "");
    CHECK_INT(report.passed + report.failed + report.unsupported, report.cases);
    CHECK_INT(failed->count, report.failed);
    return report;
}

static char scratch_path[4096];

static inline const char *write_file(const char *text, size_t size) {
    const char *folder = getenv("TMPDIR");
    snprintf(scratch_path, sizeof scratch_path, "%.3000s/carom-verify-XXXXXX", folder != NULL ? folder : "/tmp");
    int file = mkstemp(scratch_path);
    CHECK(file >= 0 && write(file, text, size) == (ssize_t)size);
    close(file);
    return scratch_path;
}

static inline json_t *load_data(const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", TEST_DATA, name);
    json_t *tree = json_load_file(path, 0, NULL);
    CHECK(tree != NULL);
    return tree;
}

// The value at a path such as "cases.0.expected.samples.2.t".
static inline json_t *at(json_t *tree, const char *path) {
    char step[32];
    while (*path != '\0') {
        size_t length = strcspn(path, ".");
        snprintf(step, sizeof step, "%.*s", (int)length, path);
        tree = json_is_array(tree) ? json_array_get(tree, (size_t)atoi(step)) : json_object_get(tree, step);
        path += length + (path[length] == '.');
    }
    return tree;
}

static inline carom_verify_report verify_tree(json_t *tree, carom_status wanted, failures *failed, carom_error *error) {
    char *text = json_dumps(tree, JSON_REAL_PRECISION(17));
    carom_verify_report report = verified(write_file(text, strlen(text)), wanted, failed, error);
    unlink(scratch_path);
    free(text);
    json_decref(tree);
    return report;
}

#endif
