// SPDX-License-Identifier: MIT
// Saved states that somebody has changed and whose digests he has repaired, as anybody can.
#ifndef TEST_SUPPORT_SAVED_BYTES_H
#define TEST_SUPPORT_SAVED_BYTES_H

#include <stddef.h>

#include "carom/step.h"

// Where the numbers of the header are.
enum {
    SAVED_STEP_COUNT = 40,
    SAVED_CLOCK = 48, // where steps of the present length began (s, number), their length
    SAVED_CONTACT_COUNT = 72,
    SAVED_TABLE_COUNT = 80,
    SAVED_SET_BYTES = 88,
    SAVED_DIGEST = 104,
    SAVED_HEADER = 112,
};

// The state as bytes, to be freed.
unsigned char *saved_bytes_of(const carom_state *state, size_t *size);
// Makes the digests of the state and of the contact set in it right again.
void saved_bytes_repair(unsigned char *bytes, size_t size);

#endif
