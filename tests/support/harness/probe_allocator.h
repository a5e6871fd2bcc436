// SPDX-License-Identifier: MIT
// An allocator that counts, and that can refuse its n-th call.
#ifndef TEST_SUPPORT_PROBE_ALLOCATOR_H
#define TEST_SUPPORT_PROBE_ALLOCATOR_H

#include <stdatomic.h>

#include "carom/allocator.h"

typedef struct probe_allocator {
    atomic_llong calls;       // to allocate, refused ones included
    atomic_llong live_blocks; // allocated and not yet released
    atomic_llong live_bytes;
    long long refused_call; // 1 refuses the first call; 0 refuses none
} probe_allocator;

// The hook; `probe` must outlive it. Start from a zeroed probe.
carom_allocator probe_allocator_hook(probe_allocator *probe);

#endif
