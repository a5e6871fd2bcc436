// SPDX-License-Identifier: MIT
/// @file
/// Meshes of tetrahedra and elastic materials: what flexible bodies (carom/flex.h) are made of, and their energies,
/// forces and stiffness at any positions of their nodes, without a model.
///
/// A mesh is made once, never changed afterwards, and may be shared by any threads. Elements have 4 nodes (`order` 1)
/// or 10 (`order` 2): the corners 0 ... 3 with det[X1 - X0, X2 - X0, X3 - X0] > 0, then the middles of the edges 01,
/// 12, 02, 03, 13, 23. Positions are in metres, energies in J, stresses in Pa. docs/flex.md, docs/math.md 15.
#ifndef CAROM_MESH_H
#define CAROM_MESH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "carom/allocator.h"
#include "carom/api.h"
#include "carom/status.h"
#include "carom/types.h"

typedef struct carom_mesh carom_mesh;

/// Nodes that an element of this order has: 4 or 10.
#define CAROM_ELEMENT_NODES(order) ((order) == 2 ? 10 : 4)
/// Quadrature points of an element of this order: 1 or 4.
#define CAROM_ELEMENT_POINTS(order) ((order) == 2 ? 4 : 1)

/// The most nodes and elements that a mesh may have.
#define CAROM_MESH_MOST_NODES 10000000
#define CAROM_MESH_MOST_ELEMENTS 5000000

/// Tetrahedra as given. Starts from carom_mesh_def_default; copied by carom_mesh_create.
typedef struct carom_mesh_def {
    uint32_t struct_size; ///< Set by carom_mesh_def_default; leave it.
    int order;            ///< 1 (default) or 2.
    int node_count;
    const carom_vec3 *nodes; ///< At rest, m. (node_count)
    int element_count;
    const int32_t *elements; ///< From 0, 4 or 10 each. (element_count times that)
} carom_mesh_def;

/// Files that meshes come in. All numbers of such a file are text.
typedef enum carom_mesh_format {
    CAROM_MESH_GMSH,   ///< `.msh`, version 2.2 or 4.1, ASCII. Physical groups are node sets.
    CAROM_MESH_TETGEN, ///< `.node` and `.ele` beside each other.
    CAROM_MESH_FORMAT_COUNT
} carom_mesh_format;

/// A triangle of the surface of a mesh: of a face of 10-node elements four.
typedef struct carom_mesh_triangle {
    int32_t node[3]; ///< Counter-clockwise seen from outside.
    int32_t element; ///< That it is a face of.
} carom_mesh_triangle;

/// How good a mesh is.
typedef struct carom_mesh_quality {
    double volume;                      ///< m^3
    double least_volume;                ///< Of an element, m^3.
    double shortest_edge, longest_edge; ///< m
    double mean_edge;                   ///< m
    double least_quality;               ///< Of an element: 6 sqrt(2) volume over the cube of the root mean square of
                                        ///< its edges; 1 of a regular one, 0 of a flat one.
    int32_t worst_element;              ///< That has it.
    int pieces;                         ///< Parts that share no node.
} carom_mesh_quality;

/// Functions of the principal stretches; docs/math.md 15.2.
typedef enum carom_elastic_model {
    CAROM_ELASTIC_NEO_HOOKEAN, ///< mu/2 (tr C - 3) - mu ln J + lambda/2 (ln J)^2; no energy where an element is
                               ///< inverted.
    CAROM_ELASTIC_STVK,        ///< mu E:E + lambda/2 (tr E)^2, of Saint-Venant and Kirchhoff.
    CAROM_ELASTIC_COROTATED,   ///< mu |F - R|^2 + lambda/2 (J - 1)^2
    CAROM_ELASTIC_MODEL_COUNT
} carom_elastic_model;

/// What a flexible body is made of. Starts from carom_elastic_def_default.
typedef struct carom_elastic_def {
    uint32_t struct_size;      ///< Set by carom_elastic_def_default; leave it.
    carom_elastic_model model; ///< Default CAROM_ELASTIC_NEO_HOOKEAN.
    double lambda, mu; ///< Lame's constants, Pa: mu > 0, lambda > -2/3 mu. Default those of young 1e6, poisson 0.3.
    double density;    ///< kg/m^3, positive. Default 1000.
    double viscosity;  ///< s, >= 0: the stress of a strain rate is that of so many seconds of it. Default 0.
} carom_elastic_def;

/// An element at one of its quadrature points. Matrices by columns: F = dx/dX.
typedef struct carom_elastic_point {
    carom_mat3 gradient; ///< F
    double determinant;  ///< J = det F
    carom_mat3 piola;    ///< First Piola-Kirchhoff stress P = dW/dF, Pa.
    carom_mat3 cauchy;   ///< P F^T / J, Pa.
    double von_mises;    ///< Pa
} carom_elastic_point;

CAROM_BEGIN_C

CAROM_API carom_mesh_def carom_mesh_def_default(void);
/// Refuses with a sentence that names the element or node: numbers that name no node, inverted and flat elements, nodes
/// that no element has, coordinates that are not finite, middles that are not between their corners, more than two
/// elements at a face.
CAROM_API carom_status carom_mesh_create(const carom_mesh_def *def, const carom_allocator *allocator, carom_mesh **out,
                                         carom_error *error);
/// A box about the origin: five tetrahedra a cell, alternating from cell to cell, which is mirror-symmetric where all
/// counts are even.
CAROM_API carom_status carom_mesh_create_box(carom_vec3 size, const int cells[3], int order,
                                             const carom_allocator *allocator, carom_mesh **out, carom_error *error);
/// The mesh of a file's text. Of CAROM_MESH_TETGEN `text` is the `.node` file and `elements` the `.ele` file, else
/// `elements` is NULL. `order` 2 puts nodes in the middles of the edges of elements with 4; 0 takes what the file has.
/// Sentences begin with `name`, and the line.
CAROM_API carom_status carom_mesh_parse(carom_mesh_format format, const char *name, const char *text, size_t size,
                                        const char *elements, size_t elements_size, int order,
                                        const carom_allocator *allocator, carom_mesh **out, carom_error *error);
/// The same of a file: by the end of its name `.msh`, `.node` or `.ele`.
CAROM_API carom_status carom_mesh_read(const char *path, int order, const carom_allocator *allocator, carom_mesh **out,
                                       carom_error *error);
CAROM_API void carom_mesh_destroy(carom_mesh *mesh); ///< May be NULL.

CAROM_API int carom_mesh_order(const carom_mesh *mesh);
CAROM_API int carom_mesh_node_count(const carom_mesh *mesh);
CAROM_API int carom_mesh_element_count(const carom_mesh *mesh);
CAROM_API const carom_vec3 *carom_mesh_nodes(const carom_mesh *mesh); ///< At rest; lives with the mesh.
CAROM_API const int32_t *carom_mesh_elements(const carom_mesh *mesh); ///< Lives with the mesh.
CAROM_API const carom_mesh_triangle *carom_mesh_surface(const carom_mesh *mesh, int *count); ///< Lives with the mesh.
CAROM_API carom_mesh_quality carom_mesh_get_quality(const carom_mesh *mesh);
/// Named sets of nodes, such as a file's physical groups. Their nodes ascend, and live with the mesh.
CAROM_API int carom_mesh_group_count(const carom_mesh *mesh);
CAROM_API const char *carom_mesh_group_name(const carom_mesh *mesh, int group);
CAROM_API const int32_t *carom_mesh_group_nodes(const carom_mesh *mesh, int group, int *count);
/// Nodes in a box, and on one side of a plane (normal.X >= offset): ascending into `out` (node_count); returns how
/// many.
CAROM_API int carom_mesh_nodes_in_box(const carom_mesh *mesh, carom_vec3 low, carom_vec3 high, int32_t *out);
CAROM_API int carom_mesh_nodes_beyond(const carom_mesh *mesh, carom_vec3 normal, double offset, int32_t *out);

CAROM_API const char *carom_elastic_model_name(carom_elastic_model model); ///< "neo_hookean"; "?" for none.
CAROM_API carom_elastic_def carom_elastic_def_default(void);
/// Lame's constants of Young's modulus, Pa, and Poisson's ratio.
CAROM_API void carom_elastic_from_young(double young, double poisson, double *lambda, double *mu);
CAROM_API carom_status carom_elastic_check(const carom_elastic_def *elastic, carom_error *error);

/// Lumped masses, kg (node_count): of 4 nodes a quarter each, of 10 corners 1/36 and middles 4/27.
CAROM_API void carom_mesh_masses(const carom_mesh *mesh, double density, double *out);
/// Elastic energy and forces -dV/dx at these positions. `forces` (node_count) and `points` (element_count times
/// CAROM_ELEMENT_POINTS) may be NULL. Fails with CAROM_ERR_BAD_INPUT and the element where `neo_hookean` has none.
CAROM_API carom_status carom_mesh_evaluate(const carom_mesh *mesh, const carom_elastic_def *elastic,
                                           const carom_vec3 *positions, double *energy, carom_vec3 *forces,
                                           carom_elastic_point *points, carom_error *error);
/// d2V/dx2 at these positions: row and column 3 * node + axis. The first call, with NULL for `value`, tells how many
/// numbers there are; a second one fills `start` (3 node_count + 1), `column` and `value`.
CAROM_API carom_status carom_mesh_stiffness(const carom_mesh *mesh, const carom_elastic_def *elastic,
                                            const carom_vec3 *positions, int64_t *count, int *start, int *column,
                                            double *value, carom_error *error);
/// The longest explicit step, 2 / the largest natural rate at these positions with these nodes held, s.
CAROM_API carom_status carom_mesh_stable_step(const carom_mesh *mesh, const carom_elastic_def *elastic,
                                              const carom_vec3 *positions, int fixed_count, const int32_t *fixed,
                                              double *step, carom_error *error);
/// Natural frequencies at rest, Hz: the lowest `count` above those of motions without strain, whose number is in
/// *rigid.
CAROM_API carom_status carom_mesh_modes(const carom_mesh *mesh, const carom_elastic_def *elastic, int fixed_count,
                                        const int32_t *fixed, int count, int *rigid, double *frequencies,
                                        carom_error *error);

CAROM_END_C

#endif
