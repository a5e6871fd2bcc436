// SPDX-License-Identifier: MIT
// Programs solved by Ipopt: a primal-dual barrier method with a filter and a restoration phase, on MUMPS.
#include <IpStdCInterface.h>
#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/clock.h"
#include "base/fail.h"
#include "control/solver/program_solver.h"

typedef struct session {
    const crm_evaluator *evaluator;
    crm_program_callback *callback;
    void *user;
    bool interrupted;
    int iterations;
    bool inertia_right; // a step since the present iterates are near the solution needed nothing on the diagonal
} session;

static Bool evaluate_objective(Index n, Number *z, Bool fresh, Number *objective, UserDataPtr user) {
    (void)n, (void)fresh;
    return crm_evaluate_objective(((session *)user)->evaluator, z, objective);
}

static Bool evaluate_gradient(Index n, Number *z, Bool fresh, Number *gradient, UserDataPtr user) {
    (void)n, (void)fresh;
    return crm_evaluate_gradient(((session *)user)->evaluator, z, gradient);
}

static Bool evaluate_rows(Index n, Number *z, Bool fresh, Index m, Number *row, UserDataPtr user) {
    (void)n, (void)fresh, (void)m;
    return crm_evaluate_rows(((session *)user)->evaluator, z, row);
}

// Writes the places of entries that are stored by rows.
static void tell_places(int rows, const int32_t *start, const int32_t *column, Index *row_of, Index *column_of) {
    for (int r = 0; r < rows; r++) {
        for (int k = start[r]; k < start[r + 1]; k++) {
            row_of[k] = r;
            column_of[k] = column[k];
        }
    }
}

static Bool evaluate_jacobian(Index n, Number *z, Bool fresh, Index m, Index count, Index *row_of, Index *column_of,
                              Number *value, UserDataPtr user) {
    (void)n, (void)fresh, (void)count;
    const crm_evaluator *e = ((session *)user)->evaluator;
    if (value != NULL) return crm_evaluate_jacobian(e, z, value);
    tell_places(m, e->jacobian_start, e->jacobian_column, row_of, column_of);
    return TRUE;
}

static Bool evaluate_hessian(Index n, Number *z, Bool fresh, Number weight, Index m, Number *multiplier,
                             Bool fresh_multiplier, Index count, Index *row_of, Index *column_of, Number *value,
                             UserDataPtr user) {
    (void)fresh, (void)m, (void)fresh_multiplier, (void)count;
    const crm_evaluator *e = ((session *)user)->evaluator;
    if (value != NULL) return crm_evaluate_hessian(e, z, weight, multiplier, value);
    tell_places(n, e->hessian_start, e->hessian_column, row_of, column_of);
    return TRUE;
}

// First-order errors, below which inertias are those of the solution.
static const double near_error = 1e-3;

static Bool after_iteration(Index mode, Index iteration, Number objective, Number violation, Number optimality,
                            Number barrier, Number step, Number regularization, Number dual_length,
                            Number primal_length, Index trials, UserDataPtr user) {
    (void)step, (void)dual_length, (void)primal_length, (void)trials;
    session *s = user;
    s->iterations = iteration;
    // Planes that nothing touches can be anywhere: with them the matrix is singular to rounding now and then, and gets
    // a little on its diagonal that tells nothing. A saddle needs some in every step.
    bool near = mode == 0 && violation < near_error && optimality < near_error;
    s->inertia_right = near && (s->inertia_right || regularization <= 0.0);
    s->interrupted = s->callback != NULL && !s->callback(s->user, iteration, objective, violation, optimality, barrier);
    return !s->interrupted;
}

// Sums over several threads change their order, and bits with it: whatever BLAS is there gets one.
static void use_one_thread(void) {
    static const char *const setters[] = {"openblas_set_num_threads", "omp_set_num_threads", "MKL_Set_Num_Threads",
                                          "bli_thread_set_num_threads"};
    void *program = dlopen(NULL, RTLD_LAZY);
    if (program == NULL) return;
    for (size_t i = 0; i < sizeof setters / sizeof setters[0]; i++) {
        void *symbol = dlsym(program, setters[i]);
        if (symbol == NULL) continue;
        if (strncmp(setters[i], "bli", 3) == 0) {
            void (*set)(long) = NULL;
            memcpy(&set, &symbol, sizeof set);
            set(1);
        } else {
            void (*set)(int) = NULL;
            memcpy(&set, &symbol, sizeof set);
            set(1);
        }
    }
    dlclose(program);
}

// Ipopt's interface takes plain pointers to what it does not change.
static bool set_text(IpoptProblem ipopt, const char *key, const char *value) {
    return AddIpoptStrOption(ipopt, (char *)(uintptr_t)key, (char *)(uintptr_t)value);
}

static bool set_number(IpoptProblem ipopt, const char *key, double value) {
    return AddIpoptNumOption(ipopt, (char *)(uintptr_t)key, value);
}

static bool set_count(IpoptProblem ipopt, const char *key, int value) {
    return AddIpoptIntOption(ipopt, (char *)(uintptr_t)key, value);
}

// How far bounds are moved outward so that a program without an inside has one: far below what plans promise.
static const double bounds_moved = 1e-10;

// Rows are solved this much farther than first-order conditions, but no farther than rounding lets them: a run of a
// plan adds up what they miss from node to node, and the last steps of Newton's method take them there for little.
static const double rows_farther = 1e-4, least_rows = 1e-13;

static double rows_tolerance(double tolerance) {
    return fmin(tolerance, fmax(rows_farther * tolerance, least_rows));
}

static bool set_options(IpoptProblem ipopt, const crm_program_settings *settings) {
    bool good = set_count(ipopt, "print_level", 0) && set_text(ipopt, "sb", "yes");
    good = good && set_text(ipopt, "option_file_name", ""); // no file of the working directory changes a plan
    good = good && set_text(ipopt, "linear_solver", "mumps") && set_text(ipopt, "nlp_scaling_method", "none");
    good = good && set_number(ipopt, "tol", settings->tolerance);
    good = good && set_number(ipopt, "constr_viol_tol", rows_tolerance(settings->tolerance));
    good = good && set_number(ipopt, "bound_relax_factor", bounds_moved);
    good = good && set_count(ipopt, "max_iter", settings->iteration_limit);
    good = good && set_number(ipopt, "mu_init", settings->barrier > 0.0 ? settings->barrier : 0.1);
    if (!settings->warm) return good;
    good = good && set_text(ipopt, "warm_start_init_point", "yes");
    // The start is taken as it is, up to the barrier's own distance from the bounds.
    static const char *const pushes[] = {"warm_start_bound_push", "warm_start_bound_frac",
                                         "warm_start_slack_bound_push", "warm_start_slack_bound_frac",
                                         "warm_start_mult_bound_push"};
    for (size_t i = 0; i < sizeof pushes / sizeof pushes[0]; i++) good = good && set_number(ipopt, pushes[i], 1e-9);
    return good;
}

static carom_status classify(enum ApplicationReturnStatus status, double tolerance, crm_program_result *result,
                             carom_error *error) {
    switch (status) {
    case Solve_Succeeded:
        result->outcome = CRM_PROGRAM_SOLVED;
        return CAROM_OK;
    case Infeasible_Problem_Detected:
        result->outcome = CRM_PROGRAM_INFEASIBLE;
        return CAROM_OK;
    case User_Requested_Stop:
        result->outcome = CRM_PROGRAM_INTERRUPTED;
        return CAROM_OK;
    case Insufficient_Memory:
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "Ipopt has no memory for a program");
    case Unrecoverable_Exception:
    case NonIpopt_Exception_Thrown:
    case Internal_Error:
    case Invalid_Option:
    case Invalid_Problem_Definition:
        return crm_fail(error, CAROM_ERR_SYSTEM, "Ipopt gave up a program with its status %d", (int)status);
    default:
        result->outcome = result->violation <= tolerance ? CRM_PROGRAM_FEASIBLE : CRM_PROGRAM_STUCK;
        return CAROM_OK;
    }
}

static IpoptProblem create(const crm_evaluator *e) {
    const crm_program *p = e->program;
    return CreateIpoptProblem(p->unknown_count, p->lower, p->upper, p->row_count, p->row_lower, p->row_upper,
                              e->jacobian_count, e->hessian_count, 0, evaluate_objective, evaluate_rows,
                              evaluate_gradient, evaluate_jacobian, evaluate_hessian);
}

carom_status crm_solve_program_by_ipopt(const crm_program *program, const crm_program_settings *settings,
                                        crm_program_callback *callback, void *user, crm_program_point *point,
                                        crm_program_result *result, crm_arena *arena, carom_error *error) {
    crm_mark mark = crm_arena_mark(arena);
    double began = crm_clock_thread_seconds();
    crm_evaluator evaluator;
    carom_status status = crm_evaluator_create(program, arena, &evaluator, error);
    if (status != CAROM_OK) return crm_arena_release(arena, mark), status;
    session s = {.evaluator = &evaluator, .callback = callback, .user = user};
    *result = (crm_program_result){.outcome = CRM_PROGRAM_STUCK, .violation = INFINITY, .optimality = INFINITY};
    IpoptProblem ipopt = create(&evaluator);
    if (ipopt == NULL || !set_options(ipopt, settings) || !SetIntermediateCallback(ipopt, after_iteration)) {
        status = crm_fail(error, CAROM_ERR_SYSTEM, "Ipopt refuses a program of %d unknowns and %d rows",
                          program->unknown_count, program->row_count);
    } else {
        use_one_thread();
        double objective;
        enum ApplicationReturnStatus ended = IpoptSolve(ipopt, point->z, NULL, &objective, point->multiplier,
                                                        point->bound_lower, point->bound_upper, &s);
        result->iterations = s.iterations;
        result->inertia_right = s.inertia_right;
        if (!crm_program_measure(&evaluator, point, arena, result) && crm_arena_refused(arena))
            status = crm_fail_memory(error, "a program", sizeof(double) * (size_t)evaluator.jacobian_count);
        if (status == CAROM_OK) status = classify(ended, settings->tolerance, result, error);
    }
    if (ipopt != NULL) FreeIpoptProblem(ipopt);
    result->seconds = crm_clock_thread_seconds() - began;
    crm_arena_release(arena, mark);
    return status;
}
