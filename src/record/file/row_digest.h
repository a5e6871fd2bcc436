// SPDX-License-Identifier: MIT
// A 64-bit digest of values and bytes, kept in every row of a recording so that damaged data is refused, not shown.
//
// One word w enters by h = m((h ^ w) * P), m(h) = h ^ (h >> 32): a bijection of h for each w and of w for each h, so
// that a change confined to one word is always found, and any other is missed once in 2^64. Not meant against forgers.
#ifndef CRM_RECORD_ROW_DIGEST_H
#define CRM_RECORD_ROW_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#define CRM_DIGEST_START UINT64_C(0xcbf29ce484222325)

static inline uint64_t crm_digest_word(uint64_t digest, uint64_t word) {
    uint64_t h = (digest ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ (h >> 32);
}

// Enters the number of bytes, then the digests of four lanes: word i of the bytes (little-endian, the last one filled
// up with zeros) belongs to lane i mod 4. The lanes are independent, which makes it four times as fast as one chain.
uint64_t crm_digest_bytes(uint64_t digest, const void *bytes, size_t size);

#endif
