// SPDX-License-Identifier: MIT
// Verdicts on flexible bodies that are inside of others, which no contact pushes apart.
#include <math.h>

#include "carom/verdict.h"
#include "support/harness/check.h"
#include "support/model/flexible.h"
#include "support/model/world.h"

static const carom_vec3 edges = {0.2, 0.2, 0.2};

// Two cubes of four cells an edge, of 0.05 m, so far apart; what a rule has seen of their first steps.
static double seen(carom_method method, carom_rule rule, carom_vec3 apart, bool meet) {
    carom_model *model = world_model((carom_vec3){0.0, 0.0, 0.0}, 0.0);
    carom_flex_def def = flexible_soft();
    (void)flexible_box(model, edges, 4, 1, &def);
    def.position = apart;
    if (!meet) def.meets = 0;
    (void)flexible_box(model, edges, 4, 1, &def);
    carom_method_def steps = carom_method_def_default();
    steps.method = method;
    steps.step = 1e-3;
    carom_state *state = flexible_state(model, &steps);
    carom_finding findings[CAROM_RULE_COUNT];
    (void)world_run(state, 2);
    carom_state_findings(state, findings);
    world_destroy(state);
    return findings[rule].value;
}

TEST(overlaps_that_are_too_deep_to_be_pushed_are_told) {
    const carom_method lcp = CAROM_METHOD_LCP;
    // The corner at the middle of the other one is 0.1 m deep; cubes in one place have nodes there, too.
    CHECK_NEAR(seen(lcp, CAROM_RULE_OVERLAP, (carom_vec3){0.1, 0.1, 0.1}, true), 0.1 / 0.06, 0.3);
    CHECK(seen(lcp, CAROM_RULE_OVERLAP, (carom_vec3){0.0, 0.0, 0.0}, true) > 1.0);
    CHECK(seen(lcp, CAROM_RULE_OVERLAP, (carom_vec3){0.0, 0.0, 0.0}, false) == 0.0);
    CHECK(seen(lcp, CAROM_RULE_OVERLAP, (carom_vec3){0.2, 0.0, 0.0}, true) < 1e-6);
    CHECK(seen(lcp, CAROM_RULE_OVERLAP, (carom_vec3){0.21, 0.0, 0.0}, true) == 0.0);
}

TEST(methods_without_contact_say_so) {
    const carom_method variational = CAROM_METHOD_VARIATIONAL;
    CHECK(seen(variational, CAROM_RULE_NO_CONTACT, (carom_vec3){0.1, 0.1, 0.1}, true) == 1.0);
    CHECK(seen(variational, CAROM_RULE_NO_CONTACT, (carom_vec3){0.1, 0.1, 0.1}, false) == 0.0);
    CHECK(seen(variational, CAROM_RULE_NO_CONTACT, (carom_vec3){0.2, 0.0, 0.0}, true) == 0.0);
}

TEST(methods_without_contact_say_so_of_floors) {
    for (int below = 0; below < 2; below++) {
        carom_model *model = world_model((carom_vec3){0.0, 0.0, 0.0}, 0.0);
        carom_shape_def shape = carom_shape_def_default(CAROM_SHAPE_HALF_SPACE);
        carom_body_def floor = carom_body_def_default();
        carom_flex_def def = flexible_soft();
        floor.kind = CAROM_BODY_FIXED;
        CHECK_INT(carom_model_add_shape(model, "floor", &shape, &floor.shape, NULL), CAROM_OK);
        (void)world_add(model, &floor);
        def.position.z = below ? 0.08 : 0.1;
        (void)flexible_box(model, edges, 4, 1, &def);
        carom_method_def steps = carom_method_def_default();
        steps.method = CAROM_METHOD_VARIATIONAL;
        carom_state *state = flexible_state(model, &steps);
        carom_finding findings[CAROM_RULE_COUNT];
        (void)world_run(state, 2);
        carom_state_findings(state, findings);
        CHECK(findings[CAROM_RULE_NO_CONTACT].value == (below ? 1.0 : 0.0));
        world_destroy(state);
    }
}

TEST_MAIN(CASE(overlaps_that_are_too_deep_to_be_pushed_are_told), CASE(methods_without_contact_say_so),
          CASE(methods_without_contact_say_so_of_floors))
