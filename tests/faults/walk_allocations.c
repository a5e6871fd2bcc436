// SPDX-License-Identifier: MIT
// Runs every case once for each of its allocations, with that one refused, and once more with all from there on
// refused. Each must end as without, to the byte, or with exit code 3, a sentence and no file that is not whole.
//
//   walk_allocations LIBRARY PROGRAM INPUTS [EVERY [FIRST [CASE]...]]
//
// EVERY thins: the allocations FIRST, FIRST + EVERY, ... only.
#define _XOPEN_SOURCE 700 // realpath
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faults/trial.h"

// What a refused command says to the shell (cli/verb/verb.h), and what it may not use up.
enum { EXIT_NO_MEMORY = 3, MOST_SECONDS = 20, RESUME_EVERY = 16, MOST_SHOWN = 12 };

typedef struct refusal {
    const char *library;
    long at; // 0: none
    bool all;
    long interrupt_at;
} refusal;

static void prepare(void *user) {
    const refusal *r = user;
    char number[32];
    setenv("LD_PRELOAD", r->library, 1);
    setenv("REFUSE_COUNT", "count", 1);
    if (r->at > 0) {
        snprintf(number, sizeof number, "%ld", r->at);
        setenv("REFUSE_AT", number, 1);
    }
    if (r->all) setenv("REFUSE_ALL", "1", 1);
    if (r->interrupt_at > 0) {
        snprintf(number, sizeof number, "%ld", r->interrupt_at);
        setenv("INTERRUPT_AT", number, 1);
    }
    // One that hangs is ended by SIGXCPU.
    setrlimit(RLIMIT_CPU, &(struct rlimit){MOST_SECONDS, MOST_SECONDS});
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
}

static bool run(const trial_place *place, const trial_case *about, refusal *r, trial_result *result) {
    int status;
    trial_clean(about);
    pid_t child = trial_start(place, about, prepare, r);
    if (child < 0 || waitpid(child, &status, 0) != child) return false;
    trial_collect(about, status, result);
    return true;
}

static long read_count(void) {
    long count = 0;
    FILE *file = fopen("count", "r");
    if (file == NULL) return 0;
    if (fscanf(file, "%ld", &count) != 1) count = 0;
    fclose(file);
    return count;
}

// The recordings that cases read: whole ones, and one that was interrupted.
static bool make_recordings(const trial_place *place, const char *library) {
    static const trial_case whole = {.words = {"run", "scene.json", "--no-report", "-o", "whole.carom"}},
                            soft = {.words = {"run", "soft.json", "--no-report", "-o", "soft.carom"}},
                            begun = {.words = {"run", "scene.json", "--no-report", "-o", "begun.carom"}};
    trial_result result;
    refusal none = {.library = library};
    if (!run(place, &whole, &none, &result)) return false;
    bool good = result.code == 0;
    trial_free(&result);
    if (!run(place, &soft, &none, &result)) return false;
    good &= result.code == 0;
    trial_free(&result);
    none.interrupt_at = 40;
    if (!run(place, &begun, &none, &result)) return false;
    good &= result.code == 130;
    trial_free(&result);
    return good;
}

// NULL when all is well. A refusal is told apart from success by `*refused`.
static const char *check_result(const trial_place *place, const trial_case *about, const trial_result *got,
                                const trial_result *whole, bool resume, bool *refused) {
    *refused = false;
    if (trial_is_same(got, whole)) return NULL;
    if (got->code < 0) return got->code == -SIGXCPU ? "it hangs" : "it is killed by a signal";
    if (got->code != EXIT_NO_MEMORY) return got->code == whole->code ? "other bytes" : "another exit code";
    *refused = true;
    if (got->error.bytes == NULL || strstr(got->error.bytes, "memory") == NULL) return "no sentence about memory";
    const char *wrong = trial_leftovers(about, got, whole);
    if (wrong != NULL || got->recording.bytes == NULL || !resume) return wrong;
    return trial_resume(place, about, whole);
}

typedef struct tally {
    long allocations, runs, same, refused, wrong;
} tally;

static void tell(const trial_case *about, const refusal *r, const trial_result *got, const char *wrong, long count) {
    if (count > MOST_SHOWN) return;
    const char *said = got->error.bytes != NULL ? got->error.bytes : "";
    int length = (int)strcspn(said, "\n");
    printf("  %s, allocation %ld%s: %s (exit %d: %.*s)\n", about->name, r->at, r->all ? " and all after it" : "", wrong,
           got->code, length < 200 ? length : 200, said);
}

static bool walk(const trial_place *place, const trial_case *about, const char *library, long every, long first,
                 tally *t) {
    *t = (tally){0};
    refusal r = {.library = library};
    trial_result whole;
    if (!run(place, about, &r, &whole)) return false;
    t->allocations = read_count();
    bool good = t->allocations > 0 && whole.code >= 0 && whole.code != EXIT_NO_MEMORY && trial_keep_hash(place, about);
    for (long n = first; good && n <= 2 * t->allocations; n += every) {
        r.at = (n + 1) / 2;
        r.all = n % 2 == 0;
        trial_result got;
        if (!run(place, about, &r, &got)) return false;
        bool refused;
        const char *wrong = check_result(place, about, &got, &whole, r.at % RESUME_EVERY == 0, &refused);
        t->runs++;
        if (wrong != NULL)
            tell(about, &r, &got, wrong, ++t->wrong);
        else if (refused)
            t->refused++;
        else
            t->same++;
        trial_free(&got);
    }
    trial_clean(about);
    trial_free(&whole);
    return good;
}

static bool is_asked_for(const char *name, int count, char **names) {
    for (int i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return count == 0;
}

int main(int argc, char **argv) {
    if (argc < 4) return fputs("usage: walk_allocations LIBRARY PROGRAM INPUTS [EVERY [FIRST [CASE]...]]\n", stderr), 2;
    long every = argc > 4 ? atol(argv[4]) : 1, first = argc > 5 ? atol(argv[5]) : 1;
    char library[4096];
    trial_place place;
    setvbuf(stdout, NULL, _IOLBF, 0);
    signal(SIGINT, SIG_DFL); // shells let what runs in the background ignore it
    if (realpath(argv[1], library) == NULL || every < 1 || first < 1 || !trial_begin(&place, argv[2], argv[3]) ||
        !make_recordings(&place, library)) {
        fputs("the recordings cannot be made\n", stderr);
        return 2;
    }
    tally all = {0}, t;
    bool good = true;
    for (const trial_case *about = trial_cases; about->name != NULL; about++) {
        if (!is_asked_for(about->name, argc > 6 ? argc - 6 : 0, argv + 6)) continue;
        if (!walk(&place, about, library, every, first, &t)) {
            printf("%s: does not run without faults\n", about->name);
            good = false;
        }
        printf("%-20s %6ld allocations, %6ld runs: %6ld the same, %6ld refused, %ld wrong\n", about->name,
               t.allocations, t.runs, t.same, t.refused, t.wrong);
        all.runs += t.runs, all.same += t.same, all.refused += t.refused, all.wrong += t.wrong;
    }
    printf("%ld runs with refused allocations: %ld the same to the byte, %ld refused with a sentence, %ld wrong\n",
           all.runs, all.same, all.refused, all.wrong);
    trial_end(&place);
    return good && all.wrong == 0 && all.runs > 0 ? 0 : 1;
}
