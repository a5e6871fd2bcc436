// SPDX-License-Identifier: MIT
// The corners of the polygon of all optimal alphas.
#ifndef CRM_DISTANCE_OPTIMAL_ALPHAS_H
#define CRM_DISTANCE_OPTIMAL_ALPHAS_H

#include "distance/ties/pierced_face.h"

// From one optimal `alpha` and the face that is pierced with it; sharp sides only. Sets the alphas of `out`.
void crm_list_alphas(const crm_side *a, const crm_side *b, carom_vec3 beta, carom_vec3 alpha,
                     const crm_pierced_face *face, carom_ray_optima *out);

#endif
