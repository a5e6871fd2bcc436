// SPDX-License-Identifier: MIT
// An input that is read by one call: its text, memory that is bounded and counted, and what the call must keep whatever
// it is given.
#ifndef FUZZ_READING_H
#define FUZZ_READING_H

#include <stdbool.h>

#include "carom/carom.h"
#include "fuzz/fuzz.h"
#include "support/harness/bounded_allocator.h"

typedef struct fuzz_reading {
    char *text;                // the input
    carom_scene_source source; // with that text
    bounded_allocator bounds;
    carom_allocator allocator;
    carom_scene_messages *messages; // of the call
    bool has_messages;              // it makes some of a bad scene; true at the beginning
    carom_error error;
} fuzz_reading;

// `reading` stays where it is until its end.
void fuzz_reading_begin(fuzz_reading *reading, const uint8_t *data, size_t size);

// A sentence if and only if it did not succeed, something if and only if it did, and messages of a bad scene.
void fuzz_reading_check(const fuzz_reading *reading, carom_status status, bool made);

// All that was made of it has been destroyed.
void fuzz_reading_end(fuzz_reading *reading);

#endif
