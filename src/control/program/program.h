// SPDX-License-Identifier: MIT
// A nonlinear program as data: minimise f(z), lower <= z <= upper, row_lower <= c(z) <= row_upper.
//
// Nearly all of f and c are terms: a coefficient times a product of at most four unknowns. What is not polynomial is a
// block: a function of a few unknowns with first and second derivatives that adds to some rows. All derivatives are
// exact. Unknowns and rows carry a *place*, which a structured solver eliminates by: of an interval, of a node, of a
// plane (which belongs to an interval), of the whole.
//
// The room program/: rows/ puts a program together by a builder (builder.h), solvers get values and derivatives by an
// evaluator (evaluator.h). Nothing here knows a body.
#ifndef CRM_CONTROL_PROGRAM_H
#define CRM_CONTROL_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "carom/status.h"

enum { CRM_PROGRAM_FACTORS = 4 };

// coefficient * z[factor[0]] * ... ; unused factors are -1 and come last.
typedef struct crm_program_term {
    double coefficient;
    int32_t row; // -1: of the objective.
    int32_t factor[CRM_PROGRAM_FACTORS];
} crm_program_term;

// value[r] of the rows of a block, gradient[r*unknowns + i], and hessian[i*unknowns + j] of sum_r weight[r] value[r].
// gradient and hessian may be NULL, weight where hessian is. Returns false where it cannot be evaluated.
typedef bool crm_block_function(const void *data, const double *z, const double *weight, double *value,
                                double *gradient, double *hessian);

typedef struct crm_program_block {
    crm_block_function *function; // z: of its unknowns alone, in their order
    const void *data;
    int32_t unknown_count, row_count;
    const int32_t *unknown, *row; // unknowns are different ones; a row of -1 is the objective
} crm_program_block;

// Where an unknown or a row belongs. Local ones of an interval (momenta, controls) and of a plane touch, besides
// themselves, only the poses of the nodes `index` and `index + 1`; those of a node only it and both its intervals.
typedef enum crm_place_kind {
    CRM_PLACE_NODE,     // index: the node
    CRM_PLACE_INTERVAL, // index: the interval
    CRM_PLACE_PLANE,    // index: the interval, `part`: which of its planes
    CRM_PLACE_WHOLE,    // time scales, and rows over all nodes
} crm_place_kind;

typedef struct crm_place {
    int32_t kind, index, part;
} crm_place;

typedef struct crm_program {
    int32_t unknown_count, row_count, block_count;
    int64_t term_count;
    double *lower, *upper;         // (unknown_count) infinite where there is none; equal: fixed
    double *row_lower, *row_upper; // (row_count) equal: an equation
    crm_place *unknown_place, *row_place;
    crm_program_term *term; // by row, the objective's first
    crm_program_block *block;
} crm_program;

#endif
