// SPDX-License-Identifier: MIT
// Limits and interrupts as they are asked about inside.
//
//   enters    limits and interrupts of definitions; words of --limit
//   leaves    whether something is within them, and the sentence if not
//   callers   scenes, models, contact sets, solvers, steps
#ifndef CRM_BASE_LIMIT_H
#define CRM_BASE_LIMIT_H

#include <stddef.h>

#include "carom/limits.h"

static inline bool crm_interrupted(const carom_interrupt *interrupt) {
    return interrupt->asked != NULL && interrupt->asked(interrupt->user);
}

// Limits of a definition into *out: `usual` where they are all zero, else as they are given. Refuses those of another
// library.
carom_status crm_limits_take(const carom_limits *given, carom_limits usual, carom_limits *out, carom_error *error);

// The sentence of a call that was ended.
carom_status crm_fail_interrupted(carom_error *error);

// "2.6e+09": what is asked for, or a limit, as people write it: whole up to a million.
const char *crm_limit_text(double number, char out[32]);

#endif
