// SPDX-License-Identifier: MIT
// A guess by a recording: poses of all bodies at times that are evenly spaced, from the start of the recording to its
// end.
#ifndef CLI_PLAN_GUESS_H
#define CLI_PLAN_GUESS_H

#include "carom/record.h"

// Of the recording `name` beside the scene's file; `frames` times the bodies of the model, freed by the caller. The
// exit code, after a sentence if it is not EXIT_GOOD.
int read_plan_guess(const char *scene_file, const char *name, const carom_model *model, int frames, carom_pose **out);

#endif
