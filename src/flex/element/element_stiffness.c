// SPDX-License-Identifier: MIT
// Stiffness: the derivative of stress at each point, contracted with the rest gradients of two nodes.
#include "flex/element/element.h"

#include <string.h>

#include "flex/element/material.h"

void crm_element_clear_blocks(const crm_elastic *elastic, crm_element_blocks *blocks) {
    for (int a = 0; a < elastic->nodes; a++)
        memset(blocks->block[a], 0, (size_t)elastic->nodes * sizeof blocks->block[a][0]);
}

// weight A . G_b: for each direction k of node b's motion the change of P, by columns.
static void change_of_stress(const crm_tangent *tangent, const double *gradient, int width, int b, double weight,
                             carom_mat3 out[3]) {
    double x = weight * gradient[b], y = weight * gradient[width + b], z = weight * gradient[2 * width + b];
    for (int k = 0; k < 3; k++) {
        carom_mat3 sum = crm_mat3_scale(x, tangent->column[0][k]);
        sum = crm_mat3_add(sum, crm_mat3_scale(y, tangent->column[1][k]));
        out[k] = crm_mat3_add(sum, crm_mat3_scale(z, tangent->column[2][k]));
    }
}

void crm_element_contract(const crm_elastic *elastic, int element, int point, double weight, const crm_tangent *tangent,
                          bool symmetric, crm_element_blocks *blocks) {
    const int32_t *node = crm_mesh_element(elastic->mesh, element);
    const double *gradient = crm_element_gradient(elastic, element, point);
    int width = elastic->width;
    for (int b = 0; b < elastic->nodes; b++) {
        carom_mat3 change[3];
        change_of_stress(tangent, gradient, width, b, weight, change);
        for (int a = 0; a < elastic->nodes; a++) {
            if (symmetric && node[a] < node[b]) continue;
            carom_vec3 g = crm_vec3(gradient[a], gradient[width + a], gradient[2 * width + a]);
            for (int k = 0; k < 3; k++) {
                carom_vec3 df = crm_mat3_apply(change[k], g);
                double *out = &blocks->block[a][b][3 * k];
                out[0] += df.x;
                out[1] += df.y;
                out[2] += df.z;
            }
        }
    }
}

void crm_element_scatter_blocks(const crm_elastic *elastic, int element, const crm_element_blocks *blocks,
                                bool symmetric, crm_elastic_place place) {
    const int32_t *node = crm_mesh_element(elastic->mesh, element);
    const int *pair = elastic->pair_edge + (ptrdiff_t)element * (elastic->nodes * (elastic->nodes - 1) / 2);
    const crm_block_matrix *matrix = place.matrix;
    for (int a = 0; a < elastic->nodes; a++) {
        for (int b = 0; b < elastic->nodes; b++) {
            double *to;
            if (a == b) {
                to = matrix->diagonal + matrix->node_block[place.first_node + node[a]];
            } else {
                int edge = place.first_edge + (a > b ? pair[a * (a - 1) / 2 + b] : pair[b * (b - 1) / 2 + a]);
                if (node[a] > node[b])
                    to = matrix->edges + matrix->edge_block[edge];
                else if (symmetric)
                    continue;
                else
                    to = matrix->mirror + matrix->edge_block[edge];
            }
            for (int i = 0; i < 9; i++) to[i] += blocks->block[a][b][i];
        }
    }
}

void crm_elastic_add_stiffness(const crm_elastic *elastic, crm_node_view position, double scale, double damping,
                               bool definite, crm_elastic_place place) {
    bool damped = damping != 0.0 && elastic->def.viscosity > 0.0;
    for (int e = 0; e < elastic->mesh->element_count; e++) {
        carom_vec3 d[CRM_ELEMENT_NODES_MOST];
        crm_element_blocks blocks;
        crm_tangent tangent;
        crm_element_differences(crm_mesh_element(elastic->mesh, e), elastic->nodes, position, d);
        crm_element_clear_blocks(elastic, &blocks);
        for (int q = 0; q < elastic->points; q++) {
            const double *gradient = crm_element_gradient(elastic, e, q);
            double weight = crm_element_weight(elastic, e, q);
            carom_mat3 f = crm_element_deformation(gradient, elastic->nodes, elastic->width, d);
            if (crm_material_tangent(&elastic->def, f, definite, &tangent))
                crm_element_contract(elastic, e, q, scale * weight, &tangent, true, &blocks);
            if (!damped) continue;
            crm_viscous_tangent(&elastic->def, f, &tangent);
            crm_element_contract(elastic, e, q, damping * weight, &tangent, true, &blocks);
        }
        crm_element_scatter_blocks(elastic, e, &blocks, true, place);
    }
}
