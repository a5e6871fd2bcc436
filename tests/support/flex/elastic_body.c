// SPDX-License-Identifier: MIT
#include "support/flex/elastic_body.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "math/mat3.h"
#include "support/harness/check.h"

static carom_vec3 random_vector(crm_random *random, double size) {
    double x = crm_random_between(random, -size, size), y = crm_random_between(random, -size, size);
    return crm_vec3(x, y, crm_random_between(random, -size, size));
}

static carom_mesh *distorted_box(int order) {
    const int cells[3] = {2, 1, 1};
    carom_error error = {.text = ""};
    carom_mesh *box = NULL, *mesh = NULL;
    crm_random random = {.seed = 5};
    CHECK_INT(carom_mesh_create_box(crm_vec3(1.2, 0.7, 0.5), cells, order, NULL, &box, &error), CAROM_OK);
    int count = carom_mesh_node_count(box);
    carom_vec3 *nodes = calloc((size_t)count, sizeof *nodes);
    for (int n = 0; n < count; n++)
        nodes[n] = crm_add(carom_mesh_nodes(box)[n], random_vector(&random, order == 1 ? 0.06 : 0.02));
    carom_mesh_def def = carom_mesh_def_default();
    def.order = order;
    def.node_count = count;
    def.nodes = nodes;
    def.element_count = carom_mesh_element_count(box);
    def.elements = carom_mesh_elements(box);
    CHECK_INT(carom_mesh_create(&def, NULL, &mesh, &error), CAROM_OK);
    CHECK_TEXT(error.text, "");
    free(nodes);
    carom_mesh_destroy(box);
    return mesh;
}

elastic_body elastic_body_make(carom_elastic_model model, int order, double viscosity) {
    elastic_body body = {.mesh = distorted_box(order), .def = carom_elastic_def_default()};
    body.def.model = model;
    body.def.lambda = 3.0;
    body.def.mu = 2.0;
    body.def.density = 5.0;
    body.def.viscosity = viscosity;
    crm_arena_init(&body.arena, NULL);
    body.elastic = crm_elastic_create(body.mesh, &body.def, &body.arena);
    body.count = carom_mesh_node_count(body.mesh);
    body.position = CRM_ARENA_ARRAY(&body.arena, carom_vec3, body.count);
    memcpy(body.position, carom_mesh_nodes(body.mesh), (size_t)body.count * sizeof *body.position);
    return body;
}

void elastic_body_free(elastic_body *body) {
    crm_arena_free(&body->arena);
    carom_mesh_destroy(body->mesh);
}

void elastic_body_deform(elastic_body *body, carom_mat3 f, double spread, unsigned seed) {
    crm_random random = {.seed = seed};
    for (int n = 0; n < body->count; n++)
        body->position[n] = crm_add(crm_mat3_apply(f, carom_mesh_nodes(body->mesh)[n]), random_vector(&random, spread));
}

crm_node_view elastic_body_view(const carom_vec3 *list) {
    return (crm_node_view){list, sizeof *list};
}

crm_node_sum elastic_body_sum(carom_vec3 *list) {
    return (crm_node_sum){list, sizeof *list};
}

double elastic_body_energy(const elastic_body *body) {
    crm_node_view none = {0};
    crm_node_sum nobody = {0};
    return crm_elastic_evaluate(body->elastic, elastic_body_view(body->position), none, nobody, nobody).energy;
}

void elastic_body_forces(const elastic_body *body, carom_vec3 *out) {
    crm_node_view none = {0};
    crm_node_sum nobody = {0};
    memset(out, 0, (size_t)body->count * sizeof *out);
    (void)crm_elastic_evaluate(body->elastic, elastic_body_view(body->position), none, elastic_body_sum(out), nobody);
}

crm_block_matrix elastic_body_matrix(elastic_body *body, bool symmetric) {
    crm_block_graph graph = crm_elastic_graph(body->elastic);
    crm_block_matrix matrix = {0};
    carom_error error;
    CHECK_INT(crm_block_graph_check(&graph, &body->arena, &error), CAROM_OK);
    CHECK_INT(crm_block_matrix_create(&graph, symmetric, &body->arena, &matrix, &error), CAROM_OK);
    return matrix;
}

double elastic_body_entry(const crm_block_matrix *matrix, int row, int column) {
    int a = row / 3, b = column / 3, i = row % 3, k = column % 3;
    if (a == b) return matrix->diagonal[matrix->node_block[a] + 3 * k + i];
    int high = a > b ? a : b, low = a > b ? b : a;
    for (int e = 0; e < matrix->graph.edge_count; e++) {
        if (matrix->graph.edge[e].row != high || matrix->graph.edge[e].column != low) continue;
        ptrdiff_t at = matrix->edge_block[e];
        if (a > b) return matrix->edges[at + 3 * k + i];
        return matrix->mirror != NULL ? matrix->mirror[at + 3 * k + i] : matrix->edges[at + 3 * i + k];
    }
    return 0.0;
}

double *elastic_body_number(carom_vec3 *list, int index) {
    carom_vec3 *v = &list[index / 3];
    return index % 3 == 0 ? &v->x : index % 3 == 1 ? &v->y : &v->z;
}
