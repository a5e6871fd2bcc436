// SPDX-License-Identifier: MIT
// The Newton-Gauss-Seidel hybrid: full Newton steps, whose impulses are put back into their sets, with sweeps after
// each.
//
// A line search on the natural map gets stuck at kinks: redundant contacts are next to opening or slipping everywhere,
// and a step that is right for most of them is wrong for a few, by far. Sweeps mend these few where they are, and are
// poor only at what the step does well, changes of many bodies at once. Steps need not go down: to shift impulses among
// redundant contacts until one of them opens takes several, on which nothing is gained before the last.
#include <math.h>
#include <string.h>

#include "base/limits/limit.h"
#include "solve/cone.h"
#include "solve/newton/newton.h"
#include "solve/residual.h"

// A step is tried in full, then short; it may raise the residual above the best one by `leeway`, for PATIENCE steps.
// Below the tolerance FURTHER steps may still go for the aim.
enum { TRIALS = 2, PATIENCE = 4, RETREATS = 3, SWEEPS_AFTER_STEP = 10, FURTHER = 2 };
static const double shorter = 0.25, leeway = 10.0, progress = 0.9;
// The prox term, relative to the scaled W. It is lowered where it alone keeps the step from solving the linear model
// (`flat`) and after good steps, raised after steps that were too long.
static const double first_prox = 1e-3, least_prox = 1e-7, most_prox = 1e-2;
static const double flat = 0.7, flat_down = 0.1, down = 0.3, up = 5.0, bad = 3.0;

static double evaluate(crm_newton *n, const double *r) {
    carom_residual_report report;
    crm_residual_without_floor(n->system.op, n->velocity_scale, r, n->residual_work, n->residual_u, &report);
    if (report.residual < n->best_report.residual) {
        n->best_report = report;
        memcpy(n->best, r, sizeof(double) * (size_t)n->system.op->row_count);
    }
    return report.residual;
}

static double sweep_and_evaluate(crm_newton *n, crm_sweep *sweep) {
    crm_sweep_refresh(sweep);
    for (int k = 0; k < SWEEPS_AFTER_STEP; k++) crm_sweep_once(sweep);
    return evaluate(n, sweep->r);
}

// Impulses a share of the direction away from the iterate, each group's in its set.
static void step_to(const crm_newton *n, double length, double *r) {
    const crm_newton_system *s = &n->system;
    for (int g = 0; g < s->op->group_count; g++) {
        double moved[CAROM_GROUP_ROWS];
        int first = s->op->row_start[g];
        for (int i = 0; i < s->op->groups[g].rows; i++)
            moved[i] = (n->r[first + i] + length * n->dr[first + i]) / s->scale[first + i];
        crm_law_project(&s->op->groups[g], moved, r + first);
    }
}

static double norm(int count, const double *x) {
    double sum = 0.0;
    for (int i = 0; i < count; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

bool crm_newton_gauss_seidel(crm_newton *n, crm_sweep *sweep, int steps) {
    crm_newton_system *s = &n->system;
    double *r = sweep->r, prox = first_prox;
    for (int i = 0; i < s->op->row_count; i++) r[i] = n->r[i] / s->scale[i];
    double here = evaluate(n, r), best = here;
    for (int step = 0, since = 0, retreats = 0, further = 0; step < steps && retreats < RETREATS; step++) {
        if (here <= n->aim || (crm_newton_met(n) && further++ == FURTHER)) return true;
        if (!isfinite(here) || crm_interrupted(&n->interrupt)) return false;
        crm_newton_start(n, r);
        double error = sqrt(crm_newton_map_square(s, n->u, n->r, 0.0)), found = INFINITY, length = 1.0;
        for (int g = 0; g < s->op->group_count; g++) {
            int first = s->op->row_start[g];
            crm_natural_block(&s->law[g], n->u + first, n->r + first, 0.0, prox, &s->block[g]);
        }
        crm_newton_step(n);
        int trial = 0;
        for (; trial < TRIALS; trial++, length *= shorter) {
            if (crm_interrupted(&n->interrupt)) return false;
            step_to(n, length, r);
            found = sweep_and_evaluate(n, sweep);
            if (found <= leeway * best) break;
        }
        if (prox * norm(s->op->row_count, n->dr) > flat * error)
            prox = fmax(prox * flat_down, least_prox);
        else if (trial == 0 && found < here)
            prox = fmax(prox * down, least_prox);
        else if (trial > 0 || found > bad * here)
            prox = fmin(prox * up, most_prox);
        here = found;
        if (found < progress * best) {
            best = found;
            since = retreats = 0;
        } else if (trial == TRIALS || ++since == PATIENCE) {
            memcpy(r, n->best, sizeof(double) * (size_t)s->op->row_count);
            here = sweep_and_evaluate(n, sweep);
            best = fmin(best, here);
            since = 0;
            retreats++;
        }
    }
    return crm_newton_met(n);
}
