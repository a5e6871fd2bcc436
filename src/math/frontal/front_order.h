// SPDX-License-Identifier: MIT
// The order in which groups are eliminated: by stages, and within a stage by least degree of what is then left of the
// graph, in scalars.
//
// Least degree alone looks one step ahead. Where it is known that much is local (an unknown of an interval touches both
// its nodes and no other), what is local goes first, though it has more neighbours than what it hangs on: the rest stays
// as narrow as it is in truth.
#ifndef CRM_MATH_FRONT_ORDER_H
#define CRM_MATH_FRONT_ORDER_H

#include "math/block/block_order.h"

// `stage` of each group, 0 and up, the lower ones go first; `weight`: its scalars. `order` gets the groups. `scratch` is
// used, not released.
carom_status crm_front_order(int groups, const crm_block_adjacency *adjacency, const int *weight, const int *stage,
                             crm_arena *scratch, int *order, carom_error *error);

#endif
