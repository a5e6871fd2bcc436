// SPDX-License-Identifier: MIT
// What the Krylov methods share: checks, the true residual, and keeping the best iterate.
//
// Between begin and end the method moves `x`; after each move it calls crm_krylov_measure, before the next one
// crm_krylov_keep. x is copied only when it is about to be lost while it is the best.
#ifndef CRM_MATH_KRYLOV_FRAME_H
#define CRM_MATH_KRYLOV_FRAME_H

#include "math/krylov/krylov.h"

typedef struct crm_krylov_frame {
    const crm_operator *a;
    const crm_operator *preconditioner; // or NULL
    const double *b;
    double *x;
    double *residual; // b - A x as last measured
    double *best;     // copy of the best iterate, when that is not x
    double best_norm; // its true residual
    bool x_is_best;
    crm_mark mark; // of the arena at entry
    crm_krylov_settings settings;
    crm_krylov_report *report;
} crm_krylov_frame;

// Checks the input, takes two vectors and measures the start. `*go_on` says whether there is anything left to do; if
// not, the report and x are already final. Whatever it returns, crm_krylov_end must be called when that is CAROM_OK.
carom_status crm_krylov_begin(crm_krylov_frame *frame, const crm_operator *a, const crm_operator *preconditioner,
                              const double *b, double *x, const crm_krylov_settings *settings, crm_arena *arena,
                              crm_krylov_report *report, carom_error *error, bool *go_on);

// Recomputes the residual of x and returns its norm, NaN or infinite when it is not finite.
double crm_krylov_measure(crm_krylov_frame *frame);

// Saves x if it is the best iterate so far.
void crm_krylov_keep(crm_krylov_frame *frame);

// Goes back to the best iterate and its residual if x is not it; returns the residual's norm.
double crm_krylov_recall(crm_krylov_frame *frame);

// y = M x, or a copy without a preconditioner.
void crm_krylov_precondition(const crm_krylov_frame *frame, const double *x, double *y);

// Leaves the best iterate in x, completes the report, and releases all scratch.
void crm_krylov_end(crm_krylov_frame *frame, crm_arena *arena, crm_krylov_outcome outcome);

#endif
