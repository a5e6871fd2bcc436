// SPDX-License-Identifier: MIT
// A plan on its way: definitions checked and kept, levels and starts solved one after the other, the best one read
// back.
//
// The room plan/: the calls of carom/plan.h. plan_check.c refuses, plan_create.c keeps, plan_trial.c solves one level
// of one start, plan_solve.c goes through all of them, plan_reason.c says why not, plan_results.c tells, plan_data.c
// all of it as data, plan_saved.c keeps what is finished.
#ifndef CRM_CONTROL_PLAN_SOLVE_H
#define CRM_CONTROL_PLAN_SOLVE_H

#include "control/certificate/certify_plan.h"
#include "control/guess/guess.h"
#include "control/motion/motion_read.h"

enum { CRM_PLAN_REASON = 512 };

// One level of one start. Memory is its own.
typedef struct crm_plan_trial {
    crm_arena arena;
    bool made; // there is something in it
    int start, level;
    bool soft; // its ends are rows that may be broken
    crm_draft draft;
    crm_program program;
    crm_program_point point;
    crm_program_result result;
    crm_plan_motion motion;
    crm_node_momenta nodes;
    carom_plan_outcome outcome;
    int missing_planes;                            // that the motion needs; wanted in another solution
    double effort, guess_effort, recursion_effort; // N^2 s
    double *guess;                                 // of the definition, by least norm; NULL but at the last level
    char reason[CRM_PLAN_REASON];
} crm_plan_trial;

struct carom_plan {
    crm_arena arena; // the definition and what belongs to it
    const carom_model *model;
    carom_plan_def def;
    crm_motion *start; // of the scene, joints closed (body_count)
    carom_plan_extent extent;
    int next_start, next_level;
    crm_plan_trial last, best; // of the present start the last level; of all starts the best last level
    double coarse_effort;      // of the level before the best one, NAN without one
    CRM_ARRAY(carom_plan_solve) solves;
    carom_plan_certificate certificate;
    bool certified;
    crm_arena proof;            // of the findings
    crm_plan_findings findings; // of the best one, where it keeps its rows
    crm_arena told;             // of what was told last
};

// Refuses what cannot be planned, with a sentence. `def` has its defaults filled in.
carom_status crm_plan_check(const carom_model *model, const carom_plan_def *def, carom_error *error);

static inline int crm_plan_intervals_of(const carom_plan *plan, int level) {
    return plan->def.intervals >> (plan->def.levels - 1 - level);
}

// The unknowns of a level; then its program.
carom_status crm_plan_trial_begin(const carom_plan *plan, int level, crm_plan_trial *trial, carom_error *error);
carom_status crm_plan_trial_write(crm_plan_trial *trial, carom_error *error);
// Both, with the planes that the definition's guess needs.
carom_status crm_plan_trial_lay_out(const carom_plan *plan, int level, crm_plan_trial *trial, carom_error *error);
// Solves it, of a trial that has start and level alone: from the guess, or from what was solved before (NULL: nothing),
// a coarser level or the same one with fewer planes.
carom_status crm_plan_trial_solve(const carom_plan *plan, const crm_plan_trial *solved,
                                  carom_plan_progress_function *progress, void *user, crm_plan_trial *trial,
                                  carom_error *error);
void crm_plan_trial_free(crm_plan_trial *trial);
// The program of a trial that has start, level and `soft`, and the point at which it goes on from another one.
carom_status crm_plan_trial_go_on(const carom_plan *plan, const crm_plan_trial *from, crm_plan_trial *trial,
                                  carom_error *error);
// Solves a trial from the point that it has.
carom_status crm_plan_trial_again(const carom_plan *plan, carom_plan_progress_function *progress, void *user,
                                  crm_plan_trial *trial, carom_error *error);
// Solves an elastic form of a trial's program.
carom_status crm_plan_solve_elastic(const carom_plan *plan, const crm_program *program, int iteration_limit,
                                    carom_plan_progress_function *progress, void *user, crm_plan_trial *trial,
                                    crm_program_point *point, crm_program_result *result, carom_error *error);

// Reads the motion of the point that a trial has.
carom_status crm_plan_trial_read(crm_plan_trial *trial, carom_error *error);
// Of the best trial, when all are solved.
carom_status crm_plan_certify(carom_plan *plan, carom_error *error);

static inline bool crm_plan_keeps_rows(const crm_plan_trial *trial) {
    return trial->outcome == CAROM_PLAN_SOLVED || trial->outcome == CAROM_PLAN_FEASIBLE;
}

// The effort of the controls of a point, N^2 s.
double crm_plan_effort(const crm_draft *draft, const double *z);

// Fills the reason of a trial that is neither solved nor feasible. `*possible`: a motion that keeps all rows was found
// on the way, which is the trial's point now.
carom_status crm_plan_find_reason(const carom_plan *plan, carom_plan_progress_function *progress, void *user,
                                  crm_plan_trial *failed, bool *possible, carom_error *error);

#endif
