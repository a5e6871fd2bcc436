// SPDX-License-Identifier: MIT
// Bodies that only gravity acts on: the parabola and the spin about a principal axis, to rounding at any step; flights
// that end and begin again; what is not flying.
#include "step/integrate/free_flight.h"

#include <math.h>
#include <string.h>

#include "math/quat.h"
#include "support/geometry/touching.h"
#include "support/harness/check.h"
#include "support/model/joints.h"

static const carom_vec3 down = {0.0, 0.0, -9.81}, origin = {0.0, 0.0, 0.0};

typedef struct wrong {
    double place, velocity, attitude, energy; // the place relative to the way, the energy to its largest part
} wrong;

static carom_state *thrown(carom_method method, carom_body_kind kind, carom_vec3 gravity, double step) {
    carom_model *model = world_model(gravity, 0.0);
    carom_body_def def = world_body_def(1.7, crm_vec3(0.3, 0.5, 0.7));
    def.kind = kind;
    def.position = crm_vec3(0.3, -1.0, kind == CAROM_BODY_PLANAR ? 0.0 : 2.0);
    def.velocity = crm_vec3(3.0, -1.0, kind == CAROM_BODY_PLANAR ? 0.0 : 7.0);
    if (kind != CAROM_BODY_POINT) def.spin = crm_vec3(0.0, 0.0, 2.3);
    world_add(model, &def);
    carom_method_def settings = carom_method_def_default();
    settings.method = method;
    settings.step = step;
    settings.impulse.variant = CAROM_IMPULSE_FIXED;
    return touching_state(model, &settings);
}

static wrong run(carom_method method, carom_body_kind kind, carom_vec3 gravity, double step, int steps) {
    carom_state *state = thrown(method, kind, gravity, step);
    carom_body_state start = world_body(state, 0);
    double energy = world_energy(state), t = steps * step;
    carom_step_report report = world_run(state, steps);
    carom_body_state end = world_body(state, 0);
    carom_vec3 velocity = crm_madd(start.velocity, t, gravity),
               way = crm_scale(0.5 * t, crm_add(start.velocity, velocity));
    carom_quat attitude = crm_quat_step(start.attitude, start.spin, t);
    wrong found = {crm_distance(end.position, crm_add(start.position, way)) / crm_length(way),
                   crm_distance(end.velocity, velocity) / crm_length(velocity),
                   crm_quat_angle(end.attitude, attitude) / fmax(t * crm_length(start.spin), 1.0),
                   fabs(world_energy(state) - energy) / report.energy.kinetic};
    CHECK(crm_distance(end.spin, start.spin) <= 1e-14 * crm_length(start.spin));
    CHECK(fabs(report.ledger.remainder) <= 1e-14 * report.energy.kinetic);
    CHECK(report.momentum_balance <= 1e-14);
    world_destroy(state);
    return found;
}

static void check_flight(carom_method method, carom_body_kind kind, carom_vec3 gravity) {
    static const double steps[] = {1.0 / 240, 0.1, 1.0};
    for (int i = 0; i < 3; i++) {
        wrong found = run(method, kind, gravity, steps[i], 1000);
        CHECK(found.place <= 1e-15);
        CHECK(found.velocity <= 1e-15);
        CHECK(found.attitude <= 1e-14);
        CHECK(found.energy <= 1e-14);
    }
}

TEST(a_thrown_body_flies_by_its_parabola_at_any_step) {
    check_flight(CAROM_METHOD_LCP, CAROM_BODY_FREE, down);
    check_flight(CAROM_METHOD_LCP, CAROM_BODY_POINT, down);
    check_flight(CAROM_METHOD_LCP, CAROM_BODY_PLANAR, crm_vec3(0.3, -9.81, 0.0));
    check_flight(CAROM_METHOD_LCP, CAROM_BODY_FREE, origin);
}

TEST(impulse_with_fixed_steps_flies_likewise) {
    check_flight(CAROM_METHOD_IMPULSE, CAROM_BODY_FREE, down);
}

// Until a ball hits the floor its energy is kept to rounding, whether the floor is within reach or not; what has been
// hit comes to rest.
TEST(a_hit_ends_the_flight) {
    carom_model *model = world_model(down, 0.0);
    carom_material material = touching_material(model, 0.0, 0.5);
    touching_add(model, touching_floor(model), material, 0.0, origin);
    touching_add(model, touching_sphere(model, 0.1), material, 1.0, crm_vec3(0.0, 0.0, 1.0));
    carom_state *state = world_state(model, CAROM_METHOD_LCP, 1.0 / 240);
    double energy = world_energy(state), worst = 0.0;
    int flown = 0, listed = 0;
    while (world_body(state, 1).velocity.z <= 0.0 && flown < 240) {
        worst = fmax(worst, fabs(world_energy(state) - energy));
        listed += world_run(state, 1).contacts;
        flown++;
    }
    CHECK_NEAR(flown, 240.0 * sqrt(2.0 * 0.9 / 9.81), 2.0);
    CHECK(listed >= 1);
    CHECK(worst < 2e-14 * energy);
    world_run(state, 1200);
    CHECK(crm_length(world_body(state, 1).velocity) < 1e-5 * 9.81 / 240); // the residual of what rests
    CHECK_NEAR(world_body(state, 1).position.z, 0.1, 1e-6);
    world_destroy(state);
}

// A state that is moved from outside, or loaded, flies on from where it is.
TEST(a_body_that_is_moved_flies_from_there) {
    carom_state *state = thrown(CAROM_METHOD_LCP, CAROM_BODY_FREE, down, 0.1);
    world_run(state, 20);
    carom_body_state at = world_body(state, 0);
    at.position = crm_vec3(5.0, 6.0, 7.0);
    at.velocity = crm_vec3(-1.0, 0.0, 2.0);
    CHECK_INT(carom_state_set_body(state, (carom_body){0}, &at, NULL), CAROM_OK);
    world_run(state, 50);
    carom_vec3 wanted = crm_vec3(5.0 - 5.0, 6.0, 7.0 + 2.0 * 5.0 - 0.5 * 9.81 * 25.0);
    CHECK(crm_distance(world_body(state, 0).position, wanted) < 1e-13);
    world_destroy(state);
}

// What a wrench of the input or drag acts on moves as the method does, and stands where forces cancel.
TEST(what_is_pushed_does_not_fly) {
    carom_state *state = thrown(CAROM_METHOD_LCP, CAROM_BODY_FREE, down, 0.01);
    carom_body_state still = world_body(state, 0);
    still.velocity = still.spin = origin;
    CHECK_INT(carom_state_set_body(state, (carom_body){0}, &still, NULL), CAROM_OK);
    const carom_wrench lift = {.body = {0}, .force = {0.0, 0.0, 1.7 * 9.81}};
    const carom_input input = {.wrench_count = 1, .wrench = &lift};
    carom_step_report report;
    for (int i = 0; i < 100; i++)
        CHECK_INT(carom_step(carom_state_model(state), state, &input, &report, NULL), CAROM_OK);
    carom_body_state end = world_body(state, 0);
    CHECK(crm_length(end.velocity) == 0.0);
    CHECK(crm_distance(end.position, still.position) == 0.0);
    world_destroy(state);
}

TEST_MAIN(CASE(a_thrown_body_flies_by_its_parabola_at_any_step), CASE(impulse_with_fixed_steps_flies_likewise),
          CASE(a_hit_ends_the_flight), CASE(a_body_that_is_moved_flies_from_there), CASE(what_is_pushed_does_not_fly))
