// SPDX-License-Identifier: MIT
/// @file
/// Feature contacts of two polytopes: corners on facets and edges on edges. Two convex polytopes touch in the convex
/// hull of them; nearly active ones, within tolerances, are what a step without substeps has to know of. Each has
/// its own normal, and a gap that is exact along it.
#ifndef CAROM_FEATURES_H
#define CAROM_FEATURES_H

#include "carom/distance.h"

typedef enum carom_feature_contact_kind {
    CAROM_FEATURE_CONTACT_CORNER_A, ///< A corner of A on a facet of B.
    CAROM_FEATURE_CONTACT_CORNER_B, ///< A corner of B on a facet of A.
    CAROM_FEATURE_CONTACT_EDGES,    ///< An edge of A on an edge of B.
} carom_feature_contact_kind;

/// One feature contact. Points, vectors: world frame, m.
typedef struct carom_feature_contact {
    carom_feature_contact_kind kind;
    int feature_a, feature_b; ///< Numbers of the vertex, edge or facet in the shapes.
    double gap;               ///< Along the normal, m: positive apart, negative overlapping.
    double rho;        ///< The same over the distance of the centres along the normal; infinite where they coincide.
    carom_vec3 normal; ///< Unit, from A to B: the facet's, or across both edges.
    carom_vec3 point_a, point_b; ///< point_b - point_a = gap * normal
} carom_feature_contact;

/// How much a feature contact may differ from a touch. With the defaults: by rounding only.
typedef struct carom_feature_options {
    uint32_t struct_size; ///< Set by carom_feature_options_default; leave it.
    /// Along its normal, m: what two bodies can come nearer in one step, rotation included. The gap may be off the
    /// pair's own gap, which is rho times the distance of the centres, by this, and the features off their bodies'
    /// support planes, together, by as much, of which no more counts than the steepest slope times the size of the
    /// other body. As large as a body is thick it admits other faces. Default 0; 1e-12 of the sizes is added.
    double gap_tolerance;
    /// Across its normal, m: the points may be this far outside of the facet or edges. What bodies can slide in one
    /// step, when corners that are about to come over a facet are wanted; may be infinite. Default 0; 1e-9 of the sizes
    /// is added.
    double margin;
    /// Of the angle between edges that make a feature contact, 1e-9 to 1. Edges nearer to parallel meet in their ends,
    /// which are within this times their length. Default 1e-3.
    double least_sine;
} carom_feature_options;

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

CAROM_API carom_feature_options carom_feature_options_default(void);
/// Finds the complete set of feature contacts, in the order of kind, feature of A, feature of B. `count` gets how many
/// there are; at most `capacity` of them, the first ones, are written to `out` (may be NULL when capacity is 0).
///
/// Where several features meet in the same point along the same normal (points within 2e-9 of the sizes, normals within
/// 1e-6), the first in the order is listed: of two corners that meet that of A, of edges that cross at a corner that
/// corner. So the points are the corners of the contact region, each once, and the same when A and B are exchanged. A
/// point has a feature contact for every normal along which it is in contact.
///
/// Bodies that touch have some, but for edges that cross nearer to parallel than least_sine; without tolerances the
/// rho of all of them is that of the pair. Bodies apart may have none: when no feature of one lies over a feature of
/// the other along a normal that separates them nearly best.
///
/// Views of boxes and polytopes; fails with CAROM_ERR_UNSUPPORTED for others, with CAROM_ERR_BAD_INPUT for tolerances
/// out of range or a capacity without an array, otherwise like carom_ray_find. `options` may be NULL.
CAROM_API carom_status carom_features_find(const carom_view *a, const carom_view *b,
                                           const carom_feature_options *options, int capacity,
                                           carom_feature_contact *out, int *count, carom_error *error);

/// How two bodies meet, from the vertices that a ray of the same views gives weight to (of round shapes those of their
/// cores), and where: `point` (may be NULL) gets the mean of the ray's two points. Edges within 1e-6 rad are parallel.
CAROM_API carom_collision_type carom_collision_of(const carom_view *a, const carom_view *b,
                                                  const carom_ray_witness *ray, carom_vec3 *point);
CAROM_API const char *carom_collision_type_name(carom_collision_type type); ///< "?" for a number that is none.

CAROM_END_C

#endif
