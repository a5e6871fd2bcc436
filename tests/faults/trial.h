// SPDX-License-Identifier: MIT
// The program run in a folder of its own, with what it prints and leaves behind: for those that walk through faults.
#ifndef FAULTS_TRIAL_H
#define FAULTS_TRIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { MOST_WORDS = 16, MOST_FILES = 4 };

// A command of the program, and the files that it makes.
typedef struct trial_case {
    const char *name;
    const char *words[MOST_WORDS]; // after the program; ends with NULL
    const char *made[MOST_FILES];  // that appear whole or not at all; ends with NULL
    const char *recording;         // that it may leave unfinished, if that can be read and resumed; or NULL
    const char *copied_from;       // what the recording is at first: one to be resumed; or NULL
    const char *folder;            // in which it makes some of its files; or NULL
} trial_case;

extern const trial_case trial_cases[]; // ends with a name that is NULL

// A file's bytes; NULL when it is not there.
typedef struct file_bytes {
    char *bytes;
    size_t size;
} file_bytes;

typedef struct trial_result {
    int code; // exit code, or minus the signal
    file_bytes out, error, made[MOST_FILES], recording;
} trial_result;

// Where everything happens.
typedef struct trial_place {
    char program[4096];
    char folder[256];
} trial_place;

// Makes the folder with copies of all files in `inputs`, and goes there.
bool trial_begin(trial_place *place, const char *program, const char *inputs);
void trial_end(const trial_place *place);

// Removes what the case makes, and copies what it resumes.
void trial_clean(const trial_case *about);

// Starts the case, with `prepare`, if it is given, called in the child just before the program.
pid_t trial_start(const trial_place *place, const trial_case *about, void (*prepare)(void *), void *user);

// Reads what a case that ended with this status of waitpid() has left.
void trial_collect(const trial_case *about, int status, trial_result *result);
void trial_free(trial_result *result);

// A command without any faults: its exit code. What it prints is in the files `out` and `err`.
int trial_command(const trial_place *place, const char *const *words);

// Whether both ended with the same code, printed and made the same, to the byte.
bool trial_is_same(const trial_result *a, const trial_result *b);

// What is wrong with the files that a case which did not succeed has left behind; NULL when nothing is. `whole` is the
// case without faults.
const char *trial_leftovers(const trial_case *about, const trial_result *got, const trial_result *whole);

extern const char trial_left_temporary[]; // one of its answers

// The same of the recording: it must be readable, and go on to the bits of the whole one. `trial_keep_hash` is called
// once before, while the whole one is there.
bool trial_keep_hash(const trial_place *place, const trial_case *about);
const char *trial_resume(const trial_place *place, const trial_case *about, const trial_result *whole);

#endif
