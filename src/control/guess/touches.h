// SPDX-License-Identifier: MIT
// Planned contacts of a path: bodies are moved together where they shall touch, and get impulses to begin with.
#ifndef CRM_CONTROL_TOUCHES_H
#define CRM_CONTROL_TOUCHES_H

#include "control/guess/guess.h"
#include "control/rows/touch/planned_contacts.h"

// Moves bodies along the normal of their gap at the nodes of contacts, and less and less towards the nodes of the next
// ones and the ends.
carom_status crm_touches_bend_path(const crm_draft *draft, crm_path *path, carom_error *error);

// The corners that stick are those which are lowest on the path. Before the program is written.
void crm_touches_choose_corners(crm_draft *draft, const crm_path *path);

// Planes, twists and impulses of contacts at z, whose poses and momenta are there.
carom_status crm_touches_fill(const crm_draft *draft, const crm_path *path, double *z, carom_error *error);

#endif
