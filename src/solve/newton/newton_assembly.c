// SPDX-License-Identifier: MIT
#include "solve/newton/newton_assembly.h"

#include <string.h>

#include "base/fail.h"

enum { N = CAROM_NODE_SIZE };

// ---- patterns

// Edges by their pair of nodes, each once, in the order in which they were first named.
typedef struct edge_table {
    crm_block_edge *edge;
    int count;
    int *slot; // edge + 1, 0 for empty
    unsigned mask;
} edge_table;

static bool edge_table_create(edge_table *table, ptrdiff_t most, crm_arena *arena, crm_arena *scratch) {
    unsigned size = 16;
    while ((ptrdiff_t)size < 2 * most) size *= 2;
    *table = (edge_table){.mask = size - 1};
    table->edge = CRM_ARENA_ARRAY(arena, crm_block_edge, most);
    table->slot = CRM_ARENA_ZEROED(scratch, int, (ptrdiff_t)size);
    return table->edge != NULL && table->slot != NULL;
}

static int edge_between(edge_table *table, int a, int b) {
    int row = a > b ? a : b, column = a > b ? b : a;
    unsigned at = ((unsigned)row * 2654435761u + (unsigned)column * 40503u) & table->mask;
    for (; table->slot[at] != 0; at = (at + 1) & table->mask) {
        int edge = table->slot[at] - 1;
        if (table->edge[edge].row == row && table->edge[edge].column == column) return edge;
    }
    table->edge[table->count] = (crm_block_edge){row, column};
    table->slot[at] = ++table->count;
    return table->count - 1;
}

static bool pattern_reduced(crm_newton_system *s, crm_arena *arena, crm_arena *scratch) {
    const crm_operator *op = s->op;
    ptrdiff_t couplings = 0;
    for (int g = 0; g < op->group_count; g++) {
        ptrdiff_t count = op->incidence_start[g + 1] - op->incidence_start[g];
        couplings += count * (count - 1) / 2;
    }
    edge_table table;
    s->coupling_edge = CRM_ARENA_ARRAY(arena, int, couplings);
    if (s->coupling_edge == NULL || !edge_table_create(&table, couplings, arena, scratch)) return false;
    ptrdiff_t coupling = 0;
    for (int g = 0; g < op->group_count; g++)
        for (int i = op->incidence_start[g]; i < op->incidence_start[g + 1]; i++)
            for (int j = op->incidence_start[g]; j < i; j++)
                s->coupling_edge[coupling++] = edge_between(&table, op->incidence_node[i], op->incidence_node[j]);
    s->graph = (crm_block_graph){op->node_count, s->node_size, table.count, table.edge};
    return true;
}

static bool pattern_delassus(crm_newton_system *s, crm_arena *arena, crm_arena *scratch) {
    const crm_operator *op = s->op;
    const crm_csr *w = &s->given;
    int *size = CRM_ARENA_ARRAY(arena, int, op->group_count), *group_of = CRM_ARENA_ARRAY(scratch, int, op->row_count);
    edge_table table;
    if (size == NULL || group_of == NULL || !edge_table_create(&table, w->starts[op->row_count], arena, scratch))
        return false;
    for (int g = 0; g < op->group_count; g++) {
        size[g] = op->groups[g].rows;
        for (int i = op->row_start[g]; i < op->row_start[g + 1]; i++) group_of[i] = g;
    }
    for (int i = 0; i < op->row_count; i++)
        for (int k = w->starts[i]; k < w->starts[i + 1]; k++)
            if (group_of[w->columns[k]] != group_of[i])
                (void)edge_between(&table, group_of[i], group_of[w->columns[k]]);
    s->graph = (crm_block_graph){op->group_count, size, table.count, table.edge};
    if (crm_block_matrix_create(&s->graph, false, arena, &s->delassus, NULL) != CAROM_OK) return false;
    s->place = CRM_ARENA_ARRAY(arena, double *, w->starts[op->row_count]);
    if (s->place == NULL) return false;
    for (int i = 0; i < op->row_count; i++)
        for (int k = w->starts[i]; k < w->starts[i + 1]; k++) {
            int g = group_of[i], h = group_of[w->columns[k]], row = i - op->row_start[g];
            int column = w->columns[k] - op->row_start[h];
            double *block = s->delassus.diagonal + s->delassus.node_block[g];
            if (g != h) {
                int edge = edge_between(&table, g, h);
                block = (g > h ? s->delassus.edges : s->delassus.mirror) + s->delassus.edge_block[edge];
            }
            s->place[k] = block + row + (ptrdiff_t)column * size[g];
        }
    return true;
}

carom_status crm_newton_analyse(crm_newton_system *s, carom_interrupt interrupt, crm_arena *arena, crm_arena *scratch,
                                carom_error *error) {
    crm_mark mark = crm_arena_mark(scratch);
    bool made =
        s->form == CRM_NEWTON_REDUCED ? pattern_reduced(s, arena, scratch) : pattern_delassus(s, arena, scratch);
    carom_status status = made ? CAROM_OK : crm_fail_memory(error, "the pattern of a Newton system", 0);
    if (status == CAROM_OK) status = crm_block_analyse_until(&s->graph, interrupt, arena, scratch, &s->symbolic, error);
    crm_arena_release(scratch, mark);
    if (status == CAROM_OK) status = crm_block_matrix_create(&s->graph, false, arena, &s->matrix, error);
    if (status == CAROM_OK) status = crm_block_factor_create(&s->symbolic, CRM_BLOCK_LU, arena, &s->factor, error);
    if (status != CAROM_OK) return status;
    s->factor_scratch = CRM_ARENA_ARRAY(arena, double, crm_block_factor_solve_scratch(&s->factor));
    s->unknown = CRM_ARENA_ARRAY(arena, double, s->symbolic.scalar_count);
    if (s->factor_scratch == NULL || s->unknown == NULL) return crm_fail_memory(error, "a Newton system", 0);
    return CAROM_OK;
}

// ---- numbers

void crm_newton_fill_delassus(crm_newton_system *s) {
    const crm_csr *w = &s->given;
    crm_block_matrix_clear(&s->delassus);
    for (int i = 0; i < w->rows; i++)
        for (int k = w->starts[i]; k < w->starts[i + 1]; k++)
            *s->place[k] = w->values[k] / (s->scale[i] * s->scale[w->columns[k]]);
}

// result (rows x columns, by columns) = a (rows x rows, by rows) times b (rows x columns, by columns)
static void multiply_left(int rows, int columns, const double *a, const double *b, double *result) {
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++) {
            double sum = 0.0;
            for (int k = 0; k < rows; k++) sum += a[i * rows + k] * b[k + j * rows];
            result[i + j * rows] = sum;
        }
}

static void assemble_delassus(crm_newton_system *s) {
    const crm_block_matrix *w = &s->delassus;
    crm_block_matrix *m = &s->matrix;
    for (int g = 0; g < s->graph.node_count; g++) {
        int rows = s->graph.node_size[g];
        double *d = m->diagonal + m->node_block[g];
        multiply_left(rows, rows, s->block[g].a, w->diagonal + w->node_block[g], d);
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < rows; j++) d[i + j * rows] += s->block[g].b[i * rows + j];
    }
    for (int e = 0; e < s->graph.edge_count; e++) {
        int row = s->graph.edge[e].row, column = s->graph.edge[e].column;
        int rows = s->graph.node_size[row], columns = s->graph.node_size[column];
        multiply_left(rows, columns, s->block[row].a, w->edges + w->edge_block[e], m->edges + m->edge_block[e]);
        multiply_left(columns, rows, s->block[column].a, w->mirror + w->edge_block[e], m->mirror + m->edge_block[e]);
    }
}

static void assemble_masses(crm_newton_system *s) {
    // Symmetric: by rows is by columns.
    for (int n = 0; n < s->op->node_count; n++)
        memcpy(s->matrix.diagonal + s->matrix.node_block[n], s->op->mass + s->op->mass_start[n],
               sizeof(double) * (size_t)(s->node_size[n] * s->node_size[n]));
}

// target (size x other, by columns) += h^T c, h rows x size by rows, c rows x other by rows
static inline void add_product(int rows, int size, int other, const double *restrict h, const double *restrict c,
                               double *restrict target) {
    for (int j = 0; j < other; j++)
        for (int k = 0; k < rows; k++)
            for (int i = 0; i < size; i++) target[i + j * size] += h[k * size + i] * c[k * other + j];
}

// result = stiffness h, rows x size by rows
static inline void stiffness_times(int rows, int size, const double *restrict stiffness, const double *restrict h,
                                   double *restrict result) {
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < size; j++) {
            double sum = 0.0;
            for (int k = 0; k < rows; k++) sum += stiffness[i * rows + k] * h[k * size + j];
            result[i * size + j] = sum;
        }
}

// A contact between two bodies, or of one body: all but a few of the groups there are.
static void add_contact(const crm_newton_system *s, int g, const int *coupling_edge) {
    const crm_operator *op = s->op;
    const crm_block_matrix *m = &s->matrix;
    int first = op->incidence_start[g], count = op->incidence_start[g + 1] - first, a = op->incidence_node[first];
    const double *h = s->jacobian + op->incidence_at[first];
    double ch[3 * 6], ck[3 * 6];
    stiffness_times(3, 6, s->block[g].stiffness, h, ch);
    add_product(3, 6, 6, h, ch, m->diagonal + m->node_block[a]);
    if (count < 2) return;
    int b = op->incidence_node[first + 1]; // incidences ascend: b > a, and the edge's row is b
    const double *k = s->jacobian + op->incidence_at[first + 1];
    ptrdiff_t at = m->edge_block[*coupling_edge];
    stiffness_times(3, 6, s->block[g].stiffness, k, ck);
    add_product(3, 6, 6, k, ck, m->diagonal + m->node_block[b]);
    add_product(3, 6, 6, k, ch, m->edges + at);
    add_product(3, 6, 6, h, ck, m->mirror + at);
}

static void add_group(const crm_newton_system *s, int g, const int *coupling_edge) {
    const crm_operator *op = s->op;
    const crm_block_matrix *m = &s->matrix;
    int rows = op->groups[g].rows;
    for (int i = op->incidence_start[g]; i < op->incidence_start[g + 1]; i++) {
        int a = op->incidence_node[i], size = s->node_size[a];
        const double *h = s->jacobian + op->incidence_at[i];
        double ch[N * N], other_ch[N * N];
        stiffness_times(rows, size, s->block[g].stiffness, h, ch);
        add_product(rows, size, size, h, ch, m->diagonal + m->node_block[a]);
        for (int j = op->incidence_start[g]; j < i; j++, coupling_edge++) {
            int b = op->incidence_node[j], other = s->node_size[b];
            const double *k = s->jacobian + op->incidence_at[j];
            stiffness_times(rows, other, s->block[g].stiffness, k, other_ch);
            ptrdiff_t at = m->edge_block[*coupling_edge];
            // The edge's row is the later node.
            add_product(rows, size, other, h, other_ch, (a > b ? m->edges : m->mirror) + at);
            add_product(rows, other, size, k, ch, (a > b ? m->mirror : m->edges) + at);
        }
    }
}

static bool is_contact(const crm_newton_system *s, int g) {
    const crm_operator *op = s->op;
    int first = op->incidence_start[g], count = op->incidence_start[g + 1] - first;
    return op->groups[g].rows == 3 && (count == 1 || count == 2) && s->node_size[op->incidence_node[first]] == 6 &&
           s->node_size[op->incidence_node[first + count - 1]] == 6;
}

static void assemble_reduced(crm_newton_system *s) {
    const crm_operator *op = s->op;
    crm_block_matrix_clear(&s->matrix);
    assemble_masses(s);
    const int *coupling = s->coupling_edge;
    for (int g = 0; g < op->group_count; g++) {
        int incidences = op->incidence_start[g + 1] - op->incidence_start[g];
        if (is_contact(s, g))
            add_contact(s, g, coupling);
        else
            add_group(s, g, coupling);
        coupling += incidences * (incidences - 1) / 2;
    }
}

void crm_newton_assemble(crm_newton_system *s) {
    if (s->form == CRM_NEWTON_REDUCED)
        assemble_reduced(s);
    else
        assemble_delassus(s);
}
