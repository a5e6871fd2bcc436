// SPDX-License-Identifier: MIT
#include "solve/islands.h"

#include <stdlib.h>

#include "base/fail.h"
#include "base/forest.h"

// A forest of groups, then nodes. The root of a tree is its lowest number, hence a group wherever there is one.
static void join_by_entries(const carom_problem *problem, int *parent) {
    for (int e = 0; e < problem->entry_count; e++)
        crm_forest_join(parent, problem->entries[e].group, problem->group_count + problem->entries[e].node);
}

static void join_by_delassus(const carom_problem *problem, const crm_layout *layout, const int *group_of_row,
                             int *parent) {
    const carom_sparse *w = &problem->delassus;
    for (int i = 0; i < layout->row_count; i++) {
        int joined = -1; // columns of a group stand side by side
        for (int k = w->start[i]; k < w->start[i + 1]; k++) {
            int other = group_of_row[w->column[k]];
            if (w->value[k] == 0.0 || other == joined) continue;
            crm_forest_join(parent, group_of_row[i], other);
            joined = other;
        }
    }
}

static void join_all(const carom_problem *problem, int *parent) {
    for (int i = 1; i < problem->group_count + problem->node_count; i++) crm_forest_join(parent, 0, i);
}

typedef struct island_size {
    int root, rows, groups, nodes;
} island_size;

static int by_rows(const void *a, const void *b) {
    const island_size *x = a, *y = b;
    if (x->rows != y->rows) return x->rows > y->rows ? -1 : 1;
    return x->root < y->root ? -1 : x->root > y->root;
}

// Counts what belongs to each root that is a group, and orders the islands. place[root] becomes the island's number.
static int measure(const carom_problem *problem, int node_count, int *parent, island_size *sizes, int *place) {
    int count = 0;
    for (int g = 0; g < problem->group_count; g++) {
        int root = crm_forest_root(parent, g);
        if (root == g) {
            place[g] = count;
            sizes[count++] = (island_size){.root = g};
        }
        sizes[place[root]].groups++;
        sizes[place[root]].rows += problem->groups[g].rows;
    }
    for (int n = 0; n < node_count; n++) {
        int root = crm_forest_root(parent, problem->group_count + n);
        if (root < problem->group_count) sizes[place[root]].nodes++;
    }
    qsort(sizes, (size_t)count, sizeof *sizes, by_rows);
    for (int k = 0; k < count; k++) place[sizes[k].root] = k;
    return count;
}

carom_status crm_islands_find(const carom_problem *problem, const crm_layout *layout, crm_arena *arena,
                              crm_islands *out, carom_error *error) {
    int group_count = problem->group_count;
    int node_count = problem->form == CAROM_FORM_DELASSUS ? 0 : problem->node_count;
    ptrdiff_t vertices = (ptrdiff_t)group_count + node_count;
    int *groups = CRM_ARENA_ARRAY(arena, int, group_count), *nodes = CRM_ARENA_ARRAY(arena, int, node_count);
    int *group_start = CRM_ARENA_ARRAY(arena, int, (ptrdiff_t)group_count + 1);
    int *node_start = CRM_ARENA_ARRAY(arena, int, (ptrdiff_t)group_count + 1);
    crm_mark mark = crm_arena_mark(arena);
    int *parent = CRM_ARENA_ARRAY(arena, int, vertices), *place = CRM_ARENA_ARRAY(arena, int, group_count);
    int *group_of_row = CRM_ARENA_ARRAY(arena, int, layout->row_count);
    island_size *sizes = CRM_ARENA_ARRAY(arena, island_size, group_count);
    if (groups == NULL || nodes == NULL || group_start == NULL || node_start == NULL || parent == NULL ||
        place == NULL || group_of_row == NULL || sizes == NULL)
        return crm_fail_memory(error, "islands", sizeof(island_size) * (size_t)group_count);

    for (int i = 0; i < (int)vertices; i++) parent[i] = i;
    for (int g = 0; g < group_count; g++) {
        for (int i = layout->row_start[g]; i < layout->row_start[g + 1]; i++) group_of_row[i] = g;
    }
    if (problem->form == CAROM_FORM_BODIES) join_by_entries(problem, parent);
    if (problem->form == CAROM_FORM_DELASSUS) join_by_delassus(problem, layout, group_of_row, parent);
    if (problem->form == CAROM_FORM_MOBILITY) join_all(problem, parent);

    int count = measure(problem, node_count, parent, sizes, place);
    group_start[0] = node_start[0] = 0;
    for (int k = 0; k < count; k++) {
        group_start[k + 1] = group_start[k] + sizes[k].groups;
        node_start[k + 1] = node_start[k] + sizes[k].nodes;
        sizes[k].groups = group_start[k]; // from here on: where the next one goes
        sizes[k].nodes = node_start[k];
    }
    for (int g = 0; g < group_count; g++) groups[sizes[place[crm_forest_root(parent, g)]].groups++] = g;
    for (int n = 0; n < node_count; n++) {
        int root = crm_forest_root(parent, group_count + n);
        if (root < group_count) nodes[sizes[place[root]].nodes++] = n;
    }
    crm_arena_release(arena, mark);
    *out = (crm_islands){count, group_start, groups, node_start, nodes};
    return CAROM_OK;
}

crm_selection crm_islands_get(const crm_islands *islands, int k) {
    return (crm_selection){
        .group_count = islands->group_start[k + 1] - islands->group_start[k],
        .node_count = islands->node_start[k + 1] - islands->node_start[k],
        .groups = islands->groups + islands->group_start[k],
        .nodes = islands->nodes + islands->node_start[k],
    };
}
