// SPDX-License-Identifier: MIT
// Reading ellipsoids of stored cases, and making random ones.
#ifndef TEST_REFERENCE_ELLIPSOID_CASES_H
#define TEST_REFERENCE_ELLIPSOID_CASES_H

#include "reference/ellipsoid/ellipsoid.h"
#include "reference/motion/case_check.h"
#include "reference/motion/oracle.h"
#include "support/harness/sample.h"

static inline ellipsoid read_ellipsoid(const json_t *input, const char *c, const char *a, const char *q) {
    ellipsoid e;
    CHECK_INT(oracle_numbers(input, c, e.centre, 3), 3);
    CHECK_INT(oracle_numbers(input, a, e.axes, 3), 3);
    CHECK_INT(oracle_numbers(input, q, e.attitude, 4), 4);
    return e;
}

// Axes between 1/ratio and 1, spread evenly in the logarithm; centre within `extent` of the origin.
static inline ellipsoid sample_ellipsoid(sampler *s, double ratio, double extent) {
    carom_vec3 c = sample_vec3(s, extent);
    carom_quat q = sample_attitude(s);
    ellipsoid e = {.centre = {c.x, c.y, c.z}, .attitude = {q.w, q.x, q.y, q.z}};
    for (int i = 0; i < 3; i++) e.axes[i] = pow(ratio, -sample_between(s, 0.0, 1.0));
    return e;
}

static inline double ellipsoid_size(const ellipsoid *e) {
    return fmax(e->axes[0], fmax(e->axes[1], e->axes[2]));
}

static inline double distance_between(const double *a, const double *b) {
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

#endif
