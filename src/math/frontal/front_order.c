// SPDX-License-Identifier: MIT
// A stage falls into connected parts, and each is ordered by itself: groups with the same neighbours as one (they stay
// alike in every elimination), by exact degrees in the elimination graph, whose rows are sets of bits.
#include "math/frontal/front_order.h"

#include <stdint.h>

#include "base/fail.h"

// What is left of the graph before a stage, by the groups' own numbers.
typedef struct left_graph {
    const int *weight, *stage;
    int **neighbour; // of each group: those that are left, once (groups)
    int *length;     // how many (groups)
    int *part;       // which connected part of its stage a group belongs to, -1 before that stage (groups)
    int *mark, stamp;
    int *number;    // of groups in the part at hand (groups)
    uint64_t *hash; // of a group's neighbours and itself (groups)
    int *member, member_count; // of the part at hand
    int *edge, edge_count;     // its neighbours in later stages
} left_graph;

// ---- parts

// Walks over the part that `first` belongs to.
static void walk_part(left_graph *g, int first, int part) {
    g->stamp++;
    g->member_count = g->edge_count = 0;
    g->member[g->member_count++] = first;
    g->part[first] = part;
    for (int k = 0; k < g->member_count; k++) {
        int group = g->member[k];
        for (int n = 0; n < g->length[group]; n++) {
            int other = g->neighbour[group][n];
            if (g->mark[other] == g->stamp || g->part[other] >= 0) continue;
            g->mark[other] = g->stamp;
            if (g->stage[other] == g->stage[first]) {
                g->part[other] = part;
                g->member[g->member_count++] = other;
            } else {
                g->edge[g->edge_count++] = other;
            }
        }
    }
}

// Once the part at hand is gone, all around it are neighbours of each other: they get new lists.
static bool remove_part(left_graph *g, crm_arena *scratch) {
    for (int e = 0; e < g->edge_count; e++) {
        int group = g->edge[e], count = 0;
        int *list = CRM_ARENA_ARRAY(scratch, int, (ptrdiff_t)g->length[group] + g->edge_count);
        if (list == NULL) return false;
        g->mark[group] = ++g->stamp;
        for (int n = 0; n < g->length[group]; n++) {
            int other = g->neighbour[group][n];
            if (g->part[other] >= 0) continue;
            g->mark[other] = g->stamp;
            list[count++] = other;
        }
        for (int k = 0; k < g->edge_count; k++)
            if (g->mark[g->edge[k]] != g->stamp) list[count++] = g->edge[k];
        g->neighbour[group] = list;
        g->length[group] = count;
    }
    return true;
}

// ---- groups that are alike

static uint64_t scatter(uint64_t x) {
    x = (x + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 31)) * 0xbf58476d1ce4e5b9u;
    return x ^ (x >> 29);
}

// Neighbours of each other: every neighbour of one must be the other's or the other.
static bool are_alike(left_graph *g, int group, int other) {
    if (g->hash[group] != g->hash[other] || g->length[group] != g->length[other]) return false;
    g->mark[group] = ++g->stamp;
    for (int n = 0; n < g->length[group]; n++) g->mark[g->neighbour[group][n]] = g->stamp;
    for (int n = 0; n < g->length[other]; n++)
        if (g->mark[g->neighbour[other][n]] != g->stamp) return false;
    return true;
}

// Numbers the classes of members that have the same neighbours, in the order of their first members.
static int find_classes(left_graph *g) {
    for (int k = 0; k < g->member_count; k++) {
        int group = g->member[k];
        uint64_t hash = scatter((uint64_t)group);
        for (int n = 0; n < g->length[group]; n++) hash += scatter((uint64_t)g->neighbour[group][n]);
        g->hash[group] = hash;
        g->number[group] = -1;
    }
    int classes = 0;
    for (int k = 0; k < g->member_count; k++) {
        int group = g->member[k];
        if (g->number[group] >= 0) continue;
        g->number[group] = classes;
        for (int n = 0; n < g->length[group]; n++) {
            int other = g->neighbour[group][n];
            if (g->part[other] == g->part[group] && g->number[other] < 0 && are_alike(g, group, other))
                g->number[other] = classes;
        }
        classes++;
    }
    return classes;
}

// ---- the elimination graph of a part

typedef struct bit_graph {
    int classes, all; // all: with the groups around the part, which stay
    ptrdiff_t words;  // of a row
    uint64_t *row;    // (all * words)
    int *weight;      // (all)
    long long *degree; // (classes)
    bool *gone;       // (classes)
} bit_graph;

static bool has(const bit_graph *b, int i, int j) {
    return b->row[i * b->words + j / 64] >> (j % 64) & 1;
}

static void set(const bit_graph *b, int i, int j) {
    b->row[i * b->words + j / 64] |= (uint64_t)1 << (j % 64);
}

static long long degree_of(const bit_graph *b, int i) {
    long long degree = 0;
    for (ptrdiff_t w = 0; w < b->words; w++)
        for (uint64_t bits = b->row[i * b->words + w]; bits != 0; bits &= bits - 1)
            degree += b->weight[64 * w + __builtin_ctzll(bits)];
    return degree;
}

// Joins all neighbours of class p to each other, and takes p out.
static void eliminate(const bit_graph *b, int p) {
    const uint64_t *pivot = b->row + p * b->words;
    b->gone[p] = true;
    for (int i = 0; i < b->all; i++) {
        if (!has(b, p, i)) continue;
        uint64_t *row = b->row + i * b->words;
        for (ptrdiff_t w = 0; w < b->words; w++) row[w] |= pivot[w];
        row[i / 64] &= ~((uint64_t)1 << (i % 64));
        row[p / 64] &= ~((uint64_t)1 << (p % 64));
        if (i < b->classes) b->degree[i] = degree_of(b, i);
    }
}

static int least_degree(const bit_graph *b) {
    int best = -1;
    for (int i = 0; i < b->classes; i++)
        if (!b->gone[i] && (best < 0 || b->degree[i] < b->degree[best])) best = i;
    return best;
}

static bool fill_graph(left_graph *g, int classes, crm_arena *scratch, bit_graph *b) {
    *b = (bit_graph){.classes = classes, .all = classes + g->edge_count};
    b->words = (b->all + 63) / 64;
    b->row = CRM_ARENA_ZEROED(scratch, uint64_t, b->all * b->words);
    b->weight = CRM_ARENA_ZEROED(scratch, int, b->all);
    b->degree = CRM_ARENA_ARRAY(scratch, long long, classes);
    b->gone = CRM_ARENA_ZEROED(scratch, bool, classes);
    if (b->row == NULL || b->weight == NULL || b->degree == NULL || b->gone == NULL) return false;
    for (int e = 0; e < g->edge_count; e++) {
        g->number[g->edge[e]] = classes + e;
        b->weight[classes + e] = g->weight[g->edge[e]];
    }
    for (int k = 0; k < g->member_count; k++) {
        int group = g->member[k], i = g->number[group];
        b->weight[i] += g->weight[group];
        for (int n = 0; n < g->length[group]; n++) {
            int j = g->number[g->neighbour[group][n]];
            if (i == j) continue;
            set(b, i, j);
            set(b, j, i);
        }
    }
    for (int i = 0; i < classes; i++) b->degree[i] = degree_of(b, i);
    return true;
}

// Appends the members of the part at hand. Those of a class follow each other.
static bool order_part(left_graph *g, crm_arena *scratch, int *order, int *ordered) {
    int classes = find_classes(g);
    crm_mark mark = crm_arena_mark(scratch);
    bit_graph b;
    int *next = CRM_ARENA_ZEROED(scratch, int, classes), *place = CRM_ARENA_ARRAY(scratch, int, classes);
    bool good = next != NULL && place != NULL && (classes == 1 || fill_graph(g, classes, scratch, &b));
    for (int k = 0; good && k < g->member_count; k++) next[g->number[g->member[k]]]++; // sizes
    for (int k = 0; good && k < classes; k++) {
        int p = classes == 1 ? 0 : least_degree(&b);
        if (classes > 1) eliminate(&b, p);
        place[p] = *ordered;
        *ordered += next[p];
    }
    for (int k = 0; good && k < g->member_count; k++) order[place[g->number[g->member[k]]]++] = g->member[k];
    crm_arena_release(scratch, mark);
    return good;
}

// ---- all of it

// Groups by their stages, in ascending order.
static bool sort_by_stage(int groups, const int *stage, crm_arena *scratch, int *sorted) {
    int last = 0, sum = 0;
    for (int i = 0; i < groups; i++) last = stage[i] > last ? stage[i] : last;
    int *next = CRM_ARENA_ZEROED(scratch, int, (ptrdiff_t)last + 1);
    if (next == NULL) return false;
    for (int i = 0; i < groups; i++) next[stage[i]]++;
    for (int s = 0; s <= last; s++) {
        int count = next[s];
        next[s] = sum;
        sum += count;
    }
    for (int i = 0; i < groups; i++) sorted[next[stage[i]]++] = i;
    return true;
}

static bool order_all(left_graph *g, int groups, const int *sorted, crm_arena *scratch, int *order) {
    int ordered = 0;
    for (int k = 0; k < groups; k++) {
        if (g->part[sorted[k]] >= 0) continue;
        walk_part(g, sorted[k], k);
        if (!order_part(g, scratch, order, &ordered) || !remove_part(g, scratch)) return false;
    }
    return true;
}

carom_status crm_front_order(int groups, const crm_block_adjacency *adjacency, const int *weight, const int *stage,
                             crm_arena *scratch, int *order, carom_error *error) {
    left_graph g = {.weight = weight, .stage = stage};
    g.neighbour = CRM_ARENA_ARRAY(scratch, int *, groups);
    g.length = CRM_ARENA_ARRAY(scratch, int, groups);
    g.part = CRM_ARENA_ARRAY(scratch, int, groups);
    g.mark = CRM_ARENA_ZEROED(scratch, int, groups);
    g.number = CRM_ARENA_ARRAY(scratch, int, groups);
    g.member = CRM_ARENA_ARRAY(scratch, int, groups);
    g.edge = CRM_ARENA_ARRAY(scratch, int, groups);
    g.hash = CRM_ARENA_ARRAY(scratch, uint64_t, groups);
    int *sorted = CRM_ARENA_ARRAY(scratch, int, groups);
    bool good = g.neighbour != NULL && g.length != NULL && g.part != NULL && g.mark != NULL && g.number != NULL &&
                g.member != NULL && g.edge != NULL && g.hash != NULL && sorted != NULL;
    for (int i = 0; good && i < groups; i++) {
        g.neighbour[i] = adjacency->neighbour + adjacency->start[i];
        g.length[i] = adjacency->start[i + 1] - adjacency->start[i];
        g.part[i] = -1;
    }
    good = good && sort_by_stage(groups, stage, scratch, sorted) && order_all(&g, groups, sorted, scratch, order);
    return good ? CAROM_OK : crm_fail(error, CAROM_ERR_NO_MEMORY, "ordering: no memory for %d groups", groups);
}
