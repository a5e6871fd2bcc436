// SPDX-License-Identifier: MIT
// Faces of elements in pairs; those that are left over are the surface.
#include <stdio.h>

#include "base/fail.h"
#include "flex/mesh/mesh_build.h"

// Corners of face i % 4 of element i / 4 ascending; whether it takes an even number of exchanges to get there.
static bool face_row(const crm_mesh_input *input, int i, int32_t row[3]) {
    const int32_t *element = input->element + (ptrdiff_t)CAROM_ELEMENT_NODES(input->order) * (i / 4);
    bool even = true;
    for (int k = 0; k < 3; k++) {
        int32_t node = element[crm_tetrahedron_face[i % 4][k]];
        int at = k;
        for (; at > 0 && row[at - 1] > node; at--) row[at] = row[at - 1], even = !even;
        row[at] = node;
    }
    return even;
}

static bool same_row(const int32_t *a, const int32_t *b) {
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static const char *node_list(const crm_mesh_input *input, const int32_t row[3], char out[80]) {
    long long tag[3];
    for (int i = 0; i < 3; i++)
        tag[i] = input->origin.node == NULL ? row[i] : (long long)input->origin.node[row[i]].tag;
    snprintf(out, 80, "%lld, %lld, %lld", tag[0], tag[1], tag[2]);
    return out;
}

// Faces first ... first + count - 1 of the sorted ones have the same corners.
static carom_status check_pair(const crm_mesh_input *input, const int32_t *row, const int32_t *order, int count,
                               carom_error *error) {
    char nodes[80];
    int32_t again[3];
    int last = order[count - 1];
    if (count > 2)
        return crm_refuse(error, "%s: %d elements have the face of nodes %s, at most two can meet there; remove one",
                          crm_mesh_element_words(&input->origin, last / 4).text, count,
                          node_list(input, row + 3 * (ptrdiff_t)last, nodes));
    if (count == 2 && face_row(input, order[0], again) == face_row(input, last, again))
        return crm_refuse(
            error,
            "%s lies on the same side of its face of nodes %s as an element before it; remove the one that "
            "is there twice",
            crm_mesh_element_words(&input->origin, last / 4).text, node_list(input, row + 3 * (ptrdiff_t)last, nodes));
    return CAROM_OK;
}

// The triangles of one face: of 6 nodes the three at its corners, and the one between them.
static int add_triangles(const crm_mesh_input *input, int face, carom_mesh_triangle *out) {
    static const int corner[1][3] = {{0, 1, 2}};
    static const int split[4][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}};
    const int(*part)[3] = input->order == 2 ? split : corner;
    int parts = input->order == 2 ? 4 : 1;
    const int32_t *element = input->element + (ptrdiff_t)CAROM_ELEMENT_NODES(input->order) * (face / 4);
    for (int i = 0; i < parts; i++) {
        out[i].element = face / 4;
        for (int k = 0; k < 3; k++) out[i].node[k] = element[crm_tetrahedron_face[face % 4][part[i][k]]];
    }
    return parts;
}

carom_status crm_mesh_find_surface(const crm_mesh_input *input, crm_arena *scratch, crm_arena *arena, int *count,
                                   const carom_mesh_triangle **out, carom_error *error) {
    int all = 4 * input->element_count, outer = 0;
    crm_mark mark = crm_arena_mark(scratch);
    bool *inner = CRM_ARENA_ZEROED(scratch, bool, all);
    int32_t *row = CRM_ARENA_ARRAY(scratch, int32_t, 3 * (ptrdiff_t)all);
    if (inner == NULL || row == NULL) return crm_fail_memory(error, "faces of a mesh", 0);
    for (int i = 0; i < all; i++) face_row(input, i, row + 3 * (ptrdiff_t)i);
    const int32_t *order = crm_mesh_sort_rows(all, 3, row, input->node_count, scratch);
    if (order == NULL) return crm_fail_memory(error, "faces of a mesh", 0);
    for (int first = 0, end; first < all; first = end) {
        for (end = first + 1; end < all; end++)
            if (!same_row(row + 3 * (ptrdiff_t)order[first], row + 3 * (ptrdiff_t)order[end])) break;
        carom_status status = check_pair(input, row, order + first, end - first, error);
        if (status != CAROM_OK) return status;
        outer += end - first == 1;
        for (int i = first; i < end; i++) inner[order[i]] = end - first == 2;
    }
    carom_mesh_triangle *triangle =
        CRM_ARENA_ARRAY(arena, carom_mesh_triangle, (ptrdiff_t)outer * (input->order == 2 ? 4 : 1));
    if (triangle == NULL) return crm_fail_memory(error, "surface of a mesh", 0);
    int triangles = 0;
    for (int i = 0; i < all; i++)
        if (!inner[i]) triangles += add_triangles(input, i, triangle + triangles);
    crm_arena_release(scratch, mark);
    *count = triangles;
    *out = triangle;
    return CAROM_OK;
}
