// SPDX-License-Identifier: MIT
// What a mesh must be: one sentence for each way in which it is not. docs/flex.md lists them.
#include <stdio.h>

#include "base/fail.h"
#include "flex/mesh/mesh_build.h"
#include "math/vec3.h"

// An element whose volume is below this part of the cube of its size is flat: rounding of coordinates could invert it.
static const double least_flatness = 1e-10;
// Coordinates and edges, m; those of shapes (carom/shape.h).
static const double most_coordinate = 1e9, least_edge = 1e-9;
// A middle is within this part of its edge's length from the middle of the chord, along the edge and across it: from a
// quarter on the gradient of the element has a pole at a corner.
static const double most_along = 0.25, most_across = 0.5;

static crm_mesh_words words(const char *file, const crm_mesh_place *place, const char *kind, int number) {
    crm_mesh_words out;
    if (place == NULL)
        snprintf(out.text, sizeof out.text, "%s %d", kind, number);
    else if (file == NULL)
        snprintf(out.text, sizeof out.text, "%s %lld", kind, (long long)place[number].tag);
    else
        snprintf(out.text, sizeof out.text, "%.160s: line %d: %s %lld", file, place[number].line, kind,
                 (long long)place[number].tag);
    return out;
}

crm_mesh_words crm_mesh_node_words(const crm_mesh_origin *origin, int node) {
    return words(origin->node_file, origin->node, "node", node);
}

crm_mesh_words crm_mesh_element_words(const crm_mesh_origin *origin, int element) {
    return words(origin->element_file, origin->element, "element", element);
}

// What a node is called in the middle of a sentence.
static long long node_tag(const crm_mesh_input *input, int node) {
    return input->origin.node == NULL ? node : (long long)input->origin.node[node].tag;
}

static carom_status check_nodes(const crm_mesh_input *input, carom_error *error) {
    for (int i = 0; i < input->node_count; i++) {
        carom_vec3 x = input->node[i];
        if (!(crm_max_component(crm_vec3_abs(x)) <= most_coordinate) || !crm_vec3_finite(x))
            return crm_refuse(error, "%s is at (%g, %g, %g), its coordinates must be finite and within %g m",
                              crm_mesh_node_words(&input->origin, i).text, x.x, x.y, x.z, most_coordinate);
    }
    return CAROM_OK;
}

static carom_status check_numbers(const crm_mesh_input *input, int e, carom_error *error) {
    int nodes = CAROM_ELEMENT_NODES(input->order);
    const int32_t *element = input->element + (ptrdiff_t)nodes * e;
    for (int i = 0; i < nodes; i++) {
        if (element[i] < 0 || element[i] >= input->node_count)
            return crm_refuse(error, "%s has node %d, but nodes are 0 ... %d",
                              crm_mesh_element_words(&input->origin, e).text, (int)element[i], input->node_count - 1);
        for (int k = 0; k < i; k++)
            if (element[k] == element[i])
                return crm_refuse(error, "%s has node %lld twice; its nodes must all be different",
                                  crm_mesh_element_words(&input->origin, e).text, node_tag(input, element[i]));
    }
    return CAROM_OK;
}

static carom_status check_volume(const crm_mesh_input *input, int e, carom_error *error) {
    const int32_t *element = input->element + (ptrdiff_t)CAROM_ELEMENT_NODES(input->order) * e;
    for (int edge = 0; edge < 6; edge++) {
        int32_t a = element[crm_tetrahedron_edge[edge][0]], b = element[crm_tetrahedron_edge[edge][1]];
        double length = crm_distance(input->node[a], input->node[b]);
        if (length < least_edge)
            return crm_refuse(error, "%s: its nodes %lld and %lld are %g m apart, must be at least %g m; join them",
                              crm_mesh_element_words(&input->origin, e).text, node_tag(input, a), node_tag(input, b),
                              length, least_edge);
    }
    double size = crm_element_size(input->node, element);
    double volume = crm_element_determinant(1, input->node, element, NULL) / 6.0, least = size * size * size;
    least *= least_flatness;
    if (volume >= least) return CAROM_OK;
    if (volume > -least)
        return crm_refuse(error, "%s is flat: its volume is %g m^3 at edges of %g m; mend or remove it",
                          crm_mesh_element_words(&input->origin, e).text, volume, size);
    return crm_refuse(error, "%s is inverted: its volume is %g m^3; exchange two of its corners",
                      crm_mesh_element_words(&input->origin, e).text, volume);
}

static carom_status check_curves(const crm_mesh_input *input, int e, carom_error *error) {
    const int32_t *element = input->element + 10 * (ptrdiff_t)e;
    for (int edge = 0; edge < 6; edge++) {
        carom_vec3 a = input->node[element[crm_tetrahedron_edge[edge][0]]];
        carom_vec3 b = input->node[element[crm_tetrahedron_edge[edge][1]]];
        carom_vec3 chord = crm_sub(b, a), off = crm_sub(input->node[element[4 + edge]], crm_scale(0.5, crm_add(a, b)));
        double square = crm_length_squared(chord), along = crm_dot(off, chord) / square;
        double across = crm_length(crm_madd(off, -along, chord)) / sqrt(square);
        if (!(fabs(along) < most_along && across < most_across))
            return crm_refuse(
                error,
                "%s: node %lld is not between its corners %lld and %lld, but %g of their distance off the "
                "middle; the middles must be those of edges 01, 12, 02, 03, 13, 23",
                crm_mesh_element_words(&input->origin, e).text, node_tag(input, element[4 + edge]),
                node_tag(input, element[crm_tetrahedron_edge[edge][0]]),
                node_tag(input, element[crm_tetrahedron_edge[edge][1]]), hypot(along, across));
    }
    // Where it is integrated, and at its corners, where it is the first to fold.
    const double near = (5.0 + 3.0 * sqrt(5.0)) / 20.0, far = (5.0 - sqrt(5.0)) / 20.0;
    double size = crm_element_size(input->node, element), least = least_flatness * size * size * size;
    for (int point = 0; point < 8; point++) {
        double rest = point < 4 ? far : 0.0, l[4] = {rest, rest, rest, rest};
        l[point % 4] = point < 4 ? near : 1.0;
        if (!(crm_element_determinant(2, input->node, element, l) >= least))
            return crm_refuse(error, "%s is inverted near its corner %lld by its curved edges; straighten them",
                              crm_mesh_element_words(&input->origin, e).text, node_tag(input, element[point % 4]));
    }
    return CAROM_OK;
}

static carom_status check_used(const crm_mesh_input *input, crm_arena *scratch, carom_error *error) {
    crm_mark mark = crm_arena_mark(scratch);
    bool *used = CRM_ARENA_ZEROED(scratch, bool, input->node_count);
    if (used == NULL) return crm_fail_memory(error, "check of a mesh", (size_t)input->node_count);
    ptrdiff_t all = (ptrdiff_t)CAROM_ELEMENT_NODES(input->order) * input->element_count;
    for (ptrdiff_t i = 0; i < all; i++) used[input->element[i]] = true;
    for (int i = 0; i < input->node_count; i++)
        if (!used[i])
            return crm_refuse(error, "%s is in no element; remove it", crm_mesh_node_words(&input->origin, i).text);
    crm_arena_release(scratch, mark);
    return CAROM_OK;
}

carom_status crm_mesh_check(const crm_mesh_input *input, crm_arena *scratch, carom_error *error) {
    carom_status status = check_nodes(input, error);
    for (int e = 0; status == CAROM_OK && e < input->element_count; e++) {
        status = check_numbers(input, e, error);
        if (status == CAROM_OK) status = check_volume(input, e, error);
        if (status == CAROM_OK && input->order == 2) status = check_curves(input, e, error);
    }
    return status == CAROM_OK ? check_used(input, scratch, error) : status;
}
