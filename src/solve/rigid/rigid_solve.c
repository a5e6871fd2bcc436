// SPDX-License-Identifier: MIT
// The calls: laid out, packed, solved group by group on several threads, written.
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/pool.h"
#include "solve/rigid/rigid_group.h"

// One of the threads that groups of islands are shared out to.
typedef struct rigid_worker {
    crm_rigid_newton *newton;
    carom_status status; // of the first call that failed
    carom_error error;
} rigid_worker;

struct crm_rigid_solver {
    carom_allocator allocator;
    crm_arena arena; // emptied by every call, never given back
    crm_pool *pool;  // NULL for one thread
    int threads;
    rigid_worker *worker; // (threads)
};

static void end_threads(crm_rigid_solver *solver) {
    crm_pool_destroy(solver->pool);
    for (int i = 0; i < solver->threads; i++) crm_rigid_newton_destroy(solver->worker[i].newton);
    solver->allocator.release(solver->allocator.user, solver->worker, sizeof *solver->worker * (size_t)solver->threads);
    solver->pool = NULL;
    solver->worker = NULL;
    solver->threads = 0;
}

// Threads are started when they are first asked for, and kept.
static carom_status set_threads(crm_rigid_solver *solver, int threads, carom_error *error) {
    if (threads < 1) threads = 1;
    if (threads == solver->threads) return CAROM_OK;
    end_threads(solver);
    size_t bytes = sizeof *solver->worker * (size_t)threads;
    solver->worker = solver->allocator.allocate(solver->allocator.user, bytes);
    if (solver->worker == NULL) return crm_fail_memory(error, "the threads of a solver", bytes);
    solver->threads = threads;
    for (int i = 0; i < threads; i++) solver->worker[i] = (rigid_worker){.status = CAROM_OK};
    carom_status status = CAROM_OK;
    for (int i = 0; i < threads && status == CAROM_OK; i++)
        status = crm_rigid_newton_create(&solver->allocator, &solver->worker[i].newton, error);
    if (status == CAROM_OK && threads > 1) status = crm_pool_create(&solver->allocator, threads, &solver->pool, error);
    if (status != CAROM_OK) end_threads(solver);
    return status;
}

carom_status crm_rigid_solver_create(const carom_allocator *allocator, crm_rigid_solver **out, carom_error *error) {
    carom_allocator hook = allocator != NULL ? *allocator : carom_allocator_default();
    *out = NULL;
    crm_rigid_solver *solver = hook.allocate(hook.user, sizeof *solver);
    if (solver == NULL) return crm_fail_memory(error, "a solver of rigid bodies", sizeof *solver);
    *solver = (crm_rigid_solver){.allocator = hook};
    crm_arena_init(&solver->arena, &hook);
    solver->arena.frugal = true; // reset before every solution
    *out = solver;
    return CAROM_OK;
}

void crm_rigid_solver_destroy(crm_rigid_solver *solver) {
    if (solver == NULL) return;
    end_threads(solver);
    crm_arena_free(&solver->arena);
    carom_allocator hook = solver->allocator;
    hook.release(hook.user, solver, sizeof *solver);
}

typedef struct solve_task {
    const double *guess;
    double *impulse; // NULL: only the residual is wanted
    double *velocity;
    crm_vec6 *change;
    crm_rigid_group *group;
    rigid_worker *worker;
} solve_task;

static void solve_group(const solve_task *task, crm_rigid_group *group, rigid_worker *worker) {
    crm_rigid_group_pack(group, task->guess);
    crm_rigid_group_evaluate(group, task->velocity);
    if (task->impulse != NULL && (group->unmet > 0 || group->options->sweeps > 0)) {
        carom_status status = crm_rigid_schedule(group, worker->newton, &worker->error);
        if (status != CAROM_OK) worker->status = status;
        for (int i = 0; i < group->island_count; i++) {
            group->island[i].residual = INFINITY;
            group->island[i].met = false;
        }
        crm_rigid_group_refresh(group);
        crm_rigid_group_evaluate(group, task->velocity);
    }
    crm_rigid_group_write(group, task->impulse, task->velocity, task->change);
}

static void solve_groups(void *context, int begin, int end, int worker) {
    const solve_task *task = context;
    for (int i = begin; i < end; i++)
        if (task->group[i].pool == NULL) solve_group(task, &task->group[i], &task->worker[worker]);
}

// All threads work on an island that would keep one of them busy longer than the others have work; then each on
// islands of its own. That choice may depend on the threads there are, as the bits of an island do not.
static void solve_all(const crm_rigid_solver *solver, const crm_rigid_problem *problem, const crm_rigid_layout *layout,
                      solve_task *task) {
    for (int i = 0; i < layout->share_count; i++) {
        const crm_rigid_share *share = &layout->share[i];
        if (share->sections < 2 || (double)share->contacts * solver->threads <= problem->contact_count) continue;
        task->group[i].pool = solver->pool;
        if (solver->pool != NULL) solve_group(task, &task->group[i], &task->worker[0]);
    }
    crm_pool_for(solver->pool, layout->share_count, 1, solve_groups, task);
}

// Beside what every group has to take, groups may take what they are to the whole, by contacts and blocks.
static void share_work(const crm_rigid_problem *problem, double work, int count, crm_rigid_group *group) {
    double all = (double)problem->contact_count + problem->block_count, spare = work;
    for (int i = 0; i < count; i++) spare -= crm_rigid_least_price(&group[i]);
    for (int i = 0; i < count; i++) {
        double members = (double)group[i].share->contacts + group[i].share->blocks;
        group[i].budget = crm_rigid_least_price(&group[i]) + fmax(spare, 0.0) * members / all;
    }
}

static bool take_groups(const crm_rigid_problem *problem, const crm_rigid_options *options,
                        const crm_rigid_layout *layout, crm_arena *arena, crm_rigid_group **out) {
    crm_rigid_group *group = *out = CRM_ARENA_ARRAY(arena, crm_rigid_group, layout->share_count);
    if (group == NULL) return false;
    for (int i = 0; i < layout->share_count; i++) {
        const crm_rigid_share *share = &layout->share[i];
        group[i] = (crm_rigid_group){.system.relaxed = problem->relaxed,
                                     .system.interrupt = options->interrupt,
                                     .loops = crm_rigid_loops_best(),
                                     .problem = problem,
                                     .options = options,
                                     .layout = layout,
                                     .share = share,
                                     .members = layout->members + share->first_place,
                                     .island_count = share->islands};
        if (!crm_rigid_group_take(&group[i], arena)) return false;
    }
    share_work(problem, options->work, layout->share_count, group);
    return true;
}

static void report_groups(const crm_rigid_layout *layout, const crm_rigid_group *group, crm_rigid_island *island,
                          crm_rigid_report *report) {
    *report = (crm_rigid_report){.worst = -1,
                                 .islands = layout->island_count,
                                 .solver = CAROM_SOLVER_GAUSS_SEIDEL,
                                 .island = island,
                                 .island_of_contact = layout->island_of_contact,
                                 .island_of_block = layout->island_of_block};
    for (int g = 0; g < layout->share_count; g++) {
        int iterations = group[g].sweeps + group[g].newton_steps;
        if (iterations > report->iterations) report->iterations = iterations;
        report->factorizations += group[g].factorizations;
        report->fallbacks += group[g].fallbacks;
        report->work += group[g].work;
        for (int i = 0; i < group[g].island_count; i++) {
            const crm_rigid_island *of = &group[g].island[i];
            island[layout->island_at[group[g].share->first_place + i]] = *of;
            report->unmet += !of->met;
            if (report->worst >= 0 && !(of->residual > report->residual)) continue;
            report->worst = layout->island_at[group[g].share->first_place + i];
            report->residual = of->residual;
            report->solver = group[g].solver;
        }
    }
}

static carom_status run(crm_rigid_solver *solver, const crm_rigid_problem *problem, const crm_rigid_options *options,
                        const double *guess, double *impulse, double *velocity, crm_vec6 *change,
                        crm_rigid_report *report, carom_error *error) {
    carom_status status = set_threads(solver, options->threads, error);
    if (status != CAROM_OK) return status;
    crm_arena *arena = &solver->arena;
    crm_arena_reset(arena);
    crm_rigid_layout layout;
    bool there = crm_rigid_lay_out(problem, guess, arena, &layout);
    solve_task task = {
        .guess = guess, .impulse = impulse, .velocity = velocity, .change = change, .worker = solver->worker};
    crm_rigid_island *island = CRM_ARENA_ARRAY(arena, crm_rigid_island, there ? layout.island_count : 0);
    if (!there || island == NULL || !take_groups(problem, options, &layout, arena, &task.group)) {
        crm_arena_free(arena); // forgets that it has refused
        return crm_fail_memory(error, "a problem of rigid bodies",
                               sizeof(crm_rigid_batch) * (size_t)problem->contact_count);
    }
    for (int k = 0; k < problem->body_count; k++)
        if (layout.island_of_body[k] < 0) change[k] = crm_vec6_zero();
    for (int i = 0; i < solver->threads; i++) solver->worker[i].status = CAROM_OK;
    solve_all(solver, problem, &layout, &task);
    report_groups(&layout, task.group, island, report);
    for (int i = 0; i < solver->threads; i++) {
        if (solver->worker[i].status == CAROM_OK) continue;
        if (error != NULL) *error = solver->worker[i].error;
        return solver->worker[i].status;
    }
    return CAROM_OK;
}

carom_status crm_rigid_solve(crm_rigid_solver *solver, const crm_rigid_problem *problem,
                             const crm_rigid_options *options, double *impulse, double *velocity, crm_vec6 *change,
                             crm_rigid_report *report, carom_error *error) {
    return run(solver, problem, options, impulse, impulse, velocity, change, report, error);
}

carom_status crm_rigid_evaluate(crm_rigid_solver *solver, const crm_rigid_problem *problem,
                                const crm_rigid_options *options, const double *impulse, double *velocity,
                                crm_vec6 *change, crm_rigid_report *report, carom_error *error) {
    return run(solver, problem, options, impulse, NULL, velocity, change, report, error);
}
