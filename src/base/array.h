// SPDX-License-Identifier: MIT
// Growable arrays of any type, on the caller's allocator.
//
//     typedef CRM_ARRAY(double) weight_array;
//     weight_array weights = {0};
//     if (!CRM_ARRAY_PUSH(&allocator, &weights, 0.5)) return crm_fail_memory(...);
//     for (int i = 0; i < weights.count; i++) total += weights.items[i];
//     CRM_ARRAY_FREE(&allocator, &weights);
//
// An array starts as {0}. Every call on it gets the same allocator. Growing moves the items: pointers to them end
// there. What fails returns false and leaves the array as it was: no memory, a negative size, more than INT_MAX items
// or more bytes than an object may have. The macros evaluate `array` more than once.
#ifndef CRM_BASE_ARRAY_H
#define CRM_BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/allocator.h"

#define CRM_ARRAY(type) \
    struct {            \
        type *items;    \
        int count;      \
        int capacity;   \
    }

// Room for `wanted` items in all. Grows to at least twice the capacity, of large arrays by an eighth, so that n pushes
// move O(n) items.
#define CRM_ARRAY_RESERVE(allocator, array, wanted) \
    crm_array_reserve((allocator), (array), sizeof *(array)->items, (wanted))

// Appends a copy of the item, which may be an expression with commas, such as a compound literal, and may name an item
// of the array itself. Converts as an assignment does, so a wrong type is a compiler's error.
#define CRM_ARRAY_PUSH(allocator, array, ...)                                                                          \
    (((array)->count < (array)->capacity || CRM_ARRAY_RESERVE((allocator), (array), (ptrdiff_t)(array)->count + 1)) && \
     ((array)->items[(array)->count] = (__VA_ARGS__), (array)->count++, true))

// Changes the number of items. New ones are zero bytes; those cut off are forgotten, their memory kept.
#define CRM_ARRAY_RESIZE(allocator, array, wanted) \
    crm_array_resize((allocator), (array), sizeof *(array)->items, (wanted))

// Gives the memory back; the array is then empty and may be used again.
#define CRM_ARRAY_FREE(allocator, array) crm_array_free((allocator), (array), sizeof *(array)->items)

// The items from `first` on; NULL while the array has no memory, to which C lets nothing be added, not even 0.
#define CRM_ARRAY_FROM(array, first) ((array)->items == NULL ? NULL : (array)->items + (first))

// What the macros stand on. `array` points to a CRM_ARRAY of items of `item_size` bytes.
bool crm_array_reserve(const carom_allocator *allocator, void *array, size_t item_size, ptrdiff_t wanted);
bool crm_array_resize(const carom_allocator *allocator, void *array, size_t item_size, ptrdiff_t wanted);
void crm_array_free(const carom_allocator *allocator, void *array, size_t item_size);

#endif
