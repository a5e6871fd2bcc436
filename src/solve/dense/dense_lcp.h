// SPDX-License-Identifier: MIT
// Dense linear complementarity problems, 0 <= z _|_ w = A z + q >= 0: what the methods share.
//
// A matrix and an offset enter, from carom_dense_lcp_solve, from contact laws with pyramids (pyramid.h) or, with a
// guess, from the method `potential`; z leaves, or a proof that there is none.
//
// The methods work on an equilibrated copy: for positive diagonal R and C and s > 0 the problem of R A C, R q / s has
// the solutions C^-1 z / s, so that A's entries are about 1 and q's least is about -1 without loss. Powers of two keep
// that exact.
#ifndef CRM_SOLVE_DENSE_LCP_H
#define CRM_SOLVE_DENSE_LCP_H

#include <stdbool.h>

#include "base/arena.h"
#include "carom/solve.h"

// Where a method leaves what it found.
typedef struct crm_dense_lcp_result {
    carom_dense_lcp_outcome outcome;
    carom_solver solver; // who had the last word; the cascade's business
    double residual;     // crm_dense_lcp_residual of z
    double *z;           // (size) best point so far; a method starts from zeros
    double *proof;       // (size) y >= 0, sum y = 1, A^T y <= 0, q.y < 0 when infeasible
    int pivots, steps, cases;
    carom_interrupt interrupt; // of who asked: methods end early, with the best point so far
} crm_dense_lcp_result;

// w = A z + q.
void crm_dense_lcp_slack(const carom_dense_lcp *lcp, const double *z, double *w);

// max |min(z_i, w_i)| relative to q's negative part, or to z / 1000 where that is larger, but at most 1000 times q;
// infinite when z is not finite. `w` (size) is filled. Positive q_i do not count: a contact that is far away must not
// make the others' errors look small.
double crm_dense_lcp_residual(const carom_dense_lcp *lcp, const double *z, double *w);

// Takes z as the result when it is better than the one at hand, and says whether that reaches the tolerance. Before
// that z is polished: the linear system of its active set {z_i > w_i} is solved afresh, with refinement.
carom_status crm_dense_lcp_offer(const carom_dense_lcp *lcp, const double *z, double tolerance, crm_arena *arena,
                                 crm_dense_lcp_result *result, bool *reached, carom_error *error);

// The methods. All expect an equilibrated problem that is finite, and are bounded in every loop. The status tells of a
// lack of memory only.
typedef carom_status crm_dense_lcp_method(const carom_dense_lcp *lcp, double tolerance, crm_arena *arena,
                                          crm_dense_lcp_result *result, carom_error *error);
crm_dense_lcp_method crm_dense_lcp_lemke;             // solved, infeasible, ray or gave up
crm_dense_lcp_method crm_dense_lcp_min_map;           // solved or gave up
crm_dense_lcp_method crm_dense_lcp_min_map_from_zero; // the same from one start only
crm_dense_lcp_method crm_dense_lcp_branch;            // solved, infeasible, unsolvable or gave up
crm_dense_lcp_method crm_dense_lcp_cascade;           // one after the other: CAROM_SOLVER_AUTO

// Is there any z >= 0 with A z + q >= 0? If certainly not, the outcome becomes CAROM_DENSE_LCP_INFEASIBLE with its
// proof.
carom_status crm_dense_lcp_refute(const carom_dense_lcp *lcp, crm_arena *arena, crm_dense_lcp_result *result,
                                  carom_error *error);

// carom_dense_lcp_solve, that ends early when it is interrupted.
carom_status crm_dense_lcp_solve(const carom_dense_lcp *lcp, carom_solver solver, double tolerance,
                                 carom_interrupt interrupt, const carom_allocator *allocator, double *z, double *proof,
                                 carom_dense_lcp_report *report, carom_error *error);

// Solves a problem of any scale whose matrix is positive definite, or nearly so, from the guess in `z` (size), which
// gets the solution. A guess of the right active set is only polished; from others Lemke's method follows. False in
// `solved` when the tolerance is not reached, a number is not finite, or it was interrupted. Fails for want of memory
// only.
carom_status crm_dense_lcp_solve_near(const carom_dense_lcp *lcp, double tolerance, carom_interrupt interrupt,
                                      crm_arena *arena, double *z, bool *solved, carom_error *error);

#endif
