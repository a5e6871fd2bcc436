// SPDX-License-Identifier: MIT
// Smoothing Newton: solves r - P(r - y; m) = 0 for widths m of the smoothed projection that go to zero. The zeros are
// points of the central path, but the iterates need not stay inside the cones, and m falls by large factors: with De
// Saxce's term the path may go back, and following it closely gets stuck where a jump does not.
#include <math.h>

#include "base/limits/limit.h"
#include "solve/newton/newton.h"

enum { HALVINGS = 12 };

// The first width, against the error at the start. Wide enough that nearly all contacts press.
static const double first_width = 10.0;
// An error below this share of the width is close enough to narrow it, by a factor for no, one and more halvings.
static const double close = 0.5, narrow[3] = {0.1, 0.3, 0.6}, narrow_near = 0.2;
static const double first_prox = 1e-8, first_prox_near = 1e-4, least_prox = 1e-13, prox_down = 0.3, prox_up = 30.0;

static double map_norm(const crm_newton_system *s, const double *u, const double *r, double smoothing) {
    return sqrt(crm_newton_map_square(s, u, r, smoothing) / s->op->group_count);
}

bool crm_smoothing(crm_newton *n, int steps, bool near) {
    crm_newton_system *s = &n->system;
    double prox = near ? first_prox_near : first_prox;
    double smoothing = first_width * map_norm(s, n->u, n->r, 0.0);
    for (int step = 0;; step++) {
        double residual = crm_newton_evaluate(n);
        if (residual <= n->tolerance) return true;
        if (step == steps || !isfinite(residual) || !(smoothing > 0.0) || crm_interrupted(&n->interrupt)) return false;
        double norm = map_norm(s, n->u, n->r, smoothing), length = 1.0, found = INFINITY;
        for (int g = 0; g < s->op->group_count; g++) {
            int first = s->op->row_start[g];
            crm_natural_block(&s->law[g], n->u + first, n->r + first, smoothing, prox, &s->block[g]);
        }
        crm_newton_step(n);
        int halving = 0;
        for (; halving <= HALVINGS; halving++, length *= 0.5) {
            if (crm_interrupted(&n->interrupt)) return false;
            crm_newton_set_trial(n, length);
            found = map_norm(s, n->trial_u, n->trial_r, smoothing);
            if (found <= (1.0 - 1e-4 * length) * norm) break;
        }
        if (halving > HALVINGS) {
            if (prox > 1.0) return false;
            prox *= prox_up;
            smoothing *= 2.0;
            continue;
        }
        crm_newton_take_trial(n);
        if (halving == 0) prox = fmax(prox * prox_down, least_prox);
        if (found > close * smoothing) continue;
        smoothing *= halving == 0 && near ? narrow_near : narrow[halving < 2 ? halving : 2];
    }
}
