// SPDX-License-Identifier: MIT
// Semismooth Newton on the natural map r - P(r - y), with a prox term that follows the line search.
#include <math.h>
#include <string.h>

#include "solve/newton.h"

// Prox terms, relative to the scaled W (lessons of experiments: docs/solvers.md). A full step lowers the term, a failed
// search raises it; below the least one it is no more than rounding.
static const double least_prox = 1e-13, prox_down = 0.3, prox_up = 30.0, most_prox = 1e3;

enum { HALVINGS = 8 };

static double map_norm(crm_newton *n, const double *u, const double *r) {
    const crm_newton_system *s = &n->system;
    double sum = 0.0;
    for (int g = 0; g < s->problem->group_count; g++) {
        double value[CAROM_GROUP_ROWS];
        crm_natural_map(&s->law[g], u + s->row_start[g], r + s->row_start[g], 0.0, value);
        for (int i = 0; i < s->law[g].rows; i++) sum += value[i] * value[i];
    }
    return sqrt(sum);
}

static void set_trial(crm_newton *n, double step) {
    for (int i = 0; i < n->system.rows; i++) n->trial_r[i] = n->r[i] + step * n->dr[i];
    for (int i = 0; i < n->system.velocities; i++) n->trial_v[i] = n->v[i] + step * n->dv[i];
    crm_newton_relative(&n->system, n->trial_v, n->trial_r, n->trial_u);
}

static void take_trial(crm_newton *n) {
    double *r = n->r, *v = n->v, *u = n->u;
    n->r = n->trial_r, n->v = n->trial_v, n->u = n->trial_u;
    n->trial_r = r, n->trial_v = v, n->trial_u = u;
}

bool crm_semismooth(crm_newton *n, const crm_semismooth_options *options) {
    crm_newton_system *s = &n->system;
    double prox = options->prox, norm = map_norm(n, n->u, n->r);
    for (int step = 0;; step++) {
        if (crm_newton_judge(n) <= n->tolerance) return true;
        if (step == options->steps || !isfinite(norm)) return false;
        n->iterations++;
        for (int g = 0; g < s->problem->group_count; g++)
            crm_natural_block(&s->law[g], n->u + s->row_start[g], n->r + s->row_start[g], 0.0, prox, &s->block[g]);
        crm_newton_factor(s);
        crm_newton_momentum(s, n->v, n->r, n->rest);
        crm_newton_direction(s, n->rest, n->dv, n->dr, n->du);
        double length = 1.0, found = INFINITY;
        int halving = 0;
        for (; halving <= HALVINGS; halving++, length *= 0.5) {
            set_trial(n, length);
            found = map_norm(n, n->trial_u, n->trial_r);
            if (!options->search || found <= (1.0 - 1e-4 * length) * norm) break;
        }
        if (!isfinite(found)) return false;
        if (halving > HALVINGS) {
            if (prox >= most_prox) return false;
            prox = fmin(prox * prox_up, most_prox);
            continue;
        }
        if (halving == 0) prox = fmax(prox * prox_down, least_prox);
        take_trial(n);
        norm = found;
    }
}
