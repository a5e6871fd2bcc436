// SPDX-License-Identifier: MIT
// One impact of a run.
#ifndef CRM_STEP_IMPULSE_LIMIT_H
#define CRM_STEP_IMPULSE_LIMIT_H

#include "carom/impact.h"

// As carom_impact_resolve, with no more restitution than keeps the energy; *limited: it is less than was asked for.
carom_status crm_impact_resolve_limited(const carom_impact *impact, carom_impact_law law, carom_impact_result *result,
                                        bool *limited, carom_error *error);

#endif
