// SPDX-License-Identifier: MIT
// A run in which one call for memory after the other is refused.
#ifndef TEST_SUPPORT_REFUSED_ALLOCATIONS_H
#define TEST_SUPPORT_REFUSED_ALLOCATIONS_H

#include "carom/carom.h"

// Makes a frozen model with this allocator; `variant` as given.
typedef carom_model *model_maker(const carom_allocator *allocator, bool variant);

// Twenty steps of the model's state with every call refused once: a sentence that speaks of memory, no leak, and a
// refused step that leaves the state as it was, so that made again it leads to the same bits.
void check_refused_allocations(const carom_method_def *method, model_maker *make, bool variant);

#endif
