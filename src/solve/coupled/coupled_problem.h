// SPDX-License-Identifier: MIT
// A problem of CAROM_FORM_BODIES some of whose nodes are coupled, in terms of its impulses alone, and back.
#ifndef CRM_SOLVE_COUPLED_PROBLEM_H
#define CRM_SOLVE_COUPLED_PROBLEM_H

#include "carom/solve.h"
#include "solve/coupled/coupled_mass.h"
#include "solve/problem.h"

// Which nodes of the problem are nodes of the mass; all others have their own alone.
typedef struct crm_coupled_nodes {
    const crm_coupled_mass *mass;
    const int *node_of;   // of the problem: node of the mass, or -1 (node_count)
    const int *component; // of a node of the mass: nodes of one component, and they alone, have the same number, below
                          // scalar_count
    const int *start;     // of a node of the mass: its first scalar
    int scalar_count;     // of the mass
} crm_coupled_nodes;

// Factors the mass of the problem's couplings from nothing. CAROM_ERR_BAD_INPUT: it is not positive definite. The
// arrays of `out` live in the arena.
carom_status crm_coupled_nodes_make(const carom_problem *problem, crm_coupled_mass *mass, crm_arena *arena,
                                    crm_coupled_nodes *out, carom_error *error);

// The same problem as CAROM_FORM_DELASSUS, in the arena. The mass learns which of its nodes are touched.
carom_status crm_coupled_reduce(const carom_problem *problem, const crm_layout *layout, const crm_coupled_nodes *nodes,
                                crm_coupled_mass *mass, crm_arena *arena, carom_problem *out, carom_error *error);

// v = v_free + M^-1 H r of all nodes. False: no memory.
bool crm_coupled_velocities(const carom_problem *problem, const crm_layout *layout, const crm_coupled_nodes *nodes,
                            const double *impulse, crm_arena *scratch, double *velocity);

#endif
