// SPDX-License-Identifier: MIT
#include "verify/checker.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

void crm_check_error(crm_verdict *verdict, double error, double tolerance, const char *quantity, ...) {
    if (isnan(error)) error = INFINITY;
    bool first = verdict->quantity[0] == '\0';
    if (!first && error * verdict->tolerance <= verdict->error * tolerance) return;
    verdict->error = error;
    verdict->tolerance = tolerance;
    va_list arguments;
    va_start(arguments, quantity);
    int used = vsnprintf(verdict->quantity, sizeof verdict->quantity, quantity, arguments);
    va_end(arguments);
    if (verdict->by == NULL || used < 0 || (size_t)used >= sizeof verdict->quantity) return;
    snprintf(verdict->quantity + used, sizeof verdict->quantity - (size_t)used, " by %s", verdict->by);
}

void crm_check_vec3(crm_verdict *verdict, double tolerance, const char *quantity, carom_vec3 got, carom_vec3 wanted) {
    double error = crm_max_component(crm_vec3_abs(crm_sub(got, wanted)));
    crm_check_error(verdict, crm_vec3_finite(got) ? error : INFINITY, tolerance, "%s", quantity);
}

void crm_check_flag(crm_verdict *verdict, const char *quantity, bool got, bool wanted) {
    if (got == wanted) return;
    crm_check_obstacle(verdict, 1.0, quantity, wanted ? "should be true" : "should be false");
}

void crm_check_obstacle(crm_verdict *verdict, double tolerance, const char *quantity, const char *sentence) {
    if (verdict->obstacle[0] != '\0') return; // the first one tells
    verdict->error = 0.0;                     // it tells more than an earlier infinite error
    crm_check_error(verdict, INFINITY, tolerance, "%s", quantity);
    snprintf(verdict->obstacle, sizeof verdict->obstacle, "%s", sentence);
}

bool crm_verdict_passed(const crm_verdict *verdict) {
    return verdict->error <= verdict->tolerance;
}
