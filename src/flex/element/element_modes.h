// SPDX-License-Identifier: MIT
// The lowest natural rates of a flexible body.
#ifndef CRM_FLEX_ELEMENT_MODES_H
#define CRM_FLEX_ELEMENT_MODES_H

#include "flex/element/element.h"

// The lowest `count` natural rates above zero, rad/s, ascending, at these positions, `held` nodes left out; `zeros`
// receives how many are zero. Memory from `scratch` stays taken.
carom_status crm_elastic_modes(const crm_elastic *elastic, crm_node_view position, const bool *held, int count,
                               crm_arena *scratch, int *zeros, double *rates, carom_error *error);

#endif
