// SPDX-License-Identifier: MIT
/// @file
/// Shapes: what bodies are made of. Made once from a definition, never changed afterwards, shared by any threads.
///
/// A shape lives in the frame of its body, in metres. Convex shapes (sphere, ellipsoid, box, capsule, polytope) have
/// volume, mass and a *centre*: an interior point from which the distance functions look. A half-space and a container
/// are static geometry: they have neither volume nor mass. A compound is several convex shapes that are fixed to each
/// other.
///
///     carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_BOX);
///     def.box.edges = (carom_vec3){1.0, 2.0, 0.5};
///     carom_status status = carom_shape_create(&def, NULL, &shape, &error);
#ifndef CAROM_SHAPE_H
#define CAROM_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/allocator.h"
#include "carom/api.h"
#include "carom/mass.h"
#include "carom/status.h"
#include "carom/types.h"

typedef struct carom_shape carom_shape;

typedef enum carom_shape_kind {
    CAROM_SHAPE_SPHERE,     ///< A ball about the origin.
    CAROM_SHAPE_ELLIPSOID,  ///< About the origin, along the axes.
    CAROM_SHAPE_BOX,        ///< About the origin, along the axes.
    CAROM_SHAPE_CAPSULE,    ///< A cylinder along z about the origin, with half balls on both ends.
    CAROM_SHAPE_POLYTOPE,   ///< A bounded convex solid with flat facets.
    CAROM_SHAPE_HALF_SPACE, ///< Everything on one side of a plane.
    CAROM_SHAPE_CONTAINER,  ///< Everything outside of a sphere about the origin: bodies are inside.
    CAROM_SHAPE_COMPOUND,   ///< Several convex shapes.
    CAROM_SHAPE_COUNT
} carom_shape_kind;

/// Sizes and distances from the frame's origin that a shape may have, m.
#define CAROM_SHAPE_LEAST_SIZE 1e-9
#define CAROM_SHAPE_MOST_SIZE 1e9
/// Least thickness of a shape relative to its largest extent. Below, contact normals lose half of their digits.
#define CAROM_SHAPE_LEAST_ASPECT 1e-6

/// The solid {y : normal.y <= offset}. The normal points to the free side.
typedef struct carom_half_space {
    carom_vec3 normal; ///< Any length but zero; {normal.y <= offset} stays the same set when it is brought to 1.
    double offset;     ///< m, for a unit normal.
} carom_half_space;

typedef struct carom_sphere_def {
    double radius; ///< m. Default 0.5.
} carom_sphere_def;

typedef struct carom_ellipsoid_def {
    carom_vec3 half_axes; ///< m. Default 0.5 each.
} carom_ellipsoid_def;

typedef struct carom_box_def {
    carom_vec3 size; ///< Whole lengths, m. Default 1 each.
} carom_box_def;

typedef struct carom_capsule_def {
    double radius; ///< m. Default 0.25.
    double length; ///< Of the cylinder between the half balls, m. Default 0.5.
} carom_capsule_def;

/// How a polytope is given.
typedef enum carom_polytope_form {
    CAROM_POLYTOPE_VERTICES,    ///< The hull of points; those inside, on facets or on edges are dropped.
    CAROM_POLYTOPE_HALF_SPACES, ///< What half-spaces have in common; redundant ones are dropped.
    CAROM_POLYTOPE_TETRAHEDRON, ///< Regular, its centre at the origin, its corners on corners of a cube.
    CAROM_POLYTOPE_PYRAMID,     ///< Upright along z over a regular polygon, its centre of mass at the origin.
    CAROM_POLYTOPE_PRISM,       ///< Upright along z over a regular polygon, its centre at the origin.
    CAROM_POLYTOPE_FORM_COUNT
} carom_polytope_form;

/// Which interior point of a polytope is its centre.
typedef enum carom_polytope_centre {
    CAROM_CENTRE_VERTEX_MEAN, ///< Moves with the vertices, whatever fills the solid.
    CAROM_CENTRE_OF_MASS,
} carom_polytope_centre;

typedef struct carom_polytope_def {
    carom_polytope_form form;   ///< Default CAROM_POLYTOPE_VERTICES. The fields that it does not name are unused.
    int vertex_count;           ///< Of `vertices`.
    const carom_vec3 *vertices; ///< m. Need not all be extreme.
    int half_space_count;       ///< Of `half_spaces`.
    const carom_half_space *half_spaces;
    double edge;                  ///< Of a tetrahedron, m. Default 1.
    int sides;                    ///< Of the polygon of a pyramid or prism, at least 3. Default 6.
    double radius;                ///< From the polygon's centre to its corners, the first on +x, m. Default 0.5.
    double height;                ///< Of a pyramid or prism, m. Default 1.
    carom_polytope_centre centre; ///< Default CAROM_CENTRE_VERTEX_MEAN.
} carom_polytope_def;

typedef struct carom_container_def {
    double radius; ///< m. Default 1.
} carom_container_def;

struct carom_shape_def;

typedef struct carom_compound_part {
    const struct carom_shape_def *shape; ///< Convex: neither a compound, a half-space nor a container.
    carom_pose pose;                     ///< Of the part's frame in the compound's; the attitude is normalised.
    double density;                      ///< Relative to that of the compound. Default 1.
} carom_compound_part;

typedef struct carom_compound_def {
    int part_count;
    const carom_compound_part *parts;
} carom_compound_def;

/// What to make: a kind, and the sizes of that kind. Start from carom_shape_def_default. Copied by carom_shape_create.
typedef struct carom_shape_def {
    uint32_t struct_size; ///< Set by carom_shape_def_default; leave it.
    carom_shape_kind kind;
    union {
        carom_sphere_def sphere;
        carom_ellipsoid_def ellipsoid;
        carom_box_def box;
        carom_capsule_def capsule;
        carom_polytope_def polytope;
        carom_half_space half_space; ///< Default: normal +z, offset 0, a floor.
        carom_container_def container;
        carom_compound_def compound;
    };
} carom_shape_def;

/// A facet of a polytope: a convex polygon.
typedef struct carom_facet {
    carom_vec3 normal; ///< Outward, unit.
    double offset;     ///< All of the polytope has normal.y <= offset, m.
    int vertex_count;
    const int *vertices; ///< Counter-clockwise seen from outside, from the lowest number on. Lives with the shape.
} carom_facet;

/// An edge of a polytope.
typedef struct carom_edge {
    int vertices[2]; ///< Ascending.
    int facets[2];   ///< Seen from outside and looking from vertices[0] to vertices[1]: on the left, on the right.
} carom_edge;

CAROM_BEGIN_C

CAROM_API const char *carom_shape_kind_name(carom_shape_kind kind); ///< "?" for a number that is none.
/// The kind with its sizes as told above; no points, half-spaces or parts.
CAROM_API carom_shape_def carom_shape_def_default(carom_shape_kind kind);
/// No shape, the identity pose, density 1.
CAROM_API carom_compound_part carom_compound_part_default(void);

/// Makes a shape. A NULL allocator means malloc and free; the hull of a polytope takes further memory from malloc while
/// it is computed.
///
/// Fails with CAROM_ERR_BAD_INPUT and a sentence that names the field and the number when something is not finite, a
/// size or distance is beyond CAROM_SHAPE_LEAST_SIZE ... CAROM_SHAPE_MOST_SIZE, the solid is thinner than
/// CAROM_SHAPE_LEAST_ASPECT of its extent or further than 1e6 extents from the origin, points lie in a plane,
/// half-spaces have nothing in common or do not close, or a compound has no parts or one that is not convex. `out` is
/// then NULL.
CAROM_API carom_status carom_shape_create(const carom_shape_def *def, const carom_allocator *allocator,
                                          carom_shape **out, carom_error *error);
CAROM_API void carom_shape_destroy(carom_shape *shape); ///< May be NULL.

CAROM_API carom_shape_kind carom_shape_get_kind(const carom_shape *shape);
/// A definition from which the same shape can be made. A polytope comes as its vertices, in the order of their
/// numbers, whatever it was made from. Its pointers live with the shape.
CAROM_API void carom_shape_get_def(const carom_shape *shape, carom_shape_def *out);

/// An interior point: the origin for kinds that are placed about it, for a polytope what its definition chose. Of a
/// compound the centre of mass, which may be outside; of a half-space the point of its plane next to the origin.
CAROM_API carom_vec3 carom_shape_centre(const carom_shape *shape);
/// No point of the shape is further from the centre, m. Infinite for a half-space and a container. Reached by a point
/// of the shape, except that an ellipsoid in a compound counts as a ball.
CAROM_API double carom_shape_bounding_radius(const carom_shape *shape);
/// The largest ball about the centre that the shape contains, m; 0 for a half-space, a container and a compound.
CAROM_API double carom_shape_in_radius(const carom_shape *shape);

/// Volume, mass, centre of mass and inertia at this density (kg/m^3). Exact but for rounding. In a compound, volume
/// that two parts share counts twice. Fails with CAROM_ERR_UNSUPPORTED for a half-space and a container.
CAROM_API carom_status carom_shape_get_mass(const carom_shape *shape, double density, carom_mass *out,
                                            carom_error *error);

/// The point of the shape that is farthest in a direction (any length but zero, the shape's frame), and the number of
/// the vertex (-1 for a kind that has none; `vertex` may be NULL). Of several vertices the one with the lowest number;
/// distances are compared as computed, x then y then z. Fails with CAROM_ERR_UNSUPPORTED for a shape that is not
/// convex and bounded, with CAROM_ERR_BAD_INPUT for a direction that is none.
CAROM_API carom_status carom_shape_get_support(const carom_shape *shape, carom_vec3 direction, carom_vec3 *point,
                                               int *vertex, carom_error *error);

// ---- boxes and polytopes; other kinds have no vertices, edges and facets

CAROM_API int carom_shape_vertex_count(const carom_shape *shape);
CAROM_API int carom_shape_edge_count(const carom_shape *shape);
CAROM_API int carom_shape_facet_count(const carom_shape *shape);
/// The vertices, which are input points to the bit when the polytope was made of points. NULL when there are none.
CAROM_API const carom_vec3 *carom_shape_vertices(const carom_shape *shape);
/// To this length facets are plane and hold every input point, m: 1e-12 of the extent, more (up to 1e-8) for points
/// that crowd so closely that they cannot all be vertices.
CAROM_API double carom_shape_flatness(const carom_shape *shape);
CAROM_API carom_status carom_shape_get_edge(const carom_shape *shape, int edge, carom_edge *out, carom_error *error);
CAROM_API carom_status carom_shape_get_facet(const carom_shape *shape, int facet, carom_facet *out, carom_error *error);
/// What became of the input: for every point the number of its vertex (duplicates share one), for every half-space the
/// number of its facet, -1 for what was dropped. `count` (may be NULL) gets how many; NULL for named polytopes.
CAROM_API const int *carom_shape_input_map(const carom_shape *shape, int *count);

// ---- compounds; other kinds have no parts

CAROM_API int carom_shape_part_count(const carom_shape *shape);
/// A part and its pose (may be NULL); both live with the compound. NULL when there is no such part.
CAROM_API const carom_shape *carom_shape_part(const carom_shape *shape, int part, carom_pose *pose);

CAROM_END_C

#endif
