// SPDX-License-Identifier: MIT
// Impulses for the problem of a step by the general solvers, and what is done when there are none.
//
// With offsets that drive bodies out of overlaps and joints together the problem need not have a solution, for two
// reasons. Velocities that undo all of them may not exist; that is proved. Or they exist and friction holds against
// them: a body wedged between a joint and a rough wall cannot slide out, however hard both push. Without these offsets
// velocities that vanish keep the laws, also of the relaxed cones, and then exact friction has a solution as well
// (docs/math.md 6.4). So islands that are not solved are solved without: what friction jams stays as it is.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "solve/solver_state.h"
#include "step/lcp/lcp.h"

// What one solution may take of the work that is left to a step: from the guess, from nothing and without stabilisation
// others may have to follow.
static const double share_of_work = 0.5;
// The same of methods without a budget.
static const double without_budget = 2e9;

// The general solvers know no rest. What each island is held to by its own scale afterwards is asked for with some
// room, as they weigh islands against each other.
static double tolerance_of(const crm_lcp *lcp) {
    crm_lcp_aim aim = crm_lcp_aim_of(&lcp->def);
    return lcp->by_islands ? 0.5 * aim.moving : aim.sweeps > 0 ? aim.moving : aim.resting;
}

// What is kept then is no failure, though it is above what was asked for.
static double promised(const crm_lcp *lcp) {
    return lcp->by_islands ? crm_lcp_aim_of(&lcp->def).moving : tolerance_of(lcp);
}

// ---- work

static double evaluation_work(const crm_lcp *lcp) {
    return CRM_EVALUATION_WORK * (lcp->problem.contacts.count + lcp->problem.blocks.count);
}

// One evaluation is kept, for friction that has to be taken away.
static double to_spend(const crm_lcp *lcp) {
    return crm_lcp_work_left(lcp) - evaluation_work(lcp);
}

double crm_lcp_general_least(const crm_lcp *lcp) {
    return 2.0 * evaluation_work(lcp);
}

static double most_work(const crm_lcp *lcp) {
    double work = fmax(share_of_work * to_spend(lcp), evaluation_work(lcp));
    return isfinite(work) ? fmax(work, 1.0) : without_budget; // 1: of a problem without rows
}

// Whether so many evaluations or solutions can be had.
static bool affordable(const crm_lcp *lcp, int evaluations) {
    return to_spend(lcp) >= evaluations * evaluation_work(lcp);
}

// ---- one solution

static carom_status solve_from(const carom_state *state, crm_lcp *lcp, bool warm, carom_solve_report *out,
                               carom_error *error) {
    carom_solve_options options = carom_solve_options_default();
    bool pyramid = lcp->def.friction == CAROM_FRICTION_PYRAMID;
    bool own = lcp->def.solver == CAROM_SOLVER_LEMKE || lcp->def.solver == CAROM_SOLVER_MIN_MAP;
    options.solver = pyramid && !own ? CAROM_SOLVER_LEMKE : lcp->def.solver;
    options.tolerance = tolerance_of(lcp);
    options.velocity_scale = crm_lcp_velocity_scale(state, lcp);
    options.pyramid_sides = lcp->def.pyramid_sides;
    options.work = most_work(lcp);
    options.iterations = lcp->def.iterations;
    options.warm = warm;
    options.threads = state->method.threads;
    if (!crm_lcp_fill_general(state->model, lcp))
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for a problem");
    carom_problem problem = crm_lcp_general_view(state->model, lcp);
    carom_status status = carom_solve(lcp->solver, &problem, &options, lcp->general.impulse.items, NULL, out, error);
    if (status != CAROM_OK) return status;
    lcp->work += out->work;
    crm_lcp_take_general(lcp);
    return CAROM_OK;
}

// ---- the impulses of a problem, kept while others are tried

static carom_status keep_impulses(const carom_state *state, crm_lcp *lcp, carom_error *error) {
    size_t bytes = (size_t)lcp->problem.impulse.count * sizeof(double);
    if (!CRM_ARRAY_RESIZE(&state->model->allocator, &lcp->answer, lcp->problem.impulse.count))
        return crm_fail_memory(error, "impulses", bytes);
    memcpy(lcp->answer.items, lcp->problem.impulse.items, bytes);
    return CAROM_OK;
}

static void restore_impulses(crm_lcp *lcp) {
    memcpy(lcp->problem.impulse.items, lcp->answer.items, (size_t)lcp->problem.impulse.count * sizeof(double));
}

// Takes over `tried`, with the trouble that `solved` took before.
static void replace(carom_solve_report *solved, const carom_solve_report *tried) {
    int iterations = solved->iterations + tried->iterations, fallbacks = solved->fallbacks + 1 + tried->fallbacks;
    *solved = *tried;
    solved->iterations = iterations;
    solved->fallbacks = fallbacks;
}

static void add_trouble(carom_solve_report *solved, const carom_solve_report *tried) {
    solved->iterations += tried->iterations;
    solved->fallbacks += 1 + tried->fallbacks;
}

// Tries once more, from other impulses (NULL: from nothing); the better of the two answers stays.
static carom_status try_from(const carom_state *state, crm_lcp *lcp, const double *start, carom_solve_report *solved,
                             carom_error *error) {
    carom_solve_report tried;
    size_t bytes = (size_t)lcp->problem.impulse.count * sizeof(double);
    carom_status status = keep_impulses(state, lcp, error);
    if (status != CAROM_OK) return status;
    if (start != NULL)
        memcpy(lcp->problem.impulse.items, start, bytes);
    else
        memset(lcp->problem.impulse.items, 0, bytes);
    status = solve_from(state, lcp, start != NULL, &tried, error);
    if (status != CAROM_OK) return status;
    if (tried.outcome == CAROM_SOLVE_OUTCOME_INFEASIBLE || tried.residual.residual < solved->residual.residual) {
        replace(solved, &tried);
        return CAROM_OK;
    }
    add_trouble(solved, &tried);
    restore_impulses(lcp);
    return CAROM_OK;
}

static bool is_open(const carom_solve_report *solved) {
    return solved->outcome == CAROM_SOLVE_OUTCOME_NOT_MET && !solved->jammed;
}

// Impulses that solve a problem badly, of the last step or of the lean solver, can lead a solver astray: what is not
// met from there is tried from others.
static carom_status solve(const carom_state *state, crm_lcp *lcp, carom_solve_report *out, carom_error *error) {
    carom_status status = solve_from(state, lcp, true, out, error);
    if (lcp->def.solver != CAROM_SOLVER_AUTO) return status;
    if (status == CAROM_OK && is_open(out) && lcp->by_islands && affordable(lcp, 1))
        status = try_from(state, lcp, lcp->guess.items, out, error);
    if (status == CAROM_OK && is_open(out) && affordable(lcp, 1)) status = try_from(state, lcp, NULL, out, error);
    return status;
}

// Rounds of taking away friction that adds energy: each can only uncover what is smaller still.
static const int polish_rounds = 4;

static carom_status polish(const carom_state *state, crm_lcp *lcp, carom_solve_report *solved, carom_error *error) {
    double tolerance = tolerance_of(lcp);
    carom_status status = CAROM_OK;
    for (int round = 0; round < polish_rounds && status == CAROM_OK; round++) {
        lcp->noise = fmax(tolerance, solved->residual.velocity) * solved->residual.scale;
        // The residual's law is the cone's.
        if (state->model->mobility.kind != CAROM_MOBILITY_NONE || lcp->def.friction != CAROM_FRICTION_CONE) break;
        if (!affordable(lcp, 0)) break;
        crm_lcp_solved_velocities(state->model, state, lcp);
        if (!crm_lcp_drop_backward_friction(lcp)) break;
        if (!crm_lcp_fill_general(state->model, lcp))
            return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for a problem");
        carom_problem problem = crm_lcp_general_view(state->model, lcp);
        status = carom_residual_evaluate(lcp->solver, &problem, crm_lcp_velocity_scale(state, lcp),
                                         lcp->general.impulse.items, NULL, &solved->residual, error);
        lcp->work += evaluation_work(lcp);
        if (status == CAROM_OK && !(solved->residual.residual <= tolerance) && affordable(lcp, 1))
            status = solve(state, lcp, solved, error);
    }
    return status;
}

// ---- without stabilisation

// Offsets of all rows but the contacts' tangents, as lcp->driven keeps them.
static void keep_offsets(crm_lcp *lcp) {
    double *to = lcp->driven.items;
    for (int c = 0; c < lcp->problem.contacts.count; c++) *to++ = lcp->problem.contacts.items[c].offset;
    for (int i = 0; i < lcp->problem.blocks.count; i++) {
        const crm_rigid_block *block = &lcp->problem.blocks.items[i];
        for (int k = 0; k < block->rows; k++) *to++ = block->offset[k];
    }
}

static void restore_offsets(crm_lcp *lcp) {
    const double *from = lcp->driven.items;
    for (int c = 0; c < lcp->problem.contacts.count; c++) lcp->problem.contacts.items[c].offset = *from++;
    for (int i = 0; i < lcp->problem.blocks.count; i++) {
        crm_rigid_block *block = &lcp->problem.blocks.items[i];
        for (int k = 0; k < block->rows; k++) block->offset[k] = *from++;
    }
}

// Takes away what drives bodies out of overlaps and joints together, and the impulses, in islands that are not solved
// (lcp->unmet): velocities that vanish then keep all the laws, so that there is a solution. False: there was nothing.
static bool drop_stabilisation(crm_lcp *lcp) {
    bool any = false;
    const bool *unmet = lcp->unmet.items;
    double *r = crm_lcp_block_impulses(lcp);
    for (int i = 0; i < lcp->problem.blocks.count; r += lcp->problem.blocks.items[i++].rows, unmet++) {
        crm_rigid_block *block = &lcp->problem.blocks.items[i];
        for (int k = 0; *unmet && k < block->rows; k++) {
            bool drives = block->law == CAROM_LAW_EQUALITY     ? block->offset[k] != 0.0
                          : block->law == CAROM_LAW_UNILATERAL ? block->offset[k] < 0.0
                                                               : false;
            if (drives) block->offset[k] = 0.0;
            r[k] = 0.0;
            any |= drives;
        }
    }
    for (int c = 0; c < lcp->problem.contacts.count; c++) {
        if (!unmet[c]) continue;
        any |= lcp->problem.contacts.items[c].offset < 0.0;
        lcp->problem.contacts.items[c].offset = fmax(lcp->problem.contacts.items[c].offset, 0.0);
        memset(lcp->problem.impulse.items + 3 * (ptrdiff_t)c, 0, 3 * sizeof(double));
    }
    return any;
}

// Solves again without what drives out of overlaps and joints together, in the islands that need it. The answer stays
// when it keeps the laws, or when the other one cannot: `solved` is then of it.
static carom_status relax(const carom_state *state, crm_lcp *lcp, carom_solve_report *solved, bool *relaxed_offsets,
                          carom_error *error) {
    const carom_allocator *allocator = &state->model->allocator;
    double tolerance = tolerance_of(lcp);
    *relaxed_offsets = false;
    if (!affordable(lcp, 2)) return CAROM_OK;
    if (!CRM_ARRAY_RESIZE(allocator, &lcp->unmet, lcp->general.groups.count) ||
        !CRM_ARRAY_RESIZE(allocator, &lcp->driven, lcp->problem.impulse.count))
        return crm_fail_memory(error, "offsets", (size_t)lcp->problem.impulse.count * sizeof(double));
    carom_problem problem = crm_lcp_general_view(state->model, lcp); // as it was solved
    carom_status status = keep_impulses(state, lcp, error);
    if (status == CAROM_OK)
        status = crm_solver_find_unmet(lcp->solver, &problem, crm_lcp_velocity_scale(state, lcp), tolerance,
                                       lcp->general.impulse.items, lcp->unmet.items, error);
    if (status != CAROM_OK) return status;
    lcp->work += evaluation_work(lcp);
    keep_offsets(lcp);
    if (!drop_stabilisation(lcp)) return CAROM_OK;
    carom_solve_report without;
    // Islands that are solved start from their solution and stay as they are.
    status = solve_from(state, lcp, true, &without, error);
    if (status != CAROM_OK) return status;
    *relaxed_offsets = solved->outcome == CAROM_SOLVE_OUTCOME_INFEASIBLE || without.residual.residual <= tolerance;
    if (*relaxed_offsets) {
        replace(solved, &without);
        return CAROM_OK;
    }
    add_trouble(solved, &without);
    restore_offsets(lcp);
    restore_impulses(lcp);
    return CAROM_OK;
}

static carom_status solve_or_relax(const carom_state *state, crm_lcp *lcp, carom_solve_report *solved,
                                   carom_step_report *report, carom_error *error) {
    bool pyramid = lcp->def.friction == CAROM_FRICTION_PYRAMID, relaxed_offsets = false;
    carom_status status = solve(state, lcp, solved, error);
    if (status != CAROM_OK) return status;
    bool infeasible = solved->outcome == CAROM_SOLVE_OUTCOME_INFEASIBLE, jammed = solved->jammed;
    bool missed = !pyramid && lcp->def.solver == CAROM_SOLVER_AUTO && !(solved->residual.residual <= promised(lcp));
    if (!infeasible && !missed) return CAROM_OK;
    status = relax(state, lcp, solved, &relaxed_offsets, error);
    if (status != CAROM_OK || !relaxed_offsets) return status;
    lcp->left_open = true;
    // Friction that holds is no law broken; what was only not found is, as far as anyone knows.
    if (infeasible || !jammed) report->outcome = CAROM_STEP_BROKEN;
    snprintf(report->text, sizeof report->text, "%s",
             infeasible ? "overlaps or open joints cannot all be undone at once, as some contradict each other; where "
                          "they do none was"
             : jammed   ? "overlaps or open joints were left where friction jams what undoing them would move"
                      : "impulses that undo all overlaps and open joints were not found; where they were missing none "
                        "was undone");
    return CAROM_OK;
}

carom_status crm_lcp_solve_general(const carom_state *state, crm_lcp *lcp, carom_step_report *report,
                                   carom_error *error) {
    carom_solve_report solved;
    carom_status status = crm_lcp_keep_guess(state->model, lcp, error);
    if (status == CAROM_OK) status = solve_or_relax(state, lcp, &solved, report, error);
    if (status == CAROM_OK) status = polish(state, lcp, &solved, error);
    if (status != CAROM_OK) return status;
    bool pyramid = lcp->def.friction == CAROM_FRICTION_PYRAMID;
    report->residual = fmax(report->residual, pyramid ? solved.pyramids : solved.residual.residual);
    report->iterations += solved.iterations;
    report->fallbacks += solved.fallbacks;
    report->solver = solved.solver;
    return CAROM_OK;
}

carom_status crm_lcp_solve_doubtful(const carom_state *state, crm_lcp *lcp, carom_step_report *report,
                                    carom_error *error) {
    carom_solve_report solved;
    carom_status status = solve_or_relax(state, lcp, &solved, report, error);
    if (status != CAROM_OK) return status;
    report->iterations += solved.iterations;
    report->fallbacks += 1 + solved.fallbacks;
    report->solver = solved.solver;
    return CAROM_OK;
}
