// SPDX-License-Identifier: MIT
// Bodies that pass through others, whatever the method knows of it: compounds are looked at by their parts, as the
// middle of a ring is no part of it.
#include <math.h>
#include <stdio.h>

#include "support/harness/check.h"
#include "support/scene/text_scene.h"

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
    text_scene s = text_scene_begin(text, NULL);
    carom_finding finding[CAROM_RULE_COUNT];
    for (carom_step_report report = {0}; report.time < 2.2 / speed;) report = text_scene_step(&s);
    carom_state_findings(s.state, finding);
    text_scene_end(&s);
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
