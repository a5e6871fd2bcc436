// SPDX-License-Identifier: MIT
// Shapes of a model: what is refused, what can be asked, and that saved states know them.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "model/model_state.h"
#include "support/harness/check.h"
#include "support/harness/probe_allocator.h"
#include "support/model/world.h"

static carom_model *empty_model(void) {
    return world_model((carom_vec3){0.0, 0.0, 0.0}, 0.0);
}

static carom_model_shape add(carom_model *model, const char *name, carom_shape_def def) {
    carom_model_shape shape = {-7};
    CHECK_INT(carom_model_add_shape(model, name, &def, &shape, NULL), CAROM_OK);
    return shape;
}

static carom_shape_def ball(double radius) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_SPHERE);
    def.sphere.radius = radius;
    return def;
}

TEST(shapes_are_numbered_named_and_own_their_memory) {
    carom_model *model = empty_model();
    CHECK_INT(carom_model_shape_count(model), 0);
    carom_vec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    carom_shape_def wedge = carom_shape_def_default(CAROM_SHAPE_POLYTOPE);
    wedge.polytope.vertex_count = 4;
    wedge.polytope.vertices = corners;
    char name[] = "wedge";
    carom_model_shape first = add(model, name, wedge), second = add(model, NULL, ball(2.0));
    memset(corners, 0, sizeof corners);
    memset(name, 'x', 3);
    CHECK_INT(carom_model_shape_count(model), 2);
    CHECK_INT(first.index, 0);
    CHECK_INT(second.index, 1);
    CHECK_TEXT(carom_model_shape_name(model, first), "wedge");
    CHECK(carom_model_shape_name(model, second) == NULL);
    carom_mass mass;
    CHECK_INT(carom_shape_get_mass(carom_model_get_shape(model, first), 6.0, &mass, NULL), CAROM_OK);
    CHECK_NEAR(mass.mass, 1.0, 1e-14);
    CHECK_NEAR(carom_shape_bounding_radius(carom_model_get_shape(model, second)), 2.0, 0.0);
    CHECK(carom_model_get_shape(model, (carom_model_shape){2}) == NULL);
    CHECK(carom_model_get_shape(model, (carom_model_shape){-1}) == NULL);
    CHECK(carom_model_shape_name(model, (carom_model_shape){2}) == NULL);
    carom_model_destroy(model);
}

TEST(impossible_shapes_are_refused_with_a_sentence) {
    carom_model *model = empty_model();
    add(model, "ball", ball(1.0));
    carom_error error;
    carom_shape_def bad = ball(-1.0), good = ball(1.0);
    CHECK_INT(carom_model_add_shape(model, "stone", &bad, NULL, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "shape 'stone': sphere.radius is -1 m, must be between 1e-09 and 1e+09 m");
    CHECK_INT(carom_model_add_shape(model, NULL, &bad, NULL, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "shape 1: sphere.radius is -1 m");
    CHECK_INT(carom_model_add_shape(model, "ball", &good, NULL, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "shape 'ball': there is a shape of that name already");
    CHECK_INT(carom_model_add_shape(model, "", &good, NULL, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "shape 1: its name is empty");
    CHECK_INT(carom_model_shape_count(model), 1);
    add(model, "stone", good); // the failed one left no name behind
    CHECK_INT(carom_model_freeze(model, NULL), CAROM_OK);
    CHECK_INT(carom_model_add_shape(model, NULL, &good, NULL, &error), CAROM_ERR_FROZEN);
    CHECK_INT(carom_model_set_pair_filter(model, NULL, NULL, &error), CAROM_ERR_FROZEN);
    carom_model_destroy(model);
}

TEST(bodies_refuse_shapes_that_they_cannot_have) {
    carom_model *model = empty_model();
    carom_model_shape sphere = add(model, NULL, ball(1.0)),
                      floor = add(model, NULL, carom_shape_def_default(CAROM_SHAPE_HALF_SPACE)),
                      bowl = add(model, NULL, carom_shape_def_default(CAROM_SHAPE_CONTAINER));
    const struct {
        carom_body_kind kind;
        int shape;
        const char *sentence; // NULL: fine
    } cases[] = {
        {CAROM_BODY_FREE, -1, NULL},
        {CAROM_BODY_FREE, -2, "body 'x': there is no shape -2; the model has 3 shapes"},
        {CAROM_BODY_FREE, 3, "body 'x': there is no shape 3; the model has 3 shapes"},
        {CAROM_BODY_POINT, sphere.index, "body 'x': a point has no extension and so no shape"},
        {CAROM_BODY_FREE, floor.index, "body 'x': a half_space is static geometry without mass, only a fixed body"},
        {CAROM_BODY_PLANAR, bowl.index, "body 'x': a container is static geometry without mass, only a fixed body"},
        {CAROM_BODY_PLANAR, sphere.index, NULL},
        {CAROM_BODY_FIXED, floor.index, NULL},
        {CAROM_BODY_FIXED, bowl.index, NULL},
    };
    int bodies = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        carom_body_def def = carom_body_def_default();
        def.kind = cases[i].kind;
        def.shape.index = cases[i].shape;
        def.name = cases[i].sentence != NULL ? "x" : NULL;
        carom_error error = {.text = ""};
        carom_status status = carom_model_add_body(model, &def, NULL, &error);
        CHECK_INT(status, cases[i].sentence != NULL ? CAROM_ERR_BAD_INPUT : CAROM_OK);
        if (cases[i].sentence != NULL)
            CHECK_CONTAINS(error.text, cases[i].sentence);
        else
            bodies++;
    }
    CHECK_INT(carom_model_body_count(model), bodies);
    carom_body_def back;
    CHECK_INT(carom_model_get_body(model, (carom_body){1}, &back, NULL), CAROM_OK);
    CHECK_INT(back.shape.index, sphere.index);
    CHECK(back.groups == 1 && back.meets == UINT32_MAX);
    carom_model_destroy(model);
}

// What a model of two bodies with shapes can be changed in without changing its motion.
typedef struct variant {
    double radius, density, friction, pair_friction;
    uint32_t groups, meets;
    int shape;
    carom_combination rule;
    bool bodies_touch, filter;
} variant;

static bool meet_always(void *user, int32_t a, int32_t b) {
    (void)user;
    return a != b;
}

static uint64_t fingerprint_of(variant v) {
    carom_model_def model_def = carom_model_def_default();
    model_def.friction_rule = v.rule;
    carom_model *model = NULL;
    assert_int_equal(carom_model_create(&model_def, &model, NULL), CAROM_OK);
    carom_material_def material = carom_material_def_default();
    material.friction = v.friction;
    carom_material steel;
    CHECK_INT(carom_model_add_material(model, &material, &steel, NULL), CAROM_OK);
    CHECK_INT(carom_model_set_material_pair(model, steel, steel, v.pair_friction, 0.0, NULL), CAROM_OK);
    carom_shape_def inner = ball(v.radius), pair = carom_shape_def_default(CAROM_SHAPE_COMPOUND);
    carom_compound_part parts[2] = {carom_compound_part_default(), carom_compound_part_default()};
    parts[0].shape = parts[1].shape = &inner;
    parts[1].pose.position.x = 3.0;
    parts[1].density = v.density;
    pair.compound = (carom_compound_def){2, parts};
    add(model, NULL, pair);
    add(model, NULL, ball(1.0));
    carom_body_def body = carom_body_def_default();
    body.shape.index = v.shape;
    body.groups = v.groups;
    body.meets = v.meets;
    body.material = steel;
    world_add(model, &body);
    world_add(model, &body);
    carom_joint_def joint = carom_joint_def_default();
    joint.a.index = 0;
    joint.b.index = 1;
    joint.bodies_touch = v.bodies_touch;
    CHECK_INT(carom_model_add_joint(model, &joint, NULL, NULL), CAROM_OK);
    if (v.filter) CHECK_INT(carom_model_set_pair_filter(model, meet_always, NULL, NULL), CAROM_OK);
    CHECK_INT(carom_model_freeze(model, NULL), CAROM_OK);
    uint64_t fingerprint = crm_model_fingerprint(model);
    carom_model_destroy(model);
    return fingerprint;
}

TEST(fingerprint_knows_all_that_contacts_depend_on) {
    variant same = {.radius = 1.0, .density = 1.0, .friction = 0.5, .pair_friction = 0.5, .groups = 1, .meets = 7};
    variant other[10];
    for (int i = 0; i < 10; i++) other[i] = same;
    other[0].radius = nextafter(1.0, 2.0);
    other[1].density = 2.0;
    other[2].friction = 0.25;
    other[3].pair_friction = 0.25;
    other[4].groups = 2;
    other[5].meets = 3;
    other[6].shape = 1;
    other[7].rule = CAROM_COMBINE_LEAST;
    other[8].bodies_touch = true;
    other[9].filter = true;
    uint64_t first = fingerprint_of(same);
    CHECK(fingerprint_of(same) == first);
    for (int i = 0; i < 10; i++) {
        uint64_t changed = fingerprint_of(other[i]);
        CHECK(changed != first);
        for (int j = 0; j < i; j++) CHECK(changed != fingerprint_of(other[j]));
    }
}

// States that were saved of models without shapes must stay readable: what they do not need is not in the number.
TEST(fingerprint_of_a_model_without_shapes_has_no_materials) {
    uint64_t fingerprint[2];
    for (int i = 0; i < 2; i++) {
        carom_model *model = empty_model();
        carom_body_def body = carom_body_def_default();
        if (i == 1) {
            carom_material_def def = carom_material_def_default();
            CHECK_INT(carom_model_add_material(model, &def, &body.material, NULL), CAROM_OK);
        }
        world_add(model, &body);
        CHECK_INT(carom_model_freeze(model, NULL), CAROM_OK);
        fingerprint[i] = crm_model_fingerprint(model);
        carom_model_destroy(model);
    }
    CHECK(fingerprint[0] == fingerprint[1]);
}

TEST(no_memory_leaves_the_model_as_it_was) {
    for (int refused = 1; refused < 60; refused++) {
        probe_allocator probe = {0};
        carom_allocator allocator = probe_allocator_hook(&probe);
        carom_model_def def = carom_model_def_default();
        def.allocator = &allocator;
        carom_model *model = NULL;
        assert_int_equal(carom_model_create(&def, &model, NULL), CAROM_OK);
        probe.refused_call = probe.calls + refused;
        carom_shape_def box = carom_shape_def_default(CAROM_SHAPE_BOX);
        carom_status status = carom_model_add_shape(model, "box", &box, NULL, NULL);
        CHECK(status == CAROM_OK || status == CAROM_ERR_NO_MEMORY);
        CHECK_INT(carom_model_shape_count(model), status == CAROM_OK);
        probe.refused_call = 0;
        if (status != CAROM_OK) add(model, "box", box);
        carom_model_destroy(model);
        CHECK_INT(probe.live_bytes, 0);
        if (status == CAROM_OK) return;
    }
    CHECK(!"the allocator never had enough");
}

TEST_MAIN(CASE(shapes_are_numbered_named_and_own_their_memory), CASE(impossible_shapes_are_refused_with_a_sentence),
          CASE(bodies_refuse_shapes_that_they_cannot_have), CASE(fingerprint_knows_all_that_contacts_depend_on),
          CASE(fingerprint_of_a_model_without_shapes_has_no_materials), CASE(no_memory_leaves_the_model_as_it_was))
