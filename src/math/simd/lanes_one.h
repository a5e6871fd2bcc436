// SPDX-License-Identifier: MIT
// Vectors of one number: see lanes_two.h. For text that is also compiled for a single query.
#ifndef CRM_MATH_LANES
#define CRM_MATH_LANES

#include <math.h>

#define LANES 1
#define lanes double
#define masks int

static inline double load(const double *at) {
    return *at;
}

static inline void store(double *at, double value) {
    *at = value;
}

static inline double fill(double value) {
    return value;
}

static inline double choose(int mask, double a, double b) {
    return mask ? a : b;
}

static inline double larger(double a, double b) {
    return a > b ? a : b;
}

static inline double root(double a) {
    return sqrt(a);
}

static inline unsigned mask_bits(int mask) {
    return (unsigned)mask;
}

#endif
