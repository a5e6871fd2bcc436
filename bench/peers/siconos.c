// SPDX-License-Identifier: MIT
// One of Siconos' solvers for friction on a problem in a file, from zero: how long it takes until its impulses meet
// each of three tolerances, by carom_residual_evaluate and not by its own word.
//
//   siconos PROBLEM SOLVER SECONDS IMPULSES
//
// Prints {"seconds_1e-4": ..., "iterations_1e-4": ..., and so on, "residual": the best met}; a tolerance that is not
// met within SECONDS of processor time is left out. The impulses that met the tolerances, one set after the other, go
// to the file IMPULSES.
//
// A scout in a process of its own evaluates the residual on the way, which takes time and disturbs the caches: runs
// that were short are repeated without it, to the iteration where it met the tolerance. Aborts and endless loops end
// the scout only.
#define _DEFAULT_SOURCE // MAP_ANONYMOUS
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsSparseMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>

#include "base/clock.h"
#include "support/delassus_blocks.h"
#include "support/siconos.h"
#include "support/timing.h"

enum { TOLERANCES = BENCH_TOLERANCES, REPLAYS = 7 };
static const double short_run = 0.2; // seconds
static const rlim_t most_memory = (rlim_t)4 << 30;

typedef struct solver_choice {
    const char *name;
    int id, local; // local: of one contact, 0 for the default
    bool sparse;   // wants W by entries, not by blocks
} solver_choice;

static const solver_choice solvers[] = {
    {"nsgs", SICONOS_FRICTION_3D_NSGS, 0, false},
    {"nsgs-projection", SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration,
     false},
    {"newton-ac", SICONOS_FRICTION_3D_NSN_AC, 0, true},
    {"newton-nm", SICONOS_FRICTION_3D_NSN_NM, 0, true},
};

static void stop(const char *why) {
    fprintf(stderr, "carom: the peer Siconos: %s\n", why);
    exit(3);
}

static void *array(size_t count, size_t size) {
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL) stop("no memory");
    return memory;
}

// ---- the problem as Siconos wants it

static NumericsMatrix *to_block_matrix(const bench_blocks *list, int contacts) {
    SparseBlockStructuredMatrix *m = SBM_new();
    SBM_null(m);
    size_t count = (size_t)list->count, rows = (size_t)contacts;
    m->nbblocks = (unsigned)count;
    m->blocknumber0 = m->blocknumber1 = (unsigned)contacts;
    m->blocksize0 = array(rows, sizeof *m->blocksize0);
    m->blocksize1 = array(rows, sizeof *m->blocksize1);
    m->block = array(count, sizeof *m->block);
    m->filled1 = rows + 1;
    m->filled2 = count;
    m->index1_data = array(rows + 1, sizeof *m->index1_data);
    m->index2_data = array(count, sizeof *m->index2_data);
    for (size_t i = 0; i < rows; i++) m->blocksize0[i] = m->blocksize1[i] = 3 * (unsigned)(i + 1);
    for (size_t k = 0; k < count; k++) {
        m->block[k] = array(9, sizeof(double));
        memcpy(m->block[k], list->block[k].value, sizeof list->block[k].value);
        m->index2_data[k] = (size_t)list->block[k].column;
        m->index1_data[list->block[k].row + 1] = k + 1; // no row is empty
    }
    NumericsMatrix *w = NM_create(NM_SPARSE_BLOCK, 3 * contacts, 3 * contacts);
    w->matrix1 = m;
    return w;
}

static NumericsMatrix *to_entry_matrix(const bench_blocks *list, int contacts) {
    NumericsMatrix *w = NM_create(NM_SPARSE, 3 * contacts, 3 * contacts);
    NM_triplet_alloc(w, 9 * (size_t)list->count);
    w->matrix2->origin = NSM_TRIPLET;
    for (int k = 0; k < list->count; k++)
        for (int i = 0; i < 9; i++)
            NM_entry(w, 3 * list->block[k].row + i % 3, 3 * list->block[k].column + i / 3, list->block[k].value[i]);
    return w;
}

static FrictionContactProblem *translate(const carom_problem *problem, bool sparse) {
    for (int g = 0; g < problem->group_count; g++)
        if (problem->groups[g].law != CAROM_LAW_CONE || problem->groups[g].rows != 3 || problem->groups[g].relaxed)
            stop("only exact cones of three rows can be given to it");
    bench_blocks blocks;
    carom_error error;
    if (!bench_blocks_create(problem, &blocks, &error)) stop(error.text);
    int contacts = problem->group_count;
    double *mu = array((size_t)contacts, sizeof *mu), *q = array(3 * (size_t)contacts, sizeof *q);
    for (int g = 0; g < contacts; g++) mu[g] = problem->groups[g].friction;
    memcpy(q, blocks.q, 3 * sizeof *q * (size_t)contacts);
    NumericsMatrix *w = sparse ? to_entry_matrix(&blocks, contacts) : to_block_matrix(&blocks, contacts);
    bench_blocks_destroy(&blocks);
    return frictionContactProblem_new_with_data(3, contacts, w, q, mu);
}

// ---- running a solver

typedef struct contest {
    const carom_problem *problem;
    const solver_choice *solver;
    FrictionContactProblem *friction;
    int rows;
    carom_solver_state *evaluator;
    double limit;     // seconds
    FILE *impulses;   // where they go
    double *reaction; // (rows)
    double *velocity; // (rows)
} contest;

// What the scout finds out, in memory that outlives it.
typedef struct findings {
    int met; // tolerances
    int iterations[TOLERANCES];
    double seconds[TOLERANCES];
    double residual; // the best
} findings;

static double residual_of(const contest *c, const double *reaction) {
    carom_residual_report report;
    carom_error error;
    if (carom_residual_evaluate(c->evaluator, c->problem, 0.0, reaction, NULL, &report, &error) != CAROM_OK)
        return INFINITY;
    return report.residual;
}

// From zero, to an iteration limit alone: Siconos' own stopping test is set out of reach.
static double run_solver(const contest *c, int iterations, Callback *callback) {
    SolverOptions *options = solver_options_create(c->solver->id);
    options->dparam[SICONOS_DPARAM_TOL] = 1e-16;
    options->iparam[SICONOS_IPARAM_MAX_ITER] = iterations;
    options->callback = callback;
    if (c->solver->id == SICONOS_FRICTION_3D_NSGS) // what costs least
        options->iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] = SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_LIGHT;
    if (c->solver->local != 0) solver_options_update_internal(options, 0, c->solver->local);
    memset(c->reaction, 0, sizeof(double) * (size_t)c->rows);
    memset(c->velocity, 0, sizeof(double) * (size_t)c->rows);
    double start = crm_clock_thread_seconds();
    fc3d_driver(c->friction, c->reaction, c->velocity, options);
    double seconds = crm_clock_thread_seconds() - start;
    options->callback = NULL;
    solver_options_delete(options);
    return seconds;
}

static void keep_impulses(const contest *c, int tolerance, const double *reaction) {
    fseek(c->impulses, (long)sizeof(double) * c->rows * tolerance, SEEK_SET);
    fwrite(reaction, sizeof(double), (size_t)c->rows, c->impulses);
    fflush(c->impulses);
}

typedef struct scout {
    const contest *contest;
    findings *found;
    double start, looking; // when it began, and how long it only looked, s
    int iteration, next_look;
} scout;

static void look(scout *s, const double *reaction) {
    const contest *c = s->contest;
    findings *f = s->found;
    double begin = crm_clock_thread_seconds(), spent = begin - s->start - s->looking;
    double residual = residual_of(c, reaction);
    f->residual = fmin(f->residual, residual);
    while (f->met < TOLERANCES && residual <= bench_tolerances[f->met]) {
        f->seconds[f->met] = spent;
        f->iterations[f->met] = s->iteration;
        keep_impulses(c, f->met, reaction);
        f->met++;
    }
    if (f->met == TOLERANCES || spent > c->limit) _exit(0);
    s->looking += crm_clock_thread_seconds() - begin;
}

// Every iteration at first, then every twentieth part of those done: what is found is at most 5 % late.
static void after_iteration(void *user, int size, double *reaction, double *velocity, double error, void *more) {
    (void)size, (void)velocity, (void)error, (void)more;
    scout *s = user;
    if (++s->iteration < s->next_look) return;
    s->next_look = s->iteration + 1 + s->iteration / 20;
    look(s, reaction);
}

static void run_scout(const contest *c, findings *found) {
    const int endless = 2000000000;
    // That is not counted in the limit but is in the timer, which ends what never comes back.
    struct itimerval timer = {.it_value = {.tv_sec = (time_t)(2.0 * c->limit) + 2}};
    setitimer(ITIMER_PROF, &timer, NULL);
    setrlimit(RLIMIT_AS, &(struct rlimit){most_memory, most_memory}); // its Newton methods give nothing back
    run_solver(c, 1, NULL);                                           // code and data come into the caches
    scout s = {.contest = c, .found = found, .start = crm_clock_thread_seconds()};
    Callback callback = {.env = &s, .collectStatsIteration = after_iteration};
    run_solver(c, endless, &callback);
    look(&s, c->reaction); // it gave up, or thinks that it is done
}

static void replay(const contest *c, findings *found) {
    for (int t = 0; t < found->met; t++) {
        if (found->seconds[t] > short_run || found->iterations[t] == 0) continue;
        double seconds[REPLAYS];
        for (int i = 0; i < REPLAYS; i++) seconds[i] = run_solver(c, found->iterations[t], NULL);
        if (residual_of(c, c->reaction) > bench_tolerances[t]) continue; // it counts iterations in another way
        found->seconds[t] = fmin(found->seconds[t], bench_median(seconds, REPLAYS));
        keep_impulses(c, t, c->reaction);
    }
}

// ---- the program

static const solver_choice *find_solver(const char *name) {
    for (size_t i = 0; i < sizeof solvers / sizeof solvers[0]; i++)
        if (strcmp(solvers[i].name, name) == 0) return &solvers[i];
    stop("there is no such solver");
    return NULL;
}

// Siconos prints warnings among the results.
static FILE *silence_standard_output(void) {
    FILE *answer = fdopen(dup(STDOUT_FILENO), "w");
    int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    close(nowhere);
    return answer;
}

int main(int argc, char **argv) {
    if (argc != 5) stop("usage: siconos PROBLEM SOLVER SECONDS IMPULSES");
    carom_error error;
    carom_stored_problem *stored;
    if (carom_problem_read(argv[1], NULL, &stored, &error) != CAROM_OK) stop(error.text);
    contest c = {.problem = &stored->problem, .solver = find_solver(argv[2]), .limit = atof(argv[3])};
    c.friction = translate(c.problem, c.solver->sparse);
    c.rows = carom_problem_row_count(c.problem);
    c.reaction = array((size_t)c.rows, sizeof *c.reaction);
    c.velocity = array((size_t)c.rows, sizeof *c.velocity);
    c.impulses = fopen(argv[4], "wb");
    findings *found = mmap(NULL, sizeof *found, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (c.impulses == NULL || found == MAP_FAILED || carom_solver_state_create(NULL, &c.evaluator, &error) != CAROM_OK)
        stop("no memory, or a file that cannot be written");
    found->residual = INFINITY;

    FILE *answer = silence_standard_output();
    pid_t child = fork();
    if (child == 0) {
        run_scout(&c, found);
        _exit(0);
    }
    if (child < 0 || waitpid(child, NULL, 0) != child) stop("cannot start a process");
    replay(&c, found);
    fprintf(answer, "{");
    for (int t = 0; t < found->met; t++)
        fprintf(answer, "\"seconds_%s\":%.9g,\"iterations_%s\":%d,", bench_tolerance_names[t], found->seconds[t],
                bench_tolerance_names[t], found->iterations[t]);
    fprintf(answer, "\"residual\":%.3g}\n", isfinite(found->residual) ? found->residual : 1e300);
    fclose(answer);
    fclose(c.impulses);
    return 0;
}
