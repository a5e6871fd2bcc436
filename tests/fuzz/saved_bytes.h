// SPDX-License-Identifier: MIT
// Saved states whose digests are right again after a change, as anybody can make them.
#ifndef FUZZ_SAVED_BYTES_H
#define FUZZ_SAVED_BYTES_H

#include <stddef.h>

// Where digests stand in a saved state, found by looking for them in one that is sound: of the state, and of the
// contact set inside it.
typedef struct saved_digests {
    size_t state;           // offset of the digest, at the end of the header; what follows it is hashed after it
    size_t set, set_digest; // of a contact set: where it begins, and its digest; 0: there is none
} saved_digests;

saved_digests saved_digests_find(const unsigned char *bytes, size_t size);
void saved_digests_repair(const saved_digests *at, unsigned char *bytes, size_t size);

#endif
