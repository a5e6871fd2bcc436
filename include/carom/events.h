// SPDX-License-Identifier: MIT
/// @file
/// Contact events of two polytopes: corners on facets and edges on edges. Two convex polytopes touch in the convex hull
/// of their events; nearly active ones, within tolerances, are what a step without sub-steps has to know of.
#ifndef CAROM_EVENTS_H
#define CAROM_EVENTS_H

#include "carom/distance.h"

typedef enum carom_event_kind {
    CAROM_EVENT_CORNER_A, ///< A corner of A on a facet of B.
    CAROM_EVENT_CORNER_B, ///< A corner of B on a facet of A.
    CAROM_EVENT_EDGES,    ///< An edge of A on an edge of B.
} carom_event_kind;

/// One event. Points, vectors: world frame, m.
typedef struct carom_event {
    carom_event_kind kind;
    int feature_a, feature_b; ///< Numbers of the vertex, edge or facet in the shapes.
    double gap;               ///< Along the normal, m: positive apart, negative overlapping.
    double rho;        ///< The same over the distance of the centres along the normal: its value in the ratio metric.
    carom_vec3 normal; ///< Unit, from A to B: the facet's, or across both edges.
    carom_vec3 point_a, point_b; ///< point_b - point_a = gap * normal
} carom_event;

typedef struct carom_event_options {
    double gap_tolerance; ///< An event is admitted within this of the pair's own gap along its normal, m. Default 0.
    double reach;      ///< ... and when its point lies in both bodies grown by this, m. Default 0: 1e-9 of the sizes.
    double least_sine; ///< Of the angle between edges that make an event. Default 1e-3.
} carom_event_options;

/// How two polytopes meet, and where.
typedef enum carom_collision_type {
    CAROM_COLLISION_VERTEX_VERTEX,
    CAROM_COLLISION_VERTEX_EDGE,
    CAROM_COLLISION_VERTEX_FACET,
    CAROM_COLLISION_EDGE_EDGE, ///< Crossing.
    CAROM_COLLISION_EDGE_EDGE_PARALLEL,
    CAROM_COLLISION_EDGE_FACET,
    CAROM_COLLISION_FACET_FACET,
} carom_collision_type;

CAROM_BEGIN_C

CAROM_API carom_event_options carom_event_options_default(void);
/// Finds the complete set of events, in the order of kind, feature of A, feature of B. `count` gets how many there are;
/// at most `capacity` of them, the first ones, are written to `out` (may be NULL when capacity is 0). Views of boxes
/// and polytopes; fails with CAROM_ERR_UNSUPPORTED for others, otherwise like carom_find_ray.
CAROM_API carom_status carom_find_events(const carom_view *a, const carom_view *b, const carom_event_options *options,
                                         int capacity, carom_event *out, int *count, carom_error *error);

/// Which features of the two bodies a ray found, and where they meet: with the contact point as the mean of the ray's
/// two weighted points.
CAROM_API carom_collision_type carom_collision_of(const carom_view *a, const carom_view *b,
                                                  const carom_ray_witness *ray, carom_vec3 *point);
CAROM_API const char *carom_collision_type_name(carom_collision_type type); ///< "?" for a number that is none.

CAROM_END_C

#endif
