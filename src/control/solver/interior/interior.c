// SPDX-License-Identifier: MIT
// The whole of it: reduce the program, begin, go on until it is solved, impossible or stuck, and tell the truth.
#include "control/solver/interior/interior.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/fail.h"
#include "control/solver/interior/drive.h"
#include "control/solver/interior/polish.h"
#include "control/solver/interior/restore.h"
#include "control/solver/interior/start.h"
#include "control/solver/interior/step.h"

// How far bounds are moved outward so that a program without an inside has one: far below what plans promise.
static const double bounds_moved = 1e-10;

static const double cold_barrier = 0.1, warm_barrier = 1e-3;

// Objectives that were scaled down further than this are not solved as much more closely.
static const double least_scale = 1e-2;

typedef struct session {
    const crm_program_settings *settings;
    crm_program_callback *callback;
    void *user;
    crm_evaluator evaluator;
    crm_reduced reduced;
    crm_newton_matrix matrix;
    crm_phase main, elastic;
    crm_program_result *result;
} session;

static carom_status create(session *s, const crm_program *program, const crm_program_point *point, crm_arena *arena,
                           carom_error *error) {
    carom_status status = crm_evaluator_create(program, arena, &s->evaluator, error);
    if (status == CAROM_OK)
        status = crm_reduced_create(&s->evaluator, point->z, bounds_moved, arena, &s->reduced, error);
    if (status != CAROM_OK) return status;
    const crm_reduced *d = &s->reduced;
    crm_newton_pattern pattern = {.unknowns = d->n,
                                  .rows = d->m,
                                  .inequality = d->inequality,
                                  .jacobian_start = d->jacobian_start,
                                  .jacobian_column = d->jacobian_column,
                                  .hessian_count = d->hessian_count,
                                  .hessian_row = d->hessian_row,
                                  .hessian_column = d->hessian_column,
                                  .unknown_place = d->unknown_place,
                                  .row_place = d->row_place};
    status = crm_newton_matrix_create(&pattern, arena, &s->matrix, error);
    if (status == CAROM_OK) status = crm_phase_create(&s->reduced, &s->matrix, false, arena, &s->main, error);
    if (status == CAROM_OK) status = crm_phase_create(&s->reduced, &s->matrix, true, arena, &s->elastic, error);
    return status;
}

// Tells of an iteration; false when it is the last, by the callback or the limit.
static bool goes_on(session *s, const crm_phase *phase) {
    s->result->iterations++;
    crm_phase_error error = crm_phase_measure(phase, 0.0);
    if (s->callback != NULL && !s->callback(s->user, s->result->iterations, phase->objective / s->reduced.objective_scale,
                                            error.violation, error.optimality, phase->mu)) {
        s->result->outcome = CRM_PROGRAM_INTERRUPTED;
        return false;
    }
    return s->result->iterations < s->settings->iteration_limit;
}

static bool goes_on_restoring(void *user, const crm_phase *elastic) {
    return goes_on(user, elastic);
}

// Until it is solved, or nothing more can be done.
static carom_status iterate(session *s, carom_error *error) {
    // Of the scaled program: what is left of products of multipliers grows when they are scaled back.
    double tolerance = s->settings->tolerance * fmax(s->reduced.objective_scale, least_scale);
    crm_drive drive = crm_drive_begin(&s->main, tolerance);
    for (;;) {
        crm_drive_outcome moved;
        carom_status status = crm_drive_on(&drive, &moved, error);
        if (status != CAROM_OK || moved == CRM_DRIVE_SOLVED || moved == CRM_DRIVE_AT_END) return status;
        if (moved == CRM_DRIVE_MOVED) {
            if (!goes_on(s, &s->main)) return CAROM_OK;
            continue;
        }
        crm_restore_outcome restored;
        if (crm_phase_measure(&s->main, 0.0).violation <= tolerance) return CAROM_OK; // nothing to restore
        status = crm_restore(&s->main, &s->elastic, tolerance, goes_on_restoring, s, &restored, error);
        if (status != CAROM_OK) return status;
        if (restored == CRM_RESTORE_INFEASIBLE) s->result->outcome = CRM_PROGRAM_INFEASIBLE;
        if (restored != CRM_RESTORE_FOUND) return CAROM_OK;
    }
}

// The inertia where the barrier ended, then the program's own solution.
static carom_status finish(session *s, carom_error *error) {
    bool found;
    carom_status status = crm_step_factor(&s->main, &found, error);
    if (status != CAROM_OK) return status;
    s->result->inertia_right = found && s->main.inertia_right;
    return crm_polish(&s->main, error);
}

// Back to the program: unscaled, within the bounds that were moved.
static void give_back(const session *s, crm_program_point *point) {
    const crm_reduced *d = &s->reduced;
    const crm_program *p = s->evaluator.program;
    const crm_phase *main = &s->main;
    memset(point->multiplier, 0, (size_t)p->row_count * sizeof(double));
    memset(point->bound_lower, 0, (size_t)p->unknown_count * sizeof(double));
    memset(point->bound_upper, 0, (size_t)p->unknown_count * sizeof(double));
    for (int32_t i = 0; i < p->unknown_count; i++)
        if (p->lower[i] == p->upper[i]) point->z[i] = p->lower[i];
    for (int i = 0; i < d->n; i++) {
        int32_t unknown = d->unknown[i];
        point->z[unknown] = fmin(fmax(main->at.v[i], p->lower[unknown]), p->upper[unknown]);
        point->bound_lower[unknown] = main->at.lower[i] / d->objective_scale;
        point->bound_upper[unknown] = main->at.upper[i] / d->objective_scale;
    }
    for (int r = 0; r < d->m; r++) point->multiplier[d->row[r]] = main->at.y[r] * d->row_scale[r] / d->objective_scale;
}

static carom_status solve(session *s, crm_program_point *point, carom_error *error) {
    const crm_program_settings *settings = s->settings;
    bool evaluated;
    s->main.mu = settings->barrier > 0.0 ? settings->barrier : settings->warm ? warm_barrier : cold_barrier;
    carom_status status = crm_start_phase(&s->main, point, settings->warm, &evaluated, error);
    if (status != CAROM_OK || !evaluated) return status;
    status = iterate(s, error);
    if (status == CAROM_OK && s->result->outcome == CRM_PROGRAM_STUCK) status = finish(s, error);
    if (status == CAROM_OK) give_back(s, point);
    return status;
}

// What was reached, by the program's own measure: the method's opinion does not count.
static void judge(const session *s, crm_program_result *result) {
    double tolerance = s->settings->tolerance;
    if (result->outcome != CRM_PROGRAM_STUCK || !(result->violation <= tolerance)) return;
    bool solved = result->optimality <= tolerance && result->complementarity <= tolerance;
    result->outcome = solved ? CRM_PROGRAM_SOLVED : CRM_PROGRAM_FEASIBLE;
}

carom_status crm_solve_program_by_interior(const crm_program *program, const crm_program_settings *settings,
                                           crm_program_callback *callback, void *user, crm_program_point *point,
                                           crm_program_result *result, crm_arena *arena, carom_error *error) {
    crm_mark mark = crm_arena_mark(arena);
    double began = crm_clock_thread_seconds();
    session s = {.settings = settings, .callback = callback, .user = user, .result = result};
    *result = (crm_program_result){.outcome = CRM_PROGRAM_STUCK, .violation = INFINITY, .optimality = INFINITY};
    carom_status status = create(&s, program, point, arena, error);
    if (status == CAROM_OK && s.reduced.fixed_violation > settings->tolerance)
        result->outcome = CRM_PROGRAM_INFEASIBLE;
    else if (status == CAROM_OK)
        status = solve(&s, point, error);
    if (status == CAROM_OK && !crm_program_measure(&s.evaluator, point, arena, result) && crm_arena_refused(arena))
        status = crm_fail_memory(error, "a program", sizeof(double) * (size_t)s.evaluator.jacobian_count);
    judge(&s, result);
    result->factorizations = s.main.factorizations + s.elastic.factorizations;
    result->seconds = crm_clock_thread_seconds() - began;
    crm_arena_release(arena, mark);
    return status;
}
