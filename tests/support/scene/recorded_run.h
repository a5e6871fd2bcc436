// SPDX-License-Identifier: MIT
// Small runs to record, folders to record them in, and comparison of recordings.
#ifndef TEST_SUPPORT_RECORDED_RUN_H
#define TEST_SUPPORT_RECORDED_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "carom/record.h"

// ---- folders and files

typedef struct scratch_folder {
    char path[64];
} scratch_folder;

scratch_folder scratch_folder_make(void);
void scratch_folder_remove(scratch_folder *folder); // with all that is in it
int scratch_folder_count(const scratch_folder *folder);

// "FOLDER/name", in a ring of 64 static buffers.
const char *in_folder(const scratch_folder *folder, const char *name);

void write_bytes(const char *path, const void *bytes, size_t size);
unsigned char *read_bytes(const char *path, size_t *size); // free it
bool same_bytes(const char *path_a, const char *path_b);

// ---- runs

// A few bodies that tumble, tied by springs, so that every step depends on all the ones before.
typedef struct small_run {
    carom_model *model;
    carom_state *state;
    carom_method_def method;
} small_run;

small_run small_run_make(int body_count, double step);
small_run small_run_make_by(int body_count, const carom_method_def *method);
void small_run_free(small_run *run);

// A scene read from text, and a state at its beginning; they fail the test if that fails.
carom_scene *scene_of_text(const char *text);
carom_state *state_of_scene(const carom_scene *scene);

// Steps and records until the state is at step `end`; false when recording fails, with the sentence in `error`.
bool small_run_record(small_run *run, carom_recorder *recorder, int64_t end, carom_error *error);

// Records a whole run of `steps` steps to a new file; fails the test if that fails.
void small_run_record_whole(const carom_recorder_def *def, const carom_scene *scene, small_run *run, int64_t steps);

carom_recorder_def recorder_to(const char *path);

// Opens, resumes, records up to step `end` and finishes; says whether all of that went well.
bool small_run_resume(const carom_recorder_def *def, int body_count, double step, int64_t end);

// ---- recordings

// Everything that a recording says but the wall clock: facts, frames, certificates, hash.
bool same_recordings(const char *path_a, const char *path_b);

// Reads everything; false, with the sentence, when something cannot be read. The digest is of all that was read.
bool read_whole(const char *path, uint64_t *digest, carom_error *error);

#endif
