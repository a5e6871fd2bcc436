// SPDX-License-Identifier: MIT
// What a recording of a plan says, for people and for programs.
#ifndef CLI_PLAN_SUMMARY_H
#define CLI_PLAN_SUMMARY_H

#include <stdio.h>

#include "carom/record.h"

typedef struct plan_summary {
    const char *path;
    carom_recording *recording;
    const carom_plan_data *plan; // of the recording
    carom_recording_info info;
    carom_verdict verdict;
    const carom_scene_messages *warnings; // of its scene; NULL: not known
    char *report;                         // NULL: none
} plan_summary;

// Reads the recording of a plan; the exit code, after a sentence if it is not EXIT_GOOD. To be freed in any case.
int read_plan_summary(const char *path, plan_summary *out);
void free_plan_summary(plan_summary *summary);

void print_plan_summary(FILE *to, const plan_summary *summary);
void print_plan_object(FILE *to, const plan_summary *summary);

// One line about what a scene asks for, for `carom check`: intervals, controls, unknowns and rows of the program.
void print_plan_line(FILE *to, const carom_scene *scene, const carom_plan *plan);
void print_plan_line_object(FILE *to, const char *file, const carom_scene *scene, const carom_plan *plan);

#endif
