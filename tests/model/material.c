// SPDX-License-Identifier: MIT
// Materials: what is refused, and what two of them have together.
#include <math.h>
#include <stddef.h>

#include "carom/model.h"
#include "support/harness/check.h"
#include "support/model/world.h"

static carom_material add(carom_model *model, const char *name, double friction, double restitution) {
    carom_material_def def = carom_material_def_default();
    def.name = name;
    def.friction = friction;
    def.restitution = restitution;
    carom_material material = {-7};
    CHECK_INT(carom_model_add_material(model, &def, &material, NULL), CAROM_OK);
    return material;
}

static void check_pair(const carom_model *model, carom_material a, carom_material b, double friction,
                       double restitution) {
    double got_friction = NAN, got_restitution = NAN;
    CHECK_INT(carom_model_get_material_pair(model, a, b, &got_friction, &got_restitution, NULL), CAROM_OK);
    CHECK_NEAR(got_friction, friction, 1e-15);
    CHECK_NEAR(got_restitution, restitution, 0.0);
    CHECK_INT(carom_model_get_material_pair(model, b, a, &got_friction, &got_restitution, NULL), CAROM_OK);
    CHECK_NEAR(got_friction, friction, 1e-15);
    CHECK_NEAR(got_restitution, restitution, 0.0);
}

TEST(pairs_are_as_set_or_mean_friction_and_larger_restitution) {
    carom_model *model = world_model((carom_vec3){0.0, 0.0, 0.0}, 0.0);
    carom_material steel = add(model, "steel", 0.2, 0.9), rubber = add(model, "rubber", 0.8, 0.4),
                   ice = add(model, NULL, 0.0, 0.1), standard = {-1};
    CHECK_INT(carom_model_material_count(model), 3);
    check_pair(model, steel, rubber, 0.4, 0.9);
    check_pair(model, steel, steel, 0.2, 0.9);
    check_pair(model, ice, rubber, 0.0, 0.4);
    check_pair(model, standard, standard, 0.5, 0.0);
    check_pair(model, standard, steel, sqrt(0.1), 0.9);
    CHECK_INT(carom_model_set_material_pair(model, rubber, steel, 1.5, 0.25, NULL), CAROM_OK);
    check_pair(model, steel, rubber, 1.5, 0.25);
    CHECK_INT(carom_model_set_material_pair(model, steel, rubber, 1.25, 1.0, NULL), CAROM_OK); // the last word counts
    check_pair(model, rubber, steel, 1.25, 1.0);
    CHECK_INT(carom_model_set_material_pair(model, standard, ice, 0.75, 0.5, NULL), CAROM_OK);
    check_pair(model, ice, standard, 0.75, 0.5);
    check_pair(model, ice, ice, 0.0, 0.1);
    carom_body_def body = carom_body_def_default();
    body.material = rubber;
    world_add(model, &body);
    carom_model_destroy(model);
}

TEST(rules_say_how_two_coefficients_become_one) {
    static const double of_pair[CAROM_COMBINE_COUNT] = {[CAROM_COMBINE_GEOMETRIC] = 0.4,
                                                        [CAROM_COMBINE_MEAN] = 0.5,
                                                        [CAROM_COMBINE_LEAST] = 0.2,
                                                        [CAROM_COMBINE_LARGEST] = 0.8,
                                                        [CAROM_COMBINE_PRODUCT] = 0.16};
    for (int friction = 0; friction < CAROM_COMBINE_COUNT; friction++) {
        for (int restitution = 0; restitution < CAROM_COMBINE_COUNT; restitution++) {
            carom_model_def def = carom_model_def_default();
            def.friction_rule = (carom_combination)friction;
            def.restitution_rule = (carom_combination)restitution;
            carom_model *model = NULL;
            assert_int_equal(carom_model_create(&def, &model, NULL), CAROM_OK);
            carom_material a = add(model, "a", 0.2, 0.8), b = add(model, "b", 0.8, 0.2),
                           odd = add(model, NULL, 0.3, 0.7);
            double got[2] = {NAN, NAN};
            CHECK_INT(carom_model_get_material_pair(model, a, b, &got[0], &got[1], NULL), CAROM_OK);
            CHECK_NEAR(got[0], of_pair[friction], 1e-15);
            CHECK_NEAR(got[1], of_pair[restitution], 1e-15);
            CHECK_INT(carom_model_get_material_pair(model, odd, odd, &got[0], &got[1], NULL), CAROM_OK);
            CHECK_NEAR(got[0], friction == CAROM_COMBINE_PRODUCT ? 0.3 * 0.3 : 0.3, 0.0);
            CHECK_NEAR(got[1], restitution == CAROM_COMBINE_PRODUCT ? 0.7 * 0.7 : 0.7, 0.0);
            CHECK_INT(carom_model_set_material_pair(model, a, b, 1.5, 0.25, NULL), CAROM_OK); // set pairs know no rule
            check_pair(model, a, b, 1.5, 0.25);
            carom_model_destroy(model);
        }
    }
    carom_model_def def = carom_model_def_default();
    def.restitution_rule = CAROM_COMBINE_COUNT;
    carom_model *model = NULL;
    carom_error error;
    CHECK_INT(carom_model_create(&def, &model, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "restitution_rule is 5, must be one of carom_combination");
    CHECK(model == NULL);
}

TEST(impossible_materials_are_refused_with_a_sentence) {
    static const struct {
        const char *name;
        double friction, restitution;
        const char *sentence;
    } bad[] = {
        {NULL, -0.1, 0.0, "material: friction is -0.1, must be finite and not negative"},
        {NULL, NAN, 0.0, "material: friction is nan"},
        {NULL, INFINITY, 0.0, "material: friction is inf"},
        {NULL, 0.5, -0.5, "material: restitution is -0.5, must be between 0 and 1"},
        {NULL, 0.5, 1.5, "material: restitution is 1.5"},
        {NULL, 0.5, NAN, "material: restitution is nan"},
        {"steel", 0.5, 0.0, "material 'steel': there is a material of that name already"},
        {"", 0.5, 0.0, "material 1: its name is empty; leave it out or give one"},
    };
    carom_model *model = world_model((carom_vec3){0.0, 0.0, 0.0}, 0.0);
    carom_material steel = add(model, "steel", 0.2, 0.9);
    carom_error error;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        carom_material_def def = {sizeof(carom_material_def), bad[i].name, bad[i].friction, bad[i].restitution};
        CHECK_INT(carom_model_add_material(model, &def, NULL, &error), CAROM_ERR_BAD_INPUT);
        CHECK_CONTAINS(error.text, bad[i].sentence);
        if (bad[i].name != NULL) continue;
        CHECK_INT(carom_model_set_material_pair(model, steel, steel, bad[i].friction, bad[i].restitution, &error),
                  CAROM_ERR_BAD_INPUT);
        CHECK_CONTAINS(error.text, "material pair: ");
    }
    CHECK_INT(carom_model_material_count(model), 1);
    double friction = 7.0, restitution = 7.0;
    CHECK_INT(carom_model_get_material_pair(model, steel, (carom_material){4}, &friction, &restitution, &error),
              CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "material pair: there is no material 4; the model has 1");
    CHECK_INT(carom_model_set_material_pair(model, (carom_material){-2}, steel, 0.1, 0.1, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "material pair: there is no material -2; the model has 1");
    CHECK_NEAR(friction + restitution, 14.0, 0.0);
    carom_model_destroy(model);
}

TEST_MAIN(CASE(pairs_are_as_set_or_mean_friction_and_larger_restitution),
          CASE(rules_say_how_two_coefficients_become_one), CASE(impossible_materials_are_refused_with_a_sentence))
