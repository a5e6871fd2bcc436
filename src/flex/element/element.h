// SPDX-License-Identifier: MIT
// The inside of crm_elastic: quadrature points with their weights and rest gradients, and the blocks of an element in
// the matrix of its body (docs/math.md 15.1).
//
// The room element/: a mesh and a material enter; energies, forces, stiffness, stresses, stable steps and modes leave
// by flex/elastic.h, for model/ and step/, and by carom/mesh.h.
#ifndef CRM_FLEX_ELEMENT_H
#define CRM_FLEX_ELEMENT_H

#include "flex/elastic.h"
#include "flex/mesh/mesh.h"
#include "math/mat3.h"

enum { CRM_ELEMENT_NODES_MOST = 10, CRM_ELEMENT_WIDTH_MOST = 12 };

struct crm_elastic {
    const carom_mesh *mesh;
    carom_elastic_def def;
    int nodes;              // of an element: 4 or 10
    int points;             // of an element: 1 or 4
    int width;              // of a row of gradients, `nodes` rounded up to whole vectors: 4 or 12
    const double *weight;   // m^3 (element_count * points)
    const double *gradient; // dN_a/dX, a row each of x, y, z, 1/m (element_count * points * 3 * width)
    const double *mass;     // kg (node_count)
    crm_block_graph graph;
    const int *pair_edge; // edge of an element's nodes a > b at a (a - 1)/2 + b (element_count * nodes (nodes - 1)/2)
};

static inline const double *crm_element_gradient(const crm_elastic *elastic, int element, int point) {
    return elastic->gradient + ((ptrdiff_t)element * elastic->points + point) * 3 * elastic->width;
}

static inline double crm_element_weight(const crm_elastic *elastic, int element, int point) {
    return elastic->weight[(ptrdiff_t)element * elastic->points + point];
}

// Vectors of an element's nodes less that of its first one: no digits are lost far from the origin.
static inline void crm_element_differences(const int32_t *node, int nodes, crm_node_view view, carom_vec3 *out) {
    carom_vec3 origin = crm_node_at(view, node[0]);
    out[0] = crm_vec3_zero();
    for (int a = 1; a < nodes; a++) out[a] = crm_sub(crm_node_at(view, node[a]), origin);
}

// sum_a d_a G_a^T, which is F for differences of positions and dF/dt for those of velocities.
static inline carom_mat3 crm_element_deformation(const double *gradient, int nodes, int width, const carom_vec3 *d) {
    carom_mat3 f = crm_mat3_zero();
    for (int a = 1; a < nodes; a++) {
        f.x = crm_madd(f.x, gradient[a], d[a]);
        f.y = crm_madd(f.y, gradient[width + a], d[a]);
        f.z = crm_madd(f.z, gradient[2 * width + a], d[a]);
    }
    return f;
}

// Adds -weight P G_a to the forces on all nodes but the first.
static inline void crm_element_push(const double *gradient, int nodes, int width, double weight, carom_mat3 piola,
                                    carom_vec3 *force) {
    carom_mat3 p = crm_mat3_scale(-weight, piola);
    for (int a = 1; a < nodes; a++) {
        carom_vec3 f = crm_madd(force[a], gradient[a], p.x);
        f = crm_madd(f, gradient[width + a], p.y);
        force[a] = crm_madd(f, gradient[2 * width + a], p.z);
    }
}

// Adds an element's forces to those of the nodes. That on its first node is what makes their sum zero.
static inline void crm_element_scatter(const int32_t *node, int nodes, const carom_vec3 *force, crm_node_sum sum) {
    carom_vec3 total = crm_vec3_zero();
    for (int a = 1; a < nodes; a++) {
        crm_node_add(sum, node[a], force[a]);
        total = crm_add(total, force[a]);
    }
    crm_node_add(sum, node[0], crm_negate(total));
}

// The graph of nodes that share an element, and which edge each pair is; false without memory.
bool crm_element_graph(crm_elastic *elastic, crm_arena *arena);

// The derivative of a stress by a gradient at a point, dP_iJ/dF_kL: column[L][k] is dP for dF = e_k e_L^T.
typedef struct crm_tangent {
    carom_mat3 column[3][3];
} crm_tangent;

// Blocks K_ab of an element, by columns: (a, b) at block[a][b].
typedef struct crm_element_blocks {
    double block[CRM_ELEMENT_NODES_MOST][CRM_ELEMENT_NODES_MOST][9];
} crm_element_blocks;

// Adds weight G_a . A . G_b to the blocks; of symmetric ones to those with node[a] >= node[b] alone.
void crm_element_contract(const crm_elastic *elastic, int element, int point, double weight, const crm_tangent *tangent,
                          bool symmetric, crm_element_blocks *blocks);
void crm_element_clear_blocks(const crm_elastic *elastic, crm_element_blocks *blocks);
void crm_element_scatter_blocks(const crm_elastic *elastic, int element, const crm_element_blocks *blocks,
                                bool symmetric, crm_elastic_place place);

#endif
