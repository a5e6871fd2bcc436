// SPDX-License-Identifier: MIT
#include "contact/pair_cache.h"

#include <string.h>

bool crm_pair_cache_resize(crm_pair_cache *cache, const carom_allocator *allocator, crm_pair_cache_counts counts) {
    if (!CRM_ARRAY_RESERVE(allocator, &cache->keys, counts.pairs) ||
        !CRM_ARRAY_RESERVE(allocator, &cache->memory, counts.pairs) ||
        !CRM_ARRAY_RESERVE(allocator, &cache->caches, counts.pairs) ||
        !CRM_ARRAY_RESERVE(allocator, &cache->meetings, counts.meetings) ||
        !CRM_ARRAY_RESERVE(allocator, &cache->contacts, counts.contacts) ||
        !CRM_ARRAY_RESERVE(allocator, &cache->places, counts.places))
        return false;
    cache->keys.count = cache->memory.count = cache->caches.count = (int)counts.pairs;
    cache->meetings.count = (int)counts.meetings;
    cache->contacts.count = (int)counts.contacts;
    cache->places.count = (int)counts.places;
    return true;
}

void crm_pair_cache_free(crm_pair_cache *cache, const carom_allocator *allocator) {
    CRM_ARRAY_FREE(allocator, &cache->keys);
    CRM_ARRAY_FREE(allocator, &cache->memory);
    CRM_ARRAY_FREE(allocator, &cache->caches);
    CRM_ARRAY_FREE(allocator, &cache->meetings);
    CRM_ARRAY_FREE(allocator, &cache->contacts);
    CRM_ARRAY_FREE(allocator, &cache->places);
}

void crm_pair_cache_swap(crm_pair_cache *one, crm_pair_cache *other) {
    crm_pair_cache kept = *one;
    *one = *other;
    *other = kept;
}

size_t crm_pair_cache_bytes(const crm_pair_cache *cache) {
    return (size_t)cache->keys.capacity * sizeof *cache->keys.items +
           (size_t)cache->memory.capacity * sizeof *cache->memory.items +
           (size_t)cache->caches.capacity * sizeof *cache->caches.items +
           (size_t)cache->meetings.capacity * sizeof *cache->meetings.items +
           (size_t)cache->contacts.capacity * sizeof *cache->contacts.items +
           (size_t)cache->places.capacity * sizeof *cache->places.items;
}

static void copy_items(void *to, const void *from, int count, size_t size) {
    if (count > 0) memcpy(to, from, (size_t)count * size);
}

bool crm_pair_cache_copy(const crm_pair_cache *from, const carom_allocator *allocator, crm_pair_cache *to) {
    crm_pair_cache_counts counts = {from->keys.count, from->meetings.count, from->contacts.count, from->places.count};
    if (!crm_pair_cache_resize(to, allocator, counts)) return false;
    copy_items(to->keys.items, from->keys.items, from->keys.count, sizeof *from->keys.items);
    copy_items(to->memory.items, from->memory.items, from->memory.count, sizeof *from->memory.items);
    for (int i = 0; i < from->memory.count; i++)
        if (from->memory.items[i].has_cache) to->caches.items[i] = from->caches.items[i];
    copy_items(to->meetings.items, from->meetings.items, from->meetings.count, sizeof *from->meetings.items);
    copy_items(to->contacts.items, from->contacts.items, from->contacts.count, sizeof *from->contacts.items);
    copy_items(to->places.items, from->places.items, from->places.count, sizeof *from->places.items);
    return true;
}

// ---- bisection

int crm_first_key(const crm_pair_cache *cache, const crm_pair_key *key) {
    int low = 0, high = cache->keys.count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (crm_compare_keys(&cache->keys.items[middle], key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int crm_first_meeting(const crm_pair_cache *cache, int32_t id_a, int32_t id_b) {
    int low = 0, high = cache->meetings.count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        const crm_meeting *meeting = &cache->meetings.items[middle];
        bool before = meeting->id_a != id_a ? meeting->id_a < id_a : meeting->id_b < id_b;
        if (before)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const crm_meeting *crm_find_meeting(const crm_pair_cache *cache, int32_t id_a, int32_t id_b) {
    int first = crm_first_meeting(cache, id_a, id_b);
    const crm_meeting *meeting = first < cache->meetings.count ? &cache->meetings.items[first] : NULL;
    return meeting != NULL && meeting->id_a == id_a && meeting->id_b == id_b ? meeting : NULL;
}

// The number of the first place whose id is not below this one.
static int first_place(const crm_pair_cache *cache, int32_t id) {
    int low = 0, high = cache->places.count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (cache->places.items[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool crm_has_place(const crm_pair_cache *cache, int32_t id) {
    int place = first_place(cache, id);
    return place < cache->places.count && cache->places.items[place].id == id;
}

const carom_pose *crm_former_pose(const crm_pair_cache *cache, int32_t id, int rank) {
    const crm_place *places = cache->places.items;
    bool is_there = rank < cache->places.count && places[rank].id == id;
    return &places[is_there ? rank : first_place(cache, id)].pose;
}
