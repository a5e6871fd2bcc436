// SPDX-License-Identifier: MIT
// Where a phase begins: unknowns inside their bounds, multipliers.
#ifndef CRM_CONTROL_START_H
#define CRM_CONTROL_START_H

#include "control/solver/interior/phase.h"

// From a point of the program. Cold: pushed well inside, multipliers of bounds 1, of rows by least squares. Warm: pushed
// by as little as mu allows, with the point's multipliers. False where the program cannot be evaluated there.
carom_status crm_start_phase(crm_phase *phase, const crm_program_point *point, bool warm, bool *evaluated,
                             carom_error *error);

// Multipliers of rows that make the Lagrangian's gradient least at `at` (WB (36)); zeros where these are beyond
// `largest`.
carom_status crm_start_multipliers(crm_phase *phase, double largest, carom_error *error);

#endif
