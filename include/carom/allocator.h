// SPDX-License-Identifier: MIT
/// @file
/// Where carom gets its memory. The hook belongs to the object it is given to; there is no global one.
#ifndef CAROM_ALLOCATOR_H
#define CAROM_ALLOCATOR_H

#include <stddef.h>

#include "carom/api.h"

/// A pair of functions and their context. Copied when given; `user` must outlive every object made with it.
///
/// Both functions may be called from any thread that uses such an object.
typedef struct carom_allocator {
    /// Returns `bytes` > 0 bytes aligned for any type (at least 16), or NULL when there are none.
    void *(*allocate)(void *user, size_t bytes);
    /// Takes back a block of `allocate`, with the size that was asked for. `block` may be NULL.
    void (*release)(void *user, void *block, size_t bytes);
    void *user;
} carom_allocator;

CAROM_BEGIN_C

/// malloc and free.
CAROM_API carom_allocator carom_allocator_default(void);

CAROM_END_C

#endif
