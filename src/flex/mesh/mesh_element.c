// SPDX-License-Identifier: MIT
// One element at rest: its edges and faces, its volume, its size (docs/flex.md).
#include "flex/mesh/mesh_build.h"
#include "math/vec3.h"

const int crm_tetrahedron_edge[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};

const int crm_tetrahedron_face[4][6] = {{0, 2, 1, 6, 5, 4}, {0, 1, 3, 4, 8, 7}, {0, 3, 2, 7, 9, 6}, {1, 2, 3, 5, 9, 8}};

static double determinant(carom_vec3 a, carom_vec3 b, carom_vec3 c) {
    return crm_dot(crm_cross(a, b), c);
}

// dX/dl by the coordinates 1, 2 and 3, with l_0 = 1 - l_1 - l_2 - l_3. All about corner 0, which costs no digits where
// a mesh is far from its origin.
double crm_element_determinant(int order, const carom_vec3 *node, const int32_t *element, const double l[4]) {
    carom_vec3 x[10] = {{0.0, 0.0, 0.0}}, by[4] = {{0.0, 0.0, 0.0}};
    for (int i = 1; i < CAROM_ELEMENT_NODES(order); i++) x[i] = crm_sub(node[element[i]], node[element[0]]);
    if (order == 1) return determinant(x[1], x[2], x[3]);
    for (int i = 0; i < 4; i++) by[i] = crm_scale(4.0 * l[i] - 1.0, x[i]);
    for (int edge = 0; edge < 6; edge++) {
        int a = crm_tetrahedron_edge[edge][0], b = crm_tetrahedron_edge[edge][1];
        by[a] = crm_madd(by[a], 4.0 * l[b], x[4 + edge]);
        by[b] = crm_madd(by[b], 4.0 * l[a], x[4 + edge]);
    }
    return determinant(crm_sub(by[1], by[0]), crm_sub(by[2], by[0]), crm_sub(by[3], by[0]));
}

double crm_element_volume(int order, const carom_vec3 *node, const int32_t *element) {
    const double near = (5.0 + 3.0 * sqrt(5.0)) / 20.0, far = (5.0 - sqrt(5.0)) / 20.0;
    int points = CAROM_ELEMENT_POINTS(order);
    double sum = 0.0;
    for (int point = 0; point < points; point++) {
        double l[4] = {far, far, far, far};
        l[point] = near;
        sum += crm_element_determinant(order, node, element, l);
    }
    return sum / (6.0 * points);
}

double crm_element_size(const carom_vec3 *node, const int32_t *element) {
    double sum = 0.0;
    for (int edge = 0; edge < 6; edge++) {
        const int *corner = crm_tetrahedron_edge[edge];
        sum += crm_length_squared(crm_sub(node[element[corner[1]]], node[element[corner[0]]]));
    }
    return sqrt(sum / 6.0);
}
