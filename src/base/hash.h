// SPDX-License-Identifier: MIT
// A fast hash of bytes, for tables and for telling states apart. Not for adversaries.
#ifndef CRM_BASE_HASH_H
#define CRM_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

// Chains: hash the next piece with the hash so far as `seed`. The same bytes give the same hash on every little-endian
// machine, however they are aligned.
uint64_t crm_hash(uint64_t seed, const void *bytes, size_t size);

#endif
