// SPDX-License-Identifier: MIT
// Pairs of bodies in random attitudes, put at a distance that is known before anything is measured.
//
// A normal n is chosen first, then a point of each body that is farthest along n and along -n, and B is moved so that
// the two points are where the wanted distance has them. The planes through the points, normal to n, prove it.
//
//   gap   p_b - p_a = gap n. Apart this is the distance: no points are nearer than the planes. Overlapping, a
//         translation by -gap along n separates; that none is shorter is proved where a ball of that radius rolls
//         inside of one of the bodies, and else by the enumeration of separating_axes.h. Poses that are not proved are
//         not given.
//   ray   p_b - p_a = value beta, with beta from centre to centre. The points prove that the value is not larger, the
//         planes that it is not smaller.
//
// Everything is unique: n comes from a corner, an edge or a facet of the difference of the bodies, only from a facet
// where the bodies are sharp and not apart, as corners and edges then have many normals.
#ifndef TEST_REFERENCE_POSED_PAIR_H
#define TEST_REFERENCE_POSED_PAIR_H

#include "carom/distance.h"
#include "reference/program/wide.h"
#include "support/harness/sample.h"

typedef enum posed_measure { POSED_GAP, POSED_RAY } posed_measure;

typedef struct posed_gradient {
    wide3 translation_a, rotation_a, translation_b, rotation_b;
} posed_gradient;

// World frame, m. The poses are doubles and exact: A stands next to the origin, off by what rounding leaves of B's.
typedef struct posed_pair {
    carom_view a, b;
    double value; // the gap, or the ray's value
    wide3 normal; // unit, from A to B
    wide3 slope;  // of the value: the normal, or the ray's alpha
    wide3 point_a, point_b;
    posed_gradient gradient;
} posed_pair;

// Draws poses, in a random order of the two shapes, until one is proved. Gives how many were passed over because there
// is a shorter way out, or might be. At most one shape is a half-space or a container; the ray knows no container.
int posed_pair_draw(sampler *s, const carom_shape *first, const carom_shape *second, posed_measure measure,
                    double value, posed_pair *out);

#endif
