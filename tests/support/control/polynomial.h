// SPDX-License-Identifier: MIT
// Polynomials of degree 4 at most, so that programs read as they are printed:
//
//     poly_add_to(&builder, row, poly_minus(poly_square(poly_x(1)), poly_x(2)));   x1^2 - x2
//
// Unknowns are numbered from 1, as in the literature.
#ifndef TEST_SUPPORT_POLYNOMIAL_H
#define TEST_SUPPORT_POLYNOMIAL_H

#include "control/program/builder.h"

enum { POLY_TERMS = 128 };

typedef struct poly {
    int count;
    double coefficient[POLY_TERMS];
    int8_t degree[POLY_TERMS];
    int8_t factor[POLY_TERMS][CRM_PROGRAM_FACTORS];
} poly;

poly poly_x(int unknown);
poly poly_number(double number);
poly poly_plus(poly a, poly b);
poly poly_minus(poly a, poly b);
poly poly_times(poly a, poly b);
poly poly_scaled(double number, poly a);
poly poly_square(poly a);
// sum of coefficient[i] x_(i+1) + constant
poly poly_linear(double constant, int count, const double *coefficient);
#define POLY_LINEAR(constant, ...) \
    poly_linear((constant), (int)(sizeof((double[]){__VA_ARGS__}) / sizeof(double)), (const double[]){__VA_ARGS__})

void poly_add_to(crm_program_builder *builder, int32_t row, const poly *p);

#endif
