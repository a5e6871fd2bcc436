// SPDX-License-Identifier: MIT
// Signals that ask the program to stop.
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stdbool.h>

#include "carom/limits.h"

// From now on SIGINT, SIGTERM and SIGHUP only set a mark. A second one of the same kind ends the program at once.
void watch_for_interrupts(void);
bool was_interrupted(void);
// The same for the library, which asks during steps.
carom_interrupt interrupts(void);

#endif
