// SPDX-License-Identifier: MIT
// Numbers at the nodes of a flexible body, for colours and plots: stresses and determinants of the quadrature points
// around a node, displacements from the rigid motion of the rest positions that fits best (Kabsch).
#include <math.h>

#include "base/fail.h"
#include "carom/flex.h"
#include "flex/elastic.h"
#include "flex/mesh/mesh.h"
#include "math/svd3.h"

const char *carom_flex_field_name(carom_flex_field_kind field) {
    static const char *const name[CAROM_FLEX_FIELD_COUNT] = {[CAROM_FLEX_FIELD_VON_MISES] = "von_mises",
                                                             [CAROM_FLEX_FIELD_DETERMINANT] = "determinant",
                                                             [CAROM_FLEX_FIELD_DISPLACEMENT] = "displacement"};
    return (int)field >= 0 && field < CAROM_FLEX_FIELD_COUNT ? name[field] : "?";
}

static double tetrahedron_volume(const carom_vec3 *node, const int32_t *corner) {
    carom_vec3 x = node[corner[0]];
    carom_vec3 a = crm_sub(node[corner[1]], x), b = crm_sub(node[corner[2]], x), c = crm_sub(node[corner[3]], x);
    return crm_dot(a, crm_cross(b, c)) / 6.0;
}

// The mean over the points around by the rest volumes of their elements.
static void average_stresses(const carom_mesh *mesh, const carom_elastic_point *points, double *weight, double *out) {
    int corners = CAROM_ELEMENT_NODES(mesh->order), count = CAROM_ELEMENT_POINTS(mesh->order);
    for (int n = 0; n < mesh->node_count; n++) weight[n] = out[n] = 0.0;
    for (int e = 0; e < mesh->element_count; e++) {
        const int32_t *node = crm_mesh_element(mesh, e);
        double volume = tetrahedron_volume(mesh->node, node), stress = 0.0;
        for (int q = 0; q < count; q++) stress += points[(ptrdiff_t)count * e + q].von_mises / count;
        for (int a = 0; a < corners; a++) out[node[a]] += volume * stress, weight[node[a]] += volume;
    }
    for (int n = 0; n < mesh->node_count; n++) out[n] /= weight[n];
}

static void least_determinants(const carom_mesh *mesh, const carom_elastic_point *points, double *out) {
    int corners = CAROM_ELEMENT_NODES(mesh->order), count = CAROM_ELEMENT_POINTS(mesh->order);
    for (int n = 0; n < mesh->node_count; n++) out[n] = INFINITY;
    for (int e = 0; e < mesh->element_count; e++) {
        const int32_t *node = crm_mesh_element(mesh, e);
        double least = INFINITY;
        for (int q = 0; q < count; q++) least = fmin(least, points[(ptrdiff_t)count * e + q].determinant);
        for (int a = 0; a < corners; a++) out[node[a]] = fmin(out[node[a]], least);
    }
}

static void find_displacements(const carom_mesh *mesh, crm_node_view position, double *mass, double *out) {
    carom_vec3 rest = crm_vec3_zero(), now = crm_vec3_zero(), stretches;
    carom_mat3 moment = crm_mat3_zero(), u, v;
    double total = 0.0;
    carom_mesh_masses(mesh, 1.0, mass);
    for (int n = 0; n < mesh->node_count; n++) {
        total += mass[n];
        rest = crm_madd(rest, mass[n], mesh->node[n]);
        now = crm_madd(now, mass[n], crm_node_at(position, n));
    }
    rest = crm_scale(1.0 / total, rest);
    now = crm_scale(1.0 / total, now);
    for (int n = 0; n < mesh->node_count; n++) {
        carom_vec3 from = crm_scale(mass[n], crm_sub(mesh->node[n], rest));
        moment = crm_mat3_add(moment, crm_outer(crm_sub(crm_node_at(position, n), now), from));
    }
    if (!crm_svd3(moment, &u, &stretches, &v)) u = v = crm_mat3_identity();
    carom_mat3 rotation = crm_mat3_mul_nt(u, v);
    for (int n = 0; n < mesh->node_count; n++) {
        carom_vec3 carried = crm_add(now, crm_mat3_apply(rotation, crm_sub(mesh->node[n], rest)));
        out[n] = crm_distance(crm_node_at(position, n), carried);
    }
}

carom_status crm_elastic_field(const carom_mesh *mesh, const crm_elastic *elastic, crm_node_view position,
                               carom_flex_field_kind field, double *out, carom_error *error) {
    bool stressed = field == CAROM_FLEX_FIELD_VON_MISES || field == CAROM_FLEX_FIELD_DETERMINANT;
    if (!stressed && field != CAROM_FLEX_FIELD_DISPLACEMENT)
        return crm_refuse(error, "field: there is no field %d; take one of carom_flex_field_kind", (int)field);
    crm_arena arena;
    crm_arena_init(&arena, &mesh->arena.allocator);
    ptrdiff_t count = stressed ? (ptrdiff_t)CAROM_ELEMENT_POINTS(mesh->order) * mesh->element_count : 0;
    carom_elastic_point *points = CRM_ARENA_ARRAY(&arena, carom_elastic_point, count);
    double *weight = CRM_ARENA_ARRAY(&arena, double, mesh->node_count);
    carom_status status = CAROM_OK;
    if (crm_arena_refused(&arena)) status = crm_fail_memory(error, "a field", (size_t)count * sizeof *points);
    if (status == CAROM_OK && stressed) crm_elastic_points(elastic, position, points);
    if (status == CAROM_OK && field == CAROM_FLEX_FIELD_VON_MISES) average_stresses(mesh, points, weight, out);
    if (status == CAROM_OK && field == CAROM_FLEX_FIELD_DETERMINANT) least_determinants(mesh, points, out);
    if (status == CAROM_OK && field == CAROM_FLEX_FIELD_DISPLACEMENT) find_displacements(mesh, position, weight, out);
    crm_arena_free(&arena);
    return status;
}

carom_status carom_mesh_field(const carom_mesh *mesh, const carom_elastic_def *elastic, const carom_vec3 *positions,
                              carom_flex_field_kind field, double *out, carom_error *error) {
    CRM_NEED(mesh, error);
    CRM_NEED(elastic, error);
    CRM_NEED(positions, error);
    CRM_NEED(out, error);
    carom_status status = carom_elastic_check(elastic, error);
    if (status != CAROM_OK) return status;
    crm_arena arena;
    crm_arena_init(&arena, &mesh->arena.allocator);
    const crm_elastic *made = crm_elastic_create(mesh, elastic, &arena);
    if (made == NULL)
        status = crm_fail_memory(error, "a field of a mesh", (size_t)mesh->element_count * sizeof(carom_elastic_point));
    else
        status = crm_elastic_field(mesh, made, (crm_node_view){positions, sizeof *positions}, field, out, error);
    crm_arena_free(&arena);
    return status;
}
