// SPDX-License-Identifier: MIT
// Ways of bodies within a step, and what velocities at its ends say of them.
#include <math.h>

#include "carom/model.h"
#include "math/vec3.h"
#include "support/geometry/touching.h"
#include "support/harness/check.h"
#include "support/model/joints.h"

static const carom_vec3 nowhere = {0.0, 0.0, 0.0};
static const double step = 0.05, pi = 3.14159265358979323846;

static double unexplained(const carom_state *state) {
    carom_finding finding[CAROM_RULE_COUNT];
    carom_state_findings(state, finding);
    return finding[CAROM_RULE_UNEXPLAINED_WAY].value;
}

// A step of one and a half swings, from one end to the other: at both the body is at rest.
TEST(swings_within_a_step_are_followed_by_substeps) {
    carom_model *model = world_model(nowhere, 0.0);
    carom_body_def def = world_body_def(1.0, crm_vec3(1e-3, 1e-3, 1e-3));
    def.position = crm_vec3(0.0, 0.0, 1.5);
    def.shape = touching_sphere(model, 0.05);
    world_add(model, &def);
    carom_spring_def spring = carom_spring_def_default();
    spring.a = CAROM_WORLD, spring.b = (carom_body){0};
    spring.stiffness = pow(3.0 * pi / step, 2.0), spring.rest_length = 1.0;
    carom_error error;
    CHECK_INT(carom_model_add_spring(model, &spring, &error), CAROM_OK);
    carom_method_def method = joints_method(CAROM_INTEGRATOR_DP54, step, 1e-9);
    carom_state *state = joints_state(model, &method);
    carom_step_report report;
    for (int i = 0; i < 40; i++) CHECK_INT(carom_step(model, state, NULL, &report, &error), CAROM_OK);
    CHECK_NEAR(unexplained(state), 0.0, 0.0);
    world_destroy(state);
}

TEST_MAIN(CASE(swings_within_a_step_are_followed_by_substeps))
