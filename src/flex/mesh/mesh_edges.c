// SPDX-License-Identifier: MIT
// Edges of a mesh, each once; nodes in their middles.
#include <string.h>

#include "base/fail.h"
#include "flex/mesh/mesh_build.h"
#include "math/vec3.h"

static carom_status no_memory(carom_error *error) {
    return crm_fail_memory(error, "edges of a mesh", 0);
}

carom_status crm_mesh_find_edges(const crm_mesh_input *input, crm_arena *scratch, crm_mesh_edges *out,
                                 carom_error *error) {
    int all = 6 * input->element_count, nodes = CAROM_ELEMENT_NODES(input->order);
    int32_t *of_element = CRM_ARENA_ARRAY(scratch, int32_t, all);
    int32_t *corner = CRM_ARENA_ARRAY(scratch, int32_t, 2 * (ptrdiff_t)all);
    crm_mark mark = crm_arena_mark(scratch);
    int32_t *row = CRM_ARENA_ARRAY(scratch, int32_t, 2 * (ptrdiff_t)all);
    if (of_element == NULL || corner == NULL || row == NULL) return no_memory(error);
    for (int i = 0; i < all; i++) {
        const int32_t *element = input->element + (ptrdiff_t)nodes * (i / 6);
        int32_t a = element[crm_tetrahedron_edge[i % 6][0]], b = element[crm_tetrahedron_edge[i % 6][1]];
        row[2 * (ptrdiff_t)i] = a < b ? a : b;
        row[2 * (ptrdiff_t)i + 1] = a < b ? b : a;
    }
    const int32_t *order = crm_mesh_sort_rows(all, 2, row, input->node_count, scratch);
    if (order == NULL) return no_memory(error);
    int count = 0;
    for (int i = 0; i < all; i++) {
        const int32_t *edge = row + 2 * (ptrdiff_t)order[i];
        if (count == 0 || memcmp(edge, corner + 2 * (ptrdiff_t)(count - 1), 2 * sizeof *edge) != 0)
            memcpy(corner + 2 * (ptrdiff_t)count++, edge, 2 * sizeof *edge);
        of_element[order[i]] = count - 1;
    }
    crm_arena_release(scratch, mark);
    *out = (crm_mesh_edges){count, corner, of_element};
    return CAROM_OK;
}

carom_status crm_mesh_check_middles(const crm_mesh_input *input, const crm_mesh_edges *edges, crm_arena *scratch,
                                    carom_error *error) {
    crm_mark mark = crm_arena_mark(scratch);
    // What a node was first: the middle of an edge, or a corner.
    enum { NOTHING = -2, CORNER = -1 };
    int32_t *edge_of = CRM_ARENA_ARRAY(scratch, int32_t, input->node_count);
    int32_t *middle_of = CRM_ARENA_ARRAY(scratch, int32_t, edges->count);
    if (edge_of == NULL || middle_of == NULL) return no_memory(error);
    for (int i = 0; i < input->node_count; i++) edge_of[i] = NOTHING;
    for (int i = 0; i < edges->count; i++) middle_of[i] = -1;
    for (int e = 0; e < input->element_count; e++)
        for (int i = 0; i < 4; i++) edge_of[input->element[10 * (ptrdiff_t)e + i]] = CORNER;
    for (int i = 0; i < 6 * input->element_count; i++) {
        int32_t node = input->element[10 * (ptrdiff_t)(i / 6) + 4 + i % 6], edge = edges->of_element[i];
        if (edge_of[node] != NOTHING && edge_of[node] != edge)
            return crm_refuse(error,
                              "%s has %s in the middle of an edge, which is elsewhere %s; give every edge a node of "
                              "its own",
                              crm_mesh_element_words(&input->origin, i / 6).text,
                              crm_mesh_node_words(&(crm_mesh_origin){.node = input->origin.node}, node).text,
                              edge_of[node] == CORNER ? "a corner" : "in the middle of another one");
        if (middle_of[edge] >= 0 && middle_of[edge] != node)
            return crm_refuse(error,
                              "%s has another node in the middle of an edge than an element before it; let all "
                              "elements at an edge share its nodes",
                              crm_mesh_element_words(&input->origin, i / 6).text);
        edge_of[node] = edge, middle_of[edge] = node;
    }
    crm_arena_release(scratch, mark);
    return CAROM_OK;
}

// The edge with these corners, by bisection; -1: none.
static int find_edge(const crm_mesh_edges *edges, int32_t low, int32_t high) {
    int first = 0, last = edges->count;
    while (first < last) {
        int middle = first + (last - first) / 2;
        const int32_t *corner = edges->corner + 2 * (ptrdiff_t)middle;
        bool before = corner[0] < low || (corner[0] == low && corner[1] < high);
        if (before)
            first = middle + 1;
        else
            last = middle;
    }
    const int32_t *corner = edges->corner + 2 * (ptrdiff_t)first;
    return first < edges->count && corner[0] == low && corner[1] == high ? first : -1;
}

// Those of the input, and the middles of its links.
static bool raise_members(const crm_mesh_input *input, const crm_mesh_edges *edges, crm_arena *scratch,
                          crm_mesh_input *out) {
    crm_mesh_member *member =
        CRM_ARENA_ARRAY(scratch, crm_mesh_member, (ptrdiff_t)input->member_count + input->link_count);
    if (member == NULL) return false;
    if (input->member_count > 0) memcpy(member, input->member, (size_t)input->member_count * sizeof *member);
    int count = input->member_count;
    for (int i = 0; i < input->link_count; i++) {
        const int32_t *corner = input->link[i].corner;
        int edge =
            corner[0] < corner[1] ? find_edge(edges, corner[0], corner[1]) : find_edge(edges, corner[1], corner[0]);
        if (edge >= 0) member[count++] = (crm_mesh_member){input->link[i].group, input->node_count + edge};
    }
    out->member_count = count;
    out->member = member;
    return true;
}

carom_status crm_mesh_raise_order(const crm_mesh_input *input, const crm_mesh_edges *edges, crm_arena *scratch,
                                  crm_mesh_input *out, carom_error *error) {
    ptrdiff_t node_count = (ptrdiff_t)input->node_count + edges->count;
    if (node_count > CAROM_MESH_MOST_NODES)
        return crm_fail(
            error, CAROM_ERR_TOO_LARGE,
            "the mesh would have %td nodes with those in the middles of its edges, at most %d are possible; "
            "make it coarser or take order 1",
            node_count, CAROM_MESH_MOST_NODES);
    *out = *input;
    carom_vec3 *node = CRM_ARENA_ARRAY(scratch, carom_vec3, node_count);
    int32_t *element = CRM_ARENA_ARRAY(scratch, int32_t, 10 * (ptrdiff_t)input->element_count);
    if (node == NULL || element == NULL || !raise_members(input, edges, scratch, out)) return no_memory(error);
    memcpy(node, input->node, (size_t)input->node_count * sizeof *node);
    for (int i = 0; i < edges->count; i++) {
        carom_vec3 a = node[edges->corner[2 * (ptrdiff_t)i]], b = node[edges->corner[2 * (ptrdiff_t)i + 1]];
        node[input->node_count + i] = crm_scale(0.5, crm_add(a, b));
    }
    for (int e = 0; e < input->element_count; e++) {
        int32_t *to = element + 10 * (ptrdiff_t)e;
        memcpy(to, input->element + 4 * (ptrdiff_t)e, 4 * sizeof *to);
        for (int i = 0; i < 6; i++) to[4 + i] = input->node_count + edges->of_element[6 * (ptrdiff_t)e + i];
    }
    out->order = 2;
    out->node_count = (int)node_count;
    out->node = node;
    out->element = element;
    return CAROM_OK;
}
