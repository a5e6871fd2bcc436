// SPDX-License-Identifier: MIT
// One level of one start: laid out, guessed, solved, read back.
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "control/motion/control_wrench.h"
#include "control/plan/plan_solve.h"
#include "control/rows/plan_pieces.h"

enum { MOST_ITERATIONS = 3000 };
// Where the solution of a coarser level begins: near, but not at the active rows.
static const double resumed_barrier = 1e-3;

void crm_plan_trial_free(crm_plan_trial *trial) {
    crm_arena_free(&trial->arena);
    *trial = (crm_plan_trial){.made = false};
}

carom_status crm_plan_trial_lay_out(const carom_plan *plan, int level, crm_plan_trial *trial, carom_error *error) {
    crm_arena_init(&trial->arena, &plan->arena.allocator);
    trial->level = level;
    carom_status status = crm_draft_begin(plan->model, &plan->def, crm_plan_intervals_of(plan, level),
                                          (crm_arc_ends){0}, plan->start, &trial->arena, &trial->draft, error);
    if (status == CAROM_OK) status = crm_draft_write(&trial->draft, &trial->program, error);
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
    double sum = 0.0, metres = draft->units.torque / draft->units.force;
    for (int k = 0; k < draft->intervals; k++) {
        double length = z[draft->scale[draft->arc[k]]] / draft->intervals;
        for (int c = 0; c < draft->def->control_count; c++) {
            const carom_control_def *control = &draft->def->control[c];
            int forces = crm_control_numbers_of(draft->model, control).forces;
            for (int i = 0; i < draft->control_size[c]; i++) {
                double u = z[draft->control[k] + draft->control_offset[c] + i];
                double weight = i < forces ? control->force_weight : control->torque_weight * metres * metres;
                sum += length * weight * u * u;
            }
        }
    }
    return sum * draft->units.effort;
}

// ---- the guess

static carom_status guess_anew(crm_plan_trial *trial, const crm_evaluator *evaluator, uint64_t seed, double *z,
                               carom_error *error) {
    crm_path path;
    carom_status status = crm_path_create(&trial->draft, &trial->arena, &path, error);
    if (status != CAROM_OK) return status;
    if (trial->start > 0) crm_path_perturb(&trial->draft, seed, trial->start, &path);
    crm_guess_fill(&trial->draft, &trial->program, &path, z);
    return crm_guess_least_norm(&trial->draft, evaluator, z, &trial->arena, error);
}

// The effort of the definition's guess, by least norm and by recursion.
static carom_status measure_guess(crm_plan_trial *trial, const crm_evaluator *evaluator, uint64_t seed,
                                  carom_error *error) {
    double *z = CRM_ARENA_ARRAY(&trial->arena, double, trial->program.unknown_count);
    if (z == NULL) return crm_fail_memory(error, "the guess of a plan", 0);
    carom_status status = guess_anew(trial, evaluator, seed, z, error);
    if (status != CAROM_OK) return status;
    trial->guess_effort = crm_plan_effort(&trial->draft, z);
    trial->guess = CRM_ARENA_ARRAY(&trial->arena, double, trial->program.unknown_count);
    if (trial->guess == NULL) return crm_fail_memory(error, "the guess of a plan", 0);
    memcpy(trial->guess, z, sizeof *z * (size_t)trial->program.unknown_count);
    status = crm_guess_recursion(&trial->draft, evaluator, z, &trial->arena, error);
    trial->recursion_effort = crm_plan_effort(&trial->draft, z);
    return status;
}

// Poses, controls and time scales of the level before.
static carom_status guess_from(const crm_plan_trial *coarse, crm_plan_trial *trial, double *z, carom_error *error) {
    const crm_plan_motion *m = &coarse->motion;
    crm_draft *draft = &trial->draft;
    crm_path path = {draft->intervals + 1, m->body_count,
                     CRM_ARENA_ZEROED(&trial->arena, crm_motion, (ptrdiff_t)(draft->intervals + 1) * m->body_count)};
    ptrdiff_t poses = (ptrdiff_t)(m->interval_count + 1) * m->body_count;
    carom_pose *frame = CRM_ARENA_ARRAY(&trial->arena, carom_pose, poses);
    if (path.pose == NULL || frame == NULL)
        return crm_fail_memory(error, "the guess of a plan", sizeof *frame * (size_t)poses);
    for (ptrdiff_t i = 0; i < poses; i++) {
        const crm_body *body = crm_draft_body(draft, (int)(i % m->body_count));
        frame[i].attitude = crm_quat_from_mat3(m->attitude[i]);
        frame[i].position = crm_sub(m->position[i], crm_quat_rotate(frame[i].attitude, body->centre));
    }
    crm_path_resample(draft, m->interval_count + 1, frame, &path);
    crm_guess_fill(draft, &trial->program, &path, z);
    for (int a = 0; a < draft->arc_count; a++) z[draft->scale[a]] = coarse->point.z[coarse->draft.scale[a]];
    for (int k = 0; k < draft->intervals; k++)
        for (int i = 0; i < draft->control_numbers; i++)
            z[draft->control[k] + i] =
                coarse->point.z[coarse->draft.control[k * coarse->draft.intervals / draft->intervals] + i];
    return CAROM_OK;
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

carom_status crm_plan_trial_read(crm_plan_trial *trial, carom_error *error) {
    carom_status status =
        crm_plan_motion_read(&trial->draft, trial->point.z, &trial->arena, &trial->motion, &trial->nodes, error);
    trial->made = status == CAROM_OK;
    return status;
}

carom_status crm_plan_trial_solve(const carom_plan *plan, const crm_plan_trial *coarse,
                                  carom_plan_progress_function *progress, void *user, crm_plan_trial *trial,
                                  carom_error *error) {
    crm_evaluator evaluator;
    crm_arena *arena = &trial->arena;
    carom_status status = crm_evaluator_create(&trial->program, arena, &evaluator, error);
    if (status == CAROM_OK) status = crm_program_point_create(&trial->program, arena, &trial->point, error);
    if (status == CAROM_OK && trial->level == plan->def.levels - 1)
        status = measure_guess(trial, &evaluator, plan->def.seed, error);
    if (status == CAROM_OK)
        status = coarse != NULL ? guess_from(coarse, trial, trial->point.z, error)
                                : guess_anew(trial, &evaluator, plan->def.seed, trial->point.z, error);
    if (status != CAROM_OK) return status;
    crm_program_settings settings = {.tolerance = plan->def.tolerance,
                                     .iteration_limit = MOST_ITERATIONS,
                                     .barrier = coarse != NULL ? resumed_barrier : 0.0};
    listener l = {plan, trial, progress, user};
    status =
        crm_solve_program_by_ipopt(&trial->program, &settings, tell, &l, &trial->point, &trial->result, arena, error);
    if (status == CAROM_OK && trial->result.outcome == CRM_PROGRAM_INTERRUPTED)
        return crm_fail(error, CAROM_ERR_INTERRUPTED, "the plan was ended in level %d of start %d", trial->level,
                        trial->start);
    if (status == CAROM_OK) status = crm_plan_trial_read(trial, error);
    if (status != CAROM_OK) return status;
    trial->effort = crm_plan_effort(&trial->draft, trial->point.z);
    trial->outcome = outcome_of(&trial->result);
    crm_plan_find_reason(trial);
    return CAROM_OK;
}
