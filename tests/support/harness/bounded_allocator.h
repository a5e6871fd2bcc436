// SPDX-License-Identifier: MIT
// An allocator that refuses beyond a bound, so that mutated counts of millions are refused instead of being tried.
#ifndef TEST_SUPPORT_BOUNDED_ALLOCATOR_H
#define TEST_SUPPORT_BOUNDED_ALLOCATOR_H

#include <stdlib.h>

#include "carom/allocator.h"

typedef struct bounded_allocator {
    size_t most; // bytes
    size_t used;
} bounded_allocator;

static inline void *bounded_allocate(void *user, size_t bytes) {
    bounded_allocator *bounds = user;
    if (bytes > bounds->most - bounds->used) return NULL;
    void *block = malloc(bytes);
    if (block != NULL) bounds->used += bytes;
    return block;
}

static inline void bounded_release(void *user, void *block, size_t bytes) {
    bounded_allocator *bounds = user;
    if (block != NULL) bounds->used -= bytes;
    free(block);
}

// `bounds` must outlive the hook.
static inline carom_allocator bounded_allocator_hook(bounded_allocator *bounds) {
    return (carom_allocator){.allocate = bounded_allocate, .release = bounded_release, .user = bounds};
}

#endif
