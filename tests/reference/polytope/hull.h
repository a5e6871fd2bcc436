// SPDX-License-Identifier: MIT
// Facets and edges of a convex polytope from its vertices, by trying every triple.
#ifndef TEST_REFERENCE_HULL_H
#define TEST_REFERENCE_HULL_H

#include <stdint.h>

#include "reference/program/wide.h"

enum { HULL_VERTICES_MAX = 64, HULL_FACETS_MAX = 128, HULL_EDGES_MAX = 192 };

typedef struct hull_facet {
    wide3 normal;      // unit, outward
    wide offset;       // normal.x <= offset on the body
    uint64_t vertices; // bit i: vertex i lies on it
} hull_facet;

typedef struct hull_edge {
    int ends[2];   // vertices
    int facets[2]; // on either side
} hull_edge;

typedef struct hull {
    int vertex_count, facet_count, edge_count;
    wide size;    // largest distance from the mean of the vertices
    wide3 centre; // that mean
    wide3 vertex[HULL_VERTICES_MAX];
    hull_facet facet[HULL_FACETS_MAX];
    hull_edge edge[HULL_EDGES_MAX];
} hull;

// Points within `coplanar` times the size of a facet's plane count as lying on it. False for flat bodies and for more
// than fits. Listed points need not all be extreme.
bool hull_build(int count, const double *vertices, wide coplanar, hull *h);

// The largest <direction,x> over the body; `touching` (NULL allowed) gets the vertices within `slack` of it.
wide hull_support(const hull *h, wide3 direction, wide slack, uint64_t *touching);

#endif
