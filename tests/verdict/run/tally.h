// SPDX-License-Identifier: MIT
// Outcomes of a campaign by kind of case and by method, as a table.
#ifndef TEST_VERDICT_TALLY_H
#define TEST_VERDICT_TALLY_H

#include "verdict/run/evaluation.h"

enum { TALLY_MOST_LINES = 48 };

typedef struct tally_line {
    const char *name; // a kind, or a method
    int runs, wrong, of[OUTCOME_COUNT];
    double seconds;
} tally_line;

typedef struct tally {
    tally_line all, line[TALLY_MOST_LINES];
    int lines;
} tally;

void tally_add(tally *t, const verdict_case *c, const evaluation *e);
void tally_print(const tally *t);

#endif
