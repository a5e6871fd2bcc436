// SPDX-License-Identifier: MIT
#include "solve/rigid/newton/rigid_pattern.h"

#include <string.h>

#include "base/fail.h"

void crm_rigid_patterns_init(crm_rigid_patterns *patterns, const carom_allocator *allocator) {
    *patterns = (crm_rigid_patterns){0};
    crm_arena_init(&patterns->scratch, allocator);
    patterns->scratch.frugal = true; // all of these are reset before they are used again
    for (int i = 0; i < CRM_RIGID_PATTERNS; i++) {
        crm_arena_init(&patterns->kept[i].arena, allocator);
        patterns->kept[i].arena.frugal = true;
    }
}

void crm_rigid_patterns_free(crm_rigid_patterns *patterns) {
    crm_arena_free(&patterns->scratch);
    for (int i = 0; i < CRM_RIGID_PATTERNS; i++) crm_arena_free(&patterns->kept[i].arena);
}

// Pairs as lists by their smaller node, larger nodes ascending.
typedef struct pair_lists {
    int *head;                 // (node_count)
    int *next, *larger, *rank; // of a pair; rank: its place when all are counted
    int count;
} pair_lists;

static int find_pair(pair_lists *lists, int first, int second) {
    int smaller = first < second ? first : second, larger = first < second ? second : first;
    int *at = &lists->head[smaller];
    while (*at >= 0 && lists->larger[*at] < larger) at = &lists->next[*at];
    if (*at >= 0 && lists->larger[*at] == larger) return *at;
    int pair = lists->count++;
    lists->larger[pair] = larger;
    lists->next[pair] = *at;
    *at = pair;
    return pair;
}

static int pair_of(const crm_rigid_pattern *pattern, pair_lists *lists, int slot_a, int slot_b) {
    if (slot_a == 0 || slot_b == 0 || slot_a == slot_b) return -1;
    return find_pair(lists, pattern->node[slot_a], pattern->node[slot_b]);
}

// Edges in ascending order, and `edge_of` by them.
static void number_pairs(pair_lists *lists, int nodes, int items, crm_block_edge *edge, int *edge_of) {
    int count = 0;
    for (int i = 0; i < nodes; i++)
        for (int pair = lists->head[i]; pair >= 0; pair = lists->next[pair]) {
            lists->rank[pair] = count;
            edge[count++] = (crm_block_edge){i, lists->larger[pair]};
        }
    for (int i = 0; i < items; i++)
        if (edge_of[i] >= 0) edge_of[i] = lists->rank[edge_of[i]];
}

static bool is_same(const crm_rigid_analysis *kept, int nodes, int edges, const crm_block_edge *edge) {
    return kept->used > 0 && kept->node_count == nodes && kept->edge_count == edges &&
           memcmp(kept->edge, edge, sizeof *edge * (size_t)edges) == 0;
}

// What is known of the same pattern, else the room of that which was not used for longest.
static crm_rigid_analysis *find_kept(crm_rigid_patterns *patterns, const crm_block_graph *graph, bool *same) {
    crm_rigid_analysis *oldest = &patterns->kept[0];
    for (int i = 0; i < CRM_RIGID_PATTERNS; i++) {
        crm_rigid_analysis *kept = &patterns->kept[i];
        *same = is_same(kept, graph->node_count, graph->edge_count, graph->edge);
        if (*same) return kept;
        if (kept->used < oldest->used) oldest = kept;
    }
    return oldest;
}

static carom_status analyse(crm_rigid_patterns *patterns, const crm_block_graph *graph, double most_flops,
                            const crm_rigid_analysis **out, carom_error *error) {
    bool same;
    crm_rigid_analysis *oldest = find_kept(patterns, graph, &same);
    patterns->clock++;
    *out = oldest;
    if (same && (oldest->symbolic.panel_count > 0 || oldest->symbolic.flop_count > most_flops)) {
        oldest->used = patterns->clock;
        return CAROM_OK;
    }
    oldest->used = 0;
    crm_arena_reset(&oldest->arena);
    crm_block_edge *edge = CRM_ARENA_ARRAY(&oldest->arena, crm_block_edge, graph->edge_count);
    if (edge == NULL) return crm_fail_memory(error, "pairs of bodies", 0);
    memcpy(edge, graph->edge, sizeof *edge * (size_t)graph->edge_count);
    carom_status status =
        crm_block_analyse_within(graph, most_flops, &oldest->arena, &patterns->scratch, &oldest->symbolic, error);
    if (status != CAROM_OK) return status;
    oldest->node_count = graph->node_count;
    oldest->edge_count = graph->edge_count;
    oldest->edge = edge;
    oldest->used = patterns->clock;
    return CAROM_OK;
}

carom_status crm_rigid_pattern_find(crm_rigid_patterns *patterns, const crm_rigid_system *system,
                                    const crm_rigid_members *m, double most_flops, crm_arena *arena,
                                    crm_rigid_pattern *pattern, carom_error *error) {
    int contacts = m->contact_count, items = contacts + m->block_count, nodes = m->body_count;
    *pattern = (crm_rigid_pattern){.node = CRM_ARENA_ARRAY(arena, int, system->slot_count),
                                   .edge_of = CRM_ARENA_ARRAY(arena, int, items),
                                   .node_size = CRM_ARENA_ARRAY(arena, int, nodes)};
    crm_arena_reset(&patterns->scratch);
    pair_lists lists = {.head = CRM_ARENA_ARRAY(&patterns->scratch, int, nodes),
                        .next = CRM_ARENA_ARRAY(&patterns->scratch, int, items),
                        .larger = CRM_ARENA_ARRAY(&patterns->scratch, int, items),
                        .rank = CRM_ARENA_ARRAY(&patterns->scratch, int, items)};
    crm_block_edge *edge = CRM_ARENA_ARRAY(&patterns->scratch, crm_block_edge, items);
    carom_status status = CAROM_OK;
    if (!pattern->node || !pattern->edge_of || !pattern->node_size || !lists.head || !lists.next || !lists.larger ||
        !lists.rank || !edge) {
        status = crm_fail_memory(error, "the pattern of an island", 0);
    } else {
        for (int i = 0; i < nodes; i++) pattern->node[m->slots[i]] = i, pattern->node_size[i] = 6, lists.head[i] = -1;
        for (int i = 0; i < contacts; i++) {
            const crm_rigid_batch *batch = &system->batch[m->lane[i] / CRM_RIGID_LANES];
            int lane = m->lane[i] % CRM_RIGID_LANES;
            pattern->edge_of[i] = pair_of(pattern, &lists, batch->a[lane], batch->b[lane]);
        }
        for (int i = contacts; i < items; i++) {
            const crm_rigid_rows *rows = &system->rows[m->rows[i - contacts]];
            pattern->edge_of[i] = pair_of(pattern, &lists, rows->a, rows->b);
        }
        number_pairs(&lists, nodes, items, edge, pattern->edge_of);
        crm_block_graph graph = {
            .node_count = nodes, .node_size = pattern->node_size, .edge_count = lists.count, .edge = edge};
        status = analyse(patterns, &graph, most_flops, &pattern->analysis, error);
    }
    return status;
}
