// SPDX-License-Identifier: MIT
// The extreme ones of all optimal weights.
#ifndef CRM_DISTANCE_OPTIMAL_WEIGHTS_H
#define CRM_DISTANCE_OPTIMAL_WEIGHTS_H

#include "distance/ties/least_weights.h"

// Of the vertices of both sides on a face that is pierced. Sets the weightings of `out`.
void crm_list_weightings(const crm_side *a, const crm_side *b, const crm_pierced_face *face, carom_ray_optima *out);

#endif
