// SPDX-License-Identifier: MIT
// In three steps, each linear in the number of pairs:
//   every list hands its pairs out to ranges of ranks of A, some hundreds of them, each list to places of its own;
//   a range hands its pairs out to the ranks of A;
//   the pairs of a rank, few mostly, are sorted by insertion; if they are many, digit by digit.
#include "contact/broad_phase_sort.h"

#include <string.h>

enum {
    MOST_RANGES = 256,
    FEW_PAIRS = 32, // up to here insertion is faster than digits
};

typedef struct sorting {
    const int32_t *rank;
    int rank_count, list_count, range_count, shift; // range of a pair: rank of A >> shift
    const crm_pair_list *lists;
    int32_t (*start)[MOST_RANGES]; // (list_count) where the pairs of a list go
    int32_t range_start[MOST_RANGES + 1];
    int32_t *rank_end; // (rank_count) of the pairs of a rank, in the result
    crm_item_pair *ranged, *sorted;
} sorting;

// ---- to ranges

static void count_ranges(void *context, int begin, int end, int worker) {
    (void)worker;
    const sorting *s = context;
    for (int i = begin; i < end; i++) {
        const crm_pair_list *list = &s->lists[i];
        memset(s->start[i], 0, sizeof s->start[i]);
        for (int k = 0; k < list->count; k++) s->start[i][s->rank[list->items[k].a] >> s->shift]++;
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

static void hand_out_to_ranges(void *context, int begin, int end, int worker) {
    (void)worker;
    const sorting *s = context;
    for (int i = begin; i < end; i++) {
        const crm_pair_list *list = &s->lists[i];
        for (int k = 0; k < list->count; k++)
            s->ranged[s->start[i][s->rank[list->items[k].a] >> s->shift]++] = list->items[k];
    }
}

// ---- the pairs of one rank

static bool comes_before(const int32_t *rank, crm_item_pair p, crm_item_pair q) {
    if (p.b == q.b) return p.a < q.a;
    if (p.a == q.a) return p.b < q.b; // ranks ascend with items
    return rank[p.b] != rank[q.b] ? rank[p.b] < rank[q.b] : p.a < q.a;
}

static void insert(const int32_t *rank, crm_item_pair *pairs, int count) {
    for (int i = 1; i < count; i++) {
        crm_item_pair pair = pairs[i];
        int k = i;
        for (; k > 0 && comes_before(rank, pair, pairs[k - 1]); k--) pairs[k] = pairs[k - 1];
        pairs[k] = pair;
    }
}

// The keys from the least to the most important.
static uint32_t key_of(const int32_t *rank, crm_item_pair p, int key) {
    return (uint32_t)(key == 0 ? p.b : key == 1 ? p.a : rank[p.b]);
}

// Leaves out digits in which all agree.
static void sort_by_digits(const int32_t *rank, crm_item_pair *pairs, int count, crm_item_pair *other) {
    crm_item_pair *from = pairs, *to = other;
    for (int key = 0; key < 3; key++) {
        uint32_t first = key_of(rank, from[0], key), differ = 0;
        for (int i = 1; i < count; i++) differ |= key_of(rank, from[i], key) ^ first;
        for (int shift = 0; shift < 32; shift += 8) {
            if ((differ >> shift & 255) == 0) continue;
            int32_t start[256] = {0}, sum = 0;
            for (int i = 0; i < count; i++) start[key_of(rank, from[i], key) >> shift & 255]++;
            for (int d = 0; d < 256; d++) {
                int32_t here = start[d];
                start[d] = sum;
                sum += here;
            }
            for (int i = 0; i < count; i++) to[start[key_of(rank, from[i], key) >> shift & 255]++] = from[i];
            crm_item_pair *swap = from;
            from = to;
            to = swap;
        }
    }
    if (from != pairs) memcpy(pairs, from, (size_t)count * sizeof *pairs);
}

// ---- ranges to ranks

static void sort_range(const sorting *s, int range) {
    int first = range << s->shift, last = first + (1 << s->shift);
    if (last > s->rank_count) last = s->rank_count;
    int32_t begin = s->range_start[range], end = s->range_start[range + 1], sum = begin;
    memset(s->rank_end + first, 0, (size_t)(last - first) * sizeof *s->rank_end);
    for (int32_t i = begin; i < end; i++) s->rank_end[s->rank[s->ranged[i].a]]++;
    for (int r = first; r < last; r++) {
        int32_t here = s->rank_end[r];
        s->rank_end[r] = sum;
        sum += here;
    }
    for (int32_t i = begin; i < end; i++) s->sorted[s->rank_end[s->rank[s->ranged[i].a]]++] = s->ranged[i];
    for (int r = first; r < last; r++) {
        int32_t count = s->rank_end[r] - begin;
        if (count <= FEW_PAIRS)
            insert(s->rank, s->sorted + begin, count);
        else
            sort_by_digits(s->rank, s->sorted + begin, count, s->ranged + begin);
        begin = s->rank_end[r];
    }
}

static void sort_ranges(void *context, int begin, int end, int worker) {
    (void)worker;
    for (int range = begin; range < end; range++) sort_range(context, range);
}

bool crm_sort_pairs(const crm_item_layout *layout, int list_count, const crm_pair_list *lists, crm_arena *arena,
                    const carom_allocator *allocator, crm_pool *pool, crm_pair_list *scratch, crm_pair_list *out) {
    int64_t count = 0;
    for (int i = 0; i < list_count; i++) count += lists[i].count;
    if (count > INT32_MAX) return false;
    sorting s = {.rank = layout->rank, .rank_count = layout->proxy_count, .list_count = list_count, .lists = lists};
    while (s.rank_count >> s.shift >= MOST_RANGES) s.shift++;
    s.range_count = (s.rank_count >> s.shift) + 1;
    s.start = crm_arena_take_array(arena, list_count, sizeof *s.start);
    s.rank_end = CRM_ARENA_ARRAY(arena, int32_t, s.rank_count);
    if (s.start == NULL || s.rank_end == NULL || !CRM_ARRAY_RESERVE(allocator, scratch, (ptrdiff_t)count) ||
        !CRM_ARRAY_RESERVE(allocator, out, (ptrdiff_t)count))
        return false;
    s.ranged = scratch->items;
    s.sorted = out->items;
    out->count = (int)count;
    if (count == 0) return true;
    crm_pool_for(pool, list_count, 1, count_ranges, &s);
    sum_ranges(&s);
    crm_pool_for(pool, list_count, 1, hand_out_to_ranges, &s);
    crm_pool_for(pool, s.range_count, 1, sort_ranges, &s);
    return true;
}
