// SPDX-License-Identifier: MIT
// How good a mesh is: volumes, edges, forms of elements, parts.
#include <math.h>

#include "base/fail.h"
#include "base/forest.h"
#include "flex/mesh/mesh_build.h"
#include "math/vec3.h"

static int count_pieces(const crm_mesh_input *input, int *of) {
    int nodes = CAROM_ELEMENT_NODES(input->order), pieces = 0;
    for (int i = 0; i < input->node_count; i++) of[i] = i;
    for (int e = 0; e < input->element_count; e++) {
        const int32_t *element = input->element + (ptrdiff_t)nodes * e;
        for (int i = 1; i < nodes; i++) crm_forest_join(of, element[0], element[i]);
    }
    for (int i = 0; i < input->node_count; i++) pieces += of[i] == i;
    return pieces;
}

carom_status crm_mesh_measure(const crm_mesh_input *input, const crm_mesh_edges *edges, crm_arena *scratch,
                              carom_mesh_quality *out, carom_error *error) {
    crm_mark mark = crm_arena_mark(scratch);
    int *of = CRM_ARENA_ARRAY(scratch, int, input->node_count);
    if (of == NULL) return crm_fail_memory(error, "quality of a mesh", (size_t)input->node_count * sizeof *of);
    carom_mesh_quality quality = {
        .least_volume = INFINITY, .shortest_edge = INFINITY, .least_quality = INFINITY, .worst_element = -1};
    for (int e = 0; e < input->element_count; e++) {
        const int32_t *element = input->element + (ptrdiff_t)CAROM_ELEMENT_NODES(input->order) * e;
        double volume = crm_element_volume(input->order, input->node, element);
        double size = crm_element_size(input->node, element);
        double form = sqrt(2.0) * crm_element_determinant(1, input->node, element, NULL) / (size * size * size);
        quality.volume += volume;
        quality.least_volume = fmin(quality.least_volume, volume);
        if (form < quality.least_quality) quality.least_quality = form, quality.worst_element = e;
    }
    for (int i = 0; i < edges->count; i++) {
        const int32_t *corner = edges->corner + 2 * (ptrdiff_t)i;
        double length = crm_distance(input->node[corner[0]], input->node[corner[1]]);
        quality.shortest_edge = fmin(quality.shortest_edge, length);
        quality.longest_edge = fmax(quality.longest_edge, length);
        quality.mean_edge += length / edges->count;
    }
    quality.pieces = count_pieces(input, of);
    crm_arena_release(scratch, mark);
    *out = quality;
    return CAROM_OK;
}
