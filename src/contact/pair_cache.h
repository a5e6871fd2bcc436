// SPDX-License-Identifier: MIT
// What a contact set remembers from one update to the next: of every pair of items how it was asked about; the list of
// contacts, with tangents and impulses; and where the proxies were, as contacts move with them.
//
// Everything stands in the order of ids, parts, kind and features, as the new pairs and contacts do. So looking things
// up is walking along both lists, which is O(1) a pair, needs no table, and can start anywhere by bisection: chunks of
// pairs are looked up in parallel.
//
// A cache is filled anew in every update, from the former one, and then takes its place: pairs that no longer meet are
// gone, and an update that fails half-way has changed nothing.
#ifndef CRM_CONTACT_PAIR_CACHE_H
#define CRM_CONTACT_PAIR_CACHE_H

#include "base/array.h"
#include "contact/narrow/narrow_phase.h"

// No pointers and no padding in what is remembered: it is saved as bytes.
typedef struct crm_pair_key {
    int32_t id_a, id_b, part_a, part_b;
} crm_pair_key;

// Two proxies with contacts, and which of all contacts these are.
typedef struct crm_meeting {
    int32_t id_a, id_b;
    int32_t first, count;
} crm_meeting;

// Where a proxy was.
typedef struct crm_place {
    carom_pose pose; // of its view
    int32_t id;
    int32_t unused; // 0
} crm_place;

typedef struct crm_pair_cache {
    CRM_ARRAY(crm_pair_key) keys;           // ascending
    CRM_ARRAY(crm_pair_memory) memory;      // of the same pairs
    CRM_ARRAY(carom_distance_cache) caches; // of the same pairs; not set where `memory` says that there is none
    CRM_ARRAY(crm_meeting) meetings;        // ascending
    crm_contact_array contacts;             // of meetings, one after the other
    CRM_ARRAY(crm_place) places;            // of the proxies, by ascending ids
} crm_pair_cache;

typedef struct crm_pair_cache_counts {
    int64_t pairs, meetings, contacts, places;
} crm_pair_cache_counts;

// Room for so many, and sets all counts; false without memory, and the cache is then as it was.
bool crm_pair_cache_resize(crm_pair_cache *cache, const carom_allocator *allocator, crm_pair_cache_counts counts);
void crm_pair_cache_free(crm_pair_cache *cache, const carom_allocator *allocator);
void crm_pair_cache_swap(crm_pair_cache *one, crm_pair_cache *other);
size_t crm_pair_cache_bytes(const crm_pair_cache *cache);
// Copies what is remembered; false without memory.
bool crm_pair_cache_copy(const crm_pair_cache *from, const carom_allocator *allocator, crm_pair_cache *to);

// NULL when the two have no contacts; id_a is the lower one.
const crm_meeting *crm_find_meeting(const crm_pair_cache *cache, int32_t id_a, int32_t id_b);

static inline int crm_compare_int(int32_t a, int32_t b) {
    return (a > b) - (a < b);
}

// Two numbers that are not negative as one, which orders as they do.
static inline uint64_t crm_join_ints(int32_t high, int32_t low) {
    return (uint64_t)high << 32 | (uint32_t)low;
}

static inline int crm_compare_keys(const crm_pair_key *a, const crm_pair_key *b) {
    uint64_t ids_a = crm_join_ints(a->id_a, a->id_b), ids_b = crm_join_ints(b->id_a, b->id_b);
    if (ids_a != ids_b) return ids_a < ids_b ? -1 : 1;
    uint64_t parts_a = crm_join_ints(a->part_a, a->part_b), parts_b = crm_join_ints(b->part_a, b->part_b);
    return (parts_a > parts_b) - (parts_a < parts_b);
}

// The number of the first one that does not come before the key.
int crm_first_key(const crm_pair_cache *cache, const crm_pair_key *key);
int crm_first_meeting(const crm_pair_cache *cache, int32_t id_a, int32_t id_b);
bool crm_has_place(const crm_pair_cache *cache, int32_t id);
// Where a proxy was that has a place; its rank is about what it is now.
const carom_pose *crm_former_pose(const crm_pair_cache *cache, int32_t id, int rank);

#endif
