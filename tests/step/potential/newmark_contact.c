// SPDX-License-Identifier: MIT
// Contacts under the implicit members of Newmark's family, and implicit contacts beside explicit forces: order,
// momenta, energy at steps that the explicit member does not bear.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/quat.h"
#include "support/geometry/touching.h"
#include "support/harness/check.h"
#include "support/harness/sample.h"
#include "support/model/joints.h"

static const carom_vec3 nowhere = {0.0, 0.0, 0.0}, down = {0.0, 0.0, -9.81};

typedef struct member {
    const char *name;
    double beta;
    bool implicit_contact;
} member;

static const member explicit_member = {"explicit", 0.0, false};
static const member implicit_contact = {"implicit contact", 0.0, true};
static const member with_implicit_contact[] = {{"implicit contact", 0.0, true},
                                               {"implicit contact, 1/4", 0.25, true},
                                               {"1/12", 1.0 / 12.0, false},
                                               {"1/4", 0.25, false}};
enum { MEMBERS = 4 };

static carom_method_def def_of(member of, double step, double stiffness) {
    carom_method_def def = carom_method_def_default();
    def.method = CAROM_METHOD_NEWMARK;
    def.step = step;
    def.potential.stiffness = stiffness;
    def.potential.beta = of.beta;
    def.potential.implicit_contact = of.implicit_contact;
    return def;
}

// ---- order

// Two ellipsoids that overlap all the time, drawn together by a spring whose points do not lie in their centres.
static carom_model *overlapping_pair(void) {
    carom_model *model = world_starting(crm_vec3(0.1, -0.2, 0.3), CAROM_START_KEEP);
    carom_material material = touching_material(model, 0.0, 0.0);
    carom_model_shape shape = touching_ellipsoid(model, 0.5, 0.4, 0.3);
    carom_body_def a = touching_def(model, shape, material, 1.0, nowhere);
    carom_body_def b = touching_def(model, shape, material, 2.0, crm_vec3(0.7, 0.1, 0.05));
    a.spin = crm_vec3(0.3, 1.0, 0.5);
    b.velocity = crm_vec3(-0.2, 0.3, 0.0);
    b.spin = crm_vec3(-0.5, 0.2, 0.8);
    carom_spring_def spring = carom_spring_def_default();
    spring.a = world_add(model, &a);
    spring.b = world_add(model, &b);
    spring.point_a = crm_vec3(0.1, 0.2, 0.1);
    spring.stiffness = 8.0;
    CHECK_INT(carom_model_add_spring(model, &spring, NULL), CAROM_OK);
    return model;
}

static void ends_of(member of, double step, double damping, carom_body_state out[2]) {
    carom_method_def def = def_of(of, step, 40.0);
    def.potential.damping = damping;
    carom_state *state = touching_state(overlapping_pair(), &def);
    world_run(state, (int)lround(0.16 / step));
    for (int b = 0; b < 2; b++) out[b] = world_body(state, b);
    world_destroy(state);
}

static double apart(const carom_body_state a[2], const carom_body_state b[2]) {
    double sum = 0.0;
    for (int k = 0; k < 2; k++)
        sum += crm_distance(a[k].position, b[k].position) + crm_quat_angle(a[k].attitude, b[k].attitude) +
               crm_distance(a[k].velocity, b[k].velocity) + crm_distance(a[k].spin, b[k].spin);
    return sum;
}

// Against the explicit member at a step that is far smaller.
TEST(smooth_contact_is_of_second_order) {
    for (int damped = 0; damped < 2; damped++) {
        carom_body_state wanted[2], got[2];
        ends_of(explicit_member, 0.16 / 32768.0, 0.5 * damped, wanted);
        for (int i = 0; i < MEMBERS; i++) {
            double last = 0.0;
            for (int k = 3; k < 7; k++) {
                ends_of(with_implicit_contact[i], ldexp(0.16, -k), 0.5 * damped, got);
                double off = apart(got, wanted);
                if (last > 0.0 && !CHECK_NEAR(log2(last / off), 2.0, 0.1))
                    printf("%s: %g then %g\n", with_implicit_contact[i].name, last, off);
                last = off;
            }
        }
    }
}

// A ball that meets a floor and leaves it, at the end of its flight: touches come at any time of a step.
static double bounced(member of, double step) {
    carom_model *model = world_model(down, 0.0);
    carom_material material = touching_material(model, 0.0, 1.0);
    touching_add(model, touching_floor(model), material, 0.0, nowhere);
    carom_body_def ball = touching_def(model, touching_sphere(model, 0.1), material, 1.0, crm_vec3(0.0, 0.0, 0.2));
    int body = world_add(model, &ball).index;
    carom_method_def def = def_of(of, step, 3e3);
    carom_state *state = touching_state(model, &def);
    world_run(state, (int)lround(0.32 / step));
    carom_body_state at = world_body(state, body);
    world_destroy(state);
    return at.position.z + 0.1 * at.velocity.z;
}

TEST(bounces_converge_at_second_order) {
    double wanted = bounced(explicit_member, 0.32 / 262144.0);
    for (int i = 0; i < MEMBERS; i++) {
        double coarse = fabs(bounced(with_implicit_contact[i], 0.32 / 256.0) - wanted),
               fine = fabs(bounced(with_implicit_contact[i], 0.32 / 4096.0) - wanted);
        // Where in a step a touch falls makes the constant: over four halvings the order is seen beside it.
        if (!CHECK_NEAR(log2(coarse / fine) / 4.0, 2.0, 0.25))
            printf("%s: %g then %g\n", with_implicit_contact[i].name, coarse, fine);
    }
}

// ---- what is kept

// Boxes and ellipsoids that fly at each other from all sides.
static carom_model *swarm(uint64_t seed) {
    sampler s = {.seed = seed};
    carom_model *model = world_model(nowhere, 0.0);
    carom_material material = touching_material(model, 0.0, 0.0);
    carom_model_shape shapes[2] = {touching_box(model, 0.5, 0.4, 0.3), touching_ellipsoid(model, 0.35, 0.2, 0.25)};
    for (int i = 0; i < 6; i++) {
        carom_vec3 x = crm_scale(1.2, crm_vec3(i % 2 - 0.5, i / 2 % 2 - 0.5, i / 4 - 0.5));
        carom_body_def def = touching_def(model, shapes[i % 2], material, 1.0 + i % 3, x);
        def.attitude = sample_attitude(&s);
        def.velocity = crm_madd(crm_scale(-1.0, x), 1.0, sample_vec3(&s, 0.3));
        def.spin = sample_vec3(&s, 1.5);
        world_add(model, &def);
    }
    return model;
}

static void check_momenta(member of, double stiffness) {
    carom_method_def def = def_of(of, 0.004, stiffness);
    carom_state *state = touching_state(swarm(7), &def);
    carom_momentum first = carom_state_momentum(state);
    int contacts = 0;
    for (int i = 0; i < 500; i++) {
        carom_step_report report = world_run(state, 1);
        contacts += report.contacts;
        CHECK(report.momentum_balance < 1e-13);
    }
    carom_momentum last = carom_state_momentum(state);
    CHECK(contacts > 5);
    double p = crm_distance(first.linear, last.linear), l = crm_distance(first.angular, last.angular);
    if (!CHECK(p < 1e-12) || !CHECK(l < 1e-12)) printf("%s: P off by %g, L by %g\n", of.name, p, l);
    world_destroy(state);
}

TEST(contacts_keep_both_momenta) {
    for (int i = 0; i < MEMBERS; i++) check_momenta(with_implicit_contact[i], 2e4);
    check_momenta(implicit_contact, 1e9);
}

// ---- stiff contacts

// The most energy of a ball over the floor in a run, as a share of that at the start; and the least.
static void energies_of(member of, double step, double stiffness, int steps, double share[2]) {
    carom_model *model = world_model(down, 0.0);
    carom_material material = touching_material(model, 0.0, 1.0);
    touching_add(model, touching_floor(model), material, 0.0, nowhere);
    carom_body_def ball = touching_def(model, touching_sphere(model, 0.1), material, 1.0, crm_vec3(0.0, 0.0, 0.6));
    world_add(model, &ball);
    carom_method_def def = def_of(of, step, stiffness);
    carom_state *state = touching_state(model, &def);
    double start = world_energy(state);
    share[0] = share[1] = 1.0;
    for (int k = 0; k < steps; k++) {
        double now = world_run(state, 1).energy.kinetic + carom_state_energy(state).potential;
        share[0] = fmin(share[0], now / start);
        share[1] = fmax(share[1], now / start);
        if (share[1] > 100.0) break;
    }
    world_destroy(state);
}

// The explicit member bears h sqrt(C / m) <= 2. Here it is 4 to 4,000 over some thirty bounces: V changes by just what
// the force takes, so that no bounce adds anything; the explicit member throws the ball away.
TEST(implicit_contacts_bear_any_stiffness) {
    const double step = 0.01;
    for (double rate = 4.0; rate < 5000.0; rate *= 10.0) {
        double stiffness = rate * rate / (step * step), share[2];
        energies_of(implicit_contact, step, stiffness, 2000, share);
        if (!CHECK(share[0] > 1.0 - 1e-10 && share[1] < 1.0 + 1e-10))
            printf("h w = %g: energy from %.15g to %.15g\n", rate, share[0], share[1]);
        energies_of(explicit_member, step, stiffness, 2000, share);
        if (!CHECK(share[1] > 2.0)) printf("h w = %g: the explicit member has %g\n", rate, share[1]);
    }
}

// Boxes with corners and edges, rotations included: the energy stays bounded, where the explicit member has none left
// to count in.
static double worst_energy(member of, double stiffness) {
    carom_method_def def = def_of(of, 0.004, stiffness);
    carom_state *state = touching_state(swarm(7), &def);
    double start = world_energy(state), most = 0.0;
    for (int i = 0; i < 500; i++) {
        carom_step_report report = {0};
        if (carom_step(carom_state_model(state), state, NULL, &report, NULL) != CAROM_OK) break;
        if (report.outcome == CAROM_STEP_IMPOSSIBLE) most = INFINITY;
        if (report.outcome == CAROM_STEP_IMPOSSIBLE) break;
        most = fmax(most, (report.energy.kinetic + report.energy.potential) / start);
    }
    world_destroy(state);
    return most;
}

TEST(stiff_boxes_stay_bounded) {
    double bounded = worst_energy(implicit_contact, 1e7), thrown = worst_energy(explicit_member, 1e7);
    if (!CHECK(bounded < 1.5) || !CHECK(thrown > 10.0)) printf("energy %g, explicit %g\n", bounded, thrown);
}

// ---- all else stays explicit

TEST(springs_keep_their_limit_beside_implicit_contacts) {
    carom_model *model = overlapping_pair();
    carom_method_def def = def_of(implicit_contact, 2.0, 40.0);
    carom_state *state = NULL;
    carom_error error = {.text = ""};
    CHECK_INT(carom_model_freeze(model, &error), CAROM_OK);
    CHECK_INT(carom_state_create(model, &def, &state, &error), CAROM_ERR_BAD_INPUT);
    CHECK(strstr(error.text, "with beta = 0 and gamma = 0.5 is unstable beyond steps") != NULL);
    carom_model_destroy(model);
}

TEST_MAIN(CASE(smooth_contact_is_of_second_order), CASE(bounces_converge_at_second_order),
          CASE(contacts_keep_both_momenta), CASE(implicit_contacts_bear_any_stiffness), CASE(stiff_boxes_stay_bounded),
          CASE(springs_keep_their_limit_beside_implicit_contacts))
