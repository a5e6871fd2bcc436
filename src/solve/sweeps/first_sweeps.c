// SPDX-License-Identifier: MIT
// Sweeps go on while they lead to the tolerance for less than Newton's method would cost: a few steps from impulses
// that are near, many from others, each worth LEAST_WORTH sweeps at least, and how many is known once its pattern has
// been analysed. Whether they lead there is asked after every batch, from the second on, by the rate of the later half.
#include "solve/sweeps/first_sweeps.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/limits/limit.h"
#include "solve/residual.h"
#include "solve/sweeps/local_refinement.h"

enum { BATCH = CRM_SWEEP_BATCH, LEAST_WORTH = 16, STEPS_FROM_NEAR = 3, STEPS_FROM_FAR = 15 };
static const double near = 1e-3;
// Where the largest change of a sweep is expected to be when the tolerance is met, relative to the tolerance; lowered
// each time that it is not.
static const double first_aim = 0.5, lower_aim = 0.3;
// Local refinement is for islands where a step of Newton's method is worth more sweeps than this.
static const double dear = 50.0;
// Rounds of refinement and sweeps at most, and of those that do not bring the residual down to `worthwhile` of it.
enum { MOST_ROUNDS = 20, POOR_ROUNDS = 5, SWEEPS_BETWEEN = 60 };
static const double worthwhile = 0.8;

void crm_stage_note(crm_stage *report, const char *name, double residual) {
    size_t used = strlen(report->tried);
    snprintf(report->tried + used, sizeof report->tried - used, "%s%s %.0e", used > 0 ? "; " : "", name, residual);
}

carom_status crm_first_sweeps_open(const crm_operator *op, const carom_solve_options *options, crm_arena *arena,
                                   double *impulse, crm_stage *report, crm_first_sweeps *out, carom_error *error) {
    *out = (crm_first_sweeps){.op = op, .options = options, .arena = arena, .report = report, .best = impulse};
    out->rough = CRM_ARENA_ARRAY(arena, double, op->row_count);
    out->residual_work = CRM_ARENA_ARRAY(arena, double, crm_residual_work(op));
    out->residual_u = CRM_ARENA_ARRAY(arena, double, op->row_count);
    if (out->rough == NULL || out->residual_work == NULL || out->residual_u == NULL)
        return crm_fail_memory(error, "the residual", sizeof(double) * (size_t)op->row_count);
    memcpy(out->rough, impulse, sizeof(double) * (size_t)op->row_count);
    crm_residual_of(op, options->velocity_scale, impulse, out->residual_work, out->residual_u, &report->residual);
    report->outcome = crm_residual_outcome(&report->residual, options->tolerance);
    if (options->warm) crm_stage_note(report, "guess", report->residual.residual);
    return CAROM_OK;
}

// Evaluates the sweeps' impulses, and takes them when they are the best.
static double evaluate(crm_first_sweeps *s) {
    carom_residual_report found;
    crm_residual_of(s->op, s->options->velocity_scale, s->rough, s->residual_work, s->residual_u, &found);
    if (found.residual < s->report->residual.residual) {
        memcpy(s->best, s->rough, sizeof(double) * (size_t)s->op->row_count);
        s->report->residual = found;
        s->report->outcome = crm_residual_outcome(&found, s->options->tolerance);
        s->report->solver = CAROM_SOLVER_GAUSS_SEIDEL;
    }
    return found.residual;
}

// Whether the sweeps so far make it likely that they end for less than Newton's method, a step of which is `worth` so
// many of them.
static bool leads_there(const crm_first_sweeps *s, double worth) {
    int batches = s->sweeps / BATCH;
    if (batches < 2) return true;
    int middle = (batches - 1) / 2;
    double now = s->trail[batches - 1], before = s->trail[middle];
    if (!(now < before)) return false;
    double rate = log(before / now) / (BATCH * (batches - 1 - middle));
    double most = worth * (now < near * s->speed ? STEPS_FROM_NEAR : STEPS_FROM_FAR);
    return s->sweeps + log(now / s->aim) / rate <= fmin(most, CRM_FIRST_SWEEPS);
}

// Sweeps on until the tolerance is met, or they do not lead there; at least so many.
static void sweep_on(crm_first_sweeps *s, int least, double worth) {
    int before = s->sweeps;
    double sweep = CRM_SWEEP_WORK * s->op->group_count;
    while (s->sweeps < CRM_FIRST_SWEEPS && !crm_interrupted(&s->options->interrupt) &&
           s->report->work + BATCH * sweep <= s->options->work &&
           (s->sweeps < before + least || leads_there(s, worth))) {
        double change = INFINITY;
        int k = 0;
        while (k < BATCH && change > s->aim) {
            change = crm_accelerate_once(&s->accelerated);
            k++;
        }
        s->report->iterations += k;
        s->report->work += k * sweep;
        s->trail[s->sweeps / BATCH] = change;
        s->sweeps += BATCH;
        if (!isfinite(change)) break;
        if (change > s->aim) continue;
        if (evaluate(s) <= s->goal) break;
        s->aim = lower_aim * change;
    }
    if (s->sweeps > before) crm_stage_note(s->report, "gauss-seidel", evaluate(s));
}

carom_status crm_first_sweeps_prepare(crm_first_sweeps *s, double goal, carom_error *error) {
    const crm_operator *op = s->op;
    carom_status status = crm_sweep_prepare(op, s->arena, s->rough, &s->sweep, error);
    if (status != CAROM_OK) return status;
    if (!crm_accelerate_prepare(&s->sweep, s->arena, &s->accelerated)) return crm_fail_memory(error, "Gauss-Seidel", 0);
    crm_accelerate_restart(&s->accelerated);
    s->speed = s->options->velocity_scale;
    for (int i = 0; i < op->row_count; i++) s->speed = fmax(s->speed, fabs(op->q[i]));
    s->goal = goal;
    s->aim = first_aim * goal * s->speed;
    return CAROM_OK;
}

void crm_first_sweeps_run(crm_first_sweeps *s) {
    sweep_on(s, 0, LEAST_WORTH);
}

// Refinement and sweeps in turn, as long as that leads on. Where all groups are in trouble, sweeps alone.
static carom_status refine_in_rounds(crm_first_sweeps *s, double worth, carom_error *error) {
    for (int round = 0, poor = 0; round < MOST_ROUNDS && poor < POOR_ROUNDS && s->report->work < s->options->work &&
                                  !crm_interrupted(&s->options->interrupt);
         round++) {
        double before = s->report->residual.residual;
        int sub_problems;
        carom_status status = crm_refine_locally(s->op, s->options, s->report->residual.scale, s->arena, s->rough,
                                                 &sub_problems, s->report, error);
        if (status != CAROM_OK) return status;
        if (sub_problems > 0) crm_accelerate_restart(&s->accelerated);
        s->sweeps = 0;
        sweep_on(s, sub_problems > 0 ? 0 : SWEEPS_BETWEEN, worth);
        if (s->report->outcome == CAROM_SOLVE_OUTCOME_MET) break;
        if (!(s->report->residual.residual < worthwhile * before)) poor++;
    }
    return CAROM_OK;
}

carom_status crm_first_sweeps_go_on(crm_first_sweeps *s, double price_of_step, bool cheap, carom_error *error) {
    double worth = price_of_step / (CRM_SWEEP_WORK * s->op->group_count);
    if (worth <= dear && !cheap) return CAROM_OK;
    sweep_on(s, 0, worth);
    bool sub_problems = s->op->form == CAROM_FORM_BODIES && worth > dear;
    return sub_problems && s->report->outcome != CAROM_SOLVE_OUTCOME_MET ? refine_in_rounds(s, worth, error) : CAROM_OK;
}
