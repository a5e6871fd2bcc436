// SPDX-License-Identifier: MIT
// A plan's program with a point of it, for tests that look at rows.
#ifndef TEST_SUPPORT_DRAFTED_H
#define TEST_SUPPORT_DRAFTED_H

#include "control/guess/guess.h"

typedef struct drafted {
    crm_arena arena;
    crm_motion *start;
    crm_draft draft;
    crm_program program;
    crm_evaluator evaluator;
    double *z;   // (unknown_count)
    double *row; // values at z, once they are asked for (row_count)
} drafted;

// The program of a frozen model, joints closed at the start; a failed call is a failed check with its sentence, and
// then `program.unknown_count` is 0. `arcs` may be zeros; planned contacts make
// their own. All planes have rows.
void drafted_make(drafted *d, const carom_model *model, const carom_plan_def *def, crm_arc_ends arcs, bool soft_ends);
void drafted_free(drafted *d);

// z by the guess of the definition, without forces.
void drafted_guess(drafted *d);

// Values of the rows at z, and the largest amount by which one of a kind (-1: of any) is broken.
double drafted_broken(drafted *d, int kind);

#endif
