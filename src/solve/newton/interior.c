// SPDX-License-Identifier: MIT
// Interior point with the scaling of Nesterov and Todd, De Saxce's term and its derivative in the system.
#include <math.h>
#include <string.h>

#include "base/limits/limit.h"
#include "solve/newton/newton.h"
#include "solve/newton/newton_law.h"

// Steps end at this share of the way to the boundary.
static const double boundary_share = 0.95;
// A compliance around the iterate, against the scaled W: for impulses that the velocities do not determine.
static const double prox = 1e-8;

// The nearest vector that lies at least `depth` inside the cone.
static void push_inside(const crm_newton_law *law, double depth, double *x) {
    if (law->frictionless || law->law == CAROM_LAW_UNILATERAL) {
        x[0] = fmax(x[0], depth);
        return;
    }
    double norm = crm_cone_slip(law->rows, x);
    x[0] = fmax(x[0], norm + depth);
}

static double complementarity(const crm_newton *n, const double *r, const double *y) {
    const crm_newton_system *s = &n->system;
    double sum = 0.0, rank = 0.0;
    for (int g = 0; g < s->op->group_count; g++) {
        if (!crm_has_barrier(&s->law[g], 0)) continue;
        int rows = s->law[g].frictionless ? 1 : s->law[g].rows, first = s->op->row_start[g];
        for (int i = 0; i < rows; i++) sum += r[first + i] * y[first + i];
        rank += 1.0;
    }
    return rank > 0.0 ? sum / rank : 0.0;
}

// From the impulses and velocities at hand: both pushed inside by their typical sizes.
static void start(crm_newton *n) {
    const crm_newton_system *s = &n->system;
    double impulse = 0.0, speed = 0.0;
    int groups = s->op->group_count;
    for (int i = 0; i < s->op->row_count; i++) impulse += n->r[i] * n->r[i], speed += n->u[i] * n->u[i];
    impulse = sqrt(impulse / groups), speed = sqrt(speed / groups);
    double depth = fmax(impulse, speed);
    for (int g = 0; g < groups; g++) {
        int first = s->op->row_start[g];
        crm_dual_value(&s->law[g], n->u + first, n->r + first, 0.0, n->y + first);
        if (!crm_has_barrier(&s->law[g], 0)) continue;
        push_inside(&s->law[g], depth, n->r + first);
        push_inside(&s->law[g], depth, n->y + first);
    }
    crm_newton_velocity(s, n->r, n->v);
    crm_newton_relative(s, n->v, n->r, n->u);
}

static double longest_step(const crm_newton *n) {
    const crm_newton_system *s = &n->system;
    double longest = 1.0;
    for (int g = 0; g < s->op->group_count; g++) {
        int first = s->op->row_start[g];
        if (!crm_has_barrier(&s->law[g], 0)) continue;
        longest = fmin(longest, crm_interior_step_length(&s->law[g], n->r + first, n->dr + first));
        longest = fmin(longest, crm_interior_step_length(&s->law[g], n->y + first, n->dy + first));
    }
    return longest;
}

static void dual_direction(crm_newton *n, double rounding) {
    const crm_newton_system *s = &n->system;
    for (int g = 0; g < s->op->group_count; g++) {
        int first = s->op->row_start[g];
        crm_interior_dual_step(&s->law[g], n->u + first, n->r + first, n->y + first, prox, rounding, n->du + first,
                               n->dr + first, n->dy + first);
    }
}

// What is left of the complementarity after a step of this length.
static double complementarity_after(const crm_newton *n, double length) {
    for (int i = 0; i < n->system.op->row_count; i++) {
        n->trial_r[i] = n->r[i] + length * n->dr[i];
        n->trial_u[i] = n->y[i] + length * n->dy[i];
    }
    return fmax(complementarity(n, n->trial_r, n->trial_u), 0.0);
}

bool crm_interior(crm_newton *n, int steps, double goal) {
    crm_newton_system *s = &n->system;
    double enough = fmax(goal, n->tolerance), last = 1.0;
    start(n);
    for (int step = 0;; step++) {
        double residual = crm_newton_evaluate(n);
        if (residual <= enough) return residual <= n->tolerance;
        if (step == steps || crm_interrupted(&n->interrupt)) return false;
        double gap = complementarity(n, n->r, n->y);
        if (!(gap > 0.0)) return false;
        for (int g = 0; g < s->op->group_count; g++) {
            int first = s->op->row_start[g];
            crm_interior_block(&s->law[g], n->u + first, n->r + first, n->y + first, 0.0, prox, gap, &s->block[g]);
        }
        // First straight for the solution, then with the centring and the correction that this asks for.
        crm_newton_step(n);
        dual_direction(n, gap);
        double share = complementarity_after(n, longest_step(n)) / gap;
        double target = gap * fmin(fmax(share * share * share, last < 0.1 ? 0.3 : 1e-4), 1.0);
        for (int g = 0; g < s->op->group_count; g++) {
            int first = s->op->row_start[g];
            crm_interior_correct(&s->law[g], n->r + first, n->y + first, target, n->dr + first, n->dy + first,
                                 &s->block[g]);
        }
        crm_newton_direction(s, n->rest, n->dv, n->dr, n->du);
        dual_direction(n, gap);
        double length = fmin(1.0, boundary_share * longest_step(n));
        if (!(length > 1e-8)) return false;
        crm_newton_set_trial(n, length);
        crm_newton_take_trial(n);
        for (int i = 0; i < s->op->row_count; i++) n->y[i] += length * n->dy[i];
        last = length;
    }
}
