// SPDX-License-Identifier: MIT
// The inside of a shape, for the library's own use.
//
// The room shape: a definition enters, an immutable shape leaves, with its mass, its supports and, of polytopes, its
// vertices, edges and facets (polytope/). Called by the public functions of carom/shape.h; support/ by distance/.
#ifndef CRM_SHAPE_SHAPE_H
#define CRM_SHAPE_SHAPE_H

#include <math.h>

#include "base/arena.h"
#include "carom/shape.h"
#include "math/spatial.h"
#include "shape/polytope/polytope.h"

typedef struct crm_part {
    carom_shape *shape;
    carom_pose pose;         // attitude of length 1
    crm_transform transform; // the same
    double density;          // relative
} crm_part;

struct carom_shape {
    carom_shape_kind kind;
    crm_arena arena; // owns everything, this struct included
    carom_vec3 centre;
    double bounding_radius, in_radius; // about the centre, m
    double farthest;                   // no point is farther from the frame's origin, m; infinite when unbounded
    carom_mass unit;                   // at density 1; zeros for static geometry

    double radius;        // sphere, capsule, container, m
    double half_length;   // capsule: of its cylinder, m
    carom_vec3 half_axes; // ellipsoid; box: half of its edges, m
    carom_vec3 normal;    // half-space: unit, towards the free side
    double offset;        // half-space: normal.y <= offset is solid, m

    crm_polytope polytope; // box and polytope; vertex_count 0 otherwise
    carom_polytope_centre centre_choice;

    int part_count;                // compound
    crm_part *part;                // (part_count)
    carom_compound_part *part_def; // (part_count) for carom_shape_get_def
};

// Convex and bounded: what has a support function, and what a compound may be made of.
static inline bool crm_shape_is_convex(carom_shape_kind kind) {
    return kind <= CAROM_SHAPE_POLYTOPE;
}

// The least in-radius of what it is made of, m; infinite of static geometry.
static inline double crm_shape_thinnest(const carom_shape *shape) {
    double least = crm_shape_is_convex(shape->kind) ? shape->in_radius : INFINITY;
    for (int i = 0; i < shape->part_count; i++) least = fmin(least, shape->part[i].shape->in_radius);
    return least;
}

// carom_shape_create with a name for the shape in sentences: "" or "compound.parts[2].shape: ".
carom_status crm_shape_create(const carom_shape_def *def, const char *prefix, const carom_allocator *allocator,
                              carom_shape **out, carom_error *error);

// The kinds with work of their own. Each fills in everything but `kind` and `arena`.
carom_status crm_make_polytope(const carom_polytope_def *def, const char *prefix, crm_arena *scratch,
                               carom_shape *shape, carom_error *error);
carom_status crm_make_compound(const carom_compound_def *def, const char *prefix, carom_shape *shape,
                               carom_error *error);

// Centre, bounding radius and in-radius about it, and mass, of a shape whose polytope is filled in.
void crm_measure_polytope(carom_shape *shape);

// CAROM_OK when a size is finite and within the range of shapes. `field` names it: "sphere.radius".
carom_status crm_check_size(const char *prefix, const char *field, double size, carom_error *error);
// The same for several sizes that belong together, with their aspect.
carom_status crm_check_sizes(const char *prefix, const char *field, carom_vec3 sizes, carom_error *error);

#endif
