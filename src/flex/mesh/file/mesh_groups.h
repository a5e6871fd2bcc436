// SPDX-License-Identifier: MIT
// The groups of a file as sets of nodes.
#ifndef CRM_FLEX_MESH_GROUPS_H
#define CRM_FLEX_MESH_GROUPS_H

#include "flex/mesh/file/mesh_draft.h"

// Fills in the groups, members and links of `input`, whose elements are there. `part_node` has the nodes of the draft's
// parts, -1 for those that are left out. False without memory.
bool crm_mesh_find_groups(const crm_mesh_draft *draft, const int32_t *part_node, crm_arena *scratch,
                          crm_mesh_input *input);

#endif
