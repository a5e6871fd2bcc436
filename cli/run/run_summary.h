// SPDX-License-Identifier: MIT
// The certificate of a whole run, for a person and for a program.
#ifndef CLI_RUN_SUMMARY_H
#define CLI_RUN_SUMMARY_H

#include <stdint.h>
#include <stdio.h>

#include "base/json.h"
#include "carom/report.h"
#include "carom/scene.h"

typedef enum run_ending {
    RUN_FINISHED,
    RUN_UNFINISHED,  // killed, or still running
    RUN_INTERRUPTED, // by a signal to this process
    RUN_STOPPED,     // early, for the reason in the recording
} run_ending;

typedef struct run_summary {
    const char *path;
    carom_recording_info info;
    run_ending ending;
    carom_verdict verdict;
    carom_verdict finding[CAROM_RULE_COUNT];  // of every rule, also of those that found nothing
    const carom_start_report *start;          // of the run that this process has begun, or NULL
    double stable_step;                       // the longest that is, of such a run with a limit, s; else 0
    const carom_scene_messages *warnings;     // about its scene, or NULL
    char *report;                             // the page beside the recording that this process has written, or NULL
    double first_broken_time, confirmed_time; // s, when there is such a step
    bool has_plan_end;                        // it has come to the end of the plan whose controls it has:
    double plan_distance, plan_angle;         // how far from the plan, m and rad
    // What this process did of it. No steps and no time when it only looks at the recording.
    int64_t steps_made;
    double time_made;    // s of simulated time
    double step_seconds; // for the steps, with what was recorded along the way
    double wall_seconds; // in all
} run_summary;

// Opens the recording and fills `out` (without what this process did); the exit code, after a sentence if it is not
// EXIT_GOOD.
int read_summary(const char *path, run_summary *out);

// By the verdict on a run: EXIT_GOOD, or EXIT_NOT_TRUSTWORTHY when it is red, or amber and `strict`.
int exit_code_of(carom_colour colour, bool strict);

// A text in the colour, where there is colour.
void print_coloured(FILE *to, bool with_colour, carom_colour colour, const char *text);

void print_summary(FILE *to, const run_summary *summary);
void print_summary_object(FILE *to, const run_summary *summary);
// `verdict`, `verdict_text` and `findings`, of those that are not green.
void put_verdict(jsonl_writer *json, const carom_verdict *verdict, const carom_recording_info *info,
                 const carom_verdict finding[CAROM_RULE_COUNT]);

#endif
