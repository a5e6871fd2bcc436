// SPDX-License-Identifier: MIT
#include "solve/coupled/coupled_problem.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/forest.h"
#include "math/dense/dense_cholesky.h"

enum { N = CAROM_NODE_SIZE };

// ---- the mass

typedef struct coupled_graph {
    crm_block_graph graph;
    bool *late;
} coupled_graph;

// Nodes with couplings, numbered in the problem's order; those with entries are eliminated last.
static bool number_nodes(const carom_problem *problem, crm_arena *arena, coupled_graph *coupled, int *node_of,
                         crm_coupled_nodes *out) {
    int count = 0;
    for (int n = 0; n < problem->node_count; n++) node_of[n] = -1;
    for (int c = 0; c < problem->coupling_count; c++)
        node_of[problem->couplings[c].a] = node_of[problem->couplings[c].b] = 0;
    for (int n = 0; n < problem->node_count; n++)
        if (node_of[n] == 0) node_of[n] = count++;
    int *size = CRM_ARENA_ARRAY(arena, int, count), *start = CRM_ARENA_ARRAY(arena, int, count);
    int *component = CRM_ARENA_ARRAY(arena, int, count);
    crm_block_edge *edges = CRM_ARENA_ARRAY(arena, crm_block_edge, problem->coupling_count);
    coupled->late = CRM_ARENA_ZEROED(arena, bool, count);
    if (!size || !start || !component || !edges || !coupled->late) return false;
    int scalars = 0;
    for (int n = 0; n < problem->node_count; n++) {
        if (node_of[n] < 0) continue;
        size[node_of[n]] = problem->nodes[n].size;
        start[node_of[n]] = scalars;
        component[node_of[n]] = node_of[n];
        scalars += problem->nodes[n].size;
    }
    for (int c = 0; c < problem->coupling_count; c++) {
        edges[c] = (crm_block_edge){node_of[problem->couplings[c].a], node_of[problem->couplings[c].b]};
        crm_forest_join(component, edges[c].row, edges[c].column);
    }
    for (int k = 0; k < count; k++) component[k] = crm_forest_root(component, k);
    for (int e = 0; e < problem->entry_count; e++) {
        int k = node_of[problem->entries[e].node];
        if (k >= 0) coupled->late[k] = true;
    }
    coupled->graph = (crm_block_graph){count, size, problem->coupling_count, edges};
    *out = (crm_coupled_nodes){.node_of = node_of, .component = component, .start = start, .scalar_count = scalars};
    return true;
}

// Blocks by columns, from blocks by rows.
static void copy_block(int rows, int columns, const double *from, double *to) {
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) to[i + j * rows] = from[i * columns + j];
}

static void fill_matrix(const carom_problem *problem, const crm_coupled_nodes *nodes, crm_block_matrix *matrix) {
    for (int n = 0; n < problem->node_count; n++) {
        int k = nodes->node_of[n], size = problem->nodes[n].size;
        if (k >= 0) copy_block(size, size, problem->nodes[n].mass, matrix->diagonal + matrix->node_block[k]);
    }
    for (int c = 0; c < problem->coupling_count; c++) {
        const carom_coupling *coupling = &problem->couplings[c];
        copy_block(problem->nodes[coupling->a].size, problem->nodes[coupling->b].size, coupling->block,
                   matrix->edges + matrix->edge_block[c]);
    }
}

carom_status crm_coupled_nodes_make(const carom_problem *problem, crm_coupled_mass *mass, crm_arena *arena,
                                    crm_coupled_nodes *out, carom_error *error) {
    coupled_graph coupled;
    crm_block_matrix matrix;
    int *node_of = CRM_ARENA_ARRAY(arena, int, problem->node_count);
    if (node_of == NULL || !number_nodes(problem, arena, &coupled, node_of, out))
        return crm_fail_memory(error, "coupled nodes", sizeof(int) * (size_t)problem->node_count);
    out->mass = mass;
    carom_status status = crm_coupled_mass_analyse(mass, &coupled.graph, coupled.late, error);
    if (status == CAROM_OK) status = crm_block_matrix_create(&coupled.graph, true, arena, &matrix, error);
    if (status != CAROM_OK) return status;
    fill_matrix(problem, out, &matrix);
    if (crm_coupled_mass_factor(mass, &matrix)) return CAROM_OK;
    return crm_refuse(error, "the mass of the %d coupled nodes is not positive definite", coupled.graph.node_count);
}

// ---- impulses alone

// What couples groups: coupled nodes by their component, all others by themselves.
static int component_of(const crm_coupled_nodes *nodes, int n) {
    return nodes->node_of[n] >= 0 ? nodes->component[nodes->node_of[n]] : nodes->scalar_count + n;
}

// Entries, sorted by component, then by group.
typedef struct reduction {
    const carom_problem *problem;
    const crm_layout *layout;
    const crm_coupled_nodes *nodes;
    int *first_of;       // of a component: its first group in `group_list` (components + 1)
    int *group_list;     // groups of every component, ascending, each once
    double *inverse;     // of nodes that are not coupled, N x N each
    int *start, *column; // of W, by rows
    double *value;
} reduction;

static int touch_nodes(const carom_problem *problem, const crm_coupled_nodes *nodes, bool *seen, int *list) {
    int count = 0;
    for (int e = 0; e < problem->entry_count; e++) {
        int k = nodes->node_of[problem->entries[e].node];
        if (k < 0 || seen[k]) continue;
        seen[k] = true;
        list[count++] = k;
    }
    return count;
}

static void invert_others(reduction *r) {
    for (int n = 0; n < r->problem->node_count; n++) {
        if (r->nodes->node_of[n] >= 0) continue;
        const carom_problem_node *node = &r->problem->nodes[n];
        double factor[N * N], *inverse = r->inverse + (ptrdiff_t)n * N * N;
        int size = node->size;
        memcpy(factor, node->mass, sizeof(double) * (size_t)(size * size));
        crm_cholesky_factor(size, factor, size);
        memset(inverse, 0, sizeof(double) * (size_t)(size * size));
        for (int i = 0; i < size; i++) inverse[i * size + i] = 1.0;
        crm_cholesky_solve(size, factor, size, size, inverse, size);
    }
}

// Groups of every component: counted, then listed; `last` (components) keeps a group from being listed twice.
static bool list_groups(reduction *r, crm_arena *arena) {
    const carom_problem *problem = r->problem;
    int components = r->nodes->scalar_count + problem->node_count;
    r->first_of = CRM_ARENA_ZEROED(arena, int, (ptrdiff_t)components + 1);
    r->group_list = CRM_ARENA_ARRAY(arena, int, problem->entry_count);
    int *last = CRM_ARENA_ARRAY(arena, int, components), *next = CRM_ARENA_ARRAY(arena, int, components);
    if (!r->first_of || !r->group_list || !last || !next) return false;
    for (int round = 0; round < 2; round++) {
        for (int k = 0; k < components; k++) last[k] = -1, next[k] = r->first_of[k];
        for (int g = 0; g < problem->group_count; g++)
            for (int e = r->layout->entry_start[g]; e < r->layout->entry_start[g + 1]; e++) {
                int k = component_of(r->nodes, problem->entries[r->layout->entry[e]].node);
                if (last[k] == g) continue;
                last[k] = g;
                if (round == 0)
                    r->first_of[k + 1]++;
                else
                    r->group_list[next[k]++] = g;
            }
        if (round == 0)
            for (int k = 0; k < components; k++) r->first_of[k + 1] += r->first_of[k];
    }
    return true;
}

static int ascending(const void *a, const void *b) {
    return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

// The groups that share a component with g, itself among them, in any order; `mark` (groups) holds the last g that
// found one.
static int neighbours_of(const reduction *r, int g, int *mark, int *list) {
    int count = 0;
    for (int e = r->layout->entry_start[g]; e < r->layout->entry_start[g + 1]; e++) {
        int k = component_of(r->nodes, r->problem->entries[r->layout->entry[e]].node);
        for (int i = r->first_of[k]; i < r->first_of[k + 1]; i++) {
            int h = r->group_list[i];
            if (mark[h] == g) continue;
            mark[h] = g;
            list[count++] = h;
        }
    }
    if (count == 0) list[count++] = g; // it acts on nothing
    return count;
}

// Those of one component come ascending.
static void sort_ascending(int count, int *list) {
    for (int k = 1; k < count; k++)
        if (list[k] < list[k - 1]) {
            qsort(list, (size_t)count, sizeof *list, ascending);
            return;
        }
}

// W_gh += H_e M^-1 H_f^T; rows of the inverse are `step` apart, those of W `stride`. With constants the loops are
// unrolled.
static inline __attribute__((always_inline)) void add_product(int rows, int m, int columns, int n, const double *e,
                                                              const double *inverse, ptrdiff_t step, const double *f,
                                                              double *block, ptrdiff_t stride) {
    double product[CAROM_GROUP_ROWS * N];
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < m; k++) sum += e[i * m + k] * inverse[k * step + j];
            product[i * n + j] = sum;
        }
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++) sum += product[i * n + k] * f[j * n + k];
            block[i * stride + j] += sum;
        }
}

// Of two entries; `block` is rows of g by rows of h.
static void add_pair(const reduction *r, const carom_entry *e, const carom_entry *f, double *block, int stride) {
    const carom_problem *problem = r->problem;
    int a = r->nodes->node_of[e->node], b = r->nodes->node_of[f->node];
    if (component_of(r->nodes, e->node) != component_of(r->nodes, f->node)) return;
    const crm_coupled_mass *mass = r->nodes->mass;
    const double *inverse = a >= 0 ? crm_coupled_mass_between(mass, a, b) : r->inverse + (ptrdiff_t)e->node * N * N;
    int rows = problem->groups[e->group].rows, columns = problem->groups[f->group].rows;
    int m = problem->nodes[e->node].size, n = problem->nodes[f->node].size, step = a >= 0 ? mass->inverse_size : n;
    if (rows == 3 && m == 3 && columns == 3 && n == 3)
        add_product(3, 3, 3, 3, e->rows, inverse, step, f->rows, block, stride);
    else
        add_product(rows, m, columns, n, e->rows, inverse, step, f->rows, block, stride);
}

static void add_groups(const reduction *r, int g, int h, double *block, int stride) {
    const crm_layout *layout = r->layout;
    for (int e = layout->entry_start[g]; e < layout->entry_start[g + 1]; e++)
        for (int f = layout->entry_start[h]; f < layout->entry_start[h + 1]; f++)
            add_pair(r, &r->problem->entries[layout->entry[e]], &r->problem->entries[layout->entry[f]], block, stride);
}

// How many numbers a row of every group has.
static bool lay_rows(reduction *r, int *mark, int *list, crm_arena *arena) {
    const carom_problem *problem = r->problem;
    r->start = CRM_ARENA_ARRAY(arena, int, (ptrdiff_t)r->layout->row_count + 1);
    if (r->start == NULL) return false;
    long long total = 0;
    r->start[0] = 0;
    for (int g = 0; g < problem->group_count; g++) {
        int count = neighbours_of(r, g, mark, list), width = 0;
        for (int k = 0; k < count; k++) width += problem->groups[list[k]].rows;
        for (int i = r->layout->row_start[g]; i < r->layout->row_start[g + 1]; i++) {
            total += width;
            if (total > INT_MAX) return false;
            r->start[i + 1] = (int)total;
        }
    }
    r->column = CRM_ARENA_ARRAY(arena, int, (ptrdiff_t)total);
    r->value = CRM_ARENA_ZEROED(arena, double, (ptrdiff_t)total);
    return r->column != NULL && r->value != NULL;
}

// The next columns of group g, which are the rows of h: its numbers of W, and how far apart its rows are.
static double *next_columns(const reduction *r, int g, int h, const int *filled, int *width) {
    const int *row_start = r->layout->row_start;
    int first = row_start[g];
    *width = r->start[first + 1] - r->start[first];
    for (int i = first; i < row_start[g + 1]; i++)
        for (int j = 0; j < row_start[h + 1] - row_start[h]; j++)
            r->column[r->start[i] + filled[g] + j] = row_start[h] + j;
    return r->value + r->start[first] + filled[g];
}

// Blocks on and above the diagonal are found, those below it are their mirror images: W is symmetric to the bit. As
// groups are gone through in their order, columns of a row come in theirs; `filled` (groups) have been so far.
static void fill_rows(reduction *r, int *mark, int *list, int *filled) {
    const carom_problem *problem = r->problem;
    for (int g = 0; g < problem->group_count; g++) mark[g] = -1, filled[g] = 0;
    for (int g = 0; g < problem->group_count; g++) {
        int count = neighbours_of(r, g, mark, list), rows = problem->groups[g].rows;
        sort_ascending(count, list);
        for (int k = 0; k < count; k++) {
            int h = list[k], columns = problem->groups[h].rows, width, other;
            if (h < g) continue;
            double *block = next_columns(r, g, h, filled, &width);
            add_groups(r, g, h, block, width);
            filled[g] += columns;
            if (h == g) continue;
            double *mirror = next_columns(r, h, g, filled, &other);
            for (int i = 0; i < columns; i++)
                for (int j = 0; j < rows; j++) mirror[(ptrdiff_t)i * other + j] = block[(ptrdiff_t)j * width + i];
            filled[h] += rows;
        }
    }
}

// q = H^T v_free + w
static void fill_offset(const reduction *r, double *q) {
    const carom_problem *problem = r->problem;
    if (r->layout->row_count > 0) memcpy(q, problem->offset, sizeof *q * (size_t)r->layout->row_count);
    for (int k = 0; k < problem->entry_count; k++) {
        const carom_entry *entry = &problem->entries[r->layout->entry[k]];
        const carom_problem_node *node = &problem->nodes[entry->node];
        for (int i = 0; i < problem->groups[entry->group].rows; i++)
            for (int j = 0; j < node->size; j++)
                q[r->layout->row_start[entry->group] + i] += entry->rows[i * node->size + j] * node->free[j];
    }
}

carom_status crm_coupled_reduce(const carom_problem *problem, const crm_layout *layout, const crm_coupled_nodes *nodes,
                                crm_coupled_mass *mass, crm_arena *arena, carom_problem *out, carom_error *error) {
    int groups = problem->group_count;
    reduction r = {.problem = problem, .layout = layout, .nodes = nodes};
    double *q = CRM_ARENA_ARRAY(arena, double, layout->row_count);
    r.inverse = CRM_ARENA_ARRAY(arena, double, (ptrdiff_t)problem->node_count *N *N);
    int *touched = CRM_ARENA_ARRAY(arena, int, problem->node_count);
    bool *seen = CRM_ARENA_ZEROED(arena, bool, nodes->scalar_count); // of nodes of the mass
    int *mark = CRM_ARENA_ARRAY(arena, int, groups), *list = CRM_ARENA_ARRAY(arena, int, groups);
    int *filled = CRM_ARENA_ARRAY(arena, int, groups);
    if (!q || !r.inverse || !touched || !seen || !mark || !list || !filled || !list_groups(&r, arena))
        return crm_fail_memory(error, "a problem of impulses", sizeof(int) * (size_t)problem->entry_count);
    carom_status status = crm_coupled_mass_touch(mass, touch_nodes(problem, nodes, seen, touched), touched, error);
    if (status != CAROM_OK) return status;
    invert_others(&r);
    for (int g = 0; g < groups; g++) mark[g] = -1;
    if (!lay_rows(&r, mark, list, arena))
        return crm_fail_memory(error, "a problem of impulses", sizeof(double) * (size_t)layout->row_count);
    fill_rows(&r, mark, list, filled);
    fill_offset(&r, q);
    *out = (carom_problem){.form = CAROM_FORM_DELASSUS,
                           .group_count = groups,
                           .groups = problem->groups,
                           .offset = q,
                           .compliance = problem->compliance,
                           .delassus = {layout->row_count, layout->row_count, r.start, r.column, r.value}};
    return CAROM_OK;
}

// ---- and back

static void push(const carom_problem *problem, const crm_layout *layout, const double *impulse, double *force) {
    for (int k = 0; k < problem->entry_count; k++) {
        const carom_entry *entry = &problem->entries[layout->entry[k]];
        int size = problem->nodes[entry->node].size;
        double *to = force + layout->velocity_start[entry->node];
        for (int i = 0; i < problem->groups[entry->group].rows; i++)
            for (int j = 0; j < size; j++)
                to[j] += entry->rows[i * size + j] * impulse[layout->row_start[entry->group] + i];
    }
}

bool crm_coupled_velocities(const carom_problem *problem, const crm_layout *layout, const crm_coupled_nodes *nodes,
                            const double *impulse, crm_arena *scratch, double *velocity) {
    crm_mark mark = crm_arena_mark(scratch);
    // Not all nodes of the mass need be in the problem.
    double *of_mass = CRM_ARENA_ZEROED(scratch, double, nodes->scalar_count);
    if (of_mass == NULL) return false;
    memset(velocity, 0, sizeof *velocity * (size_t)layout->velocity_count);
    push(problem, layout, impulse, velocity);
    for (int n = 0; n < problem->node_count; n++) {
        const carom_problem_node *node = &problem->nodes[n];
        double *v = velocity + layout->velocity_start[n], factor[N * N];
        if (nodes->node_of[n] >= 0) {
            memcpy(of_mass + nodes->start[nodes->node_of[n]], v, sizeof *v * (size_t)node->size);
            continue;
        }
        memcpy(factor, node->mass, sizeof *factor * (size_t)(node->size * node->size));
        crm_cholesky_factor(node->size, factor, node->size);
        crm_cholesky_solve(node->size, factor, node->size, 1, v, node->size);
    }
    crm_coupled_mass_divide(nodes->mass, of_mass);
    for (int n = 0; n < problem->node_count; n++) {
        const carom_problem_node *node = &problem->nodes[n];
        double *v = velocity + layout->velocity_start[n];
        if (nodes->node_of[n] >= 0)
            memcpy(v, of_mass + nodes->start[nodes->node_of[n]], sizeof *v * (size_t)node->size);
        for (int i = 0; i < node->size; i++) v[i] += node->free[i];
    }
    crm_arena_release(scratch, mark);
    return true;
}
