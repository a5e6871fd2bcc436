// SPDX-License-Identifier: MIT
// Finite elements of one flexible body: energies, forces, stiffness and stress at given positions of its nodes
// (docs/math.md 15).
//
// The room flex/: meshes, from lattices, arrays and files, with their surfaces and node sets; materials; elements.
// Meshes and positions enter; energies, forces, stiffness blocks, stresses and stable steps leave, for model/, which
// makes bodies of the nodes, and for step/. It knows neither.
#ifndef CRM_FLEX_ELASTIC_H
#define CRM_FLEX_ELASTIC_H

#include "base/arena.h"
#include "carom/flex.h"
#include "math/block/block_matrix.h"
#include "math/vec3.h"

// Vectors of all nodes in somebody else's records, such as positions in motions.
typedef struct crm_node_view {
    const void *first; // the first node's carom_vec3
    size_t stride;     // bytes from one to the next
} crm_node_view;

static inline carom_vec3 crm_node_at(crm_node_view view, int node) {
    return *(const carom_vec3 *)(const void *)((const char *)view.first + (size_t)node * view.stride);
}

// The same to be added to.
typedef struct crm_node_sum {
    void *first;
    size_t stride;
} crm_node_sum;

static inline void crm_node_add(crm_node_sum sum, int node, carom_vec3 v) {
    carom_vec3 *at = (carom_vec3 *)(void *)((char *)sum.first + (size_t)node * sum.stride);
    *at = crm_add(*at, v);
}

// A mesh with a material: what elements need, made once, read-only afterwards.
typedef struct crm_elastic crm_elastic;

// Memory from `arena`, NULL when there is none; the mesh must outlive it. The definition must have passed
// carom_elastic_check.
crm_elastic *crm_elastic_create(const carom_mesh *mesh, const carom_elastic_def *def, crm_arena *arena);

// Lumped masses, kg (node_count); live with `elastic`.
const double *crm_elastic_masses(const crm_elastic *elastic);

// Nodes of size 3; an edge for every two nodes that share an element, {row > column}, sorted by row, then column. Its
// arrays live with `elastic`.
crm_block_graph crm_elastic_graph(const crm_elastic *elastic);

// What an evaluation came to.
typedef struct crm_elastic_result {
    double energy;            // J; of discrete forces its change, to rounding of that change
    double dissipated;        // W: power of the viscous forces, never above 0
    double least_determinant; // of F over all quadrature points; of discrete forces after the step
    int worst_element;        // that has it
    bool inverted;            // an element has no energy: neither energy nor forces are whole
    int inverted_count;       // elements that are inside out at a point; not of discrete forces
} crm_elastic_result;

// Adds forces -dV/dx to `force` (first NULL: energy alone) and, of materials with viscosity, the viscous ones to
// `viscous` (first NULL: not wanted) at these velocities (first NULL: at rest). In the order of the elements: the same
// bits always.
crm_elastic_result crm_elastic_evaluate(const crm_elastic *elastic, crm_node_view position, crm_node_view velocity,
                                        crm_node_sum force, crm_node_sum viscous);

// Where the blocks of a flexible body are in a matrix that may have others before them.
typedef struct crm_elastic_place {
    crm_block_matrix *matrix;
    int first_node, first_edge;
} crm_elastic_place;

// d2V/dx2 times `scale`, added to the blocks of a symmetric matrix on the graph. `definite`: negative eigenvalues of
// the stress derivative are left out, which makes it positive semidefinite. `damping` times minus the derivative of the
// viscous forces by velocities is added likewise. Elements without energy add nothing of the first.
void crm_elastic_add_stiffness(const crm_elastic *elastic, crm_node_view position, double scale, double damping,
                               bool definite, crm_elastic_place place);

// A step of `duration` seconds between two configurations.
typedef struct crm_elastic_step {
    crm_node_view before, after;
    double duration; // s, for the viscosity
    bool midpoint;   // the stress of the mean positions in place of the one that has the energy exact
} crm_elastic_step;

// The energy-momentum step (docs/math.md 15.4): adds forces between two configurations whose work is exactly the change
// of the energy and what viscosity takes, and whose moment about any point vanishes at the mean positions.
crm_elastic_result crm_elastic_discrete_forces(const crm_elastic *elastic, const crm_elastic_step *step,
                                               crm_node_sum force);
// Minus their derivative by the positions after the step, times `scale`, added to an unsymmetric matrix on the graph.
void crm_elastic_add_discrete_stiffness(const crm_elastic *elastic, const crm_elastic_step *step, double scale,
                                        crm_elastic_place place);

// Quantities of all quadrature points, element by element.
void crm_elastic_points(const crm_elastic *elastic, crm_node_view position, carom_elastic_point *out);

// A number a node, of the mesh that the elements are of.
carom_status crm_elastic_field(const carom_mesh *mesh, const crm_elastic *elastic, crm_node_view position,
                               carom_flex_field_kind field, double *out, carom_error *error);

// The largest natural rate, rad/s, at these positions: that of d2V/dx2 and the lumped masses, `held` nodes (NULL: none)
// left out; 0 where everything is held. Its square has a relative error of at most `accuracy`. Explicit steps are
// stable below 2 / rate. CAROM_NOT_CONVERGED where that was not reached, with the best value.
carom_status crm_elastic_largest_rate(const crm_elastic *elastic, crm_node_view position, const bool *held,
                                      double accuracy, crm_arena *scratch, double *rate, carom_error *error);

#endif
