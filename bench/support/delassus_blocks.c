// SPDX-License-Identifier: MIT
#include "support/delassus_blocks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solve/operator.h"

static void *or_exit(void *memory) {
    if (memory == NULL) {
        fprintf(stderr, "carom: no memory for the benchmark's matrix\n");
        exit(3);
    }
    return memory;
}

static bench_block *add_block(bench_blocks *list, int row, int column) {
    if (list->count == list->room) {
        list->room = 2 * list->room + 1024;
        list->block = or_exit(realloc(list->block, (size_t)list->room * sizeof *list->block));
    }
    bench_block *added = &list->block[list->count++];
    *added = (bench_block){.row = row, .column = column};
    return added;
}

static int compare_blocks(const void *a, const void *b) {
    const bench_block *x = a, *y = b;
    return x->row != y->row ? x->row - y->row : x->column - y->column;
}

static void merge_equal(bench_blocks *list) {
    qsort(list->block, (size_t)list->count, sizeof *list->block, compare_blocks);
    int kept = 0;
    for (int k = 1; k < list->count; k++) {
        bench_block *last = &list->block[kept], *next = &list->block[k];
        if (compare_blocks(last, next) != 0)
            list->block[++kept] = *next;
        else
            for (int i = 0; i < 9; i++) last->value[i] += next->value[i];
    }
    list->count = list->count > 0 ? kept + 1 : 0;
}

static void add_pair(const crm_operator *op, int node, int row_link, int column_link, bench_block *w) {
    int size = op->velocity_start[node + 1] - op->velocity_start[node];
    const double *response = op->response + op->incidence_at[row_link];
    const double *jacobian = op->jacobian + op->incidence_at[column_link];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < size; k++) w->value[i + 3 * j] += response[i * size + k] * jacobian[j * size + k];
}

// Every two contacts of a body have a block.
static void add_nodes(const crm_operator *op, bench_blocks *list) {
    int *start = or_exit(calloc((size_t)op->node_count + 2, sizeof *start));
    int *link = or_exit(calloc((size_t)op->incidence_count + 1, sizeof *link));
    int *group = or_exit(calloc((size_t)op->incidence_count + 1, sizeof *group));
    for (int k = 0; k < op->incidence_count; k++) start[op->incidence_node[k] + 2]++;
    for (int n = 0; n < op->node_count; n++) start[n + 2] += start[n + 1];
    for (int g = 0; g < op->group_count; g++)
        for (int k = op->incidence_start[g]; k < op->incidence_start[g + 1]; k++) {
            link[start[op->incidence_node[k] + 1]++] = k;
            group[k] = g;
        }
    for (int n = 0; n < op->node_count; n++)
        for (int a = start[n]; a < start[n + 1]; a++)
            for (int b = start[n]; b < start[n + 1]; b++)
                add_pair(op, n, link[a], link[b], add_block(list, group[link[a]], group[link[b]]));
    free(start);
    free(link);
    free(group);
}

static void add_entries(const crm_operator *op, bench_blocks *list) {
    const crm_csr *w = &op->delassus;
    for (int i = 0; i < op->row_count; i++)
        for (int k = w->starts[i]; k < w->starts[i + 1]; k++)
            add_block(list, i / 3, w->columns[k] / 3)->value[i % 3 + 3 * (w->columns[k] % 3)] = w->values[k];
}

bool bench_blocks_create(const carom_problem *problem, bench_blocks *out, carom_error *error) {
    *out = (bench_blocks){0};
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    crm_layout layout;
    crm_operator op;
    bool packed = crm_problem_lay_out(problem, &arena, &layout, error) == CAROM_OK &&
                  crm_operator_build(problem, &layout, NULL, &arena, &op, error) == CAROM_OK;
    if (packed) {
        if (op.form == CAROM_FORM_DELASSUS)
            add_entries(&op, out);
        else
            add_nodes(&op, out);
        for (int g = 0; g < op.group_count; g++) {
            bench_block *diagonal = add_block(out, g, g);
            for (int i = 0; i < 3; i++) diagonal->value[4 * i] = op.compliance[3 * g + i];
        }
        merge_equal(out);
        out->q = or_exit(calloc((size_t)op.row_count + 1, sizeof *out->q));
        memcpy(out->q, op.q, sizeof *out->q * (size_t)op.row_count);
    }
    crm_arena_free(&arena);
    return packed;
}

void bench_blocks_destroy(bench_blocks *blocks) {
    free(blocks->block);
    free(blocks->q);
    *blocks = (bench_blocks){0};
}
