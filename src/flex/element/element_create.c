// SPDX-License-Identifier: MIT
// Quadrature points with weights and rest gradients, once for a mesh.
#include "flex/element/element.h"

// dN_a/dl_j of the barycentric coordinates l_1, l_2, l_3 at l (four numbers that sum up to one).
static void shape_gradients(int nodes, const double l[4], carom_vec3 *out) {
    static const carom_vec3 dl[4] = {{-1.0, -1.0, -1.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    static const int edge[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};
    for (int c = 0; c < 4; c++) out[c] = nodes == 4 ? dl[c] : crm_scale(4.0 * l[c] - 1.0, dl[c]);
    for (int m = 4; m < nodes; m++) {
        int i = edge[m - 4][0], j = edge[m - 4][1];
        out[m] = crm_scale(4.0, crm_madd(crm_scale(l[i], dl[j]), l[j], dl[i]));
    }
}

// The barycentric coordinates of a quadrature point: the middle, or one near each corner.
static void barycentric(int points, int point, double l[4]) {
    static const double at_corner = 0.58541019662496852, elsewhere = 0.1381966011250105; // (5 + 3 sqrt 5)/20, ...
    for (int c = 0; c < 4; c++) l[c] = points == 1 ? 0.25 : c == point ? at_corner : elsewhere;
}

// Weight and rows of gradients of one point. dX/dl has the columns dX/dl_j, so that G = (dX/dl)^-T dN/dl.
static void fill_point(const crm_elastic *elastic, const int32_t *node, int point, double *weight, double *gradient) {
    double l[4];
    carom_vec3 dn[CRM_ELEMENT_NODES_MOST];
    carom_mat3 map = crm_mat3_zero(), inverse;
    const carom_vec3 *rest = elastic->mesh->node;
    barycentric(elastic->points, point, l);
    shape_gradients(elastic->nodes, l, dn);
    for (int a = 1; a < elastic->nodes; a++) {
        carom_vec3 d = crm_sub(rest[node[a]], rest[node[0]]);
        map = crm_mat3_add(map, crm_outer(d, dn[a]));
    }
    (void)crm_mat3_inverse(map, &inverse);
    *weight = crm_dot(map.x, crm_cross(map.y, map.z)) / (elastic->points == 1 ? 6.0 : 24.0);
    for (int a = 0; a < elastic->nodes; a++) {
        carom_vec3 g = crm_mat3_apply_t(inverse, dn[a]);
        gradient[a] = g.x;
        gradient[elastic->width + a] = g.y;
        gradient[2 * elastic->width + a] = g.z;
    }
}

crm_elastic *crm_elastic_create(const carom_mesh *mesh, const carom_elastic_def *def, crm_arena *arena) {
    crm_elastic *elastic = CRM_ARENA_ZEROED(arena, crm_elastic, 1);
    if (elastic == NULL) return NULL;
    elastic->mesh = mesh;
    elastic->def = *def;
    elastic->nodes = CAROM_ELEMENT_NODES(mesh->order);
    elastic->points = CAROM_ELEMENT_POINTS(mesh->order);
    elastic->width = (elastic->nodes + 3) / 4 * 4;
    ptrdiff_t points = (ptrdiff_t)mesh->element_count * elastic->points, row = 3 * elastic->width;
    double *weight = CRM_ARENA_ARRAY(arena, double, points);
    double *gradient = CRM_ARENA_ZEROED(arena, double, points *row);
    double *mass = CRM_ARENA_ARRAY(arena, double, mesh->node_count);
    if (weight == NULL || gradient == NULL || mass == NULL) return NULL;
    for (int e = 0; e < mesh->element_count; e++) {
        for (int q = 0; q < elastic->points; q++) {
            ptrdiff_t at = (ptrdiff_t)e * elastic->points + q;
            fill_point(elastic, crm_mesh_element(mesh, e), q, &weight[at], gradient + at * row);
        }
    }
    carom_mesh_masses(mesh, def->density, mass);
    elastic->weight = weight;
    elastic->gradient = gradient;
    elastic->mass = mass;
    return crm_element_graph(elastic, arena) ? elastic : NULL;
}

const double *crm_elastic_masses(const crm_elastic *elastic) {
    return elastic->mass;
}
