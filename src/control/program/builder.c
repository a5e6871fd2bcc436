// SPDX-License-Identifier: MIT
#include "control/program/builder.h"

#include <string.h>

#include "base/assert.h"
#include "base/fail.h"

void crm_program_begin(crm_program_builder *builder, const carom_allocator *allocator) {
    *builder = (crm_program_builder){.allocator = allocator != NULL ? *allocator : carom_allocator_default()};
}

void crm_program_discard(crm_program_builder *b) {
    const carom_allocator *a = &b->allocator;
    CRM_ARRAY_FREE(a, &b->lower);
    CRM_ARRAY_FREE(a, &b->upper);
    CRM_ARRAY_FREE(a, &b->row_lower);
    CRM_ARRAY_FREE(a, &b->row_upper);
    CRM_ARRAY_FREE(a, &b->unknown_place);
    CRM_ARRAY_FREE(a, &b->row_place);
    CRM_ARRAY_FREE(a, &b->terms);
    CRM_ARRAY_FREE(a, &b->blocks);
    CRM_ARRAY_FREE(a, &b->indices);
}

int32_t crm_program_add_unknown(crm_program_builder *b, double lower, double upper, crm_place place) {
    const carom_allocator *a = &b->allocator;
    if (!CRM_ARRAY_PUSH(a, &b->lower, lower) || !CRM_ARRAY_PUSH(a, &b->upper, upper) ||
        !CRM_ARRAY_PUSH(a, &b->unknown_place, place))
        b->refused = true;
    return b->unknown_place.count - 1;
}

int32_t crm_program_add_row(crm_program_builder *b, double lower, double upper, crm_place place) {
    const carom_allocator *a = &b->allocator;
    if (!CRM_ARRAY_PUSH(a, &b->row_lower, lower) || !CRM_ARRAY_PUSH(a, &b->row_upper, upper) ||
        !CRM_ARRAY_PUSH(a, &b->row_place, place))
        b->refused = true;
    return b->row_place.count - 1;
}

void crm_program_add_term(crm_program_builder *b, int32_t row, double coefficient, int factor_count,
                          const int32_t *factor) {
    CRM_ASSERT(factor_count >= 1 && factor_count <= CRM_PROGRAM_FACTORS);
    if (coefficient == 0.0 || row == CRM_NO_ROW) return;
    crm_program_term term = {coefficient, row, {-1, -1, -1, -1}};
    for (int i = 0; i < factor_count; i++) term.factor[i] = factor[i];
    if (!CRM_ARRAY_PUSH(&b->allocator, &b->terms, term)) b->refused = true;
}

void crm_program_add_constant(crm_program_builder *b, int32_t row, double constant) {
    if (constant == 0.0 || row == CRM_NO_ROW) return;
    if (!CRM_ARRAY_PUSH(&b->allocator, &b->terms, (crm_program_term){constant, row, {-1, -1, -1, -1}}))
        b->refused = true;
}

void crm_program_add_block(crm_program_builder *b, const crm_program_block *block) {
    const carom_allocator *a = &b->allocator;
    for (int i = 0; i < block->unknown_count; i++)
        if (!CRM_ARRAY_PUSH(a, &b->indices, block->unknown[i])) b->refused = true;
    for (int i = 0; i < block->row_count; i++)
        if (!CRM_ARRAY_PUSH(a, &b->indices, block->row[i])) b->refused = true;
    if (!CRM_ARRAY_PUSH(a, &b->blocks, *block)) b->refused = true;
}

// Terms by row, in the order in which they were added.
static void sort_terms(const crm_program_builder *b, int64_t *next, crm_program_term *out) {
    int rows = b->row_lower.count;
    for (int i = 0; i < b->terms.count; i++) next[b->terms.items[i].row + 2]++;
    for (int r = 0; r <= rows; r++) next[r + 1] += next[r];
    for (int i = 0; i < b->terms.count; i++) out[next[b->terms.items[i].row + 1]++] = b->terms.items[i];
}

static void *copied(crm_arena *arena, const void *items, int count, size_t size) {
    void *copy = crm_arena_take_array(arena, count, size);
    if (copy != NULL && count > 0) memcpy(copy, items, size * (size_t)count);
    return copy;
}
#define COPIED(arena, array) copied((arena), (array)->items, (array)->count, sizeof *(array)->items)

carom_status crm_program_finish(crm_program_builder *b, crm_arena *arena, crm_program *out, carom_error *error) {
    crm_program p = {.unknown_count = b->lower.count,
                     .row_count = b->row_lower.count,
                     .block_count = b->blocks.count,
                     .term_count = b->terms.count};
    p.lower = COPIED(arena, &b->lower);
    p.upper = COPIED(arena, &b->upper);
    p.row_lower = COPIED(arena, &b->row_lower);
    p.row_upper = COPIED(arena, &b->row_upper);
    p.unknown_place = COPIED(arena, &b->unknown_place);
    p.row_place = COPIED(arena, &b->row_place);
    p.block = COPIED(arena, &b->blocks);
    p.term = CRM_ARENA_ARRAY(arena, crm_program_term, b->terms.count);
    int32_t *indices = COPIED(arena, &b->indices);
    int64_t *next = CRM_ARENA_ZEROED(arena, int64_t, (ptrdiff_t)p.row_count + 3);
    if (b->refused || crm_arena_refused(arena))
        return crm_fail_memory(error, "a program", sizeof *p.term * (size_t)p.term_count);
    sort_terms(b, next, p.term);
    for (int i = 0; i < p.block_count; i++) {
        p.block[i].unknown = indices;
        p.block[i].row = indices + p.block[i].unknown_count;
        indices += p.block[i].unknown_count + p.block[i].row_count;
    }
    *out = p;
    return CAROM_OK;
}
