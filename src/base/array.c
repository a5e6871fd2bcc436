// SPDX-License-Identifier: MIT
// Growable arrays, seen without their type.
//
// Each CRM_ARRAY is a type of its own, so its members may not be reached through a common struct. They are copied in
// and out instead, which the language allows and the compiler turns into plain loads and stores.
#include "base/array.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

typedef CRM_ARRAY(void) untyped_array;

// The first growth of an array goes straight to this many items.
enum { FIRST_CAPACITY = 8 };

// Arrays above this many bytes are large.
enum { LARGE_BYTES = 1 << 19 };

static untyped_array load(const void *array) {
    untyped_array copy;
    memcpy(&copy, array, sizeof copy);
    return copy;
}

static void store(void *array, untyped_array copy) {
    memcpy(array, &copy, sizeof copy);
}

// At least `wanted`, twice the old capacity where that is possible; of large arrays an eighth more: half of their
// memory would be empty else, and n pushes still move O(n) items.
static int grown_capacity(int capacity, int wanted, size_t item_size, ptrdiff_t largest) {
    bool large = (size_t)capacity * item_size > (size_t)LARGE_BYTES;
    ptrdiff_t grown = large ? (ptrdiff_t)capacity + capacity / 8 : 2 * (ptrdiff_t)capacity;
    if (grown < FIRST_CAPACITY) grown = FIRST_CAPACITY;
    if (grown > largest) grown = largest;
    return grown < wanted ? wanted : (int)grown;
}

bool crm_array_reserve(const carom_allocator *allocator, void *array, size_t item_size, ptrdiff_t wanted) {
    untyped_array old = load(array);
    if (wanted < 0) return false;
    if (wanted <= old.capacity) return true;
    size_t largest = (size_t)PTRDIFF_MAX / item_size;
    if (largest > INT_MAX) largest = INT_MAX;
    if ((size_t)wanted > largest) return false;

    untyped_array new = {.count = old.count,
                         .capacity = grown_capacity(old.capacity, (int)wanted, item_size, (ptrdiff_t)largest)};
    new.items = allocator->allocate(allocator->user, (size_t) new.capacity *item_size);
    if (new.items == NULL) return false;
    if (old.count > 0) memcpy(new.items, old.items, (size_t)old.count * item_size);
    allocator->release(allocator->user, old.items, (size_t)old.capacity * item_size);
    store(array, new);
    return true;
}

bool crm_array_resize(const carom_allocator *allocator, void *array, size_t item_size, ptrdiff_t wanted) {
    if (!crm_array_reserve(allocator, array, item_size, wanted)) return false;
    untyped_array resized = load(array);
    if (wanted > resized.count) {
        unsigned char *first_new = (unsigned char *)resized.items + (size_t)resized.count * item_size;
        memset(first_new, 0, (size_t)(wanted - resized.count) * item_size);
    }
    resized.count = (int)wanted;
    store(array, resized);
    return true;
}

void crm_array_free(const carom_allocator *allocator, void *array, size_t item_size) {
    untyped_array old = load(array);
    allocator->release(allocator->user, old.items, (size_t)old.capacity * item_size);
    store(array, (untyped_array){0});
}
