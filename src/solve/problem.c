// SPDX-License-Identifier: MIT
#include "solve/problem.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "math/dense/dense_cholesky.h"
#include "solve/coupled/coupled_problem.h"

// Largest |m_ij - m_ji| in units of sqrt(m_ii m_jj). An inertia in world axes is symmetric to a few
// roundings; what is further off was filled in wrongly.
static const double mass_asymmetry = 1e-9;

carom_status crm_check_finite(const double *values, int count, const char *what, carom_error *error) {
    for (int i = 0; i < count; i++) {
        if (!isfinite(values[i])) return crm_refuse(error, "%s[%d] is %g, must be finite", what, i, values[i]);
    }
    return CAROM_OK;
}

static carom_status check_rows(int g, const carom_row_group *group, int least, int most, const char *law,
                               carom_error *error) {
    if (group->rows >= least && group->rows <= most) return CAROM_OK;
    if (least == most)
        return crm_refuse(error, "groups[%d]: %s law has %d rows, must have %d", g, law, group->rows, least);
    return crm_refuse(error, "groups[%d]: %s law has %d rows, must have %d to %d", g, law, group->rows, least, most);
}

static carom_status check_group(int g, const carom_row_group *group, carom_error *error) {
    carom_status status;
    switch (group->law) {
    case CAROM_LAW_EQUALITY:
        return check_rows(g, group, 1, CAROM_GROUP_ROWS, "an equality", error);
    case CAROM_LAW_UNILATERAL:
        return check_rows(g, group, 1, 1, "a unilateral", error);
    case CAROM_LAW_BOX:
        status = check_rows(g, group, 1, 1, "a box", error);
        if (status != CAROM_OK) return status;
        // Infinite bounds are welcome on their own side only: nothing lies above an infinite lower bound.
        if (!(group->lower <= group->upper) || group->lower == INFINITY || group->upper == -INFINITY)
            return crm_refuse(error, "groups[%d]: the box from %g to %g holds no number", g, group->lower,
                              group->upper);
        return CAROM_OK;
    case CAROM_LAW_CONE:
        status = check_rows(g, group, 2, 3, "a cone", error);
        if (status != CAROM_OK) return status;
        if (!(group->friction >= 0.0) || !isfinite(group->friction))
            return crm_refuse(error, "groups[%d]: friction is %g, must be a finite number that is not negative", g,
                              group->friction);
        return CAROM_OK;
    }
    return crm_refuse(error, "groups[%d]: there is no law number %d", g, (int)group->law);
}

static carom_status check_mass(int n, const carom_problem_node *node, carom_error *error) {
    if (node->size < 1 || node->size > CAROM_NODE_SIZE)
        return crm_refuse(error, "nodes[%d]: size is %d, must be 1 to %d", n, node->size, CAROM_NODE_SIZE);
    int size = node->size;
    for (int i = 0; i < size; i++) {
        if (!isfinite(node->free[i]))
            return crm_refuse(error, "nodes[%d]: free[%d] is %g, must be finite", n, i, node->free[i]);
        for (int j = 0; j < size; j++) {
            if (!isfinite(node->mass[i * size + j]))
                return crm_refuse(error, "nodes[%d]: mass (%d, %d) is %g, must be finite", n, i, j,
                                  node->mass[i * size + j]);
        }
    }
    for (int i = 0; i < size; i++) {
        for (int j = 0; j < i; j++) {
            double below = node->mass[i * size + j], above = node->mass[j * size + i];
            double scale = sqrt(fabs(node->mass[i * size + i])) * sqrt(fabs(node->mass[j * size + j]));
            if (fabs(below - above) > mass_asymmetry * scale)
                return crm_refuse(error, "nodes[%d]: mass is not symmetric, (%d, %d) is %g and (%d, %d) is %g", n, i, j,
                                  below, j, i, above);
        }
    }
    double factor[CAROM_NODE_SIZE * CAROM_NODE_SIZE];
    memcpy(factor, node->mass, sizeof(double) * (size_t)(size * size));
    crm_cholesky_report report = crm_cholesky_factor(size, factor, size);
    if (!report.finite || report.rank != size)
        return crm_refuse(error, "nodes[%d]: mass is not positive definite; leave out bodies that cannot move", n);
    return CAROM_OK;
}

static carom_status check_entry(const carom_problem *problem, int e, carom_error *error) {
    const carom_entry *entry = &problem->entries[e];
    if (entry->group < 0 || entry->group >= problem->group_count)
        return crm_refuse(error, "entries[%d]: there is no group %d, only %d", e, entry->group, problem->group_count);
    if (entry->node < 0 || entry->node >= problem->node_count)
        return crm_refuse(error, "entries[%d]: there is no node %d, only %d", e, entry->node, problem->node_count);
    int size = problem->nodes[entry->node].size;
    int count = problem->groups[entry->group].rows * size;
    for (int k = 0; k < count; k++) {
        if (!isfinite(entry->rows[k]))
            return crm_refuse(error, "entries[%d]: row %d, column %d is %g, must be finite", e, k / size, k % size,
                              entry->rows[k]);
    }
    return CAROM_OK;
}

static carom_status check_coupling(const carom_problem *problem, int c, carom_error *error) {
    const carom_coupling *coupling = &problem->couplings[c];
    const int nodes[2] = {coupling->a, coupling->b};
    for (int k = 0; k < 2; k++) {
        if (nodes[k] < 0 || nodes[k] >= problem->node_count)
            return crm_refuse(error, "couplings[%d]: there is no node %d, only %d", c, nodes[k], problem->node_count);
    }
    if (coupling->a == coupling->b)
        return crm_refuse(error, "couplings[%d]: it couples node %d with itself; add it to the node's mass", c,
                          coupling->a);
    int columns = problem->nodes[coupling->b].size, count = problem->nodes[coupling->a].size * columns;
    for (int k = 0; k < count; k++) {
        if (!isfinite(coupling->block[k]))
            return crm_refuse(error, "couplings[%d]: block (%d, %d) is %g, must be finite", c, k / columns, k % columns,
                              coupling->block[k]);
    }
    return CAROM_OK;
}

// By lists of the couplings of every node with later ones.
static carom_status check_pairs(const carom_problem *problem, crm_arena *arena, carom_error *error) {
    crm_mark mark = crm_arena_mark(arena);
    int *head = CRM_ARENA_ARRAY(arena, int, problem->node_count),
        *seen = CRM_ARENA_ARRAY(arena, int, problem->node_count);
    int *next = CRM_ARENA_ARRAY(arena, int, problem->coupling_count);
    if (head == NULL || seen == NULL || next == NULL)
        return crm_fail_memory(error, "couplings", sizeof(int) * (size_t)problem->coupling_count);
    for (int n = 0; n < problem->node_count; n++) head[n] = seen[n] = -1;
    for (int c = problem->coupling_count - 1; c >= 0; c--) {
        const carom_coupling *coupling = &problem->couplings[c];
        int first = coupling->a < coupling->b ? coupling->a : coupling->b;
        next[c] = head[first];
        head[first] = c;
    }
    for (int n = 0; n < problem->node_count; n++)
        for (int c = head[n]; c >= 0; c = next[c]) {
            int other = problem->couplings[c].a == n ? problem->couplings[c].b : problem->couplings[c].a;
            if (seen[other] == n)
                return crm_refuse(error, "couplings[%d] couples nodes %d and %d a second time; add their blocks", c, n,
                                  other);
            seen[other] = n;
        }
    crm_arena_release(arena, mark);
    return CAROM_OK;
}

static carom_status check_couplings(const carom_problem *problem, crm_arena *arena, carom_error *error) {
    int count = problem->coupling_count;
    if (count == 0) return CAROM_OK;
    if (problem->form != CAROM_FORM_BODIES)
        return crm_refuse(error, "there are %d couplings, which only a problem of bodies can have", count);
    if (count < 0 || problem->couplings == NULL)
        return crm_refuse(error, "there are %d couplings, but no list of them", count);
    if (count > INT_MAX / (CAROM_NODE_SIZE * CAROM_NODE_SIZE))
        return crm_fail(error, CAROM_ERR_TOO_LARGE, "%d couplings are too many for the index type", count);
    for (int c = 0; c < count; c++) {
        carom_status status = check_coupling(problem, c, error);
        if (status != CAROM_OK) return status;
    }
    return check_pairs(problem, arena, error);
}

static carom_status check_delassus(const carom_sparse *w, int row_count, carom_error *error) {
    if (w->rows != row_count || w->columns != row_count)
        return crm_refuse(error, "delassus is %d x %d, but the groups have %d rows", w->rows, w->columns, row_count);
    if (row_count == 0) return CAROM_OK;
    if (w->start == NULL) return crm_refuse(error, "delassus.start is missing");
    if (w->start[0] != 0) return crm_refuse(error, "delassus.start[0] is %d, must be 0", w->start[0]);
    for (int i = 0; i < row_count; i++) {
        if (w->start[i + 1] < w->start[i])
            return crm_refuse(error, "delassus.start[%d] is %d, less than the one before it", i + 1, w->start[i + 1]);
    }
    if (w->start[row_count] > 0 && (w->column == NULL || w->value == NULL))
        return crm_refuse(error, "delassus.column or delassus.value is missing");
    for (int i = 0; i < row_count; i++) {
        for (int k = w->start[i]; k < w->start[i + 1]; k++) {
            if (w->column[k] < 0 || w->column[k] >= row_count)
                return crm_refuse(error, "delassus: row %d has an entry in column %d of %d", i, w->column[k],
                                  row_count);
            if (k > w->start[i] && w->column[k] <= w->column[k - 1])
                return crm_refuse(error, "delassus: row %d has column %d after column %d, must ascend", i, w->column[k],
                                  w->column[k - 1]);
            if (!isfinite(w->value[k]))
                return crm_refuse(error, "delassus: (%d, %d) is %g, must be finite", i, w->column[k], w->value[k]);
        }
    }
    return CAROM_OK;
}

// Row offsets; counts that an int cannot hold are refused before anything is computed with them.
static carom_status lay_out_groups(const carom_problem *problem, crm_arena *arena, crm_layout *layout,
                                   carom_error *error) {
    if (problem->group_count < 0 || (problem->group_count > 0 && problem->groups == NULL))
        return crm_refuse(error, "there are %d groups, but no list of them", problem->group_count);
    if (problem->group_count > INT_MAX / CAROM_GROUP_ROWS)
        return crm_fail(error, CAROM_ERR_TOO_LARGE, "%d groups are too many for the index type", problem->group_count);
    int *start = CRM_ARENA_ARRAY(arena, int, (ptrdiff_t)problem->group_count + 1);
    if (start == NULL) return crm_fail_memory(error, "row offsets", sizeof(int) * ((size_t)problem->group_count + 1));
    start[0] = 0;
    for (int g = 0; g < problem->group_count; g++) {
        carom_status status = check_group(g, &problem->groups[g], error);
        if (status != CAROM_OK) return status;
        start[g + 1] = start[g] + problem->groups[g].rows;
    }
    layout->row_start = start;
    layout->row_count = start[problem->group_count];
    if (layout->row_count > 0 && problem->offset == NULL)
        return crm_refuse(error, "offset is missing, must have %d numbers", layout->row_count);
    carom_status status = crm_check_finite(problem->offset, layout->row_count, "offset", error);
    if (status != CAROM_OK || problem->compliance == NULL) return status;
    for (int i = 0; i < layout->row_count; i++) {
        if (!(problem->compliance[i] >= 0.0) || !isfinite(problem->compliance[i]))
            return crm_refuse(error, "compliance[%d] is %g, must be a finite number that is not negative", i,
                              problem->compliance[i]);
    }
    return CAROM_OK;
}

static carom_status lay_out_nodes(const carom_problem *problem, crm_arena *arena, crm_layout *layout,
                                  carom_error *error) {
    bool mobility = problem->form == CAROM_FORM_MOBILITY;
    if (mobility && problem->mobility == NULL)
        return crm_refuse(error, "the mobility is missing: form says that there is one");
    if (problem->node_count < 0 || (problem->node_count > 0 && problem->nodes == NULL))
        return crm_refuse(error, "there are %d nodes, but no list of them", problem->node_count);
    if (problem->node_count > INT_MAX / (CAROM_NODE_SIZE * CAROM_NODE_SIZE))
        return crm_fail(error, CAROM_ERR_TOO_LARGE, "%d nodes are too many for the index type", problem->node_count);
    int *start = CRM_ARENA_ARRAY(arena, int, (ptrdiff_t)problem->node_count + 1);
    if (start == NULL)
        return crm_fail_memory(error, "velocity offsets", sizeof(int) * ((size_t)problem->node_count + 1));
    start[0] = 0;
    for (int n = 0; n < problem->node_count; n++) {
        carom_status status = check_mass(n, &problem->nodes[n], error);
        if (status != CAROM_OK) return status;
        start[n + 1] = start[n] + problem->nodes[n].size;
    }
    layout->velocity_start = start;
    layout->velocity_count = start[problem->node_count];
    return CAROM_OK;
}

// Sorts `from` into `to` by a key below `keys`, keeping the order of equals. `start` (keys + 1) gets where each begins.
static void sort_entries(const carom_entry *entries, bool by_group, int keys, const int *from, int *to, int count,
                         int *start) {
    memset(start, 0, sizeof(int) * ((size_t)keys + 1));
    for (int e = 0; e < count; e++) start[(by_group ? entries[e].group : entries[e].node) + 1]++;
    for (int k = 0; k < keys; k++) start[k + 1] += start[k];
    for (int e = 0; e < count; e++) {
        int key = by_group ? entries[from[e]].group : entries[from[e]].node;
        to[start[key]++] = from[e];
    }
    memmove(start + 1, start, sizeof(int) * (size_t)keys);
    start[0] = 0;
}

static carom_status lay_out_entries(const carom_problem *problem, crm_arena *arena, crm_layout *layout,
                                    carom_error *error) {
    int count = problem->entry_count;
    if (count < 0 || (count > 0 && problem->entries == NULL))
        return crm_refuse(error, "there are %d entries, but no list of them", count);
    if (count > INT_MAX / (CAROM_GROUP_ROWS * CAROM_NODE_SIZE))
        return crm_fail(error, CAROM_ERR_TOO_LARGE, "%d entries are too many for the index type", count);
    for (int e = 0; e < count; e++) {
        carom_status status = check_entry(problem, e, error);
        if (status != CAROM_OK) return status;
    }
    int *group_start = CRM_ARENA_ARRAY(arena, int, (ptrdiff_t)problem->group_count + 1);
    int *order = CRM_ARENA_ARRAY(arena, int, count);
    crm_mark mark = crm_arena_mark(arena);
    int *node_start = CRM_ARENA_ARRAY(arena, int, (ptrdiff_t)problem->node_count + 1);
    int *by_node = CRM_ARENA_ARRAY(arena, int, count);
    if (group_start == NULL || order == NULL || node_start == NULL || by_node == NULL)
        return crm_fail_memory(error, "the order of entries", sizeof(int) * (size_t)count);
    for (int e = 0; e < count; e++) order[e] = e;
    sort_entries(problem->entries, false, problem->node_count, order, by_node, count, node_start);
    sort_entries(problem->entries, true, problem->group_count, by_node, order, count, group_start);
    crm_arena_release(arena, mark);
    for (int k = 1; k < count; k++) {
        const carom_entry *last = &problem->entries[order[k - 1]], *next = &problem->entries[order[k]];
        if (last->group == next->group && last->node == next->node)
            return crm_refuse(error, "entries[%d] and entries[%d] are both for group %d on node %d; add them",
                              order[k - 1], order[k], next->group, next->node);
    }
    layout->entry_start = group_start;
    layout->entry = order;
    return CAROM_OK;
}

carom_status crm_problem_lay_out(const carom_problem *problem, crm_arena *arena, crm_layout *layout,
                                 carom_error *error) {
    if (problem == NULL) return crm_refuse(error, "the problem is missing");
    *layout = (crm_layout){0};
    if (problem->form != CAROM_FORM_BODIES && problem->form != CAROM_FORM_MOBILITY &&
        problem->form != CAROM_FORM_DELASSUS)
        return crm_refuse(error, "there is no form number %d", (int)problem->form);
    carom_status status = lay_out_groups(problem, arena, layout, error);
    if (status != CAROM_OK) return status;
    if (problem->form == CAROM_FORM_DELASSUS) return check_delassus(&problem->delassus, layout->row_count, error);
    status = lay_out_nodes(problem, arena, layout, error);
    if (status == CAROM_OK) status = check_couplings(problem, arena, error);
    return status == CAROM_OK ? lay_out_entries(problem, arena, layout, error) : status;
}

int carom_problem_row_count(const carom_problem *problem) {
    int rows = 0;
    for (int g = 0; g < problem->group_count; g++) rows += problem->groups[g].rows;
    return rows;
}

// Couplings can take away what the nodes' own masses have.
static carom_status check_whole_mass(const carom_problem *problem, crm_arena *arena, carom_error *error) {
    crm_coupled_mass mass;
    crm_coupled_nodes nodes;
    crm_coupled_mass_init(&mass, NULL);
    carom_status status = crm_coupled_nodes_make(problem, &mass, arena, &nodes, error);
    crm_coupled_mass_free(&mass);
    return status;
}

carom_status carom_problem_check(const carom_problem *problem, carom_error *error) {
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    crm_layout layout;
    carom_status status = crm_problem_lay_out(problem, &arena, &layout, error);
    if (status == CAROM_OK && problem->coupling_count > 0) status = check_whole_mass(problem, &arena, error);
    crm_arena_free(&arena);
    return status;
}
