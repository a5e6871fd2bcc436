// SPDX-License-Identifier: MIT
#include "support/harness/probe_allocator.h"

#include <stdlib.h>

static void *probe_allocate(void *user, size_t bytes) {
    probe_allocator *probe = user;
    long long call = atomic_fetch_add(&probe->calls, 1) + 1;
    if (call == probe->refused_call) return NULL;
    void *block = malloc(bytes);
    if (block == NULL) return NULL;
    atomic_fetch_add(&probe->live_blocks, 1);
    atomic_fetch_add(&probe->live_bytes, (long long)bytes);
    return block;
}

static void probe_release(void *user, void *block, size_t bytes) {
    if (block == NULL) return;
    probe_allocator *probe = user;
    atomic_fetch_sub(&probe->live_blocks, 1);
    atomic_fetch_sub(&probe->live_bytes, (long long)bytes);
    free(block);
}

carom_allocator probe_allocator_hook(probe_allocator *probe) {
    return (carom_allocator){.allocate = probe_allocate, .release = probe_release, .user = probe};
}
