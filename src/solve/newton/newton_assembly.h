// SPDX-License-Identifier: MIT
// Patterns and numbers of the factored matrices of newton_system.h; nobody else needs them.
#ifndef CRM_SOLVE_NEWTON_ASSEMBLY_H
#define CRM_SOLVE_NEWTON_ASSEMBLY_H

#include "solve/newton/newton_system.h"

// The graph of the form, its symbolic analysis and the memory of matrix and factor.
carom_status crm_newton_analyse(crm_newton_system *system, carom_interrupt interrupt, crm_arena *arena,
                                crm_arena *scratch, carom_error *error);

// W in the present scale, DELASSUS only.
void crm_newton_fill_delassus(crm_newton_system *system);

// The matrix of the present blocks.
void crm_newton_assemble(crm_newton_system *system);

#endif
