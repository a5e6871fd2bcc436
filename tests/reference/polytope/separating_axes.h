// SPDX-License-Identifier: MIT
// True signed distance of two convex polytopes by enumeration of features: nothing iterates, nothing can miss.
//
// h = max over unit n of (min over body 2 - max over body 1) of <n,x>: the Euclidean distance of bodies apart, minus
// the length of the shortest separating translation of overlapping ones.
#ifndef TEST_REFERENCE_SEPARATING_AXES_H
#define TEST_REFERENCE_SEPARATING_AXES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct axes_result {
    double distance;             // h
    double normal[3];            // unit, from body 1 to body 2
    double point1[3], point2[3]; // in the bodies, point2 - point1 = distance normal; any pair when there are several
    uint64_t feature1, feature2; // bit i: vertex i on the support plane; 1, 2 or more bits: vertex, edge, face
    int equal_normals;           // overlapping: how many different normals give this depth, to 1e-9 of the size
} axes_result;

// At most 64 vertices each, as triples; false for flat bodies.
bool separating_axes_distance(int count1, const double *k1, int count2, const double *k2, axes_result *result);

// Vertex, edge or face: 0, 1, 2.
int axes_feature_dimension(uint64_t feature);

#endif
