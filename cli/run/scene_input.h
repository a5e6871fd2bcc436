// SPDX-License-Identifier: MIT
// Reading scenes for verbs, with what there is to say about them.
#ifndef CLI_SCENE_INPUT_H
#define CLI_SCENE_INPUT_H

#include <stdint.h>
#include <stdio.h>

#include "base/options.h"
#include "carom/scene.h"

// "file:line: path: sentence", with the severity before the sentence if `severity`. Lines and paths that a message does
// not have are left out.
void print_scene_message(FILE *to, const carom_scene_message *message, bool severity);

// After a reading that failed: prints all errors to the standard error output, or `error` when there are none, frees
// the messages and returns the exit code.
int refuse_messages(carom_scene_messages *messages, const carom_error *error);

// Reads `file` with the overrides. When it has errors, prints all of them to the standard error output and returns NULL
// with the exit code in *code.
carom_scene *read_scene(const char *file, const text_list *overrides, int *code);

// Steps to reach `until`, both in s. The exit code, after a sentence about `file` if there are too many to count.
int count_steps(const char *file, double until, double step, int64_t *out);

#endif
