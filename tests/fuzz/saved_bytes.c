// SPDX-License-Identifier: MIT
#include "fuzz/saved_bytes.h"

#include <stdint.h>
#include <string.h>

#include "base/hash.h"

enum { LARGEST_HEADER = 256 };

// The hash of [begin, end), whose header ends with the digest at `at`, taken as zero.
static uint64_t hash_of(const unsigned char *bytes, size_t begin, size_t at, size_t end) {
    unsigned char header[LARGEST_HEADER + 8];
    size_t size = at + 8 - begin;
    memcpy(header, bytes + begin, size);
    memset(header + size - 8, 0, 8);
    return crm_hash(crm_hash(0, header, size), bytes + at + 8, end - at - 8);
}

static size_t find_from(const unsigned char *bytes, size_t begin, size_t end) {
    for (size_t at = begin + 8; at + 8 <= end && at < begin + LARGEST_HEADER; at += 8) {
        uint64_t stored;
        memcpy(&stored, bytes + at, sizeof stored);
        if (stored != 0 && hash_of(bytes, begin, at, end) == stored) return at;
    }
    return 0;
}

saved_digests saved_digests_find(const unsigned char *bytes, size_t size) {
    saved_digests at = {.state = find_from(bytes, 0, size)};
    // The set comes last.
    for (size_t begin = at.state + 8; begin + 16 < size && at.set_digest == 0; begin += 8) {
        at.set_digest = find_from(bytes, begin, size);
        at.set = begin;
    }
    return at;
}

void saved_digests_repair(const saved_digests *at, unsigned char *bytes, size_t size) {
    uint64_t hash;
    if (at->set_digest != 0 && at->set_digest + 8 <= size) {
        hash = hash_of(bytes, at->set, at->set_digest, size);
        memcpy(bytes + at->set_digest, &hash, sizeof hash);
    }
    if (at->state == 0 || at->state + 8 > size) return;
    hash = hash_of(bytes, 0, at->state, size);
    memcpy(bytes + at->state, &hash, sizeof hash);
}
