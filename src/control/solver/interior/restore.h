// SPDX-License-Identifier: MIT
// Restoration: when no step is acceptable, a place of less violation near by (WB, section 3.3).
#ifndef CRM_CONTROL_RESTORE_H
#define CRM_CONTROL_RESTORE_H

#include "control/solver/interior/drive.h"

typedef enum crm_restore_outcome {
    CRM_RESTORE_FOUND,      // main.at is acceptable to the filter, with fresh multipliers
    CRM_RESTORE_INFEASIBLE, // a place of least violation, which is not 0: main.at, with the multipliers of that problem
    CRM_RESTORE_FAILED,
    CRM_RESTORE_ENDED, // by the callback
} crm_restore_outcome;

// Called after every iteration; false ends it.
typedef bool crm_restore_callback(void *user, const crm_phase *elastic);

carom_status crm_restore(crm_phase *main, crm_phase *elastic, double tolerance, crm_restore_callback *callback,
                         void *user, crm_restore_outcome *outcome, carom_error *error);

#endif
