// SPDX-License-Identifier: MIT
// Smoothing Newton: follows r - P(r - y; m) = 0 while the width m of the smoothed projection goes to zero. The zeros
// are points of the central path, but the iterates need not stay inside the cones.
#include <math.h>

#include "solve/newton.h"

enum { HALVINGS = 12 };

static double map_norm(const crm_newton_system *s, const double *u, const double *r, double smoothing) {
    double sum = 0.0;
    for (int g = 0; g < s->op->group_count; g++) {
        double value[CAROM_GROUP_ROWS];
        crm_natural_map(&s->law[g], u + s->op->row_start[g], r + s->op->row_start[g], smoothing, value);
        for (int i = 0; i < s->law[g].rows; i++) sum += value[i] * value[i];
    }
    return sqrt(sum);
}

bool crm_smoothing(crm_newton *n, const crm_smoothing_options *options) {
    crm_newton_system *s = &n->system;
    double goal = fmax(options->goal, n->tolerance), root = sqrt((double)s->op->group_count);
    double prox = 1e-8;
    // Start where the present error is a deviation from the path that the method can bridge.
    double smoothing = map_norm(s, n->u, n->r, 0.0) / root;
    for (int step = 0; smoothing > 0.0; step++) {
        double residual = crm_newton_judge(n);
        if (residual <= goal) return residual <= n->tolerance;
        if (step == options->steps) return false;
        double norm = map_norm(s, n->u, n->r, smoothing);
        for (int g = 0; g < s->op->group_count; g++) {
            int first = s->op->row_start[g];
            crm_natural_block(&s->law[g], n->u + first, n->r + first, smoothing, prox, &s->block[g]);
        }
        crm_newton_step(n);
        double length = 1.0, found = INFINITY;
        int halving = 0;
        for (; halving <= HALVINGS; halving++, length *= 0.5) {
            crm_newton_set_trial(n, length);
            found = map_norm(s, n->trial_u, n->trial_r, smoothing);
            if (found <= (1.0 - 1e-4 * length) * norm) break;
        }
        if (halving > HALVINGS) {
            if (prox > 1.0) return false;
            prox *= 30.0;
            smoothing *= 2.0;
            continue;
        }
        crm_newton_take_trial(n);
        if (halving == 0) prox = fmax(0.3 * prox, 1e-13);
        // Close to the path: go on, faster the better the step was.
        if (found <= 0.5 * smoothing * root) smoothing *= halving == 0 ? 0.1 : halving == 1 ? 0.3 : 0.6;
    }
    return crm_newton_met(n);
}
