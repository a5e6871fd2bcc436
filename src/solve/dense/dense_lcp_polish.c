// SPDX-License-Identifier: MIT
// How far a point is from solving a complementarity problem, and the last digits of one that nearly does.
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/limits/limit.h"
#include "math/dense/dense.h"
#include "math/dense/dense_lu.h"
#include "math/dense/dense_qr.h"
#include "solve/dense/dense_lcp.h"

void crm_dense_lcp_slack(const carom_dense_lcp *lcp, const double *z, double *w) {
    for (int i = 0; i < lcp->size; i++)
        w[i] = crm_dense_dot(lcp->size, lcp->matrix + (ptrdiff_t)i * lcp->size, z) + lcp->offset[i];
}

// Roundings of A z stay below 1e-12 of this share of z. But a point far out on a ray, where min(z, w) is of the size of
// q and no solution is near, must not pass for one: so z counts up to a multiple of q only.
static const double share_of_z = 1e-3, most_of_q = 1e3;

double crm_dense_lcp_residual(const carom_dense_lcp *lcp, const double *z, double *w) {
    crm_dense_lcp_slack(lcp, z, w);
    double worst = 0.0, need = 0.0, largest = 0.0;
    for (int i = 0; i < lcp->size; i++) {
        double least = fabs(z[i] < w[i] ? z[i] : w[i]);
        if (!(least <= worst)) worst = least; // NaN stays
        need = fmax(need, -lcp->offset[i]);
        largest = fmax(largest, fabs(z[i]));
    }
    if (worst == 0.0) return 0.0;
    double scale = fmax(need, fmin(share_of_z * largest, most_of_q * need));
    return isfinite(worst) && scale > 0.0 ? worst / scale : INFINITY;
}

// The block of an active set, factored: LU, or where that is nearly singular QR, whose corrections are the least ones.
typedef struct active_block {
    int count;
    int *index; // ascending (count)
    double *lu;
    int *pivots;
    bool singular;
    crm_qr qr;
    double *work; // (2 * count)
} active_block;

static void copy_block(const carom_dense_lcp *lcp, const active_block *block, double *out) {
    for (ptrdiff_t j = 0; j < block->count; j++)
        for (int i = 0; i < block->count; i++)
            out[i + j * block->count] = lcp->matrix[(ptrdiff_t)block->index[i] * lcp->size + block->index[j]];
}

static bool factor(const carom_dense_lcp *lcp, const carom_interrupt *interrupt, active_block *block,
                   crm_arena *arena) {
    ptrdiff_t n = block->count;
    block->lu = CRM_ARENA_ARRAY(arena, double, n *n);
    block->pivots = CRM_ARENA_ARRAY(arena, int, n);
    block->work = CRM_ARENA_ARRAY(arena, double, 2 * n);
    if (block->lu == NULL || block->pivots == NULL || block->work == NULL) return false;
    copy_block(lcp, block, block->lu);
    crm_lu_report report = crm_lu_factor_until(block->count, block->lu, n, block->pivots, interrupt);
    bool interrupted = crm_interrupted(interrupt);
    block->singular = !interrupted && (!report.finite || report.singular_pivots > 0 || report.smallest_ratio < 1e-11);
    if (!block->singular) return true;
    block->qr = (crm_qr){.rows = block->count, .cols = block->count, .lda = n, .a = block->lu, .pivots = block->pivots};
    block->qr.tau = CRM_ARENA_ARRAY(arena, double, n);
    block->qr.row_tau = CRM_ARENA_ARRAY(arena, double, n);
    if (block->qr.tau == NULL || block->qr.row_tau == NULL) return false;
    copy_block(lcp, block, block->lu);
    (void)crm_qr_factor(&block->qr, 1e-12, block->work);
    return true;
}

enum { ROUNDS = 6, CORRECTIONS = 3 };

// Corrections of trial on one active set, the first of which solves its system and the rest refine it. The best point
// goes to z.
static void correct(const carom_dense_lcp *lcp, const active_block *block, double *trial, double *w, double *step,
                    double *z, double *residual) {
    for (int k = 0; k < CORRECTIONS; k++) {
        for (int i = 0; i < block->count; i++) step[i] = -w[block->index[i]];
        if (block->singular)
            crm_qr_solve(&block->qr, 1, step, lcp->size, block->work);
        else
            crm_lu_solve(block->count, block->lu, block->count, block->pivots, 1, step, lcp->size);
        for (int i = 0; i < block->count; i++) {
            double *entry = &trial[block->index[i]];
            *entry = fmax(0.0, *entry + step[i]);
        }
        double found = crm_dense_lcp_residual(lcp, trial, w);
        if (!(found < *residual)) continue;
        *residual = found;
        memcpy(z, trial, (size_t)lcp->size * sizeof *z);
    }
}

// Newton's steps on the min map, by factorization: with a good z the active set {z_i > w_i} stays and one round is
// enough; where rounding has put an unknown on the wrong side, the next round has it on the other.
static carom_status polish(const carom_dense_lcp *lcp, const carom_interrupt *interrupt, crm_arena *arena, double *z,
                           double *w, double *residual, carom_error *error) {
    ptrdiff_t n = lcp->size;
    active_block block = {.index = CRM_ARENA_ARRAY(arena, int, n)};
    int *before = CRM_ARENA_ARRAY(arena, int, n);
    double *trial = CRM_ARENA_ARRAY(arena, double, n), *step = CRM_ARENA_ARRAY(arena, double, n);
    if (block.index == NULL || before == NULL || trial == NULL || step == NULL)
        return crm_fail_memory(error, "an active set", (size_t)n * sizeof(double));
    memcpy(trial, z, (size_t)n * sizeof *z);
    for (int round = 0, count = -1; round < ROUNDS && !crm_interrupted(interrupt); round++) {
        crm_mark mark = crm_arena_mark(arena);
        block.count = 0;
        for (int i = 0; i < n; i++)
            if (trial[i] > w[i]) block.index[block.count++] = i;
        size_t bytes = (size_t)block.count * sizeof *before;
        if (block.count == count && memcmp(before, block.index, bytes) == 0) break;
        count = block.count;
        memcpy(before, block.index, bytes);
        if (!factor(lcp, interrupt, &block, arena))
            return crm_fail_memory(error, "an active set", (size_t)(n * n) * sizeof(double));
        for (int i = 0; i < n; i++)
            if (!(trial[i] > w[i])) trial[i] = 0.0;
        crm_dense_lcp_slack(lcp, trial, w);
        correct(lcp, &block, trial, w, step, z, residual);
        crm_arena_release(arena, mark);
    }
    return CAROM_OK;
}

carom_status crm_dense_lcp_offer(const carom_dense_lcp *lcp, const double *z, double tolerance, crm_arena *arena,
                                 crm_dense_lcp_result *result, bool *reached, carom_error *error) {
    crm_mark mark = crm_arena_mark(arena);
    size_t bytes = (size_t)lcp->size * sizeof(double);
    double *own = CRM_ARENA_ARRAY(arena, double, lcp->size), *w = CRM_ARENA_ARRAY(arena, double, lcp->size);
    if (own == NULL || w == NULL) return crm_fail_memory(error, "a point", bytes);
    for (int i = 0; i < lcp->size; i++) own[i] = fmax(0.0, z[i]);
    double residual = crm_dense_lcp_residual(lcp, own, w);
    carom_status status = polish(lcp, &result->interrupt, arena, own, w, &residual, error);
    if (status == CAROM_OK && residual < result->residual) {
        memcpy(result->z, own, bytes);
        result->residual = residual;
    }
    *reached = status == CAROM_OK && result->residual <= tolerance;
    if (*reached) result->outcome = CAROM_DENSE_LCP_SOLVED;
    crm_arena_release(arena, mark);
    return status;
}
