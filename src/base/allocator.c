// SPDX-License-Identifier: MIT
// The default allocator: malloc and free.
#include "carom/allocator.h"

#include <stdlib.h>

static void *allocate_with_malloc(void *user, size_t bytes) {
    (void)user;
    return malloc(bytes);
}

static void release_with_free(void *user, void *block, size_t bytes) {
    (void)user;
    (void)bytes;
    free(block);
}

carom_allocator carom_allocator_default(void) {
    return (carom_allocator){.allocate = allocate_with_malloc, .release = release_with_free};
}
