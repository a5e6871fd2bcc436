// SPDX-License-Identifier: MIT
// Level by level, start by start; the best is kept and certified.
#include "control/plan/plan_solve.h"

#include <math.h>
#include <stdio.h>

#include "base/fail.h"

// Rows first, then what is to have least; of two that break rows the one that does so less.
static bool is_better(const crm_plan_trial *a, const crm_plan_trial *b) {
    if (!b->made) return true;
    if (crm_plan_keeps_rows(a) != crm_plan_keeps_rows(b)) return crm_plan_keeps_rows(a);
    return crm_plan_keeps_rows(a) ? a->result.objective < b->result.objective
                                  : a->result.violation < b->result.violation;
}

static carom_status note_solve(carom_plan *plan, const crm_plan_trial *t, carom_error *error) {
    carom_plan_solve solve = {.start = t->start,
                              .level = t->level,
                              .intervals = t->draft.intervals,
                              .outcome = t->outcome,
                              .iterations = t->result.iterations,
                              .effort = t->effort,
                              .violation = t->result.violation,
                              .optimality = t->result.optimality,
                              .seconds = t->result.seconds};
    if (CRM_ARRAY_PUSH(&plan->arena.allocator, &plan->solves, solve)) return CAROM_OK;
    return crm_fail_memory(error, "the list of solutions of a plan", sizeof solve);
}

static void move_trial(crm_plan_trial *from, crm_plan_trial *to) {
    crm_plan_trial_free(to);
    *to = *from;
    to->draft.arena = &to->arena;
    *from = (crm_plan_trial){.made = false};
}

// What the motion keeps, found without the program; beside it what the solver and the program tell.
carom_status crm_plan_certify(carom_plan *plan, carom_error *error) {
    const crm_plan_trial *t = &plan->best;
    carom_plan_certificate *c = &plan->certificate;
    plan->findings = (crm_plan_findings){
        .certificate = {.violation = t->result.violation, .gap_at_nodes = INFINITY, .gap_between = INFINITY},
        .text = ""};
    crm_arena_free(&plan->proof); // also forgets that memory was refused before
    if (crm_plan_keeps_rows(t)) {
        carom_status status =
            crm_certify_plan(plan->model, &plan->def, &t->motion, &plan->proof, &plan->findings, error);
        if (status != CAROM_OK) return status;
    }
    *c = plan->findings.certificate;
    c->length = t->draft.units.length;
    c->optimality = fmax(t->result.optimality, t->result.complementarity);
    c->strict = t->result.inertia_right;
    c->effort = t->effort;
    c->guess_effort = t->guess_effort;
    c->recursion_effort = t->recursion_effort;
    c->coarse_effort = plan->coarse_effort;
    plan->certified = true;
    return CAROM_OK;
}

enum { MOST_ROUNDS = 12 };

// One level, again with the planes that turned out to be needed.
static carom_status solve_level(carom_plan *plan, const crm_plan_trial *coarse, carom_plan_progress_function *progress,
                                void *user, crm_plan_trial *trial, carom_error *error) {
    crm_plan_trial before = {.made = false};
    carom_status status = crm_plan_trial_solve(plan, coarse, progress, user, trial, error);
    for (int round = 1; status == CAROM_OK && trial->missing_planes > 0 && round < MOST_ROUNDS; round++) {
        int iterations = trial->result.iterations;
        double seconds = trial->result.seconds;
        move_trial(trial, &before);
        *trial = (crm_plan_trial){.start = before.start, .level = before.level};
        status = crm_plan_trial_solve(plan, &before, progress, user, trial, error);
        trial->result.iterations += iterations;
        trial->result.seconds += seconds;
    }
    crm_plan_trial_free(&before);
    return status;
}

static carom_status solve_next(carom_plan *plan, carom_plan_progress_function *progress, void *user,
                               carom_error *error) {
    crm_plan_trial trial = {.start = plan->next_start, .level = plan->next_level};
    const crm_plan_trial *coarse = plan->next_level > 0 && crm_plan_keeps_rows(&plan->last) ? &plan->last : NULL;
    double coarse_effort = coarse != NULL ? coarse->effort : NAN;
    carom_status status = solve_level(plan, coarse, progress, user, &trial, error);
    if (status == CAROM_OK) status = note_solve(plan, &trial, error);
    if (status != CAROM_OK) return crm_plan_trial_free(&trial), status;
    if (++plan->next_level < plan->def.levels) {
        move_trial(&trial, &plan->last);
        return CAROM_OK;
    }
    plan->next_level = 0;
    plan->next_start++;
    if (is_better(&trial, &plan->best)) {
        move_trial(&trial, &plan->best);
        plan->coarse_effort = coarse_effort;
    }
    crm_plan_trial_free(&trial);
    return CAROM_OK;
}

// When no start has led to a plan: why, or, where that question finds a motion, from there.
static carom_status explain(carom_plan *plan, carom_plan_progress_function *progress, void *user, carom_error *error) {
    crm_plan_trial *best = &plan->best;
    bool possible;
    if (crm_plan_keeps_rows(best) || best->reason[0] != '\0') return CAROM_OK;
    carom_status status = crm_plan_find_reason(plan, progress, user, best, &possible, error);
    if (status == CAROM_OK && possible) status = crm_plan_trial_again(plan, progress, user, best, error);
    if (status == CAROM_OK && possible && !crm_plan_keeps_rows(best))
        snprintf(best->reason, sizeof best->reason,
                 "the solver came to no plan, though there is a motion that keeps all rows");
    return status;
}

carom_status carom_plan_solve_next(carom_plan *plan, int threads, carom_plan_progress_function *progress, void *user,
                                   bool *done, carom_error *error) {
    CRM_NEED(plan, error);
    CRM_NEED(done, error);
    (void)threads; // MUMPS has state of its own: starts are solved one after the other
    *done = plan->certified;
    if (*done) return CAROM_OK;
    carom_status status = CAROM_OK;
    if (plan->next_start < plan->def.starts) status = solve_next(plan, progress, user, error);
    if (status == CAROM_OK && plan->next_start >= plan->def.starts) status = explain(plan, progress, user, error);
    if (status == CAROM_OK && plan->next_start >= plan->def.starts) status = crm_plan_certify(plan, error);
    *done = plan->certified;
    return status;
}
