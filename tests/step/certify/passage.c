// SPDX-License-Identifier: MIT
// Bodies that pass through others, whatever the method knows of it: compounds are looked at by their parts, as the
// middle of a ring is no part of it.
#include <math.h>
#include <stdio.h>

#include "carom/carom.h"
#include "support/harness/check.h"

// A frame of four bars about an open middle of 1 m, 4 cm thick, fixed or free, and a ball of 2 cm that flies at it.
static carom_finding flown(const char *method, double x, double speed, carom_rule rule) {
    char text[2048];
    snprintf(
        text, sizeof text,
        "{\"carom\": 1, \"until\": 1, \"gravity\": [0, 0, 0], \"method\": {\"name\": \"%s\", \"step\": 0.01}, "
        "\"shapes\": {\"ball\": {\"kind\": \"sphere\", \"radius\": 0.02}, \"long\": {\"kind\": \"box\", \"size\": "
        "[1.08, "
        "0.04, 0.04]}, \"high\": {\"kind\": \"box\", \"size\": [0.04, 1, 0.04]}, \"frame\": {\"kind\": \"compound\", "
        "\"parts\": [{\"shape\": \"long\", \"position\": [0, 0.52, 0]}, {\"shape\": \"long\", \"position\": [0, -0.52, "
        "0]}, {\"shape\": \"high\", \"position\": [0.52, 0, 0]}, {\"shape\": \"high\", \"position\": [-0.52, 0, "
        "0]}]}}, "
        "\"bodies\": [{\"name\": \"frame\", \"kind\": \"fixed\", \"shape\": \"frame\"}, {\"name\": \"ball\", "
        "\"shape\": "
        "\"ball\", \"mass\": 1, \"position\": [%g, 0, -1.1], \"velocity\": [0, 0, %g]}]}",
        method, x, speed);
    carom_error error = {.text = ""};
    carom_scene *scene = NULL;
    carom_state *state = NULL;
    carom_scene_source source = carom_scene_source_default();
    carom_finding finding[CAROM_RULE_COUNT];
    source.text = text;
    source.file = "frame";
    assert_int_equal(carom_scene_read(&source, NULL, &scene, NULL, &error), CAROM_OK);
    assert_int_equal(carom_state_create(carom_scene_model(scene), carom_scene_method(scene), &state, &error), CAROM_OK);
    for (carom_step_report report = {0}; report.time < 2.2 / speed;)
        assert_int_equal(carom_step(carom_scene_model(scene), state, NULL, &report, &error), CAROM_OK);
    carom_state_findings(state, finding);
    carom_state_destroy(state);
    carom_scene_destroy(scene);
    return finding[rule];
}

TEST(nothing_is_found_of_a_ball_that_flies_through_the_middle_of_a_frame) {
    CHECK(flown("penalty", 0.0, 20.0, CAROM_RULE_PASSED_THROUGH).value == 0.0);
    CHECK(flown("penalty", 0.0, 20.0, CAROM_RULE_WAY).value == 0.0);
    CHECK(flown("euler", 0.0, 0.5, CAROM_RULE_NO_CONTACT).value == 0.0);
}

TEST(a_ball_that_flies_through_a_bar_is_found) {
    CHECK(flown("penalty", 0.52, 20.0, CAROM_RULE_PASSED_THROUGH).value >= 1.0);
    CHECK(flown("penalty", 0.52, 20.0, CAROM_RULE_WAY).value > 1.0);
    CHECK(flown("euler", 0.52, 0.5, CAROM_RULE_NO_CONTACT).value >= 1.0);
}

TEST_MAIN(CASE(nothing_is_found_of_a_ball_that_flies_through_the_middle_of_a_frame),
          CASE(a_ball_that_flies_through_a_bar_is_found))
