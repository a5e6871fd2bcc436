// SPDX-License-Identifier: MIT
// The calls of carom/mesh.h that ask for masses, energies, forces and stiffness of a mesh, without a model.
#include "flex/element/mesh_elastic.h"

#include "base/fail.h"
#include "flex/mesh/mesh_build.h"

carom_status crm_mesh_elastic_open(const carom_mesh *mesh, const carom_elastic_def *def, const carom_vec3 *positions,
                                   crm_mesh_elastic *out, carom_error *error) {
    carom_status status = carom_elastic_check(def, error);
    if (status != CAROM_OK) return status;
    for (int n = 0; n < mesh->node_count; n++) {
        carom_vec3 p = positions[n];
        if (!crm_vec3_finite(p))
            return crm_refuse(error, "positions[%d] is (%g, %g, %g), must be finite", n, p.x, p.y, p.z);
    }
    crm_arena_init(&out->arena, &mesh->arena.allocator);
    out->position = (crm_node_view){positions, sizeof *positions};
    out->elastic = crm_elastic_create(mesh, def, &out->arena);
    if (out->elastic != NULL) return CAROM_OK;
    crm_arena_free(&out->arena);
    return crm_fail_memory(error, "elements of a mesh", 0);
}

void crm_mesh_elastic_close(crm_mesh_elastic *open) {
    crm_arena_free(&open->arena);
}

carom_status crm_mesh_elastic_held(crm_mesh_elastic *open, int count, const int32_t *fixed, bool **held,
                                   carom_error *error) {
    int nodes = open->elastic->mesh->node_count;
    if (count < 0) return crm_refuse(error, "fixed_count is %d, must not be negative", count);
    if (count > 0) CRM_NEED(fixed, error);
    *held = CRM_ARENA_ZEROED(&open->arena, bool, nodes);
    if (*held == NULL) return crm_fail_memory(error, "held nodes of a mesh", (size_t)nodes);
    for (int i = 0; i < count; i++) {
        if (fixed[i] < 0 || fixed[i] >= nodes)
            return crm_refuse(error, "fixed[%d] is node %d; the mesh has nodes 0 to %d", i, (int)fixed[i], nodes - 1);
        (*held)[fixed[i]] = true;
    }
    return CAROM_OK;
}

// A quarter of an element's mass at each of 4 nodes; of 10 (Hinton, Rock and Zienkiewicz) 1/36 at corners and 4/27 at
// middles.
void carom_mesh_masses(const carom_mesh *mesh, double density, double *out) {
    double corner = mesh->order == 1 ? 0.25 : 1.0 / 36.0, middle = 4.0 / 27.0;
    for (int n = 0; n < mesh->node_count; n++) out[n] = 0.0;
    for (int e = 0; e < mesh->element_count; e++) {
        const int32_t *node = crm_mesh_element(mesh, e);
        double mass = density * crm_element_volume(mesh->order, mesh->node, node);
        for (int a = 0; a < CAROM_ELEMENT_NODES(mesh->order); a++) out[node[a]] += mass * (a < 4 ? corner : middle);
    }
}

static carom_status refuse_inverted(const carom_elastic_def *elastic, const crm_elastic_result *result,
                                    carom_error *error) {
    return crm_refuse(error, "element %d is inverted, det F = %g; %s has no energy there: move its nodes apart",
                      result->worst_element, result->least_determinant, carom_elastic_model_name(elastic->model));
}

carom_status crm_mesh_elastic_whole(const crm_mesh_elastic *open, carom_error *error) {
    crm_node_view at_rest = {0};
    crm_node_sum none = {0};
    crm_elastic_result result = crm_elastic_evaluate(open->elastic, open->position, at_rest, none, none);
    return result.inverted ? refuse_inverted(&open->elastic->def, &result, error) : CAROM_OK;
}

carom_status carom_mesh_evaluate(const carom_mesh *mesh, const carom_elastic_def *elastic, const carom_vec3 *positions,
                                 double *energy, carom_vec3 *forces, carom_elastic_point *points, carom_error *error) {
    CRM_NEED(mesh, error);
    CRM_NEED(positions, error);
    CRM_NEED(energy, error);
    crm_mesh_elastic open;
    crm_node_view at_rest = {0};
    crm_node_sum force = {forces, sizeof *forces}, none = {0};
    carom_status status = crm_mesh_elastic_open(mesh, elastic, positions, &open, error);
    if (status != CAROM_OK) return status;
    for (int n = 0; forces != NULL && n < mesh->node_count; n++) forces[n] = crm_vec3_zero();
    crm_elastic_result result = crm_elastic_evaluate(open.elastic, open.position, at_rest, force, none);
    *energy = result.energy;
    if (points != NULL) crm_elastic_points(open.elastic, open.position, points);
    if (result.inverted) status = refuse_inverted(elastic, &result, error);
    crm_mesh_elastic_close(&open);
    return status;
}
