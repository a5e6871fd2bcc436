// SPDX-License-Identifier: MIT
// The linear systems of Newton's method on contact problems: over all velocities v and impulses r
//
//     M dv - H dr = g,    A du + B dr = c,    du = H^T dv          (bodies)
//     A du + B dr = c,    du = W dr                                (Delassus)
//
// with blocks A, B per group (newton_blocks.h). Bodies are factored in the REDUCED form (M + H B^-1 A H^T) dv,
// over nodes only, DELASSUS ones as (A W + B) dr; both by block LU, as De Saxce's term makes them unsymmetric.
//
// The reduced form loses digits where B^-1 A is large beside M, so v and r are carried side by side and every direction
// is refined against the equations above. With that it has come as far as factoring nodes and groups together, at a
// fraction of the price (docs/solvers.md). Variables are scaled by rows: r' = S r, u' = S^-1 u.
#ifndef CRM_SOLVE_NEWTON_SYSTEM_H
#define CRM_SOLVE_NEWTON_SYSTEM_H

#include <stdbool.h>

#include "base/arena.h"
#include "carom/solve.h"
#include "math/block/block_factor.h"
#include "solve/newton/newton_blocks.h"
#include "solve/operator.h"

typedef enum crm_newton_form { CRM_NEWTON_REDUCED, CRM_NEWTON_DELASSUS } crm_newton_form;

typedef struct crm_newton_system {
    const crm_operator *op; // borrowed
    crm_newton_form form;
    int *node_size;          // (node_count)
    double *scale;           // S (rows)
    double *jacobian;        // S^-1 H^T by incidences, at incidence_at
    double *offset;          // S^-1 w, or S^-1 q for Delassus (rows)
    crm_newton_law *law;     // scaled (group_count)
    crm_newton_block *block; // (group_count)
    crm_csr given;           // W as it came, or of a mobility (DELASSUS)

    crm_block_graph graph;
    crm_block_symbolic symbolic;
    crm_block_matrix matrix;
    crm_block_factor factor;
    int *coupling_edge;        // REDUCED: edge between every two entries of a group, in order
    double **place;            // DELASSUS: where each stored number of W goes in `delassus`
    crm_block_matrix delassus; // S^-1 W S^-1

    double *factor_scratch, *unknown; // of the factored system
    double *momentum_rest, *law_rest; // residuals of the refinement
    double *change_v, *change_r, *change_u;
    int factorizations;
    int left_out;      // pivots of the last factorization that were rounding only
    double inaccuracy; // of the last direction: residual of the equations against the right-hand side
} crm_newton_system;

// Everything that depends on the pattern, with S from the problem's own inverse masses. Memory from `arena`; `scratch`
// is used and released. A mobility is written out as W first.
carom_status crm_newton_create(const crm_operator *op, carom_interrupt interrupt, crm_arena *arena, crm_arena *scratch,
                               crm_newton_system *system, carom_error *error);

// S is the scale of crm_newton_create times `weight` (group_count); NULL goes back to that scale.
void crm_newton_rescale(crm_newton_system *system, const double *weight);

// u' of v (bodies) or of r' (Delassus); v is not read or r not read.
void crm_newton_relative(const crm_newton_system *system, const double *v, const double *r, double *u);

void crm_newton_relative_change(const crm_newton_system *system, const double *dv, const double *dr, double *du);

// force += H r and force -= M v.
void crm_newton_add_push(const crm_newton_system *system, const double *r, double *force);
void crm_newton_subtract_mass(const crm_newton_system *system, const double *v, double *force);

// v of the impulses; nothing for Delassus.
void crm_newton_velocity(const crm_newton_system *system, const double *r, double *v);

// g = M v_free + H r - M v; nothing for Delassus.
void crm_newton_momentum(const crm_newton_system *system, const double *v, const double *r, double *rest);

// Factors with the present blocks.
void crm_newton_factor(crm_newton_system *system);

// Solves for a step with the blocks' c; `rest` is g (bodies). dv is not touched for Delassus.
void crm_newton_direction(crm_newton_system *system, const double *rest, double *dv, double *dr, double *du);

#endif
