// SPDX-License-Identifier: MIT
// Any bytes as a mesh: of gmsh if they begin with a $, else of TetGen, with a line that begins with % between nodes and
// elements.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"
#include "fuzz/fuzz.h"
#include "fuzz/limits.h"
#include "math/vec3.h"
#include "support/harness/bounded_allocator.h"

// Six times the volume of a tetrahedron with its top at the first node.
static double cone(const carom_vec3 *x, const int32_t *n) {
    return crm_dot(crm_sub(x[n[0]], x[0]), crm_cross(crm_sub(x[n[1]], x[0]), crm_sub(x[n[2]], x[0])));
}

// The triangles enclose the volume, and every edge of them is left in both directions equally often.
static void check_surface(const carom_mesh *mesh) {
    int count, nodes = carom_mesh_node_count(mesh), order = carom_mesh_order(mesh);
    const carom_mesh_triangle *triangle = carom_mesh_surface(mesh, &count);
    const carom_vec3 *x = carom_mesh_nodes(mesh);
    double sum = 0.0, size = 0.0;
    int64_t balance = 0; // vanishes where the directions balance
    for (int i = 0; i < nodes; i++) size = fmax(size, crm_distance(x[i], x[0]));
    for (int i = 0; i < count; i++) {
        FUZZ_CHECK(triangle[i].element >= 0 && triangle[i].element < carom_mesh_element_count(mesh));
        for (int k = 0; k < 3; k++) {
            int64_t from = triangle[i].node[k], to = triangle[i].node[(k + 1) % 3];
            FUZZ_CHECK(from >= 0 && from < nodes && from != to);
            balance += from * from * to - to * to * from;
        }
        sum += cone(x, triangle[i].node) / 6.0;
    }
    FUZZ_CHECK(balance == 0);
    if (order == 1)
        FUZZ_CHECK(fabs(sum - carom_mesh_get_quality(mesh).volume) <= 1e-13 * (count + 1.0) * size * size * size);
}

static void check_mesh(const carom_mesh *mesh) {
    carom_mesh_quality quality = carom_mesh_get_quality(mesh);
    FUZZ_CHECK(quality.volume > 0.0 && quality.least_volume > 0.0 && isfinite(quality.volume));
    FUZZ_CHECK(quality.least_quality > 0.0 && quality.least_quality <= 1.0 + 1e-12);
    FUZZ_CHECK(quality.shortest_edge > 0.0 && quality.shortest_edge <= quality.mean_edge * (1.0 + 1e-12));
    FUZZ_CHECK(quality.mean_edge <= quality.longest_edge * (1.0 + 1e-12));
    FUZZ_CHECK(quality.pieces >= 1 && quality.pieces <= carom_mesh_element_count(mesh));
    check_surface(mesh);
    int32_t *found = malloc((size_t)carom_mesh_node_count(mesh) * sizeof *found);
    if (found == NULL) abort();
    carom_vec3 most = crm_vec3(1e9, 1e9, 1e9);
    FUZZ_CHECK(carom_mesh_nodes_in_box(mesh, crm_negate(most), most, found) == carom_mesh_node_count(mesh));
    free(found);
    for (int g = 0; g < carom_mesh_group_count(mesh); g++) {
        int count;
        const int32_t *node = carom_mesh_group_nodes(mesh, g, &count);
        FUZZ_CHECK(carom_mesh_group_name(mesh, g)[0] != '\0');
        for (int i = 0; i < count; i++)
            FUZZ_CHECK(node[i] >= 0 && node[i] < carom_mesh_node_count(mesh) && (i == 0 || node[i] > node[i - 1]));
    }
}

static void read_text(const char *text, size_t size, int order) {
    bounded_allocator bounds = {.most = FUZZ_BYTES};
    carom_allocator allocator = bounded_allocator_hook(&bounds);
    carom_error error = {.text = ""};
    carom_mesh *mesh = NULL;
    bool gmsh = size > 0 && text[0] == '$';
    const char *cut = gmsh ? NULL : strstr(text, "\n%");
    const char *elements = cut != NULL ? cut + 2 : text + size;
    carom_status status = carom_mesh_parse(
        gmsh ? CAROM_MESH_GMSH : CAROM_MESH_TETGEN, "mesh", text, cut != NULL ? (size_t)(cut - text) : size,
        gmsh ? NULL : elements, gmsh ? 0 : (size_t)(text + size - elements), order, &allocator, &mesh, &error);
    FUZZ_CHECK((status == CAROM_OK) == (mesh != NULL));
    FUZZ_CHECK((status == CAROM_OK) == (error.text[0] == '\0'));
    if (mesh != NULL) check_mesh(mesh);
    carom_mesh_destroy(mesh);
    FUZZ_CHECK(bounds.used == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = fuzz_text(data, size);
    read_text(text, size, 0);
    read_text(text, size, 2);
    free(text);
    return 0;
}
