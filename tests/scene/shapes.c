// SPDX-License-Identifier: MIT
// Shapes of scenes: what they weigh, what the model gets, groups, and shapes as text by themselves.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/carom.h"
#include "support/harness/check.h"
#include "support/harness/probe_allocator.h"

static carom_scene *read_good(const char *text) {
    carom_scene *scene = NULL;
    carom_error error = {.text = ""};
    if (!CHECK_INT(carom_scene_read(&(carom_scene_source){.struct_size = sizeof(carom_scene_source), .text = text},
                                    NULL, &scene, NULL, &error),
                   CAROM_OK))
        CHECK_TEXT(error.text, "");
    return scene;
}

static carom_body_def body_of(const carom_scene *scene, int index) {
    carom_body_def def = carom_body_def_default();
    CHECK_INT(carom_model_get_body(carom_scene_model(scene), (carom_body){index}, &def, NULL), CAROM_OK);
    return def;
}

static void check_vec3(carom_vec3 got, double x, double y, double z, double tolerance) {
    CHECK_NEAR(got.x, x, tolerance);
    CHECK_NEAR(got.y, y, tolerance);
    CHECK_NEAR(got.z, z, tolerance);
}

// The corner tetrahedron of edge 1: volume 1/6, centroid at 1/4, moments about it 3/80 of the mass on the diagonal and
// +1/80 off it (the product of inertia is negative of the integral of xy about the centroid, -1/80).
TEST(a_polytope_has_mass_centre_and_inertia_of_its_volume) {
    carom_scene *scene =
        read_good("{\"carom\": 1, \"shapes\": {\"s\": {\"kind\": \"polytope\", \"vertices\": [[0,0,0], "
                  "[1,0,0], [0,1,0], [0,0,1]]}},"
                  "\"bodies\": [{\"shape\": \"s\", \"density\": 6}, {\"shape\": \"s\", \"mass\": 2}]}");
    if (scene == NULL) return;
    for (int i = 0; i < 2; i++) {
        carom_body_def def = body_of(scene, i);
        CHECK_NEAR(def.mass, i == 0 ? 1.0 : 2.0, 1e-15);
        check_vec3(def.centre, 0.25, 0.25, 0.25, 1e-15);
        check_vec3(def.inertia.x, 0.075 * def.mass, 0.0125 * def.mass, 0.0125 * def.mass, 1e-15);
        check_vec3(def.inertia.z, 0.0125 * def.mass, 0.0125 * def.mass, 0.075 * def.mass, 1e-15);
        CHECK_INT(def.shape.index, 0);
    }
    carom_scene_destroy(scene);
}

// Two balls of radius 1 and masses m and 2m, 4 m apart: centre at 1/3 and 2/3, parallel axes.
TEST(a_compound_has_the_centre_of_its_parts_whatever_the_order) {
    carom_scene *scene = read_good(
        "{\"carom\": 1, \"shapes\": {\"pair\": {\"kind\": \"compound\", \"parts\": [{\"shape\": \"ball\", "
        "\"position\": "
        "[-1, 0, 0]}, {\"shape\": {\"kind\": \"sphere\", \"radius\": 1}, \"position\": [3, 0, 0], \"density\": 2}]}, "
        "\"ball\": {\"kind\": \"sphere\", \"radius\": 1}}, \"bodies\": [{\"shape\": \"pair\", \"mass\": 3}]}");
    if (scene == NULL) return;
    carom_body_def def = body_of(scene, 0);
    double along = 3.0 * 0.4, across = along + 1.0 * 64.0 / 9.0 + 2.0 * 16.0 / 9.0;
    check_vec3(def.centre, 5.0 / 3.0, 0.0, 0.0, 1e-14);
    check_vec3(def.inertia.x, along, 0.0, 0.0, 1e-14);
    check_vec3(def.inertia.y, 0.0, across, 0.0, 1e-13);
    const carom_model *model = carom_scene_model(scene);
    CHECK_INT(carom_model_shape_count(model), 2);
    CHECK_TEXT(carom_model_shape_name(model, (carom_model_shape){0}), "pair");
    CHECK_INT(carom_shape_part_count(carom_model_get_shape(model, def.shape)), 2);
    carom_scene_destroy(scene);
}

// What is zero but for rounding is zero, so that principal frames are not rotated: centred solids in closed form.
TEST(named_polytopes_are_centred_to_the_bit) {
    carom_scene *scene = read_good(
        "{\"carom\": 1, \"shapes\": {\"t\": {\"kind\": \"tetrahedron\", \"edge\": 2}, \"p\": {\"kind\": \"pyramid\", "
        "\"sides\": 4, \"radius\": 1, \"height\": 2}, \"q\": {\"kind\": \"prism\", \"sides\": 6, \"radius\": 1, "
        "\"height\": 3}}, \"bodies\": [{\"shape\": \"t\", \"density\": 1}, {\"shape\": \"p\", \"density\": 1}, "
        "{\"shape\": \"q\", \"density\": 1}]}");
    if (scene == NULL) return;
    const double volume[3] = {8.0 / (6.0 * sqrt(2.0)), 2.0 * 2.0 / 3.0, 1.5 * sqrt(3.0) * 3.0};
    // A tetrahedron: m a^2 / 20. A pyramid over a square of edge a: m a^2 / 20 + 3 m h^2 / 80, m a^2 / 10. A prism over
    // a hexagon: 5/12 m r^2 about its axis, half of that and m h^2 / 12 across.
    const double axial[3] = {4.0 / 20.0, 2.0 / 10.0, 5.0 / 12.0};
    const double across[3] = {4.0 / 20.0, 2.0 / 20.0 + 3.0 * 4.0 / 80.0, 5.0 / 24.0 + 9.0 / 12.0};
    for (int i = 0; i < 3; i++) {
        carom_body_def def = body_of(scene, i);
        CHECK_NEAR(def.mass, volume[i], 1e-14);
        check_vec3(def.centre, 0.0, 0.0, 0.0, 0.0);
        CHECK_NEAR(def.inertia.z.z, axial[i] * def.mass, 1e-14);
        CHECK_NEAR(def.inertia.x.x, across[i] * def.mass, 1e-14);
        CHECK_NEAR(def.inertia.y.y, across[i] * def.mass, 1e-14);
        CHECK_NEAR(fabs(def.inertia.x.y) + fabs(def.inertia.x.z) + fabs(def.inertia.y.z), 0.0, 0.0);
    }
    carom_scene_destroy(scene);
}

TEST(inertia_that_is_given_keeps_the_given_centre) {
    carom_scene *scene = read_good(
        "{\"carom\": 1, \"shapes\": {\"s\": {\"kind\": \"polytope\", \"vertices\": [[0,0,0], [1,0,0], [0,1,0], "
        "[0,0,1]]}}, \"bodies\": [{\"shape\": \"s\", \"mass\": 1, \"inertia\": [1, 1, 1]}, {\"shape\": \"s\", "
        "\"density\": "
        "6, \"inertia\": [1, 1, 1]}, {\"shape\": \"s\", \"mass\": 1, \"inertia\": [1, 1, 1], \"centre\": [0.5, 0, "
        "0]}]}");
    if (scene == NULL) return;
    check_vec3(body_of(scene, 0).centre, 0.0, 0.0, 0.0, 0.0);
    check_vec3(body_of(scene, 1).centre, 0.25, 0.25, 0.25, 1e-15);
    check_vec3(body_of(scene, 2).centre, 0.5, 0.0, 0.0, 0.0);
    carom_scene_destroy(scene);
}

TEST(groups_rules_and_joints_get_into_the_model) {
    carom_scene *scene = read_good(
        "{\"carom\": 1, \"friction_rule\": \"mean\", \"restitution_rule\": \"product\", \"record_contacts\": true,"
        "\"method\": {\"name\": \"multiplier\"},"
        "\"materials\": {\"a\": {\"friction\": 0.2, \"restitution\": 0.5}, \"b\": {\"friction\": 0.4, \"restitution\": "
        "0.5}}, \"shapes\": {\"s\": {\"kind\": \"sphere\", \"radius\": 1}, \"f\": {\"kind\": \"half_space\", "
        "\"normal\": [0, 0, 1]}}, \"bodies\": ["
        "{\"name\": \"floor\", \"kind\": \"fixed\", \"shape\": \"f\", \"groups\": [\"scenery\"]},"
        "{\"name\": \"ghost\", \"shape\": \"s\", \"density\": 1, \"meets\": [\"scenery\"], \"material\": \"a\"},"
        "{\"name\": \"ball\", \"shape\": \"s\", \"density\": 1, \"material\": \"b\"},"
        "{\"name\": \"bat\", \"shape\": \"s\", \"density\": 1, \"position\": [3, 0, 0]},"
        "{\"name\": \"arm\", \"shape\": \"s\", \"density\": 1, \"position\": [6, 0, 0]}],"
        "\"joints\": [{\"kind\": \"hinge\", \"a\": \"ball\", \"b\": \"bat\", \"point\": [0, 0, 0]},"
        "{\"kind\": \"hinge\", \"a\": \"bat\", \"b\": \"arm\", \"point\": [0, 0, 0], \"bodies_touch\": true}]}");
    if (scene == NULL) return;
    static const bool wanted[5][5] = {
        {0, 1, 1, 1, 1}, {1, 0, 0, 0, 0}, {1, 0, 0, 0, 1}, {1, 0, 0, 0, 1}, {1, 0, 1, 1, 0}};
    const carom_model *model = carom_scene_model(scene);
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++)
            CHECK_INT(carom_model_bodies_meet(model, (carom_body){i}, (carom_body){j}), wanted[i][j]);
    CHECK(body_of(scene, 0).groups == 2 && body_of(scene, 1).meets == 2 && body_of(scene, 2).groups == 1);
    double friction, restitution;
    CHECK_INT(carom_model_get_material_pair(model, body_of(scene, 1).material, body_of(scene, 2).material, &friction,
                                            &restitution, NULL),
              CAROM_OK);
    CHECK_NEAR(friction, 0.3, 1e-15);
    CHECK_NEAR(restitution, 0.25, 0.0);
    CHECK(carom_scene_record_contacts(scene));
    carom_scene_destroy(scene);
}

// Every kind as text, read back, and as text again.
TEST(shapes_as_text_read_back_to_the_same_text) {
    static const char *const texts[] = {
        "{\"kind\": \"sphere\", \"radius\": 0.1}",
        "{\"kind\": \"ellipsoid\", \"half_axes\": [0.3, 0.2, 0.1]}",
        "{\"kind\": \"box\", \"size\": [0.1, 0.7, 0.3]}",
        "{\"kind\": \"capsule\", \"radius\": 0.1, \"length\": 0.7}",
        "{\"kind\": \"polytope\", \"vertices\": [[0, 0, 0.1], [1, 0, 0], [0, 1, 0], [0, 0, 1]], \"centre\": \"mass\"}",
        "{\"kind\": \"half_space\", \"normal\": [0, 1, 0], \"offset\": -0.1}",
        "{\"kind\": \"container\", \"radius\": 3.3}",
        "{\"kind\": \"compound\", \"parts\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}, \"position\": [1, "
        "2, "
        "3], \"attitude\": [0, 1, 0, 0], \"density\": 0.3}, {\"shape\": {\"kind\": \"box\", \"size\": [1, 1, 1]}, "
        "\"position\": [0, 0, 0], \"attitude\": [1, 0, 0, 0], \"density\": 1}]}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        carom_shape *shape = NULL;
        carom_error error = {.text = ""};
        if (!CHECK_INT(carom_scene_read_shape(texts[i], NULL, &shape, &error), CAROM_OK)) {
            CHECK_TEXT(error.text, "");
            continue;
        }
        char text[512], cut[10];
        CHECK_INT(carom_scene_write_shape(shape, text, sizeof text), (int)strlen(texts[i]));
        CHECK_TEXT(text, texts[i]);
        CHECK_INT(carom_scene_write_shape(shape, NULL, 0), (int)strlen(texts[i]));
        CHECK_INT(carom_scene_write_shape(shape, cut, sizeof cut), (int)strlen(texts[i]));
        CHECK_TEXT(cut, "{\"kind\": ");
        carom_shape_destroy(shape);
    }
}

// Named forms become vertices; those are the same to the bit.
TEST(named_polytopes_are_written_as_their_vertices) {
    static const char *const texts[] = {
        "{\"kind\": \"tetrahedron\", \"edge\": 0.7}",
        "{\"kind\": \"pyramid\", \"sides\": 5, \"radius\": 0.3, \"height\": 0.7}",
        "{\"kind\": \"prism\", \"sides\": 7, \"radius\": 0.3, \"height\": 0.7}",
        "{\"kind\": \"polytope\", \"half_spaces\": [{\"normal\": [1, 0, 0]}, {\"normal\": [0, 1, 0]}, {\"normal\": [0, "
        "0, "
        "1]}, {\"normal\": [-1, -1, -1], \"offset\": 1}]}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        carom_shape *shape = NULL, *again = NULL;
        char text[4096];
        if (!CHECK_INT(carom_scene_read_shape(texts[i], NULL, &shape, NULL), CAROM_OK)) continue;
        CHECK(carom_scene_write_shape(shape, text, sizeof text) < sizeof text);
        if (CHECK_INT(carom_scene_read_shape(text, NULL, &again, NULL), CAROM_OK)) {
            int count = carom_shape_vertex_count(shape);
            CHECK_INT(carom_shape_vertex_count(again), count);
            CHECK(memcmp(carom_shape_vertices(again), carom_shape_vertices(shape),
                         (size_t)count * sizeof(carom_vec3)) == 0);
        }
        carom_shape_destroy(again);
        carom_shape_destroy(shape);
    }
}

TEST(wrong_shape_texts_are_refused) {
    static const struct {
        const char *text, *sentence;
    } cases[] = {
        {"", "shape:1: "},
        {"7", "shape:1: needs an object for a shape, not 7"},
        {"{\"kind\": \"sphere\", \"radius\": 1e10}", "shape:1: radius: is 1e+10 m, must be between 1e-09 and 1e+09 m"},
        {"{\"kind\": \"compound\", \"parts\": [{\"shape\": \"ball\"}]}", "shape:1: parts[0].shape: needs an object"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        carom_shape *shape = (carom_shape *)1;
        carom_error error = {.text = ""};
        CHECK_INT(carom_scene_read_shape(cases[i].text, NULL, &shape, &error), CAROM_ERR_BAD_INPUT);
        CHECK(shape == NULL);
        CHECK_CONTAINS(error.text, cases[i].sentence);
    }
}

TEST(any_refused_allocation_of_a_shape_is_said_and_leaks_nothing) {
    bool refused = true;
    for (long long n = 1; refused && n < 1000; n++) {
        probe_allocator probe = {.refused_call = n};
        carom_allocator hook = probe_allocator_hook(&probe);
        carom_shape *shape = NULL;
        carom_status status = carom_scene_read_shape(
            "{\"kind\": \"compound\", \"parts\": [{\"shape\": {\"kind\": \"box\", \"size\": [1, 1, "
            "1]}}]}",
            &hook, &shape, NULL);
        refused = probe.calls >= n;
        CHECK_INT(status, refused ? CAROM_ERR_NO_MEMORY : CAROM_OK);
        carom_shape_destroy(shape);
        CHECK_INT(probe.live_blocks, 0);
    }
    CHECK(!refused);
}

TEST_MAIN(CASE(a_polytope_has_mass_centre_and_inertia_of_its_volume),
          CASE(a_compound_has_the_centre_of_its_parts_whatever_the_order), CASE(named_polytopes_are_centred_to_the_bit),
          CASE(inertia_that_is_given_keeps_the_given_centre), CASE(groups_rules_and_joints_get_into_the_model),
          CASE(shapes_as_text_read_back_to_the_same_text), CASE(named_polytopes_are_written_as_their_vertices),
          CASE(wrong_shape_texts_are_refused), CASE(any_refused_allocation_of_a_shape_is_said_and_leaks_nothing))
