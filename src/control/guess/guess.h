// SPDX-License-Identifier: MIT
// Where the search for a plan begins.
//
// The room guess/: a draft with its program enters, a point of the program leaves. guess_path.c has the poses of all
// bodies at all nodes, fill.c what follows from them, least_norm.c and recursion.c controls that make them.
#ifndef CRM_CONTROL_GUESS_H
#define CRM_CONTROL_GUESS_H

#include "control/rows/draft.h"
#include "control/solver/program_solver.h"

// Poses of all bodies at all nodes, SI, centres of mass and principal axes: [node * body_count + body].
typedef struct crm_path {
    int nodes, bodies;
    crm_motion *pose;
} crm_path;

static inline crm_motion *crm_path_at(const crm_path *path, int node, int body) {
    return &path->pose[node * path->bodies + body];
}

// As the definition of the plan asks for.
carom_status crm_path_create(const crm_draft *draft, crm_arena *arena, crm_path *path, carom_error *error);
// Of given poses of body frames, frames evenly spaced in time, each of all bodies.
void crm_path_resample(const crm_draft *draft, int frame_count, const carom_pose *frame, crm_path *path);

// Another beginning than the given one, for start > 0.
void crm_path_perturb(const crm_draft *draft, uint64_t seed, int start, crm_path *path);

// Fills poses, and all that they determine: momenta, places and forces of potentials, time scales of 1, velocities of
// bodies that move together. Controls and impulses become 0.
void crm_guess_fill(const crm_draft *draft, const crm_program *program, const crm_path *path, double *z);

// The controls and impulses of least norm in all balances (by least squares where there are none), cut to their bounds.
carom_status crm_guess_least_norm(const crm_draft *draft, const crm_evaluator *evaluator, double *z, crm_arena *arena,
                                  carom_error *error);
// Those of the document: none in the first interval, then node by node what the balance there still needs. Not cut.
// docs/math.md 16.7.
carom_status crm_guess_recursion(const crm_draft *draft, const crm_evaluator *evaluator, double *z, crm_arena *arena,
                                 carom_error *error);

#endif
