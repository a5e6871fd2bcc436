// SPDX-License-Identifier: MIT
#include "solve/island_solve.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/limits/limit.h"
#include "solve/infeasible/infeasible.h"

// What is kept of an island until all are put together.
typedef struct island_record {
    carom_status status;
    carom_solver solver;
    bool unexplained;
    bool met;     // by the guess
    double share; // of the work that all islands may take
    int iterations, factorizations, fallbacks;
    double work;
    double pyramids;
    carom_residual_report residual;
    carom_solve_outcome outcome;
} island_record;

typedef struct island_loop {
    const crm_island_task *task;
    crm_worker *worker;
    island_record *record; // (islands)
} island_loop;

// The caller's, with the scale of this island.
static carom_solve_options options_of(const crm_island_task *task, const crm_selection *island) {
    carom_solve_options options = *task->options;
    const double *least = task->wishes->least_scale;
    for (int i = 0; least != NULL && i < island->node_count; i++)
        options.velocity_scale = fmax(options.velocity_scale, least[island->nodes[i]]);
    return options;
}

static void tell_verdict(const crm_island_task *task, const crm_selection *island, const crm_stage *stage,
                         const island_record *record) {
    crm_island_verdict verdict = {.residual = record->residual,
                                  .outcome = record->outcome,
                                  .jammed = record->outcome != CAROM_SOLVE_OUTCOME_MET && stage->jammed,
                                  .node = island->node_count > 0 ? island->nodes[0] : -1};
    for (int i = 0; task->wishes->verdict != NULL && i < island->group_count; i++)
        task->wishes->verdict[island->groups[i]] = verdict;
}

// Whether it is evaluated only.
static bool is_left(const crm_island_task *task, int k) {
    const bool *left = task->wishes->left;
    return task->run == NULL || (left != NULL && left[crm_islands_get(task->islands, k).groups[0]]);
}

static int group_count(const crm_island_task *task, int k) {
    return task->islands->group_start[k + 1] - task->islands->group_start[k];
}

static double evaluation_work(const crm_island_task *task, int k) {
    return CRM_EVALUATION_WORK * group_count(task, k);
}

static carom_status solve_and_evaluate(const crm_island_task *task, int k, crm_arena *arena, island_record *record,
                                       crm_stage *stage, carom_error *error) {
    crm_operator op;
    crm_selection island = crm_islands_get(task->islands, k);
    carom_solve_options options = options_of(task, &island);
    options.work = fmax(record->share - evaluation_work(task, k), 0.0);
    carom_status status = crm_operator_build(task->problem, task->layout, &island, arena, &op, error);
    if (status != CAROM_OK) return status;
    double *r = CRM_ARENA_ZEROED(arena, double, op.row_count), *u = CRM_ARENA_ARRAY(arena, double, op.row_count);
    double *work = CRM_ARENA_ARRAY(arena, double, crm_residual_work(&op));
    double *v = CRM_ARENA_ARRAY(arena, double, op.velocity_count);
    if (r == NULL || u == NULL || work == NULL || v == NULL)
        return crm_fail_memory(error, "impulses", sizeof(double) * (size_t)op.row_count);
    bool left = is_left(task, k);
    if (left || options.warm) crm_operator_gather(&op, task->impulse, r);
    if (!left) {
        bool ended = crm_interrupted(&options.interrupt); // before it began: the guess it is, or nothing
        if (!ended) status = task->run(&op, &options, arena, r, stage, error);
        // Who bounds the iterations bounds the time, and gets no search for a proof.
        bool prove =
            stage->outcome == CAROM_SOLVE_OUTCOME_NOT_MET && options.iterations == 0 && !stage->searched && !ended;
        if (status == CAROM_OK && prove) status = crm_infeasible_tell(&op, &options, arena, stage, error);
        if (status != CAROM_OK) return status;
        crm_operator_scatter(&op, r, task->impulse);
    }
    // From the impulses alone, whatever the solver believes.
    crm_residual_of(&op, options.velocity_scale, r, work, u, &record->residual);
    bool infeasible = stage->outcome == CAROM_SOLVE_OUTCOME_INFEASIBLE;
    record->outcome = infeasible ? stage->outcome : crm_residual_outcome(&record->residual, options.tolerance);
    tell_verdict(task, &island, stage, record);
    if (task->relative != NULL) crm_operator_scatter(&op, u, task->relative);
    if (task->velocity != NULL && op.form != CAROM_FORM_DELASSUS) {
        crm_operator_velocity(&op, r, work, v);
        crm_operator_scatter_velocity(&op, v, task->velocity);
    }
    return CAROM_OK;
}

// Whose words go into the report: of the worst island, of equally bad ones of that which took most trying, and of
// equals of the earliest, so that it is the same one for any number of threads.
static bool speaks_before(const crm_island_words *a, const crm_island_words *b) {
    if (a->outcome != b->outcome) return a->outcome > b->outcome;
    size_t length = strlen(a->tried), other = strlen(b->tried);
    return length != other ? length > other : a->island < b->island;
}

static void note_failure(crm_worker *worker, int island, carom_status status, const carom_error *error) {
    if (status == CAROM_OK || island >= worker->failed_island) return;
    worker->failed_island = island;
    worker->error = *error;
}

// The status of the first island that failed, whoever worked on it.
static carom_status first_failure(const carom_solver_state *state, const island_record *record, carom_error *error) {
    const crm_worker *failed = &state->worker[0];
    for (int i = 1; i < state->worker_count; i++)
        if (state->worker[i].failed_island < failed->failed_island) failed = &state->worker[i];
    if (failed->failed_island == INT_MAX) return CAROM_OK;
    if (error != NULL) *error = failed->error;
    return record[failed->failed_island].status;
}

static void work_on(void *context, int begin, int end, int worker_index) {
    island_loop *loop = context;
    crm_worker *worker = &loop->worker[worker_index];
    for (int k = begin; k < end; k++) {
        island_record *record = &loop->record[k];
        crm_stage stage = {.solver = loop->task->options->solver};
        carom_error error = {0};
        crm_mark mark = crm_arena_mark(&worker->arena);
        *record = (island_record){.share = record->share};
        record->status = solve_and_evaluate(loop->task, k, &worker->arena, record, &stage, &error);
        crm_arena_release(&worker->arena, mark);
        record->solver = stage.solver;
        record->unexplained =
            (stage.outcome == CAROM_SOLVE_OUTCOME_NOT_MET || stage.outcome == CAROM_SOLVE_OUTCOME_AT_FLOOR) &&
            !stage.jammed;
        record->iterations = stage.iterations;
        record->factorizations = stage.factorizations;
        record->work = evaluation_work(loop->task, k) + stage.work;
        record->fallbacks = stage.fallbacks;
        record->pyramids = stage.pyramids;
        note_failure(worker, k, record->status, &error);
        crm_island_words words = {stage.outcome, k, ""};
        memcpy(words.tried, stage.tried, sizeof words.tried);
        if (speaks_before(&words, &worker->words)) worker->words = words;
    }
}

// ---- shares of the work

static void evaluate_guess(void *context, int begin, int end, int worker_index) {
    island_loop *loop = context;
    crm_island_task task = *loop->task;
    task.run = NULL;
    task.relative = task.velocity = NULL;
    for (int k = begin; k < end; k++) {
        crm_worker *worker = &loop->worker[worker_index];
        island_record *record = &loop->record[k];
        crm_mark mark = crm_arena_mark(&worker->arena);
        crm_stage stage = {0};
        carom_error error = {0};
        record->status = solve_and_evaluate(&task, k, &worker->arena, record, &stage, &error);
        record->met = record->status == CAROM_OK && record->outcome == CAROM_SOLVE_OUTCOME_MET;
        crm_arena_release(&worker->arena, mark);
        note_failure(worker, k, record->status, &error);
    }
}

// Every island has what its evaluation takes; the rest is shared, by groups, among those whose guess is not met, which
// AUTO leaves as they are. Shares depend on the problem and its guess alone.
static void share_work(carom_solver_state *state, island_loop *loop) {
    const crm_island_task *task = loop->task;
    int count = task->islands->count;
    double spare = task->options->work, groups = 0.0;
    for (int k = 0; k < count; k++) loop->record[k] = (island_record){0};
    if (task->run == NULL) return;
    if (count > 1 && task->options->warm && task->options->solver == CAROM_SOLVER_AUTO)
        crm_pool_for(state->pool, count, 1, evaluate_guess, loop);
    for (int k = 0; k < count; k++) {
        loop->record[k].met |= is_left(task, k);
        spare -= evaluation_work(task, k);
        if (!loop->record[k].met) groups += group_count(task, k);
    }
    for (int k = 0; k < count; k++) {
        double share = loop->record[k].met ? 0.0 : group_count(task, k) / groups;
        loop->record[k].share = evaluation_work(task, k) + fmax(spare, 0.0) * share;
    }
}

// ---- threads

void crm_state_end_threads(carom_solver_state *state) {
    crm_pool_destroy(state->pool);
    for (int i = 0; i < state->worker_count; i++) crm_arena_free(&state->worker[i].arena);
    if (state->worker != NULL)
        state->allocator.release(state->allocator.user, state->worker,
                                 sizeof *state->worker * (size_t)state->worker_count);
    state->pool = NULL;
    state->worker = NULL;
    state->worker_count = 0;
}

carom_status crm_state_set_threads(carom_solver_state *state, int threads, carom_error *error) {
    if (state->worker_count == threads) return CAROM_OK;
    crm_state_end_threads(state);
    size_t bytes = sizeof *state->worker * (size_t)threads;
    crm_worker *worker = state->allocator.allocate(state->allocator.user, bytes);
    if (worker == NULL) return crm_fail_memory(error, "the threads of a solver", bytes);
    for (int i = 0; i < threads; i++) crm_arena_init(&worker[i].arena, &state->allocator);
    state->worker = worker;
    state->worker_count = threads;
    carom_status status = CAROM_OK;
    if (threads > 1) status = crm_pool_create(&state->allocator, threads, &state->pool, error);
    if (status != CAROM_OK) crm_state_end_threads(state);
    return status;
}

// Which thread gets which island is left to chance: every one is made ready for the largest, so that none of them
// allocates in a later call.
static void share_memory(carom_solver_state *state) {
    size_t most = 0;
    for (int i = 0; i < state->worker_count; i++) {
        crm_arena_reset(&state->worker[i].arena);
        if (state->worker[i].arena.capacity > most) most = state->worker[i].arena.capacity;
    }
    // In place of what a thread has, not in addition: two that outbid each other would double with every call.
    for (int i = 0; i < state->worker_count; i++) {
        crm_arena *arena = &state->worker[i].arena;
        if (arena->capacity == most) continue;
        crm_arena_free(arena);
        (void)crm_arena_reserve(arena, most);
    }
}

carom_status crm_islands_run(carom_solver_state *state, const crm_island_task *task, crm_island_result *out,
                             carom_error *error) {
    int count = task->islands->count;
    island_record *record = CRM_ARENA_ARRAY(&state->arena, island_record, count);
    if (record == NULL) return crm_fail_memory(error, "islands", sizeof *record * (size_t)count);
    for (int i = 0; i < state->worker_count; i++) {
        state->worker[i].words = (crm_island_words){.island = INT_MAX};
        state->worker[i].failed_island = INT_MAX;
    }
    island_loop loop = {task, state->worker, record};
    share_work(state, &loop);
    carom_status status = first_failure(state, record, error);
    if (status == CAROM_OK) {
        crm_pool_for(state->pool, count, 1, work_on, &loop);
        status = first_failure(state, record, error);
    }
    share_memory(state);
    if (status != CAROM_OK) return status;

    *out = (crm_island_result){.solver = task->options->solver, .residual.worst_group = -1};
    const crm_island_words *words = &state->worker[0].words;
    for (int i = 1; i < state->worker_count; i++)
        if (speaks_before(&state->worker[i].words, words)) words = &state->worker[i].words;
    memcpy(out->tried, words->tried, sizeof out->tried);
    if (words->island < count) {
        out->solver = record[words->island].solver;
        out->fallbacks = record[words->island].fallbacks;
    }
    for (int k = 0; k < count; k++) {
        if (record[k].outcome > out->outcome) out->outcome = record[k].outcome;
        if (k == 0 || !(record[k].residual.residual <= out->residual.residual)) out->residual = record[k].residual;
        out->unexplained |= record[k].unexplained;
        out->iterations += record[k].iterations;
        out->factorizations += record[k].factorizations;
        out->work += record[k].work;
        if (record[k].pyramids > out->pyramids) out->pyramids = record[k].pyramids;
    }
    return CAROM_OK;
}
