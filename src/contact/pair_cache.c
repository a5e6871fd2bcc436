// SPDX-License-Identifier: MIT
#include "contact/pair_cache.h"

#include <limits.h>
#include <string.h>

#include "base/hash.h"

bool crm_pair_cache_resize(crm_pair_cache *cache, const carom_allocator *allocator, int64_t pairs, int64_t meetings,
                           int64_t contacts) {
    if (!CRM_ARRAY_RESERVE(allocator, &cache->keys, pairs) || !CRM_ARRAY_RESERVE(allocator, &cache->memory, pairs) ||
        !CRM_ARRAY_RESERVE(allocator, &cache->meetings, meetings) ||
        !CRM_ARRAY_RESERVE(allocator, &cache->contacts, contacts))
        return false;
    cache->keys.count = cache->memory.count = (int)pairs;
    cache->meetings.count = (int)meetings;
    cache->contacts.count = (int)contacts;
    return true;
}

void crm_pair_cache_free(crm_pair_cache *cache, const carom_allocator *allocator) {
    CRM_ARRAY_FREE(allocator, &cache->keys);
    CRM_ARRAY_FREE(allocator, &cache->memory);
    CRM_ARRAY_FREE(allocator, &cache->meetings);
    CRM_ARRAY_FREE(allocator, &cache->contacts);
    CRM_ARRAY_FREE(allocator, &cache->table);
}

void crm_pair_cache_swap(crm_pair_cache *one, crm_pair_cache *other) {
    crm_pair_cache kept = *one;
    *one = *other;
    *other = kept;
}

size_t crm_pair_cache_bytes(const crm_pair_cache *cache) {
    return (size_t)cache->keys.capacity * sizeof *cache->keys.items +
           (size_t)cache->memory.capacity * sizeof *cache->memory.items +
           (size_t)cache->meetings.capacity * sizeof *cache->meetings.items +
           (size_t)cache->contacts.capacity * sizeof *cache->contacts.items +
           (size_t)cache->table.capacity * sizeof *cache->table.items;
}

static void copy_items(void *to, const void *from, int count, size_t size) {
    if (count > 0) memcpy(to, from, (size_t)count * size);
}

bool crm_pair_cache_copy(const crm_pair_cache *from, const carom_allocator *allocator, crm_pair_cache *to) {
    if (!crm_pair_cache_reserve_table(to, allocator, from->meetings.count) ||
        !crm_pair_cache_resize(to, allocator, from->keys.count, from->meetings.count, from->contacts.count))
        return false;
    copy_items(to->keys.items, from->keys.items, from->keys.count, sizeof *from->keys.items);
    copy_items(to->memory.items, from->memory.items, from->memory.count, sizeof *from->memory.items);
    copy_items(to->meetings.items, from->meetings.items, from->meetings.count, sizeof *from->meetings.items);
    copy_items(to->contacts.items, from->contacts.items, from->contacts.count, sizeof *from->contacts.items);
    crm_pair_cache_fill_table(to);
    return true;
}

// ---- the table

bool crm_pair_cache_reserve_table(crm_pair_cache *cache, const carom_allocator *allocator, int64_t meetings) {
    int64_t wanted = 8;
    while (wanted < 2 * meetings) wanted *= 2; // at most half full
    return wanted <= INT_MAX && CRM_ARRAY_RESERVE(allocator, &cache->table, wanted);
}

static uint32_t slot_of(int32_t id_a, int32_t id_b, int slots) {
    int32_t ids[2] = {id_a, id_b};
    return (uint32_t)crm_hash(0, ids, sizeof ids) & (uint32_t)(slots - 1);
}

void crm_pair_cache_fill_table(crm_pair_cache *cache) {
    int slots = 8;
    while (slots < 2 * (int64_t)cache->meetings.count) slots *= 2;
    cache->table.count = slots;
    memset(cache->table.items, 0, (size_t)slots * sizeof *cache->table.items);
    for (int i = 0; i < cache->meetings.count; i++) {
        uint32_t slot = slot_of(cache->meetings.items[i].id_a, cache->meetings.items[i].id_b, slots);
        while (cache->table.items[slot] != 0) slot = (slot + 1) & (uint32_t)(slots - 1);
        cache->table.items[slot] = i + 1;
    }
}

const crm_meeting *crm_find_meeting(const crm_pair_cache *cache, int32_t id_a, int32_t id_b) {
    int slots = cache->table.count;
    if (slots == 0) return NULL;
    for (uint32_t slot = slot_of(id_a, id_b, slots);; slot = (slot + 1) & (uint32_t)(slots - 1)) {
        int number = cache->table.items[slot];
        if (number == 0) return NULL;
        const crm_meeting *meeting = &cache->meetings.items[number - 1];
        if (meeting->id_a == id_a && meeting->id_b == id_b) return meeting;
    }
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
