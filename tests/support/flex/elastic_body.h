// SPDX-License-Identifier: MIT
// A small flexible body for tests: a box of distorted elements at positions of its own, and its quantities as plain
// arrays.
#ifndef TEST_SUPPORT_ELASTIC_BODY_H
#define TEST_SUPPORT_ELASTIC_BODY_H

#include "flex/elastic.h"

typedef struct elastic_body {
    carom_mesh *mesh;
    carom_elastic_def def;
    crm_arena arena;
    crm_elastic *elastic;
    int count;            // nodes
    carom_vec3 *position; // (count)
} elastic_body;

// A box of two cells, its nodes moved at rest by a few hundredths of a metre, lambda 3 and mu 2 Pa. Positions are those
// at rest.
elastic_body elastic_body_make(carom_elastic_model model, int order, double viscosity);
void elastic_body_free(elastic_body *body);

// x = F X, and then every coordinate of every node by up to `spread`.
void elastic_body_deform(elastic_body *body, carom_mat3 f, double spread, unsigned seed);

crm_node_view elastic_body_view(const carom_vec3 *list);
crm_node_sum elastic_body_sum(carom_vec3 *list);

double elastic_body_energy(const elastic_body *body);
void elastic_body_forces(const elastic_body *body, carom_vec3 *out);

// A matrix on the graph, all zero, symmetric or not; memory from the body.
crm_block_matrix elastic_body_matrix(elastic_body *body, bool symmetric);
// Its entry, of either triangle.
double elastic_body_entry(const crm_block_matrix *matrix, int row, int column);

// Coordinate `index` of a list of vectors.
double *elastic_body_number(carom_vec3 *list, int index);

#endif
