// SPDX-License-Identifier: MIT
// The Newton methods behind the solvers' interface, and the fallback cascade that `auto` works down, island by island.
//
// Every stage has its budget of factorizations and starts afresh, from nothing, from the guess or from the best so far;
// the best impulses of all by the independent residual are returned. Redundant sliding contacts make any one method
// stop somewhere between 1e-3 and 1e-6 now and then, and seldom two of them at the same problem.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/limits/limit.h"
#include "solve/infeasible/infeasible.h"
#include "solve/newton/newton.h"
#include "solve/residual.h"
#include "solve/solver_state.h"
#include "solve/sweeps/first_sweeps.h"

typedef enum stage_start { FROM_ZERO, FROM_GUESS, FROM_BEST } stage_start;
typedef enum stage_method { SEMISMOOTH, NEWTON_GAUSS_SEIDEL, SMOOTHING, INTERIOR, PROXIMAL, PATH } stage_method;

typedef struct stage {
    const char *name;
    stage_method method;
    stage_start start;
    bool weighted; // each group's scale from the impulse of one sticking solve
    int steps;
    double goal;  // of an interior point: residual to stop at, 0 for the tolerance
    double width; // of a path
    double below; // only where the best residual so far is below this; 0 for always
} stage;

static const stage warm_stage = {"semismooth, warm", SEMISMOOTH, FROM_GUESS, false, 40, 0.0, 0.0, 0.0};

// From a guess with exact friction between bodies, after a few sweeps. A guess that is nearly right asks for little;
// else the smoothed map leads to impulses away from all kinks, from where few steps are left.
static const stage warm_moving[] = {
    {"newton-gauss-seidel", NEWTON_GAUSS_SEIDEL, FROM_BEST, false, 6, 0.0, 0.0, 1e-3},
    {"smoothing, warm", SMOOTHING, FROM_BEST, false, 25, 0.0, 0.0, 0.0},
    {"newton-gauss-seidel", NEWTON_GAUSS_SEIDEL, FROM_BEST, false, 10, 0.0, 0.0, 0.0},
    {"smoothing", SMOOTHING, FROM_ZERO, false, 25, 0.0, 0.0, 0.0},
    {"newton-gauss-seidel", NEWTON_GAUSS_SEIDEL, FROM_BEST, false, 10, 0.0, 0.0, 0.0},
    {"smoothing, warm", SMOOTHING, FROM_BEST, false, 25, 0.0, 0.0, 0.0},
    {"newton-gauss-seidel", NEWTON_GAUSS_SEIDEL, FROM_BEST, false, 10, 0.0, 0.0, 0.0},
};

// Without exact friction the proximal point converges for certain; the interior point brings it near.
static const stage convex_cascade[] = {
    {"semismooth", SEMISMOOTH, FROM_ZERO, false, 25, 0.0, 0.0, 0.0},
    {"interior", INTERIOR, FROM_ZERO, false, 60, 1e-4, 0.0, 0.0},
    {"proximal", PROXIMAL, FROM_BEST, false, 300, 0.0, 0.0, 0.0},
    {"path, weighted", PATH, FROM_ZERO, true, 300, 0.0, 1.0, 0.0},
    {"proximal, weighted", PROXIMAL, FROM_BEST, true, 300, 0.0, 0.0, 0.0},
};

// What a few sweeps have left.
static const stage after_sweeps_stage = {"semismooth", SEMISMOOTH, FROM_BEST, false, 25, 0.0, 0.0, 1e-2};

// With exact friction. Each of these has solved what the others had left; docs/solvers.md has the tally.
static const stage exact_cascade[] = {
    {"smoothing", SMOOTHING, FROM_ZERO, false, 40, 0.0, 0.0, 0.0},
    {"semismooth", SEMISMOOTH, FROM_BEST, false, 25, 0.0, 0.0, 1e-5},
    {"semismooth", SEMISMOOTH, FROM_ZERO, false, 25, 0.0, 0.0, 0.0},
    {"interior", INTERIOR, FROM_ZERO, false, 60, 1e-4, 0.0, 0.0},
    {"semismooth", SEMISMOOTH, FROM_BEST, false, 60, 0.0, 0.0, 0.0},
    {"path, weighted", PATH, FROM_ZERO, true, 300, 0.0, 1.0, 0.0},
    {"semismooth", SEMISMOOTH, FROM_BEST, false, 40, 0.0, 0.0, 0.0},
    {"path, weighted", PATH, FROM_ZERO, true, 200, 0.0, 10.0, 0.0},
    {"semismooth", SEMISMOOTH, FROM_BEST, false, 40, 0.0, 0.0, 0.0},
    {"smoothing", SMOOTHING, FROM_ZERO, false, 150, 0.0, 0.0, 0.0},
    {"interior", INTERIOR, FROM_ZERO, false, 200, 0.0, 0.0, 0.0},
    {"semismooth", SEMISMOOTH, FROM_BEST, false, 150, 0.0, 0.0, 0.0},
    {"smoothing, weighted", SMOOTHING, FROM_ZERO, true, 200, 0.0, 0.0, 0.0},
    {"path", PATH, FROM_ZERO, false, 200, 0.0, 1.0, 0.0},
    {"proximal", PROXIMAL, FROM_ZERO, false, 100, 0.0, 0.0, 0.0},
    {"semismooth", SEMISMOOTH, FROM_BEST, false, 50, 0.0, 0.0, 0.0},
};

// After so many of them a small problem may as well have no solution, and a proof costs less than the others.
enum { BEFORE_PROOF = 5 };

// The floor is an estimate from above: so many stages may try to do better.
enum { DOUBTFUL_STAGES = 4 };

// Sweeps by W of a mobility, which has to be written out first, are for so few groups only.
enum { FEW_GROUPS = 64 };

// A guess with a residual below `at_rest` is of bodies that rest. What errs by the tolerance there disturbs the guess
// of the next step; on the way to `quiet` times of it every few of these guesses are good as they are. Steps of
// Newton's method go for that, sweeps only where there are very few groups or a step is dear.
static const double at_rest = 1e-3, quiet = 0.01;
enum { VERY_FEW_GROUPS = 16 };

typedef struct cascade_state {
    crm_newton newton;
    const crm_operator *op;
    const carom_solve_options *options;
    crm_arena *arena;
    const double *guess;
    crm_first_sweeps first;
    crm_stage *report;
    int stages; // that have run
} cascade_state;

static void run_stage(cascade_state *c, const stage *s) {
    crm_newton *n = &c->newton;
    if (s->below > 0.0 && !(n->best_report.residual < s->below)) return;
    int before = n->system.factorizations;
    if (s->weighted) crm_newton_stick_weight(n, n->weight);
    crm_newton_set_weight(n, s->weighted ? n->weight : NULL);
    const double *starts[] = {[FROM_ZERO] = NULL, [FROM_GUESS] = c->guess, [FROM_BEST] = n->best};
    crm_newton_start(n, starts[s->start]);
    switch (s->method) {
    case SEMISMOOTH:
        crm_semismooth(n, s->steps);
        break;
    case NEWTON_GAUSS_SEIDEL:
        crm_newton_gauss_seidel(n, &c->first.sweep, s->steps);
        break;
    case SMOOTHING:
        crm_smoothing(n, s->steps, c->options->warm && s->start != FROM_ZERO);
        break;
    case INTERIOR:
        crm_interior(n, s->steps, s->goal);
        break;
    case PATH:
        crm_path(n, s->steps, s->width);
        break;
    case PROXIMAL:
        crm_proximal(n, s->steps);
        break;
    }
    static const carom_solver solvers[] = {[SEMISMOOTH] = CAROM_SOLVER_SEMISMOOTH,
                                           [NEWTON_GAUSS_SEIDEL] = CAROM_SOLVER_SEMISMOOTH,
                                           [SMOOTHING] = CAROM_SOLVER_SMOOTHING,
                                           [INTERIOR] = CAROM_SOLVER_INTERIOR,
                                           [PROXIMAL] = CAROM_SOLVER_AUTO, // these two have no name of their own
                                           [PATH] = CAROM_SOLVER_AUTO};
    c->report->solver = solvers[s->method];
    c->report->work += (n->system.factorizations - before) * crm_newton_price(n);
    c->stages++;
    crm_stage_note(c->report, s->name, n->best_report.residual);
}

static carom_status open_cascade(cascade_state *c, const crm_operator *op, const carom_solve_options *options,
                                 crm_arena *arena, double *impulse, crm_stage *report, carom_error *error) {
    *c = (cascade_state){.op = op, .options = options, .arena = arena, .guess = impulse, .report = report};
    return crm_first_sweeps_open(op, options, arena, impulse, report, &c->first, error);
}

static void close_cascade(cascade_state *c, double *impulse) {
    crm_newton *n = &c->newton;
    memcpy(impulse, n->best, sizeof(double) * (size_t)c->op->row_count);
    c->report->residual = *crm_newton_verdict(n);
    if (c->report->outcome != CAROM_SOLVE_OUTCOME_INFEASIBLE)
        c->report->outcome = crm_residual_outcome(&c->report->residual, n->tolerance);
    c->report->iterations += n->iterations;
    c->report->factorizations += n->system.factorizations;
}

// A stage with as many of its steps as the work left allows. False: none.
static bool run_affordable(cascade_state *c, stage s) {
    if (crm_interrupted(&c->options->interrupt)) return false;
    double left = c->options->work - c->report->work;
    int most = (int)fmin(fmax(left, 0.0) / crm_newton_price(&c->newton), 1e6) - (s.weighted ? 1 : 0);
    if (most <= 0) return false;
    if (s.steps > most) s.steps = most;
    run_stage(c, &s);
    return true;
}

// The stages from `begin` to before `end`, as far as they are needed.
static void run_cascade(cascade_state *c, const stage *cascade, size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) {
        // The floor costs as much as the residual, and has a say only here.
        if (crm_newton_met(&c->newton) || i >= DOUBTFUL_STAGES) {
            carom_solve_outcome outcome = crm_residual_outcome(crm_newton_verdict(&c->newton), c->options->tolerance);
            if (outcome == CAROM_SOLVE_OUTCOME_MET) return;
            if (outcome == CAROM_SOLVE_OUTCOME_AT_FLOOR && i >= DOUBTFUL_STAGES) return;
        }
        if (!run_affordable(c, cascade[i])) return;
    }
}

static carom_status run_exact_cascade(cascade_state *c, carom_error *error) {
    size_t first = c->op->group_count <= FEW_GROUPS ? BEFORE_PROOF : 0;
    run_cascade(c, exact_cascade, 0, first);
    if (crm_newton_met(&c->newton)) return CAROM_OK;
    carom_status status = CAROM_OK;
    if (first > 0 && c->options->iterations == 0)
        status = crm_infeasible_tell(c->op, c->options, c->arena, c->report, error);
    if (status != CAROM_OK || c->report->outcome == CAROM_SOLVE_OUTCOME_INFEASIBLE || c->report->jammed) return status;
    run_cascade(c, exact_cascade, first, sizeof exact_cascade / sizeof *exact_cascade);
    return CAROM_OK;
}

// Makes ready for Newton's method, within the work left. False: there is not enough.
static bool open_newton(cascade_state *c, carom_status *status, carom_error *error) {
    double price = CRM_NEWTON_OPEN_WORK * c->op->group_count;
    if (c->report->work + price > c->options->work || crm_interrupted(&c->options->interrupt)) return false;
    c->report->work += price;
    *status = crm_newton_open(c->op, c->options, c->arena, &c->newton, error);
    if (*status != CAROM_ERR_INTERRUPTED) return *status == CAROM_OK;
    *status = CAROM_OK; // with the best so far
    return false;
}

static bool is_convex(const crm_operator *op) {
    for (int g = 0; g < op->group_count; g++)
        if (op->groups[g].law == CAROM_LAW_CONE && op->groups[g].friction > 0.0 && !op->groups[g].relaxed) return false;
    return true;
}

#define CASCADE(stages) (stages), 0, sizeof(stages) / sizeof *(stages)

carom_status crm_solve_auto(const crm_operator *op, const carom_solve_options *options, crm_arena *arena,
                            double *impulse, crm_stage *report, carom_error *error) {
    cascade_state c;
    bool convex = is_convex(op), moving = options->warm && !convex && op->form == CAROM_FORM_BODIES;
    bool sweep = op->form != CAROM_FORM_MOBILITY || op->group_count <= FEW_GROUPS;
    carom_status status = open_cascade(&c, op, options, arena, impulse, report, error);
    if (status != CAROM_OK || report->outcome == CAROM_SOLVE_OUTCOME_MET || crm_interrupted(&options->interrupt))
        return status;
    bool resting = moving && report->residual.residual < at_rest;
    double aim = resting ? quiet * options->tolerance : options->tolerance;
    if (sweep) status = crm_first_sweeps_prepare(&c.first, aim, error);
    if (status != CAROM_OK || crm_interrupted(&options->interrupt)) return status;
    if (sweep && !(resting && op->group_count > VERY_FEW_GROUPS)) crm_first_sweeps_run(&c.first);
    if (report->outcome == CAROM_SOLVE_OUTCOME_MET || !open_newton(&c, &status, error)) return status;
    c.newton.aim = aim;
    if (sweep) status = crm_first_sweeps_go_on(&c.first, crm_newton_price(&c.newton), !resting, error);
    if (status != CAROM_OK || report->outcome == CAROM_SOLVE_OUTCOME_MET) return status;
    crm_newton_start(&c.newton, impulse);
    crm_newton_evaluate(&c.newton);
    if (moving)
        run_cascade(&c, CASCADE(warm_moving));
    else if (options->warm)
        run_affordable(&c, warm_stage);
    else if (sweep)
        run_affordable(&c, after_sweeps_stage);
    // The stages for a guess are meant to be run together; of a cold start the first one ought to do.
    int ordinary = options->warm ? c.stages : 1;
    if (convex)
        run_cascade(&c, CASCADE(convex_cascade));
    else
        status = run_exact_cascade(&c, error);
    if (c.stages > ordinary) report->fallbacks = c.stages - ordinary;
    if (status == CAROM_OK) close_cascade(&c, impulse);
    return status;
}

static carom_status run_alone(stage s, const crm_operator *op, const carom_solve_options *options, crm_arena *arena,
                              double *impulse, crm_stage *report, carom_error *error) {
    cascade_state c;
    carom_status status = open_cascade(&c, op, options, arena, impulse, report, error);
    s.start = options->warm ? FROM_GUESS : FROM_ZERO;
    if (options->iterations > 0) s.steps = options->iterations;
    if (status != CAROM_OK || !open_newton(&c, &status, error)) return status;
    if (run_affordable(&c, s)) close_cascade(&c, impulse);
    return CAROM_OK;
}

carom_status crm_solve_semismooth(const crm_operator *op, const carom_solve_options *options, crm_arena *arena,
                                  double *impulse, crm_stage *report, carom_error *error) {
    return run_alone((stage){"semismooth", SEMISMOOTH, FROM_ZERO, false, 200, 0.0, 0.0, 0.0}, op, options, arena,
                     impulse, report, error);
}

carom_status crm_solve_smoothing(const crm_operator *op, const carom_solve_options *options, crm_arena *arena,
                                 double *impulse, crm_stage *report, carom_error *error) {
    return run_alone((stage){"smoothing", SMOOTHING, FROM_ZERO, false, 200, 0.0, 0.0, 0.0}, op, options, arena, impulse,
                     report, error);
}

carom_status crm_solve_interior(const crm_operator *op, const carom_solve_options *options, crm_arena *arena,
                                double *impulse, crm_stage *report, carom_error *error) {
    return run_alone((stage){"interior", INTERIOR, FROM_ZERO, false, 200, 0.0, 0.0, 0.0}, op, options, arena, impulse,
                     report, error);
}
