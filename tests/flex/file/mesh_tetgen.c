// SPDX-License-Identifier: MIT
// Files of TetGen 1.5: from 0 and from 1, of both orders, with markers.
#include <stdio.h>
#include <string.h>

#include "carom/mesh.h"
#include "math/vec3.h"
#include "support/harness/check.h"

static carom_mesh *read(const char *file, int order) {
    char path[4096];
    carom_error error = {.text = ""};
    carom_mesh *mesh = NULL;
    snprintf(path, sizeof path, CAROM_SOURCE_DIR "/tests/data/mesh/%s", file);
    CHECK_INT(carom_mesh_read(path, order, NULL, &mesh, &error), CAROM_OK);
    CHECK_TEXT(error.text, "");
    return mesh;
}

// The top of the cube has marker 5.
static void check_top(const carom_mesh *mesh, int wanted) {
    int count;
    CHECK_INT(carom_mesh_group_count(mesh), 5);
    CHECK_TEXT(carom_mesh_group_name(mesh, 4), "marker 5");
    const int32_t *node = carom_mesh_group_nodes(mesh, 4, &count);
    CHECK_INT(count, wanted);
    for (int i = 0; i < count; i++) CHECK_NEAR(carom_mesh_nodes(mesh)[node[i]].z, 1.0, 0.0);
}

TEST(cube_of_either_order) {
    carom_mesh *four = read("cube.0.node", 0), *ten = read("cube.1.ele", 0), *raised = read("cube.0.ele", 2);
    CHECK_INT(carom_mesh_order(four), 1);
    CHECK_INT(carom_mesh_order(ten), 2);
    CHECK_INT(carom_mesh_node_count(four), 8);
    CHECK_INT(carom_mesh_node_count(ten), 27);
    CHECK_INT(carom_mesh_node_count(raised), 27);
    CHECK_NEAR(carom_mesh_get_quality(four).volume, 1.0, 1e-15);
    CHECK_NEAR(carom_mesh_get_quality(ten).volume, 1.0, 1e-15);
    // Middles have no markers of their own: those of edges between two nodes of a marker are in its group.
    check_top(four, 4);
    check_top(ten, 9);
    check_top(raised, 9);
    carom_mesh_destroy(four);
    carom_mesh_destroy(ten);
    carom_mesh_destroy(raised);
}

TEST(comments_attributes_and_regions_are_passed_over) {
    static const char nodes[] =
        "# made by hand\n\n  4 3 2 1 # four\n10, 0, 0, 0, 0.5 7 -3\n# between\n11 1 0 0 0.5 7 0\n"
        "12 0 1 0 0.5 7 -3\r\n13 0 0 1 0.5 7 0 and more";
    static const char elements[] = "1 4 1\n1 10 11 12 13 42\n";
    carom_error error = {.text = ""};
    carom_mesh *mesh = NULL;
    CHECK_INT(carom_mesh_parse(CAROM_MESH_TETGEN, "a.node", nodes, strlen(nodes), elements, strlen(elements), 0, NULL,
                               &mesh, &error),
              CAROM_OK);
    CHECK_TEXT(error.text, "");
    int count;
    CHECK_INT(carom_mesh_group_count(mesh), 1);
    CHECK_TEXT(carom_mesh_group_name(mesh, 0), "marker -3");
    const int32_t *node = carom_mesh_group_nodes(mesh, 0, &count);
    CHECK(count == 2 && node[0] == 0 && node[1] == 2);
    carom_mesh_destroy(mesh);
}

TEST(header_may_be_short) {
    static const char nodes[] = "4 3\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n", elements[] = "1 4\n0 0 1 2 3\n";
    carom_error error = {.text = ""};
    carom_mesh *mesh = NULL;
    CHECK_INT(carom_mesh_parse(CAROM_MESH_TETGEN, "a.node", nodes, strlen(nodes), elements, strlen(elements), 2, NULL,
                               &mesh, &error),
              CAROM_OK);
    CHECK_TEXT(error.text, "");
    CHECK_INT(carom_mesh_node_count(mesh), 10);
    carom_mesh_destroy(mesh);
}

TEST_MAIN(CASE(cube_of_either_order), CASE(comments_attributes_and_regions_are_passed_over), CASE(header_may_be_short))
