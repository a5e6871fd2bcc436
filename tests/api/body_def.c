// SPDX-License-Identifier: MIT
// A body from its shape and density in one call, and the user's pointer that goes with it.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"
#include "math/mat3.h"
#include "math/vec3.h"
#include "support/geometry/touching.h"
#include "support/harness/check.h"

static bool same_bits(const void *a, const void *b, size_t size) {
    return memcmp(a, b, size) == 0;
}

static carom_body_def stored(const carom_model *model, carom_body body) {
    carom_body_def def;
    CHECK_INT(carom_model_get_body(model, body, &def, NULL), CAROM_OK);
    return def;
}

static carom_body_def dense(carom_model_shape shape, double density) {
    carom_body_def def = carom_body_def_default();
    def.shape = shape;
    def.density = density;
    return def;
}

static carom_model_shape wedge(carom_model *model) {
    static const carom_vec3 corners[] = {{0, 0, 0}, {1, 0, 0}, {0, 0.7, 0}, {0.1, 0.2, 0.9}, {0.3, 0.4, -0.2}};
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_POLYTOPE);
    def.polytope.vertex_count = 5;
    def.polytope.vertices = corners;
    return touching_shape(model, &def);
}

static carom_model_shape hammer(carom_model *model) {
    carom_shape_def head = carom_shape_def_default(CAROM_SHAPE_BOX),
                    handle = carom_shape_def_default(CAROM_SHAPE_CAPSULE);
    carom_compound_part parts[2] = {carom_compound_part_default(), carom_compound_part_default()};
    parts[0].shape = &head;
    parts[0].pose.position = crm_vec3(0.0, 0.0, 1.0);
    parts[0].density = 7.8;
    parts[1].shape = &handle;
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_COMPOUND);
    def.compound = (carom_compound_def){2, parts};
    return touching_shape(model, &def);
}

TEST(density_gives_mass_centre_and_inertia_of_the_shape) {
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -9.81), 0.0);
    carom_model_shape shapes[] = {touching_sphere(model, 0.3), touching_box(model, 1.0, 2.0, 0.5),
                                  touching_ellipsoid(model, 0.3, 0.2, 0.1), wedge(model), hammer(model)};
    for (int i = 0; i < 5; i++) {
        carom_body_def def = dense(shapes[i], 850.0);
        carom_body_def got = stored(model, world_add(model, &def));
        carom_mass wanted;
        CHECK_INT(carom_shape_get_mass(carom_model_get_shape(model, shapes[i]), 850.0, &wanted, NULL), CAROM_OK);
        CHECK_NEAR(got.mass, wanted.mass, 1e-15 * wanted.mass);
        CHECK_NEAR(crm_distance(got.centre, wanted.centre), 0.0, 1e-14);
        CHECK_NEAR(crm_mat3_norm(crm_mat3_sub(got.inertia, wanted.inertia)), 0.0,
                   1e-14 * crm_mat3_norm(wanted.inertia));
        CHECK_NEAR(got.density, 0.0, 0.0); // what comes back is explicit, and can be given again
        CHECK(world_add(model, &got).index >= 0);
    }
    carom_model_destroy(model);
}

// Scenes have the same key; C and scenes then have the same body to the bit.
TEST(density_in_C_and_in_scenes_is_the_same_to_the_bit) {
    static const char text[] =
        "{\"carom\": 1, \"until\": 1, \"shapes\": {\"wedge\": {\"kind\": \"polytope\", \"vertices\": [[0, 0, 0], [1, "
        "0, 0],"
        " [0, 0.7, 0], [0.1, 0.2, 0.9], [0.3, 0.4, -0.2]]}, \"slab\": {\"kind\": \"box\", \"size\": [1, 2, 0.5]}},"
        " \"bodies\": [{\"shape\": \"wedge\", \"density\": 850}, {\"shape\": \"slab\", \"density\": 0.1,"
        " \"position\": [9, 0, 0]}]}";
    carom_scene *scene = NULL;
    carom_error error = {0};
    CHECK_INT(carom_scene_read(&(carom_scene_source){.struct_size = sizeof(carom_scene_source), .text = text}, NULL,
                               &scene, NULL, &error),
              CAROM_OK);
    CHECK_TEXT(error.text, "");
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -9.81), 0.0);
    carom_body_def defs[] = {dense(wedge(model), 850.0), dense(touching_box(model, 1.0, 2.0, 0.5), 0.1)};
    for (int i = 0; i < 2; i++) {
        carom_body_def ours = stored(model, world_add(model, &defs[i]));
        carom_body_def theirs = stored(carom_scene_model(scene), (carom_body){i});
        CHECK(same_bits(&ours.mass, &theirs.mass, sizeof ours.mass));
        CHECK(same_bits(&ours.centre, &theirs.centre, sizeof ours.centre));
        CHECK(same_bits(&ours.inertia, &theirs.inertia, sizeof ours.inertia));
    }
    carom_scene_destroy(scene);
    carom_model_destroy(model);
}

static void check_refused(carom_model *model, const carom_body_def *def, const char *part) {
    carom_error error = {0};
    int before = carom_model_body_count(model);
    CHECK_INT(carom_model_add_body(model, def, NULL, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, part);
    CHECK_INT(carom_model_body_count(model), before);
}

TEST(density_beside_mass_or_without_a_solid_is_refused) {
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -9.81), 0.0);
    carom_model_shape ball = touching_sphere(model, 0.3);
    carom_body_def def = dense(ball, 850.0);
    def.mass = 4.2;
    check_refused(model, &def, "both density (850 kg/m^3) and mass (4.2 kg)");
    def = dense(ball, 850.0);
    def.centre.x = 0.1;
    check_refused(model, &def, "both density (850 kg/m^3) and centre");
    def = dense(ball, 850.0);
    def.inertia.x.x = 2.0;
    check_refused(model, &def, "both density (850 kg/m^3) and inertia");
    def = dense((carom_model_shape){-1}, 850.0);
    check_refused(model, &def, "needs a shape");
    def = dense(touching_floor(model), 850.0);
    def.kind = CAROM_BODY_FIXED;
    check_refused(model, &def, "has no volume");
    def = dense(ball, -1.0);
    check_refused(model, &def, "density is -1 kg/m^3, must be positive and finite");
    def = dense(ball, INFINITY);
    check_refused(model, &def, "density is inf kg/m^3, must be positive and finite");
    def = dense(ball, 850.0);
    def.kind = CAROM_BODY_POINT;
    check_refused(model, &def, "a point has no extension");
    carom_model_destroy(model);
}

TEST(a_body_carries_a_pointer_of_the_user) {
    int first = 1, second = 2;
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -9.81), 0.0);
    carom_body_def def = carom_body_def_default();
    def.user = &first;
    carom_body marked = world_add(model, &def);
    def.user = NULL;
    carom_body plain = world_add(model, &def);
    CHECK(carom_model_body_user(model, marked) == &first);
    CHECK(carom_model_body_user(model, plain) == NULL);
    CHECK(carom_model_body_user(model, CAROM_WORLD) == NULL);
    carom_method_def method = carom_method_def_default();
    method.method = CAROM_METHOD_VARIATIONAL;
    carom_state *state = touching_state(model, &method);
    uint64_t hash = carom_state_hash(state);
    size_t size = carom_state_size(state);
    unsigned char *bytes = malloc(size);
    carom_state_save(state, bytes);
    // Also of a frozen model: it is no mechanics. Neither hash nor saved states know of it.
    CHECK_INT(carom_model_set_body_user(model, plain, &second, NULL), CAROM_OK);
    CHECK(carom_model_body_user(carom_state_model(state), plain) == &second);
    CHECK(carom_state_hash(state) == hash);
    CHECK_INT(carom_state_load(state, bytes, size, NULL), CAROM_OK);
    carom_error error;
    CHECK_INT(carom_model_set_body_user(model, (carom_body){7}, &second, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "7");
    free(bytes);
    world_destroy(state);
}

TEST_MAIN(CASE(density_gives_mass_centre_and_inertia_of_the_shape),
          CASE(density_in_C_and_in_scenes_is_the_same_to_the_bit),
          CASE(density_beside_mass_or_without_a_solid_is_refused), CASE(a_body_carries_a_pointer_of_the_user))
