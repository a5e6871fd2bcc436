// SPDX-License-Identifier: MIT
// One iteration of a phase, whichever it is.
#ifndef CRM_CONTROL_DRIVE_H
#define CRM_CONTROL_DRIVE_H

#include "control/solver/interior/search.h"

typedef struct crm_drive {
    crm_phase *phase;
    crm_search search;
    double tolerance;
} crm_drive;

typedef enum crm_drive_outcome {
    CRM_DRIVE_MOVED,
    CRM_DRIVE_SOLVED, // to the tolerance
    CRM_DRIVE_NO_STEP, // no regularization gives one, or no share of it is acceptable
    CRM_DRIVE_AT_END, // steps are rounding, mu is least
} crm_drive_outcome;

// Begins at phase->at with phase->mu.
crm_drive crm_drive_begin(crm_phase *phase, double tolerance);

carom_status crm_drive_on(crm_drive *drive, crm_drive_outcome *outcome, carom_error *error);

#endif
