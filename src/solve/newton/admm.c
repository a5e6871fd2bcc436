// SPDX-License-Identifier: MIT
// Alternating directions (ADMM): a linear system that never changes, and projections on the laws' sets.
//
// In the scaled variables of newton_system.h, with x for the impulses of the linear system, z for those in the sets,
// y = -(u + c x + s n) the negative velocity with De Saxce's term s = |u_t|, and the penalty p:
//
//     (W + C + p) x = p z - y - q - s n,    w = a x + (1 - a) z + y / p,    z <- P(w),    y <- p (w - z)
//
// over-relaxed by a. s is read off y, whose tangential part is that of -u, so that the term is folded into the update.
// W + C + p is factored once for every penalty; iterations cost no more than a solve.
//
// Converges for every convex problem and in most others, slowly but with little that can go wrong.
#include <math.h>
#include <string.h>

#include "solve/cone.h"
#include "solve/newton/newton.h"
#include "solve/newton/newton_law.h"
#include "solve/residual.h"

// Over-relaxation pays as long as the problem is convex; exact friction bears less of it.
static const double convex_relaxation = 1.6, exact_relaxation = 1.3;
static const double first_penalty = 1.0, least_penalty = 1e-8, most_penalty = 1e8;
// The penalty follows the ratio of the two errors, when that asks for more than this factor.
static const double worth_a_factor = 2.0, most_change = 10.0;
enum { JUDGE_EVERY = 10, FIRST_WAIT = 20 };
static const double longer_wait = 1.25;

// The set of a law in scaled variables.
static void project(const crm_newton_law *law, double *x) {
    carom_row_group set = {.law = law->law,
                           .rows = law->rows,
                           .friction = law->frictionless ? 0.0 : 1.0,
                           .lower = law->lower,
                           .upper = law->upper};
    crm_law_project(&set, x, x);
}

static void factor(crm_newton_system *s, double penalty) {
    for (int g = 0; g < s->op->group_count; g++) {
        crm_newton_block *block = &s->block[g];
        int rows = s->law[g].rows;
        crm_newton_block_clear(rows, block);
        for (int i = 0; i < rows; i++) {
            int at = i * (rows + 1);
            block->a[at] = 1.0;
            block->b[at] = s->law[g].compliance[i] + penalty;
            block->stiffness[at] = block->inverse[at] = 1.0 / block->b[at];
        }
    }
    crm_newton_factor(s);
}

// x, which is n->r with its v and u, from z = n->y and y = n->dy.
static void solve_impulses(crm_newton *n, double penalty) {
    crm_newton_system *s = &n->system;
    for (int g = 0; g < s->op->group_count; g++) {
        int first = s->op->row_start[g], rows = s->law[g].rows;
        double shift = crm_dual_shift(&s->law[g], n->dy + first);
        crm_newton_block *block = &s->block[g];
        for (int i = 0; i < rows; i++) {
            int at = first + i;
            block->c[i] = penalty * n->y[at] - n->dy[at] - (i == 0 ? shift : 0.0) - n->u[at] -
                          block->b[i * (rows + 1)] * n->r[at];
            block->push[i] = block->c[i] * block->inverse[i * (rows + 1)];
        }
    }
    crm_newton_momentum(s, n->v, n->r, n->rest);
    crm_newton_direction(s, n->rest, n->dv, n->dr, n->du);
    crm_newton_set_trial(n, 1.0);
    crm_newton_take_trial(n);
    n->iterations++;
}

// What balances the penalty: how far x and z are apart, how far z moved, and what they are compared with.
typedef struct balance {
    double apart, moved, impulse, velocity;
} balance;

static balance project_impulses(crm_newton *n, double relaxation, double penalty) {
    const crm_newton_system *s = &n->system;
    balance b = {0};
    for (int g = 0; g < s->op->group_count; g++) {
        int first = s->op->row_start[g], rows = s->law[g].rows;
        double *z = n->y + first, *y = n->dy + first, w[CAROM_GROUP_ROWS], fresh[CAROM_GROUP_ROWS];
        const double *x = n->r + first;
        for (int i = 0; i < rows; i++) fresh[i] = w[i] = relaxation * x[i] + (1.0 - relaxation) * z[i] + y[i] / penalty;
        project(&s->law[g], fresh);
        for (int i = 0; i < rows; i++) {
            b.apart += (x[i] - fresh[i]) * (x[i] - fresh[i]);
            b.moved += penalty * penalty * (fresh[i] - z[i]) * (fresh[i] - z[i]);
            z[i] = fresh[i];
            y[i] = penalty * (w[i] - z[i]);
            b.impulse += fmax(x[i] * x[i], z[i] * z[i]);
            b.velocity += fmax(y[i] * y[i], n->u[first + i] * n->u[first + i]);
        }
    }
    return b;
}

// Residual balancing on relative errors.
static double balanced(double penalty, const balance *b) {
    double ratio = sqrt(sqrt(b->apart / b->moved) * sqrt(b->velocity / b->impulse));
    if (!isfinite(ratio) || !(ratio > 0.0)) return penalty;
    if (ratio < worth_a_factor && ratio > 1.0 / worth_a_factor) return penalty;
    ratio = fmin(fmax(ratio, 1.0 / most_change), most_change);
    return fmin(fmax(penalty * ratio, least_penalty), most_penalty);
}

static double evaluate_projected(crm_newton *n) {
    double *x = n->r;
    n->r = n->y;
    double residual = crm_newton_evaluate(n);
    n->r = x;
    return residual;
}

static void start(crm_newton *n) {
    const crm_newton_system *s = &n->system;
    for (int g = 0; g < s->op->group_count; g++) {
        int first = s->op->row_start[g];
        double *z = n->y + first, *y = n->dy + first;
        for (int i = 0; i < s->law[g].rows; i++) {
            z[i] = n->r[first + i];
            y[i] = -n->u[first + i] - s->law[g].compliance[i] * z[i];
        }
        y[0] -= crm_dual_shift(&s->law[g], y);
        project(&s->law[g], z);
    }
}

static double relaxation_of(const crm_newton_system *s) {
    for (int g = 0; g < s->op->group_count; g++)
        if (s->law[g].law == CAROM_LAW_CONE && s->law[g].shift > 0.0 && !s->law[g].frictionless)
            return exact_relaxation;
    return convex_relaxation;
}

bool crm_admm(crm_newton *n, const crm_admm_options *options) {
    double goal = fmax(options->goal, n->tolerance), penalty = first_penalty, relaxation = relaxation_of(&n->system);
    int adapt = FIRST_WAIT;
    double wait = FIRST_WAIT;
    start(n);
    if (evaluate_projected(n) <= goal) return crm_newton_met(n);
    factor(&n->system, penalty);
    for (int step = 1; step <= options->steps; step++) {
        solve_impulses(n, penalty);
        balance b = project_impulses(n, relaxation, penalty);
        if (step % JUDGE_EVERY == 0 || step == options->steps) {
            double residual = evaluate_projected(n);
            if (residual <= goal || !isfinite(residual)) break;
        }
        if (step < adapt) continue;
        if (crm_residual_outcome(crm_newton_verdict(n), goal) == CAROM_SOLVE_OUTCOME_AT_FLOOR) break;
        wait *= longer_wait;
        adapt = step + (int)wait;
        double fresh = balanced(penalty, &b);
        if (fresh == penalty) continue;
        penalty = fresh;
        factor(&n->system, penalty);
    }
    return crm_newton_met(n);
}

// In the scale in which impulses and velocities are alike, which high mass ratios ask for, and without, in turn: a
// short try of each, then all that is left.
carom_status crm_solve_admm(const crm_operator *op, const carom_solve_options *options, crm_arena *arena,
                            double *impulse, crm_stage *stage, carom_error *error) {
    static const int default_steps = 20000, tries = 4;
    static const double share[] = {0.05, 0.05, 0.45, 0.45};
    int steps = options->iterations > 0 ? options->iterations : default_steps;
    crm_newton n;
    carom_status status = crm_newton_open(op, options, arena, &n, error);
    if (status != CAROM_OK) return status;
    for (int k = 0; k < tries; k++) {
        bool weighted = k % 2 == 0;
        if (weighted) crm_newton_stick_weight(&n, n.weight);
        crm_newton_set_weight(&n, weighted ? n.weight : NULL);
        crm_newton_start(&n, options->warm ? impulse : NULL);
        if (crm_admm(&n, &(crm_admm_options){(int)ceil(share[k] * steps), 0.0})) break;
    }
    memcpy(impulse, n.best, sizeof(double) * (size_t)op->row_count);
    stage->residual = *crm_newton_verdict(&n);
    stage->outcome = crm_residual_outcome(&stage->residual, options->tolerance);
    stage->iterations = n.iterations;
    stage->factorizations = n.system.factorizations;
    return CAROM_OK;
}
