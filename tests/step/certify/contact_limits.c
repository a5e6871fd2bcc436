// SPDX-License-Identifier: MIT
// Limits of contacts that a verdict tells: materials that a method ignores, and springs that give way under what stands
// on them when a run begins.
#include <math.h>
#include <stdio.h>

#include "support/harness/check.h"
#include "support/scene/text_scene.h"

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
    text_scene s = text_scene_begin(text, NULL);
    carom_finding finding[CAROM_RULE_COUNT];
    for (int i = 0; i < steps; i++) (void)text_scene_step(&s);
    carom_state_findings(s.state, finding);
    text_scene_end(&s);
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

// A rod that stands on its end under so much weight gives way by as much as one that lies: what counts is how thick it
// is, as it may be what slides or tips.
TEST(what_is_thin_sinks_in_by_more_of_itself) {
    static const char *const attitudes[] = {"0", "60"};
    for (int i = 0; i < 2; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "{\"carom\": 1, \"until\": 1, \"gravity\": [0, 0, -10], \"method\": {\"name\": \"penalty\", "
                 "\"step\": 0.01}, \"shapes\": {\"rod\": {\"kind\": \"capsule\", \"radius\": 0.02, \"length\": 2}, "
                 "\"floor\": {\"kind\": \"half_space\", \"normal\": [0, 0, 1]}}, \"bodies\": [{\"kind\": \"fixed\", "
                 "\"shape\": \"floor\"}, {\"shape\": \"rod\", \"mass\": 1, \"inertia\": [1, 1, 1], \"attitude\": "
                 "{\"axis\": [0, 1, 0], \"degrees\": %s}, \"position\": [0, 0, %.17g]}]}",
                 attitudes[i], i == 0 ? 1.02 : 0.52);
        text_scene s = text_scene_begin(text, NULL);
        carom_finding finding[CAROM_RULE_COUNT];
        (void)text_scene_step(&s);
        carom_state_findings(s.state, finding);
        CHECK_NEAR(finding[CAROM_RULE_SOFT_CONTACT].value, 10.0 / (0.1 / (0.01 * 0.01)) / 0.04, 1e-12);
        text_scene_end(&s);
    }
}

TEST_MAIN(CASE(materials_that_a_method_ignores_are_told_when_bodies_touch),
          CASE(springs_that_give_way_under_what_stands_on_them_are_told), CASE(what_is_thin_sinks_in_by_more_of_itself))
