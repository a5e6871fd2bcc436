// SPDX-License-Identifier: MIT
// The narrow phase: the contacts of pairs of convex items, each pair by itself. What several parts of compounds have to
// do with each other, which contacts are left out, tangents and impulses are not its business (contact_set.c).
//
// The room narrow/: pairs of items and their memory enter, contacts leave. Called by contact_update.c from several
// threads; manifold_reduction.h afterwards, for all contacts of two proxies.
#ifndef CRM_CONTACT_NARROW_PHASE_H
#define CRM_CONTACT_NARROW_PHASE_H

#include "base/array.h"
#include "contact/item.h"

// What is remembered of a pair of items from step to step. All zeros is empty. Influences the time, and in the last
// digits the answer: part of a saved state, so there are no pointers in it and no bytes that are not set.
//
// The distance cache of a pair stands apart: pairs of boxes, and those that were never near, have none.
typedef struct crm_pair_memory {
    carom_vec3 apart;  // unit, world: the pair was found farther apart along it than it can get near. Zero: none.
    int32_t has_cache; // 0: the cache is empty, whatever its bytes are
    int32_t unused;    // 0
} crm_pair_memory;

typedef CRM_ARRAY(carom_contact) crm_contact_array;

typedef struct crm_narrow_options {
    carom_contact_measure measure;
    bool continuous;
    double duration; // s
    carom_interrupt interrupt;
} crm_narrow_options;

// What happened to the pairs of a chunk.
typedef struct crm_narrow_counts {
    int64_t asked;     // pairs whose distance was looked for, not just an old plane between them
    int64_t undecided; // times of impact
} crm_narrow_counts;

// Finds the contacts of `count` pairs of items whose gap is at most the sum of their margins (plus rounding), and
// appends them to `out` in the order of the pairs, within a pair in that of kind and features. `memory` and `cache`
// have an entry a pair, in the same order, with what is remembered, and are updated. `contact_count` gets how many each
// pair has.
//
// Of every contact a, b, parts, kind, features, gap, normal and points are set, the others zero. False: no memory.
bool crm_narrow_phase(const crm_item *items, int count, const crm_item_pair *pairs, crm_pair_memory *memory,
                      carom_distance_cache *cache, const crm_narrow_options *options, const carom_allocator *allocator,
                      crm_contact_array *out, int *contact_count, crm_narrow_counts *counts);

#endif
