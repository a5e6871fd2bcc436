// SPDX-License-Identifier: MIT
// A run that is killed at any moment leaves a file that can be read, and resumed to the same bits.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/random.h"
#include "support/harness/check.h"
#include "support/scene/recorded_run.h"

enum { BODIES = 3 };
static const double step = 1.0 / 240;

// ---- killing from within, at the n-th time that SQLite asks the system to change something

static long long calls_left; // in the child only

static bool is_last_call(void) {
    return --calls_left == 0;
}

static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static ssize_t dying_pwrite(int file, const void *bytes, size_t size, off_t offset) {
    if (!is_last_call()) return real_pwrite(file, bytes, size, offset);
    real_pwrite(file, bytes, size / 2, offset); // torn
    return kill(getpid(), SIGKILL);
}

static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t dying_write(int file, const void *bytes, size_t size) {
    return is_last_call() ? kill(getpid(), SIGKILL) : real_write(file, bytes, size);
}

static int (*real_unlink)(const char *);
static int dying_unlink(const char *path) {
    return is_last_call() ? kill(getpid(), SIGKILL) : real_unlink(path);
}

static int (*real_ftruncate)(int, off_t);
static int dying_ftruncate(int file, off_t size) {
    return is_last_call() ? kill(getpid(), SIGKILL) : real_ftruncate(file, size);
}

static int (*real_open)(const char *, int, int);
static int dying_open(const char *path, int flags, int mode) {
    bool creates = (flags & O_CREAT) != 0;
    return creates && is_last_call() ? kill(getpid(), SIGKILL) : real_open(path, flags, mode);
}

static void replace(sqlite3_vfs *vfs, const char *name, sqlite3_syscall_ptr fake, sqlite3_syscall_ptr *real) {
    sqlite3_syscall_ptr old = vfs->xGetSystemCall(vfs, name);
    if (old == NULL) return;
    *real = old;
    vfs->xSetSystemCall(vfs, name, fake);
}

static void die_at_call(long long number) {
    calls_left = number;
    sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
    replace(vfs, "pwrite", (sqlite3_syscall_ptr)dying_pwrite, (sqlite3_syscall_ptr *)&real_pwrite);
    replace(vfs, "pwrite64", (sqlite3_syscall_ptr)dying_pwrite, (sqlite3_syscall_ptr *)&real_pwrite);
    replace(vfs, "write", (sqlite3_syscall_ptr)dying_write, (sqlite3_syscall_ptr *)&real_write);
    replace(vfs, "unlink", (sqlite3_syscall_ptr)dying_unlink, (sqlite3_syscall_ptr *)&real_unlink);
    replace(vfs, "ftruncate", (sqlite3_syscall_ptr)dying_ftruncate, (sqlite3_syscall_ptr *)&real_ftruncate);
    replace(vfs, "open", (sqlite3_syscall_ptr)dying_open, (sqlite3_syscall_ptr *)&real_open);
}

// ---- the run in a process of its own

typedef struct plan {
    const char *path;
    int64_t steps;
    int64_t checkpoint_every; // steps; 0: by the clock, every 2 ms
    long long last_call;      // to die at; 0: lives on
    int start_pipe; // a byte is written here when the work begins, another when the file is begun; -1: to nobody
    bool overwrite;
} plan;

// Begins the run, or resumes it if there is a file. 0 when all went well.
static int child_work(const plan *p) {
    small_run run = small_run_make(BODIES, step);
    carom_recorder_def def = recorder_to(p->path);
    def.every = 2;
    def.checkpoint_seconds = p->checkpoint_every > 0 ? 1e9 : 0.002;
    def.overwrite = p->overwrite;
    carom_error error = {0};
    carom_recorder *recorder = NULL;
    bool finished = false;
    if (p->start_pipe >= 0 && write(p->start_pipe, "x", 1) != 1) return 1;
    if (p->last_call > 0) die_at_call(p->last_call);
    bool exists = access(p->path, F_OK) == 0 && !p->overwrite;
    carom_status status = exists ? carom_recorder_resume(&def, run.state, &finished, &recorder, &error)
                                 : carom_recorder_create(&def, NULL, run.state, &recorder, &error);
    if (p->start_pipe >= 0 && write(p->start_pipe, "y", 1) != 1) return 1;
    int64_t at = carom_state_step_count(run.state);
    while (status == CAROM_OK && !finished && at < p->steps) {
        at = p->checkpoint_every > 0 && at + p->checkpoint_every < p->steps ? at + p->checkpoint_every : p->steps;
        if (!small_run_record(&run, recorder, at, &error))
            status = error.status;
        else if (at < p->steps)
            status = carom_recorder_checkpoint(recorder, run.state, &error);
    }
    if (status == CAROM_OK && !finished) status = carom_recorder_finish(recorder, run.state, NULL, &error);
    carom_recorder_destroy(recorder);
    small_run_free(&run);
    if (status != CAROM_OK) fprintf(stderr, "child: %s\n", error.text);
    return status == CAROM_OK ? 0 : 1;
}

static pid_t start(const plan *p) {
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) _exit(child_work(p));
    return child;
}

// True when it ended well, false when it was killed; anything else fails the test.
static bool wait_for(pid_t child) {
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFSIGNALED(status)) {
        CHECK_INT(WTERMSIG(status), SIGKILL);
        return false;
    }
    CHECK_INT(WEXITSTATUS(status), 0);
    return true;
}

static void check_readable(const char *path) {
    uint64_t digest;
    carom_error error = {0};
    if (!CHECK(read_whole(path, &digest, &error))) print_message("%s\n", error.text);
}

static void record_whole(const char *path, int64_t steps) {
    CHECK(wait_for(start(&(plan){.path = path, .steps = steps, .checkpoint_every = steps, .start_pipe = -1})));
}

// Twenty times at a random moment of a run of some tenths of a second; then resumed, killed again, and again until it
// is done.
TEST(run_killed_at_random_moments_can_be_resumed) {
    enum { STEPS = 8000, KILLS = 20 };
    scratch_folder folder = scratch_folder_make();
    const char *whole = in_folder(&folder, "whole.carom"), *path = in_folder(&folder, "run.carom");
    record_whole(whole, STEPS);
    plan p = {.path = path, .steps = STEPS, .start_pipe = -1};
    double begin = crm_clock_seconds();
    CHECK(wait_for(start(&p)));
    double seconds = crm_clock_seconds() - begin;
    CHECK(same_recordings(whole, path));
    crm_random random = {.seed = 20};
    int kills = 0, resumed = 0;
    for (int i = 0; kills < KILLS && i < 10 * KILLS; i++) {
        if (i % 4 == 0) unlink(path); // up to four kills of one run
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        p.start_pipe = ends[1];
        pid_t child = start(&p);
        char byte;
        assert_int_equal(read(ends[0], &byte, 1), 1);
        double wait = crm_random_between(&random, 0.0, seconds * (i % 4 == 0 ? 0.7 : 0.3));
        nanosleep(&(struct timespec){.tv_sec = (time_t)wait, .tv_nsec = (long)(1e9 * (wait - (time_t)wait))}, NULL);
        kill(child, SIGKILL);
        if (!wait_for(child)) kills++;
        close(ends[0]);
        close(ends[1]);
        if (access(path, F_OK) != 0) continue; // killed before the file had its name
        resumed++;
        check_readable(path);
        if (i % 4 != 3) continue;
        p.start_pipe = -1;
        CHECK(wait_for(start(&p)));
        CHECK(same_recordings(whole, path));
    }
    CHECK_INT(kills, KILLS);
    CHECK(resumed > KILLS / 2);
    scratch_folder_remove(&folder);
}

// At every single call by which SQLite changes a file, `stride` apart, with half of it done if it is a write.
static void kill_at_calls(int stride) {
    enum { STEPS = 60, CHECKPOINT = 10 };
    scratch_folder folder = scratch_folder_make();
    const char *whole = in_folder(&folder, "whole.carom"), *path = in_folder(&folder, "run.carom");
    record_whole(whole, STEPS);
    int deaths = 0, without_file = 0;
    bool done = false;
    for (long long call = 1; !done; call += stride) {
        unlink(path);
        plan p = {.path = path, .steps = STEPS, .checkpoint_every = CHECKPOINT, .last_call = call, .start_pipe = -1};
        done = wait_for(start(&p));
        deaths += !done;
        bool exists = access(path, F_OK) == 0;
        without_file += !exists;
        // Read first in every second case: reading rolls back, and so must resuming.
        if (exists && call % 2 == 0) check_readable(path);
        p.last_call = 0;
        CHECK(wait_for(start(&p)));
        if (!CHECK(same_recordings(whole, path))) print_message("killed at call %lld\n", call);
        char journal[600];
        snprintf(journal, sizeof journal, "%s-journal", path);
        CHECK(access(journal, F_OK) != 0);
    }
    CHECK(deaths > 60 / stride);
    CHECK(without_file < deaths / 2);
    scratch_folder_remove(&folder);
}

TEST(run_killed_at_some_calls_can_be_resumed) {
    kill_at_calls(9);
}

TEST(run_killed_at_every_call_can_be_resumed) {
    kill_at_calls(1);
}

// Killed while it overwrites: at the path there is the old recording or a new one, whole.
TEST(killed_overwriting_leaves_old_or_new) {
    scratch_folder folder = scratch_folder_make();
    const char *whole = in_folder(&folder, "whole.carom"), *path = in_folder(&folder, "run.carom");
    const char *before = in_folder(&folder, "before.carom");
    record_whole(whole, 60);
    record_whole(before, 31);
    size_t size;
    unsigned char *bytes = read_bytes(before, &size);
    int old_left = 0, new_left = 0;
    bool done = false;
    for (long long call = 1; !done; call += 3) {
        write_bytes(path, bytes, size);
        plan p = {
            .path = path, .steps = 60, .checkpoint_every = 20, .last_call = call, .start_pipe = -1, .overwrite = true};
        done = wait_for(start(&p));
        check_readable(path);
        if (same_recordings(path, before)) {
            old_left++;
            CHECK(same_bytes(path, before));
        } else {
            new_left++;
            p.overwrite = false;
            p.last_call = 0;
            CHECK(wait_for(start(&p)));
            CHECK(same_recordings(path, whole));
        }
    }
    CHECK(old_left > 2);
    CHECK(new_left > 2);
    free(bytes);
    scratch_folder_remove(&folder);
}

// A hot journal beside the file that is overwritten must not be rolled back into the new one.
TEST(overwriting_a_killed_run_clears_its_journal_first) {
    scratch_folder folder = scratch_folder_make();
    const char *whole = in_folder(&folder, "whole.carom"), *path = in_folder(&folder, "run.carom");
    const char *journal = in_folder(&folder, "run.carom-journal");
    record_whole(whole, 60);
    int hot = 0;
    for (long long call = 10; call < 200 && hot < 3; call++) {
        unlink(path);
        plan p = {.path = path, .steps = 60, .checkpoint_every = 10, .last_call = call, .start_pipe = -1};
        wait_for(start(&p));
        if (access(journal, F_OK) != 0) continue;
        hot++;
        p.last_call = 0;
        p.overwrite = true;
        CHECK(wait_for(start(&p)));
        CHECK(same_recordings(path, whole));
        CHECK(access(journal, F_OK) != 0);
    }
    CHECK_INT(hot, 3);

    // And one whose file is gone is refused.
    unlink(path);
    write_bytes(journal, "something", 9);
    small_run run = small_run_make(BODIES, step);
    carom_recorder_def def = recorder_to(path);
    carom_recorder *recorder;
    carom_error error = {0};
    CHECK_INT(carom_recorder_create(&def, NULL, run.state, &recorder, &error), CAROM_ERR_FILE);
    CHECK_CONTAINS(error.text, "run.carom-journal: is left of a recording that is gone");
    CHECK(access(path, F_OK) != 0);
    CHECK(access(journal, F_OK) == 0);
    small_run_free(&run);
    scratch_folder_remove(&folder);
}

// The lock works between processes and goes with its owner.
TEST(second_process_is_locked_out_until_the_first_is_gone) {
    scratch_folder folder = scratch_folder_make();
    const char *path = in_folder(&folder, "run.carom");
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    // No checkpoint while it runs: between two transactions there is a moment without a lock.
    plan p = {.path = path, .steps = INT64_C(1) << 60, .checkpoint_every = INT64_C(1) << 60, .start_pipe = ends[1]};
    pid_t child = start(&p);
    char byte;
    for (int i = 0; i < 2; i++) assert_int_equal(read(ends[0], &byte, 1), 1);
    carom_recorder_def def = recorder_to(path);
    def.overwrite = true;
    small_run run = small_run_make(BODIES, step);
    carom_recorder *recorder;
    carom_error error = {0};
    bool finished;
    CHECK_INT(carom_recorder_resume(&def, run.state, &finished, &recorder, &error), CAROM_ERR_FILE);
    CHECK_CONTAINS(error.text, "another process uses the file");
    CHECK_INT(carom_recorder_create(&def, NULL, run.state, &recorder, &error), CAROM_ERR_FILE);
    CHECK_CONTAINS(error.text, "another process uses the file");
    check_readable(path);
    kill(child, SIGKILL);
    CHECK(!wait_for(child));
    CHECK_INT(carom_recorder_resume(&def, run.state, &finished, &recorder, &error), CAROM_OK);
    carom_recorder_destroy(recorder);
    close(ends[0]);
    close(ends[1]);
    small_run_free(&run);
    scratch_folder_remove(&folder);
}

// A killed run that nobody may write to cannot be rolled back; the sentence says what to do.
TEST(killed_run_in_a_read_only_folder_gets_a_sentence) {
    scratch_folder folder = scratch_folder_make();
    const char *path = in_folder(&folder, "run.carom"), *journal = in_folder(&folder, "run.carom-journal");
    // The last page but one of a commit: the journal is whole then, and the file is not.
    for (long long call = 60; access(journal, F_OK) != 0 && call < 200; call++) {
        unlink(path);
        wait_for(
            start(&(plan){.path = path, .steps = 3000, .checkpoint_every = 1000, .last_call = call, .start_pipe = -1}));
    }
    chmod(path, 0444);
    chmod(journal, 0444);
    chmod(folder.path, 0555);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if (getuid() == 0 && setuid(65534) != 0) _exit(99);
        carom_recording *recording;
        carom_error error = {0};
        if (carom_recording_open(path, &recording, &error) != CAROM_ERR_FILE) _exit(1);
        _exit(strstr(error.text, "killed while it wrote") != NULL ? 0 : 2);
    }
    CHECK(wait_for(child));
    chmod(folder.path, 0755);
    chmod(path, 0644);
    chmod(journal, 0644);
    check_readable(path);
    scratch_folder_remove(&folder);
}

TEST_MAIN(CASE(second_process_is_locked_out_until_the_first_is_gone),
          CASE(killed_run_in_a_read_only_folder_gets_a_sentence), CASE(run_killed_at_random_moments_can_be_resumed),
          CASE(run_killed_at_some_calls_can_be_resumed), LONG_CASE(run_killed_at_every_call_can_be_resumed),
          CASE(killed_overwriting_leaves_old_or_new), CASE(overwriting_a_killed_run_clears_its_journal_first))
