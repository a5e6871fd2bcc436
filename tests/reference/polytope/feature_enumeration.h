// SPDX-License-Identifier: MIT
// Feature contacts of two convex polytopes by trying every corner with every facet and every edge with every edge, each
// rule spelled out, in long double.
#ifndef TEST_REFERENCE_FEATURE_ENUMERATION_H
#define TEST_REFERENCE_FEATURE_ENUMERATION_H

#include "reference/program/wide.h"

enum { SOLID_VERTICES_MAX = 64, SOLID_FACETS_MAX = 128, SOLID_EDGES_MAX = 192, SOLID_FEATURES_MAX = 4096 };

// Vertices in the world; facets as rings of vertices, counter-clockwise seen from outside.
typedef struct solid {
    wide3 centre; // an interior point
    int vertex_count, facet_count, edge_count;
    wide3 vertex[SOLID_VERTICES_MAX];
    int ring_start[SOLID_FACETS_MAX + 1];
    int ring[2 * SOLID_EDGES_MAX];
    int edge[SOLID_EDGES_MAX][2];
} solid;

typedef struct solid_feature {
    int kind; // 0: corner of A on a facet of B; 1: corner of B on a facet of A; 2: edges
    int a, b; // numbers of the features
    wide gap, rho;
    wide3 normal, point_a, point_b; // unit, from A to B; point_b - point_a = gap normal
} solid_feature;

typedef struct solid_rules {
    double gap_tolerance, margin, least_sine;
} solid_rules;

// In the order of kind, feature of A, feature of B; of pairs of features that meet in the same point along the same
// normal only the first. `rho` (may be NULL) gets the ratio metric, as the largest over all normals of facets and pairs
// of edges of the gap along the normal over the distance of the centres along it. Returns how many there are.
int enumerate_features(const solid *a, const solid *b, const solid_rules *rules, solid_feature *out, wide *rho);

#endif
