// SPDX-License-Identifier: MIT
// Semismooth Newton on the natural map r - P(r - y), with a prox term that follows the line search.
#include <math.h>

#include "base/limits/limit.h"
#include "solve/newton/newton.h"

// Prox terms, relative to the scaled W. A full step lowers the term, a failed search raises it; below the least one it
// is no more than rounding.
static const double first_prox = 1e-6, least_prox = 1e-13, prox_down = 0.3, prox_up = 30.0, most_prox = 1e3;

enum { HALVINGS = 8 };

bool crm_semismooth(crm_newton *n, int steps) {
    crm_newton_system *s = &n->system;
    double prox = first_prox, norm = sqrt(crm_newton_map_square(s, n->u, n->r, 0.0));
    for (int step = 0;; step++) {
        if (crm_newton_evaluate(n) <= n->tolerance) return true;
        if (step == steps || !isfinite(norm) || crm_interrupted(&n->interrupt)) return false;
        for (int g = 0; g < s->op->group_count; g++) {
            int first = s->op->row_start[g];
            crm_natural_block(&s->law[g], n->u + first, n->r + first, 0.0, prox, &s->block[g]);
        }
        crm_newton_step(n);
        double length = 1.0, found = INFINITY;
        int halving = 0;
        for (; halving <= HALVINGS; halving++, length *= 0.5) {
            if (crm_interrupted(&n->interrupt)) return false;
            crm_newton_set_trial(n, length);
            found = sqrt(crm_newton_map_square(s, n->trial_u, n->trial_r, 0.0));
            if (found <= (1.0 - 1e-4 * length) * norm) break;
        }
        if (halving > HALVINGS) {
            if (prox >= most_prox) return false;
            prox = fmin(prox * prox_up, most_prox);
            continue;
        }
        if (halving == 0) prox = fmax(prox * prox_down, least_prox);
        crm_newton_take_trial(n);
        norm = found;
    }
}
