// SPDX-License-Identifier: MIT
// In two steps, each linear in the number of pairs: groups of pages hand their pairs out to ranges of ranks of A, each
// group to places of its own; a range, small enough for a near cache, is sorted digit by digit, from the least
// important key on.
#include "contact/broad/broad_phase_sort.h"

#include <string.h>

enum {
    MOST_GROUPS = 64,
    MOST_RANGES = 256,
    RANGE_PAIRS = 16384, // of a range, about
    DIGIT_BITS = 14,     // at most
};

typedef struct sorting {
    const crm_item_layout *layout;
    const int32_t *rank; // of items; NULL: the same as their numbers, as there are no compounds
    const crm_pair_pages *pages;
    int page_count, grain, group_count; // `grain` pages a group
    int range_count, shift;             // range of a pair: rank of A >> shift
    int32_t (*start)[MOST_RANGES];      // (group_count) where the pairs of a group go
    int32_t range_start[MOST_RANGES + 1];
    crm_item_pair *sorted, *other;
} sorting;

// ---- to ranges

static inline int range_of(const sorting *s, crm_item_pair pair) {
    return (s->rank != NULL ? s->rank[pair.a] : pair.a) >> s->shift;
}

static void count_ranges(void *context, int begin, int end, int worker) {
    (void)worker;
    const sorting copy = *(const sorting *)context, *s = &copy; // nothing that is written can change it
    int32_t *start = s->start[begin / s->grain];
    memset(start, 0, sizeof s->start[0]);
    for (int page = begin; page < end; page++) {
        const crm_item_pair *pair = s->pages->pairs.items + (ptrdiff_t)page * CRM_PAGE_PAIRS;
        for (int k = 0; k < s->pages->fill.items[page]; k++) start[range_of(s, pair[k])]++;
    }
}

static void sum_ranges(sorting *s) {
    int32_t sum = 0;
    for (int range = 0; range < s->range_count; range++) {
        s->range_start[range] = sum;
        for (int i = 0; i < s->group_count; i++) {
            int32_t here = s->start[i][range];
            s->start[i][range] = sum;
            sum += here;
        }
    }
    s->range_start[s->range_count] = sum;
}

static void hand_out(void *context, int begin, int end, int worker) {
    (void)worker;
    const sorting copy = *(const sorting *)context, *s = &copy;
    int32_t *start = s->start[begin / s->grain];
    for (int page = begin; page < end; page++) {
        const crm_item_pair *pair = s->pages->pairs.items + (ptrdiff_t)page * CRM_PAGE_PAIRS;
        for (int k = 0; k < s->pages->fill.items[page]; k++) s->sorted[start[range_of(s, pair[k])]++] = pair[k];
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

// By keys in least ... end - 1, in as few digits as these need; more digits than pairs would cost more than a further
// pass.
static inline void sort_by_key(const int32_t *rank, key key, int32_t least, int32_t end, buffers *b) {
    if (end - least <= 1) return;
    int bits = 32 - __builtin_clz((uint32_t)(end - least - 1)), fit = 32 - __builtin_clz((uint32_t)b->count);
    int most = fit < 8 ? 8 : fit < DIGIT_BITS ? fit : DIGIT_BITS, passes = (bits + most - 1) / most;
    int width = (bits + passes - 1) / passes;
    for (int shift = 0; shift < bits; shift += width) sort_by_digit(rank, key, (uint32_t)least, shift, width, b);
}

static void sort_range(const sorting *s, int range) {
    const crm_item_layout *layout = s->layout;
    int32_t begin = s->range_start[range], count = s->range_start[range + 1] - begin;
    if (count == 0) return;
    buffers b = {s->sorted + begin, s->other + begin, count};
    int32_t first = range << s->shift, last = first + (1 << s->shift); // ranks of A
    if (last > layout->proxy_count) last = layout->proxy_count;
    sort_by_key(layout->rank, ITEM_B, layout->first[first], layout->item_count, &b);
    sort_by_key(layout->rank, ITEM_A, layout->first[first], layout->first[last], &b);
    if (s->rank != NULL) {
        sort_by_key(layout->rank, RANK_B, first, layout->proxy_count, &b);
        sort_by_key(layout->rank, RANK_A, first, last, &b);
    }
    if (b.from != s->sorted + begin) memcpy(s->sorted + begin, b.from, (size_t)count * sizeof *b.from);
}

static void sort_ranges(void *context, int begin, int end, int worker) {
    (void)worker;
    for (int range = begin; range < end; range++) sort_range(context, range);
}

bool crm_sort_pairs(const crm_item_layout *layout, crm_pair_pages *pages, crm_arena *arena,
                    const carom_allocator *allocator, crm_pool *pool, crm_pair_list *out) {
    sorting s = {.layout = layout, .pages = pages, .page_count = atomic_load(&pages->taken)};
    if (layout->item_count > layout->proxy_count) s.rank = layout->rank;
    s.grain = 1 + s.page_count / MOST_GROUPS;
    s.group_count = crm_pool_chunks(s.page_count, s.grain);
    int count = 0;
    for (int i = 0; i < s.page_count; i++) count += pages->fill.items[i];
    int wanted = 1 + count / RANGE_PAIRS, ranges = wanted < MOST_RANGES ? wanted : MOST_RANGES;
    while (layout->proxy_count >> s.shift >= ranges && s.shift < 30) s.shift++;
    s.range_count = (layout->proxy_count >> s.shift) + 1;
    s.start = crm_arena_take_array(arena, s.group_count, sizeof *s.start);
    if (s.start == NULL || !CRM_ARRAY_RESERVE(allocator, out, count)) return false;
    s.sorted = out->items;
    s.other = pages->pairs.items; // as large, and free once the pairs are handed out
    out->count = count;
    if (count == 0) return true;
    crm_pool_for(pool, s.page_count, s.grain, count_ranges, &s);
    sum_ranges(&s);
    crm_pool_for(pool, s.page_count, s.grain, hand_out, &s);
    crm_pool_for(pool, s.range_count, 1, sort_ranges, &s);
    return true;
}
