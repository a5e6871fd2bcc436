// SPDX-License-Identifier: MIT
// Tells the address sanitizer which bytes of a block we hold are nobody's. Costs nothing in other builds.
#ifndef CRM_BASE_POISON_H
#define CRM_BASE_POISON_H

#if defined(__SANITIZE_ADDRESS__)
#define CRM_POISONS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CRM_POISONS 1
#endif
#endif

#ifdef CRM_POISONS
#include <sanitizer/asan_interface.h>
// From here on a touch of these bytes is reported.
#define CRM_POISON(start, bytes) __asan_poison_memory_region((start), (bytes))
// From here on it is not. Needed before memory goes back to its allocator.
#define CRM_UNPOISON(start, bytes) __asan_unpoison_memory_region((start), (bytes))
#else
#define CRM_POISON(start, bytes) ((void)(start), (void)(bytes))
#define CRM_UNPOISON(start, bytes) ((void)(start), (void)(bytes))
#endif

#endif
