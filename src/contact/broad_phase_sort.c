// SPDX-License-Identifier: MIT
// In two steps, each linear in the number of pairs: every list hands its pairs out to ranges of ranks of A, to places
// of its own; a range, small enough for a near cache, is sorted digit by digit, from the least important key on.
#include "contact/broad_phase_sort.h"

#include <string.h>

enum {
    MOST_RANGES = 256,
    RANGE_PAIRS = 16384, // of a range, about
    DIGIT_BITS = 14,     // at most
};

typedef struct sorting {
    const crm_item_layout *layout;
    int list_count, range_count, shift; // range of a pair: rank of A >> shift
    const crm_search_result *lists;
    int32_t (*start)[MOST_RANGES]; // (list_count) where the pairs of a list go
    int32_t range_start[MOST_RANGES + 1];
    crm_item_pair *ranged, *sorted;
} sorting;

// ---- to ranges

static void count_ranges(void *context, int begin, int end, int worker) {
    (void)worker;
    const sorting *s = context;
    for (int i = begin; i < end; i++) {
        const crm_pair_list *list = &s->lists[i].pairs;
        memset(s->start[i], 0, sizeof s->start[i]);
        for (int k = 0; k < list->count; k++) s->start[i][s->layout->rank[list->items[k].a] >> s->shift]++;
    }
}

static void sum_ranges(sorting *s) {
    int32_t sum = 0;
    for (int range = 0; range < s->range_count; range++) {
        s->range_start[range] = sum;
        for (int i = 0; i < s->list_count; i++) {
            int32_t here = s->start[i][range];
            s->start[i][range] = sum;
            sum += here;
        }
    }
    s->range_start[s->range_count] = sum;
}

static void hand_out(void *context, int begin, int end, int worker) {
    (void)worker;
    const sorting *s = context;
    for (int i = begin; i < end; i++) {
        const crm_pair_list *list = &s->lists[i].pairs;
        for (int k = 0; k < list->count; k++)
            s->ranged[s->start[i][s->layout->rank[list->items[k].a] >> s->shift]++] = list->items[k];
    }
}

// ---- a range

// Where the pairs of a range are, and where the next pass puts them.
typedef struct buffers {
    crm_item_pair *from, *to;
    int count;
} buffers;

typedef enum key { ITEM_A, ITEM_B, RANK_A, RANK_B } key;

static inline uint32_t key_of(const int32_t *rank, key key, crm_item_pair p) {
    int32_t item = key == ITEM_A || key == RANK_A ? p.a : p.b;
    return (uint32_t)(key == RANK_A || key == RANK_B ? rank[item] : item);
}

// One stable pass.
static inline void sort_by_digit(const int32_t *rank, key key, uint32_t least, int shift, int bits, buffers *b) {
    int32_t start[1 << DIGIT_BITS], sum = 0;
    uint32_t digits = 1u << bits, mask = digits - 1;
    memset(start, 0, digits * sizeof *start);
    for (int i = 0; i < b->count; i++) start[(key_of(rank, key, b->from[i]) - least) >> shift & mask]++;
    for (uint32_t d = 0; d < digits; d++) {
        int32_t here = start[d];
        start[d] = sum;
        sum += here;
    }
    for (int i = 0; i < b->count; i++) {
        crm_item_pair p = b->from[i];
        b->to[start[(key_of(rank, key, p) - least) >> shift & mask]++] = p;
    }
    crm_item_pair *swap = b->from;
    b->from = b->to;
    b->to = swap;
}

// In as few digits as the keys' spread needs.
static inline void sort_by_key(const int32_t *rank, key key, buffers *b) {
    uint32_t least = UINT32_MAX, most = 0;
    for (int i = 0; i < b->count; i++) {
        uint32_t k = key_of(rank, key, b->from[i]);
        least = k < least ? k : least;
        most = k > most ? k : most;
    }
    if (least == most) return;
    // More digits than pairs would cost more than a further pass.
    int bits = 32 - __builtin_clz(most - least), fit = 32 - __builtin_clz((uint32_t)b->count);
    int most_bits = fit < 8 ? 8 : fit < DIGIT_BITS ? fit : DIGIT_BITS, passes = (bits + most_bits - 1) / most_bits;
    int width = (bits + passes - 1) / passes;
    for (int shift = 0; shift < bits; shift += width) sort_by_digit(rank, key, least, shift, width, b);
}

static void sort_range(const sorting *s, int range) {
    const int32_t *rank = s->layout->rank;
    int32_t begin = s->range_start[range], count = s->range_start[range + 1] - begin;
    if (count == 0) return;
    buffers b = {s->ranged + begin, s->sorted + begin, count};
    sort_by_key(rank, ITEM_B, &b);
    sort_by_key(rank, ITEM_A, &b);
    if (s->layout->item_count > s->layout->proxy_count) { // otherwise ranks are items
        sort_by_key(rank, RANK_B, &b);
        sort_by_key(rank, RANK_A, &b);
    }
    if (b.from != s->sorted + begin) memcpy(s->sorted + begin, b.from, (size_t)count * sizeof *b.from);
}

static void sort_ranges(void *context, int begin, int end, int worker) {
    (void)worker;
    for (int range = begin; range < end; range++) sort_range(context, range);
}

bool crm_sort_pairs(const crm_item_layout *layout, int list_count, const crm_search_result *lists, crm_arena *arena,
                    const carom_allocator *allocator, crm_pool *pool, crm_pair_list *scratch, crm_pair_list *out) {
    int64_t count = 0;
    for (int i = 0; i < list_count; i++) count += lists[i].pairs.count;
    if (count > INT32_MAX) return false;
    sorting s = {.layout = layout, .list_count = list_count, .lists = lists};
    int64_t wanted = 1 + count / RANGE_PAIRS, ranges = wanted < MOST_RANGES ? wanted : MOST_RANGES;
    while (layout->proxy_count >> s.shift >= ranges && s.shift < 31) s.shift++;
    s.range_count = (layout->proxy_count >> s.shift) + 1;
    s.start = crm_arena_take_array(arena, list_count, sizeof *s.start);
    if (s.start == NULL || !CRM_ARRAY_RESERVE(allocator, scratch, (ptrdiff_t)count) ||
        !CRM_ARRAY_RESERVE(allocator, out, (ptrdiff_t)count))
        return false;
    s.ranged = scratch->items;
    s.sorted = out->items;
    out->count = (int)count;
    if (count == 0) return true;
    crm_pool_for(pool, list_count, 1, count_ranges, &s);
    sum_ranges(&s);
    crm_pool_for(pool, list_count, 1, hand_out, &s);
    crm_pool_for(pool, s.range_count, 1, sort_ranges, &s);
    return true;
}
