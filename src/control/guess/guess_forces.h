// SPDX-License-Identifier: MIT
// Balances of nodes and the unknowns that they are solved for when poses are given.
#ifndef CRM_CONTROL_GUESS_FORCES_H
#define CRM_CONTROL_GUESS_FORCES_H

#include "control/guess/guess.h"

enum { CRM_FORCE_NONE, CRM_FORCE_CONTROL, CRM_FORCE_IMPULSE };

typedef struct crm_force_rows {
    int nodes;
    int *start, *row; // balances by node: row[start[node]] .. (nodes + 1)
    uint8_t *force;   // by unknown: what it is; those that are fixed are none (unknown_count)
} crm_force_rows;

carom_status crm_force_rows_find(const crm_draft *draft, const crm_program *program, crm_arena *arena,
                                 crm_force_rows *out, carom_error *error);

#endif
