// SPDX-License-Identifier: MIT
// The multifrontal factorization P^T S A S P = L D L^T of sparse symmetric matrices of any inertia (Duff and Reid 1983;
// Liu 1992). S equilibrates A, so that pivots can be compared. A pivot that is too small in its front is put off to the
// front above; in the last one what is zero is left out, and its unknown is zero in every solution.
//
// Fixed order of every sum: the same matrix gives the same bits. One thread; allocates only while pivots are put off
// that never were before.
#ifndef CRM_MATH_FRONT_FACTOR_H
#define CRM_MATH_FRONT_FACTOR_H

#include <stdbool.h>

#include "math/frontal/front_eliminate.h"
#include "math/frontal/front_symbolic.h"

// A front that has been eliminated.
typedef struct crm_front_factored {
    int size, eliminated;
    ptrdiff_t values;  // columns of L (size * eliminated)
    ptrdiff_t labels;  // positions of its rows (size)
    ptrdiff_t inverse; // D^-1 (2 * eliminated)
} crm_front_factored;

// What a front hands on to its parent: its lower triangle by columns, each from the diagonal down.
typedef struct crm_front_rest {
    int front, rows, put_off; // the first rows are pivots that were put off
    ptrdiff_t values, labels;
} crm_front_rest;

typedef struct crm_front_numbers {
    double *at;
    ptrdiff_t used, capacity;
} crm_front_numbers;

typedef struct crm_front_labels {
    int *at;
    ptrdiff_t used, capacity;
} crm_front_labels;

typedef struct crm_front_factor {
    const crm_front_symbolic *symbolic; // borrowed
    const crm_front_kernels *kernels;
    crm_arena *arena;            // borrowed: more memory where pivots are put off
    double *scale;               // S by unknown (size)
    crm_front_factored *fronts;  // (front_count)
    crm_front_numbers values;    // of all L
    crm_front_numbers inverses;  // of all D^-1
    crm_front_labels labels;     // of all rows
    crm_front_numbers rests;     // stack
    crm_front_labels rest_labels;
    crm_front_rest *rest; // stack (front_count)
    int rest_count;
    crm_front_numbers block; // the front at hand, and its work
    crm_front_numbers work;
    double *solution; // by position (size)
    crm_front_numbers gathered;
    int largest; // of all fronts
} crm_front_factor;

typedef struct crm_front_report {
    int positive, negative, zero; // inertia
    int put_off;                  // pivots, each as often as it was
    bool finite;
} crm_front_report;

carom_status crm_front_factor_create(const crm_front_symbolic *symbolic, crm_arena *arena, crm_front_factor *factor,
                                     carom_error *error);

// `value` has the entries of the pattern. Fails for want of memory only.
carom_status crm_front_factor_compute(crm_front_factor *factor, const double *value, crm_front_report *report,
                                      carom_error *error);

// x <- A^-1 x, by the unknowns' own numbers.
void crm_front_factor_solve(crm_front_factor *factor, double *x);

#endif
