// SPDX-License-Identifier: MIT
// The weight of any vertex of a ray's witness, also where a touch cannot list them all.
#ifndef CRM_DISTANCE_RAY_WEIGHTS_H
#define CRM_DISTANCE_RAY_WEIGHTS_H

#include "distance/ties/least_weights.h"

typedef struct crm_ray_weights {
    crm_side side[2]; // of a half-space nothing but vertex_count, which is 0
    const carom_touch *touch[2];
    bool listed; // by the touches; otherwise `weighting` counts
    crm_weighting weighting[2];
} crm_ray_weights;

// Of a witness of these views; both must outlive the result, which must not be copied.
void crm_ray_weights_of(const carom_view *a, const carom_view *b, const carom_ray_witness *ray, crm_ray_weights *out);

// The face of the cores that was pierced, from what the witness tells; `alpha` is the shortest of those that are
// optimal, of round pairs their normal. Not for half-spaces.
crm_pierced_face crm_face_of_ray(const crm_ray_weights *weights, const carom_ray_witness *ray, carom_vec3 *alpha);

// Of a vertex of A (side 0) or B (side 1).
double crm_ray_weight(const crm_ray_weights *weights, int side, int vertex);

#endif
