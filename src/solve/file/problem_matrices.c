// SPDX-License-Identifier: MIT
// Problem files that are made of matrices: local ones, of W and q, and global ones, of M, H, f and w, which become
// bodies where M allows it.
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "math/dense/dense_cholesky.h"
#include "solve/file/problem_kinds.h"

// Compressed columns, as files have them.
typedef struct columns {
    int rows, columns;
    const int *start, *row;
    const double *value;
} columns;

static columns read_matrix(crm_reader *in, const json_t *root, const char *name) {
    static const char *const keys[] = {"m", "n", "p", "i", "x"};
    enum { M, N, P, I, X, KEYS };
    char what[KEYS][16];
    const json_t *object = crm_read_member(in, root, "the file", name), *field[KEYS];
    for (int k = 0; k < KEYS; k++) {
        snprintf(what[k], sizeof what[k], "%s.%s", name, keys[k]);
        field[k] = crm_read_member(in, object, name, keys[k]);
    }
    columns a = {.rows = crm_read_index(in, field[M], what[M], INT_MAX),
                 .columns = crm_read_index(in, field[N], what[N], INT_MAX)};
    int starts = 0, entries = 0, values = 0;
    a.value = crm_read_numbers(in, field[X], what[X], -1, &values);
    a.start = crm_read_indices(in, field[P], what[P], values, &starts);
    a.row = crm_read_indices(in, field[I], what[I], a.rows - 1, &entries);
    if (in->status != CAROM_OK) return a;
    if (starts - 1 != a.columns || a.start[0] != 0 || a.start[a.columns] != values || entries != values)
        crm_read_fail(in, "%s: p must have n + 1 numbers, from 0 to the length of i and x", name);
    for (int j = 0; j < a.columns && in->status == CAROM_OK; j++) {
        if (a.start[j + 1] < a.start[j]) crm_read_fail(in, "%s: p must not descend, but does after %d", name, j);
    }
    return a;
}

// By rows, ascending in each row, as the columns are gone through in order.
static carom_sparse transpose(crm_reader *in, const columns *a) {
    carom_sparse out = {.rows = a->rows, .columns = a->columns};
    int *start = crm_read_room(in, (size_t)a->rows + 1, sizeof *start);
    if (in->status != CAROM_OK) return out;
    int count = a->start[a->columns];
    int *column = crm_read_room(in, (size_t)count, sizeof *column);
    double *value = crm_read_room(in, (size_t)count, sizeof *value);
    if (in->status != CAROM_OK) return out;
    for (int k = 0; k < count; k++) start[a->row[k] + 1]++;
    for (int i = 0; i < a->rows; i++) start[i + 1] += start[i];
    for (int j = 0; j < a->columns; j++) {
        for (int k = a->start[j]; k < a->start[j + 1]; k++) {
            int at = start[a->row[k]]++;
            column[at] = j;
            value[at] = a->value[k];
        }
    }
    memmove(start + 1, start, sizeof(int) * (size_t)a->rows);
    start[0] = 0;
    out.start = start;
    out.column = column;
    out.value = value;
    return out;
}

// ---- kinds

void crm_read_local(crm_reader *in, const json_t *root, int rows, carom_problem *problem) {
    problem->form = CAROM_FORM_DELASSUS;
    columns w = read_matrix(in, root, "W");
    if (in->status == CAROM_OK && (w.rows != rows || w.columns != rows))
        crm_read_fail(in, "W is %d x %d, but the groups have %d rows", w.rows, w.columns, rows);
    problem->offset = crm_read_numbers(in, crm_read_member(in, root, "the file", "q"), "q", rows, NULL);
    if (in->status == CAROM_OK) problem->delassus = transpose(in, &w);
}

// Cuts the velocities into nodes that M does not couple: of 6 (planar: 3) where that works, the size of a body, else as
// small as M allows. `start` gets where they begin; gives their number, 0 when one would have more than six.
static int cut_into_nodes(const columns *m, int dim, int *start) {
    const int preferred[] = {dim == 2 ? 3 : 6, 3};
    for (int k = 0; k < 2; k++) {
        int size = preferred[k];
        bool fits = m->rows % size == 0;
        for (int j = 0; j < m->columns && fits; j++) {
            for (int e = m->start[j]; e < m->start[j + 1] && fits; e++)
                fits = m->value[e] == 0.0 || m->row[e] / size == j / size;
        }
        if (!fits) continue;
        for (int n = 0; n <= m->rows / size; n++) start[n] = n * size;
        return m->rows / size;
    }
    int count = 0, first = 0, farthest = 0; // the last velocity that the node must have
    start[0] = 0;
    for (int j = 0; j < m->columns; j++) {
        if (j > farthest) farthest = j;
        for (int e = m->start[j]; e < m->start[j + 1]; e++) {
            if (m->value[e] == 0.0) continue;
            if (m->row[e] < first) return 0; // far below the diagonal: unsymmetric, and no block at all
            if (m->row[e] > farthest) farthest = m->row[e];
        }
        if (farthest - first >= CAROM_NODE_SIZE) return 0;
        if (j < farthest) continue;
        start[++count] = first = j + 1;
    }
    return count;
}

// v_free = M^-1 f.
static carom_problem_node *make_nodes(crm_reader *in, const columns *m, const double *f, const int *start, int count,
                                      const int *node_of) {
    carom_problem_node *nodes = crm_read_room(in, (size_t)count, sizeof *nodes);
    if (in->status != CAROM_OK) return NULL;
    for (int n = 0; n < count; n++) nodes[n].size = start[n + 1] - start[n];
    for (int j = 0; j < m->columns; j++) {
        int n = node_of[j];
        for (int e = m->start[j]; e < m->start[j + 1]; e++) {
            if (m->value[e] != 0.0) nodes[n].mass[(m->row[e] - start[n]) * nodes[n].size + j - start[n]] += m->value[e];
        }
    }
    for (int n = 0; n < count; n++) {
        double factor[CAROM_NODE_SIZE * CAROM_NODE_SIZE];
        memcpy(factor, nodes[n].mass, sizeof factor);
        memcpy(nodes[n].free, f + start[n], sizeof(double) * (size_t)nodes[n].size);
        crm_cholesky_factor(nodes[n].size, factor, nodes[n].size);
        crm_cholesky_solve(nodes[n].size, factor, nodes[n].size, 1, nodes[n].free, nodes[n].size);
    }
    return nodes;
}

// H^T by groups and nodes. `last` (nodes) tells a group's entry of a node, `mine` whether it is of this group.
static void make_entries(crm_reader *in, const columns *h, const int *start, const int *node_of,
                         carom_problem *problem) {
    int *last = crm_read_room(in, (size_t)problem->node_count, sizeof *last);
    int *mine = crm_read_room(in, (size_t)problem->node_count, sizeof *mine);
    carom_entry *entries = crm_read_room(in, (size_t)h->start[h->columns], sizeof *entries);
    if (in->status != CAROM_OK) return;
    int count = 0, row = 0;
    for (int g = 0; g < problem->group_count; g++) {
        for (int i = 0; i < problem->groups[g].rows; i++, row++) {
            for (int e = h->start[row]; e < h->start[row + 1]; e++) {
                if (h->value[e] == 0.0) continue;
                int n = node_of[h->row[e]], size = problem->nodes[n].size;
                if (mine[n] != g + 1) {
                    mine[n] = g + 1;
                    last[n] = count;
                    entries[count++] = (carom_entry){.group = g, .node = n};
                }
                entries[last[n]].rows[i * size + h->row[e] - start[n]] += h->value[e];
            }
        }
    }
    problem->entry_count = count;
    problem->entries = entries;
}

void crm_read_global(crm_reader *in, const json_t *root, int rows, carom_problem *problem) {
    columns m = read_matrix(in, root, "M"), h = read_matrix(in, root, "H");
    if (in->status == CAROM_OK && (m.rows != m.columns || h.rows != m.rows || h.columns != rows))
        crm_read_fail(in, "M is %d x %d and H is %d x %d; M must be square, H must have its rows and %d columns",
                      m.rows, m.columns, h.rows, h.columns, rows);
    int *start = crm_read_room(in, (size_t)m.rows + 1, sizeof *start),
        *node_of = crm_read_room(in, (size_t)m.rows, sizeof *node_of);
    if (in->status != CAROM_OK) return;
    int count = cut_into_nodes(&m, problem->group_count > 0 ? problem->groups[0].rows : 3, start);
    if (count == 0 && m.rows > 0) {
        if (json_object_get(root, "W") == NULL)
            crm_read_fail(in, "M is not symmetric or couples more than %d velocities: W and q are needed beside it",
                          CAROM_NODE_SIZE);
        crm_read_local(in, root, rows, problem);
        return;
    }
    for (int n = 0; n < count; n++) {
        for (int j = start[n]; j < start[n + 1]; j++) node_of[j] = n;
    }
    problem->form = CAROM_FORM_BODIES;
    problem->offset = crm_read_numbers(in, crm_read_member(in, root, "the file", "w"), "w", rows, NULL);
    const double *f = crm_read_numbers(in, crm_read_member(in, root, "the file", "f"), "f", m.rows, NULL);
    if (in->status != CAROM_OK) return;
    problem->node_count = count;
    problem->nodes = make_nodes(in, &m, f, start, count, node_of);
    if (in->status == CAROM_OK) make_entries(in, &h, start, node_of, problem);
}
