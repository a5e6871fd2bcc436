// SPDX-License-Identifier: MIT
#include "support/model/saved_bytes.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "support/harness/check.h"

// Of the contact set, which comes last.
enum { SET_HASH = 88, SET_HEAD = 96 };

unsigned char *saved_bytes_of(const carom_state *state, size_t *size) {
    *size = carom_state_size(state);
    unsigned char *bytes = malloc(*size);
    assert_non_null(bytes);
    carom_state_save(state, bytes);
    return bytes;
}

static void repair(unsigned char *bytes, size_t size, size_t place, size_t head) {
    memset(bytes + place, 0, sizeof(uint64_t));
    uint64_t hash = crm_hash(crm_hash(0, bytes, head), bytes + head, size - head);
    memcpy(bytes + place, &hash, sizeof hash);
}

void saved_bytes_repair(unsigned char *bytes, size_t size) {
    uint64_t set_bytes;
    memcpy(&set_bytes, bytes + SAVED_SET_BYTES, sizeof set_bytes);
    if (set_bytes >= SET_HEAD && set_bytes <= size - SAVED_HEADER)
        repair(bytes + size - set_bytes, (size_t)set_bytes, SET_HASH, SET_HEAD);
    repair(bytes, size, SAVED_DIGEST, SAVED_HEADER);
}
