// SPDX-License-Identifier: MIT
// Bodies against static geometry: half-spaces, and the inside of a sphere. Closed forms all; like the searches of
// measure.h these fill their witnesses completely, in the world frame. `break_ties` asks for the mean of all vertices
// that are equally low where there are several; otherwise one of them is taken. As low, or as far, is what differs by
// less than crm_active_distance, as between two bodies. The gap is always that of the lowest, or farthest, vertex
// itself, and the body's point stays at that height.
#ifndef CRM_DISTANCE_STATIC_GEOMETRY_H
#define CRM_DISTANCE_STATIC_GEOMETRY_H

#include "distance/ellipsoid/ellipsoid.h"
#include "distance/side.h"

// A half-space or container with its pose, in the world.
typedef struct crm_static_geometry {
    carom_vec3 normal; // half-space: unit, to the free side
    carom_vec3 origin; // half-space: a point of its plane; container: its centre
    double radius;     // container
    bool is_a;         // the static geometry is A, the body is B
} crm_static_geometry;

crm_static_geometry crm_static_geometry_of(const carom_shape *shape, const carom_pose *pose, bool is_a);

// The gap to a half-space. The normal is the half-space's, from A to B.
void crm_half_space_gap(const crm_static_geometry *half_space, const crm_side *body, bool break_ties,
                        carom_gap_witness *out);
// The ray along `beta` from A to B, or along the normal when that is NULL. False, with nothing set but `normal`, when
// a given direction does not lead from A to B across the plane: then no multiple of the normal has alpha.beta = 1.
bool crm_half_space_ray(const crm_static_geometry *half_space, const crm_side *body, const carom_vec3 *beta,
                        bool break_ties, carom_ray_witness *out);

// The gap of a body inside a container: its radius less the distance of the body's farthest point. The normal is
// outward for a body A, inward for a body B. Of several farthest vertices the one with the lowest number is taken.
void crm_container_gap(const crm_static_geometry *container, const crm_side *body, carom_gap_witness *out);

// An ellipsoid (or a sphere, as one) as ellipsoid.h wants it.
crm_ellipsoid crm_ellipsoid_of_side(const crm_side *side);

#endif
