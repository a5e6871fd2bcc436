// SPDX-License-Identifier: MIT
// Richardson extrapolation of functions whose limit is known.
#include "verify/extrapolate.h"

#include <math.h>

#include "support/harness/check.h"

// (1 + h)^(1/h) to e has all powers of h; h / tan h to 1 has even ones.
static double compound_interest(double h) {
    return exp(log1p(h) / h);
}
static double cotangent(double h) {
    return h / tan(h);
}

static double limit_of(double (*function)(double), int power, int levels, double *estimate) {
    double columns[CRM_MOST_LEVELS][1];
    crm_extrapolation e = {.power = power, .count = 1};
    for (int k = 0; k < levels; k++) {
        e.table[k] = columns[k];
        columns[k][0] = function(ldexp(0.5, -k));
        *estimate = crm_extrapolation_advance(&e);
    }
    return columns[levels - 1][0];
}

TEST(extrapolation_finds_limits_and_its_estimate_covers_them) {
    const double e = 2.71828182845904523536;
    for (int levels = 2; levels <= 7; levels++) {
        double estimate;
        double interest = limit_of(compound_interest, 1, levels, &estimate);
        CHECK(fabs(interest - e) <= estimate + 4e-15);
        double cosecant = limit_of(cotangent, 2, levels, &estimate);
        CHECK(fabs(cosecant - 1.0) <= estimate + 1e-15);
    }
    double estimate;
    CHECK_NEAR(limit_of(compound_interest, 1, 9, &estimate), e, 1e-13);
    CHECK_NEAR(limit_of(cotangent, 2, 6, &estimate), 1.0, 1e-15);
    limit_of(cotangent, 2, 1, &estimate);
    CHECK(isinf(estimate));
}

TEST_MAIN(CASE(extrapolation_finds_limits_and_its_estimate_covers_them))
