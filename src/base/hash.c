// SPDX-License-Identifier: MIT
// Words of 8 bytes through the finalizer of MurmurHash3 (Appleby), which changes every output bit with probability near
// 1/2 for every input bit.
#include "base/hash.h"

#include <string.h>

static uint64_t mix(uint64_t x) {
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdu;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53u;
    return x ^ x >> 33;
}

uint64_t crm_hash(uint64_t seed, const void *bytes, size_t size) {
    const unsigned char *next = bytes;
    uint64_t hash = mix(seed + 0x9e3779b97f4a7c15u * (size + 1));
    for (; size >= sizeof(uint64_t); size -= sizeof(uint64_t), next += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, next, sizeof word);
        hash = mix(hash ^ word) * 0x9fb21c651e98df25u;
    }
    uint64_t rest = 0;
    if (size > 0) memcpy(&rest, next, size);
    return mix(hash ^ rest);
}
