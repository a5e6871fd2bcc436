// SPDX-License-Identifier: MIT
#include "support/control/polynomial.h"

#include "support/harness/check.h"

poly poly_x(int unknown) {
    return (poly){.count = 1, .coefficient = {1.0}, .degree = {1}, .factor = {{(int8_t)(unknown - 1)}}};
}

poly poly_number(double number) {
    return (poly){.count = 1, .coefficient = {number}};
}

poly poly_scaled(double number, poly a) {
    for (int i = 0; i < a.count; i++) a.coefficient[i] *= number;
    return a;
}

poly poly_plus(poly a, poly b) {
    assert_true(a.count + b.count <= POLY_TERMS);
    for (int i = 0; i < b.count; i++, a.count++) {
        a.coefficient[a.count] = b.coefficient[i];
        a.degree[a.count] = b.degree[i];
        for (int k = 0; k < b.degree[i]; k++) a.factor[a.count][k] = b.factor[i][k];
    }
    return a;
}

poly poly_minus(poly a, poly b) {
    return poly_plus(a, poly_scaled(-1.0, b));
}

poly poly_times(poly a, poly b) {
    poly p = {.count = 0};
    assert_true(a.count * b.count <= POLY_TERMS);
    for (int i = 0; i < a.count; i++) {
        for (int j = 0; j < b.count; j++, p.count++) {
            assert_true(a.degree[i] + b.degree[j] <= CRM_PROGRAM_FACTORS);
            p.coefficient[p.count] = a.coefficient[i] * b.coefficient[j];
            for (int k = 0; k < a.degree[i]; k++) p.factor[p.count][p.degree[p.count]++] = a.factor[i][k];
            for (int k = 0; k < b.degree[j]; k++) p.factor[p.count][p.degree[p.count]++] = b.factor[j][k];
        }
    }
    return p;
}

poly poly_square(poly a) {
    return poly_times(a, a);
}

poly poly_linear(double constant, int count, const double *coefficient) {
    poly p = poly_number(constant);
    for (int i = 0; i < count; i++)
        if (coefficient[i] != 0.0) p = poly_plus(p, poly_scaled(coefficient[i], poly_x(i + 1)));
    return p;
}

void poly_add_to(crm_program_builder *b, int32_t row, const poly *p) {
    for (int i = 0; i < p->count; i++) {
        if (p->degree[i] == 0) {
            crm_program_add_constant(b, row, p->coefficient[i]);
            continue;
        }
        int32_t factor[CRM_PROGRAM_FACTORS];
        for (int k = 0; k < p->degree[i]; k++) factor[k] = p->factor[i][k];
        crm_program_add_term(b, row, p->coefficient[i], p->degree[i], factor);
    }
}
