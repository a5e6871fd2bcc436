// SPDX-License-Identifier: MIT
// What a verdict is worth: held against what was known of the case, what is computed from its frames, and the run at
// half the step.
#ifndef TEST_VERDICT_EVALUATION_H
#define TEST_VERDICT_EVALUATION_H

#include "verdict/independent/independent.h"
#include "verdict/run/verdict_case.h"

typedef enum outcome {
    OUTCOME_SEEN,       // not green, or refused
    OUTCOME_AGREED,     // green, and nothing is wrong: by frames, nor at half the step
    OUTCOME_TRUNCATION, // green, nothing is wrong by frames, but half the step leads elsewhere
    OUTCOME_MISSED,     // green, and wrong
    OUTCOME_COUNT
} outcome;

typedef struct evaluation {
    outcome outcome;
    finding found; // from frames
    bool wrong;    // by frames, or by a closed form
    bool refused;
    carom_colour colour;
    char sentence[512];
    double seconds;    // of processor time for its steps
    double difference; // to the run at half the step, where that was looked at; else 0
    double end_error;  // of a closed form, over what is allowed; 0: there is none
} evaluation;

// Of a wrong or doubtful case.
evaluation evaluate_wrong(const verdict_case *c);
// Of a right one: seen are those that are not green; missed is none.
evaluation evaluate_right(const verdict_case *c);

#endif
