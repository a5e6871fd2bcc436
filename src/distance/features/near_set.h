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

// Fills the set with every feature `i` for which `condition` is true. A word is collected before it is stored: bits
// that are added in memory wait for each other.
#define CRM_NEAR_FILL(set, total, i, condition)                                                    \
    do {                                                                                           \
        (set)->count = (total);                                                                    \
        for (int first_ = 0; first_ < (total) && first_ < CRM_NEAR_MOST; first_ += 64) {           \
            uint64_t bits_ = 0;                                                                    \
            int end_ = first_ + 64 < (total) ? first_ + 64 : (total);                              \
            for (int i = first_; i < end_; i++) bits_ |= (uint64_t)((condition) != 0) << (i % 64); \
            (set)->word[first_ / 64] = bits_;                                                      \
        }                                                                                          \
    } while (0)

static inline bool crm_near_has(const crm_near_set *set, int number) {
    return number >= CRM_NEAR_MOST || (set->word[(unsigned)number / 64] >> (number % 64) & 1) != 0;
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
