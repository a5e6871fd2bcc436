// SPDX-License-Identifier: MIT
#include "solve/infeasible/infeasible.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/limits/limit.h"
#include "math/dense/dense.h"
#include "solve/cone.h"
#include "solve/infeasible/infeasible_problem.h"
#include "solve/newton/newton.h"
#include "solve/residual.h"

// Velocities that satisfy the laws would have to be this many times larger than those of the problem. What is jammed is
// a matter of degree: at a thousand times its own velocities nobody would call a body free.
static const double beyond_proof = 1e8, beyond_jam = 1e3;
// w.y must be more than the rounding of its terms.
static const double least_share = 1e-10;

int crm_infeasible_work(const crm_operator *op) {
    return op->form == CAROM_FORM_DELASSUS ? op->row_count : 2 * op->velocity_count;
}

// ---- the verdict

// |H y| in the energy norm, of M^-1; of W^T y the same with the groups' inverse masses.
static double unbalanced(const crm_operator *op, const double *y, double *work) {
    double sum = 0.0;
    if (op->form == CAROM_FORM_DELASSUS) {
        crm_csr_multiply_transposed(&op->delassus, y, work);
        for (int g = 0; g < op->group_count; g++)
            for (int i = op->row_start[g]; i < op->row_start[g + 1]; i++) sum += work[i] * work[i] / op->scale[g];
        return sqrt(sum);
    }
    double *force = work, *velocity = work + op->velocity_count;
    crm_operator_forces(op, y, force);
    if (op->form == CAROM_FORM_MOBILITY) {
        op->mobility(op->mobility_user, force, velocity);
    } else {
        memcpy(velocity, force, sizeof(double) * (size_t)op->velocity_count);
        crm_operator_divide_mass(op, velocity);
    }
    return sqrt(fmax(crm_dense_dot(op->velocity_count, force, velocity), 0.0));
}

// What the problem's own velocities are, in the same norm: the free ones and those that are asked for. Offsets of rows
// that are open ask for none, and those of limits far away are large.
static double natural_size(const crm_operator *op) {
    double sum = 0.0;
    for (int g = 0; g < op->group_count; g++) {
        bool one_sided = op->groups[g].law == CAROM_LAW_UNILATERAL || op->groups[g].law == CAROM_LAW_CONE;
        for (int i = op->row_start[g]; i < op->row_start[g + 1]; i++) {
            double asked = one_sided && i == op->row_start[g] ? fmin(op->offset[i], 0.0) : op->offset[i];
            double free = op->q[i] - op->offset[i];
            sum += (asked * asked + free * free) / op->scale[g];
        }
    }
    return sqrt(sum);
}

bool crm_infeasible_verify(const crm_operator *op, double beyond, double *y, double *work) {
    double against = 0.0, terms = 0.0, size = 0.0;
    for (int g = 0; g < op->group_count; g++) {
        int first = op->row_start[g], rows = op->groups[g].rows;
        carom_row_group set = crm_recession_group(&op->groups[g]);
        for (int i = 0; i < rows; i++)
            if (!crm_row_is_rigid(op, g, i)) y[first + i] = 0.0;
        crm_law_project(&set, y + first, y + first);
        for (int i = first; i < first + rows; i++) {
            against -= op->offset[i] * y[i];
            terms += fabs(op->offset[i] * y[i]);
        }
        size += sqrt(rows * op->scale[g]) * crm_dense_norm2(rows, y + first);
    }
    double rest = unbalanced(op, y, work) + DBL_EPSILON * size;
    return isfinite(rest) && against > least_share * terms && against >= beyond * natural_size(op) * rest;
}

// ---- the search

// The least violation of the laws in the sense of squares is that of the same problem with a compliance and no masses:
// with a compliance eps s, velocities v and M (v - v_0) = H r it is approached by setting v_0 to v again and again,
// which is the proximal point method in v and converges, the faster the smaller eps is. Where the least is not zero, r
// is the proof: then H r = 0, and w.r = -eps s |r|^2 as r.u~ = 0.
static const double first_softness = 1e-3, least_softness = 1e-10, harder = 0.1;
static const double inner_tolerance = 1e-11;
static const double no_violation = 1e-10; // relative
enum { ROUNDS = 12, NEWTON_STEPS = 60 };

static bool is_solved(crm_newton *n) {
    return crm_residual_outcome(crm_newton_verdict(n), n->tolerance) != CAROM_SOLVE_OUTCOME_NOT_MET;
}

// Steps of one method that so much work allows.
static int affordable_steps(const crm_newton *n, double work) {
    return (int)fmin(fmax(work / crm_newton_price(n) - n->system.factorizations, 0.0), NEWTON_STEPS);
}

// The softened problem, from the start y, which gets the solution; false when that is a poor one.
static bool solve_candidate(crm_newton *n, double work, double *y) {
    crm_newton_set_weight(n, NULL); // reads what has changed
    crm_newton_start(n, y);
    n->best_report.residual = INFINITY;
    crm_semismooth(n, affordable_steps(n, work));
    if (!is_solved(n)) {
        crm_newton_start(n, NULL);
        crm_interior(n, affordable_steps(n, work), 0.0);
        crm_newton_start(n, n->best);
        if (!is_solved(n)) crm_semismooth(n, affordable_steps(n, work));
    }
    memcpy(y, n->best, sizeof(double) * (size_t)n->system.op->row_count);
    return is_solved(n);
}

static carom_status search(const crm_operator *op, double beyond, carom_interrupt interrupt, crm_arena *arena,
                           double *left, double *y, bool *proved, carom_error *error) {
    crm_infeasible_problem problem;
    crm_newton n;
    carom_solve_options options = carom_solve_options_default();
    double opening = (CRM_EVALUATION_WORK + CRM_NEWTON_OPEN_WORK) * op->group_count;
    options.tolerance = inner_tolerance;
    options.interrupt = interrupt;
    *proved = false;
    if (*left < opening || crm_interrupted(&interrupt)) return CAROM_OK;
    *left -= opening;
    carom_status status = crm_infeasible_problem_build(op, first_softness, arena, &problem, error);
    if (status == CAROM_OK) status = crm_newton_open(&problem.op, &options, arena, &n, error);
    if (status == CAROM_ERR_INTERRUPTED) return CAROM_OK;
    if (status != CAROM_OK) return status;
    double *work = CRM_ARENA_ARRAY(arena, double, crm_infeasible_work(op));
    if (work == NULL) return crm_fail_memory(error, "a proof", sizeof(double) * (size_t)crm_infeasible_work(op));
    memset(y, 0, sizeof(double) * (size_t)op->row_count);
    double size = natural_size(op), softness = first_softness;
    for (int round = 0; round < ROUNDS && affordable_steps(&n, *left) > 0; round++) {
        bool good = solve_candidate(&n, *left, y);
        if (crm_interrupted(&interrupt)) break;
        if (!(crm_infeasible_problem_violation(&problem, y) > no_violation * size)) break; // there are such velocities
        double factor = good && softness * harder >= least_softness ? harder : 1.0;
        crm_infeasible_problem_move(&problem, y, factor);
        softness *= factor;
        *proved = crm_infeasible_verify(op, beyond, y, work);
        if (*proved) break;
        for (int i = 0; i < op->row_count; i++) y[i] /= factor;
    }
    *left -= n.system.factorizations * crm_newton_price(&n);
    return CAROM_OK;
}

carom_status crm_infeasible_search(const crm_operator *op, carom_interrupt interrupt, crm_arena *arena, double *work,
                                   double *y, bool *proved, carom_error *error) {
    return search(op, beyond_proof, interrupt, arena, work, y, proved, error);
}

// ---- the sentence

enum { NAMED = 6 };

// The groups with most of y, as velocities, largest first; gives how many there are with more than rounding.
static int main_groups(const crm_operator *op, const double *y, int named[NAMED]) {
    static const double negligible = 1e-6;
    double share[NAMED] = {0.0}, largest = 0.0;
    int count = 0;
    for (int k = 0; k < NAMED; k++) named[k] = -1;
    for (int g = 0; g < op->group_count; g++)
        largest = fmax(largest, op->scale[g] * crm_dense_norm2(op->groups[g].rows, y + op->row_start[g]));
    for (int g = 0; g < op->group_count; g++) {
        double mine = op->scale[g] * crm_dense_norm2(op->groups[g].rows, y + op->row_start[g]);
        if (!(mine > negligible * largest)) continue;
        count++;
        int k = NAMED;
        while (k > 0 && mine > share[k - 1]) k--;
        for (int m = NAMED - 1; m > k; m--) share[m] = share[m - 1], named[m] = named[m - 1];
        if (k < NAMED) share[k] = mine, named[k] = op->group_of[g];
    }
    return count;
}

static void name_groups(const crm_operator *op, const double *y, crm_stage *stage) {
    int named[NAMED], count = main_groups(op, y, named);
    char text[sizeof stage->tried];
    int used = snprintf(text, sizeof text, "no velocities satisfy group");
    for (int k = 0; k < NAMED && k < count; k++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%s %d",
                         k > 0       ? ","
                         : count > 1 ? "s"
                                     : "",
                         named[k]);
    if (count > NAMED) used += snprintf(text + used, sizeof text - (size_t)used, " and %d more", count - NAMED);
    if (count > 1) used += snprintf(text + used, sizeof text - (size_t)used, " together");
    if (stage->tried[0] != '\0') snprintf(text + used, sizeof text - (size_t)used, "; %s", stage->tried);
    memcpy(stage->tried, text, sizeof text);
}

// The same problem with every cone relaxed; false: they are already.
static carom_status relax(const crm_operator *op, crm_arena *arena, crm_operator *out, bool *differs,
                          carom_error *error) {
    carom_row_group *groups = CRM_ARENA_ARRAY(arena, carom_row_group, op->group_count);
    if (groups == NULL) return crm_fail_memory(error, "a proof", sizeof *groups * (size_t)op->group_count);
    *differs = false;
    for (int g = 0; g < op->group_count; g++) {
        groups[g] = op->groups[g];
        *differs |= groups[g].law == CAROM_LAW_CONE && groups[g].friction > 0.0 && !groups[g].relaxed;
        groups[g].relaxed = groups[g].law == CAROM_LAW_CONE;
    }
    *out = *op;
    out->groups = groups;
    return CAROM_OK;
}

static carom_status tell(const crm_operator *op, carom_interrupt interrupt, crm_arena *arena, double *left,
                         crm_stage *stage, carom_error *error) {
    double *y = CRM_ARENA_ARRAY(arena, double, op->row_count);
    crm_operator relaxed;
    bool proved, differs = false;
    if (y == NULL) return crm_fail_memory(error, "a proof", sizeof(double) * (size_t)op->row_count);
    carom_status status = crm_infeasible_search(op, interrupt, arena, left, y, &proved, error);
    if (status == CAROM_OK && proved) {
        name_groups(op, y, stage);
        stage->outcome = CAROM_SOLVE_OUTCOME_INFEASIBLE;
        return CAROM_OK;
    }
    if (status == CAROM_OK) status = relax(op, arena, &relaxed, &differs, error);
    if (status == CAROM_OK && differs)
        status = search(&relaxed, beyond_jam, interrupt, arena, left, y, &stage->jammed, error);
    return status;
}

carom_status crm_infeasible_tell(const crm_operator *op, const carom_solve_options *options, crm_arena *arena,
                                 crm_stage *stage, carom_error *error) {
    crm_mark mark = crm_arena_mark(arena);
    double allowed = fmax(options->work - stage->work, 0.0), left = allowed;
    carom_status status = allowed > 0.0 ? tell(op, options->interrupt, arena, &left, stage, error) : CAROM_OK;
    stage->work += allowed - left;
    crm_arena_release(arena, mark);
    stage->searched = true;
    return status;
}
