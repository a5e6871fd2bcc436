// SPDX-License-Identifier: MIT
// Verifying files: as they are, and with one thing changed.
#ifndef TEST_VERIFY_CHANGED_FILE_H
#define TEST_VERIFY_CHANGED_FILE_H

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/harness/check.h"
#include "verify/verify.h"

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
    char step[64];
    while (*path != '\0') {
        size_t length = strcspn(path, ".");
        snprintf(step, sizeof step, "%.*s", (int)length, path);
        tree = json_is_array(tree) ? json_array_get(tree, (size_t)atoi(step)) : json_object_get(tree, step);
        path += length + (path[length] == '.');
    }
    return tree;
}

// Adds to the number at `path` (a value that starts with '+'), or puts a JSON value there.
static inline void change(json_t *tree, const char *path, const char *value) {
    char parent[128];
    const char *key = strrchr(path, '.') + 1;
    snprintf(parent, sizeof parent, "%.*s", (int)(key - 1 - path), path);
    json_t *container = at(tree, parent), *old = at(tree, path);
    json_t *fresh;
    if (value[0] == '+')
        fresh = json_real(json_number_value(old) + strtod(value + 1, NULL));
    else
        fresh = json_loads(value, JSON_DECODE_ANY, NULL);
    if (!CHECK(old != NULL && fresh != NULL)) fprintf(stderr, "%s\n", path);
    if (json_is_array(container))
        json_array_set_new(container, (size_t)atoi(key), fresh);
    else
        json_object_set_new(container, key, fresh);
}

// Only the case that a path goes through is run.
static inline void keep_case(json_t *tree, const char *path) {
    int index = 0;
    if (sscanf(path, "cases.%d.", &index) != 1) return;
    json_t *cases = json_object_get(tree, "cases"), *kept = json_pack("[O]", json_array_get(cases, (size_t)index));
    CHECK(kept != NULL && json_object_set_new(tree, "cases", kept) == 0);
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
