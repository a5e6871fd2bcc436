// SPDX-License-Identifier: MIT
// Problems of steps that break their contract, kept as files for `carom solve`.
#ifndef CLI_HARD_STEPS_H
#define CLI_HARD_STEPS_H

#include <stdint.h>

#include "carom/step.h"

// Files that a run writes at most: a scene that is hard throughout has nothing new after them.
enum { HARD_STEPS_MOST = 100 };

typedef struct hard_steps {
    const char *folder; // NULL: none are kept
    int written;
    int64_t met; // also those that were not written
} hard_steps;

// Makes the folder unless it is there. The exit code; anything but EXIT_GOOD follows a sentence.
int hard_steps_begin(hard_steps *hard, const char *folder, carom_method method);
// After every step: writes its problem if the contract is broken. The exit code.
int hard_steps_look(hard_steps *hard, const carom_state *state, const carom_step_report *report);
// Says where they are.
void hard_steps_say(const hard_steps *hard);

#endif
