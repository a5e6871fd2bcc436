// SPDX-License-Identifier: MIT
#include "control/program/evaluator.h"

#include <math.h>
#include <string.h>

// The product of all factors but two (-1: of none to leave out).
static double product_without(const crm_program_term *t, const double *z, int leave, int leave_too) {
    double product = t->coefficient;
    for (int i = 0; i < CRM_PROGRAM_FACTORS && t->factor[i] >= 0; i++)
        if (i != leave && i != leave_too) product *= z[t->factor[i]];
    return product;
}

static void gather(const crm_evaluator *e, const crm_program_block *block, const double *z) {
    for (int i = 0; i < block->unknown_count; i++) e->block_z[i] = z[block->unknown[i]];
}

static int64_t objective_terms(const crm_program *p) {
    int64_t count = 0;
    while (count < p->term_count && p->term[count].row < 0) count++;
    return count;
}

static bool block_in(const crm_program_block *block, bool objective) {
    for (int r = 0; r < block->row_count; r++)
        if ((block->row[r] < 0) == objective) return true;
    return false;
}

bool crm_evaluate_objective(const crm_evaluator *e, const double *z, double *objective) {
    const crm_program *p = e->program;
    int64_t count = objective_terms(p);
    double sum = 0.0;
    for (int64_t t = 0; t < count; t++) sum += product_without(&p->term[t], z, -1, -1);
    for (int b = 0; b < p->block_count; b++) {
        const crm_program_block *block = &p->block[b];
        if (!block_in(block, true)) continue;
        gather(e, block, z);
        if (!block->function(block->data, e->block_z, NULL, e->block_value, NULL, NULL)) return false;
        for (int r = 0; r < block->row_count; r++)
            if (block->row[r] < 0) sum += e->block_value[r];
    }
    *objective = sum;
    return true;
}

bool crm_evaluate_gradient(const crm_evaluator *e, const double *z, double *gradient) {
    const crm_program *p = e->program;
    int64_t count = objective_terms(p);
    for (int i = 0; i < p->unknown_count; i++) gradient[i] = 0.0;
    for (int64_t k = 0; k < count; k++) {
        const crm_program_term *t = &p->term[k];
        for (int i = 0; i < CRM_PROGRAM_FACTORS && t->factor[i] >= 0; i++)
            gradient[t->factor[i]] += product_without(t, z, i, -1);
    }
    for (int b = 0; b < p->block_count; b++) {
        const crm_program_block *block = &p->block[b];
        if (!block_in(block, true)) continue;
        gather(e, block, z);
        if (!block->function(block->data, e->block_z, NULL, e->block_value, e->block_gradient, NULL)) return false;
        for (int r = 0; r < block->row_count; r++)
            for (int i = 0; block->row[r] < 0 && i < block->unknown_count; i++)
                gradient[block->unknown[i]] += e->block_gradient[r * block->unknown_count + i];
    }
    return true;
}

bool crm_evaluate_rows(const crm_evaluator *e, const double *z, double *row) {
    const crm_program *p = e->program;
    for (int r = 0; r < p->row_count; r++) row[r] = 0.0;
    for (int64_t t = objective_terms(p); t < p->term_count; t++)
        row[p->term[t].row] += product_without(&p->term[t], z, -1, -1);
    for (int b = 0; b < p->block_count; b++) {
        const crm_program_block *block = &p->block[b];
        if (!block_in(block, false)) continue;
        gather(e, block, z);
        if (!block->function(block->data, e->block_z, NULL, e->block_value, NULL, NULL)) return false;
        for (int r = 0; r < block->row_count; r++)
            if (block->row[r] >= 0) row[block->row[r]] += e->block_value[r];
    }
    return true;
}

bool crm_evaluate_jacobian(const crm_evaluator *e, const double *z, double *value) {
    const crm_program *p = e->program;
    memset(value, 0, sizeof *value * (size_t)e->jacobian_count);
    for (int64_t k = objective_terms(p); k < p->term_count; k++) {
        const crm_program_term *t = &p->term[k];
        for (int i = 0; i < CRM_PROGRAM_FACTORS && t->factor[i] >= 0; i++)
            value[e->term_jacobian[k][i]] += product_without(t, z, i, -1);
    }
    for (int b = 0; b < p->block_count; b++) {
        const crm_program_block *block = &p->block[b];
        if (!block_in(block, false)) continue;
        const int32_t *entry = e->jacobian_entry + e->block_jacobian[b];
        gather(e, block, z);
        if (!block->function(block->data, e->block_z, NULL, e->block_value, e->block_gradient, NULL)) return false;
        for (int i = 0; i < block->row_count * block->unknown_count; i++)
            if (entry[i] >= 0) value[entry[i]] += e->block_gradient[i];
    }
    return true;
}

bool crm_evaluate_hessian(const crm_evaluator *e, const double *z, double objective_weight, const double *multiplier,
                          double *value) {
    static const int first[6] = {0, 0, 1, 0, 1, 2}, second[6] = {1, 2, 2, 3, 3, 3};
    const crm_program *p = e->program;
    memset(value, 0, sizeof *value * (size_t)e->hessian_count);
    for (int64_t k = 0; k < p->term_count; k++) {
        const crm_program_term *t = &p->term[k];
        if (t->factor[1] < 0) continue;
        double weight = t->row < 0 ? objective_weight : multiplier[t->row];
        if (weight == 0.0) continue;
        for (int i = 0; i < 6; i++) {
            int a = first[i], b = second[i];
            if (t->factor[b] < 0) break;
            // d^2 (z z)/dz^2 = 2: both orders of the two meet on the diagonal.
            double twice = t->factor[a] == t->factor[b] ? 2.0 : 1.0;
            value[e->term_hessian[k][i]] += twice * weight * product_without(t, z, a, b);
        }
    }
    for (int b = 0; b < p->block_count; b++) {
        const crm_program_block *block = &p->block[b];
        int n = block->unknown_count;
        const int32_t *entry = e->hessian_entry + e->block_hessian[b];
        gather(e, block, z);
        for (int r = 0; r < block->row_count; r++)
            e->block_weight[r] = block->row[r] < 0 ? objective_weight : multiplier[block->row[r]];
        if (!block->function(block->data, e->block_z, e->block_weight, e->block_value, e->block_gradient,
                             e->block_hessian_value))
            return false;
        for (int i = 0; i < n * n; i++)
            if (entry[i] >= 0) value[entry[i]] += e->block_hessian_value[i];
    }
    return true;
}

static void note(double amount, int32_t which, double *worst, int32_t *at) {
    if (!(amount > *worst) && !isnan(amount)) return;
    *worst = isnan(amount) ? INFINITY : amount;
    *at = which;
}

double crm_program_violation(const crm_program *p, const double *z, const double *row, int32_t *worst) {
    double most = 0.0;
    int32_t at = 0;
    for (int r = 0; r < p->row_count; r++)
        note(fmax(p->row_lower[r] - row[r], row[r] - p->row_upper[r]), r, &most, &at);
    for (int i = 0; i < p->unknown_count; i++) note(fmax(p->lower[i] - z[i], z[i] - p->upper[i]), -1 - i, &most, &at);
    if (worst != NULL) *worst = at;
    return most;
}
