// SPDX-License-Identifier: MIT
// Files of gmsh 4.8 in both versions and orders, and texts that it does not write.
#include <locale.h>
#include <math.h>
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

static carom_mesh *parse(const char *text, int order) {
    carom_error error = {.text = ""};
    carom_mesh *mesh = NULL;
    CHECK_INT(carom_mesh_parse(CAROM_MESH_GMSH, "a.msh", text, strlen(text), NULL, 0, order, NULL, &mesh, &error),
              CAROM_OK);
    CHECK_TEXT(error.text, "");
    return mesh;
}

static int find_group(const carom_mesh *mesh, const char *name) {
    for (int i = 0; i < carom_mesh_group_count(mesh); i++)
        if (strcmp(carom_mesh_group_name(mesh, i), name) == 0) return i;
    return -1;
}

static int group_size(const carom_mesh *mesh, const char *name) {
    int count = -1;
    carom_mesh_group_nodes(mesh, find_group(mesh, name), &count);
    return count;
}

// The same, whatever their numbers: every node of one is a node of the other.
static void check_same(const carom_mesh *a, const carom_mesh *b) {
    CHECK_INT(carom_mesh_order(a), carom_mesh_order(b));
    CHECK_INT(carom_mesh_node_count(a), carom_mesh_node_count(b));
    CHECK_INT(carom_mesh_element_count(a), carom_mesh_element_count(b));
    CHECK_NEAR(carom_mesh_get_quality(a).volume, carom_mesh_get_quality(b).volume, 1e-12);
    for (int i = 0; i < carom_mesh_node_count(a); i++) {
        double nearest = INFINITY;
        for (int k = 0; k < carom_mesh_node_count(b); k++)
            nearest = fmin(nearest, crm_distance(carom_mesh_nodes(a)[i], carom_mesh_nodes(b)[k]));
        CHECK_NEAR(nearest, 0.0, 1e-9);
    }
    CHECK_INT(carom_mesh_group_count(a), carom_mesh_group_count(b));
    for (int i = 0; i < carom_mesh_group_count(a); i++) {
        const char *name = carom_mesh_group_name(a, i);
        CHECK_INT(group_size(a, name), group_size(b, name));
    }
}

// A chord of 0.6 m under an arc of 0.5 m radius, 0.2 m long.
static const double arc = 2.0 * 0.64350110879328439, radius = 0.5, length = 0.2;

TEST(both_versions_say_the_same) {
    for (int order = 1; order <= 2; order++) {
        carom_mesh *old = read(order == 1 ? "bar-2.2-1.msh" : "bar-2.2-2.msh", 0);
        carom_mesh *new = read(order == 1 ? "bar-4.1-1.msh" : "bar-4.1-2.msh", 0);
        CHECK_INT(carom_mesh_order(old), order);
        check_same(old, new);
        // Straight elements are inside the arc, outside three chords of it; curved ones come within its fourth order.
        double volume = carom_mesh_get_quality(old).volume, of_arc = 0.5 * radius * radius * length;
        if (order == 2) CHECK_NEAR(volume, of_arc * (arc - sin(arc)), 1e-6);
        CHECK(volume > of_arc * (3.0 * sin(arc / 3.0) - sin(arc)) && volume < of_arc * (arc - sin(arc)));
        CHECK_INT(carom_mesh_get_quality(old).pieces, 1);
        carom_mesh_destroy(old);
        carom_mesh_destroy(new);
    }
}

// What gmsh has put on the ends lies on them, and nothing else does.
TEST(physical_groups_are_sets_of_nodes) {
    for (int order = 1; order <= 2; order++) {
        carom_mesh *mesh = read(order == 1 ? "bar-2.2-1.msh" : "bar-2.2-2.msh", 0);
        int32_t low[64];
        int count, lows = carom_mesh_nodes_beyond(mesh, crm_vec3(0, 0, -1), 0.0, low);
        const int32_t *node = carom_mesh_group_nodes(mesh, find_group(mesh, "ends"), &count);
        for (int i = 0; i < count; i++) {
            double z = carom_mesh_nodes(mesh)[node[i]].z;
            CHECK(z == 0.0 || z == length);
            if (i > 0) CHECK(node[i] > node[i - 1]);
        }
        CHECK_INT(count, 2 * lows);
        CHECK_INT(group_size(mesh, "bar"), carom_mesh_node_count(mesh));
        CHECK_INT(group_size(mesh, "all of it"), carom_mesh_node_count(mesh));
        CHECK_INT(group_size(mesh, "corner"), 1);
        node = carom_mesh_group_nodes(mesh, find_group(mesh, "line 5"), &count);
        CHECK_INT(count, order == 1 ? 4 : 7);
        for (int i = 0; i < count; i++) // on the arc, about (0, -0.4, 0)
            CHECK_NEAR(crm_distance(carom_mesh_nodes(mesh)[node[i]], crm_vec3(0, -0.4, 0)), radius, 1e-9);
        carom_mesh_destroy(mesh);
    }
}

TEST(order_is_raised_with_the_groups) {
    carom_mesh *raised = read("bar-4.1-1.msh", 2), *straight = read("bar-4.1-1.msh", 1),
               *curved = read("bar-4.1-2.msh", 2);
    CHECK_INT(carom_mesh_node_count(raised), carom_mesh_node_count(curved));
    CHECK_NEAR(carom_mesh_get_quality(raised).volume, carom_mesh_get_quality(straight).volume, 1e-15);
    for (int i = 0; i < carom_mesh_group_count(curved); i++) {
        const char *name = carom_mesh_group_name(curved, i);
        CHECK_INT(group_size(raised, name), group_size(curved, name));
    }
    carom_mesh_destroy(raised);
    carom_mesh_destroy(straight);
    carom_mesh_destroy(curved);
}

#define HEADER "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define NODES "$Nodes\n4\n900 0 0 0\n7 1 0 0\n123456789012 0 1. 0\n8 0 0 +1E0\n$EndNodes\n"
#define ELEMENT "$Elements\n1\n1 4 2 0 1 900 7 123456789012 8\n$EndElements\n"

TEST(numbers_of_nodes_may_be_any) {
    carom_mesh *mesh = parse(HEADER "$Comments\n$Nodes in here\n$EndComments\n" NODES ELEMENT, 0);
    CHECK_NEAR(carom_mesh_get_quality(mesh).volume, 1.0 / 6.0, 1e-16);
    CHECK(memcmp(carom_mesh_elements(mesh), (int32_t[]){0, 1, 2, 3}, 4 * sizeof(int32_t)) == 0);
    CHECK_INT(carom_mesh_group_count(mesh), 0);
    carom_mesh_destroy(mesh);
}

TEST(centres_of_arcs_are_left_out) {
    carom_mesh *mesh = parse(HEADER "$Nodes\n5\n1 9 9 9\n2 0 0 0\n3 1 0 0\n4 0 1 0\n5 0 0 1\n$EndNodes\n"
                                    "$Elements\n2\n1 15 2 8 1 1\n2 4 2 0 1 2 3 4 5\n$EndElements\n",
                             0);
    CHECK_INT(carom_mesh_node_count(mesh), 4);
    CHECK_INT(group_size(mesh, "point 8"), 0);
    carom_mesh_destroy(mesh);
}

TEST(groups_of_one_name_are_one) {
    carom_mesh *mesh = parse(HEADER "$PhysicalNames\n2\n0 5 \"end\"\n1 6 \"end\"\n$EndPhysicalNames\n" NODES
                                    "$Elements\n3\n1 15 2 5 1 900\n2 1 2 -6 1 7 8\n3 4 2 0 1 900 7 123456789012 8\n"
                                    "$EndElements\n",
                             0);
    CHECK_INT(carom_mesh_group_count(mesh), 1);
    int count;
    const int32_t *node = carom_mesh_group_nodes(mesh, 0, &count);
    CHECK_TEXT(carom_mesh_group_name(mesh, 0), "end");
    CHECK_INT(count, 3);
    CHECK(node != NULL && memcmp(node, (int32_t[]){0, 1, 3}, 3 * sizeof *node) == 0);
    carom_mesh_destroy(mesh);
}

TEST(parameters_of_nodes_are_passed_over) {
    carom_mesh *mesh =
        parse("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n3 4 1 4\n0 1 0 1\n1\n0 0 0\n1 1 1 1\n2\n1 0 0 "
              "0.5\n2 1 1 2\n3\n4\n0 1 0 7 8\n0 0 1 7 8\n$EndNodes\n$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 "
              "4\n$EndElements\n",
              0);
    CHECK_NEAR(carom_mesh_get_quality(mesh).volume, 1.0 / 6.0, 1e-16);
    carom_mesh_destroy(mesh);
}

TEST(the_locale_does_not_matter) {
    // Where the machine has such a locale, the point of strtod is a comma.
    static const char *const commas[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR"};
    for (size_t i = 0; i < sizeof commas / sizeof *commas; i++)
        if (setlocale(LC_ALL, commas[i]) != NULL) break;
    carom_mesh *mesh = parse(HEADER "$Nodes\n4\n1 0.0 0 0\n2 1.5 0 0\n3 0 1.5 0\n4 0 0 .15e1\n$EndNodes\n$Elements\n1\n"
                                    "1 4 0 1 2 3 4\n$EndElements\n",
                             0);
    CHECK_NEAR(carom_mesh_get_quality(mesh).volume, 3.375 / 6.0, 1e-15);
    carom_mesh_destroy(mesh);
    setlocale(LC_ALL, "C");
}

TEST_MAIN(CASE(both_versions_say_the_same), CASE(physical_groups_are_sets_of_nodes),
          CASE(order_is_raised_with_the_groups), CASE(numbers_of_nodes_may_be_any), CASE(centres_of_arcs_are_left_out),
          CASE(groups_of_one_name_are_one), CASE(parameters_of_nodes_are_passed_over), CASE(the_locale_does_not_matter))
