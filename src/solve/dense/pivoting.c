// SPDX-License-Identifier: MIT
#include "solve/dense/pivoting.h"

#include <math.h>
#include <stddef.h>

#include "math/dense/dense_cholesky.h"

// Block exchanges that may go by without fewer wrong signs.
enum { PATIENCE = 3 };

ptrdiff_t crm_pivoting_scratch(int n) {
    return (ptrdiff_t)n * n + 3 * (ptrdiff_t)n;
}

typedef struct pivoting {
    int n;
    const double *a, *b;
    double *x, *w;    // (n)
    double *positive; // 1 where x may be positive and w is 0 (n)
    double *factor, *right;
} pivoting;

// A w of this share of what it is the sum of is zero.
static const double rounding = 1e-14;

// x and w for the present choice of what is positive.
static bool solve_chosen(pivoting *p) {
    int count = 0, n = p->n;
    for (int i = 0; i < n; i++) {
        if (p->positive[i] == 0.0) continue;
        p->right[count] = -p->b[i];
        int row = 0;
        for (int j = 0; j < n; j++)
            if (p->positive[j] != 0.0) p->factor[row++ + (ptrdiff_t)n * count] = p->a[j + (ptrdiff_t)n * i];
        count++;
    }
    if (count > 0) {
        if (!crm_cholesky_factor(count, p->factor, n).finite) return false;
        crm_cholesky_solve(count, p->factor, n, 1, p->right, n);
    }
    count = 0;
    for (int i = 0; i < n; i++) p->x[i] = p->positive[i] != 0.0 ? p->right[count++] : 0.0;
    for (int i = 0; i < n; i++) {
        double sum = p->b[i], size = fabs(p->b[i]);
        for (int j = 0; j < n; j++) {
            double term = p->a[i + (ptrdiff_t)n * j] * p->x[j];
            sum += term;
            size += fabs(term);
        }
        p->w[i] = p->positive[i] != 0.0 || fabs(sum) <= rounding * size ? 0.0 : sum;
    }
    return true;
}

static bool is_wrong(const pivoting *p, int i) {
    return p->positive[i] != 0.0 ? p->x[i] < 0.0 : p->w[i] < 0.0;
}

bool crm_pivoting_solve(int n, const double *a, const double *b, double *x, double *scratch) {
    pivoting p = {.n = n, .a = a, .b = b, .x = x, .factor = scratch};
    p.w = scratch + (ptrdiff_t)n * n;
    p.positive = p.w + n;
    p.right = p.positive + n;
    for (int i = 0; i < n; i++) p.positive[i] = x[i] > 0.0 ? 1.0 : 0.0;
    int least = n + 1, patience = PATIENCE, limit = 20 + 20 * n;
    for (int round = 0; round < limit; round++) {
        if (!solve_chosen(&p)) return false;
        int wrong = 0, last = -1;
        for (int i = 0; i < n; i++)
            if (is_wrong(&p, i)) wrong++, last = i;
        if (wrong == 0) return true;
        if (wrong < least)
            least = wrong, patience = PATIENCE;
        else
            patience--;
        for (int i = 0; i < n; i++)
            if (is_wrong(&p, i) && (patience >= 0 || i == last)) p.positive[i] = 1.0 - p.positive[i];
    }
    return false;
}
