// SPDX-License-Identifier: MIT
// A set of features by their numbers, on the stack. Of a polytope with more than fit, the rest count as members: a
// search over the set then takes longer, and misses nothing.
#ifndef CRM_DISTANCE_NEAR_SET_H
#define CRM_DISTANCE_NEAR_SET_H

#include <stdbool.h>
#include <stdint.h>

enum { CRM_NEAR_WORDS = 64, CRM_NEAR_MOST = 64 * CRM_NEAR_WORDS };

typedef struct crm_near_set {
    int count; // of all features
    uint64_t word[CRM_NEAR_WORDS];
} crm_near_set;

static inline void crm_near_begin(crm_near_set *set, int count) {
    set->count = count;
    int words = count < CRM_NEAR_MOST ? (count + 63) / 64 : CRM_NEAR_WORDS;
    for (int i = 0; i < words; i++) set->word[i] = 0;
}

static inline void crm_near_put(crm_near_set *set, int number, bool member) {
    if (number < CRM_NEAR_MOST) set->word[number / 64] |= (uint64_t)member << (number % 64);
}

static inline bool crm_near_has(const crm_near_set *set, int number) {
    return number >= CRM_NEAR_MOST || (set->word[number / 64] >> (number % 64) & 1) != 0;
}

// The first member from `number` on; `count` when there is none.
static inline int crm_near_next(const crm_near_set *set, int number) {
    while (number < set->count && number < CRM_NEAR_MOST) {
        uint64_t rest = set->word[number / 64] >> (number % 64);
        if (rest != 0) return number + __builtin_ctzll(rest);
        number = (number / 64 + 1) * 64;
    }
    return number < set->count ? number : set->count;
}

#endif
