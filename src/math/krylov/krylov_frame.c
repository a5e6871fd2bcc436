// SPDX-License-Identifier: MIT
#include "math/krylov/krylov_frame.h"

#include <math.h>

#include "base/fail.h"
#include "math/dense/dense.h"

crm_krylov_settings crm_krylov_settings_default(void) {
    return (crm_krylov_settings){.tolerance = 1e-10, .iteration_limit = 1000, .restart = 50};
}

static void copy(int n, const double *from, double *to) {
    for (int i = 0; i < n; i++) to[i] = from[i];
}

static carom_status check(const crm_operator *a, const crm_operator *preconditioner,
                          const crm_krylov_settings *settings, carom_error *error) {
    if (a->size < 0) return crm_refuse(error, "operator of size %d: must not be negative", a->size);
    if (preconditioner != NULL && preconditioner->size != a->size)
        return crm_refuse(error, "operator of size %d with a preconditioner of size %d", a->size, preconditioner->size);
    if (!(settings->tolerance >= 0.0) || !(settings->absolute_tolerance >= 0.0))
        return crm_refuse(error, "tolerances are %g (relative) and %g (absolute), must be 0 or positive",
                          settings->tolerance, settings->absolute_tolerance);
    if (settings->iteration_limit < 0 || settings->restart < 1)
        return crm_refuse(error, "iteration limit is %d, must not be negative; restart is %d, at least 1",
                          settings->iteration_limit, settings->restart);
    return CAROM_OK;
}

carom_status crm_krylov_begin(crm_krylov_frame *frame, const crm_operator *a, const crm_operator *preconditioner,
                              const double *b, double *x, const crm_krylov_settings *settings, crm_arena *arena,
                              crm_krylov_report *report, carom_error *error, bool *go_on) {
    *go_on = false;
    carom_status status = check(a, preconditioner, settings, error);
    if (status != CAROM_OK) return status;

    int n = a->size;
    *frame = (crm_krylov_frame){.a = a, .preconditioner = preconditioner, .b = b, .x = x, .report = report};
    frame->settings = *settings;
    frame->mark = crm_arena_mark(arena);
    frame->residual = CRM_ARENA_ARRAY(arena, double, n);
    frame->best = CRM_ARENA_ARRAY(arena, double, n);
    if (!frame->residual || !frame->best) {
        crm_arena_release(arena, frame->mark);
        return crm_fail_memory(error, "Krylov method", 2 * (size_t)n * sizeof(double));
    }

    double size = crm_dense_norm2(n, b);
    *report = (crm_krylov_report){.outcome = CRM_KRYLOV_CONVERGED};
    report->target = fmax(settings->tolerance * size, settings->absolute_tolerance);
    frame->x_is_best = true;
    if (size == 0.0) { // the answer is known, also for size 0 and for a singular operator
        for (int i = 0; i < n; i++) x[i] = 0.0;
        return CAROM_OK;
    }
    frame->best_norm = INFINITY;
    double norm = isfinite(size) ? crm_krylov_measure(frame) : NAN;
    if (!isfinite(norm)) {
        frame->best_norm = NAN;
        frame->x_is_best = true;
        report->last_residual = NAN;
        report->outcome = CRM_KRYLOV_NOT_FINITE;
        return CAROM_OK;
    }
    *go_on = norm > report->target;
    return CAROM_OK;
}

double crm_krylov_measure(crm_krylov_frame *frame) {
    int n = frame->a->size;
    double *r = frame->residual;
    frame->a->apply(frame->a->context, frame->x, r);
    for (int i = 0; i < n; i++) r[i] = frame->b[i] - r[i];
    double norm = crm_dense_norm2(n, r);
    frame->report->last_residual = norm;
    frame->x_is_best = norm < frame->best_norm;
    if (frame->x_is_best) frame->best_norm = norm;
    return norm;
}

void crm_krylov_keep(crm_krylov_frame *frame) {
    if (frame->x_is_best) copy(frame->a->size, frame->x, frame->best);
    frame->x_is_best = false;
}

double crm_krylov_recall(crm_krylov_frame *frame) {
    if (frame->x_is_best) return frame->best_norm;
    double last = frame->report->last_residual;
    copy(frame->a->size, frame->best, frame->x);
    double norm = crm_krylov_measure(frame);
    frame->x_is_best = true;
    frame->report->last_residual = last;
    return norm;
}

void crm_krylov_precondition(const crm_krylov_frame *frame, const double *x, double *y) {
    if (frame->preconditioner != NULL)
        frame->preconditioner->apply(frame->preconditioner->context, x, y);
    else
        copy(frame->a->size, x, y);
}

void crm_krylov_end(crm_krylov_frame *frame, crm_arena *arena, crm_krylov_outcome outcome) {
    if (!frame->x_is_best) copy(frame->a->size, frame->best, frame->x);
    frame->report->residual = frame->best_norm;
    frame->report->outcome = outcome;
    crm_arena_release(arena, frame->mark);
}
