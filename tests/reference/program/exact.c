// SPDX-License-Identifier: MIT
#include "reference/program/exact.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// No value of 128 bits at its end: the sum of two is a number, too.
static const int most_bits = 126;

static exact_int checked(exact_int a) {
    exact_int most = (exact_int)1 << most_bits;
    if (a < most && a > -most) return a;
    fputs("exact arithmetic: a number has outgrown 126 bits\n", stderr);
    abort();
}

static exact_int size_of(exact_int a) {
    return a < 0 ? -a : a;
}

exact_int exact_sum(exact_int a, exact_int b) {
    return checked(checked(a) + checked(b));
}

exact_int exact_product(exact_int a, exact_int b) {
    if (a >= INT32_MIN && a <= INT32_MAX && b >= INT32_MIN && b <= INT32_MAX) return (int64_t)a * (int64_t)b;
    exact_int most = ((exact_int)1 << most_bits) - 1;
    if (b != 0 && size_of(checked(a)) > most / size_of(checked(b))) return checked(most + 1); // ends
    return a * b;
}

exact_int exact_divisor(exact_int a, exact_int b) {
    a = size_of(a);
    b = size_of(b);
    while (b != 0) {
        bool narrow = a <= INT64_MAX && b <= INT64_MAX; // much faster
        exact_int rest = narrow ? (exact_int)((int64_t)a % (int64_t)b) : a % b;
        a = b;
        b = rest;
    }
    return a;
}

int exact_sign(exact_int a) {
    return (a > 0) - (a < 0);
}

exact_vector exact_minus(exact_vector a, exact_vector b) {
    return (exact_vector){exact_sum(a.x, -b.x), exact_sum(a.y, -b.y), exact_sum(a.z, -b.z)};
}

exact_vector exact_times(exact_int s, exact_vector a) {
    return (exact_vector){exact_product(s, a.x), exact_product(s, a.y), exact_product(s, a.z)};
}

exact_vector exact_cross(exact_vector a, exact_vector b) {
    return (exact_vector){exact_sum(exact_product(a.y, b.z), -exact_product(a.z, b.y)),
                          exact_sum(exact_product(a.z, b.x), -exact_product(a.x, b.z)),
                          exact_sum(exact_product(a.x, b.y), -exact_product(a.y, b.x))};
}

exact_int exact_dot(exact_vector a, exact_vector b) {
    return exact_sum(exact_sum(exact_product(a.x, b.x), exact_product(a.y, b.y)), exact_product(a.z, b.z));
}

exact_vector exact_shortest(exact_vector a) {
    exact_int d = exact_divisor(exact_divisor(a.x, a.y), a.z);
    return d == 0 ? a : (exact_vector){a.x / d, a.y / d, a.z / d};
}

fraction fraction_of(exact_int above, exact_int below) {
    exact_int d = exact_divisor(above, below) * exact_sign(below);
    return (fraction){above / d, below / d};
}

fraction fraction_minus(fraction a, fraction b) {
    return fraction_of(exact_sum(exact_product(a.above, b.below), -exact_product(b.above, a.below)),
                       exact_product(a.below, b.below));
}

fraction fraction_times(fraction a, fraction b) {
    return fraction_of(exact_product(a.above, b.above), exact_product(a.below, b.below));
}

fraction fraction_over(fraction a, fraction b) {
    return fraction_of(exact_product(a.above, b.below), exact_product(a.below, b.above));
}

double fraction_value(fraction a) {
    return (double)((long double)a.above / (long double)a.below);
}
