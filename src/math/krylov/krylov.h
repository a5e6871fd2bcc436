// SPDX-License-Identifier: MIT
// A x = b when A is known by its products only: conjugate gradients for symmetric positive (semi)definite A, restarted
// GMRES for any other.
//
// Both start from the x they are given and leave in it the best iterate by true residual |b - A x|, whatever happens:
// never worse than the start, unless the start has no finite residual. b = 0 gives x = 0.
//
// The room krylov/: an operator and a right side enter, the best iterate found leaves. csr.h is the plain sparse matrix
// for such products.
#ifndef CRM_MATH_KRYLOV_H
#define CRM_MATH_KRYLOV_H

#include <stdbool.h>

#include "base/arena.h"
#include "carom/status.h"

// y = A x; y does not overlap x. An operator that cannot compute its product writes NaN, and the solver stops.
typedef struct crm_operator {
    void (*apply)(void *context, const double *x, double *y);
    void *context;
    int size;
} crm_operator;

typedef struct crm_krylov_settings {
    double tolerance;          // of |b - A x| relative to |b|. Default 1e-10; below about 1e-15 it cannot be met.
    double absolute_tolerance; // of |b - A x|; the looser of the two counts. Default 0.
    int iteration_limit;       // products with A by the method itself. Default 1000.
    int restart;   // GMRES: length of a cycle; memory grows with it, the danger of stalling shrinks. Default 50.
    bool flexible; // GMRES: allow a preconditioner that changes from call to call, at the price of another
                   // `restart` vectors of memory. Default false.
} crm_krylov_settings;

crm_krylov_settings crm_krylov_settings_default(void);

typedef enum crm_krylov_outcome {
    CRM_KRYLOV_CONVERGED,
    CRM_KRYLOV_ITERATION_LIMIT,
    CRM_KRYLOV_STAGNATED,  // a whole cycle gave no smaller true residual: round-off, or GMRES stalls at this restart
    CRM_KRYLOV_BREAKDOWN,  // A is singular on the space searched and b is not in its range
    CRM_KRYLOV_INDEFINITE, // CG: a direction with p.Ap < 0 (or r.Mr < 0): use GMRES
    CRM_KRYLOV_NOT_FINITE, // NaN or infinity from an operator, in b or in the given x
} crm_krylov_outcome;

typedef struct crm_krylov_report {
    crm_krylov_outcome outcome;
    int iterations;       // products with A by the method; those that check residuals come on top
    int restarts;         // of GMRES, or of CG from a recomputed residual
    double residual;      // |b - A x| of the x returned, recomputed from it; NaN when it is not finite
    double last_residual; // the same of the last iterate; above `residual` when that was not the best
    double target;        // what the residual had to reach: max(tolerance |b|, absolute_tolerance)
} crm_krylov_report;

// `preconditioner` may be NULL. Its product must approximate A^-1; for CG it must be symmetric positive definite.
// Scratch is taken from `arena` at entry and released at exit: CG 6 vectors, GMRES restart + 5 (flexible: twice
// restart). CAROM_ERR_BAD_INPUT for a negative size, sizes that differ, or settings that make no sense;
// CAROM_ERR_NO_MEMORY. Every numerical outcome is CAROM_OK and a report.
carom_status crm_cg(const crm_operator *a, const crm_operator *preconditioner, const double *b, double *x,
                    const crm_krylov_settings *settings, crm_arena *arena, crm_krylov_report *report,
                    carom_error *error);

// Minimises the true residual over each cycle: the preconditioner acts from the right.
carom_status crm_gmres(const crm_operator *a, const crm_operator *preconditioner, const double *b, double *x,
                       const crm_krylov_settings *settings, crm_arena *arena, crm_krylov_report *report,
                       carom_error *error);

#endif
