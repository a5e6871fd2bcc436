// SPDX-License-Identifier: MIT
// Boxes on a lattice: five tetrahedra a cell, one in the middle and four at its corners.
//
// The corners of a cell have the bits of their number as steps along x, y and z. Neighbours are mirror images of each
// other, so that the diagonals of their common face agree. Where all counts are even the mesh is its own image in the
// planes through its centre, and of a cube under the rotations of the cube; where one is odd, under some of them.
#include "base/fail.h"
#include "carom/shape.h"
#include "flex/mesh/mesh_build.h"
#include "math/vec3.h"

// By the parity of the cell. The first is the one in the middle.
static const int cell_elements[2][5][4] = {
    {{0, 5, 3, 6}, {1, 3, 0, 5}, {2, 0, 3, 6}, {4, 6, 5, 0}, {7, 5, 6, 3}},
    {{1, 2, 4, 7}, {0, 1, 2, 4}, {3, 2, 1, 7}, {5, 4, 7, 1}, {6, 7, 4, 2}},
};

static carom_status check_box(carom_vec3 size, const int cells[3], int order, carom_error *error) {
    double elements = 5.0;
    if (order != 1 && order != 2) return crm_refuse(error, "order is %d, must be 1 or 2", order);
    for (int i = 0; i < 3; i++) {
        double edge = crm_component(size, i);
        if (!(edge >= CAROM_SHAPE_LEAST_SIZE && edge <= CAROM_SHAPE_MOST_SIZE))
            return crm_refuse(error, "size.%c is %g m, must be between %g and %g m", 'x' + i, edge,
                              CAROM_SHAPE_LEAST_SIZE, CAROM_SHAPE_MOST_SIZE);
        if (cells[i] < 1) return crm_refuse(error, "cells[%d] is %d, must be at least 1", i, cells[i]);
        elements *= cells[i];
    }
    if (elements <= CAROM_MESH_MOST_ELEMENTS) return CAROM_OK;
    return crm_fail(error, CAROM_ERR_TOO_LARGE,
                    "cells %d x %d x %d make %g elements, five a cell, at most %d are possible; take fewer", cells[0],
                    cells[1], cells[2], elements, CAROM_MESH_MOST_ELEMENTS);
}

static void fill_nodes(carom_vec3 size, const int cells[3], carom_vec3 *node) {
    int next = 0;
    for (int k = 0; k <= cells[2]; k++)
        for (int j = 0; j <= cells[1]; j++)
            for (int i = 0; i <= cells[0]; i++) { // 2 i - n changes its sign alone from side to side
                carom_vec3 at = {(2.0 * i - cells[0]) / (2.0 * cells[0]), (2.0 * j - cells[1]) / (2.0 * cells[1]),
                                 (2.0 * k - cells[2]) / (2.0 * cells[2])};
                node[next++] = crm_vec3_mul(at, size);
            }
}

static void fill_elements(const int cells[3], int32_t *element) {
    int row = cells[0] + 1, layer = row * (cells[1] + 1);
    for (int k = 0; k < cells[2]; k++)
        for (int j = 0; j < cells[1]; j++)
            for (int i = 0; i < cells[0]; i++)
                for (int e = 0; e < 5; e++)
                    for (int c = 0; c < 4; c++) {
                        int corner = cell_elements[(i + j + k) & 1][e][c];
                        *element++ = i + (corner & 1) + row * (j + (corner >> 1 & 1)) + layer * (k + (corner >> 2));
                    }
}

carom_status carom_mesh_create_box(carom_vec3 size, const int cells[3], int order, const carom_allocator *allocator,
                                   carom_mesh **out, carom_error *error) {
    CRM_NEED(cells, error);
    CRM_NEED(out, error);
    carom_status status = check_box(size, cells, order, error);
    if (status != CAROM_OK) return status;
    crm_mesh_input input = {.order = 1,
                            .node_count = (cells[0] + 1) * (cells[1] + 1) * (cells[2] + 1),
                            .element_count = 5 * cells[0] * cells[1] * cells[2]};
    crm_arena scratch;
    crm_arena_init(&scratch, allocator);
    carom_vec3 *node = CRM_ARENA_ARRAY(&scratch, carom_vec3, input.node_count);
    int32_t *element = CRM_ARENA_ARRAY(&scratch, int32_t, 4 * (ptrdiff_t)input.element_count);
    if (node == NULL || element == NULL) {
        status = crm_fail_memory(error, "a mesh of a box", 0);
    } else {
        fill_nodes(size, cells, node);
        fill_elements(cells, element);
        input.node = node, input.element = element;
        status = crm_mesh_build(&input, order, allocator, out, error);
    }
    crm_arena_free(&scratch);
    return status;
}
