// SPDX-License-Identifier: MIT
#include "verify/judge.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

void crm_judge(crm_judgement *judgement, double error, double tolerance, const char *quantity, ...) {
    if (isnan(error)) error = INFINITY;
    bool first = judgement->quantity[0] == '\0';
    if (!first && error * judgement->tolerance <= judgement->error * tolerance) return;
    judgement->error = error;
    judgement->tolerance = tolerance;
    va_list arguments;
    va_start(arguments, quantity);
    vsnprintf(judgement->quantity, sizeof judgement->quantity, quantity, arguments);
    va_end(arguments);
}

void crm_judge_obstacle(crm_judgement *judgement, double tolerance, const char *quantity, const char *sentence) {
    crm_judge(judgement, INFINITY, tolerance, "%s", quantity);
    snprintf(judgement->obstacle, sizeof judgement->obstacle, "%s", sentence);
}

bool crm_judgement_passed(const crm_judgement *judgement) {
    return judgement->error <= judgement->tolerance;
}
