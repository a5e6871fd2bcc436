// SPDX-License-Identifier: MIT
// Jointed bodies of lcp and of impulse with fixed steps: joints are closed at the end of every step however fast bodies
// rotate and however heavy the end of a chain is, no step makes energy, momenta are kept, and motions converge to
// closed forms.
#include "step/glide/glide.h"

#include <math.h>

#include "math/quat.h"
#include "model/mechanism/joint_gaps.h"
#include "support/harness/check.h"
#include "support/model/joints.h"

// Of impulse, models with joints have fixed steps.
static const carom_method methods[] = {CAROM_METHOD_LCP, CAROM_METHOD_IMPULSE};
enum { METHODS = sizeof methods / sizeof methods[0] };

static const carom_vec3 down = {0.0, 0.0, -9.81}, origin = {0.0, 0.0, 0.0}, along_y = {0.0, 1.0, 0.0};

// What is seen of a run.
typedef struct course {
    double open;    // the largest drift of a joint, a share of its mechanism's size
    double rise;    // of the energy in a step, and
    double highest; // of it above where it began, J
    double lost;    // at the end, J
    double balance; // of momenta
} course;

static course follow(carom_state *state, int steps) {
    course seen = {0};
    double first = world_energy(state), energy = first;
    for (int i = 0; i < steps; i++) {
        carom_step_report report = world_run(state, 1);
        double now = world_energy(state);
        seen.open = fmax(seen.open, report.joint_drift);
        seen.rise = fmax(seen.rise, now - energy);
        seen.highest = fmax(seen.highest, now - first);
        seen.balance = fmax(seen.balance, report.momentum_balance);
        energy = now;
    }
    seen.lost = first - energy;
    return seen;
}

// ---- one hinge

// A rod of 1 kg and 1 m about its end.
static carom_state *spinning_rod(carom_method method, double spin, double damping, double step) {
    carom_model *model = world_model(origin, 0.0);
    carom_body_def def = world_body_def(1.0, crm_vec3(0.001, 1.0 / 12, 1.0 / 12));
    def.position = crm_vec3(0.5, 0.0, 0.0);
    def.velocity = crm_vec3(0.0, 0.0, -0.5 * spin);
    def.spin = crm_vec3(0.0, spin, 0.0);
    carom_body rod = world_add(model, &def);
    carom_joint_def hinge = joints_def(model, CAROM_JOINT_HINGE, CAROM_WORLD, rod, origin, along_y);
    hinge.coordinate[0].damping = damping;
    joints_add(model, &hinge);
    return world_state(model, method, step);
}

// Up to a quarter of a revolution in a step, and beyond half of one.
TEST(a_rod_that_rotates_fast_keeps_its_hinge_and_its_energy) {
    static const double spins[] = {1.0, 30.0, 100.0, 400.0, 1000.0};
    for (int i = 0; i < 5 * METHODS; i++) {
        double spin = spins[i / METHODS];
        carom_state *state = spinning_rod(methods[i % METHODS], spin, 0.0, 1.0 / 240);
        double energy = world_energy(state);
        course seen = follow(state, 480);
        CHECK(seen.open < 1e-9);
        CHECK(fabs(seen.lost) < 1e-9 * energy);
        CHECK(seen.highest < 1e-11 * energy);
        CHECK_NEAR(world_body(state, 0).spin.y, spin, 1e-9 * spin);
        world_destroy(state);
    }
}

// phi = w t: what Cayley's map leaves of it is of second order.
TEST(the_angle_of_a_rod_converges) {
    for (int m = 0; m < METHODS; m++) {
        double error[3];
        for (int k = 0; k < 3; k++) {
            int steps = 240 << k;
            carom_state *state = spinning_rod(methods[m], 3.0, 0.0, 1.0 / steps);
            world_run(state, steps);
            error[k] = fabs(joints_get(state, 0).coordinate[0] - 3.0);
            world_destroy(state);
        }
        CHECK(error[0] < 1e-3);
        CHECK_NEAR(log2(error[0] / error[1]), 2.0, 0.1);
        CHECK_NEAR(log2(error[1] / error[2]), 2.0, 0.1);
    }
}

// w = 3 exp(-c t / I), I = 1/3: forces are taken at the end of the step, with order 1.
TEST(a_rod_that_is_braked_converges) {
    double exact = 3.0 * exp(-0.5 * 3.0), angle = (3.0 - exact) / (0.5 * 3.0);
    for (int m = 0; m < METHODS; m++) {
        double spin[3], rotated[3];
        for (int k = 0; k < 3; k++) {
            int steps = 240 << k;
            carom_state *state = spinning_rod(methods[m], 3.0, 0.5, 1.0 / steps);
            course seen = follow(state, steps);
            CHECK(seen.open < 1e-9);
            CHECK(seen.rise <= 0.0);
            spin[k] = fabs(joints_get(state, 0).rate[0] - exact);
            rotated[k] = fabs(joints_get(state, 0).coordinate[0] - angle);
            world_destroy(state);
        }
        CHECK(spin[0] < 5e-3);
        for (int k = 0; k < 2; k++) {
            CHECK_NEAR(log2(spin[k] / spin[k + 1]), 1.0, 0.1);
            CHECK_NEAR(log2(rotated[k] / rotated[k + 1]), 1.0, 0.1);
        }
    }
}

// ---- pendulums

static carom_state *pendulum(carom_method method, double step) {
    carom_model *model = world_model(down, 0.0);
    carom_body_def def = world_body_def(1.0, crm_vec3(0.01, 0.01, 0.01));
    def.position = crm_vec3(1.0, 0.0, 0.0);
    carom_body bob = world_add(model, &def);
    carom_joint_def hinge = joints_def(model, CAROM_JOINT_HINGE, CAROM_WORLD, bob, origin, along_y);
    joints_add(model, &hinge);
    return world_state(model, method, step);
}

TEST(a_pendulum_never_rises_above_where_it_was_let_go) {
    static const double steps[] = {1.0 / 240, 0.02, 0.1, 0.2};
    for (int i = 0; i < 4 * METHODS; i++) {
        double step = steps[i / METHODS];
        carom_state *state = pendulum(methods[i % METHODS], step);
        course seen = follow(state, (int)(20.0 / step));
        CHECK(seen.open < 1e-9);
        CHECK(seen.highest < 1e-9);
        CHECK(seen.rise < 1e-9);
        CHECK(seen.lost < 9.81 * 0.1);
        world_destroy(state);
    }
}

// ---- chains

// Links of 0.1 kg and 0.2 m bear a load, let go level.
static carom_state *loaded_chain(carom_method method, int links, double load, bool tied, double step) {
    carom_model *model = world_model(down, 0.0);
    carom_body last = CAROM_WORLD;
    for (int i = 0; i <= links; i++) {
        bool is_load = i == links;
        carom_body_def def =
            world_body_def(is_load ? load : 0.1, crm_scale(is_load ? 1e-3 * load : 1e-3, crm_vec3(1, 1, 1)));
        def.position = crm_vec3(0.1 + 0.2 * i, 0.0, 0.0);
        def.velocity = crm_vec3(0.0, i % 2 == 0 && !tied ? 1.0 : 0.0, 0.0);
        carom_body body = world_add(model, &def);
        carom_joint_def ball = joints_def(model, CAROM_JOINT_BALL, last, body, crm_vec3(0.2 * i, 0.0, 0.0), along_y);
        if (tied || i > 0) joints_add(model, &ball);
        last = body;
    }
    return world_state(model, method, step);
}

TEST(light_links_bear_what_is_ten_thousand_times_heavier) {
    for (int m = 0; m < METHODS; m++) {
        carom_state *state = loaded_chain(methods[m], 10, 1000.0, true, 1.0 / 240);
        course seen = follow(state, 480);
        CHECK(seen.open < 1e-9);
        CHECK(seen.highest < 1e-9 * 2.1 * 9810.0);
        CHECK(seen.lost < 1e-3 * 2.1 * 9810.0);
        CHECK(crm_length(world_body(state, 10).position) < 2.1 * (1.0 + 1e-9));
        world_destroy(state);
    }
}

static carom_vec3 centre_of_chain(const carom_state *state) {
    carom_vec3 centre = origin;
    for (int b = 0; b < 5; b++) centre = crm_madd(centre, (b < 4 ? 0.1 : 0.5) / 0.9, world_body(state, b).position);
    return centre;
}

// Both momenta, and the parabola of the centre of mass.
TEST(a_thrown_chain_keeps_momenta_and_flies_by_its_parabola) {
    for (int m = 0; m < METHODS; m++) {
        carom_state *state = loaded_chain(methods[m], 4, 0.5, false, 0.01);
        carom_vec3 from = centre_of_chain(state);
        course seen = follow(state, 100);
        carom_vec3 way = crm_sub(centre_of_chain(state), from);
        CHECK(seen.open < 1e-9);
        CHECK(seen.balance < 1e-13);
        CHECK(seen.rise < 1e-9);
        CHECK(crm_distance(way, crm_vec3(0.0, (0.2 + 0.5) / 0.9, -0.5 * 9.81)) < 1e-9);
        world_destroy(state);
    }
}

// ---- motors

// A crank of 0.2 m that a motor drives at 200 rad/s, 0.83 rad a step, with a rod on its pin.
static carom_state *driven_crank(carom_method method) {
    carom_model *model = world_model(origin, 0.0);
    carom_body_def crank = world_body_def(1.0, crm_vec3(0.01, 0.01, 0.01));
    crank.position = crm_vec3(0.1, 0.0, 0.0);
    carom_body_def rod = world_body_def(1.0, crm_vec3(0.1, 0.1, 0.1));
    rod.position = crm_vec3(0.6, 0.0, 0.0);
    carom_body c = world_add(model, &crank), r = world_add(model, &rod);
    carom_joint_def drive = joints_def(model, CAROM_JOINT_HINGE, CAROM_WORLD, c, origin, crm_vec3(0.0, 0.0, 1.0));
    drive.coordinate[0].motor.kind = CAROM_MOTOR_VELOCITY;
    drive.coordinate[0].motor.target_rate = 200.0;
    joints_add(model, &drive);
    carom_joint_def pin = joints_def(model, CAROM_JOINT_HINGE, c, r, crm_vec3(0.2, 0.0, 0.0), crm_vec3(0.0, 0.0, 1.0));
    joints_add(model, &pin);
    return world_state(model, method, 1.0 / 240);
}

TEST(a_driven_crank_keeps_its_rate_and_its_pin) {
    for (int m = 0; m < METHODS; m++) {
        carom_state *state = driven_crank(methods[m]);
        double rise = 0.0, farthest = 0.0, open = 0.0;
        for (int i = 0; i < 240; i++) {
            carom_step_report report = world_run(state, 1);
            rise = fmax(rise, report.energy_balance);
            open = fmax(open, report.joint_drift);
            farthest = fmax(farthest, crm_length(world_body(state, 1).position));
            CHECK_NEAR(joints_get(state, 0).rate[0], 200.0, 1e-6);
        }
        CHECK(open < 1e-8);
        CHECK(farthest < 0.6 * (1.0 + 1e-8));
        // Of the largest energy, where the motor brings the rate back and joints hold against it.
        CHECK(rise < 1e-3 * 1260.0);
        world_destroy(state);
    }
}

TEST_MAIN(CASE(a_rod_that_rotates_fast_keeps_its_hinge_and_its_energy), CASE(the_angle_of_a_rod_converges),
          CASE(a_rod_that_is_braked_converges), CASE(a_pendulum_never_rises_above_where_it_was_let_go),

          CASE(light_links_bear_what_is_ten_thousand_times_heavier),
          CASE(a_thrown_chain_keeps_momenta_and_flies_by_its_parabola), CASE(a_driven_crank_keeps_its_rate_and_its_pin))
