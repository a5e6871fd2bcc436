// SPDX-License-Identifier: MIT
// From arrays to a mesh: what every source of meshes, definitions, boxes and files, ends in.
#ifndef CRM_FLEX_MESH_BUILD_H
#define CRM_FLEX_MESH_BUILD_H

#include "base/arena.h"
#include "carom/mesh.h"

// Where a node or an element is written.
typedef struct crm_mesh_place {
    int64_t tag; // what the file calls it
    int line;    // from 1
} crm_mesh_place;

// How sentences name what they are about.
typedef struct crm_mesh_origin {
    const char *node_file, *element_file; // what sentences begin with; NULL: nothing
    const crm_mesh_place *node, *element; // (node_count, element_count); NULL: by their numbers
} crm_mesh_origin;

// "part.msh: line 7: node 12" or "node 12".
typedef struct crm_mesh_words {
    char text[240];
} crm_mesh_words;
crm_mesh_words crm_mesh_node_words(const crm_mesh_origin *origin, int node);
crm_mesh_words crm_mesh_element_words(const crm_mesh_origin *origin, int element);

// That a node is in a group.
typedef struct crm_mesh_member {
    int32_t group, node;
} crm_mesh_member;

// That the middle of an edge is in a group, where elements get middles.
typedef struct crm_mesh_link {
    int32_t group, corner[2];
} crm_mesh_link;

// What a mesh is made of. Elements have as many nodes as `order` says; groups may name nodes in any order and twice.
typedef struct crm_mesh_input {
    int order;
    int node_count;
    const carom_vec3 *node;
    int element_count;
    const int32_t *element;
    int group_count;
    const char *const *group_name; // (group_count)
    int member_count;
    const crm_mesh_member *member; // (member_count)
    int link_count;
    const crm_mesh_link *link; // (link_count)
    crm_mesh_origin origin;
} crm_mesh_input;

// Checks everything and makes the mesh; `order` 2 of an input of order 1 puts nodes in the middles of its edges.
carom_status crm_mesh_build(const crm_mesh_input *input, int order, const carom_allocator *allocator, carom_mesh **out,
                            carom_error *error);

// ---- the steps, each in a file of its own; `scratch` is theirs to take from

// The corners of edge 0 ... 5, whose middle is node 4 + edge.
extern const int crm_tetrahedron_edge[6][2];
// The corners and the middles (corners 01, 12, 20 of the face) of face 0 ... 3, counter-clockwise seen from outside.
extern const int crm_tetrahedron_face[4][6];

// Rows of `columns` numbers each from 0 to `bound` - 1 in ascending order: the first column counts most, equal rows
// stay in their order. NULL when there is no memory.
int32_t *crm_mesh_sort_rows(int count, int columns, const int32_t *rows, int bound, crm_arena *scratch);

// Numbers name nodes, coordinates are finite, elements are neither flat nor inverted and have all nodes, middles are
// where they may be.
carom_status crm_mesh_check(const crm_mesh_input *input, crm_arena *scratch, carom_error *error);

// Six edges of every element as numbers of edges that are each there once, ascending by their lower corner, then the
// higher one.
typedef struct crm_mesh_edges {
    int count;
    int32_t *corner;     // two of each edge, the lower one first (2 count)
    int32_t *of_element; // (6 element_count)
} crm_mesh_edges;
carom_status crm_mesh_find_edges(const crm_mesh_input *input, crm_arena *scratch, crm_mesh_edges *out,
                                 carom_error *error);

// An edge has one middle and a node is the middle of one edge; only of elements with 10 nodes.
carom_status crm_mesh_check_middles(const crm_mesh_input *input, const crm_mesh_edges *edges, crm_arena *scratch,
                                    carom_error *error);

// The same elements with 10 nodes: middles follow the corners in the order of the edges.
carom_status crm_mesh_raise_order(const crm_mesh_input *input, const crm_mesh_edges *edges, crm_arena *scratch,
                                  crm_mesh_input *out, carom_error *error);

// The triangles of faces that one element has, in the order of the elements, from `arena`.
carom_status crm_mesh_find_surface(const crm_mesh_input *input, crm_arena *scratch, crm_arena *arena, int *count,
                                   const carom_mesh_triangle **out, carom_error *error);

carom_status crm_mesh_measure(const crm_mesh_input *input, const crm_mesh_edges *edges, crm_arena *scratch,
                              carom_mesh_quality *out, carom_error *error);

// ---- elements

// det dX/dl at barycentric coordinates l of an element at X; six times the volume of one with 4 nodes.
double crm_element_determinant(int order, const carom_vec3 *node, const int32_t *element, const double l[4]);
// The volume by the quadrature points of such an element, m^3.
double crm_element_volume(int order, const carom_vec3 *node, const int32_t *element);
// The root mean square of the distances of its corners, m.
double crm_element_size(const carom_vec3 *node, const int32_t *element);

#endif
