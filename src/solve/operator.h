// SPDX-License-Identifier: MIT
// A problem, or one island of it, packed for solvers: numbers of one kind side by side, in the order of the groups.
//
// Groups, rows, nodes and velocities are numbered from zero inside the operator. `group_of` and `node_of` lead back to
// the problem; the rows of a group stay together. Small matrices are stored row by row.
//
// Every law is between r and u~ = u + c r, with u = W r + q and c the compliance; `block` and `scale` are those of
// W + C, the products below those of W alone.
#ifndef CRM_SOLVE_OPERATOR_H
#define CRM_SOLVE_OPERATOR_H

#include "base/arena.h"
#include "carom/solve.h"
#include "math/krylov/csr.h"
#include "solve/problem.h"

typedef struct crm_operator {
    carom_problem_form form;
    // ---- groups and rows
    int group_count, row_count;
    const int *group_of;           // number in the problem (group_count)
    const carom_row_group *groups; // copies (group_count)
    const int *row_start;          // (group_count + 1)
    const int *problem_row;        // where a group's rows begin in the problem (group_count)
    const double *offset;          // w, or q for CAROM_FORM_DELASSUS (row_count)
    const double *compliance;      // zeros when the problem has none (row_count)
    const double *q;               // H^T v_free + w (row_count)
    const int *block_start;        // (group_count + 1)
    const double *block;           // W_ii + C_ii, rows x rows each
    const double *scale;           // s_i > 0, an inverse mass: mean diagonal of W_ii + C_ii (group_count)
    // ---- nodes and velocities; none for CAROM_FORM_DELASSUS
    int node_count, velocity_count;
    const int *node_of;          // number in the problem (node_count)
    const int *velocity_start;   // (node_count + 1)
    const int *problem_velocity; // where a node's velocities begin in the problem (node_count)
    const double *free;          // v_free (velocity_count)
    const int *mass_start;       // (node_count + 1)
    const double *mass;          // M, size x size each
    const double *factor;        // its Cholesky factor as math/dense_cholesky.h leaves it, the same places
    const double *inverse;       // M^-1, symmetric to the bit, the same places
    // ---- incidences: rows of one group on one node, by ascending group and node
    int incidence_count;
    const int *incidence_start; // (group_count + 1)
    const int *incidence_node;  // (incidence_count)
    const int *incidence_at;    // where the incidence's numbers begin (incidence_count + 1)
    const double *jacobian;     // of H^T, rows x size each
    const double *response;     // jacobian M^-1, the same places; NULL for CAROM_FORM_MOBILITY
    // ---- what stands for the mass
    carom_problem_mobility *mobility;
    void *mobility_user;
    crm_csr delassus; // CAROM_FORM_DELASSUS
} crm_operator;

// Which groups and nodes to pack, both ascending; NULL: all.
typedef struct crm_selection {
    int group_count, node_count;
    const int *groups, *nodes;
} crm_selection;

// Packs a problem that has been laid out. A selection must be closed: no node, or entry of W that is not zero, leads
// out of it (islands.h makes such); a mobility needs all nodes. The arrays live in the arena.
carom_status crm_operator_build(const carom_problem *problem, const crm_layout *layout, const crm_selection *selection,
                                crm_arena *arena, crm_operator *out, carom_error *error);

// W of a mobility, dense: one product for each row. In the arena.
carom_status crm_operator_form_delassus(const crm_operator *op, crm_arena *arena, crm_csr *out, carom_error *error);

// Doubles of `work` that the products below need.
int crm_operator_work(const crm_operator *op);

// y = W r, and u = W r + q. For a mass with nodes the second goes through v and w, so that it has its accuracy.
void crm_operator_multiply(const crm_operator *op, const double *r, double *work, double *y);
void crm_operator_relative(const crm_operator *op, const double *r, double *work, double *u);

// Sum of the absolute values of all terms of u: eps times it is what rounding makes of u at most, about.
void crm_operator_magnitude(const crm_operator *op, const double *r, double *work, double *terms);

// The products step by step, for forms with nodes: f = H r, v = M^-1 f (bodies only), u = H^T v, v = v_free + M^-1 H r.
void crm_operator_forces(const crm_operator *op, const double *r, double *f);
void crm_operator_divide_mass(const crm_operator *op, double *x); // in place
void crm_operator_rows(const crm_operator *op, const double *v, double *u);
void crm_operator_velocity(const crm_operator *op, const double *r, double *work, double *v);

// Rows between the problem's order and the operator's.
void crm_operator_gather(const crm_operator *op, const double *problem_rows, double *rows);
void crm_operator_scatter(const crm_operator *op, const double *rows, double *problem_rows);
// Velocities likewise.
void crm_operator_scatter_velocity(const crm_operator *op, const double *v, double *problem_velocity);

#endif
