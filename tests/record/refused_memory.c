// SPDX-License-Identifier: MIT
// SQLite's calls for memory, refused one after the other while a recording is opened, read, or gone on with: always a
// lack of memory, never a damaged file.
#include <sqlite3.h>

#include "support/harness/check.h"
#include "support/scene/recorded_run.h"

static const double step = 1.0 / 240;

// SQLite's own memory, of which one call is refused.
static sqlite3_mem_methods usual;
static long asked, refuse_at; // 0: none

static bool is_refused(void) {
    return ++asked == refuse_at;
}

static void *refusing_malloc(int size) {
    return is_refused() ? NULL : usual.xMalloc(size);
}

static void *refusing_realloc(void *block, int size) {
    return is_refused() ? NULL : usual.xRealloc(block, size);
}

static void begin_refusing(void) {
    sqlite3_shutdown();
    assert_int_equal(sqlite3_config(SQLITE_CONFIG_GETMALLOC, &usual), SQLITE_OK);
    sqlite3_mem_methods own = usual;
    own.xMalloc = refusing_malloc;
    own.xRealloc = refusing_realloc;
    assert_int_equal(sqlite3_config(SQLITE_CONFIG_MALLOC, &own), SQLITE_OK);
    assert_int_equal(sqlite3_initialize(), SQLITE_OK);
}

// Something of a recording by way of all its statements.
static carom_status read_some(const char *path, double *time, carom_error *error) {
    carom_recording *recording;
    carom_status status = carom_recording_open(path, &recording, error);
    if (status == CAROM_OK) status = carom_recording_step_time(recording, 100, time, error);
    carom_recording_close(recording);
    return status;
}

// Finds that the run is finished.
static carom_status go_on(const char *path, double *time, carom_error *error) {
    small_run run = small_run_make(2, step);
    carom_recorder_def def = recorder_to(path);
    carom_recorder *recorder = NULL;
    bool finished = false;
    carom_status status = carom_recorder_resume(&def, run.state, &finished, &recorder, error);
    CHECK(finished == (status == CAROM_OK));
    *time = carom_state_time(run.state);
    carom_recorder_destroy(recorder);
    small_run_free(&run);
    return status;
}

typedef carom_status call(const char *path, double *time, carom_error *error);

static void refuse_each(const char *path, call *make) {
    double time, whole_time;
    carom_error error = {0};
    asked = refuse_at = 0;
    assert_int_equal(make(path, &whole_time, &error), CAROM_OK);
    long calls = asked;
    CHECK(calls > 500);
    for (long n = 1; n <= calls; n++) {
        asked = 0, refuse_at = n;
        carom_status status = make(path, &time, &error);
        // Some calls SQLite can do without.
        if (status == CAROM_OK)
            CHECK(time == whole_time);
        else if (status != CAROM_ERR_NO_MEMORY)
            fail_msg("call %ld: %s", n, error.text);
    }
    refuse_at = 0;
}

TEST(a_lack_of_memory_is_never_taken_for_damage) {
    begin_refusing();
    scratch_folder folder = scratch_folder_make();
    const char *path = in_folder(&folder, "run.carom");
    small_run run = small_run_make(2, step);
    carom_recorder_def def = recorder_to(path);
    small_run_record_whole(&def, NULL, &run, 100);
    small_run_free(&run);
    refuse_each(path, read_some);
    refuse_each(path, go_on);
    scratch_folder_remove(&folder);
}

TEST_MAIN(CASE(a_lack_of_memory_is_never_taken_for_damage))
