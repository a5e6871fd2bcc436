// SPDX-License-Identifier: MIT
// Preconditioned conjugate gradients: Hestenes and Stiefel (1952), in the form of Saad, Iterative Methods for Sparse
// Linear Systems, 2nd ed., Algorithm 9.1.
//
// A cycle solves A d = r / |r| from d = 0 and moves x by |r| d, so that its inner products are near 1 for any scale of
// b. The residual that the recurrence carries drifts away from b - A x; when it claims to be small enough the true one
// is computed, and if that is not, a new cycle starts from it.
#include <float.h>
#include <math.h>

#include "base/fail.h"
#include "math/dense/dense.h"
#include "math/krylov/krylov_frame.h"

// A new cycle that does not at least halve the true residual is fighting round-off.
static const double useful_reduction = 0.5;

typedef struct workspace {
    double *p, *q, *z; // direction, A p, M r; z is r itself without a preconditioner
    double *kept;      // best iterate of the cycle by the recurrence, when x is not
} workspace;

typedef enum cycle_end { CYCLE_TARGET, CYCLE_LIMIT, CYCLE_BREAKDOWN, CYCLE_INDEFINITE, CYCLE_NOT_FINITE } cycle_end;

// Along a direction p whose quotient p.Ap / p.M^-1 p is below this share of the largest one seen, A is zero in double
// precision: b has no solution, and a step would be nothing but the inverse of a rounding error.
static const double null_quotient = DBL_EPSILON;

// A form that must be positive is not. Below round-off of its terms it counts as zero.
static cycle_end check_curvature(int n, double value, const double *x, const double *y) {
    if (!isfinite(value)) return CYCLE_NOT_FINITE;
    double noise = n * DBL_EPSILON * crm_dense_norm2(n, x) * crm_dense_norm2(n, y);
    return value < -noise ? CYCLE_INDEFINITE : CYCLE_BREAKDOWN;
}

// Runs until the recurrence says that |r| <= target. Leaves the last iterate in x; *left_better says that an earlier
// one had a smaller residual by the recurrence, and that it is in w->kept.
static cycle_end run_cycle(crm_krylov_frame *frame, double scale, const workspace *w, bool *left_better) {
    int n = frame->a->size;
    double *r = frame->residual, *x = frame->x;
    for (int i = 0; i < n; i++) r[i] /= scale;
    double best = 1.0, rho = 0.0, length = 0.0, largest_quotient = 0.0; // length: p.M^-1 p
    bool kept = false;
    cycle_end end = CYCLE_LIMIT;
    for (bool first = true; frame->report->iterations < frame->settings.iteration_limit; first = false) {
        if (w->z != r) crm_krylov_precondition(frame, r, w->z);
        double next_rho = crm_dense_dot(n, r, w->z);
        if (!(next_rho > 0.0) || isinf(next_rho)) {
            end = check_curvature(n, next_rho, r, w->z);
            break;
        }
        double conjugation = first ? 0.0 : next_rho / rho;
        for (int i = 0; i < n; i++) w->p[i] = first ? w->z[i] : w->z[i] + conjugation * w->p[i];
        rho = next_rho;
        length = rho + conjugation * conjugation * length; // as p_k-1 . r_k = 0 (Steihaug 1983)

        frame->a->apply(frame->a->context, w->p, w->q);
        frame->report->iterations++;
        double curvature = crm_dense_dot(n, w->p, w->q);
        if (!(curvature > 0.0) || isinf(curvature)) {
            end = check_curvature(n, curvature, w->p, w->q);
            break;
        }
        largest_quotient = fmax(largest_quotient, curvature / length);
        if (curvature <= null_quotient * largest_quotient * length) {
            end = CYCLE_BREAKDOWN;
            break;
        }
        double step = rho / curvature;
        crm_dense_add_scaled(n, -step, w->q, r);
        double norm = crm_dense_norm2(n, r);
        if (!isfinite(norm)) { // x has not moved yet and stays finite
            end = CYCLE_NOT_FINITE;
            break;
        }
        if (norm < best) {
            best = norm;
            kept = false;
        } else if (!kept) {
            for (int i = 0; i < n; i++) w->kept[i] = x[i];
            kept = true;
        }
        crm_dense_add_scaled(n, step * scale, w->p, x);
        // A reduction by more than 1 / eps cannot be true; to look at the true residual costs less than to go on.
        if (norm * scale <= frame->report->target || norm <= DBL_EPSILON) {
            end = CYCLE_TARGET;
            break;
        }
    }
    *left_better = kept;
    return end;
}

static crm_krylov_outcome iterate(crm_krylov_frame *frame, const workspace *w) {
    double norm = frame->best_norm;
    for (;;) {
        bool left_better;
        crm_krylov_keep(frame);
        cycle_end end = run_cycle(frame, norm, w, &left_better);
        double next = crm_krylov_measure(frame);
        if (left_better) { // the last iterate is measured for the report; the better one is the one to go on from
            double last = next;
            crm_krylov_keep(frame);
            for (int i = 0; i < frame->a->size; i++) frame->x[i] = w->kept[i];
            next = crm_krylov_measure(frame);
            frame->report->last_residual = last;
        }
        if (frame->best_norm <= frame->report->target) return CRM_KRYLOV_CONVERGED;
        switch (end) {
        case CYCLE_LIMIT:
            return CRM_KRYLOV_ITERATION_LIMIT;
        case CYCLE_BREAKDOWN:
            return CRM_KRYLOV_BREAKDOWN;
        case CYCLE_INDEFINITE:
            return CRM_KRYLOV_INDEFINITE;
        case CYCLE_NOT_FINITE:
            return CRM_KRYLOV_NOT_FINITE;
        case CYCLE_TARGET:
            break;
        }
        if (!isfinite(next)) return CRM_KRYLOV_NOT_FINITE;
        if (!(next <= useful_reduction * norm)) return CRM_KRYLOV_STAGNATED;
        norm = next;
        frame->report->restarts++;
    }
}

carom_status crm_cg(const crm_operator *a, const crm_operator *preconditioner, const double *b, double *x,
                    const crm_krylov_settings *settings, crm_arena *arena, crm_krylov_report *report,
                    carom_error *error) {
    crm_krylov_frame frame;
    bool go_on;
    carom_status status = crm_krylov_begin(&frame, a, preconditioner, b, x, settings, arena, report, error, &go_on);
    if (status != CAROM_OK) return status;

    crm_krylov_outcome outcome = report->outcome;
    if (go_on) {
        int n = a->size;
        workspace w = {.p = CRM_ARENA_ARRAY(arena, double, n), .q = CRM_ARENA_ARRAY(arena, double, n)};
        w.kept = CRM_ARENA_ARRAY(arena, double, n);
        w.z = preconditioner != NULL ? CRM_ARENA_ARRAY(arena, double, n) : frame.residual;
        if (!w.p || !w.q || !w.kept || !w.z) {
            crm_arena_release(arena, frame.mark);
            return crm_fail_memory(error, "conjugate gradients", 4 * (size_t)n * sizeof(double));
        }
        outcome = iterate(&frame, &w);
    }
    crm_krylov_end(&frame, arena, outcome);
    return CAROM_OK;
}
