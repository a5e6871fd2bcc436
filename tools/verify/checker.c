// SPDX-License-Identifier: MIT
#include "verify/checker.h"

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
    int used = vsnprintf(judgement->quantity, sizeof judgement->quantity, quantity, arguments);
    va_end(arguments);
    if (judgement->by == NULL || used < 0 || (size_t)used >= sizeof judgement->quantity) return;
    snprintf(judgement->quantity + used, sizeof judgement->quantity - (size_t)used, " by %s", judgement->by);
}

void crm_judge_vec3(crm_judgement *judgement, double tolerance, const char *quantity, carom_vec3 got,
                    carom_vec3 wanted) {
    double error = crm_max_component(crm_vec3_abs(crm_sub(got, wanted)));
    crm_judge(judgement, crm_vec3_finite(got) ? error : INFINITY, tolerance, "%s", quantity);
}

void crm_judge_flag(crm_judgement *judgement, const char *quantity, bool got, bool wanted) {
    if (got == wanted) return;
    crm_judge_obstacle(judgement, 1.0, quantity, wanted ? "should be true" : "should be false");
}

void crm_judge_obstacle(crm_judgement *judgement, double tolerance, const char *quantity, const char *sentence) {
    if (judgement->obstacle[0] != '\0') return; // the first one tells
    judgement->error = 0.0;                     // it tells more than an earlier infinite error
    crm_judge(judgement, INFINITY, tolerance, "%s", quantity);
    snprintf(judgement->obstacle, sizeof judgement->obstacle, "%s", sentence);
}

bool crm_judgement_passed(const crm_judgement *judgement) {
    return judgement->error <= judgement->tolerance;
}
