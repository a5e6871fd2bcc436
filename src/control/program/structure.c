// SPDX-License-Identifier: MIT
// Which entries the derivatives of a program have, and to which of them every term and block adds.
//
// Both patterns come from one walk over the program that is made three times: it counts entries by rows, lists them,
// and after lists are sorted and freed from doubles tells every term where its own are.
#include <limits.h>
#include <stdlib.h>

#include "base/fail.h"
#include "control/program/evaluator.h"

typedef struct pattern {
    enum { COUNT, LIST, FIND } pass;
    int32_t rows;
    int64_t *next;   // COUNT: entries of row r at r + 1; LIST: where the next of row r goes (rows + 2)
    int32_t *listed; // columns by rows, doubles among them
    int32_t *start, *column;
} pattern;

static int compare_columns(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static void visit(pattern *p, int32_t row, int32_t column, int32_t *entry) {
    if (p->pass == COUNT) {
        p->next[row + 1]++;
    } else if (p->pass == LIST) {
        p->listed[p->next[row]++] = column;
    } else {
        int32_t low = p->start[row], high = p->start[row + 1] - 1;
        while (low < high) {
            int32_t middle = low + (high - low) / 2;
            if (p->column[middle] < column) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        *entry = low;
    }
}

static void walk_jacobian(pattern *pattern, const crm_evaluator *e) {
    const crm_program *p = e->program;
    for (int64_t k = 0; k < p->term_count; k++) {
        const crm_program_term *t = &p->term[k];
        for (int i = 0; t->row >= 0 && i < CRM_PROGRAM_FACTORS && t->factor[i] >= 0; i++)
            visit(pattern, t->row, t->factor[i], &e->term_jacobian[k][i]);
    }
    for (int b = 0; b < p->block_count; b++) {
        const crm_program_block *block = &p->block[b];
        int32_t *entry = e->jacobian_entry + e->block_jacobian[b];
        for (int r = 0; r < block->row_count; r++) {
            for (int i = 0; i < block->unknown_count; i++, entry++) {
                *entry = -1;
                if (block->row[r] >= 0) visit(pattern, block->row[r], block->unknown[i], entry);
            }
        }
    }
}

static void visit_lower(pattern *pattern, int32_t a, int32_t b, int32_t *entry) {
    visit(pattern, a > b ? a : b, a > b ? b : a, entry);
}

static void walk_hessian(pattern *pattern, const crm_evaluator *e) {
    static const int first[6] = {0, 0, 1, 0, 1, 2}, second[6] = {1, 2, 2, 3, 3, 3};
    const crm_program *p = e->program;
    for (int64_t k = 0; k < p->term_count; k++) {
        const crm_program_term *t = &p->term[k];
        for (int i = 0; i < 6 && t->factor[second[i]] >= 0; i++)
            visit_lower(pattern, t->factor[first[i]], t->factor[second[i]], &e->term_hessian[k][i]);
    }
    for (int b = 0; b < p->block_count; b++) {
        const crm_program_block *block = &p->block[b];
        int32_t *entry = e->hessian_entry + e->block_hessian[b];
        for (int i = 0; i < block->unknown_count; i++) {
            for (int j = 0; j < block->unknown_count; j++, entry++) {
                *entry = -1;
                if (block->unknown[i] >= block->unknown[j]) visit(pattern, block->unknown[i], block->unknown[j], entry);
            }
        }
    }
}

// Sorts the lists of all rows, leaves each column once, and closes the gaps.
static void compress(pattern *p) {
    int64_t from = 0;
    int32_t count = 0;
    for (int32_t r = 0; r < p->rows; r++) {
        int64_t end = p->next[r]; // the listing has moved it from the row's beginning to its end
        qsort(p->listed + from, (size_t)(end - from), sizeof *p->listed, compare_columns);
        p->start[r] = count;
        for (int64_t i = from; i < end; i++)
            if (i == from || p->listed[i] != p->listed[i - 1]) p->column[count++] = p->listed[i];
        from = end;
    }
    p->start[p->rows] = count;
}

typedef void walk(pattern *pattern, const crm_evaluator *evaluator);

static carom_status find_pattern(const crm_evaluator *e, walk *walk, int32_t rows, crm_arena *arena, pattern *p,
                                 carom_error *error) {
    *p = (pattern){.rows = rows, .next = CRM_ARENA_ZEROED(arena, int64_t, (ptrdiff_t)rows + 2)};
    if (p->next == NULL) return crm_fail_memory(error, "the pattern of a program", sizeof(int64_t) * (size_t)rows);
    p->pass = COUNT;
    walk(p, e);
    for (int32_t r = 0; r < rows; r++) p->next[r + 1] += p->next[r];
    int64_t listed = p->next[rows];
    if (listed > INT_MAX)
        return crm_fail(error, CAROM_ERR_TOO_LARGE, "a program with %.3g entries of derivatives is too large",
                        (double)listed);
    p->listed = CRM_ARENA_ARRAY(arena, int32_t, listed);
    p->start = CRM_ARENA_ARRAY(arena, int32_t, (ptrdiff_t)rows + 1);
    if (p->listed == NULL || p->start == NULL)
        return crm_fail_memory(error, "the pattern of a program", sizeof(int32_t) * (size_t)listed);
    p->column = p->listed; // never further than what is read
    p->pass = LIST;
    walk(p, e);
    compress(p);
    p->pass = FIND;
    walk(p, e);
    return CAROM_OK;
}

static bool take_blocks(crm_evaluator *e, crm_arena *arena) {
    const crm_program *p = e->program;
    int64_t jacobian = 0, hessian = 0;
    int unknowns = 0, rows = 0, most = 0;
    e->block_jacobian = CRM_ARENA_ARRAY(arena, int64_t, p->block_count);
    e->block_hessian = CRM_ARENA_ARRAY(arena, int64_t, p->block_count);
    if (crm_arena_refused(arena)) return false;
    for (int b = 0; b < p->block_count; b++) {
        int n = p->block[b].unknown_count, m = p->block[b].row_count;
        e->block_jacobian[b] = jacobian;
        e->block_hessian[b] = hessian;
        jacobian += (int64_t)n * m;
        hessian += (int64_t)n * n;
        if (n > unknowns) unknowns = n;
        if (m > rows) rows = m;
        if (n * m > most) most = n * m;
    }
    e->jacobian_entry = CRM_ARENA_ARRAY(arena, int32_t, jacobian);
    e->hessian_entry = CRM_ARENA_ARRAY(arena, int32_t, hessian);
    e->block_z = CRM_ARENA_ARRAY(arena, double, unknowns);
    e->block_weight = CRM_ARENA_ARRAY(arena, double, rows);
    e->block_value = CRM_ARENA_ARRAY(arena, double, rows);
    e->block_gradient = CRM_ARENA_ARRAY(arena, double, most);
    e->block_hessian_value = CRM_ARENA_ARRAY(arena, double, (ptrdiff_t)unknowns *unknowns);
    return !crm_arena_refused(arena);
}

carom_status crm_evaluator_create(const crm_program *program, crm_arena *arena, crm_evaluator *out,
                                  carom_error *error) {
    crm_evaluator e = {.program = program};
    e.term_jacobian = crm_arena_take_array(arena, program->term_count, sizeof *e.term_jacobian);
    e.term_hessian = crm_arena_take_array(arena, program->term_count, sizeof *e.term_hessian);
    if (crm_arena_refused(arena) || !take_blocks(&e, arena))
        return crm_fail_memory(error, "a program", sizeof *e.term_hessian * (size_t)program->term_count);
    pattern jacobian, hessian;
    carom_status status = find_pattern(&e, walk_jacobian, program->row_count, arena, &jacobian, error);
    if (status == CAROM_OK) status = find_pattern(&e, walk_hessian, program->unknown_count, arena, &hessian, error);
    if (status != CAROM_OK) return status;
    e.jacobian_count = jacobian.start[jacobian.rows];
    e.jacobian_start = jacobian.start;
    e.jacobian_column = jacobian.column;
    e.hessian_count = hessian.start[hessian.rows];
    e.hessian_start = hessian.start;
    e.hessian_column = hessian.column;
    *out = e;
    return CAROM_OK;
}
