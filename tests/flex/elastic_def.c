// SPDX-License-Identifier: MIT
// What flexible bodies may be made of, and what is refused.
#include <math.h>
#include <string.h>

#include "carom/mesh.h"
#include "support/harness/check.h"

TEST(defaults_are_those_of_the_header) {
    carom_elastic_def def = carom_elastic_def_default();
    carom_error error = {.text = ""};
    CHECK_INT(carom_elastic_check(&def, &error), CAROM_OK);
    CHECK_TEXT(carom_elastic_model_name(def.model), "neo_hookean");
    CHECK_NEAR(def.mu, 1e6 / 2.6, 1e-9);
    CHECK_NEAR(def.lambda, 0.3e6 / (1.3 * 0.4), 1e-9);
    CHECK(def.density == 1000.0 && def.viscosity == 0.0);
    CHECK_TEXT(carom_elastic_model_name(CAROM_ELASTIC_MODEL_COUNT), "?");
    CHECK_TEXT(carom_elastic_model_name((carom_elastic_model)-1), "?");
}

// Young's modulus and Poisson's ratio of Lame's constants are those that they were made of.
TEST(constants_come_from_a_test_bar) {
    double lambda, mu;
    for (double poisson = -0.9; poisson < 0.5; poisson += 0.1) {
        carom_elastic_from_young(7.0, poisson, &lambda, &mu);
        CHECK_NEAR(mu * (3.0 * lambda + 2.0 * mu) / (lambda + mu), 7.0, 1e-12);
        CHECK_NEAR(0.5 * lambda / (lambda + mu), poisson, 1e-13);
    }
}

TEST(what_no_body_is_made_of_is_refused) {
    static const struct {
        size_t offset;
        double value;
        const char *sentence;
    } wrong[] = {
        {offsetof(carom_elastic_def, mu), 0.0, "elastic: mu is 0 Pa, must be positive"},
        {offsetof(carom_elastic_def, mu), NAN, "elastic: mu is "},
        {offsetof(carom_elastic_def, lambda), -1e6, "elastic: lambda is -1e+06 Pa"},
        {offsetof(carom_elastic_def, lambda), INFINITY, "elastic: lambda is inf Pa"},
        {offsetof(carom_elastic_def, density), -3.0, "elastic: density is -3 kg/m^3, must be positive"},
        {offsetof(carom_elastic_def, viscosity), -1.0, "elastic: viscosity is -1 s"},
        {offsetof(carom_elastic_def, viscosity), INFINITY, "elastic: viscosity is inf s"},
    };
    carom_error error;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        carom_elastic_def def = carom_elastic_def_default();
        memcpy((char *)&def + wrong[i].offset, &wrong[i].value, sizeof wrong[i].value);
        CHECK_INT(carom_elastic_check(&def, &error), CAROM_ERR_BAD_INPUT);
        CHECK_CONTAINS(error.text, wrong[i].sentence);
    }
    carom_elastic_def def = carom_elastic_def_default();
    def.model = (carom_elastic_model)7;
    CHECK_INT(carom_elastic_check(&def, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "there is no model 7");
    def = (carom_elastic_def){.mu = 1.0, .density = 1.0};
    CHECK_INT(carom_elastic_check(&def, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "carom_elastic_def");
    CHECK_INT(carom_elastic_check(NULL, &error), CAROM_ERR_BAD_INPUT);
}

TEST_MAIN(CASE(defaults_are_those_of_the_header), CASE(constants_come_from_a_test_bar),
          CASE(what_no_body_is_made_of_is_refused))
