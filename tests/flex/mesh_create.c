// SPDX-License-Identifier: MIT
// Meshes of arrays: what they are asked, and every way in which one is refused.
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "carom/mesh.h"
#include "flex/mesh/mesh.h"
#include "math/vec3.h"
#include "support/harness/check.h"
#include "support/harness/probe_allocator.h"

static const carom_vec3 corners[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
static const carom_vec3 ten[] = {{0, 0, 0},     {1, 0, 0},   {0, 1, 0},   {0, 0, 1},     {0.5, 0, 0},
                                 {0.5, 0.5, 0}, {0, 0.5, 0}, {0, 0, 0.5}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
static const int32_t one[] = {0, 1, 2, 3};
static const int32_t two[] = {0, 1, 2, 3, 1, 2, 3, 4};
static const int32_t first_ten[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};

static carom_mesh_def definition(int order, int node_count, const carom_vec3 *nodes, int element_count,
                                 const int32_t *elements) {
    carom_mesh_def def = carom_mesh_def_default();
    def.order = order;
    def.node_count = node_count, def.nodes = nodes;
    def.element_count = element_count, def.elements = elements;
    return def;
}

static void refuses(const carom_mesh_def *def, const char *sentence) {
    carom_error error = {.text = ""};
    carom_mesh *mesh = NULL;
    carom_status status = carom_mesh_create(def, NULL, &mesh, &error);
    CHECK(status == CAROM_ERR_BAD_INPUT || status == CAROM_ERR_TOO_LARGE);
    CHECK_TEXT(error.text, sentence);
    CHECK(mesh == NULL);
}

static carom_mesh *create(const carom_mesh_def *def) {
    carom_error error = {.text = ""};
    carom_mesh *mesh = NULL;
    CHECK_INT(carom_mesh_create(def, NULL, &mesh, &error), CAROM_OK);
    CHECK_TEXT(error.text, "");
    return mesh;
}

TEST(surface_of_one_element_looks_outward) {
    carom_mesh_def def = definition(1, 4, corners, 1, one);
    carom_mesh *mesh = create(&def);
    int count;
    const carom_mesh_triangle *triangle = carom_mesh_surface(mesh, &count);
    CHECK_INT(count, 4);
    for (int i = 0; i < count; i++) {
        const int32_t *n = triangle[i].node;
        carom_vec3 normal = crm_cross(crm_sub(corners[n[1]], corners[n[0]]), crm_sub(corners[n[2]], corners[n[0]]));
        CHECK(crm_dot(normal, crm_sub(corners[n[0]], crm_vec3(0.25, 0.25, 0.25))) > 0.0);
        CHECK_INT(triangle[i].element, 0);
    }
    carom_mesh_quality quality = carom_mesh_get_quality(mesh);
    CHECK_NEAR(quality.volume, 1.0 / 6.0, 1e-16);
    // Three edges of 1 and three of sqrt 2: 6 sqrt 2 / 6 over 1.5^1.5.
    CHECK_NEAR(quality.least_quality, sqrt(2.0) / pow(1.5, 1.5), 1e-15);
    carom_mesh_destroy(mesh);
}

TEST(regular_element_has_quality_1) {
    static const carom_vec3 regular[] = {{1, 1, 1}, {-1, 1, -1}, {1, -1, -1}, {-1, -1, 1}};
    carom_mesh_def def = definition(1, 4, regular, 1, one);
    carom_mesh *mesh = create(&def);
    CHECK_NEAR(carom_mesh_get_quality(mesh).least_quality, 1.0, 1e-15);
    carom_mesh_destroy(mesh);
}

TEST(inner_face_is_not_of_the_surface) {
    static const int32_t elements[] = {0, 1, 2, 3, 1, 2, 3, 4};
    carom_mesh_def def = definition(1, 5, corners, 2, elements);
    carom_mesh *mesh = create(&def);
    int count;
    carom_mesh_surface(mesh, &count);
    CHECK_INT(count, 6);
    CHECK_INT(carom_mesh_get_quality(mesh).pieces, 1);
    CHECK_NEAR(carom_mesh_get_quality(mesh).volume, 1.0 / 6.0 + 2.0 / 6.0, 1e-15);
    CHECK_INT(carom_mesh_get_quality(mesh).worst_element, 0);
    carom_mesh_destroy(mesh);
}

TEST(parts_that_share_no_node_are_counted) {
    carom_vec3 nodes[8];
    static const int32_t elements[] = {0, 1, 2, 3, 4, 5, 6, 7};
    for (int i = 0; i < 8; i++) nodes[i] = crm_add(corners[i % 4], crm_vec3(i < 4 ? 0.0 : 3.0, 0, 0));
    carom_mesh_def def = definition(1, 8, nodes, 2, elements);
    carom_mesh *mesh = create(&def);
    CHECK_INT(carom_mesh_get_quality(mesh).pieces, 2);
    carom_mesh_destroy(mesh);
}

// Straight edges enclose what four nodes do; a middle that bulges out of a face adds a cap to it.
TEST(ten_nodes_may_be_curved) {
    carom_mesh_def def = definition(2, 10, ten, 1, first_ten);
    carom_mesh *mesh = create(&def);
    CHECK_NEAR(carom_mesh_get_quality(mesh).volume, 1.0 / 6.0, 1e-15);
    int count;
    carom_mesh_surface(mesh, &count);
    CHECK_INT(count, 16);
    carom_mesh_destroy(mesh);
    carom_vec3 curved[10];
    memcpy(curved, ten, sizeof ten);
    curved[4].z = -0.1; // within the face y = 0, out of the face z = 0
    def.nodes = curved;
    mesh = create(&def);
    // The integral of 0.1 * 4 l0 l1 over the face, whose area is 1/2: 0.4 * 2 * (1/2) / 24.
    CHECK_NEAR(carom_mesh_get_quality(mesh).volume, 1.0 / 6.0 + 0.4 / 24.0, 1e-15);
    carom_mesh_destroy(mesh);
}

TEST(bad_definitions_are_refused) {
    carom_mesh *mesh = NULL;
    carom_error error = {.text = ""};
    carom_mesh_def empty = {0}, def;
    CHECK_INT(carom_mesh_create(NULL, NULL, &mesh, &error), CAROM_ERR_BAD_INPUT);
    CHECK_INT(carom_mesh_create(&empty, NULL, &mesh, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "carom_mesh_def_default()");
    def = definition(3, 4, corners, 1, one);
    refuses(&def, "order is 3, must be 1 or 2");
    def = definition(1, 3, corners, 1, one);
    refuses(&def, "node_count is 3, must be at least 4");
    def = definition(1, 2000000000, corners, 1, one);
    refuses(&def, "node_count is 2000000000, at most 10000000 are possible; make the mesh coarser");
    def = definition(1, 4, corners, 0, one);
    refuses(&def, "element_count is 0, must be at least 1");
    def = definition(1, 4, corners, 2000000000, one);
    refuses(&def, "element_count is 2000000000, at most 5000000 are possible; make the mesh coarser");
    def = definition(1, 4, NULL, 1, one);
    refuses(&def, "nodes is NULL, must have 4 nodes");
    def = definition(1, 4, corners, 1, NULL);
    refuses(&def, "elements is NULL, must have 1 elements");
}

TEST(bad_elements_are_refused) {
    carom_mesh_def def = definition(1, 4, corners, 1, (const int32_t[]){0, 1, 2, 4});
    refuses(&def, "element 0 has node 4, but nodes are 0 ... 3");
    def = definition(1, 4, corners, 1, (const int32_t[]){0, 1, 2, -1});
    refuses(&def, "element 0 has node -1, but nodes are 0 ... 3");
    def = definition(1, 4, corners, 1, (const int32_t[]){0, 1, 2, 1});
    refuses(&def, "element 0 has node 1 twice; its nodes must all be different");
    def = definition(1, 4, corners, 1, (const int32_t[]){0, 2, 1, 3});
    refuses(&def, "element 0 is inverted: its volume is -0.166667 m^3; exchange two of its corners");
    def = definition(1, 5, corners, 1, one);
    refuses(&def, "node 4 is in no element; remove it");
    def = definition(1, 5, corners, 2, (const int32_t[]){0, 1, 2, 3, 1, 2, 4, 3});
    refuses(&def, "element 1 is inverted: its volume is -0.333333 m^3; exchange two of its corners");
    def = definition(1, 4, corners, 2, (const int32_t[]){0, 1, 2, 3, 1, 0, 3, 2});
    refuses(&def,
            "element 1 lies on the same side of its face of nodes 0, 1, 2 as an element before it; remove the one "
            "that is there twice");
}

TEST(bad_nodes_are_refused) {
    carom_vec3 nodes[4];
    memcpy(nodes, corners, sizeof nodes);
    carom_mesh_def def = definition(1, 4, nodes, 1, one);
    nodes[2].y = NAN;
    refuses(&def, "node 2 is at (0, nan, 0), its coordinates must be finite and within 1e+09 m");
    nodes[2].y = -1e300;
    refuses(&def, "node 2 is at (0, -1e+300, 0), its coordinates must be finite and within 1e+09 m");
    nodes[2] = crm_vec3(0.5, 0, 0);
    refuses(&def, "element 0 is flat: its volume is 0 m^3 at edges of 0.978945 m; mend or remove it");
    nodes[2] = crm_vec3(0.3, 1e-11, 0);
    refuses(&def, "element 0 is flat: its volume is 1.66667e-12 m^3 at edges of 0.972111 m; mend or remove it");
    nodes[2] = nodes[1];
    refuses(&def, "element 0: its nodes 1 and 2 are 0 m apart, must be at least 1e-09 m; join them");
}

TEST(bad_faces_are_refused) {
    // Three elements on the face 0 1 2.
    static const carom_vec3 nodes[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}, {0.2, 0.2, 2}};
    carom_mesh_def def = definition(1, 6, nodes, 3, (const int32_t[]){0, 1, 2, 3, 0, 2, 1, 4, 0, 1, 2, 5});
    refuses(&def, "element 2: 3 elements have the face of nodes 0, 1, 2, at most two can meet there; remove one");
    def = definition(1, 4, nodes, 2, (const int32_t[]){0, 1, 2, 3, 0, 1, 2, 3});
    refuses(&def,
            "element 1 lies on the same side of its face of nodes 0, 1, 2 as an element before it; remove the one "
            "that is there twice");
}

TEST(bad_middles_are_refused) {
    carom_vec3 nodes[10];
    memcpy(nodes, ten, sizeof ten);
    carom_mesh_def def = definition(2, 10, nodes, 1, first_ten);
    nodes[8] = ten[9], nodes[9] = ten[8]; // gmsh's order
    refuses(&def, "element 0: node 8 is not between its corners 1 and 3, but 0.5 of their distance off the middle; the "
                  "middles must be those of edges 01, 12, 02, 03, 13, 23");
    memcpy(nodes, ten, sizeof ten);
    nodes[4].x = 0.76;
    refuses(&def,
            "element 0: node 4 is not between its corners 0 and 1, but 0.26 of their distance off the middle; the "
            "middles must be those of edges 01, 12, 02, 03, 13, 23");
    memcpy(nodes, ten, sizeof ten);
    nodes[4] = crm_vec3(0.5, 0.3, 0.3);
    refuses(&def, "element 0 is inverted near its corner 1 by its curved edges; straighten them");
}

// Two elements at a face: the second has a middle of its own there, or a corner of the first in the middle of an edge.
TEST(elements_at_an_edge_share_its_middle) {
    enum { NODES = 16 };
    carom_vec3 nodes[NODES] = {{0.0, 0.0, 0.0}};
    int32_t elements[20];
    memcpy(nodes, ten, sizeof ten);
    nodes[10] = crm_vec3(1, 1, 1);
    static const int32_t second[] = {1, 2, 3, 10, 5, 9, 8, 11, 12, 13};
    memcpy(elements, first_ten, sizeof first_ten);
    memcpy(elements + 10, second, sizeof second);
    for (int i = 0; i < 3; i++) nodes[11 + i] = crm_scale(0.5, crm_add(nodes[1 + i], nodes[10]));
    carom_mesh_def def = definition(2, 14, nodes, 2, elements);
    carom_mesh *mesh = create(&def);
    int count;
    carom_mesh_surface(mesh, &count);
    CHECK_INT(count, 24);
    carom_mesh_destroy(mesh);
    nodes[14] = nodes[5];
    elements[14] = 14;
    def.node_count = 15;
    refuses(&def,
            "element 1 has another node in the middle of an edge than an element before it; let all elements at an "
            "edge share its nodes");
}

// The corner of an element beside the first lies in the middle of an edge of it.
TEST(corners_are_no_middles) {
    carom_vec3 nodes[19];
    int32_t elements[20] = {[10] = 5};
    memcpy(nodes, ten, sizeof ten);
    memcpy(elements, first_ten, sizeof first_ten);
    for (int i = 1; i < 10; i++) nodes[9 + i] = crm_add(ten[i], ten[5]), elements[10 + i] = 9 + i;
    carom_mesh_def def = definition(2, 19, nodes, 2, elements);
    refuses(&def,
            "element 0 has node 5 in the middle of an edge, which is elsewhere a corner; give every edge a node of "
            "its own");
}

TEST(memory_that_is_refused_is_given_back) {
    carom_error error;
    for (int order = 1; order <= 2; order++) {
        probe_allocator probe = {0};
        carom_allocator hook = probe_allocator_hook(&probe);
        carom_mesh *mesh = NULL;
        for (probe.refused_call = 1;; probe.refused_call++) {
            probe.calls = 0;
            carom_status status =
                carom_mesh_create_box(crm_vec3(1, 1, 1), (int[]){3, 3, 3}, order, &hook, &mesh, &error);
            if (status == CAROM_OK) break;
            if (!CHECK_INT(status, CAROM_ERR_NO_MEMORY)) break;
            CHECK_CONTAINS(error.text, "no memory");
            CHECK_INT(probe.live_blocks, 0);
        }
        CHECK(probe.refused_call > 3);
        carom_mesh_destroy(mesh);
        CHECK_INT(probe.live_blocks, 0);
        CHECK_INT(probe.live_bytes, 0);
    }
}

TEST(copies_are_the_same) {
    carom_mesh_def def = definition(1, 5, corners, 2, two);
    carom_mesh *mesh = create(&def);
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    const carom_mesh *copy = crm_mesh_copy(mesh, &arena);
    int count, other;
    const carom_mesh_triangle *a = carom_mesh_surface(mesh, &count), *b = carom_mesh_surface(copy, &other);
    CHECK_INT(count, other);
    CHECK(a != b && memcmp(a, b, (size_t)count * sizeof *a) == 0);
    CHECK(memcmp(carom_mesh_nodes(mesh), carom_mesh_nodes(copy), sizeof corners) == 0);
    CHECK(memcmp(carom_mesh_elements(mesh), carom_mesh_elements(copy), sizeof two) == 0);
    carom_mesh_destroy(mesh);
    CHECK_NEAR(carom_mesh_get_quality(copy).volume, 0.5, 1e-15);
    crm_arena_free(&arena);
}

TEST_MAIN(CASE(surface_of_one_element_looks_outward), CASE(regular_element_has_quality_1),
          CASE(inner_face_is_not_of_the_surface), CASE(parts_that_share_no_node_are_counted),
          CASE(ten_nodes_may_be_curved), CASE(bad_definitions_are_refused), CASE(bad_elements_are_refused),
          CASE(bad_nodes_are_refused), CASE(bad_faces_are_refused), CASE(bad_middles_are_refused),
          CASE(elements_at_an_edge_share_its_middle), CASE(corners_are_no_middles),
          CASE(memory_that_is_refused_is_given_back), CASE(copies_are_the_same))
