// SPDX-License-Identifier: MIT
// Where the time of steps goes: told when it was asked for, and no bit of a motion depends on it.
#include "carom/tools.h"
#include "math/vec3.h"
#include "support/geometry/touching.h"
#include "support/harness/check.h"

enum { STEPS = 20 };

// Three cubes, one on the other, that fall on a floor.
static carom_state *falling_cubes(carom_method method) {
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -9.81), 0.0);
    carom_material material = touching_material(model, 0.4, 0.0);
    carom_model_shape cube = touching_box(model, 1.0, 1.0, 1.0);
    touching_add(model, touching_floor(model), material, 0.0, crm_vec3_zero());
    for (int i = 0; i < 3; i++) touching_add(model, cube, material, 1.0, crm_vec3(0.1 * i, 0.0, 0.51 + 1.01 * i));
    carom_method_def def = touching_method(1.0 / 60.0, 1e-6);
    def.method = method;
    return touching_state(model, &def);
}

TEST(phases_are_timed_when_asked_for_and_change_nothing) {
    carom_state *timed = falling_cubes(CAROM_METHOD_LCP), *plain = falling_cubes(CAROM_METHOD_LCP);
    carom_state_time_phases(timed, true);
    world_run(timed, STEPS);
    world_run(plain, STEPS);
    CHECK(carom_state_hash(timed) == carom_state_hash(plain));
    carom_step_phases some = carom_state_phases(timed), none = carom_state_phases(plain);
    CHECK_INT((int)some.steps, STEPS);
    CHECK(some.detection > 0.0);
    CHECK(some.solution > 0.0);
    CHECK(some.certificate > 0.0);
    CHECK(some.total > some.detection + some.solution + some.certificate);
    CHECK_INT((int)none.steps, 0);
    CHECK_NEAR(none.total + none.detection + none.solution + none.certificate, 0.0, 0.0);
    carom_state_time_phases(timed, false);
    world_run(timed, 1);
    CHECK_NEAR(carom_state_phases(timed).total, 0.0, 0.0);
    world_destroy(timed);
    world_destroy(plain);
}

// Methods that solve no list of contacts look for them all the same.
TEST(detection_is_timed_of_other_methods_too) {
    carom_state *state = falling_cubes(CAROM_METHOD_PENALTY);
    carom_state_time_phases(state, true);
    world_run(state, STEPS);
    carom_step_phases phases = carom_state_phases(state);
    CHECK(phases.detection > 0.0);
    CHECK_NEAR(phases.solution, 0.0, 0.0);
    world_destroy(state);
}

TEST_MAIN(CASE(phases_are_timed_when_asked_for_and_change_nothing), CASE(detection_is_timed_of_other_methods_too))
