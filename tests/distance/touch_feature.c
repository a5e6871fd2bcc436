// SPDX-License-Identifier: MIT
// Names of features against the numbers that a shape gives its vertices, edges and facets.
#include "carom/distance.h"
#include "math/vec3.h"
#include "support/geometry/polytopes.h"
#include "support/harness/check.h"

static carom_touch touch_on(int count, const int *vertices) {
    carom_touch touch = {.vertex_count = count};
    for (int k = 0; k < count && k < CAROM_TOUCH_VERTICES; k++) {
        touch.vertices[k] = vertices[k];
        touch.weights[k] = 1.0 / count;
    }
    return touch;
}

static void check_feature(const carom_shape *shape, const carom_touch *touch, carom_feature_kind kind, int number) {
    int found = -2;
    CHECK_INT(carom_touch_feature(shape, touch, &found), kind);
    CHECK_INT(found, number);
}

static void ascend(int count, int *vertices) {
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0 && vertices[k - 1] > vertices[k]; k--) {
            int swap = vertices[k];
            vertices[k] = vertices[k - 1];
            vertices[k - 1] = swap;
        }
}

// Every vertex, edge and facet by itself; of a facet also any three corners and any two that are no edge.
static void check_all(const carom_shape *shape) {
    for (int v = 0; v < carom_shape_vertex_count(shape); v++) {
        carom_touch touch = touch_on(1, &v);
        check_feature(shape, &touch, CAROM_FEATURE_KIND_VERTEX, v);
    }
    for (int e = 0; e < carom_shape_edge_count(shape); e++) {
        carom_edge edge;
        CHECK_INT(carom_shape_get_edge(shape, e, &edge, NULL), CAROM_OK);
        carom_touch touch = touch_on(2, edge.vertices);
        check_feature(shape, &touch, CAROM_FEATURE_KIND_EDGE, e);
    }
    for (int f = 0; f < carom_shape_facet_count(shape); f++) {
        carom_facet facet;
        CHECK_INT(carom_shape_get_facet(shape, f, &facet, NULL), CAROM_OK);
        int n = facet.vertex_count, some[CAROM_TOUCH_VERTICES];
        for (int k = 0; k < CAROM_TOUCH_VERTICES && k < n; k++) some[k] = facet.vertices[k];
        ascend(n < CAROM_TOUCH_VERTICES ? n : CAROM_TOUCH_VERTICES, some);
        carom_touch touch = touch_on(n, some); // a touch of many corners lists the first ones only
        check_feature(shape, &touch, CAROM_FEATURE_KIND_FACET, f);
        for (int k = 0; k < n; k++) {
            int three[3] = {facet.vertices[k], facet.vertices[(k + 1) % n], facet.vertices[(k + n / 2) % n]};
            if (n > 3) {
                ascend(3, three);
                touch = touch_on(3, three);
                check_feature(shape, &touch, CAROM_FEATURE_KIND_FACET, f);
                int two[2] = {facet.vertices[k], facet.vertices[(k + 2) % n]};
                ascend(2, two);
                touch = touch_on(2, two);
                check_feature(shape, &touch, CAROM_FEATURE_KIND_FACET, f);
            }
        }
    }
}

TEST(polytopes_name_all_their_features) {
    sampler s = {.seed = 97};
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_BOX);
    carom_shape *box = NULL;
    CHECK_INT(carom_shape_create(&def, NULL, &box, NULL), CAROM_OK);
    check_all(box);
    carom_shape_destroy(box);
    carom_shape *prism = named_polytope(CAROM_POLYTOPE_PRISM, 30, 1.0, 1.0);
    check_all(prism);
    carom_shape_destroy(prism);
    for (int kind = 0; kind < POINT_KINDS; kind++) {
        carom_vec3 points[400];
        carom_shape *shape = polytope_of_points(sample_points(kind, &s, false, points), points);
        check_all(shape);
        carom_shape_destroy(shape);
    }
}

// Weights that no facet holds: the one that holds most.
TEST(corners_of_two_facets_give_the_heavier_one) {
    carom_shape *pyramid = named_polytope(CAROM_POLYTOPE_PYRAMID, 4, 1.0, 1.0);
    for (int f = 0; f < carom_shape_facet_count(pyramid); f++) {
        carom_facet facet;
        CHECK_INT(carom_shape_get_facet(pyramid, f, &facet, NULL), CAROM_OK);
        bool on[5] = {false};
        if (facet.vertex_count != 3) continue;
        carom_touch touch = {0};
        for (int k = 0; k < 3; k++) on[facet.vertices[k]] = true;
        for (int v = 0; v < 5; v++) {
            touch.vertices[touch.vertex_count] = v;
            touch.weights[touch.vertex_count++] = on[v] ? 0.32 : 0.02;
        }
        check_feature(pyramid, &touch, CAROM_FEATURE_KIND_FACET, f);
    }
    carom_shape_destroy(pyramid);
}

TEST(other_kinds_have_no_numbers) {
    carom_shape *shape[CAROM_SHAPE_COUNT] = {NULL};
    const carom_touch one = touch_on(1, (const int[]){0}), two = touch_on(2, (const int[]){0, 1}), none = {0};
    for (int kind = 0; kind < CAROM_SHAPE_COUNT; kind++) {
        carom_shape_def def = carom_shape_def_default((carom_shape_kind)kind);
        if (kind == CAROM_SHAPE_COMPOUND || kind == CAROM_SHAPE_POLYTOPE) continue;
        CHECK_INT(carom_shape_create(&def, NULL, &shape[kind], NULL), CAROM_OK);
    }
    check_feature(shape[CAROM_SHAPE_SPHERE], &one, CAROM_FEATURE_KIND_SMOOTH, -1);
    check_feature(shape[CAROM_SHAPE_ELLIPSOID], &one, CAROM_FEATURE_KIND_SMOOTH, -1);
    check_feature(shape[CAROM_SHAPE_CAPSULE], &one, CAROM_FEATURE_KIND_VERTEX, -1);
    check_feature(shape[CAROM_SHAPE_CAPSULE], &two, CAROM_FEATURE_KIND_EDGE, -1);
    check_feature(shape[CAROM_SHAPE_HALF_SPACE], &none, CAROM_FEATURE_KIND_SMOOTH, -1);
    check_feature(shape[CAROM_SHAPE_CONTAINER], &none, CAROM_FEATURE_KIND_SMOOTH, -1);
    check_feature(shape[CAROM_SHAPE_BOX], &none, CAROM_FEATURE_KIND_SMOOTH, -1); // a ray that missed
    for (int kind = 0; kind < CAROM_SHAPE_COUNT; kind++) carom_shape_destroy(shape[kind]);
}

TEST(compounds_name_features_of_the_part) {
    carom_shape_def box = carom_shape_def_default(CAROM_SHAPE_BOX),
                    capsule = carom_shape_def_default(CAROM_SHAPE_CAPSULE);
    carom_compound_part parts[2] = {carom_compound_part_default(), carom_compound_part_default()};
    parts[0].shape = &capsule;
    parts[1].shape = &box;
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_COMPOUND);
    def.compound = (carom_compound_def){2, parts};
    carom_shape *shape = NULL;
    CHECK_INT(carom_shape_create(&def, NULL, &shape, NULL), CAROM_OK);
    carom_touch touch = touch_on(1, (const int[]){1});
    check_feature(shape, &touch, CAROM_FEATURE_KIND_VERTEX, -1);
    touch.part = 1;
    check_feature(shape, &touch, CAROM_FEATURE_KIND_VERTEX, 1);
    carom_shape_destroy(shape);
}

TEST_MAIN(CASE(polytopes_name_all_their_features), CASE(corners_of_two_facets_give_the_heavier_one),
          CASE(other_kinds_have_no_numbers), CASE(compounds_name_features_of_the_part))
