// SPDX-License-Identifier: MIT
// Restarted GMRES: Saad and Schultz, SIAM J. Sci. Stat. Comput. 7 (1986); preconditioned from the right and optionally
// flexible, Saad, SIAM J. Sci. Comput. 14 (1993). Saad, Iterative Methods, 2nd ed., Algorithms 9.5 and 9.6.
//
// Right preconditioning keeps |b - A x| the quantity that a cycle minimises. Basis vectors have norm 1, so that the
// scale of b does not matter; after each cycle the residual is recomputed from x.
#include <float.h>
#include <math.h>

#include "base/fail.h"
#include "math/dense/dense.h"
#include "math/dense/dense_triangle.h"
#include "math/krylov/krylov_frame.h"

// Orthogonalise a second time when the first pass has taken away more than this share of the vector: "twice is enough"
// (Daniel, Gragg, Kaufman, Stewart, Math. Comp. 30 (1976); 1/sqrt(2) after Rutishauser).
static const double orthogonal_enough = 0.70710678118654752;

// A cycle whose residual shrinks by less than this share would need more than 1e9 like it for one digit: it is stuck. A
// cycle that by its own estimate has met the target, or has exhausted the space, repeats itself for the sake of
// round-off only and must bring a tenth; 3,000 random singular and graded systems stopped far from their best when it
// had to halve.
static const double least_progress = 1e-10;
static const double useful_reduction = 0.9;

// When R is nearly singular its solution is too large to be summed, and x does not do what the estimate promised. Fewer
// columns may then do better. Their estimates are lower bounds: to leave out one more is worth while only as long as
// that could gain this factor.
static const double worth_trying = 1.1;

typedef struct workspace {
    int length;            // of a cycle, m
    double *basis;         // V: orthonormal, n x (m + 1)
    double *moved;         // Z = M V: n x m if flexible, else one column
    double *start;         // x at the start of the cycle (n)
    double *h;             // R of the Hessenberg matrix, by columns of m + 1
    double *cosine, *sine; // Givens rotations (m)
    double *g;             // rotated right-hand side (m + 1)
    double *y;             // coefficients of the answer (m)
    double *estimate;      // residual after so many columns, in units of the cycle's first (m + 1)
} workspace;

typedef enum cycle_end { CYCLE_FULL, CYCLE_TARGET, CYCLE_INVARIANT, CYCLE_LIMIT, CYCLE_NOT_FINITE } cycle_end;

static bool take_workspace(const crm_krylov_frame *frame, crm_arena *arena, workspace *w) {
    ptrdiff_t n = frame->a->size, m = frame->settings.restart;
    if (m > n) m = n; // exact termination
    if (m > frame->settings.iteration_limit) m = frame->settings.iteration_limit;
    w->length = (int)m;
    w->basis = CRM_ARENA_ARRAY(arena, double, (m + 1) * n);
    w->moved = CRM_ARENA_ARRAY(arena, double, n *(frame->settings.flexible ? m : 1));
    w->h = CRM_ARENA_ARRAY(arena, double, (m + 1) * m);
    w->cosine = CRM_ARENA_ARRAY(arena, double, m);
    w->sine = CRM_ARENA_ARRAY(arena, double, m);
    w->g = CRM_ARENA_ARRAY(arena, double, m + 1);
    w->y = CRM_ARENA_ARRAY(arena, double, m);
    w->estimate = CRM_ARENA_ARRAY(arena, double, m + 1);
    w->start = CRM_ARENA_ARRAY(arena, double, n);
    return w->basis && w->moved && w->h && w->cosine && w->sine && w->g && w->y && w->estimate && w->start;
}

// Modified Gram-Schmidt of w against the first `count` basis vectors; adds the coefficients to h.
static void orthogonalise(int n, int count, const double *basis, double *h, double *w) {
    for (int i = 0; i < count; i++) {
        const double *v = basis + (ptrdiff_t)i * n;
        double c = crm_dense_dot(n, v, w);
        h[i] += c;
        crm_dense_add_scaled(n, -c, v, w);
    }
}

// Applies the earlier rotations to the new column h (j + 2 entries) and makes the one that takes its last entry to
// zero.
static void rotate_column(const workspace *w, int j, double *h) {
    for (int i = 0; i < j; i++) {
        double top = h[i], bottom = h[i + 1];
        h[i] = w->cosine[i] * top + w->sine[i] * bottom;
        h[i + 1] = w->cosine[i] * bottom - w->sine[i] * top;
    }
    double radius = hypot(h[j], h[j + 1]);
    w->cosine[j] = radius == 0.0 ? 1.0 : h[j] / radius;
    w->sine[j] = radius == 0.0 ? 0.0 : h[j + 1] / radius;
    h[j] = radius;
    h[j + 1] = 0.0;
    w->g[j + 1] = -w->sine[j] * w->g[j];
    w->g[j] *= w->cosine[j];
}

// Builds the basis from r / scale until the estimate meets the target. *columns is the number of usable columns of R;
// *singular is set when the last one had to be left out because A maps its direction into the others' image.
static cycle_end build_basis(crm_krylov_frame *frame, double scale, const workspace *w, int *columns, bool *singular) {
    ptrdiff_t n = frame->a->size;
    for (ptrdiff_t i = 0; i < n; i++) w->basis[i] = frame->residual[i] / scale;
    w->g[0] = w->estimate[0] = 1.0;
    *singular = false;
    for (int j = 0; j < w->length; j++) {
        *columns = j;
        if (frame->report->iterations >= frame->settings.iteration_limit) return CYCLE_LIMIT;
        double *z = frame->settings.flexible ? w->moved + j * n : w->moved;
        double *next = w->basis + (j + 1) * n, *h = w->h + (ptrdiff_t)j * (w->length + 1);
        crm_krylov_precondition(frame, w->basis + j * n, z);
        frame->a->apply(frame->a->context, z, next);
        frame->report->iterations++;

        double before = crm_dense_norm2((int)n, next);
        if (!isfinite(before)) return CYCLE_NOT_FINITE;
        for (int i = 0; i <= j; i++) h[i] = 0.0;
        orthogonalise((int)n, j + 1, w->basis, h, next);
        double after = crm_dense_norm2((int)n, next);
        if (after < orthogonal_enough * before) {
            orthogonalise((int)n, j + 1, w->basis, h, next);
            after = crm_dense_norm2((int)n, next);
        }
        // What is left of the vector is round-off: the space is invariant under A M. Measured by this product, not by
        // the largest one: badly scaled matrices live on products that are tiny beside others.
        double noise = (double)n * DBL_EPSILON * before;
        bool invariant = after <= noise;
        h[j + 1] = invariant ? 0.0 : after;
        rotate_column(w, j, h);
        if (h[j] <= noise) {
            *singular = true;
            return CYCLE_INVARIANT;
        }
        *columns = j + 1;
        // A reduction by more than 1 / eps cannot be true; time to look at the true residual.
        double estimate = w->estimate[j + 1] = fabs(w->g[j + 1]);
        if (estimate * scale <= frame->report->target || estimate <= DBL_EPSILON) return CYCLE_TARGET;
        if (invariant) return CYCLE_INVARIANT;
        for (ptrdiff_t i = 0; i < n; i++) next[i] /= after;
    }
    return CYCLE_FULL;
}

// x = start + scale M V y, where R y = g in the first `columns` columns. The basis vector after them serves as scratch.
static void set_x(const crm_krylov_frame *frame, double scale, const workspace *w, int columns) {
    ptrdiff_t n = frame->a->size;
    for (int j = 0; j < columns; j++) w->y[j] = w->g[j];
    crm_upper_solve(columns, w->h, w->length + 1, w->y);
    for (ptrdiff_t i = 0; i < n; i++) frame->x[i] = w->start[i];
    if (frame->settings.flexible) {
        for (int j = 0; j < columns; j++) crm_dense_add_scaled((int)n, scale * w->y[j], w->moved + j * n, frame->x);
        return;
    }
    double *sum = w->basis + columns * n;
    crm_dense_multiply_vector((int)n, columns, w->basis, n, w->y, sum);
    crm_krylov_precondition(frame, sum, w->moved);
    crm_dense_add_scaled((int)n, scale, w->moved, frame->x);
}

// Moves x to the cycle's answer, with fewer columns if all of them do not keep the promise. Returns the true residual
// of the x it leaves, which is the best of all that were tried.
static double move_x(crm_krylov_frame *frame, double scale, const workspace *w, int columns) {
    for (int i = 0; i < frame->a->size; i++) w->start[i] = frame->x[i];
    for (int used = columns; used > 0; used--) {
        crm_krylov_keep(frame);
        set_x(frame, scale, w, used);
        double norm = crm_krylov_measure(frame);
        if (norm <= frame->report->target) break;
        if (worth_trying * scale * w->estimate[used - 1] >= frame->best_norm) break;
    }
    return crm_krylov_recall(frame);
}

static crm_krylov_outcome iterate(crm_krylov_frame *frame, const workspace *w) {
    double norm = frame->best_norm;
    for (;;) {
        int columns = 0;
        bool singular;
        cycle_end end = build_basis(frame, norm, w, &columns, &singular);
        double next = norm;
        if (columns > 0) {
            next = move_x(frame, norm, w, columns);
            if (next <= frame->report->target) return CRM_KRYLOV_CONVERGED;
        }
        if (end == CYCLE_NOT_FINITE || !isfinite(next)) return CRM_KRYLOV_NOT_FINITE;
        if (singular) return CRM_KRYLOV_BREAKDOWN;
        if (frame->report->iterations >= frame->settings.iteration_limit) return CRM_KRYLOV_ITERATION_LIMIT;
        double wanted = end == CYCLE_FULL ? 1.0 - least_progress : useful_reduction;
        if (!(next <= wanted * norm)) return CRM_KRYLOV_STAGNATED;
        norm = next;
        frame->report->restarts++;
    }
}

carom_status crm_gmres(const crm_operator *a, const crm_operator *preconditioner, const double *b, double *x,
                       const crm_krylov_settings *settings, crm_arena *arena, crm_krylov_report *report,
                       carom_error *error) {
    crm_krylov_frame frame;
    bool go_on;
    carom_status status = crm_krylov_begin(&frame, a, preconditioner, b, x, settings, arena, report, error, &go_on);
    if (status != CAROM_OK) return status;

    crm_krylov_outcome outcome = report->outcome;
    if (go_on) {
        workspace w;
        if (!take_workspace(&frame, arena, &w)) {
            crm_arena_release(arena, frame.mark);
            return crm_fail_memory(error, "GMRES", ((size_t)settings->restart + 1) * (size_t)a->size * sizeof(double));
        }
        outcome = iterate(&frame, &w);
    }
    crm_krylov_end(&frame, arena, outcome);
    return CAROM_OK;
}
