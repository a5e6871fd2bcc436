// SPDX-License-Identifier: MIT
#include "step/tree/tree_newton.h"

#include <math.h>

#include "base/fail.h"
#include "base/limits/limit.h"
#include "math/krylov/krylov.h"

// Newton's error after a correction of relative size d is of the size d^2: below this it is less than a rounding.
static const double last_correction = 1e-9;

// A relative residual of this size is rounding: another iteration would not make it smaller.
static const double rounding_residual = 2e-16;

// A step is shortened by halves down to 1/64; what does not descend then has come to a fold of the equations.
enum { MOST_HALVINGS = 6 };

// Of the linear systems with pairs between links: the preconditioner lacks only these, a few dozen vectors do.
enum { KRYLOV_VECTORS = 40 };
static const double krylov_tolerance = 1e-10;

carom_status crm_tree_newton_create(const carom_model *model, crm_arena *arena, crm_tree_newton *newton,
                                    carom_error *error) {
    int links = model->graph.link_count, coordinates = model->graph.free_count;
    crm_tree_newton n = {.arena = arena};
    carom_status status = crm_tree_equations_create(model, arena, &n.equations, error);
    if (status != CAROM_OK) return status;
    n.change = CRM_ARENA_ZEROED(arena, crm_joint_config, links);
    n.trial = CRM_ARENA_ZEROED(arena, crm_joint_config, links);
    n.weight = CRM_ARENA_ARRAY(arena, double, coordinates);
    n.correction = CRM_ARENA_ARRAY(arena, double, coordinates);
    n.twist = CRM_ARENA_ARRAY(arena, crm_vec6, links);
    n.nothing = CRM_ARENA_ZEROED(arena, crm_vec6, links);
    if (crm_arena_refused(arena))
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "variational: no memory for %d links", links);
    *newton = n;
    return CAROM_OK;
}

// ---- one correction

static void apply_derivative(void *context, const double *x, double *y) {
    crm_tree_newton *n = context;
    if (crm_interrupted(&n->interrupt))
        for (int k = 0; k < n->equations.model->graph.free_count; k++) y[k] = NAN; // ends the iteration
    else
        crm_tree_equations_product(&n->equations, x, y);
}

static void apply_elimination(void *context, const double *x, double *y) {
    crm_tree_newton *n = context;
    crm_tree_solve(&n->equations.system, n->nothing, x, y, n->twist);
}

// Solves with the pairs between links too: they are what the elimination on the tree leaves out.
static void correct_crossed(crm_tree_newton *n) {
    int size = n->equations.model->graph.free_count;
    crm_operator derivative = {apply_derivative, n, size}, elimination = {apply_elimination, n, size};
    crm_krylov_settings settings = crm_krylov_settings_default();
    settings.tolerance = krylov_tolerance;
    settings.restart = KRYLOV_VECTORS;
    settings.iteration_limit = 4 * KRYLOV_VECTORS;
    crm_krylov_report report;
    // Without memory, or short of the tolerance, the correction is still a descent that Newton's method makes up for.
    crm_gmres(&derivative, &elimination, n->equations.residual, n->correction, &settings, n->arena, &report, NULL);
    crm_tree_twists(&n->equations.system, n->correction, n->twist);
}

static bool find_correction(crm_tree_newton *n) {
    crm_tree_equations *e = &n->equations;
    crm_tree_equations_differentiate(e);
    if (!crm_tree_factor(&e->system)) return false;
    crm_tree_solve(&e->system, n->nothing, e->residual, n->correction, n->twist);
    if (e->crossed) correct_crossed(n);
    return true;
}

// ---- descent

// Squares of the residuals count by the inverse masses of the coordinates at the start, which gives all of them
// the same unit.
static void weigh(crm_tree_newton *n) {
    const crm_tree_system *s = &n->equations.system;
    for (int i = 0; i < s->graph->link_count; i++) {
        const crm_tree_link *link = &s->graph->link[i];
        for (int k = 0; k < link->free; k++) {
            double mass = crm_vec6_dot(s->left[link->first + k], s->gain[link->first + k]) +
                          s->joint_block[s->square[i] + k + link->free * k];
            n->weight[link->first + k] = 1.0 / fabs(mass);
        }
    }
}

static double merit_of(const crm_tree_newton *n) {
    double sum = 0.0;
    for (int k = 0; k < n->equations.model->graph.free_count; k++)
        sum += n->equations.residual[k] * n->equations.residual[k] * n->weight[k];
    return sum;
}

static bool is_converged(const crm_tree_newton *n) {
    double rotation = 0.0, rotated = 0.0, move = 0.0, moved = 0.0;
    for (int i = 0; i < n->equations.model->graph.link_count; i++) {
        rotation = fmax(rotation, crm_length_squared(n->twist[i].angular));
        move = fmax(move, crm_length_squared(n->twist[i].linear));
        rotated = fmax(rotated, crm_length_squared(crm_quat_vector(n->equations.move[i].rotation)));
        moved = fmax(moved, crm_length_squared(n->equations.move[i].displacement));
    }
    const double square = last_correction * last_correction;
    return rotation <= square * rotated && move <= square * moved;
}

static bool evaluate(crm_tree_newton *n, const crm_joint_config *change, crm_tree_newton_report *report) {
    int too_far = crm_tree_equations_evaluate(&n->equations, change);
    report->too_far = too_far >= 0;
    report->link = too_far >= 0 ? too_far : n->equations.worst;
    report->residual = too_far >= 0 ? INFINITY : n->equations.relative;
    return isfinite(report->residual);
}

// Goes along the correction until the residuals shrink, or are small enough; *full: all the way.
static bool descend(crm_tree_newton *n, double merit, double tolerance, bool *full, crm_tree_newton_report *report) {
    double share = 1.0;
    for (int halving = 0; halving <= MOST_HALVINGS; halving++, share *= 0.5) {
        crm_tree_correct(n->equations.model, n->change, share, n->correction, n->trial);
        if (!evaluate(n, n->trial, report)) continue;
        *full = halving == 0;
        if (report->residual > tolerance && merit_of(n) >= (1.0 - 0.2 * share) * merit) continue;
        crm_joint_config *kept = n->change;
        n->change = n->trial;
        n->trial = kept;
        return true;
    }
    return false;
}

bool crm_tree_newton_solve(crm_tree_newton *n, double tolerance, int iteration_limit, crm_tree_newton_report *report) {
    *report = (crm_tree_newton_report){0};
    if (crm_interrupted(&n->interrupt)) return false;
    const crm_tree_equations *e = &n->equations;
    crm_tree_guess(e->model, e->from, e->start, &e->system, e->h, n->twist, n->change);
    if (!evaluate(n, n->change, report)) return false;
    double merit = 0.0;
    while (report->iterations < iteration_limit) {
        double before = report->residual;
        bool full;
        if (crm_interrupted(&n->interrupt) || !find_correction(n)) return false;
        if (report->iterations == 0) {
            weigh(n);
            merit = merit_of(n);
        }
        if (!descend(n, merit, tolerance, &full, report)) return false;
        merit = merit_of(n);
        report->iterations++;
        if (report->residual > tolerance) continue;
        // Where nothing moves corrections are roundings of zero: then the residual has the word.
        if ((full && is_converged(n)) || report->residual >= 0.5 * before || report->residual <= rounding_residual)
            return true;
    }
    return false;
}
