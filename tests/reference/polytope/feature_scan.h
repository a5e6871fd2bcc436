// SPDX-License-Identifier: MIT
// Signed distance and centre ray of two convex polytopes of any number of vertices, by enumeration of features, from
// facets that are given and checked. Slower than any search and faster than separating_axes.h, which finds the facets
// itself and stops at 64 vertices.
#ifndef TEST_REFERENCE_FEATURE_SCAN_H
#define TEST_REFERENCE_FEATURE_SCAN_H

#include "reference/program/wide.h"

typedef struct scan_edge {
    int ends[2];   // vertices
    int facets[2]; // on either side
} scan_edge;

// A convex polytope, or a placement of one.
typedef struct scan_body {
    int vertex_count, facet_count, edge_count;
    const int *facets; // each facet's number of vertices, then these, counter-clockwise seen from outside
    int *facet_start;  // where a facet's vertices begin in `facets` (facet_count)
    scan_edge *edge;   // (edge_count)
    wide3 *vertex;     // (vertex_count)
    wide3 *normal;     // unit, outward (facet_count)
    wide3 centre;      // mean of the vertices
    bool is_placement; // facets and edges are those of another body
} scan_body;

typedef struct scan_result {
    double distance;  // Euclidean distance, or minus the least translation that separates
    double normal[3]; // unit, from the first body to the second
    double ray;       // how far the second can be moved towards the first, from centre to centre, until they touch
} scan_result;

// False when the facets are no closed convex surface around all vertices. Keeps `facets`. To be freed.
bool scan_body_make(int vertex_count, const double *vertices, int facet_count, const int *facets, scan_body *body);
void scan_body_free(scan_body *body);

// The body rotated by the quaternion (w, x, y, z), then shifted. Lives no longer than `body`; to be freed.
scan_body scan_body_place(const scan_body *body, const double *attitude, const double *position);

scan_result scan_measure(const scan_body *first, const scan_body *second);

#endif
