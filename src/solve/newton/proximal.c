// SPDX-License-Identifier: MIT
// Proximal point, or augmented Lagrangian: a sequence of problems with a compliance around the last impulses.
//
// Of a convex problem each of them minimises a strictly convex, once differentiable function of the velocities, which
// Newton's method with an exact line search does from anywhere, and the sequence converges. De Saxce's term of exact
// cones is held during one minimisation; then the sequence need not converge, but often comes near.
#include <math.h>
#include <string.h>

#include "base/limits/limit.h"
#include "solve/newton/newton.h"
#include "solve/newton/newton_law.h"

// The compliance, relative to the scaled W: lowered after an easy minimisation, raised after a hard one.
static const double first_prox = 1e-2, least_prox = 1e-9, most_prox = 1.0, prox_down = 0.2, prox_up = 5.0;
enum { EASY_STEPS = 4, HARD_STEPS = 15, SEARCHES = 30 };
// A minimisation ends when r(u) - r is this share of what r has moved from the centre.
static const double inner_share = 0.1;
// The line search ends when the slope has fallen to this share.
static const double slope_share = 0.1;

// Slope of the function along the direction: du . (r - r(u)), with M (v - v_free) = H r throughout.
static double slope_at(const crm_newton *n, double prox, double length) {
    const crm_newton_system *s = &n->system;
    double sum = 0.0;
    for (int g = 0; g < s->op->group_count; g++) {
        int first = s->op->row_start[g];
        double u[CAROM_GROUP_ROWS], point[CAROM_GROUP_ROWS];
        for (int i = 0; i < s->law[g].rows; i++) u[i] = n->u[first + i] + length * n->du[first + i];
        crm_proximal_point(&s->law[g], u, n->weight[g], n->y + first, prox, point);
        for (int i = 0; i < s->law[g].rows; i++)
            sum += n->du[first + i] * (n->r[first + i] + length * n->dr[first + i] - point[i]);
    }
    return sum;
}

// Where the slope, which increases, is nearly zero, but not beyond a full step: Illinois' method.
static double search(const crm_newton *n, double prox) {
    double low = 0.0, low_slope = slope_at(n, prox, 0.0), high = 1.0, high_slope = slope_at(n, prox, 1.0);
    double enough = slope_share * fabs(low_slope);
    if (high_slope <= enough || !(low_slope < 0.0)) return 1.0;
    double at = 1.0;
    for (int k = 0; k < SEARCHES; k++) {
        at = (low * high_slope - high * low_slope) / (high_slope - low_slope);
        double slope = slope_at(n, prox, at);
        if (fabs(slope) <= enough) break;
        if (slope > 0.0)
            high = at, high_slope = slope, low_slope *= 0.5;
        else
            low = at, low_slope = slope, high_slope *= 0.5;
    }
    return at;
}

// |r(u) - r|, and in `moved` |r - centre|; r(u) goes to dy.
static double distance(crm_newton *n, double prox, double *moved) {
    const crm_newton_system *s = &n->system;
    double sum = 0.0, far = 0.0;
    for (int g = 0; g < s->op->group_count; g++) {
        int first = s->op->row_start[g];
        crm_proximal_point(&s->law[g], n->u + first, n->weight[g], n->y + first, prox, n->dy + first);
        for (int i = first; i < s->op->row_start[g + 1]; i++) {
            sum += (n->dy[i] - n->r[i]) * (n->dy[i] - n->r[i]);
            far += (n->dy[i] - n->y[i]) * (n->dy[i] - n->y[i]);
        }
    }
    *moved = sqrt(far);
    return sqrt(sum);
}

bool crm_proximal(crm_newton *n, int steps) {
    crm_newton_system *s = &n->system;
    double prox = first_prox;
    for (int g = 0; g < s->op->group_count; g++)
        if (!crm_proximal_knows(&s->law[g])) return false;
    for (int step = 0; step < steps && !crm_interrupted(&n->interrupt);) {
        memcpy(n->y, n->r, sizeof(double) * (size_t)s->op->row_count);
        for (int g = 0; g < s->op->group_count; g++)
            n->weight[g] = crm_dual_shift(&s->law[g], n->u + s->op->row_start[g]);
        int inner = 0;
        for (; step < steps && inner < 2 * HARD_STEPS && !crm_interrupted(&n->interrupt); inner++, step++) {
            double moved, rest = distance(n, prox, &moved);
            if (inner > 0 && rest <= inner_share * moved) break;
            for (int g = 0; g < s->op->group_count; g++) {
                int first = s->op->row_start[g];
                crm_proximal_block(&s->law[g], n->u + first, n->weight[g], n->y + first, prox, n->r + first,
                                   &s->block[g]);
            }
            crm_newton_step(n);
            crm_newton_set_trial(n, search(n, prox));
            crm_newton_take_trial(n);
            double residual = crm_newton_evaluate(n);
            if (!isfinite(residual)) return false;
            if (residual <= n->tolerance) return true;
        }
        if (inner <= EASY_STEPS) prox = fmax(prox * prox_down, least_prox);
        if (inner > HARD_STEPS) prox = fmin(prox * prox_up, most_prox);
    }
    return crm_newton_met(n);
}
