// SPDX-License-Identifier: MIT
// Values and derivatives of a program: structure once, then one pass over its terms and blocks a call.
//
// An evaluator has scratch for blocks: one thread at a time, another evaluator for another thread.
#ifndef CRM_CONTROL_EVALUATOR_H
#define CRM_CONTROL_EVALUATOR_H

#include "control/program/program.h"

typedef struct crm_evaluator {
    const crm_program *program;
    // The Jacobian by rows: entries of row r are jacobian_start[r] .. jacobian_start[r + 1] - 1, columns ascending.
    int32_t jacobian_count, *jacobian_start, *jacobian_column;
    // The lower triangle of the Hessian of the Lagrangian, likewise.
    int32_t hessian_count, *hessian_start, *hessian_column;

    int32_t (*term_jacobian)[CRM_PROGRAM_FACTORS]; // entry of each factor of a term (term_count)
    int32_t (*term_hessian)[6];                    // of factors 01, 02, 12, 03, 13, 23
    int64_t *block_jacobian, *block_hessian;       // where the entries of a block begin in: (block_count)
    int32_t *jacobian_entry, *hessian_entry;       // [row * unknowns + unknown], [unknown * unknowns + unknown]
    double *block_z, *block_weight, *block_value, *block_gradient, *block_hessian_value;
} crm_evaluator;

carom_status crm_evaluator_create(const crm_program *program, crm_arena *arena, crm_evaluator *out, carom_error *error);

// Each is false where a block cannot be evaluated. None allocates.
bool crm_evaluate_objective(const crm_evaluator *evaluator, const double *z, double *objective);
bool crm_evaluate_gradient(const crm_evaluator *evaluator, const double *z, double *gradient); // (unknown_count)
bool crm_evaluate_rows(const crm_evaluator *evaluator, const double *z, double *row);          // (row_count)
bool crm_evaluate_jacobian(const crm_evaluator *evaluator, const double *z, double *value);    // (jacobian_count)
// Of objective_weight f + sum_r multiplier[r] c_r (hessian_count).
bool crm_evaluate_hessian(const crm_evaluator *evaluator, const double *z, double objective_weight,
                          const double *multiplier, double *value);

// Largest amount by which a bound of an unknown or of a row is not kept; `row` (row_count) are values of rows at z.
// `*worst`: the row, or -1 - the unknown.
double crm_program_violation(const crm_program *program, const double *z, const double *row, int32_t *worst);

#endif
