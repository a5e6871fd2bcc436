// SPDX-License-Identifier: MIT
// The same run at half the step: what no rule of one run sees (docs/verdict.md).
#ifndef CLI_CONFIRM_H
#define CLI_CONFIRM_H

#include "run/job.h"

// Runs the scene at half the step, in memory, to where the job's state is, and compares the two there: the largest over
// bodies of the distance over 2 % of the longest way and 2 % of the body's size, and the difference of the energies
// over 2 % of their scale. Infinite when the run at half the step cannot go on. The exit code, after a sentence if it
// is neither EXIT_GOOD nor EXIT_INTERRUPTED.
int confirm_run(const job *job, bool show_progress, carom_finding *out);

#endif
