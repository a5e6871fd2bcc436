// SPDX-License-Identifier: MIT
// K x = w^2 M x with lumped masses, as the symmetric problem of M^-1/2 K M^-1/2.
#ifndef CRM_FLEX_ELEMENT_RATES_H
#define CRM_FLEX_ELEMENT_RATES_H

#include "flex/element/element.h"

// M^-1/2 K M^-1/2 at these positions, rows and columns of `held` nodes (may be NULL) zero; memory from `arena`.
carom_status crm_elastic_scaled_stiffness(const crm_elastic *elastic, crm_node_view position, const bool *held,
                                          crm_arena *arena, crm_block_matrix *out, carom_error *error);

// Numbers between -1 and 1, the same for the same seed, 0 at held nodes.
void crm_elastic_random_vector(const crm_elastic *elastic, const bool *held, unsigned seed, double *out);

#endif
