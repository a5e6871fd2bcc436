// SPDX-License-Identifier: MIT
// Contact problems from files, by all solvers side by side.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "solve/solve_profile.h"
#include "solve/solve_report.h"
#include "verb/verb.h"

typedef struct solve_options {
    const char *solver, *out;
    double tolerance, velocity_scale;
    int iterations, sides, threads;
    bool warm, details, profile, json;
} solve_options;

static const option solve_table[] = {
    {.name = "--solver",
     .kind = OPTION_TEXT,
     .offset = offsetof(solve_options, solver),
     .value = "NAME[,NAME]",
     .help = "these solvers only"},
    {.name = "--tolerance",
     .kind = OPTION_NUMBER,
     .offset = offsetof(solve_options, tolerance),
     .value = "T",
     .help = "of the residual; 1e-8 without it"},
    {.name = "--warm", .offset = offsetof(solve_options, warm), .help = "start from the impulses that are in the file"},
    {.name = "--threads",
     .kind = OPTION_COUNT,
     .offset = offsetof(solve_options, threads),
     .value = "N",
     .help = "over islands"},
    {.name = "--iterations",
     .kind = OPTION_COUNT,
     .offset = offsetof(solve_options, iterations),
     .value = "N",
     .help = "at most on each island, of each solver but auto, lemke and min-map"},
    {.name = "--sides",
     .kind = OPTION_COUNT,
     .offset = offsetof(solve_options, sides),
     .value = "N",
     .help = "of the pyramids that lemke and min-map make of cones; 8 without it"},
    {.name = "--velocity-scale",
     .kind = OPTION_NUMBER,
     .offset = offsetof(solve_options, velocity_scale),
     .value = "V",
     .help = "m/s, added to the residual's scale"},
    {.name = "--out",
     .letter = 'o',
     .kind = OPTION_TEXT,
     .offset = offsetof(solve_options, out),
     .value = "FILE",
     .help = "write the problem with the best impulses found; for one problem"},
    {.name = "--details",
     .offset = offsetof(solve_options, details),
     .help = "the full table for each of several files"},
    {.name = "--profile",
     .offset = offsetof(solve_options, profile),
     .help = "only the share of problems solved within a factor of the fastest time"},
    {.name = "--json", .offset = offsetof(solve_options, json), .help = "one object a file, and one for the summary"},
    {.name = NULL},
};

// ---- what to do

static int add_solver(const char *name, solve_plan *plan) {
    const char *names[CAROM_SOLVER_COUNT + 1] = {NULL};
    int found = -1;
    for (int i = 0; i < CAROM_SOLVER_COUNT; i++) {
        names[i] = carom_solver_name((carom_solver)i);
        if (strcmp(names[i], name) == 0) found = i;
    }
    if (found < 0) return refuse_unknown("solver", name, names);
    for (int i = 0; i < plan->solver_count; i++)
        if (plan->solvers[i] == (carom_solver)found) return refuse("--solver has '%s' twice", name);
    if (found == CAROM_SOLVER_AUTO) plan->deciding = plan->solver_count;
    plan->solvers[plan->solver_count++] = (carom_solver)found;
    return EXIT_GOOD;
}

static int add_solvers(const char *names, solve_plan *plan) {
    for (int i = 0; names == NULL && i < CAROM_SOLVER_COUNT; i++) plan->solvers[plan->solver_count++] = (carom_solver)i;
    for (const char *at = names; at != NULL;) {
        char name[64];
        size_t length = strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), at);
        int code = add_solver(name, plan);
        if (code != EXIT_GOOD) return code;
        at = at[length] == ',' ? at + length + 1 : NULL;
    }
    return EXIT_GOOD;
}

static int make_plan(const solve_options *options, int file_count, solve_plan *plan) {
    *plan = (solve_plan){.options = carom_solve_options_default()};
    plan->options.tolerance = options->tolerance;
    plan->options.velocity_scale = options->velocity_scale;
    plan->options.iterations = options->iterations;
    plan->options.pyramid_sides = options->sides;
    plan->options.warm = options->warm;
    plan->options.threads = options->threads;
    if (file_count == 0) return refuse("'solve' needs problem files: carom solve PROBLEM...");
    if (!(options->tolerance > 0.0)) return refuse("--tolerance is %g, must be positive", options->tolerance);
    if (options->sides < 4 || options->sides % 2 != 0)
        return refuse("--sides is %d, must be even and at least 4", options->sides);
    if (options->out != NULL && file_count > 1) return refuse("--out takes one problem, but there are %d", file_count);
    if (options->profile && options->details)
        return refuse("--profile and --details do not go together: one table is of all problems, the other of each");
    return add_solvers(options->solver, plan);
}

// ---- what came of it

typedef enum file_fate { FATE_SOLVED, FATE_NOT_SOLVED, FATE_UNSUPPORTED, FATE_UNUSABLE } file_fate;

typedef struct totals {
    file_fate *fates; // (files)
    int counts[FATE_UNUSABLE + 1];
    int solved[CAROM_SOLVER_COUNT]; // by solver
    int at_floor;                   // solved only so far by the deciding solver
    double worst;                   // residual of the deciding solver
    const char *worst_file;
} totals;

static file_fate fate_of(const solve_plan *plan, const solve_result *result) {
    if (result->stored == NULL) return result->error.status == CAROM_ERR_UNSUPPORTED ? FATE_UNSUPPORTED : FATE_UNUSABLE;
    const solver_run *deciding = &result->runs[plan->deciding];
    if (deciding->verdict == RUN_UNSUPPORTED) return FATE_UNSUPPORTED;
    if (deciding->verdict == RUN_FAILED) return FATE_UNUSABLE;
    return is_solved(deciding) ? FATE_SOLVED : FATE_NOT_SOLVED;
}

// Counts the result and says what is wrong with it; returns the exit code that it asks for.
// Of any solver: a table that lacks one for that reason would say something else the next time.
static const carom_error *lack_of_memory(const solve_plan *plan, const solve_result *result) {
    for (int i = 0; i < plan->solver_count; i++)
        if (result->runs[i].error.status == CAROM_ERR_NO_MEMORY) return &result->runs[i].error;
    return NULL;
}

static int count_result(const solve_plan *plan, const solve_result *result, int file, totals *t) {
    const carom_error *memory = lack_of_memory(plan, result);
    file_fate fate = t->fates[file] = memory != NULL ? FATE_UNUSABLE : fate_of(plan, result);
    t->counts[fate]++;
    if (memory != NULL) return refuse_error(memory);
    if (fate == FATE_UNUSABLE)
        return refuse_error(result->stored == NULL ? &result->error : &result->runs[plan->deciding].error);
    if (result->stored == NULL) return EXIT_GOOD;
    for (int i = 0; i < plan->solver_count; i++) t->solved[i] += is_solved(&result->runs[i]);
    if (fate == FATE_UNSUPPORTED) return EXIT_GOOD;
    t->at_floor += result->runs[plan->deciding].verdict == RUN_AT_FLOOR;
    double residual = residual_of(result, &result->runs[plan->deciding]);
    if (t->worst_file == NULL || residual > t->worst) {
        t->worst = residual;
        t->worst_file = result->file;
    }
    return fate == FATE_SOLVED ? EXIT_GOOD : EXIT_NOT_TRUSTWORTHY;
}

static void print_file_name(const char *file) {
    const char *slash = strrchr(file, '/');
    print_clean(stdout, slash != NULL && slash[1] != '\0' ? slash + 1 : file);
}

static void print_fates(const totals *t, char **files, int file_count, file_fate fate, const char *words) {
    enum { MOST_SHOWN = 6 };
    if (t->counts[fate] == 0) return;
    printf("%d %s:", t->counts[fate], words);
    int shown = 0;
    for (int i = 0; i < file_count && shown < MOST_SHOWN; i++) {
        if (t->fates[i] != fate) continue;
        fputs(shown++ > 0 ? ", " : " ", stdout);
        print_file_name(files[i]);
    }
    if (t->counts[fate] > shown) printf(" and %d more", t->counts[fate] - shown);
    fputc('\n', stdout);
}

static void print_summary(const solve_plan *plan, const totals *t, char **files, int file_count) {
    int decided = t->counts[FATE_SOLVED] + t->counts[FATE_NOT_SOLVED];
    if (decided > 0) {
        char floor[48] = "";
        if (t->at_floor > 0) snprintf(floor, sizeof floor, " (%d the rounding floor)", t->at_floor);
        printf("%d of %d met %g%s by %s; worst residual %.1e in ", t->counts[FATE_SOLVED], decided,
               plan->options.tolerance, floor, carom_solver_name(plan->solvers[plan->deciding]), t->worst);
        print_file_name(t->worst_file);
        fputc('\n', stdout);
    }
    print_fates(t, files, file_count, FATE_NOT_SOLVED, "not met");
    print_fates(t, files, file_count, FATE_UNSUPPORTED, "not supported");
    print_fates(t, files, file_count, FATE_UNUSABLE, "not usable");
}

static void print_summary_object(const solve_plan *plan, const totals *t) {
    jsonl_writer json = jsonl_begin(stdout);
    jsonl_int(&json, "problems", t->counts[FATE_SOLVED] + t->counts[FATE_NOT_SOLVED]);
    jsonl_int(&json, "met", t->counts[FATE_SOLVED]);
    jsonl_int(&json, "at_floor", t->at_floor);
    jsonl_number(&json, "tolerance", plan->options.tolerance);
    jsonl_text(&json, "by", carom_solver_name(plan->solvers[plan->deciding]));
    if (t->worst_file != NULL) {
        jsonl_number(&json, "worst_residual", t->worst);
        jsonl_text(&json, "worst_file", t->worst_file);
    }
    jsonl_int(&json, "unsupported", t->counts[FATE_UNSUPPORTED]);
    jsonl_int(&json, "unusable", t->counts[FATE_UNUSABLE]);
    jsonl_end(&json);
}

// ---- the verb

static int write_best(const solve_result *result, const char *path) {
    carom_error error;
    if (result->best_run < 0) return refuse("there are no impulses to write to %s: no solver ran", path);
    const carom_stored_problem *stored = result->stored;
    carom_status status = is_dense(result)
                              ? carom_dense_lcp_write(stored->lcp, stored->name, result->best, path, &error)
                              : carom_problem_write(&stored->problem, stored->name, result->best, path, &error);
    return status == CAROM_OK ? EXIT_GOOD : refuse_error(&error);
}

static int larger(int a, int b) {
    return a > b ? a : b;
}

static int solve_files(const solve_options *options, const solve_plan *plan, carom_solver_state *state, char **files,
                       int file_count, totals *t, solve_profile *profile) {
    bool compact = !options->json && !options->profile && !options->details && file_count > 1;
    bool full = !options->json && !options->profile && !compact;
    int code = EXIT_GOOD;
    if (compact) print_compact_heading(plan);
    for (int i = 0; i < file_count; i++) {
        solve_result result;
        find_result(state, plan, files[i], &result);
        bool usable = result.stored != NULL;
        code = larger(code, count_result(plan, &result, i, t));
        if (options->warm && usable && (is_dense(&result) || result.stored->impulse == NULL))
            note("%s: %s; its solvers start cold", files[i],
                 is_dense(&result) ? "is dense" : "has no impulses to start from");
        if (options->json && !options->profile) print_result_object(plan, &result);
        if (compact && (usable || t->fates[i] == FATE_UNSUPPORTED)) print_compact_row(plan, &result);
        if (full && usable) print_result(plan, &result);
        if (full && t->fates[i] == FATE_UNSUPPORTED && !usable) note("%s", result.error.text);
        if (options->profile && usable && !profile_add(profile, plan, &result)) {
            refuse("no memory for the profile");
            code = EXIT_INTERNAL;
        }
        if (options->out != NULL && usable) code = larger(code, write_best(&result, options->out));
        end_result(&result);
    }
    if (compact) {
        int readable = t->counts[FATE_SOLVED] + t->counts[FATE_NOT_SOLVED];
        print_compact_end(plan, readable, t->solved);
    }
    if (full) puts("time is that of the processor, the least of several runs; all else is the same in every run");
    return code;
}

static int solve_all(const solve_options *options, const solve_plan *plan, char **files, int file_count) {
    carom_solver_state *state = NULL;
    carom_error error;
    solve_profile profile = {0};
    totals t = {.fates = calloc((size_t)file_count, sizeof *t.fates)};
    int code = EXIT_INTERNAL;
    if (t.fates == NULL)
        refuse("no memory for %d files", file_count);
    else if (carom_solver_state_create(NULL, &state, &error) != CAROM_OK)
        code = refuse_error(&error);
    else
        code = solve_files(options, plan, state, files, file_count, &t, &profile);
    if (state != NULL) {
        if (options->profile) print_profile(&profile, plan, options->json);
        if (options->json)
            print_summary_object(plan, &t);
        else
            print_summary(plan, &t, files, file_count);
        if (t.counts[FATE_UNSUPPORTED] == file_count)
            code =
                refuse("none of the problems is supported by '%s'", carom_solver_name(plan->solvers[plan->deciding]));
    }
    carom_solver_state_destroy(state);
    free(profile.seconds);
    free(t.fates);
    return code;
}

static int run_solve(int argument_count, char **arguments) {
    carom_solve_options defaults = carom_solve_options_default();
    solve_options options = {.tolerance = defaults.tolerance,
                             .velocity_scale = defaults.velocity_scale,
                             .sides = defaults.pyramid_sides,
                             .threads = defaults.threads};
    int words = read_options("solve", solve_table, argument_count, arguments, &options);
    if (words < 0) return EXIT_BAD_INPUT;
    solve_plan plan;
    int code = make_plan(&options, words, &plan);
    return code == EXIT_GOOD ? solve_all(&options, &plan, arguments, words) : code;
}

const verb verb_solve = {
    .name = "solve",
    .group = GROUP_STUDY,
    .arguments = "PROBLEM... [--solver NAME[,NAME]] [--tolerance T] [-o FILE] [--profile] [--json]",
    .summary = "contact problems from files, by all solvers side by side",
    .help = "PROBLEM is a contact problem or a dense complementarity problem (docs/solvers.md). The solvers are\n"
            "  auto          islands, each by Newton's method, then a fallback cascade\n"
            "  lemke         pivoting, cones as pyramids        min-map     Newton on min(z, Az + q), the same\n"
            "  gauss-seidel  group by group                     semismooth  Newton on the natural map\n"
            "  smoothing     Newton along a smooth path         interior    interior point\n"
            "'auto', or else the first solver named, decides the exit code: 0 when it met the tolerance, or the\n"
            "rounding floor, on every problem that it supports; 1 when not; 2 when a file cannot be used, or no\n"
            "problem is supported. --warm, --iterations, --sides and --velocity-scale do nothing for dense problems.",
    .options = solve_table,
    .run = run_solve,
};
