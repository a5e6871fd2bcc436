// SPDX-License-Identifier: MIT
// Rational numbers without rounding. Integers of 128 bits; a program whose numbers outgrow them ends, it never goes on
// with wrong ones.
#ifndef TEST_REFERENCE_EXACT_H
#define TEST_REFERENCE_EXACT_H

__extension__ typedef __int128 exact_int;

exact_int exact_sum(exact_int a, exact_int b);
exact_int exact_product(exact_int a, exact_int b);
exact_int exact_divisor(exact_int a, exact_int b); // the greatest common one, 0 of two zeros
int exact_sign(exact_int a);

typedef struct exact_vector {
    exact_int x, y, z;
} exact_vector;

exact_vector exact_minus(exact_vector a, exact_vector b);
exact_vector exact_times(exact_int s, exact_vector a);
exact_vector exact_cross(exact_vector a, exact_vector b);
exact_int exact_dot(exact_vector a, exact_vector b);
exact_vector exact_shortest(exact_vector a); // the shortest integer vector along it

// In lowest terms, the denominator positive.
typedef struct fraction {
    exact_int above, below;
} fraction;

fraction fraction_of(exact_int above, exact_int below); // `below` is not zero
fraction fraction_minus(fraction a, fraction b);
fraction fraction_times(fraction a, fraction b);
fraction fraction_over(fraction a, fraction b); // b is not zero
double fraction_value(fraction a);

#endif
