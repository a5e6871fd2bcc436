// SPDX-License-Identifier: MIT
// Reference complementarity problems 0 <= z _|_ A z + q >= 0: by the default chain, and by Lemke's method alone. A
// solution is compared where it is the only one; elsewhere its residual, computed from the file's numbers, decides.
#ifndef VERIFY_LCP_H
#define VERIFY_LCP_H

#include "carom/solve.h"
#include "verify/checker.h"

typedef struct crm_lcp_case {
    carom_dense_lcp lcp;
    double *matrix;        // lcp.matrix; zeros when the file gives none
    double *z, *w, *proof; // (lcp.size) of the solver that ran last
    double residual_tolerance, z_tolerance;
} crm_lcp_case;

typedef struct crm_lcp_solver {
    carom_solver solver;
    const char *name;
} crm_lcp_solver;

enum { CRM_LCP_SOLVERS = 2 };
extern const crm_lcp_solver crm_lcp_solvers[CRM_LCP_SOLVERS];

// False, with a failed reading, when something is wrong or there is no memory.
bool crm_lcp_read_problem(crm_reference *r, const crm_case *what, crm_arena *arena, crm_lcp_case *out);

// Solves and compares with what is expected. True when there is a solution to look at further.
bool crm_lcp_check_case(crm_reference *r, const crm_case *what, crm_arena *arena, crm_lcp_case *p, int index,
                        crm_verdict *verdict);

// Zeroed numbers, a matrix of the input by columns, a list of exactly `count` numbers; NULL when something is wrong.
double *crm_lcp_take(crm_reference *r, crm_arena *arena, ptrdiff_t count);
double *crm_lcp_read_matrix(crm_reference *r, const json_t *object, const char *key, crm_arena *arena, int rows,
                            int columns);
const double *crm_lcp_read_list(crm_reference *r, const json_t *object, const char *where, const char *key,
                                crm_arena *arena, int count);

// The largest |a_i - b_i|.
double crm_lcp_difference(int n, const double *a, const double *b);

#endif
