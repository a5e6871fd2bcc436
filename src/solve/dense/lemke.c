// SPDX-License-Identifier: MIT
// Lemke's method: follow w = A z + q + t d, z and w complementary but for one i, from a large t down to t = 0.
//
// It ends at a solution or on a ray. A ray proves infeasibility for some classes of A, but not for the copositive
// matrices of contact with friction (docs/math.md 6.7). So on a ray a linear program decides whether the problem is
// infeasible, and if not another covering vector d > 0 leads along another path.
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/limits/limit.h"
#include "base/random.h"
#include "solve/dense/dense_lcp.h"
#include "solve/dense/feasible.h"
#include "solve/dense/tableau.h"

enum { COVERING_VECTORS = 8 };

// Ones; then random ones of ever wider spread, each a pure function of its number.
static void choose_cover(int number, int n, double *d) {
    double spread = 0.5 * number; // powers of two either way
    crm_random random = {.seed = 0x1E3CE, .stream = (uint32_t)number};
    for (int i = 0; i < n; i++) d[i] = number == 0 ? 1.0 : exp2(crm_random_between(&random, -spread, spread));
}

// Long enough for paths that are exponential on small problems, short enough not to hang on large ones.
static int pivot_limit(int n) {
    double size = n + 1.0;
    return (int)fmin(1e6, 100.0 * size + 2e9 / (size * size * size));
}

typedef enum path_end { PATH_SOLVED, PATH_RAY, PATH_LIMIT } path_end;

// Brent's search for a cycle: the basis is kept at exchanges 1, 2, 4, 8, ..., and each is compared with the last one
// kept. No path comes to a basis twice but by rounding, and then it goes round until the limit.
typedef struct basis_watch {
    int *kept; // (n)
    int next;  // exchanges at which it is kept again
} basis_watch;

static bool was_here(basis_watch *watch, const crm_tableau *tableau) {
    size_t bytes = (size_t)tableau->rows * sizeof *watch->kept;
    bool repeats = tableau->exchanges > 1 && memcmp(watch->kept, tableau->basic, bytes) == 0;
    if (tableau->exchanges == watch->next) {
        memcpy(watch->kept, tableau->basic, bytes);
        watch->next *= 2;
    }
    return repeats;
}

static path_end follow(crm_tableau *tableau, int *kept) {
    int n = tableau->rows, t = n, limit = pivot_limit(n);
    basis_watch watch = {kept, 1};
    int row = crm_tableau_cover(tableau, t), column = -1 - tableau->place[t];
    while (row >= 0) {
        if (tableau->exchanges >= limit || crm_interrupted(&tableau->interrupt)) return PATH_LIMIT;
        int leaves = tableau->basic[row];
        crm_tableau_exchange(tableau, row, column);
        if (leaves == t) return PATH_SOLVED;
        if (was_here(&watch, tableau)) return PATH_LIMIT;
        int enters = leaves > n ? leaves - (n + 1) : leaves + n + 1; // its complement
        column = -1 - tableau->place[enters];
        row = crm_tableau_leaving(tableau, column, t);
    }
    return tableau->exchanges > 0 ? PATH_RAY : PATH_SOLVED;
}

// One path. The point where it ends is offered even when it is no solution: it may be the best so far.
static carom_status try_cover(const carom_dense_lcp *lcp, int number, double *covered, double tolerance,
                              crm_arena *arena, crm_dense_lcp_result *result, path_end *end, carom_error *error) {
    int n = lcp->size;
    crm_tableau tableau;
    double *z = CRM_ARENA_ARRAY(arena, double, n);
    int *kept = CRM_ARENA_ARRAY(arena, int, n);
    if (z == NULL || kept == NULL) return crm_fail_memory(error, "a path", (size_t)n * sizeof *z);
    choose_cover(number, n, covered + (ptrdiff_t)n * n);
    carom_status status = crm_tableau_init(&tableau, n, n + 1, covered, lcp->offset, arena, error);
    if (status != CAROM_OK) return status;
    tableau.interrupt = result->interrupt;
    *end = follow(&tableau, kept);
    result->pivots += tableau.exchanges;
    for (int i = 0; i < n; i++) z[i] = crm_tableau_value(&tableau, i);
    bool reached;
    status = crm_dense_lcp_offer(lcp, z, tolerance, arena, result, &reached, error);
    if (reached)
        *end = PATH_SOLVED;
    else if (*end == PATH_SOLVED)
        *end = PATH_LIMIT; // of precision
    return status;
}

static double *copy_by_columns(const carom_dense_lcp *lcp, crm_arena *arena) {
    ptrdiff_t n = lcp->size;
    double *covered = CRM_ARENA_ARRAY(arena, double, n *(n + 1));
    for (ptrdiff_t j = 0; j < n && covered != NULL; j++)
        for (ptrdiff_t i = 0; i < n; i++) covered[i + j * n] = lcp->matrix[i * n + j];
    return covered;
}

carom_status crm_dense_lcp_refute(const carom_dense_lcp *lcp, crm_arena *arena, crm_dense_lcp_result *result,
                                  carom_error *error) {
    crm_mark mark = crm_arena_mark(arena);
    size_t bytes = (size_t)lcp->size * sizeof(double);
    double *g = copy_by_columns(lcp, arena), *x = CRM_ARENA_ARRAY(arena, double, lcp->size);
    double *y = CRM_ARENA_ARRAY(arena, double, lcp->size);
    if (g == NULL || x == NULL || y == NULL) return crm_fail_memory(error, "a linear program", bytes);
    crm_feasibility verdict = CRM_UNDECIDED;
    carom_status status = crm_feasible(lcp->size, lcp->size, g, lcp->offset, &result->interrupt, arena, x, y,
                                       &result->pivots, &verdict, error);
    if (status == CAROM_OK && verdict == CRM_INFEASIBLE) {
        memcpy(result->proof, y, bytes);
        result->outcome = CAROM_DENSE_LCP_INFEASIBLE;
    }
    crm_arena_release(arena, mark);
    return status;
}

carom_status crm_dense_lcp_lemke(const carom_dense_lcp *lcp, double tolerance, crm_arena *arena,
                                 crm_dense_lcp_result *result, carom_error *error) {
    crm_mark mark = crm_arena_mark(arena);
    double *covered = copy_by_columns(lcp, arena);
    if (covered == NULL) return crm_fail_memory(error, "a path", (size_t)lcp->size * sizeof(double));
    carom_status status = CAROM_OK;
    result->outcome = CAROM_DENSE_LCP_RAY;
    for (int number = 0; number < COVERING_VECTORS && status == CAROM_OK; number++) {
        if (crm_interrupted(&result->interrupt)) break;
        crm_mark path = crm_arena_mark(arena);
        path_end end = PATH_LIMIT;
        status = try_cover(lcp, number, covered, tolerance, arena, result, &end, error);
        crm_arena_release(arena, path);
        if (status != CAROM_OK || end == PATH_SOLVED) break;
        if (end == PATH_LIMIT) result->outcome = CAROM_DENSE_LCP_GAVE_UP;
        if (number > 0) continue;
        carom_dense_lcp_outcome outcome = result->outcome;
        status = crm_dense_lcp_refute(lcp, arena, result, error);
        if (result->outcome != outcome) break;
    }
    crm_arena_release(arena, mark);
    return status;
}
