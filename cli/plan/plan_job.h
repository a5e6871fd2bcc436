// SPDX-License-Identifier: MIT
// One plan of a scene on its way into a recording.
//
// cli/plan: a scene with a plan and options enter; a recording of the plan leaves, with a summary of its certificate.
// `carom plan` calls it, and `carom info`, `check` and `run --plan` for what they tell of plans.
#ifndef CLI_PLAN_JOB_H
#define CLI_PLAN_JOB_H

#include <stdio.h>

#include "base/options.h"
#include "carom/record.h"

typedef struct plan_job_def {
    const char *scene_file;
    text_list set;
    const char *limit; // of what the scene may ask for; NULL: as usual
    const char *out;   // NULL: named after the scene, in the current folder
    int threads;       // that may solve
    bool force, resume;
} plan_job_def;

typedef struct plan_job {
    const plan_job_def *def;
    char *path; // of the recording
    carom_scene *scene;
    carom_scene_messages *warnings; // of a plan that is begun; NULL of one that goes on
    carom_pose *guess;              // poses of a recording that the solution begins with
    carom_plan *plan;
    carom_state *start;
    int kept;           // solves that are in the recording
    bool resumed, done; // done: all is solved
    bool complete;      // the recording was finished before
} plan_job;

// The exit code; anything but EXIT_GOOD follows a sentence. `end_plan_job` frees in any case.
int begin_plan_job(plan_job *job, const plan_job_def *def);
void end_plan_job(plan_job *job);

// Solves all that is left, keeping what is finished in the recording, and that whole at the end. The exit code;
// EXIT_GOOD however the plan came out, EXIT_INTERRUPTED after a signal.
int solve_plan_job(plan_job *job, bool show_progress);

// The command that goes on with the plan.
void print_plan_resume_command(FILE *to, const plan_job *job);

#endif
