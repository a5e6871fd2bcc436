// SPDX-License-Identifier: MIT
// What steps of dcr tell the certificate: bodies of all kinds and joints keep the balance, and joints bear what
// contacts do not.
#include <math.h>

#include "math/quat.h"
#include "support/geometry/touching.h"
#include "support/harness/check.h"
#include "support/harness/sample.h"
#include "support/model/joints.h"

static const carom_vec3 origin = {0.0, 0.0, 0.0}, upwards = {0.0, 0.0, 1.0};

// Steps until bodies touch; the report of that step.
static carom_step_report run_to_contact(carom_state *state) {
    carom_step_report report = world_run(state, 1);
    while (report.contacts == 0 && report.outcome == CAROM_STEP_GOOD && report.time < 2.0) report = world_run(state, 1);
    CHECK(report.contacts > 0);
    return report;
}

// A bar rotates about its end and hits a wall at the distance d from the hinge: J w (1 + e)/d stops it and throws it
// back, and the hinge gives the rest of m L/2 w (1 + e). Along the bar it gives what rotates the momentum, by m w^2 L/2
// in time. The projection rotates the bar back, by at most h w; what it stretches momenta by is half the square of
// that.
TEST(a_hinge_bears_what_the_wall_does_not) {
    const double mass = 2.0, length = 1.0, spin = 1.5, step = 1e-3, e = 0.6;
    carom_model *model = world_model(origin, 0.0);
    carom_material material = touching_material(model, 0.0, e);
    carom_body_def def =
        touching_def(model, touching_box(model, length, 0.1, 0.1), material, mass, crm_vec3(0.5 * length, 0.0, 0.0));
    def.spin.z = spin;
    def.velocity.y = 0.5 * length * spin;
    carom_body bar = world_add(model, &def);
    touching_add(model, touching_sphere(model, 0.1), material, 0.0, crm_vec3(0.8, 0.4, 0.0));
    carom_joint_def hinge = joints_def(model, CAROM_JOINT_HINGE, CAROM_WORLD, bar, origin, upwards);
    joints_add(model, &hinge);
    carom_state *state = world_state(model, CAROM_METHOD_DCR, step);
    run_to_contact(state);
    int count;
    const carom_contact_state *contact = carom_state_contacts(state, &count);
    CHECK_INT(count, 1);
    carom_vec3 along = crm_quat_rotate(world_body(state, 0).attitude, crm_vec3(1.0, 0.0, 0.0));
    carom_vec3 across = crm_cross(upwards, along);
    double moment = mass / 12.0 * (length * length + 0.01) + 0.25 * mass * length * length;
    double arm = crm_dot(contact->point, along), impact = moment * spin * (1.0 + e) / arm;
    double wanted = impact - 0.5 * mass * length * spin * (1.0 + e);
    carom_joint_state joint_impulse = joints_get(state, 0);
    CHECK_NEAR(contact->normal_impulse, impact, 1e-6);
    CHECK_NEAR(step * crm_dot(joint_impulse.force, across), wanted, 1e-5);
    // The way of the step and back: between none and that of a whole step.
    double centripetal = 0.5 * mass * length * spin * spin, pull = -crm_dot(joint_impulse.force, along);
    CHECK(pull > -1e-2 * centripetal && pull < 1.01 * centripetal);
    CHECK_NEAR(crm_length(joint_impulse.torque), 0.0, 1e-9 / step);
    world_destroy(state);
}

// A chain of bars on ball joints, in the air or on the ground, is thrown against two posts again and again.
static void throw_chain(bool grounded) {
    sampler s = {.seed = 7};
    carom_model *model = world_model(crm_vec3(0.0, 0.0, grounded ? -9.81 : 0.0), 0.0);
    carom_material material = touching_material(model, 0.4, 0.7);
    carom_model_shape bar = touching_box(model, 0.28, 0.05, 0.06);
    carom_body last = CAROM_WORLD;
    for (int i = 0; i < 4; i++) {
        carom_body_def def = touching_def(model, bar, material, 0.5 + 0.1 * i, crm_vec3(0.15 + 0.3 * i, 0.0, 0.0));
        def.velocity = crm_vec3(0.0, grounded ? 0.0 : 1.0, 0.0);
        def.spin = sample_vec3(&s, 0.5);
        carom_body body = world_add(model, &def);
        carom_joint_def ball = joints_def(model, CAROM_JOINT_BALL, last, body, crm_vec3(0.3 * i, 0.0, 0.0), upwards);
        if (i > 0 || grounded) joints_add(model, &ball);
        last = body;
    }
    carom_model_shape post = touching_sphere(model, 0.1);
    touching_add(model, post, material, 0.0, grounded ? crm_vec3(0.1, 0.03, -0.5) : crm_vec3(0.35, 0.3, 0.02));
    touching_add(model, post, material, 0.0, grounded ? crm_vec3(-0.3, 0.02, -0.8) : crm_vec3(0.85, 0.5, -0.02));
    carom_state *state = world_state(model, CAROM_METHOD_DCR, 2e-3);
    int hits = 0;
    for (int i = 0; i < 400; i++) {
        carom_step_report report = world_run(state, 1);
        if (report.outcome != CAROM_STEP_GOOD) break;
        CHECK(report.impact_energy <= 1e-12);
        hits += report.contacts > 0;
    }
    CHECK(hits >= 4);
    world_destroy(state);
}

TEST(chains_keep_the_balance) {
    throw_chain(false);
    throw_chain(true);
}

// Planar bodies stay in their planes, at different heights, two and two on hinges: what they do not admit is carried
// from outside, and is no break of the balance.
TEST(planar_bodies_among_free_ones_keep_the_balance) {
    sampler s = {.seed = 8};
    carom_model *model = world_model(origin, 0.0);
    carom_material material = touching_material(model, 0.5, 0.8);
    carom_model_shape box = touching_box(model, 0.2, 0.2, 0.3), ball = touching_sphere(model, 0.15);
    carom_body last = CAROM_WORLD;
    for (int i = 0; i < 12; i++) {
        carom_vec3 x = crm_vec3(0.45 * (i % 4) - 0.7, 0.45 * (i / 4) - 0.4, 0.07 * (i / 2 % 2));
        carom_body_def def = touching_def(model, i % 2 == 0 ? box : ball, material, 1.0 + i % 3, x);
        if (i % 4 != 3) def.kind = CAROM_BODY_PLANAR;
        def.velocity = crm_add(crm_scale(-1.0, x), sample_vec3(&s, 0.3));
        if (i % 4 != 3) def.velocity.z = 0.0;
        def.spin.z = sample_between(&s, -1.0, 1.0);
        carom_body body = world_add(model, &def);
        carom_joint_def hinge = joints_def(model, CAROM_JOINT_HINGE, last, body, x, upwards);
        if (i % 4 == 1) joints_add(model, &hinge);
        last = body;
    }
    carom_state *state = world_state(model, CAROM_METHOD_DCR, 5e-3);
    int hits = 0;
    for (int i = 0; i < 200; i++) {
        carom_step_report report = world_run(state, 1);
        if (report.outcome != CAROM_STEP_GOOD) break;
        hits += report.contacts;
    }
    CHECK(hits >= 10);
    world_destroy(state);
}

TEST_MAIN(CASE(a_hinge_bears_what_the_wall_does_not), CASE(chains_keep_the_balance),
          CASE(planar_bodies_among_free_ones_keep_the_balance))
