// SPDX-License-Identifier: MIT
// Contact problems, solved cold and warm, beside the fastest of Siconos' solvers.
//
// The problems: walls and a pile that ODE has brought to rest, stacks made here, and files: those named on the command
// line, or the folder friction/ of the folder that the variable CAROM_PROBLEMS names. All times are the processor's, on
// one thread, to a residual by carom_residual_evaluate. carom's include checking and packing the problem and evaluating
// the answer; Siconos' begin when it has W, and end at the iteration that first meets the tolerance, whether it would
// know or not.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/random.h"
#include "support/contact_cases.h"
#include "support/problem/contact_stacks.h"
#include "support/report.h"
#include "support/siconos.h"
#include "support/timing.h"

enum { MOST_RUNS = 41, DISTURBANCES = 5, LAST = BENCH_TOLERANCES - 1 };

static const double seconds_of_runs = 0.15; // repeated runs of one kind take about so long
static const double peer_limit = 5.0;       // s, for each of the peer's solvers on each problem
static const double disturbance = 1e-3;     // of the free velocities before a warm start, relative

// Targets.
static const double least_median_ratio = 20.0, most_growth = 1.4, most_sweep_nanoseconds = 60.0;
static const struct time_target {
    const char *name;
    double cold, warm; // ms to 1e-8
} time_targets[] = {{"wall-10", 20.0, 5.0}, {"pile-1000", 300.0, 50.0}};

static void stop(const char *why) {
    fprintf(stderr, "carom: %s\n", why);
    exit(3);
}

static void *or_stop(void *memory) {
    if (memory == NULL) stop("no memory for the benchmark's problems");
    return memory;
}

// ---- cases made here

static void add_stack(bench_contact_cases *list, const char *name, const stack_def *def) {
    char path[BENCH_PATH_SIZE + 64];
    snprintf(path, sizeof path, "%s/%s.json", bench_scratch_folder(), name);
    contact_stack stack = stack_create(def);
    carom_error error;
    if (carom_problem_write(&stack.problem, name, NULL, path, &error) != CAROM_OK) stop(error.text);
    stack_destroy(&stack);
    bench_add_file(list, path);
}

static const struct made_stack {
    const char *name;
    stack_def def;
} made_stacks[] = {
    {"block 4x4x4, 1:100",
     {{4, 4, 4}, .sideways = true, .per_edge = 2, .ratio = 100.0, .friction = 0.6, .push = 1e-3, .seed = 1}},
    {"tower 12, 1:1e4", {{1, 1, 12}, .heavy_on_top = true, .per_edge = 2, .ratio = 1e4, .friction = 0.5, .seed = 2}},
    {"wall 8x8, pushed",
     {{8, 1, 8}, .staggered = true, .per_edge = 2, .ratio = 1.0, .friction = 0.5, .push = 0.1, .seed = 3}},
    {"wall 8x8, sliding",
     {{8, 1, 8},
      .staggered = true,
      .per_edge = 2,
      .ratio = 4.0,
      .friction = 0.3,
      .mixed = true,
      .tilt = 0.2,
      .seed = 4}},
};

// ---- carom

typedef struct run_list {
    double seconds[2 * MOST_RUNS];
    int count;
    double residual; // the worst
} run_list;

static void solve_once(carom_solver_state *state, const carom_problem *problem, const carom_solve_options *options,
                       double *impulse, run_list *runs) {
    carom_solve_report report;
    carom_error error;
    double start = crm_clock_thread_seconds();
    if (carom_solve(state, problem, options, impulse, NULL, &report, &error) != CAROM_OK) stop(error.text);
    runs->seconds[runs->count++] = crm_clock_thread_seconds() - start;
    runs->residual = fmax(runs->residual, report.residual.residual);
}

static double time_of(run_list *runs, double tolerance) {
    return runs->count > 0 && runs->residual <= tolerance ? bench_median(runs->seconds, runs->count) : NAN;
}

static void solve_cold(carom_solver_state *state, const bench_contact_case *c, const carom_solve_options *options,
                       double *impulse, run_list *runs) {
    double start = crm_clock_thread_seconds();
    int limit = runs->count + MOST_RUNS;
    do solve_once(state, &c->stored->problem, options, impulse, runs);
    while (runs->count < limit && crm_clock_thread_seconds() - start < seconds_of_runs);
}

// Each body's velocities move by a share of the largest of them. To disturb q in its place would make redundant
// contacts contradict each other.
static carom_problem_node *disturb(const carom_problem *problem, unsigned seed) {
    size_t size = sizeof(carom_problem_node) * (size_t)problem->node_count;
    carom_problem_node *nodes = or_stop(malloc(size));
    memcpy(nodes, problem->nodes, size);
    crm_random random = {.seed = seed};
    for (int n = 0; n < problem->node_count; n++) {
        double largest = 0.0;
        for (int i = 0; i < nodes[n].size; i++) largest = fmax(largest, fabs(nodes[n].free[i]));
        for (int i = 0; i < nodes[n].size; i++)
            nodes[n].free[i] += disturbance * largest * crm_random_between(&random, -1.0, 1.0);
    }
    return nodes;
}

// From the impulses of the undisturbed problem.
static void solve_warm(carom_solver_state *state, const bench_contact_case *c, const carom_solve_options *cold,
                       const double *start, run_list *runs) {
    size_t size = sizeof(double) * (size_t)carom_problem_row_count(&c->stored->problem);
    double *impulse = or_stop(malloc(size));
    carom_solve_options options = *cold;
    options.warm = true;
    for (int i = 0; i < DISTURBANCES; i++) {
        carom_problem problem = c->stored->problem;
        carom_problem_node *nodes = disturb(&problem, (unsigned)i);
        problem.nodes = nodes;
        memcpy(impulse, start, size);
        solve_once(state, &problem, &options, impulse, runs);
        free(nodes);
    }
    free(impulse);
}

// ---- rows

static void print_case_row(bool json, bench_contact_case *c, int t, double residual, const bench_siconos *peer) {
    char name[96], nobody[48];
    snprintf(name, sizeof name, "%s (%d) to %s", c->name, c->stored->problem.group_count, bench_tolerance_names[t]);
    bench_row row = bench_row_of("solve", name, "ms");
    row.carom = 1e3 * c->cold[t];
    row.error = residual;
    row.target_kind = BENCH_RATIO_AT_LEAST;
    row.target = 1.0;
    if (peer->present && peer->solver[t] != NULL) {
        row.peer = peer->solver[t];
        row.peer_value = 1e3 * peer->seconds[t];
        row.peer_error = peer->residual[t];
    } else if (peer->present) { // at least so long
        snprintf(nobody, sizeof nobody, "no Siconos in %g s", peer_limit);
        row.peer = nobody;
        row.peer_value = 1e3 * peer_limit;
        row.peer_error = peer->best;
    }
    if (peer->present) c->ratio[t] = isfinite(c->cold[t]) ? row.peer_value / row.carom : 0.0;
    bench_print_row(json, &row);
}

static void print_value_row(bool json, const char *name, const char *unit, double value, double error, double target) {
    bench_row row = bench_row_of("solve", name, unit);
    row.carom = value;
    row.error = error;
    if (isfinite(target)) {
        row.target_kind = BENCH_VALUE_AT_MOST;
        row.target = target;
    }
    bench_print_row(json, &row);
}

static const struct time_target *target_of(const bench_contact_case *c) {
    for (size_t i = 0; i < sizeof time_targets / sizeof time_targets[0]; i++)
        if (strcmp(time_targets[i].name, c->name) == 0) return &time_targets[i];
    return NULL;
}

static void print_times(bool json, const bench_contact_case *c, const run_list *cold, const run_list *warm) {
    const struct time_target *target = target_of(c);
    char name[96];
    for (int t = 0; t < BENCH_TOLERANCES; t++) {
        if (warm[t].count == 0) continue;
        snprintf(name, sizeof name, "%s (%d) to %s, warm", c->name, c->stored->problem.group_count,
                 bench_tolerance_names[t]);
        print_value_row(json, name, "ms", 1e3 * c->warm[t], warm[t].residual,
                        target != NULL && t == LAST ? target->warm : NAN);
    }
    if (target == NULL) return;
    snprintf(name, sizeof name, "%s (%d) to %s, cold", c->name, c->stored->problem.group_count,
             bench_tolerance_names[LAST]);
    print_value_row(json, name, "ms", 1e3 * c->cold[LAST], cold[LAST].residual, target->cold);
}

// carom is measured before and after the peer, so that a change in the machine's load meets both.
static bool run_case(bool json, bench_contact_case *c) {
    const carom_problem *problem = &c->stored->problem;
    carom_error error;
    carom_solver_state *state;
    if (carom_solver_state_create(NULL, &state, &error) != CAROM_OK) stop(error.text);
    double *impulse = or_stop(calloc((size_t)carom_problem_row_count(problem) + 1, sizeof *impulse));
    run_list *cold = or_stop(calloc(2 * BENCH_TOLERANCES, sizeof *cold)), *warm = cold + BENCH_TOLERANCES;
    char scratch[BENCH_PATH_SIZE + 64];
    snprintf(scratch, sizeof scratch, "%s/impulses", bench_scratch_folder());
    bench_siconos peer = {0};
    for (int round = 0; round < 2; round++) {
        for (int t = 0; t < BENCH_TOLERANCES; t++) {
            carom_solve_options options = carom_solve_options_default();
            options.tolerance = bench_tolerances[t];
            solve_cold(state, c, &options, impulse, &cold[t]);
            if (problem->form == CAROM_FORM_BODIES) solve_warm(state, c, &options, impulse, &warm[t]);
        }
        if (round == 0) peer = bench_siconos_run(c->path, problem, peer_limit, scratch);
    }
    for (int t = 0; t < BENCH_TOLERANCES; t++) {
        c->cold[t] = time_of(&cold[t], bench_tolerances[t]);
        c->warm[t] = time_of(&warm[t], bench_tolerances[t]);
        print_case_row(json, c, t, cold[t].residual, &peer);
    }
    print_times(json, c, cold, warm);
    free(cold);
    free(impulse);
    carom_solver_state_destroy(state);
    return peer.present;
}

// ---- over several cases

static void print_ratio_row(bool json, const char *name, double ratio, double target) {
    bench_row row = bench_row_of("solve", name, "");
    row.carom = 1.0;
    row.peer = "Siconos";
    row.peer_value = ratio;
    if (isfinite(target)) {
        row.target_kind = BENCH_RATIO_AT_LEAST;
        row.target = target;
    }
    bench_print_row(json, &row);
}

static int ratios_from(const bench_contact_cases *list, int tolerance, int least_contacts, double *ratios) {
    int count = 0;
    for (int i = 0; i < list->count; i++) {
        const bench_contact_case *c = list->cases[i];
        if (c->stored->problem.group_count >= least_contacts && !isnan(c->ratio[tolerance]))
            ratios[count++] = c->ratio[tolerance];
    }
    return count;
}

// The median over all problems is the target's; that over the larger ones, where time matters, stands beside it.
static void print_ratios(bool json, const bench_contact_cases *list) {
    static const int least_contacts[] = {0, 40};
    double ratios[BENCH_MOST_CASES], worst = INFINITY;
    for (int t = 0; t < BENCH_TOLERANCES; t++)
        for (int k = 0; k < 2; k++) {
            char name[64], size[32] = "";
            int count = ratios_from(list, t, least_contacts[k], ratios);
            for (int i = 0; i < count; i++) worst = fmin(worst, ratios[i]);
            if (count == 0) continue;
            if (k > 0) snprintf(size, sizeof size, " of %d contacts or more", least_contacts[k]);
            snprintf(name, sizeof name, "median of %d%s, %s", count, size, bench_tolerance_names[t]);
            print_ratio_row(json, name, bench_median(ratios, count), k == 0 ? least_median_ratio : NAN);
        }
    if (isfinite(worst)) print_ratio_row(json, "the worst of all", worst, 1.0);
}

// The slope of log(time) over log(contacts).
static double growth_of(const double *contacts, const double *seconds, int count) {
    double x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
    for (int i = 0; i < count; i++) {
        double a = log(contacts[i]), b = log(seconds[i]);
        x += a, y += b, xx += a * a, xy += a * b;
    }
    return (count * xy - x * y) / (count * xx - x * x);
}

static void print_growth_of_settled(bool json, const bench_contact_cases *list) {
    double contacts[BENCH_MOST_CASES], seconds[BENCH_MOST_CASES];
    int count = 0;
    for (int i = 0; i < list->count; i++) {
        const bench_contact_case *c = list->cases[i];
        if (strncmp(c->name, "wall-", 5) != 0) continue;
        contacts[count] = c->stored->problem.group_count;
        seconds[count++] = c->cold[LAST];
    }
    if (count > 1)
        print_value_row(json, "growth with contacts, settled walls", "", growth_of(contacts, seconds, count), NAN,
                        most_growth);
}

// Walls of one kind in several sizes; each size is several problems, as their numbers of steps differ.
static void print_growth_of_made(bool json) {
    static const int sizes[] = {6, 9, 13, 19, 27};
    enum { SIZES = sizeof sizes / sizeof sizes[0], SEEDS = 5 };
    double contacts[SIZES], seconds[SIZES], worst = 0.0;
    carom_error error;
    carom_solver_state *state;
    if (carom_solver_state_create(NULL, &state, &error) != CAROM_OK) stop(error.text);
    for (int i = 0; i < SIZES; i++) {
        run_list runs = {0};
        for (unsigned seed = 0; seed < SEEDS; seed++) {
            contact_stack stack = stack_create(&(stack_def){.size = {sizes[i], 1, sizes[i]},
                                                            .staggered = true,
                                                            .per_edge = 2,
                                                            .ratio = 1.0,
                                                            .friction = 0.5,
                                                            .push = 0.01,
                                                            .seed = seed});
            double *impulse = or_stop(calloc((size_t)stack.rows, sizeof *impulse));
            solve_once(state, &stack.problem, NULL, impulse, &runs);
            contacts[i] = stack.problem.group_count;
            free(impulse);
            stack_destroy(&stack);
        }
        seconds[i] = time_of(&runs, bench_tolerances[LAST]);
        worst = fmax(worst, runs.residual);
        char name[64];
        snprintf(name, sizeof name, "wall %dx%d, nudged (%.0f) to %s", sizes[i], sizes[i], contacts[i],
                 bench_tolerance_names[LAST]);
        print_value_row(json, name, "ms", 1e3 * seconds[i], runs.residual, NAN);
    }
    carom_solver_state_destroy(state);
    print_value_row(json, "growth with contacts, made walls", "", growth_of(contacts, seconds, SIZES), worst,
                    most_growth);
}

// One sweep, from the difference of 50 and 10: of both the residual is evaluated twice, before and after. They start
// where the residual is far from rounding, so that none stops early.
static void print_sweep(bool json) {
    enum { FEW = 10, MANY = 50, ROUNDS = 21 };
    contact_stack stack = stack_create(&(stack_def){
        .size = {8, 1, 8}, .staggered = true, .per_edge = 2, .ratio = 1.0, .friction = 0.5, .push = 0.01, .seed = 1});
    carom_error error;
    carom_solver_state *state;
    if (carom_solver_state_create(NULL, &state, &error) != CAROM_OK) stop(error.text);
    size_t size = sizeof(double) * (size_t)stack.rows;
    double *start = or_stop(calloc(1, size)), *impulse = or_stop(calloc(1, size));
    carom_solve_options options = carom_solve_options_default();
    options.tolerance = 1e-4;
    run_list rough = {0}, few = {0}, many = {0};
    solve_once(state, &stack.problem, &options, start, &rough);
    options.solver = CAROM_SOLVER_GAUSS_SEIDEL;
    options.tolerance = 1e-15;
    options.warm = true;
    for (int i = 0; i < ROUNDS; i++) {
        memcpy(impulse, start, size);
        options.iterations = FEW;
        solve_once(state, &stack.problem, &options, impulse, &few);
        memcpy(impulse, start, size);
        options.iterations = MANY;
        solve_once(state, &stack.problem, &options, impulse, &many);
    }
    double sweep = (bench_median(many.seconds, ROUNDS) - bench_median(few.seconds, ROUNDS)) / (MANY - FEW);
    char name[64];
    snprintf(name, sizeof name, "warm Gauss-Seidel sweep, a contact of %d", stack.problem.group_count);
    print_value_row(json, name, "ns", 1e9 * sweep / stack.problem.group_count, NAN, most_sweep_nanoseconds);
    free(start);
    free(impulse);
    carom_solver_state_destroy(state);
    stack_destroy(&stack);
}

// ---- the program

static bool read_arguments(int argc, char **argv, bench_contact_cases *list) {
    bool json = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0) {
            json = true;
        } else if (argv[i][0] == '-') {
            fprintf(stderr, "carom: this benchmark takes --json and files of problems, not '%s'\n", argv[i]);
            exit(2);
        } else if (!bench_add_file(list, argv[i])) {
            exit(2);
        }
    }
    return json;
}

static void add_cases(bench_contact_cases *list) {
    const char *folder = getenv("CAROM_PROBLEMS");
    if (list->count == 0 && folder != NULL) {
        char path[BENCH_PATH_SIZE];
        snprintf(path, sizeof path, "%.4000s/friction", folder);
        bench_add_folder(list, path);
    }
    for (size_t i = 0; i < sizeof made_stacks / sizeof made_stacks[0]; i++)
        add_stack(list, made_stacks[i].name, &made_stacks[i].def);
    bench_add_settled(list);
}

int main(int argc, char **argv) {
    bench_contact_cases list = {0};
    bool json = read_arguments(argc, argv, &list), missing = false;
    add_cases(&list);
    bench_print_heading(json, "solve: contact problems with friction (contacts), processor time of one thread, errors "
                              "as carom's residual");
    for (int i = 0; i < list.count; i++)
        if (!run_case(json, list.cases[i])) missing = true;
    print_ratios(json, &list);
    print_growth_of_settled(json, &list);
    print_growth_of_made(json);
    print_sweep(json);
    if (missing)
        fprintf(stderr, "carom: where no peer is named, Siconos is missing or does not take the problem; 'make bench' "
                        "installs and builds it\n");
    bench_free_cases(&list);
    return 0;
}
