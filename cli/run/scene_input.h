// SPDX-License-Identifier: MIT
// Reading scenes for verbs, with what there is to say about them.
#ifndef CLI_SCENE_INPUT_H
#define CLI_SCENE_INPUT_H

#include <stdint.h>
#include <stdio.h>

#include "base/json.h"
#include "base/options.h"
#include "carom/scene.h"

// "file:line: path: sentence", with the severity before the sentence if `severity`. Lines and paths that a message does
// not have are left out.
void print_scene_message(FILE *to, const carom_scene_message *message, bool severity);

// After a reading that failed: prints all errors to the standard error output, or `error` when there are none, frees
// the messages and returns the exit code.
int refuse_messages(carom_scene_messages *messages, const carom_error *error);

// The members `file`, `line`, `path`, `severity` and `text` of an object that was opened.
void put_scene_message(jsonl_writer *json, const carom_scene_message *message);

// The limits of a scene by the option --limit, such as "memory=8G,contacts=1e6"; `text` may be NULL. The exit code,
// after a sentence if that is not EXIT_GOOD.
int read_limits(const char *text, carom_limits *out);

// What there is to say of --limit, in every table of options.
#define LIMIT_HELP \
    "what the scene may ask for: memory=8G, bodies=, contacts=, seconds=, steps= ... or none; docs/scene.md"

// Reads `file` with the overrides, held against limits as read_limits has them. When it has errors, prints all of them
// to the standard error output and returns NULL with the exit code in *code. Unless `warnings` is NULL, what is
// doubtful is looked for, too, and left there, to be destroyed.
carom_scene *read_scene(const char *file, const text_list *overrides, const char *limit,
                        carom_scene_messages **warnings, int *code);

// Steps to reach `until`, both in s. The exit code, after a sentence about `file` if there are too many to count.
int count_steps(const char *file, const carom_method_def *method, double until, int64_t *out);

#endif
