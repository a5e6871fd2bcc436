// SPDX-License-Identifier: MIT
// Forces act on a mass point at its origin only; a saved state knows the settings that later bits depend on.
#include <string.h>

#include "carom/carom.h"
#include "support/harness/check.h"

static carom_model *point_and_block(void) {
    carom_model *model;
    carom_model_def def = carom_model_def_default();
    assert_int_equal(carom_model_create(&def, &model, NULL), CAROM_OK);
    carom_body_def body = carom_body_def_default();
    body.name = "bead";
    body.kind = CAROM_BODY_POINT;
    assert_int_equal(carom_model_add_body(model, &body, NULL, NULL), CAROM_OK);
    body.name = "block";
    body.kind = CAROM_BODY_FREE;
    body.position.x = 1.0;
    assert_int_equal(carom_model_add_body(model, &body, NULL, NULL), CAROM_OK);
    return model;
}

TEST(forces_beside_a_point_are_refused) {
    carom_model *model = point_and_block();
    carom_error error = {.text = ""};
    carom_vec3 beside = {0.1, 0.0, 0.0};
    carom_spring_def spring = {.struct_size = sizeof(carom_spring_def),
                               .a = {1},
                               .b = {0},
                               .point_a = beside,
                               .point_b = beside,
                               .stiffness = 1.0};
    CHECK_INT(carom_model_add_spring(model, &spring, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "spring: point_b is (0.1, 0, 0) m, but body 'bead' is a point: forces act at its origin");
    carom_charge_def charge = {sizeof(carom_charge_def), {0}, beside, 1.0};
    CHECK_INT(carom_model_add_charge(model, &charge, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "charge: point is (0.1, 0, 0) m, but body 'bead' is a point");
    carom_wrench_def wrench = {.struct_size = sizeof(carom_wrench_def), .body = {0}, .point = beside};
    CHECK_INT(carom_model_add_wrench(model, &wrench, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "wrench: point is (0.1, 0, 0) m, but body 'bead' is a point");
    carom_magnet_def magnet = {
        .struct_size = sizeof(carom_magnet_def), .body = {0}, .axis = {0.0, 0.0, 1.0}, .length = 0.1, .strength = 1.0};
    CHECK_INT(carom_model_add_magnet(model, &magnet, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "magnet: a point has no extension; give it a charge instead");
    spring.point_b = charge.point = (carom_vec3){0.0, 0.0, 0.0};
    CHECK_INT(carom_model_add_spring(model, &spring, &error), CAROM_OK);
    CHECK_INT(carom_model_add_charge(model, &charge, &error), CAROM_OK);
    carom_model_destroy(model);
}

TEST(state_saved_with_other_settings_is_refused) {
    carom_model *model = point_and_block();
    assert_int_equal(carom_model_freeze(model, NULL), CAROM_OK);
    carom_method_def def = carom_method_def_default();
    def.method = CAROM_METHOD_VARIATIONAL;
    carom_state *state, *looser, *shorter;
    assert_int_equal(carom_state_create(model, &def, &state, NULL), CAROM_OK);
    def.tolerance = 1e-9;
    assert_int_equal(carom_state_create(model, &def, &looser, NULL), CAROM_OK);
    def.tolerance = carom_method_def_default().tolerance;
    def.iteration_limit = 7;
    assert_int_equal(carom_state_create(model, &def, &shorter, NULL), CAROM_OK);
    unsigned char bytes[8192];
    size_t size = carom_state_size(state);
    assert_true(size <= sizeof bytes);
    carom_state_save(state, bytes);
    carom_error error = {.text = ""};
    CHECK_INT(carom_state_load(looser, bytes, size, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "made with method.tolerance 1e-13, this state has 1e-09");
    CHECK_INT(carom_state_load(shorter, bytes, size, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "method.iteration_limit 50, this state has 7");
    CHECK_INT(carom_state_load(state, bytes, size, &error), CAROM_OK);
    carom_state_destroy(state);
    carom_state_destroy(looser);
    carom_state_destroy(shorter);
    carom_model_destroy(model);
}

TEST_MAIN(CASE(forces_beside_a_point_are_refused), CASE(state_saved_with_other_settings_is_refused))
