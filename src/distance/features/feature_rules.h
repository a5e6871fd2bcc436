// SPDX-License-Identifier: MIT
// When a corner on a facet, or two edges, make a feature contact (docs/math.md 5.1, 5.2).
//
// Along a unit normal n from A to B a pair of features has the gap phi = n.(b - a). Its bodies have the gap
//   psi = (least n.y of B) - (largest n.y of A) <= phi,
// and no normal gives more than the centre ray: psi <= t n.beta, t the ray's value. Both differences are lengths:
//   lift         phi - psi          how far the features are off their bodies' support planes
//   deficiency   t n.beta - psi     by how much the normal falls behind the best one
// The source compares Phi_hat = phi / (n.c) with rho = t / |c|. Times the centre distance along n this is
//   |phi - t n.beta| = |lift - deficiency| <= tolerance.
// It is not enough: lift and deficiency may be large and equal (the sideways ghost of a box flush with the one below).
// Hence also lift <= tolerance. The lower half of the first rule is needed: a plank that comes down on a narrower block
// by its end meets the block's edge with the plank's own normal, which is deficient and lifted by nearly the same.
//
// A body's lift counts as far as the other body extends. A box over the edge of a large table, tilted by 1e-4, sees the
// edge with its own normal, over which the table's far side rises by centimetres; under the box it rises by microns. So
// of the lift of one body no more counts than the steepest slope at its feature times the size of the other body.
#ifndef CRM_DISTANCE_FEATURE_RULES_H
#define CRM_DISTANCE_FEATURE_RULES_H

#include <float.h>

#include "carom/features.h"
#include "distance/side.h"

typedef struct crm_feature_limits {
    double value;       // t of the ray, m
    double tolerance;   // gap_tolerance and what rounding needs, m
    double rounding;    // lengths are known to this, m
    double margin;      // and what rounding needs, m
    double place;       // points this near are one, m
    double square_sine; // least, of the angle between edges
} crm_feature_limits;

// `size` is the sum of both, `far` the largest |coordinate| of a position, `plane_to` what facets are plane to, summed;
// all in m, as the ray's value and its accuracy.
static inline crm_feature_limits crm_feature_limits_of(const carom_feature_options *options, double size, double far,
                                                       double plane_to, double value, double accuracy) {
    // Of the sum of both sizes. Lifts of features that touch exactly come out below the first, with a margin of some
    // hundreds; the outline of a facet is as wide as the second.
    const double lift_rounding = 1e-12, outline_rounding = 1e-9;
    const double position_rounding = 8.0 * DBL_EPSILON; // what a pose so far from the origin cannot tell
    double rounding = lift_rounding * size + plane_to + position_rounding * far + accuracy;
    double outline = outline_rounding * size + position_rounding * far;
    return (crm_feature_limits){.value = value,
                                .tolerance = options->gap_tolerance + rounding,
                                .rounding = rounding,
                                .margin = options->margin + outline,
                                .place = 2.0 * outline,
                                .square_sine = options->least_sine * options->least_sine};
}

// The largest deficiency of a facet of the owner, m: tolerance + lift. The lift, that of the other body, is at most the
// tolerance, or the slope times twice the body's size where the slope times the size of the facet's body is.
static inline double crm_most_deficient(double owner_size, double guest_size, const crm_feature_limits *limits) {
    double spread = 2.0 * guest_size / owner_size;
    return limits->tolerance * (1.0 + (spread > 1.0 ? spread : 1.0)) + limits->rounding;
}

// Whether unit vectors are normals of one contact. Facets of a hull that is plane to 1e-12 of its extent may differ by
// this from edges on them.
static inline bool crm_same_normal(carom_vec3 a, carom_vec3 b) {
    const double same = 1e-6; // rad
    return crm_length_squared(crm_sub(a, b)) <= same * same;
}

// Two bodies in the frame of one, the owner, which has the facet or the second edge; the guest has the corner or the
// first edge.
typedef struct crm_feature_frame {
    const crm_polytope *owner, *guest;
    carom_mat3 rotation;           // guest's frame to the owner's
    carom_vec3 shift;              // of the guest's frame, m
    carom_vec3 towards;            // the ray's beta, from the owner to the guest
    double owner_size, guest_size; // no point is farther from the centre, m
    crm_feature_limits limits;
} crm_feature_frame;

// A pair of features that passed; owner's frame. The owner's point is `point` - gap * normal.
typedef struct crm_met {
    double gap;
    double along;              // normal.towards, positive
    carom_vec3 normal;         // unit, from the owner to the guest
    carom_vec3 point;          // of the guest
    double guest_at, owner_at; // edges: m from the first ends, along them
} crm_met;

static inline carom_vec3 crm_guest_vertex(const crm_feature_frame *frame, int vertex) {
    return crm_add(crm_mat3_apply(frame->rotation, frame->guest->vertex[vertex]), frame->shift);
}

// A corner of the guest on a facet of the owner.
bool crm_corner_meets_facet(const crm_feature_frame *frame, int corner, int facet, crm_met *out);

// An edge of the guest in the owner's frame, made ready for many edges of the owner.
typedef struct crm_guest_edge {
    int number;
    carom_vec3 point, along; // first end; to the second one
    double square;           // of its length, m^2
    double beyond;           // how far a crossing may be beyond its ends, of its length
} crm_guest_edge;

crm_guest_edge crm_guest_edge_of(const crm_feature_frame *frame, int edge);

// An edge of the guest on an edge of the owner.
bool crm_edges_meet(const crm_feature_frame *frame, const crm_guest_edge *guest, int owner_edge, crm_met *out);

#endif
