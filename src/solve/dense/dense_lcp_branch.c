// SPDX-License-Identifier: MIT
// The complementarity problem case by case, for what no path leads to.
//
// A case is a set of decisions z_i = 0 or w_i = 0. If the linear program of a case has no point, the case is closed; if
// it has one that is complementary, the problem is solved; else the i that is least so is decided, one way and then
// the other. With every case closed there is no solution. Exponential, hence with a budget.
#include <math.h>

#include "base/fail.h"
#include "base/limits/limit.h"
#include "solve/dense/dense_lcp.h"
#include "solve/dense/feasible.h"

typedef enum decision { UNDECIDED, Z_ZERO, W_ZERO } decision;

typedef struct search {
    const carom_dense_lcp *lcp;
    decision *decided; // (size)
    int *order;        // unknowns in the order they were decided (size)
    bool *second;      // whether this is the second way of a decision (size)
    int depth;
    bool doubtful; // a case could not be closed
    // The program of a case.
    int rows, columns;
    int *column; // unknown of a column (size)
    double *g;   // (2 * size * size)
    double *h;   // (2 * size)
    double *x, *y, *z, *w;
} search;

static bool start(search *search, const carom_dense_lcp *lcp, crm_arena *arena) {
    ptrdiff_t n = lcp->size;
    search->lcp = lcp;
    search->decided = CRM_ARENA_ZEROED(arena, decision, n);
    search->order = CRM_ARENA_ARRAY(arena, int, n);
    search->second = CRM_ARENA_ARRAY(arena, bool, n);
    search->column = CRM_ARENA_ARRAY(arena, int, n);
    search->g = CRM_ARENA_ARRAY(arena, double, 2 * n * n);
    search->h = CRM_ARENA_ARRAY(arena, double, 2 * n);
    search->x = CRM_ARENA_ARRAY(arena, double, n);
    search->y = CRM_ARENA_ARRAY(arena, double, 2 * n);
    search->z = CRM_ARENA_ARRAY(arena, double, n);
    search->w = CRM_ARENA_ARRAY(arena, double, n);
    return search->decided != NULL && search->order != NULL && search->second != NULL && search->column != NULL &&
           search->g != NULL && search->h != NULL && search->x != NULL && search->y != NULL && search->z != NULL &&
           search->w != NULL;
}

// w >= 0 for all, -w_i >= 0 besides where w_i = 0 is decided; no column where z_i = 0 is.
static void state_case(search *search) {
    const carom_dense_lcp *lcp = search->lcp;
    int n = lcp->size;
    search->rows = n;
    search->columns = 0;
    for (int i = 0; i < n; i++) {
        search->h[i] = lcp->offset[i];
        if (search->decided[i] == W_ZERO) search->h[search->rows++] = -lcp->offset[i];
        if (search->decided[i] != Z_ZERO) search->column[search->columns++] = i;
    }
    for (ptrdiff_t j = 0; j < search->columns; j++) {
        double *g = search->g + j * search->rows;
        int row = n;
        for (int i = 0; i < n; i++) {
            g[i] = lcp->matrix[(ptrdiff_t)i * n + search->column[j]];
            if (search->decided[i] == W_ZERO) g[row++] = -g[i];
        }
    }
}

// Back to the last decision that has a second way left; false when there is none.
static bool step_back(search *search) {
    while (search->depth > 0) {
        int at = search->depth - 1, unknown = search->order[at];
        if (!search->second[at]) {
            search->second[at] = true;
            search->decided[unknown] = search->decided[unknown] == Z_ZERO ? W_ZERO : Z_ZERO;
            return true;
        }
        search->decided[unknown] = UNDECIDED;
        search->depth--;
    }
    return false;
}

// Decides the undecided unknown that is least complementary at z; false when all are decided.
static bool decide(search *search) {
    int worst = -1;
    double most = -1.0;
    crm_dense_lcp_slack(search->lcp, search->z, search->w);
    for (int i = 0; i < search->lcp->size; i++) {
        double least = fmin(search->z[i], search->w[i]);
        if (search->decided[i] != UNDECIDED || least <= most) continue;
        most = least;
        worst = i;
    }
    if (worst < 0) return false;
    search->decided[worst] = search->z[worst] < search->w[worst] ? Z_ZERO : W_ZERO;
    search->order[search->depth] = worst;
    search->second[search->depth++] = false;
    return true;
}

static int case_limit(int n) {
    double size = n;
    return (int)fmin(1e5, 100.0 + 5e8 / (size * size * size));
}

carom_status crm_dense_lcp_branch(const carom_dense_lcp *lcp, double tolerance, crm_arena *arena,
                                  crm_dense_lcp_result *result, carom_error *error) {
    crm_mark mark = crm_arena_mark(arena);
    search search = {.depth = 0};
    if (!start(&search, lcp, arena)) return crm_fail_memory(error, "a search by cases", 0);
    result->outcome = CAROM_DENSE_LCP_GAVE_UP;
    carom_status status = CAROM_OK;
    bool more = true, reached = false;
    for (int count = case_limit(lcp->size); count > 0 && more && !reached && status == CAROM_OK; count--) {
        crm_feasibility verdict = CRM_UNDECIDED;
        if (crm_interrupted(&result->interrupt)) break;
        result->cases++;
        state_case(&search);
        status = crm_feasible(search.rows, search.columns, search.g, search.h, &result->interrupt, arena, search.x,
                              search.y, &result->pivots, &verdict, error);
        if (status != CAROM_OK) break;
        if (verdict == CRM_INFEASIBLE) {
            more = step_back(&search);
            continue;
        }
        for (int i = 0; i < lcp->size; i++) search.z[i] = 0.0;
        for (int j = 0; j < search.columns; j++) search.z[search.column[j]] = search.x[j];
        status = crm_dense_lcp_offer(lcp, search.z, tolerance, arena, result, &reached, error);
        if (reached || decide(&search)) continue;
        search.doubtful = true;
        more = step_back(&search);
    }
    if (status == CAROM_OK && !more && !search.doubtful) result->outcome = CAROM_DENSE_LCP_UNSOLVABLE;
    crm_arena_release(arena, mark);
    return status;
}
