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
#include "base/limits/limit.h"
#include "solve/solver_state.h"
#include "step/lcp/lcp.h"

// What one solution may take of the work that is left to a step: from the guess, from nothing and without stabilisation
// others may have to follow.
static const double share_of_work = 0.5;
// The same of methods without a budget.
static const double without_budget = 2e9;

// The general solvers know no rest. What the lean solver's evaluation holds an island to afterwards is asked for with
// some room.
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

static carom_solve_options options_of(const carom_state *state, const crm_lcp *lcp, bool warm) {
    carom_solve_options options = carom_solve_options_default();
    bool pyramid = lcp->def.friction == CAROM_FRICTION_PYRAMID;
    bool own = lcp->def.solver == CAROM_SOLVER_LEMKE || lcp->def.solver == CAROM_SOLVER_MIN_MAP;
    options.solver = pyramid && !own ? CAROM_SOLVER_LEMKE : lcp->def.solver;
    options.tolerance = tolerance_of(lcp);
    options.velocity_scale = crm_lcp_velocity_scale(state);
    options.pyramid_sides = lcp->def.pyramid_sides;
    options.work = most_work(lcp);
    options.interrupt = crm_state_interrupt(state);
    options.iterations = lcp->def.iterations;
    options.warm = warm;
    options.threads = state->method.threads;
    return options;
}

// Every island by itself: lcp->left says which are only evaluated, lcp->tried gets what became of each.
static carom_status solve_from(const carom_state *state, crm_lcp *lcp, bool warm, carom_solve_report *out,
                               carom_error *error) {
    carom_solve_options options = options_of(state, lcp, warm);
    if (!crm_lcp_fill_general(state->model, lcp))
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for a problem");
    if (crm_state_interrupted(state)) return crm_fail_interrupted(error);
    carom_problem problem = crm_lcp_general_view(state->model, lcp);
    crm_island_wishes wishes = {.least_scale = lcp->least_scale, .left = lcp->left.items, .verdict = lcp->tried.items};
    carom_status status =
        crm_solve_islands(lcp->solver, &problem, &options, &wishes, lcp->general.impulse.items, NULL, out, error);
    if (status == CAROM_OK && crm_state_interrupted(state)) status = crm_fail_interrupted(error);
    if (status != CAROM_OK) return status;
    lcp->work += out->work;
    crm_lcp_take_general(lcp);
    return CAROM_OK;
}

// ---- groups: blocks, then contacts

static int group_count(const crm_lcp *lcp) {
    return lcp->problem.blocks.count + lcp->problem.contacts.count;
}

static bool take_groups(const carom_model *model, crm_lcp *lcp) {
    int groups = group_count(lcp);
    return CRM_ARRAY_RESIZE(&model->allocator, &lcp->verdict, groups) &&
           CRM_ARRAY_RESIZE(&model->allocator, &lcp->tried, groups) &&
           CRM_ARRAY_RESIZE(&model->allocator, &lcp->left, groups) &&
           CRM_ARRAY_RESIZE(&model->allocator, &lcp->done, groups) &&
           CRM_ARRAY_RESIZE(&model->allocator, &lcp->answer, lcp->problem.impulse.count) &&
           CRM_ARRAY_RESIZE(&model->allocator, &lcp->relaxed, groups) &&
           CRM_ARRAY_RESIZE(&model->allocator, &lcp->drive, groups) &&
           CRM_ARRAY_RESIZE(&model->allocator, &lcp->share, groups) &&
           CRM_ARRAY_RESIZE(&model->allocator, &lcp->undriven, lcp->problem.impulse.count) &&
           CRM_ARRAY_RESIZE(&model->allocator, &lcp->driven, lcp->problem.impulse.count);
}

// Impulses of groups that are not left, from others of the same rows; NULL: none.
static void copy_impulses(const crm_lcp *lcp, const double *from, double *to) {
    const bool *left = lcp->left.items;
    ptrdiff_t row = crm_lcp_contact_rows(lcp);
    for (int i = 0; i < lcp->problem.blocks.count; i++, left++) {
        int rows = lcp->problem.blocks.items[i].rows;
        for (int k = 0; !*left && k < rows; k++) to[row + k] = from != NULL ? from[row + k] : 0.0;
        row += rows;
    }
    row = 0;
    for (int c = 0; c < lcp->problem.contacts.count; c++, left++, row += 3)
        for (int k = 0; !*left && k < 3; k++) to[row + k] = from != NULL ? from[row + k] : 0.0;
}

static void set_impulses(crm_lcp *lcp, const double *from) {
    copy_impulses(lcp, from, lcp->problem.impulse.items);
}

static void keep_impulses(const crm_lcp *lcp, double *to) {
    if (lcp->problem.impulse.count > 0)
        memcpy(to, lcp->problem.impulse.items, (size_t)lcp->problem.impulse.count * sizeof(double));
}

// ---- what became of the islands

static bool is_open(const crm_island_verdict *island) {
    return island->outcome == CAROM_SOLVE_OUTCOME_NOT_MET && !island->jammed;
}

// Leaves all islands but the open ones of those that are not done; false: there is none of them.
static bool leave_all_but_open(crm_lcp *lcp) {
    bool any = false;
    for (int g = 0; g < lcp->verdict.count; g++) {
        lcp->left.items[g] = lcp->done.items[g] || !is_open(&lcp->verdict.items[g]);
        any |= !lcp->left.items[g];
    }
    return any;
}

static void add_trouble(carom_solve_report *solved, const carom_solve_report *tried) {
    solved->iterations += tried->iterations;
    solved->fallbacks += 1 + tried->fallbacks;
    solved->solver = tried->solver;
}

// The worst of all, from the verdicts.
static void conclude(const crm_lcp *lcp, carom_solve_report *solved) {
    solved->outcome = CAROM_SOLVE_OUTCOME_MET;
    solved->residual = (carom_residual_report){.worst_group = -1};
    solved->jammed = false;
    for (int g = 0; g < lcp->verdict.count; g++) {
        const crm_island_verdict *island = &lcp->verdict.items[g];
        if (island->outcome > solved->outcome) solved->outcome = island->outcome;
        if (!(island->residual.residual <= solved->residual.residual)) solved->residual = island->residual;
    }
    for (int g = 0; g < lcp->verdict.count; g++) solved->jammed |= lcp->verdict.items[g].jammed;
    for (int g = 0; g < lcp->verdict.count; g++) solved->jammed &= !is_open(&lcp->verdict.items[g]);
}

// The lowest body of the worst island; -1: unknown.
static int worst_body(const crm_lcp *lcp, const carom_solve_report *solved) {
    int group = solved->residual.worst_group;
    int node = group >= 0 && group < lcp->verdict.count ? lcp->verdict.items[group].node : -1;
    return node >= 0 ? lcp->problem.body_of[node] : -1;
}

// ---- solutions

// Tries the open islands once more, from other impulses (NULL: from nothing); of each the better of the two answers
// stays.
static carom_status try_from(const carom_state *state, crm_lcp *lcp, const double *start, carom_solve_report *solved,
                             carom_error *error) {
    carom_solve_report tried;
    if (!leave_all_but_open(lcp)) return CAROM_OK;
    keep_impulses(lcp, lcp->answer.items);
    set_impulses(lcp, start);
    carom_status status = solve_from(state, lcp, start != NULL, &tried, error);
    if (status != CAROM_OK) return status;
    for (int g = 0; g < lcp->verdict.count; g++) {
        crm_island_verdict *was = &lcp->verdict.items[g], *is = &lcp->tried.items[g];
        if (lcp->left.items[g]) continue;
        bool better = is->outcome == CAROM_SOLVE_OUTCOME_INFEASIBLE || is->residual.residual < was->residual.residual;
        if (better) *was = *is;
        lcp->left.items[g] = better;
    }
    set_impulses(lcp, lcp->answer.items);
    add_trouble(solved, &tried);
    conclude(lcp, solved);
    return CAROM_OK;
}

// Impulses that solve a problem badly, of the last step or of the lean solver, can lead a solver astray: what is not
// met from there is tried from others. Islands that are done stay as they are.
static carom_status solve(const carom_state *state, crm_lcp *lcp, carom_solve_report *out, carom_error *error) {
    for (int g = 0; g < lcp->left.count; g++) lcp->left.items[g] = lcp->done.items[g];
    carom_status status = solve_from(state, lcp, true, out, error);
    if (status != CAROM_OK) return status;
    for (int g = 0; g < lcp->verdict.count; g++)
        if (!lcp->done.items[g]) lcp->verdict.items[g] = lcp->tried.items[g];
    conclude(lcp, out);
    if (lcp->def.solver != CAROM_SOLVER_AUTO) return CAROM_OK;
    if (lcp->by_islands && affordable(lcp, 1)) status = try_from(state, lcp, lcp->guess.items, out, error);
    return status == CAROM_OK && affordable(lcp, 1) ? try_from(state, lcp, NULL, out, error) : status;
}

// ---- friction that adds energy

// Rounds of taking it away: each can only uncover what is smaller still.
static const int polish_rounds = 4;

// What the rows of bodies may be wrong by: those of an island alike.
static void note_noise(const carom_state *state, crm_lcp *lcp) {
    double tolerance = tolerance_of(lcp), least = crm_lcp_velocity_scale(state);
    for (int s = 0; s < lcp->problem.bodies.count; s++) lcp->noise[s] = tolerance * fmax(least, lcp->least_scale[s]);
    for (int g = 0; g < lcp->verdict.count; g++) {
        const carom_residual_report *of = &lcp->verdict.items[g].residual;
        int blocks = lcp->problem.blocks.count;
        int a = g < blocks ? lcp->problem.blocks.items[g].a : lcp->problem.contacts.items[g - blocks].a;
        int b = g < blocks ? lcp->problem.blocks.items[g].b : lcp->problem.contacts.items[g - blocks].b;
        double noise = fmax(tolerance, of->velocity) * of->scale;
        if (a >= 0) lcp->noise[a] = noise;
        if (b >= 0) lcp->noise[b] = noise;
    }
}

// Islands that miss the tolerance now and had another residual before are to be solved again; false: there is none.
static bool find_changed(crm_lcp *lcp) {
    bool any = false;
    for (int g = 0; g < lcp->verdict.count; g++) {
        double was = lcp->verdict.items[g].residual.residual, is = lcp->tried.items[g].residual.residual;
        lcp->done.items[g] = is == was || is <= tolerance_of(lcp);
        any |= !lcp->done.items[g];
        if (is != was) lcp->verdict.items[g] = lcp->tried.items[g];
    }
    return any;
}

static carom_status polish(const carom_state *state, crm_lcp *lcp, carom_solve_report *solved, carom_error *error) {
    carom_solve_options options = options_of(state, lcp, true);
    carom_status status = CAROM_OK;
    for (int round = 0; round < polish_rounds && status == CAROM_OK; round++) {
        note_noise(state, lcp);
        // The residual's law is the cone's.
        if (state->model->mobility.kind != CAROM_MOBILITY_NONE || lcp->def.friction != CAROM_FRICTION_CONE) break;
        if (!affordable(lcp, 0)) break;
        crm_lcp_solved_velocities(state->model, state, lcp);
        if (!crm_lcp_drop_backward_friction(lcp)) break;
        if (!crm_lcp_fill_general(state->model, lcp))
            return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for a problem");
        carom_problem problem = crm_lcp_general_view(state->model, lcp);
        crm_island_wishes wishes = {.least_scale = lcp->least_scale, .verdict = lcp->tried.items};
        carom_residual_report worst;
        status =
            crm_evaluate_islands(lcp->solver, &problem, &options, &wishes, lcp->general.impulse.items, &worst, error);
        if (status != CAROM_OK) return status;
        lcp->work += evaluation_work(lcp);
        carom_solve_report again;
        if (find_changed(lcp) && affordable(lcp, 1)) {
            status = solve(state, lcp, &again, error);
            if (status == CAROM_OK) add_trouble(solved, &again);
        }
        conclude(lcp, solved);
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

static bool drives_contact(double offset) {
    return offset < 0.0;
}

// Rows of forces drive nothing: what they are relative to is part of their law.
static bool drives_block(const crm_lcp *lcp, int block, double offset) {
    carom_law law = lcp->problem.blocks.items[block].law;
    if (block >= lcp->problem.force_blocks) return false;
    return law == CAROM_LAW_EQUALITY ? offset != 0.0 : law == CAROM_LAW_UNILATERAL && offset < 0.0;
}

// The same share of every group.
static const double *for_all(crm_lcp *lcp, double share) {
    for (int g = 0; g < lcp->share.count; g++) lcp->share.items[g] = share;
    return lcp->share.items;
}

// Of each group its share of what drives bodies out of overlaps and joints together, in islands that are not left.
// False: there is nothing.
static bool set_drive(crm_lcp *lcp, const double *share) {
    const double *from = lcp->driven.items;
    const bool *left = lcp->left.items;
    bool any = false;
    for (int c = 0; c < lcp->problem.contacts.count; c++, from++) {
        int g = lcp->problem.blocks.count + c;
        if (left[g] || !drives_contact(*from)) continue;
        lcp->problem.contacts.items[c].offset = share[g] * *from + 0.0; // not -0
        any = true;
    }
    for (int i = 0; i < lcp->problem.blocks.count; i++) {
        crm_rigid_block *block = &lcp->problem.blocks.items[i];
        for (int k = 0; k < block->rows; k++, from++) {
            if (left[i] || !drives_block(lcp, i, *from)) continue;
            block->offset[k] = share[i] * *from + 0.0;
            any = true;
        }
    }
    return any;
}

// What islands that were solved without stabilisation, or with a part of it, leave undone.
typedef struct relaxation {
    bool infeasible, jammed, missed; // why: it is proved to be impossible, friction holds, nothing was found
    double least;                    // share that was undone, of those of which some was; 1: of none
    int body;                        // the lowest of the island that says most of it; -1: unknown
} relaxation;

// Islands that miss what is promised, or cannot meet it, are not left; false: there is none of them.
static bool leave_what_keeps(crm_lcp *lcp, bool also_missed) {
    bool any = false;
    for (int g = 0; g < lcp->verdict.count; g++) {
        const crm_island_verdict *island = &lcp->verdict.items[g];
        bool infeasible = island->outcome == CAROM_SOLVE_OUTCOME_INFEASIBLE;
        bool missed = also_missed && !(island->residual.residual <= promised(lcp));
        lcp->left.items[g] = !infeasible && !missed;
        any |= !lcp->left.items[g];
    }
    return any;
}

static void note_reason(const crm_lcp *lcp, int group, relaxation *why) {
    const crm_island_verdict *was = &lcp->verdict.items[group];
    bool infeasible = was->outcome == CAROM_SOLVE_OUTCOME_INFEASIBLE, partly = lcp->drive.items[group] > 0.0;
    bool missed = !infeasible && !was->jammed && !partly;
    bool says_more = infeasible ? !why->infeasible : missed && !why->missed && !why->infeasible;
    if (was->node >= 0 && (why->body < 0 || says_more)) why->body = lcp->problem.body_of[was->node];
    why->infeasible |= infeasible;
    why->jammed |= was->jammed;
    why->missed |= missed;
    if (partly) why->least = fmin(why->least, lcp->drive.items[group]);
}

static bool keeps(const crm_lcp *lcp, const crm_island_verdict *island) {
    return island->residual.residual <= tolerance_of(lcp);
}

// Of islands that are not left: whether these impulses are better than those without what drives, of which the share is
// told. False: none is.
static bool note_raised(crm_lcp *lcp, double share) {
    bool any = false;
    for (int g = 0; g < lcp->verdict.count; g++) {
        if (lcp->left.items[g]) continue;
        lcp->left.items[g] = !keeps(lcp, &lcp->tried.items[g]);
        if (lcp->left.items[g]) continue;
        lcp->relaxed.items[g] = lcp->tried.items[g];
        lcp->drive.items[g] = share;
        any = true;
    }
    return any;
}

// Shares of what drives, from the problem without it to the one that was asked for.
static const double drive_shares[] = {0.25, 0.5, 0.75, 1.0};

// Islands for which no impulses were found are tried once more from those without what drives, which is brought back
// by and by, as far as there are any.
static carom_status raise(const carom_state *state, crm_lcp *lcp, carom_solve_report *solved, carom_error *error) {
    bool any = false;
    for (int g = 0; g < lcp->verdict.count; g++) {
        bool worth = !lcp->left.items[g] && is_open(&lcp->verdict.items[g]) && keeps(lcp, &lcp->relaxed.items[g]);
        lcp->left.items[g] = !worth;
        any |= worth;
    }
    for (size_t i = 0; any && i < sizeof drive_shares / sizeof *drive_shares; i++) {
        carom_solve_report raised;
        if (!affordable(lcp, 2)) break;
        set_drive(lcp, for_all(lcp, drive_shares[i]));
        carom_status status = solve_from(state, lcp, true, &raised, error);
        if (status != CAROM_OK) return status;
        add_trouble(solved, &raised);
        any = note_raised(lcp, drive_shares[i]);
        copy_impulses(lcp, lcp->problem.impulse.items, lcp->undriven.items);
    }
    for (int g = 0; g < lcp->verdict.count; g++)
        if (lcp->drive.items[g] == 1.0) lcp->verdict.items[g] = lcp->relaxed.items[g];
    return CAROM_OK;
}

// Solves again without what drives out of overlaps and joints together, in the islands that need it: velocities that
// vanish keep all the laws then, so that there is a solution. Of each the answer stays when it keeps the laws, or when
// the other one cannot.
static carom_status relax(const carom_state *state, crm_lcp *lcp, bool also_missed, carom_solve_report *solved,
                          relaxation *why, carom_error *error) {
    if (!affordable(lcp, 2)) return CAROM_OK;
    keep_impulses(lcp, lcp->answer.items);
    keep_offsets(lcp);
    if (!set_drive(lcp, for_all(lcp, 0.0))) return CAROM_OK;
    set_impulses(lcp, NULL);
    carom_solve_report without;
    carom_status status = solve_from(state, lcp, true, &without, error);
    if (status != CAROM_OK) return status;
    add_trouble(solved, &without);
    keep_impulses(lcp, lcp->undriven.items);
    for (int g = 0; g < lcp->verdict.count; g++) {
        lcp->relaxed.items[g] = lcp->tried.items[g];
        lcp->drive.items[g] = 0.0;
    }
    status = raise(state, lcp, solved, error);
    if (status != CAROM_OK) return status;
    // What drives is all there again where that was found; else impulses and offsets are those of the largest share.
    for (int g = 0; g < lcp->verdict.count; g++) lcp->left.items[g] = lcp->drive.items[g] < 1.0;
    set_impulses(lcp, lcp->undriven.items);
    set_drive(lcp, for_all(lcp, 1.0));
    leave_what_keeps(lcp, also_missed);
    set_impulses(lcp, lcp->undriven.items);
    set_drive(lcp, lcp->drive.items);
    for (int g = 0; g < lcp->verdict.count; g++) {
        crm_island_verdict *was = &lcp->verdict.items[g];
        if (lcp->left.items[g]) continue;
        lcp->left.items[g] = was->outcome == CAROM_SOLVE_OUTCOME_INFEASIBLE || keeps(lcp, &lcp->relaxed.items[g]);
        if (!lcp->left.items[g]) continue;
        note_reason(lcp, g, why);
        *was = lcp->relaxed.items[g];
    }
    set_impulses(lcp, lcp->answer.items);
    set_drive(lcp, for_all(lcp, 1.0));
    conclude(lcp, solved);
    return CAROM_OK;
}

static carom_status solve_or_relax(const carom_state *state, crm_lcp *lcp, carom_solve_report *solved,
                                   carom_step_report *report, carom_error *error) {
    bool pyramid = lcp->def.friction == CAROM_FRICTION_PYRAMID;
    if (!take_groups(state->model, lcp))
        return crm_fail_memory(error, "impulses", (size_t)lcp->problem.impulse.count * sizeof(double));
    for (int g = 0; g < lcp->done.count; g++) lcp->done.items[g] = false;
    carom_status status = solve(state, lcp, solved, error);
    bool also_missed = !pyramid && lcp->def.solver == CAROM_SOLVER_AUTO;
    if (status != CAROM_OK || !leave_what_keeps(lcp, also_missed)) return status;
    relaxation why = {.least = 1.0, .body = -1};
    status = relax(state, lcp, also_missed, solved, &why, error);
    if (status != CAROM_OK || !(why.infeasible || why.jammed || why.missed || why.least < 1.0)) return status;
    lcp->left_open = true;
    // Friction that holds is no law broken, nor is a step that undoes a part; what was only not found is, as far as
    // anyone knows.
    if (why.infeasible || why.missed) report->outcome = CAROM_STEP_BROKEN;
    char name[CRM_BODY_TEXT];
    if (why.body >= 0) report->body.index = why.body;
    char partly[96];
    snprintf(partly, sizeof partly, "impulses that undo more than %.0f %% of overlaps and open joints were not found",
             100.0 * why.least);
    snprintf(report->text, sizeof report->text, "%s and what it touches or is joined to: %s",
             why.body >= 0 ? crm_body_text(state->model, why.body, name) : "a body",
             why.infeasible ? "not all overlaps and open joints can be undone at once, and none was; look for what is "
                              "squeezed between others, and for joints and limits that contradict each other"
             : why.missed   ? "impulses that undo overlaps and open joints were not found, and none was undone; look "
                              "for what is squeezed or joined twice, else make method.step smaller"
             : why.jammed   ? "overlaps or open joints were left where friction jams what undoing them would move"
                            : partly);
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
    crm_lcp_note_residual(pyramid ? solved.pyramids : solved.residual.residual, worst_body(lcp, &solved), report);
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
