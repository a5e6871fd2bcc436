// SPDX-License-Identifier: MIT
// Limits of contacts that a verdict tells: materials that a method ignores, and springs that give way under what stands
// on them when a run begins.
#include <math.h>
#include <stdio.h>

#include "carom/carom.h"
#include "support/harness/check.h"

// Balls of 1 kg and 0.2 m, the lowest at the height z above a floor, one on the other; of `material`, if it is not
// NULL.
static carom_finding found(const char *method, const char *material, int balls, double z, double step, int steps,
                           carom_rule rule) {
    char of[48] = "", text[1024];
    if (material != NULL) snprintf(of, sizeof of, ", \"material\": \"m\"");
    snprintf(text, sizeof text,
             "{\"carom\": 1, \"until\": 1, \"gravity\": [0, 0, -10], \"method\": {\"name\": \"%s\", \"step\": %g}, "
             "\"materials\": {%s}, \"shapes\": {\"ball\": {\"kind\": \"sphere\", \"radius\": 0.1}, \"floor\": "
             "{\"kind\": \"half_space\", \"normal\": [0, 0, 1]}}, \"bodies\": [{\"name\": \"floor\", \"kind\": "
             "\"fixed\", \"shape\": \"floor\"%s}, {\"name\": \"ball\", \"shape\": \"ball\", \"mass\": 1, "
             "\"position\": [0, 0, %g], \"repeat\": {\"lattice\": {\"count\": [1, 1, %d], \"spacing\": [0, 0, 0.2]}}"
             "%s}]}",
             method, step, material != NULL ? material : "", of, z + 0.1, balls, of);
    carom_error error = {.text = ""};
    carom_scene *scene = NULL;
    carom_state *state = NULL;
    carom_scene_source source = carom_scene_source_default();
    carom_finding finding[CAROM_RULE_COUNT];
    source.text = text;
    source.file = "balls";
    if (!CHECK_INT(carom_scene_read(&source, NULL, &scene, NULL, &error), CAROM_OK)) CHECK_TEXT(error.text, "");
    if (carom_state_create(carom_scene_model(scene), carom_scene_method(scene), &state, &error) != CAROM_OK)
        assert_string_equal(error.text, "");
    carom_step_report report;
    for (int i = 0; i < steps; i++)
        assert_int_equal(carom_step(carom_scene_model(scene), state, NULL, &report, &error), CAROM_OK);
    carom_state_findings(state, finding);
    carom_state_destroy(state);
    carom_scene_destroy(scene);
    return finding[rule];
}

#define DULL "\"m\": {\"friction\": 0, \"restitution\": 0.5}"
#define ROUGH "\"m\": {\"friction\": 0.3, \"restitution\": 1}"
#define ELASTIC "\"m\": {\"friction\": 0, \"restitution\": 1}"

// A ball falls 5 cm in 0.1 s.
TEST(materials_that_a_method_ignores_are_told_when_bodies_touch) {
    static const char *const methods[] = {"exact", "potential", "newmark"};
    for (int m = 0; m < 3; m++) {
        CHECK(found(methods[m], DULL, 1, 0.05, 0.0002, 750, CAROM_RULE_IGNORED_MATERIAL).value >= 1.0);
        CHECK(found(methods[m], ROUGH, 1, 0.05, 0.0002, 750, CAROM_RULE_IGNORED_MATERIAL).value >= 1.0);
        CHECK(found(methods[m], DULL, 1, 0.05, 0.0002, 400, CAROM_RULE_IGNORED_MATERIAL).value == 0.0); // not there yet
        CHECK(found(methods[m], ELASTIC, 1, 0.05, 0.0002, 750, CAROM_RULE_IGNORED_MATERIAL).value == 0.0);
        CHECK(found(methods[m], NULL, 1, 0.05, 0.0002, 750, CAROM_RULE_IGNORED_MATERIAL).value == 0.0);
    }
    CHECK(found("lcp", DULL, 1, 0.05, 0.0002, 750, CAROM_RULE_IGNORED_MATERIAL).value == 0.0);
}

// Between 1 kg and the floor the step bears h^2 k/m = 0.1, and 1 % of 0.2 m asks for k = 10 m g / 2 mm: of the two, k
// is the geometric mean, or the first if that is less.
TEST(springs_that_give_way_under_what_stands_on_them_are_told) {
    double coarse = 0.1 / (0.01 * 0.01), fine = sqrt(0.1 / (0.001 * 0.001) * 10.0 * 10.0 / 0.002);
    CHECK_NEAR(found("penalty", NULL, 1, 0.0, 0.01, 2, CAROM_RULE_SOFT_CONTACT).value, 10.0 / coarse / 0.2, 1e-12);
    CHECK_NEAR(found("penalty", NULL, 1, 0.0, 0.001, 2, CAROM_RULE_SOFT_CONTACT).value, 10.0 / fine / 0.2, 1e-12);
    // The lowest of three bears all of them.
    CHECK_NEAR(found("penalty", NULL, 3, 0.0, 0.001, 2, CAROM_RULE_SOFT_CONTACT).value, 30.0 / fine / 0.2, 1e-12);
    CHECK(found("penalty", NULL, 1, 0.001, 0.001, 50, CAROM_RULE_SOFT_CONTACT).value == 0.0); // it falls
    CHECK(found("lcp", NULL, 1, 0.0, 0.01, 2, CAROM_RULE_SOFT_CONTACT).value == 0.0);
}

TEST_MAIN(CASE(materials_that_a_method_ignores_are_told_when_bodies_touch),
          CASE(springs_that_give_way_under_what_stands_on_them_are_told))
