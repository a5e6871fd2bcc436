// SPDX-License-Identifier: MIT
// What a contact set remembers from one update to the next: of every pair of items how it was asked about, of every
// contact what makes it the same one again, with its tangent and impulse.
//
// Everything stands in the order of ids, parts, kind and features, as the new pairs and contacts do. So looking things
// up is walking along both lists, which is O(1) a pair, needs no table, and can start anywhere by bisection: chunks of
// pairs are looked up in parallel. Only carom_contact_set_find, which asks at random, has a table.
//
// A cache is filled anew in every update, from the former one, and then takes its place: pairs that no longer meet are
// gone, and an update that fails half-way has changed nothing.
#ifndef CRM_CONTACT_PAIR_CACHE_H
#define CRM_CONTACT_PAIR_CACHE_H

#include "base/array.h"
#include "contact/narrow_phase.h"

// No pointers and no padding in what is remembered: it is saved as bytes.
typedef struct crm_pair_key {
    int32_t id_a, id_b, part_a, part_b;
} crm_pair_key;

// Two proxies with contacts, and which of all contacts these are.
typedef struct crm_meeting {
    int32_t id_a, id_b;
    int32_t first, count;
} crm_meeting;

// A contact in the frames of its bodies, so that it moves with them.
typedef struct crm_old_contact {
    int32_t part_a, part_b, kind, feature_a, feature_b;
    int32_t unused;             // 0
    carom_vec3 normal, tangent; // in the frame of A's view
    carom_vec3 point_a;         // in the frame of A's view, m
    carom_vec3 point_b;         // in that of B's, m
    double impulse[3];          // N s
} crm_old_contact;

typedef struct crm_pair_cache {
    CRM_ARRAY(crm_pair_key) keys;        // ascending
    CRM_ARRAY(crm_pair_memory) memory;   // of the same pairs
    CRM_ARRAY(crm_meeting) meetings;     // ascending
    CRM_ARRAY(crm_old_contact) contacts; // of meetings, one after the other
    CRM_ARRAY(int32_t) table;            // open addressing: 1 + number of a meeting, 0 empty; a power of two
} crm_pair_cache;

// Room for so many; false without memory, and the cache is then as it was. Sets all counts but that of the table.
bool crm_pair_cache_resize(crm_pair_cache *cache, const carom_allocator *allocator, int64_t pairs, int64_t meetings,
                           int64_t contacts);
void crm_pair_cache_free(crm_pair_cache *cache, const carom_allocator *allocator);
void crm_pair_cache_swap(crm_pair_cache *one, crm_pair_cache *other);
size_t crm_pair_cache_bytes(const crm_pair_cache *cache);
// Copies what is remembered; false without memory.
bool crm_pair_cache_copy(const crm_pair_cache *from, const carom_allocator *allocator, crm_pair_cache *to);

// Makes the table of the meetings, for crm_find_meeting. Room for it first; false without memory.
bool crm_pair_cache_reserve_table(crm_pair_cache *cache, const carom_allocator *allocator, int64_t meetings);
void crm_pair_cache_fill_table(crm_pair_cache *cache);
// NULL when the two have no contacts; id_a is the lower one.
const crm_meeting *crm_find_meeting(const crm_pair_cache *cache, int32_t id_a, int32_t id_b);

static inline int crm_compare_int(int32_t a, int32_t b) {
    return (a > b) - (a < b);
}

static inline int crm_compare_keys(const crm_pair_key *a, const crm_pair_key *b) {
    int order = crm_compare_int(a->id_a, b->id_a);
    if (order == 0) order = crm_compare_int(a->id_b, b->id_b);
    if (order == 0) order = crm_compare_int(a->part_a, b->part_a);
    return order != 0 ? order : crm_compare_int(a->part_b, b->part_b);
}

// The number of the first one that does not come before the key.
int crm_first_key(const crm_pair_cache *cache, const crm_pair_key *key);
int crm_first_meeting(const crm_pair_cache *cache, int32_t id_a, int32_t id_b);

#endif
