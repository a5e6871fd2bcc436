// SPDX-License-Identifier: MIT
// The steps of a job, from where it stands to its end.
#ifndef CLI_RUNNING_H
#define CLI_RUNNING_H

#include "run/job.h"
#include "run/run_summary.h"

typedef struct run_outcome {
    run_summary summary; // also of what this process did
    bool interrupted;    // by a signal; the recording can be resumed
} run_outcome;

// Steps, records and closes the recording in the way the run ended. The exit code, after a sentence if it is not
// EXIT_GOOD; however the run ended, that is EXIT_GOOD.
int run_to_end(job *job, bool show_progress, run_outcome *out);

#endif
