// SPDX-License-Identifier: MIT
// One run of a scene into a recording: everything that must be ready before the first step, or be taken up again.
//
// cli/run: a scene's file and options enter; a recording leaves, with the summary of its certificates. `carom run`,
// `info`, `check`, `hash` and the gallery call it.
#ifndef CLI_JOB_H
#define CLI_JOB_H

#include <stdint.h>
#include <stdio.h>

#include "base/options.h"
#include "carom/record.h"
#include "plan/plan_replay.h"
#include "run/hard_steps.h"

typedef struct job_def {
    const char *scene_file;
    text_list set;
    const char *limit;     // of what the scene may ask for; NULL: as usual
    const char *out;       // NULL: named after the scene, in the current folder
    double until;          // s; negative: as the scene says, or the recording that is resumed
    int every;             // steps from frame to frame; 0: by the scene's frame rate
    int threads;           // that a step may use
    double checkpoint;     // s of wall time between checkpoints; negative: the recorder's default
    bool contacts;         // frames keep contacts, also when the scene does not ask for it
    const char *dump_hard; // folder for the problems of hard steps, or NULL
    const char *plan;      // recording of a plan whose controls act, or NULL
    bool confirm;          // runs again at half the step, and compares
    bool force, resume;
} job_def;

typedef struct job {
    const job_def *def;
    char *path; // of the recording
    carom_scene *scene;
    carom_scene_messages *warnings; // of a run that is begun; NULL of one that goes on, which had them before
    carom_state *state;
    plan_replay replay; // its plan is NULL for a run without one
    hard_steps hard;
    carom_recorder *recorder; // NULL when there is nothing left to do
    bool resumed;
    bool abandoned;     // a step was interrupted, and there is no copy of the state before it
    bool complete;      // the recording was finished before
    double scene_until; // s, as the recording has it
    double end_time;    // s, that this process goes to
    double first_time;  // s
    int64_t end_step;   // the step after which the run is over
    int64_t first_step; // made before this process
} job;

// The exit code; anything but EXIT_GOOD follows a sentence. `end_job` frees in any case.
int begin_job(job *job, const job_def *def);
void end_job(job *job);

// The command that goes on with the run.
void print_resume_command(FILE *to, const job *job);

#endif
