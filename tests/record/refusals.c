// SPDX-License-Identifier: MIT
// Files that cannot be read or written: one clear sentence, and nothing is changed.
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/harness/check.h"
#include "support/scene/recorded_run.h"

static const double step = 1.0 / 240;

static void record_some(const char *path) {
    small_run run = small_run_make(2, step);
    carom_recorder_def def = recorder_to(path);
    small_run_record_whole(&def, NULL, &run, 100);
    small_run_free(&run);
}

static carom_status try_create(const char *path, bool overwrite, carom_error *error) {
    small_run run = small_run_make(2, step);
    carom_recorder_def def = recorder_to(path);
    def.overwrite = overwrite;
    carom_recorder *recorder = NULL;
    *error = (carom_error){0};
    carom_status status = carom_recorder_create(&def, NULL, run.state, &recorder, error);
    CHECK((status == CAROM_OK) == (recorder != NULL));
    carom_recorder_destroy(recorder);
    small_run_free(&run);
    return status;
}

static carom_status try_resume(const char *path, carom_error *error) {
    small_run run = small_run_make(2, step);
    carom_recorder_def def = recorder_to(path);
    carom_recorder *recorder = NULL;
    bool finished;
    *error = (carom_error){0};
    uint64_t before = carom_state_hash(run.state);
    carom_status status = carom_recorder_resume(&def, run.state, &finished, &recorder, error);
    if (status != CAROM_OK) CHECK(carom_state_hash(run.state) == before);
    carom_recorder_destroy(recorder);
    small_run_free(&run);
    return status;
}

static carom_status try_open(const char *path, carom_error *error) {
    carom_recording *recording;
    *error = (carom_error){0};
    carom_status status = carom_recording_open(path, &recording, error);
    carom_recording_close(recording);
    return status;
}

static bool is_sentence(const char *text) {
    return strlen(text) > 20 && text[strlen(text) - 1] != '.' && strchr(text, '\n') == NULL &&
           strchr(text, ';') != NULL;
}

// Neither opened, nor resumed, nor overwritten, nor touched.
static void check_refused(const char *path, const char *text) {
    size_t size;
    unsigned char *before = read_bytes(path, &size);
    carom_error error;
    CHECK_INT(try_open(path, &error), CAROM_ERR_FILE);
    CHECK_CONTAINS(error.text, text);
    CHECK_CONTAINS(error.text, path);
    CHECK(is_sentence(error.text));
    CHECK_INT(try_resume(path, &error), CAROM_ERR_FILE);
    CHECK_CONTAINS(error.text, text);
    CHECK_INT(try_create(path, false, &error), CAROM_ERR_FILE);
    CHECK_CONTAINS(error.text, "exists already; choose another name");
    size_t size_after;
    unsigned char *after = read_bytes(path, &size_after);
    CHECK(size == size_after && memcmp(before, after, size) == 0);
    free(before);
    free(after);
}

static void check_never_overwritten(const char *path) {
    size_t size, size_after;
    unsigned char *before = read_bytes(path, &size);
    carom_error error;
    CHECK_INT(try_create(path, true, &error), CAROM_ERR_FILE);
    CHECK_CONTAINS(error.text, "not overwritten, since only a whole carom recording is");
    unsigned char *after = read_bytes(path, &size_after);
    CHECK(size == size_after && memcmp(before, after, size) == 0);
    free(before);
    free(after);
}

TEST(files_that_are_no_recordings_are_refused) {
    scratch_folder folder = scratch_folder_make();
    const char *path = in_folder(&folder, "x");
    write_bytes(path, "", 0);
    check_refused(path, "is empty");
    check_never_overwritten(path);
    write_bytes(path, "hello, world\n", 13);
    check_refused(path, "is not a carom recording");
    check_never_overwritten(path);
    char text[20000];
    memset(text, 'x', sizeof text);
    write_bytes(path, text, sizeof text);
    check_refused(path, "is not a carom recording");
    check_never_overwritten(path);
    unlink(path);
    sqlite3 *database;
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    assert_int_equal(sqlite3_exec(database, "CREATE TABLE meta (key, value)", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(database);
    check_refused(path, "is an SQLite file of another program");
    check_never_overwritten(path);
    CHECK_INT(scratch_folder_count(&folder), 1);
    scratch_folder_remove(&folder);
}

static void run_sql(const char *path, const char *sql) {
    sqlite3 *database;
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    assert_int_equal(sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(database);
}

TEST(other_formats_are_refused) {
    scratch_folder folder = scratch_folder_make();
    const char *path = in_folder(&folder, "x.carom");
    record_some(path);
    run_sql(path, "PRAGMA user_version=5");
    check_refused(path, "was written by an earlier carom, in format 5, and this one reads format 6; use that carom, or "
                        "record the run again");
    run_sql(path, "PRAGMA user_version=7");
    check_refused(path, "was written by a newer carom, in format 7, and this one reads format 6");
    carom_error error;
    CHECK_INT(try_create(path, true, &error), CAROM_OK); // it is a recording
    CHECK_INT(try_open(path, &error), CAROM_OK);
    run_sql(path, "PRAGMA user_version=0");
    check_refused(path, "damaged");
    scratch_folder_remove(&folder);
}

TEST(missing_parts_are_refused) {
    scratch_folder folder = scratch_folder_make();
    const char *path = in_folder(&folder, "x.carom");
    static const struct {
        const char *sql, *text;
    } cases[] = {
        {"DELETE FROM meta WHERE key = 'method'", "damaged (it has no 'method')"},
        {"UPDATE meta SET value = 2 * value WHERE key = 'step'", "damaged (its 'step' is not what was written)"},
        {"UPDATE meta SET value = 'x' WHERE key = 'body_count'", "damaged (its 'body_count' is not"},
        {"DELETE FROM bodies WHERE number = 1", "damaged (it says that it has 2 bodies, and 1 are there)"},
        {"INSERT INTO bodies SELECT 2, name, kind, mass, shape, digest FROM bodies WHERE number = 1",
         "damaged (its table of bodies"},
        {"UPDATE bodies SET name = 'x'", "damaged (its table of bodies"},
        {"DROP TABLE meta", "damaged (no such table: meta)"},
        {"DROP TABLE bodies", "damaged (no such table: bodies)"},
        {"DROP TABLE checkpoints; DROP VIEW summary", "damaged (no such table: checkpoints)"},
        {"DELETE FROM checkpoints", "damaged (it has no checkpoint)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        unlink(path);
        record_some(path);
        run_sql(path, cases[i].sql);
        check_refused(path, cases[i].text);
    }
    scratch_folder_remove(&folder);
}

TEST(places_that_are_no_files_are_refused) {
    scratch_folder folder = scratch_folder_make();
    carom_error error;
    for (int overwrite = 0; overwrite < 2; overwrite++) {
        CHECK_INT(try_create(folder.path, overwrite, &error), CAROM_ERR_FILE);
        CHECK_CONTAINS(error.text, "is a folder");
        CHECK_INT(try_create("/dev/null", overwrite, &error), CAROM_ERR_FILE);
        CHECK_CONTAINS(error.text, "is not an ordinary file");
        CHECK_INT(try_create(in_folder(&folder, "no/such/x.carom"), overwrite, &error), CAROM_ERR_FILE);
        CHECK_CONTAINS(error.text, "its folder does not exist; make the folder first");
    }
    CHECK_INT(try_open(folder.path, &error), CAROM_ERR_FILE);
    CHECK_CONTAINS(error.text, "is a folder, not a carom recording");
    CHECK_INT(try_resume(folder.path, &error), CAROM_ERR_FILE);
    CHECK_INT(try_open("/dev/null", &error), CAROM_ERR_FILE);
    CHECK_CONTAINS(error.text, "is not an ordinary file");
    CHECK_INT(try_open(in_folder(&folder, "x.carom"), &error), CAROM_ERR_FILE);
    CHECK_CONTAINS(error.text, "No such file");
    CHECK_INT(try_resume(in_folder(&folder, "x.carom"), &error), CAROM_ERR_FILE);
    const char *link = in_folder(&folder, "link.carom");
    assert_int_equal(symlink("nowhere", link), 0);
    CHECK_INT(try_create(link, true, &error), CAROM_ERR_FILE);
    CHECK_CONTAINS(error.text, "is a link to nowhere");
    CHECK_INT(scratch_folder_count(&folder), 1);
    scratch_folder_remove(&folder);
}

// A very long path keeps its end, which names the file, and leaves room for the reason.
TEST(long_paths_leave_room_for_the_reason) {
    char path[3000];
    memset(path, 'a', sizeof path);
    memcpy(path, "/tmp/", 5);
    for (size_t i = 105; i < sizeof path; i += 100) path[i] = '/';
    memcpy(path + sizeof path - 9, "/x.carom", 9);
    carom_error error;
    CHECK_INT(try_create(path, false, &error), CAROM_ERR_FILE);
    CHECK_CONTAINS(error.text, "/x.carom: cannot be made, as its folder does not exist; make the folder first");
    CHECK_INT(try_open(path, &error), CAROM_ERR_FILE);
}

// A link is followed: the file that it names is replaced, the link stays.
TEST(links_are_followed) {
    scratch_folder folder = scratch_folder_make();
    const char *path = in_folder(&folder, "real.carom"), *link = in_folder(&folder, "link.carom");
    record_some(path);
    assert_int_equal(symlink("real.carom", link), 0);
    carom_error error;
    CHECK_INT(try_create(link, false, &error), CAROM_ERR_FILE);
    CHECK_INT(try_create(link, true, &error), CAROM_OK);
    struct stat about;
    CHECK(lstat(link, &about) == 0 && S_ISLNK(about.st_mode));
    carom_recording *recording;
    carom_recording_info info;
    CHECK_INT(carom_recording_open(path, &recording, &error), CAROM_OK);
    CHECK_INT(carom_recording_get_info(recording, &info, &error), CAROM_OK);
    CHECK_INT(info.step_count, 0);
    carom_recording_close(recording);
    scratch_folder_remove(&folder);
}

// In a process without root's rights, to whom no folder is read-only.
static int without_rights(int (*work)(const scratch_folder *), const scratch_folder *folder) {
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if (getuid() == 0 && setuid(65534) != 0) _exit(99);
        _exit(work(folder));
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int work_in_read_only_folder(const scratch_folder *folder) {
    carom_error error;
    if (try_create(in_folder(folder, "new.carom"), false, &error) != CAROM_ERR_FILE) return 1;
    if (strstr(error.text, "its folder may not be written to; change its permissions") == NULL) return 2;
    if (try_create(in_folder(folder, "run.carom"), true, &error) != CAROM_ERR_FILE) return 3;
    if (strstr(error.text, "may not be written to") == NULL) return 4;
    if (try_resume(in_folder(folder, "run.carom"), &error) != CAROM_ERR_FILE) return 5;
    if (strstr(error.text, "may not be written to") == NULL) return 6;
    if (try_open(in_folder(folder, "run.carom"), &error) != CAROM_OK) return 7; // reading needs no rights to write
    if (try_open(in_folder(folder, "secret.carom"), &error) != CAROM_ERR_FILE) return 8;
    return strstr(error.text, "Permission denied") != NULL ? 0 : 9;
}

TEST(read_only_folder_is_refused) {
    scratch_folder folder = scratch_folder_make();
    record_some(in_folder(&folder, "run.carom"));
    record_some(in_folder(&folder, "secret.carom"));
    chmod(in_folder(&folder, "run.carom"), 0444);
    chmod(in_folder(&folder, "secret.carom"), 0);
    chmod(folder.path, 0555);
    CHECK_INT(without_rights(work_in_read_only_folder, &folder), 0);
    chmod(folder.path, 0755);
    CHECK_INT(scratch_folder_count(&folder), 2);
    scratch_folder_remove(&folder);
}

TEST_MAIN(CASE(files_that_are_no_recordings_are_refused), CASE(other_formats_are_refused),
          CASE(missing_parts_are_refused), CASE(places_that_are_no_files_are_refused),
          CASE(long_paths_leave_room_for_the_reason), CASE(links_are_followed), CASE(read_only_folder_is_refused))
