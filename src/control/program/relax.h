// SPDX-License-Identifier: MIT
// An elastic program: some rows and bounds may be broken, and what is to have least is by how much.
#ifndef CRM_CONTROL_RELAX_H
#define CRM_CONTROL_RELAX_H

#include "control/program/program.h"

typedef struct crm_relaxed {
    crm_program program;    // unknowns and rows of the original come first
    int32_t *row_slack;     // by row: how far it is below its lower bound, then above its upper one; -1: it is kept
    int32_t *unknown_slack; // by unknown: likewise
} crm_relaxed;

// Minimises the sum of all slacks, and `share` of the original objective beside it. Fixed unknowns stay fixed.
carom_status crm_program_relax(const crm_program *program, const bool *soft_row, const bool *soft_unknown, double share,
                               crm_arena *arena, crm_relaxed *out, carom_error *error);

#endif
