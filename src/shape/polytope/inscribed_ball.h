// SPDX-License-Identifier: MIT
// The largest ball in a set of half-spaces: an interior point with room around it.
#ifndef CRM_SHAPE_INSCRIBED_BALL_H
#define CRM_SHAPE_INSCRIBED_BALL_H

#include <stdbool.h>

#include "carom/types.h"

typedef struct crm_ball {
    carom_vec3 centre;
    double radius; // negative: by how much every point misses some half-space
    bool endless;  // no largest ball within `bound` of the origin: the set is unbounded
} crm_ball;

// Half-spaces normal_i.y <= offset_i with unit normals. Nearly the largest ball: good enough to look from, with a
// radius that is true of the centre given.
crm_ball crm_inscribed_ball(int count, const carom_vec3 *normal, const double *offset, double bound);

#endif
