// SPDX-License-Identifier: MIT
// A plan is checked and keeps copies of its definitions.
#include <string.h>

#include "base/fail.h"
#include "control/plan/plan_solve.h"
#include "control/rows/touch/avoid.h"
#include "model/mechanism/assemble.h"

// ---- what is kept

static void *copy_of(crm_arena *arena, const void *items, ptrdiff_t count, size_t size) {
    void *copy = crm_arena_take_array(arena, count, size);
    if (copy != NULL && count > 0 && items != NULL) memcpy(copy, items, size * (size_t)count);
    return copy;
}

static bool keep(carom_plan *plan) {
    carom_plan_def *d = &plan->def;
    crm_arena *arena = &plan->arena;
    d->control = copy_of(arena, d->control, d->control_count, sizeof *d->control);
    d->condition = copy_of(arena, d->condition, d->condition_count, sizeof *d->condition);
    d->avoid.pair = copy_of(arena, d->avoid.pair, d->avoid.pair_count, sizeof *d->avoid.pair);
    d->contact = copy_of(arena, d->contact, d->contact_count, sizeof *d->contact);
    d->discover.pair = copy_of(arena, d->discover.pair, d->discover.pair_count, sizeof *d->discover.pair);
    d->way_point = copy_of(arena, d->way_point, d->way_point_count, sizeof *d->way_point);
    d->motion = copy_of(arena, d->motion, (ptrdiff_t)d->motion_count * plan->model->bodies.count, sizeof *d->motion);
    return !crm_arena_refused(arena);
}

static void fill_defaults(carom_plan_def *d) {
    if (d->time_least == 0.0) d->time_least = 0.1 * d->time;
    if (d->time_most == 0.0) d->time_most = 10.0 * d->time;
}

// As a run of the scene begins.
static carom_status find_start(carom_plan *plan, carom_error *error) {
    const carom_model *model = plan->model;
    plan->start = CRM_ARENA_ARRAY(&plan->arena, crm_motion, model->bodies.count);
    if (plan->start == NULL) return crm_fail_memory(error, "the start of a plan", sizeof *plan->start);
    for (int b = 0; b < model->bodies.count; b++) plan->start[b] = crm_motion_initial(&model->bodies.items[b]);
    carom_assembly assembly;
    return crm_assemble(model, plan->start, &assembly, error);
}

// Of the plan's length: what overlaps by less was given in decimals.
static const double given_overlap = 1e-6;

static carom_status check_overlap(const crm_draft *draft, carom_error *error) {
    char a[CRM_BODY_TEXT], b[CRM_BODY_TEXT];
    crm_given_overlap worst = crm_avoid_given_overlap(draft);
    if (worst.depth <= given_overlap * draft->units.length) return CAROM_OK;
    return crm_refuse(
        error,
        "plan: %s and %s overlap by %.3g m at node %d (of %d), where their poses are given and they shall keep "
        "apart; move one of them",
        crm_body_text(draft->model, worst.a, a), crm_body_text(draft->model, worst.b, b), worst.depth, worst.node,
        draft->intervals);
}

// Poses that are given may contradict each other: a joint that they leave open, a box that they are not in.
static carom_status check_given(carom_plan *plan, carom_error *error) {
    crm_plan_trial trial = {.made = false};
    carom_status status = crm_plan_trial_lay_out(plan, plan->def.levels - 1, &trial, error);
    plan->extent =
        (carom_plan_extent){trial.draft.control_numbers, trial.program.unknown_count, trial.program.row_count};
    if (status == CAROM_OK && trial.draft.broken_by > 0.0) {
        char text[CRM_ROW_TEXT];
        const char *unit;
        double size = crm_row_unit(&trial.draft, &trial.draft.contradiction, &unit);
        status = crm_refuse(error, "plan: what is given contradicts itself: %s misses by %.3g %s (at %d intervals)",
                            crm_row_text(&trial.draft, &trial.draft.contradiction, text), trial.draft.broken_by * size,
                            unit, trial.draft.intervals);
    }
    if (status == CAROM_OK) status = check_overlap(&trial.draft, error);
    crm_plan_trial_free(&trial);
    return status;
}

carom_status carom_plan_create(const carom_model *model, const carom_plan_def *def, const carom_allocator *allocator,
                               carom_plan **out, carom_error *error) {
    CRM_NEED(model, error);
    CRM_NEED(def, error);
    CRM_NEED(out, error);
    *out = NULL;
    carom_status status = CRM_CHECK_STRUCT(def, carom_plan_def, error);
    if (status != CAROM_OK) return status;
    if (!model->frozen)
        return crm_fail(error, CAROM_ERR_FROZEN, "the model must be frozen before a plan can be made of it");
    carom_plan_def filled = *def;
    fill_defaults(&filled);
    status = crm_plan_check(model, &filled, error);
    if (status != CAROM_OK) return status;
    carom_allocator memory = allocator != NULL ? *allocator : carom_allocator_default();
    carom_plan *plan = memory.allocate(memory.user, sizeof *plan);
    if (plan == NULL) return crm_fail_memory(error, "a plan", sizeof *plan);
    *plan = (carom_plan){.model = model, .def = filled};
    crm_arena_init(&plan->arena, &memory);
    crm_arena_init(&plan->last.arena, &memory);
    crm_arena_init(&plan->best.arena, &memory);
    crm_arena_init(&plan->proof, &memory);
    crm_arena_init(&plan->told, &memory);
    if (!keep(plan)) status = crm_fail_memory(error, "the definition of a plan", sizeof *plan);
    if (status == CAROM_OK) status = find_start(plan, error);
    if (status == CAROM_OK) status = check_given(plan, error);
    if (status != CAROM_OK) {
        carom_plan_destroy(plan);
        return status;
    }
    *out = plan;
    return CAROM_OK;
}

void carom_plan_destroy(carom_plan *plan) {
    if (plan == NULL) return;
    carom_allocator memory = plan->arena.allocator;
    crm_plan_trial_free(&plan->last);
    crm_plan_trial_free(&plan->best);
    CRM_ARRAY_FREE(&memory, &plan->solves);
    crm_arena_free(&plan->proof);
    crm_arena_free(&plan->told);
    crm_arena_free(&plan->arena);
    memory.release(memory.user, plan, sizeof *plan);
}
