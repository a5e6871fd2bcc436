// SPDX-License-Identifier: MIT
// Boxes: volume, surface, symmetry, both orders.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/mesh.h"
#include "flex/mesh/mesh_build.h"
#include "math/vec3.h"
#include "support/harness/check.h"

static carom_mesh *box(carom_vec3 size, int x, int y, int z, int order) {
    carom_error error = {.text = ""};
    carom_mesh *mesh = NULL;
    CHECK_INT(carom_mesh_create_box(size, (int[]){x, y, z}, order, NULL, &mesh, &error), CAROM_OK);
    CHECK_TEXT(error.text, "");
    return mesh;
}

static double area(const carom_mesh *mesh) {
    int count;
    const carom_mesh_triangle *triangle = carom_mesh_surface(mesh, &count);
    const carom_vec3 *x = carom_mesh_nodes(mesh);
    double sum = 0.0;
    for (int i = 0; i < count; i++) {
        const int32_t *n = triangle[i].node;
        sum += 0.5 * crm_length(crm_cross(crm_sub(x[n[1]], x[n[0]]), crm_sub(x[n[2]], x[n[0]])));
    }
    return sum;
}

// By the divergence theorem: positive only if the triangles look outward.
static double enclosed(const carom_mesh *mesh) {
    int count;
    const carom_mesh_triangle *triangle = carom_mesh_surface(mesh, &count);
    const carom_vec3 *x = carom_mesh_nodes(mesh);
    double sum = 0.0;
    for (int i = 0; i < count; i++) {
        const int32_t *n = triangle[i].node;
        sum += crm_dot(x[n[0]], crm_cross(x[n[1]], x[n[2]])) / 6.0;
    }
    return sum;
}

// Corners minus edges plus faces of the surface; every edge is of two triangles, once in each direction.
static int euler_characteristic(const carom_mesh *mesh) {
    int count, nodes = carom_mesh_node_count(mesh), corners = 0;
    const carom_mesh_triangle *triangle = carom_mesh_surface(mesh, &count);
    bool *used = calloc((size_t)nodes, sizeof *used);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            int from = triangle[i].node[k], to = triangle[i].node[(k + 1) % 3], back = 0;
            for (int m = 0; m < count; m++)
                for (int j = 0; j < 3; j++) back += triangle[m].node[j] == to && triangle[m].node[(j + 1) % 3] == from;
            CHECK_INT(back, 1);
            if (!used[from]) used[from] = true, corners++;
        }
    free(used);
    return corners - 3 * count / 2 + count;
}

// Of sums of some thousand terms below 3.
static const double rounding = 1e-13;

TEST(box_fills_its_size) {
    for (int order = 1; order <= 2; order++)
        for (int n = 1; n <= 3; n++) {
            carom_mesh *mesh = box(crm_vec3(0.3, 0.7, 1.1), n, n + 1, 2 * n, order);
            CHECK_INT(carom_mesh_order(mesh), order);
            CHECK_INT(carom_mesh_element_count(mesh), 5 * n * (n + 1) * 2 * n);
            if (order == 1) CHECK_INT(carom_mesh_node_count(mesh), (n + 1) * (n + 2) * (2 * n + 1));
            carom_mesh_quality quality = carom_mesh_get_quality(mesh);
            CHECK_NEAR(quality.volume, 0.3 * 0.7 * 1.1, rounding);
            CHECK_NEAR(enclosed(mesh), 0.3 * 0.7 * 1.1, rounding);
            CHECK_NEAR(area(mesh), 2.0 * (0.3 * 0.7 + 0.7 * 1.1 + 1.1 * 0.3), rounding);
            CHECK_INT(euler_characteristic(mesh), 2);
            CHECK_INT(quality.pieces, 1);
            // The corners of a cell have a sixth of it, the middle a third.
            CHECK_NEAR(quality.least_volume, 0.3 * 0.7 * 1.1 / (n * (n + 1) * 2 * n) / 6.0, rounding);
            CHECK_NEAR(quality.shortest_edge, fmin(0.3 / n, fmin(0.7 / (n + 1), 1.1 / (2 * n))), rounding);
            carom_mesh_destroy(mesh);
        }
}

TEST(quality_of_a_cube_is_that_of_its_corners) {
    carom_mesh *mesh = box(crm_vec3(1, 1, 1), 2, 2, 2, 1);
    carom_mesh_quality quality = carom_mesh_get_quality(mesh);
    // Three edges of 1/2 and three of sqrt(2)/2: their mean square is 3/8, the volume 1/48.
    CHECK_NEAR(quality.least_quality, 6.0 * sqrt(2.0) / 48.0 / pow(0.375, 1.5), 1e-14);
    CHECK_NEAR(quality.longest_edge, sqrt(0.5), 1e-15);
    // 54 edges of the lattice and a diagonal in each of the 36 squares.
    CHECK_NEAR(quality.mean_edge, (54.0 * 0.5 + 36.0 * sqrt(0.5)) / 90.0, 1e-14);
    CHECK(quality.worst_element >= 0 && quality.worst_element < 40);
    carom_mesh_destroy(mesh);
}

static int node_at(const carom_mesh *mesh, carom_vec3 x) {
    for (int i = 0; i < carom_mesh_node_count(mesh); i++)
        if (crm_distance(carom_mesh_nodes(mesh)[i], x) == 0.0) return i;
    return -1;
}

static int ascending(const void *a, const void *b) {
    return *(const int32_t *)a - *(const int32_t *)b;
}

static bool has_element(const carom_mesh *mesh, const int32_t *sorted) {
    int nodes = CAROM_ELEMENT_NODES(carom_mesh_order(mesh));
    for (int e = 0; e < carom_mesh_element_count(mesh); e++) {
        int32_t other[10];
        memcpy(other, carom_mesh_elements(mesh) + (ptrdiff_t)nodes * e, (size_t)nodes * sizeof *other);
        qsort(other, (size_t)nodes, sizeof *other, ascending);
        if (memcmp(other, sorted, (size_t)nodes * sizeof *other) == 0) return true;
    }
    return false;
}

// Whether nodes and elements go over into nodes and elements, to the bit.
static bool is_symmetric(const carom_mesh *mesh, carom_vec3 (*image)(carom_vec3)) {
    int nodes = CAROM_ELEMENT_NODES(carom_mesh_order(mesh));
    for (int e = 0; e < carom_mesh_element_count(mesh); e++) {
        int32_t mapped[10];
        for (int i = 0; i < nodes; i++) {
            int node = carom_mesh_elements(mesh)[(ptrdiff_t)nodes * e + i];
            mapped[i] = node_at(mesh, image(carom_mesh_nodes(mesh)[node]));
            if (mapped[i] < 0) return false;
        }
        qsort(mapped, (size_t)nodes, sizeof *mapped, ascending);
        if (!has_element(mesh, mapped)) return false;
    }
    return true;
}

static carom_vec3 mirror(carom_vec3 x) {
    return crm_vec3(-x.x, x.y, x.z);
}

static carom_vec3 quarter_rotation(carom_vec3 x) {
    return crm_vec3(-x.y, x.x, x.z);
}

static carom_vec3 third_rotation(carom_vec3 x) {
    return crm_vec3(x.y, x.z, x.x);
}

TEST(even_cubes_are_symmetric) {
    for (int order = 1; order <= 2; order++) {
        carom_mesh *even = box(crm_vec3(0.1, 0.1, 0.1), 4, 4, 4, order);
        CHECK(is_symmetric(even, mirror));
        CHECK(is_symmetric(even, quarter_rotation));
        CHECK(is_symmetric(even, third_rotation));
        carom_mesh_destroy(even);
        carom_mesh *odd = box(crm_vec3(0.1, 0.1, 0.1), 3, 3, 3, order);
        CHECK(!is_symmetric(odd, mirror));
        CHECK(is_symmetric(odd, third_rotation));
        carom_mesh_destroy(odd);
    }
}

TEST(order_2_has_nodes_in_the_middles) {
    carom_mesh *mesh = box(crm_vec3(1, 2, 3), 2, 1, 3, 2), *corners = box(crm_vec3(1, 2, 3), 2, 1, 3, 1);
    const carom_vec3 *x = carom_mesh_nodes(mesh);
    int edges = carom_mesh_node_count(mesh) - carom_mesh_node_count(corners);
    // Of a ball of cells: nodes - edges + faces - elements = 1, with 4 elements + outer = 2 faces.
    int outer, inner_and_outer;
    carom_mesh_surface(corners, &outer);
    inner_and_outer = (4 * carom_mesh_element_count(corners) + outer) / 2;
    CHECK_INT(carom_mesh_node_count(corners) - edges + inner_and_outer - carom_mesh_element_count(corners), 1);
    for (int e = 0; e < carom_mesh_element_count(mesh); e++) {
        const int32_t *element = carom_mesh_elements(mesh) + 10 * e;
        CHECK(memcmp(element, carom_mesh_elements(corners) + 4 * e, 4 * sizeof *element) == 0);
        for (int i = 0; i < 6; i++) {
            carom_vec3 a = x[element[crm_tetrahedron_edge[i][0]]], b = x[element[crm_tetrahedron_edge[i][1]]];
            CHECK_NEAR(crm_distance(x[element[4 + i]], crm_scale(0.5, crm_add(a, b))), 0.0, 0.0);
        }
    }
    int count;
    carom_mesh_surface(mesh, &count);
    CHECK_INT(count, 4 * outer);
    carom_mesh_destroy(mesh);
    carom_mesh_destroy(corners);
}

TEST(sets_by_box_and_plane) {
    carom_mesh *mesh = box(crm_vec3(2, 2, 2), 2, 2, 2, 1);
    int32_t found[27];
    CHECK_INT(carom_mesh_nodes_in_box(mesh, crm_vec3(-9, -9, 1), crm_vec3(9, 9, 1), found), 9);
    for (int i = 0; i < 9; i++) CHECK_INT(found[i], 18 + i);
    CHECK_INT(carom_mesh_nodes_beyond(mesh, crm_vec3(1, 1, 1), 2.5, found), 1);
    CHECK_INT(found[0], 26);
    CHECK_INT(carom_mesh_nodes_beyond(mesh, crm_vec3(1, 1, 1), 9.0, found), 0);
    CHECK_INT(carom_mesh_group_count(mesh), 0);
    CHECK(carom_mesh_group_name(mesh, 0) == NULL);
    carom_mesh_destroy(mesh);
}

TEST(boxes_that_cannot_be_are_refused) {
    static const struct {
        carom_vec3 size;
        int cells[3], order;
        carom_status status;
        const char *sentence;
    } cases[] = {
        {{1, 1, 1}, {1, 0, 1}, 1, CAROM_ERR_BAD_INPUT, "cells[1] is 0, must be at least 1"},
        {{1, -1, 1}, {1, 1, 1}, 1, CAROM_ERR_BAD_INPUT, "size.y is -1 m, must be between 1e-09 and 1e+09 m"},
        {{1, 1, NAN}, {1, 1, 1}, 1, CAROM_ERR_BAD_INPUT, "size.z is"},
        {{1, 1, 1}, {1, 1, 1}, 3, CAROM_ERR_BAD_INPUT, "order is 3, must be 1 or 2"},
        {{1, 1, 1}, {2000000000, 2000000000, 2000000000}, 1, CAROM_ERR_TOO_LARGE, "at most 5000000 are possible"},
        {{1, 1, 1e-9}, {1, 1, 2}, 1, CAROM_ERR_BAD_INPUT, "apart, must be at least 1e-09 m"},
        {{1e9, 1, 1e-9}, {1, 1, 1}, 1, CAROM_ERR_BAD_INPUT, "element 0 is flat"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        carom_error error = {.text = ""};
        carom_mesh *mesh = NULL;
        CHECK_INT(carom_mesh_create_box(cases[i].size, cases[i].cells, cases[i].order, NULL, &mesh, &error),
                  cases[i].status);
        CHECK_CONTAINS(error.text, cases[i].sentence);
        CHECK(mesh == NULL);
    }
}

TEST_MAIN(CASE(box_fills_its_size), CASE(quality_of_a_cube_is_that_of_its_corners), CASE(even_cubes_are_symmetric),
          CASE(order_2_has_nodes_in_the_middles), CASE(sets_by_box_and_plane), CASE(boxes_that_cannot_be_are_refused))
