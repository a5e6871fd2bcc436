// SPDX-License-Identifier: MIT
// lcp and the fixed steps of impulse on bodies with joints, limits and velocity motors that hit each other: the
// same motion whatever the units of length and mass. CAROM_SEEDS=n runs n seeds in place of the few of the suite and
// prints how far they differ: mostly not by a bit. Where distances of curved shapes are rounded otherwise, solvers that
// are content with their tolerance and collisions make that larger, so that some of many seeds are beyond the bound.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "math/vec3.h"
#include "support/harness/check.h"
#include "support/model/joints.h"
#include "support/scene/structure_scene.h"

static bool prints(void) {
    return getenv("CAROM_SEEDS") != NULL;
}

static int seeds(int few) {
    return prints() ? atoi(getenv("CAROM_SEEDS")) : few;
}

typedef struct run {
    structure_scene scene;
    carom_state *state;
    double unit; // of length, m
} run;

// Scenes of all sizes, with contacts in all of them: in a room, or of bodies that fly at each other.
static run begin(carom_method method, uint64_t seed, int length, int mass) {
    structure_scene_def def = {.seed = seed,
                               .gravity = seed % 4 > 0,
                               .room = seed % 2 == 1,
                               .joints = true,
                               .grounded = seed % 3 == 0,
                               .drives = true,
                               .materials = true,
                               .length = length,
                               .mass = mass};
    run r = {.scene = structure_scene_make(&def), .unit = ldexp(1.0, length)};
    carom_method_def how = carom_method_def_default();
    how.method = method;
    how.step = 0.05 * r.scene.time;
    how.lcp.tolerance = 1e-6;
    how.lcp.budget = 20.0;
    how.impulse.variant = CAROM_IMPULSE_FIXED;
    how.impulse.iterations = 100; // what they leave is the same in all units too
    how.impulse.simultaneous = seed % 2 == 0 ? CAROM_SIMULTANEOUS_TOGETHER : CAROM_SIMULTANEOUS_SEQUENCE;
    how.impulse.law = CAROM_IMPACT_LAW_NEWTON;
    if (seed % 5 == 4) {
        how.lcp.restitution = CAROM_RESTITUTION_POISSON;
        how.impulse.law = CAROM_IMPACT_LAW_POISSON;
        how.lcp.push_out = how.impulse.push_out = r.scene.length / r.scene.time;
    }
    r.state = touching_state(r.scene.model, &how);
    return r;
}

// Of what bodies do in a step that may be broken, but in all units alike.
static carom_step_report step(run *r) {
    carom_step_report report = {0};
    carom_error error = {0};
    CHECK_INT(carom_step(r->scene.model, r->state, NULL, &report, &error), CAROM_OK);
    return report;
}

static double off_by(carom_vec3 one, carom_vec3 other, double unit) {
    return crm_distance(one, crm_scale(1.0 / unit, other));
}

// By lengths and times of the scene.
static double difference(const run *one, const run *other) {
    double worst = 0.0, length = one->scene.length, time = one->scene.time;
    for (int b = 0; b < carom_model_body_count(one->scene.model); b++) {
        carom_body_state x = world_body(one->state, b), y = world_body(other->state, b);
        worst = fmax(worst, off_by(x.position, y.position, other->unit) / length);
        worst = fmax(worst, off_by(x.velocity, y.velocity, other->unit) * time / length);
        worst = fmax(worst, off_by(x.spin, y.spin, 1.0) * time);
    }
    return worst;
}

static double compare(carom_method method, uint64_t seed, int steps, int length, int mass) {
    run one = begin(method, seed, 0, 0), other = begin(method, seed, length, mass);
    double worst = 0.0;
    for (int i = 0; i < steps; i++) {
        carom_step_report a = step(&one), b = step(&other);
        worst = fmax(worst, difference(&one, &other));
        if (CHECK(worst <= 1e-9) && CHECK_INT(a.outcome, b.outcome) && CHECK_INT(a.contacts, b.contacts)) continue;
        fprintf(stderr, "seed %d, %s, unit 2^%d m: other motion at step %d, by %g\n", (int)seed,
                carom_method_name(method), length, i, worst);
        break;
    }
    world_destroy(one.state);
    world_destroy(other.state);
    return worst;
}

static void compare_all(carom_method method, int few, int steps) {
    double worst = 0.0;
    for (int seed = 0; seed < seeds(few); seed++) {
        worst = fmax(worst, compare(method, (uint64_t)seed, steps, 13, -20));
        worst = fmax(worst, compare(method, (uint64_t)seed, steps, -10, 20));
    }
    if (prints()) fprintf(stderr, "%s: motions differ by %g at most\n", carom_method_name(method), worst);
}

TEST(lcp_moves_jointed_bodies_alike_in_all_units) {
    compare_all(CAROM_METHOD_LCP, 12, 20);
}

TEST(impulse_moves_jointed_bodies_alike_in_all_units) {
    compare_all(CAROM_METHOD_IMPULSE, 12, 10);
}

// A wheel on an axle through its centre, or off it by next to nothing: the system has no size but the wheel's. A force
// beside the centre tilts it against the bearing, and a motor rotates it faster.
static carom_body_state wheel(carom_method method, double unit, double off, double *moment) {
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -9.81 * unit), 0.0);
    carom_body_def body = world_body_def(2.0, crm_vec3(unit * unit, 0.5 * unit * unit, 0.5 * unit * unit));
    body.spin = crm_vec3(3.0, 0.0, 0.0);
    carom_body b = world_add(model, &body);
    carom_joint_def def =
        joints_def(model, CAROM_JOINT_HINGE, CAROM_WORLD, b, crm_vec3(off * unit, 0.0, 0.0), crm_vec3(1.0, 0.0, 0.0));
    def.coordinate[0].motor.kind = CAROM_MOTOR_VELOCITY;
    def.coordinate[0].motor.target_rate = 5.0;
    def.coordinate[0].motor.max_force = 2.0 * unit * unit;
    joints_add(model, &def);
    carom_wrench_def push = carom_wrench_def_default();
    push.body = b;
    push.force = crm_vec3(0.0, 0.0, -7.0 * unit);
    push.point = crm_vec3(0.4 * unit, 0.0, 0.0);
    carom_error error = {0};
    CHECK_INT(carom_model_add_wrench(model, &push, &error), CAROM_OK);
    carom_method_def how = carom_method_def_default();
    how.method = method;
    how.step = 0.01;
    how.lcp.tolerance = how.impulse.tolerance = 1e-10;
    how.lcp.budget = 20.0;
    how.impulse.variant = CAROM_IMPULSE_FIXED;
    carom_state *state = touching_state(model, &how);
    world_run(state, 50);
    carom_body_state at = world_body(state, 0);
    *moment = joints_get(state, 0).torque.y / (unit * unit);
    world_destroy(state);
    return at;
}

TEST(a_wheel_on_its_axle_rotates_alike_in_all_units) {
    const carom_method methods[] = {CAROM_METHOD_LCP, CAROM_METHOD_IMPULSE};
    const double units[] = {1.0, 0x1p13, 0x1p-10}, offs[] = {0.0, 1e-17, 1e-9};
    for (int i = 0; i < 18; i++) {
        double unit = units[i % 3], moment;
        carom_body_state at = wheel(methods[i / 9], unit, offs[i / 3 % 3], &moment);
        CHECK_NEAR(at.position.x / unit, 0.0, 1e-8);
        CHECK_NEAR(at.spin.x, 4.0, 1e-6);
        // lcp closes joints one step late: the axle of a wheel that rotates is off by that, in all units alike.
        CHECK_NEAR(at.spin.y, 0.0, 2e-5);
        CHECK_NEAR(moment, -0.4 * 7.0, 1e-5);
    }
}

TEST_MAIN(CASE(lcp_moves_jointed_bodies_alike_in_all_units), CASE(impulse_moves_jointed_bodies_alike_in_all_units),
          CASE(a_wheel_on_its_axle_rotates_alike_in_all_units))
