// SPDX-License-Identifier: MIT
// Puts a program together piece by piece. What fails for want of memory is remembered: who adds many looks once, when
// the program is finished.
#ifndef CRM_CONTROL_BUILDER_H
#define CRM_CONTROL_BUILDER_H

#include "base/array.h"
#include "control/program/program.h"

typedef struct crm_program_builder {
    carom_allocator allocator;
    CRM_ARRAY(double) lower, upper, row_lower, row_upper;
    CRM_ARRAY(crm_place) unknown_place, row_place;
    CRM_ARRAY(crm_program_term) terms;
    CRM_ARRAY(crm_program_block) blocks; // their numbers still as offsets into `indices`
    CRM_ARRAY(int32_t) indices;
    bool refused;
} crm_program_builder;

void crm_program_begin(crm_program_builder *builder, const carom_allocator *allocator);
void crm_program_discard(crm_program_builder *builder); // gives all memory back; the program keeps its own

// Both return the number of what was added.
int32_t crm_program_add_unknown(crm_program_builder *builder, double lower, double upper, crm_place place);
int32_t crm_program_add_row(crm_program_builder *builder, double lower, double upper, crm_place place);

// A coefficient of 0 adds nothing; so does a row of CRM_NO_ROW, which is how rows are left out.
enum { CRM_OBJECTIVE = -1, CRM_NO_ROW = -2 };
void crm_program_add_term(crm_program_builder *builder, int32_t row, double coefficient, int factor_count,
                          const int32_t *factor);
#define CRM_ADD_TERM(builder, row, coefficient, ...)                                                                 \
    crm_program_add_term((builder), (row), (coefficient), (int)(sizeof((int32_t[]){__VA_ARGS__}) / sizeof(int32_t)), \
                         (const int32_t[]){__VA_ARGS__})
void crm_program_add_constant(crm_program_builder *builder, int32_t row, double constant);

// The lists of the block are copied; its data must outlive the program.
void crm_program_add_block(crm_program_builder *builder, const crm_program_block *block);

// All memory of the program is the arena's.
carom_status crm_program_finish(crm_program_builder *builder, crm_arena *arena, crm_program *out, carom_error *error);

#endif
