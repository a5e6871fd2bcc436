// SPDX-License-Identifier: MIT
// Several runs of one scene side by side: other methods, other steps. All of them stop at the same times, where they
// are compared; so no run has to be kept, however long it is.
#ifndef CLI_STUDY_H
#define CLI_STUDY_H

#include "study/method_choice.h"
#include "study/trial.h"

typedef struct study {
    const char *file;
    const char *limit;  // of what the scene may ask for; NULL: as usual
    carom_scene *scene; // as it is, with the overrides
    int body_count;
    double until;            // s: when it is to end
    double step;             // s: the largest of all runs, or a multiple of all. Common times are whole numbers of it.
    carom_method_def method; // the scene's with these steps, its pieces of time with theirs
    int64_t end_step;        // of these steps, in all
    int64_t longest;         // of the largest of all runs in one of these steps
    int64_t *sample;         // of these steps, at each common time (sample_count), rising
    int64_t sample_count;
} study;

// The scene under one method, or why the method refuses it.
typedef struct course {
    const method_choice *choice;
    carom_scene *scene; // NULL when refused:
    char refusal[CAROM_ERROR_TEXT_SIZE];
} course;

// What `begin_` returns is the exit code, after a sentence if it is not EXIT_GOOD; to be ended in any case.
// `until`: s; negative: as the scene says. A step that is longer than the scene's own goes into `step`, else 0.
int begin_study(study *s, const char *file, const text_list *set, const char *limit, double until, double step);
void end_study(study *s);
int begin_course(course *c, const study *s, const method_choice *choice);
void end_course(course *c);

// Common times for runs with these steps, in place of the multiples of the longest one where that is no whole number of
// each: the multiples of what is a whole number of each, where at least ten fit in the run; else those of the longest,
// which the others pass. `step_ends` tells of each whether its steps end at all common times.
int meet_steps(study *s, int count, const double *steps, bool *step_ends);

// Common times, evenly over the whole run.
int sample_evenly(study *s);
double sample_time(const study *s, int64_t index); // s
double study_end(const study *s);                  // s

// Steps of `step` in one of the study, which must be a whole number of them; 0, after a sentence, when it is not.
int64_t steps_a_step(const study *s, const char *title, double step);

// Moves all runs from one common time to the next, and calls `compare` at each. The exit code is EXIT_GOOD or
// EXIT_INTERRUPTED; `compare` ends the study with any other.
typedef int compare_function(void *context, int64_t index);
int run_study(const study *s, trial *const *trials, int count, compare_function *compare, void *context,
              bool show_progress);

#endif
