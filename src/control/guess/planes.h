// SPDX-License-Identifier: MIT
// Planes between bodies of a path: where one is needed, and which.
#ifndef CRM_CONTROL_PLANES_H
#define CRM_CONTROL_PLANES_H

#include "control/guess/guess.h"
#include "control/rows/touch/avoid.h"

// Wants those planes beside which the parts come nearer to each other than `beyond` more than the margin, m: of their
// hulls over the nodes, bulges counted. How many were not wanted before.
carom_status crm_planes_want(crm_draft *draft, const crm_path *path, double beyond, crm_arena *arena, int *fresh,
                             carom_error *error);

// Unknowns of the active planes and bulges at z. Planes are midway between the hulls.
carom_status crm_planes_fill(const crm_draft *draft, const crm_path *path, double *z, crm_arena *arena,
                             carom_error *error);

// Bodies of a straight path that overlap on the way go round each other: along the line of their centres, there and
// back again.
carom_status crm_planes_bulge_path(const crm_draft *draft, crm_path *path, carom_error *error);

#endif
