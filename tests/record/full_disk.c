// SPDX-License-Identifier: MIT
// A disk that is full, and one that fails: a sentence, and the file stays what it was at its last checkpoint.
#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/harness/check.h"
#include "support/scene/recorded_run.h"

enum { BODIES = 3, STEPS = 3000 };
static const double step = 1.0 / 240;

// The disk takes so many more writes, then answers with this error.
static long long writes_left;
static int write_error;

static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static ssize_t limited_pwrite(int file, const void *bytes, size_t size, off_t offset) {
    if (writes_left-- > 0) return real_pwrite(file, bytes, size, offset);
    errno = write_error;
    return -1;
}

static const char *const write_calls[] = {"pwrite", "pwrite64"};

static void limit_disk(long long writes, int error_number) {
    writes_left = writes;
    write_error = error_number;
    sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
    for (int i = 0; i < 2; i++) {
        sqlite3_syscall_ptr old = vfs->xGetSystemCall(vfs, write_calls[i]);
        if (old == NULL || old == (sqlite3_syscall_ptr)limited_pwrite) continue;
        real_pwrite = (ssize_t(*)(int, const void *, size_t, off_t))old;
        vfs->xSetSystemCall(vfs, write_calls[i], (sqlite3_syscall_ptr)limited_pwrite);
    }
}

static void free_disk(void) {
    sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
    for (int i = 0; i < 2; i++) vfs->xSetSystemCall(vfs, write_calls[i], NULL);
}

static void record_reference(const char *path) {
    small_run run = small_run_make(BODIES, step);
    carom_recorder_def def = recorder_to(path);
    small_run_record_whole(&def, NULL, &run, STEPS);
    small_run_free(&run);
}

// Fails at the k-th write of a checkpoint, for every k; the old checkpoint stays readable, and once there is room again
// the same recorder goes on and nothing is lost.
static void fail_and_go_on(int error_number, const char *sentence) {
    scratch_folder folder = scratch_folder_make();
    const char *whole = in_folder(&folder, "whole.carom");
    record_reference(whole);
    carom_recorder_def def = recorder_to(in_folder(&folder, "run.carom"));
    def.overwrite = true;
    bool failed = true;
    for (int writes = 0; failed; writes += 1 + writes / 4) {
        small_run run = small_run_make(BODIES, step);
        carom_recorder *recorder;
        carom_error error = {0};
        CHECK_INT(carom_recorder_create(&def, NULL, run.state, &recorder, &error), CAROM_OK);
        CHECK(small_run_record(&run, recorder, 1500, &error));
        CHECK_INT(carom_recorder_checkpoint(recorder, run.state, &error), CAROM_OK);
        uint64_t before, after;
        CHECK(read_whole(def.path, &before, &error));
        CHECK(small_run_record(&run, recorder, 2800, &error));
        limit_disk(writes, error_number);
        failed = carom_recorder_checkpoint(recorder, run.state, &error) != CAROM_OK;
        if (failed) CHECK_CONTAINS(error.text, sentence);
        free_disk();
        CHECK(read_whole(def.path, &after, &error));
        CHECK((before == after) == failed);
        CHECK(small_run_record(&run, recorder, STEPS, &error));
        CHECK_INT(carom_recorder_finish(recorder, run.state, NULL, &error), CAROM_OK);
        carom_recorder_destroy(recorder);
        CHECK(same_recordings(def.path, whole));
        small_run_free(&run);
    }
    CHECK_INT(scratch_folder_count(&folder), 2);
    scratch_folder_remove(&folder);
}

TEST(full_disk_loses_nothing) {
    fail_and_go_on(ENOSPC, "the disk is full; free some space, then resume");
}

TEST(failing_disk_loses_nothing) {
    fail_and_go_on(EIO, "the system cannot read or write the file");
}

// The other way on: the process gives up, and a later one resumes.
TEST(run_is_resumed_after_a_full_disk) {
    scratch_folder folder = scratch_folder_make();
    const char *whole = in_folder(&folder, "whole.carom");
    record_reference(whole);
    carom_recorder_def def = recorder_to(in_folder(&folder, "run.carom"));
    small_run run = small_run_make(BODIES, step);
    carom_recorder *recorder;
    carom_error error = {0};
    CHECK_INT(carom_recorder_create(&def, NULL, run.state, &recorder, &error), CAROM_OK);
    CHECK(small_run_record(&run, recorder, 1000, &error));
    CHECK_INT(carom_recorder_checkpoint(recorder, run.state, &error), CAROM_OK);
    CHECK(small_run_record(&run, recorder, STEPS, &error));
    limit_disk(8, ENOSPC);
    CHECK_INT(carom_recorder_finish(recorder, run.state, NULL, &error), CAROM_ERR_FILE);
    carom_recorder_destroy(recorder);
    free_disk();
    small_run_free(&run);
    CHECK(small_run_resume(&def, BODIES, step, STEPS));
    CHECK(same_recordings(def.path, whole));
    scratch_folder_remove(&folder);
}

// Beginning on a full disk leaves nothing, or the old file.
TEST(full_disk_at_the_beginning_leaves_the_old_file) {
    scratch_folder folder = scratch_folder_make();
    const char *whole = in_folder(&folder, "whole.carom"), *copy = in_folder(&folder, "copy.carom");
    record_reference(whole);
    size_t size;
    unsigned char *bytes = read_bytes(whole, &size);
    write_bytes(copy, bytes, size);
    free(bytes);
    small_run run = small_run_make(BODIES, step);
    for (int writes = 0; writes < 6; writes++) {
        carom_recorder_def def = recorder_to(whole);
        def.overwrite = true;
        carom_recorder *recorder;
        carom_error error = {0};
        limit_disk(writes, ENOSPC);
        CHECK_INT(carom_recorder_create(&def, NULL, run.state, &recorder, &error), CAROM_ERR_FILE);
        CHECK_CONTAINS(error.text, "the disk is full");
        CHECK_CONTAINS(error.text, "whole.carom: ");
        def.path = in_folder(&folder, "new.carom");
        limit_disk(writes, ENOSPC);
        CHECK_INT(carom_recorder_create(&def, NULL, run.state, &recorder, &error), CAROM_ERR_FILE);
        free_disk();
        CHECK(same_bytes(whole, copy));
        CHECK_INT(scratch_folder_count(&folder), 2);
    }
    small_run_free(&run);
    scratch_folder_remove(&folder);
}

TEST_MAIN(CASE(full_disk_loses_nothing), CASE(failing_disk_loses_nothing), CASE(run_is_resumed_after_a_full_disk),
          CASE(full_disk_at_the_beginning_leaves_the_old_file))
