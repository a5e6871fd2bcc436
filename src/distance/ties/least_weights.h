// SPDX-License-Identifier: MIT
// The nonnegative weights of least sum of squares on the vertices of a pierced face.
#ifndef CRM_DISTANCE_LEAST_WEIGHTS_H
#define CRM_DISTANCE_LEAST_WEIGHTS_H

#include "distance/ties/pierced_face.h"

// One side's part: a vertex weighs max(0, level + slope.(its arm in the face)), one off the face nothing.
typedef struct crm_weighting {
    const crm_side *side;
    carom_vec3 anchor;      // frame of the view
    int dimension;          // of the face
    carom_vec3 axis[3];     // those of the face, frame of the view
    double off_plane;       // how far off the face a vertex may lie, m
    double level, slope[2]; // slope: per metre, of A and B opposite
    int vertex_count;       // on the face
    int span;               // dimensions that they span
    carom_vec3 mean;        // of the vertices, weighted, in the face; frame of the view
} crm_weighting;

// Both sides' weights. `touch` may be NULL; otherwise both touches get them, and `mean` their means. False, with
// nothing but vertex_count and span to be read and the touches left alone, when the search does not end: where vertices
// line up to 1e-8 but not to rounding, in one of 10,000 near ties made for it.
bool crm_find_least_weights(const crm_side *a, const crm_side *b, const crm_pierced_face *face, crm_weighting out[2],
                            carom_touch *const touch[2]);

double crm_weight_of(const crm_weighting *weighting, int vertex);

// One side's part of a face, without weights: `number` is 0 for A and 1 for B.
void crm_weighting_begin(const crm_side *side, const crm_pierced_face *face, int number, crm_weighting *out);
// Where a vertex lies in the face, from the anchor along its axes, m; false for a vertex off it.
bool crm_arm_in_face(const crm_weighting *weighting, int vertex, double *x, double *y);

#endif
