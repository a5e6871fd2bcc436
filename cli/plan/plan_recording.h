// SPDX-License-Identifier: MIT
// A plan becomes a recording: its nodes are the frames, the simulator's steps from node to node the certificates. The
// file is written whole each time that something is finished.
#ifndef CLI_PLAN_RECORDING_H
#define CLI_PLAN_RECORDING_H

#include "carom/record.h"

// A state where the scene begins, for recordings of what is not finished yet.
carom_status make_plan_state(const carom_scene *scene, carom_state **out, carom_error *error);

// What is finished of a plan that is not. `overwrite`: the recording that is there. Both: the exit code, after a
// sentence if it is not EXIT_GOOD; EXIT_INTERRUPTED, without one, after a signal.
int record_unfinished_plan(const char *path, bool overwrite, const carom_scene *scene, const carom_state *start,
                           carom_plan *plan);
// The plan with its motion, or why there is none, in place of the recording that is there.
int record_whole_plan(const char *path, const carom_scene *scene, carom_plan *plan);

#endif
