// SPDX-License-Identifier: MIT
// One level of one start: laid out, guessed, solved, read back.
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/fail.h"
#include "control/guess/planes.h"
#include "control/guess/touches.h"
#include "control/motion/control_wrench.h"
#include "control/plan/plan_solve.h"
#include "control/rows/plan_pieces.h"

enum { MOST_ITERATIONS = 1000 };
// Where the solution begins that goes on from another: near, but not at the active rows.
static const double resumed_barrier = 1e-3;

void crm_plan_trial_free(crm_plan_trial *trial) {
    if (trial->draft.model != NULL) crm_draft_end(&trial->draft);
    crm_arena_free(&trial->arena);
    *trial = (crm_plan_trial){.made = false};
}

carom_status crm_plan_trial_begin(const carom_plan *plan, int level, crm_plan_trial *trial, carom_error *error) {
    int intervals = crm_plan_intervals_of(plan, level);
    crm_arena_init(&trial->arena, &plan->arena.allocator);
    trial->level = level;
    int *ends = CRM_ARENA_ARRAY(&trial->arena, int, plan->def.contact_count);
    if (ends == NULL) return crm_fail_memory(error, "planned contacts", sizeof *ends);
    crm_draft *draft = &trial->draft;
    crm_arc_ends arcs = crm_planned_arcs(&plan->def, intervals, ends);
    carom_status status = crm_draft_begin(plan->model, &plan->def, intervals, arcs, trial->soft, plan->start,
                                          &trial->arena, draft, error);
    if (status == CAROM_OK)
        status =
            crm_avoided_create(plan->model, &plan->def, intervals, plan->start, &trial->arena, &draft->avoided, error);
    if (status != CAROM_OK) return status;
    return crm_planned_create(plan->model, &plan->def, intervals, &draft->units, plan->start, &trial->arena,
                              &draft->planned, error);
}

carom_status crm_plan_trial_write(crm_plan_trial *trial, carom_error *error) {
    carom_status status = crm_draft_write(&trial->draft, &trial->program, error);
    crm_row_name *names = NULL;
    if (status == CAROM_OK) {
        names = CRM_ARENA_ARRAY(&trial->arena, crm_row_name, trial->draft.names.count);
        if (names == NULL) status = crm_fail_memory(error, "rows of a plan", sizeof *names);
    }
    for (int i = 0; names != NULL && i < trial->draft.names.count; i++) names[i] = trial->draft.names.items[i];
    crm_draft_end(&trial->draft);
    trial->draft.row_name = names;
    return status;
}

double crm_plan_effort(const crm_draft *draft, const double *z) {
    const crm_plan_units *u = &draft->units;
    double sum = 0.0;
    for (int k = 0; k < draft->intervals; k++) {
        double length = u->time * z[draft->scale[draft->arc[k]]] / draft->intervals;
        for (int c = 0; c < draft->def->control_count; c++) {
            const carom_control_def *control = &draft->def->control[c];
            int forces = crm_control_numbers_of(draft->model, control).forces;
            for (int i = 0; i < draft->control_size[c]; i++) {
                double number = z[draft->control[k] + draft->control_offset[c] + i];
                number *= i < forces ? u->force : u->torque;
                sum += length * (i < forces ? control->force_weight : control->torque_weight) * number * number;
            }
        }
    }
    return sum;
}

// ---- the guess

static carom_status path_of_definition(const carom_plan *plan, crm_plan_trial *trial, crm_path *path,
                                       carom_error *error) {
    carom_status status = crm_path_create(&trial->draft, &trial->arena, path, error);
    if (status != CAROM_OK) return status;
    if (trial->start > 0) crm_path_perturb(&trial->draft, plan->def.seed, trial->start, path);
    if (trial->draft.planned != NULL && plan->def.guess != CAROM_GUESS_MOTION)
        status = crm_touches_bend_path(&trial->draft, path, error);
    if (status != CAROM_OK) return status;
    bool goes_round = trial->draft.avoided != NULL && plan->def.guess == CAROM_GUESS_STRAIGHT;
    return goes_round ? crm_planes_bulge_path(&trial->draft, path, error) : CAROM_OK;
}

// Poses of a solved level, at the nodes of this one.
static carom_status path_of_level(const crm_plan_trial *solved, crm_plan_trial *trial, crm_path *path,
                                  carom_error *error) {
    const crm_plan_motion *m = &solved->motion;
    const crm_draft *draft = &trial->draft;
    ptrdiff_t poses = (ptrdiff_t)(m->interval_count + 1) * m->body_count;
    *path = (crm_path){draft->intervals + 1, m->body_count,
                       CRM_ARENA_ZEROED(&trial->arena, crm_motion, (ptrdiff_t)(draft->intervals + 1) * m->body_count)};
    carom_pose *frame = CRM_ARENA_ARRAY(&trial->arena, carom_pose, poses);
    if (path->pose == NULL || frame == NULL)
        return crm_fail_memory(error, "the guess of a plan", sizeof *frame * (size_t)poses);
    for (ptrdiff_t i = 0; i < poses; i++) {
        const crm_body *body = crm_draft_body(draft, (int)(i % m->body_count));
        frame[i].attitude = crm_quat_from_mat3(m->attitude[i]);
        frame[i].position = crm_sub(m->position[i], crm_quat_rotate(frame[i].attitude, body->centre));
    }
    crm_path_resample(draft, m->interval_count + 1, frame, path);
    return CAROM_OK;
}

static carom_status fill(crm_plan_trial *trial, const crm_path *path, double *z, carom_error *error) {
    crm_guess_fill(&trial->draft, &trial->program, path, z);
    carom_status status = CAROM_OK;
    if (trial->draft.planned != NULL) status = crm_touches_fill(&trial->draft, path, z, error);
    if (trial->draft.avoided == NULL || status != CAROM_OK) return status;
    return crm_planes_fill(&trial->draft, path, z, &trial->arena, error);
}

// The effort of the definition's guess, by least norm and by recursion.
static carom_status measure_guess(const carom_plan *plan, crm_plan_trial *trial, const crm_evaluator *evaluator,
                                  carom_error *error) {
    crm_path path;
    double *z = CRM_ARENA_ARRAY(&trial->arena, double, trial->program.unknown_count);
    if (z == NULL) return crm_fail_memory(error, "the guess of a plan", 0);
    carom_status status = path_of_definition(plan, trial, &path, error);
    if (status == CAROM_OK) status = fill(trial, &path, z, error);
    if (status == CAROM_OK) status = crm_guess_least_norm(&trial->draft, evaluator, z, &trial->arena, error);
    if (status != CAROM_OK) return status;
    trial->guess_effort = crm_plan_effort(&trial->draft, z);
    trial->guess = CRM_ARENA_ARRAY(&trial->arena, double, trial->program.unknown_count);
    if (trial->guess == NULL) return crm_fail_memory(error, "the guess of a plan", 0);
    memcpy(trial->guess, z, sizeof *z * (size_t)trial->program.unknown_count);
    status = crm_guess_recursion(&trial->draft, evaluator, z, &trial->arena, error);
    trial->recursion_effort = crm_plan_effort(&trial->draft, z);
    return status;
}

static void copy_numbers(const crm_plan_trial *solved, int32_t from, double *z, int32_t to, int count) {
    for (int i = 0; i < count && from >= 0 && to >= 0; i++) z[to + i] = solved->point.z[from + i];
}

// Controls, time scales and impulses of contacts of a solved level.
static void copy_controls(const crm_plan_trial *solved, const crm_plan_trial *trial, double *z) {
    const crm_draft *from = &solved->draft, *to = &trial->draft;
    for (int i = 0; to->planned != NULL && i < to->planned->count; i++) {
        const crm_planned_contact *old = &from->planned->contact[i], *fresh = &to->planned->contact[i];
        copy_numbers(solved, old->plane, z, fresh->plane, fresh->single ? 3 : 4);
        copy_numbers(solved, old->push_a, z, fresh->push_a, fresh->a->vertex_count);
        copy_numbers(solved, old->push_b, z, fresh->push_b, fresh->b->vertex_count);
        copy_numbers(solved, old->slip, z, fresh->slip, (CRM_PYRAMID + 1) * fresh->b->vertex_count);
    }
    for (int a = 0; a < to->arc_count; a++) z[to->scale[a]] = solved->point.z[from->scale[a]];
    for (int k = 0; k < to->intervals; k++)
        for (int i = 0; i < to->control_numbers; i++)
            z[to->control[k] + i] = solved->point.z[from->control[k * from->intervals / to->intervals] + i];
}

// A plane is needed where bodies come as near as this share of the plan's length, to begin with.
static const double near_share = 0.5;

static carom_status choose_planes(const crm_plan_trial *solved, crm_plan_trial *trial, const crm_path *path,
                                  carom_error *error) {
    crm_avoided *avoided = trial->draft.avoided;
    int fresh;
    if (avoided == NULL) return CAROM_OK;
    bool same = solved != NULL && solved->draft.intervals == trial->draft.intervals;
    for (int i = 0; same && i < avoided->places * avoided->pair_count; i++)
        avoided->plane[i].wanted = solved->draft.avoided->plane[i].wanted;
    if (same) return CAROM_OK;
    return crm_planes_want(&trial->draft, path, near_share * trial->draft.units.length, &trial->arena, &fresh, error);
}

// The program of a level, with the planes that its path needs.
static carom_status lay_out(const carom_plan *plan, const crm_plan_trial *solved, crm_plan_trial *trial, crm_path *path,
                            carom_error *error) {
    carom_status status = crm_plan_trial_begin(plan, trial->level, trial, error);
    if (status == CAROM_OK)
        status =
            solved != NULL ? path_of_level(solved, trial, path, error) : path_of_definition(plan, trial, path, error);
    if (status == CAROM_OK) status = choose_planes(solved, trial, path, error);
    if (status == CAROM_OK && trial->draft.planned != NULL) crm_touches_choose_corners(&trial->draft, path);
    return status == CAROM_OK ? crm_plan_trial_write(trial, error) : status;
}

carom_status crm_plan_trial_lay_out(const carom_plan *plan, int level, crm_plan_trial *trial, carom_error *error) {
    crm_path path;
    trial->level = level;
    return lay_out(plan, NULL, trial, &path, error);
}

static carom_status prepare(const carom_plan *plan, const crm_plan_trial *solved, crm_plan_trial *trial,
                            crm_evaluator *evaluator, carom_error *error) {
    crm_path path;
    carom_status status = lay_out(plan, solved, trial, &path, error);
    if (status == CAROM_OK) status = crm_evaluator_create(&trial->program, &trial->arena, evaluator, error);
    if (status == CAROM_OK) status = crm_program_point_create(&trial->program, &trial->arena, &trial->point, error);
    if (status == CAROM_OK) status = fill(trial, &path, trial->point.z, error);
    if (status == CAROM_OK && solved == NULL)
        status = crm_guess_least_norm(&trial->draft, evaluator, trial->point.z, &trial->arena, error);
    if (status == CAROM_OK && solved != NULL) copy_controls(solved, trial, trial->point.z);
    return status;
}

// ---- the solution

typedef struct listener {
    const carom_plan *plan;
    const crm_plan_trial *trial;
    carom_plan_progress_function *progress;
    void *user;
} listener;

static bool tell(void *user, int iteration, double objective, double violation, double optimality, double barrier) {
    const listener *l = user;
    if (l->progress == NULL) return true;
    carom_plan_progress p = {.start = l->trial->start,
                             .starts = l->plan->def.starts,
                             .level = l->trial->level,
                             .levels = l->plan->def.levels,
                             .iteration = iteration,
                             .objective = objective * l->trial->draft.units.effort,
                             .violation = violation,
                             .optimality = optimality,
                             .barrier = barrier};
    return l->progress(l->user, &p);
}

static carom_plan_outcome outcome_of(const crm_program_result *result) {
    switch (result->outcome) {
    case CRM_PROGRAM_SOLVED:
        return result->inertia_right ? CAROM_PLAN_SOLVED : CAROM_PLAN_FEASIBLE;
    case CRM_PROGRAM_FEASIBLE:
        return CAROM_PLAN_FEASIBLE;
    case CRM_PROGRAM_INFEASIBLE:
        return CAROM_PLAN_IMPOSSIBLE;
    default:
        return CAROM_PLAN_STUCK;
    }
}

static carom_status say_interrupted(const crm_plan_trial *trial, carom_error *error) {
    return crm_fail(error, CAROM_ERR_INTERRUPTED, "the plan was ended in level %d of start %d", trial->level,
                    trial->start);
}

// Products of contacts, looser and looser ones first: at each of them where the last one ended.
static const double product_bound[] = {1e-1, 1e-2, 1e-3, 1e-5, 1e-7, 1e-9};

static carom_status solve_program(const carom_plan *plan, bool resumed, listener *l, crm_plan_trial *trial,
                                  carom_error *error) {
    crm_program_settings settings = {.tolerance = plan->def.tolerance,
                                     .iteration_limit = MOST_ITERATIONS,
                                     .barrier = resumed ? resumed_barrier : 0.0};
    bool choices = crm_planned_has_choices(trial->draft.planned);
    int rounds = choices ? (int)(sizeof product_bound / sizeof product_bound[0]) : 1, iterations = 0;
    double seconds = 0.0;
    for (int i = 0; i < rounds; i++) {
        if (choices) crm_planned_relax(trial->draft.planned, product_bound[i], &trial->program);
        if (i > 0) settings.warm = true, settings.barrier = fmax(1e-9, 0.1 * product_bound[i]);
        carom_status status = crm_solve_program_by_ipopt(&trial->program, &settings, tell, l, &trial->point,
                                                         &trial->result, &trial->arena, error);
        trial->result.iterations = iterations += trial->result.iterations;
        trial->result.seconds = seconds += trial->result.seconds;
        if (status != CAROM_OK) return status;
        if (trial->result.outcome == CRM_PROGRAM_INTERRUPTED) return say_interrupted(trial, error);
        if (trial->result.outcome != CRM_PROGRAM_SOLVED && trial->result.outcome != CRM_PROGRAM_FEASIBLE) break;
    }
    return CAROM_OK;
}

carom_status crm_plan_solve_elastic(const carom_plan *plan, const crm_program *program, int iteration_limit,
                                    carom_plan_progress_function *progress, void *user, crm_plan_trial *trial,
                                    crm_program_point *point, crm_program_result *result, carom_error *error) {
    const crm_program_settings settings = {.tolerance = plan->def.tolerance, .iteration_limit = iteration_limit};
    listener l = {plan, trial, progress, user};
    carom_status status = crm_solve_program_by_ipopt(program, &settings, tell, &l, point, result, &trial->arena, error);
    if (status != CAROM_OK) return status;
    return result->outcome == CRM_PROGRAM_INTERRUPTED ? say_interrupted(trial, error) : CAROM_OK;
}

carom_status crm_plan_trial_read(crm_plan_trial *trial, carom_error *error) {
    carom_status status =
        crm_plan_motion_read(&trial->draft, trial->point.z, &trial->arena, &trial->motion, &trial->nodes, error);
    trial->made = status == CAROM_OK;
    return status;
}

// Planes that the solved motion needs and that were left out.
static carom_status find_missing_planes(crm_plan_trial *trial, carom_error *error) {
    crm_path path;
    trial->missing_planes = 0;
    if (trial->draft.avoided == NULL || !crm_plan_keeps_rows(trial)) return CAROM_OK;
    carom_status status = path_of_level(trial, trial, &path, error);
    if (status != CAROM_OK) return status;
    return crm_planes_want(&trial->draft, &path, 0.0, &trial->arena, &trial->missing_planes, error);
}

// What the solver has left at the trial's point.
static carom_status finish(crm_plan_trial *trial, carom_error *error) {
    carom_status status = crm_plan_trial_read(trial, error);
    if (status != CAROM_OK) return status;
    trial->effort = crm_plan_effort(&trial->draft, trial->point.z);
    trial->outcome = outcome_of(&trial->result);
    return find_missing_planes(trial, error);
}

carom_status crm_plan_trial_solve(const carom_plan *plan, const crm_plan_trial *solved,
                                  carom_plan_progress_function *progress, void *user, crm_plan_trial *trial,
                                  carom_error *error) {
    crm_evaluator evaluator;
    carom_status status = prepare(plan, solved, trial, &evaluator, error);
    if (status == CAROM_OK && trial->level == plan->def.levels - 1)
        status = measure_guess(plan, trial, &evaluator, error);
    if (status != CAROM_OK) return status;
    listener l = {plan, trial, progress, user};
    status = solve_program(plan, solved != NULL, &l, trial, error);
    return status == CAROM_OK ? finish(trial, error) : status;
}

carom_status crm_plan_trial_go_on(const carom_plan *plan, const crm_plan_trial *from, crm_plan_trial *trial,
                                  carom_error *error) {
    crm_evaluator evaluator;
    return prepare(plan, from, trial, &evaluator, error);
}

carom_status crm_plan_trial_again(const carom_plan *plan, carom_plan_progress_function *progress, void *user,
                                  crm_plan_trial *trial, carom_error *error) {
    listener l = {plan, trial, progress, user};
    carom_status status = solve_program(plan, true, &l, trial, error);
    return status == CAROM_OK ? finish(trial, error) : status;
}
