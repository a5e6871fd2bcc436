// SPDX-License-Identifier: MIT
// The inside of surfaces: what is known of each of them once and for all, and where it is now. surface_make.c makes
// them, surface_place.c finds where they are, surface_points.c, surface_edges.c and surface_shapes.c what they touch,
// surface_search.c asks these for all that come near each other.
#ifndef CRM_STEP_FLEX_SURFACE_BODY_H
#define CRM_STEP_FLEX_SURFACE_BODY_H

#include "shape/shape.h"
#include "step/flex/surface/flex_surface.h"

typedef struct crm_surface_triangle {
    int node[3];      // bodies of the model
    int neighbour[3]; // triangle beyond the edge from node k to node k + 1
    int edge[3];      // that edge
    carom_vec3 normal;
} crm_surface_triangle;

typedef struct crm_surface_edge {
    int node[2];     // bodies of the model, in the order of the first triangle
    int triangle[2]; // on its left and right, seen from outside
} crm_surface_edge;

struct crm_surface {
    const crm_flex *flex;
    int triangle_count, node_count, edge_count;
    crm_surface_triangle *triangles; // (triangle_count)
    crm_surface_edge *edges;         // (edge_count)
    int *nodes;                      // bodies at the surface, ascending (node_count)
    int *first;                      // of a node's neighbours on the surface (node_count + 1)
    int *neighbours;                 // bodies
    double edge;                     // mean, m
    // Where it is.
    carom_vec3 low, high;
    double speed; // of its fastest node, m/s
    // Once others come near: triangles by cells of a grid.
    double gridded; // what triangles of a cell are within, m; below 0: there is no grid yet
    int cells[3];
    double cell;
    carom_vec3 origin;
    int *cell_start, *cell_list;
    int *sharp, sharp_count; // edges (edge_count)
    bool *is_sharp;          // (edge_count)
    int *near, *seen, sight; // edges that were found, and which of them already (edge_count)
};

// Deeper than this share of an edge nothing is pushed: it would not be known out of which side.
#define CRM_SURFACE_DEEPEST 0.5
// How far away contacts are looked for at most, in edges.
#define CRM_SURFACE_FARTHEST 2.0
// A neighbour on its own surface that is nearer to the other one by more than this share of its distance keeps a point
// from being the one that touches.
#define CRM_SURFACE_CONE 0.2

// ---- surface_place.c

// Where the surface is, and how fast.
void crm_surface_place(const crm_flex_surfaces *all, const crm_motion *motions, crm_surface *s);
// Normals, sharp edges, and every triangle in all cells that it is within `margin` of, or more: a point looks into its
// own cell only. False: no memory.
bool crm_surface_grid(crm_flex_surfaces *all, const crm_motion *motions, double margin, crm_surface *s);
// Whether a box is nowhere nearer than `margin`.
bool crm_surface_is_apart(const crm_surface *s, carom_vec3 low, carom_vec3 high, double margin);
// Triangles of the cell that a point is in: from *list on.
int crm_surface_triangles_at(const crm_surface *s, carom_vec3 x, const int **list);
// Edges that may be within the grid's margin of the straight way between two points, each once, in s->near: how many.
int crm_surface_edges_near(crm_surface *s, carom_vec3 from, carom_vec3 to);

static inline carom_vec3 crm_lower_corner(carom_vec3 a, carom_vec3 b) {
    return crm_vec3(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z);
}

static inline carom_vec3 crm_upper_corner(carom_vec3 a, carom_vec3 b) {
    return crm_vec3(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z);
}

// ---- a convex part of a rigid body, where it is

typedef struct crm_rigid_part {
    int body;
    const crm_polytope *polytope;
    carom_pose pose;
    const carom_shape *compound; // whose part it is; NULL: none
    int part;
    carom_pose compound_pose;
} crm_rigid_part;

// Whether another part of the same compound covers a point of this one, seen along `outward`.
bool crm_rigid_part_is_covered(const crm_rigid_part *part, carom_vec3 point, carom_vec3 outward);
// Whether a point lies over the part, seen along `outward`, where the part ends at `at`.
bool crm_rigid_part_is_under(const crm_rigid_part *part, carom_vec3 point, carom_vec3 at, carom_vec3 outward);

// ---- surface_points.c

// What touches a triangle: a node, or a corner of a rigid body.
typedef struct crm_touching_point {
    int body;
    carom_vec3 point;
    double skin;
    int neighbour_count;
    const carom_vec3 *neighbours; // of the point on its own surface
    double friction;
    const crm_rigid_part *rigid; // NULL: a node
} crm_touching_point;

enum { CRM_SURFACE_MOST_MARKS = 1000000000 }; // before they begin anew

enum { CRM_SURFACE_NEIGHBOURS = 64 }; // that are looked at; more are rare

// Its contact with the surface, if there is one. False: no memory.
bool crm_surface_touch_point(crm_flex_surfaces *all, const crm_surface *s, const crm_motion *motions,
                             const crm_touching_point *who, double margin);
// Marks these nodes and two rings of neighbours around each, which they cannot touch; all others no more.
void crm_surface_stamp(crm_flex_surfaces *all, const crm_surface *s, int count, const int *nodes);
// The nodes of p and the surface of q, which may be the same one. False: no memory.
bool crm_surface_touch_nodes(crm_flex_surfaces *all, const crm_surface *p, const crm_surface *q,
                             const crm_motion *motions, double margin);

// ---- surface_edges.c

// The edges of p and those of q, which may be the same one; after their nodes. False: no memory.
bool crm_surface_touch_edges(crm_flex_surfaces *all, crm_surface *p, crm_surface *q, const crm_motion *motions,
                             double margin);
// Those of a rigid body. False: no memory.
bool crm_surface_touch_rigid_edges(crm_flex_surfaces *all, crm_surface *s, const crm_rigid_part *part,
                                   const crm_motion *motions, double margin);
// Whether two faces of these outward normals meet at a sharp edge; `inward`: along the first one, away from the edge.
bool crm_edge_is_sharp(carom_vec3 normal, carom_vec3 inward, carom_vec3 other);

// ---- surface_shapes.c

// Corners and edges of rigid bodies. False: no memory.
bool crm_surface_touch_shapes(crm_flex_surfaces *all, crm_surface *s, const crm_motion *motions, double step);

// ---- surface_search.c

// How far away contacts are looked for, of what approaches at that speed, m.
double crm_surface_margin(double speed, double step, double edge);
double crm_surface_friction(const carom_model *model, carom_material a, carom_material b);
// Adds a contact to those found, but for one that moves nothing. False: no memory.
bool crm_surface_add(crm_flex_surfaces *all, const crm_surface_contact *contact);

#endif
