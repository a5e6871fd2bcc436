// SPDX-License-Identifier: MIT
// The certificate of plans on motions that the simulator made: rounding where they are right, and the right name for
// every number that is changed.
#include "control/certificate/certify_plan.h"

#include <math.h>
#include <stdio.h>

#include "control/certificate/replay.h"
#include "math/quat.h"
#include "model/model.h"
#include "support/control/simulated_plan.h"
#include "support/harness/check.h"
#include "support/harness/sample.h"
#include "support/model/joints.h"

// ---- motions

static carom_body add_body(carom_model *model, double x, carom_body_kind kind) {
    carom_body_def def = world_body_def(1.0 + 0.1 * x, crm_vec3(0.4, 0.6, 0.9));
    def.kind = kind;
    def.position = crm_vec3(x, 0.1 * x, 0.0);
    def.velocity = crm_vec3(0.3, -0.5, kind == CAROM_BODY_PLANAR ? 0.0 : 0.1 * x);
    if (kind == CAROM_BODY_PLANAR) def.spin.z = 0.9;
    if (kind == CAROM_BODY_FREE) {
        def.spin = crm_vec3(1.0, -0.7, 0.4 + 0.1 * x);
        def.attitude = crm_quat_from_axis_angle(crm_vec3(0.6, 0.0, 0.8), 0.5 + x);
        def.centre = crm_vec3(0.05, -0.02, 0.03);
        def.inertia.x.y = def.inertia.y.x = 0.07;
    }
    return world_add(model, &def);
}

static void draw_numbers(simulated_plan *plan, uint64_t seed, double size) {
    sampler s = {.seed = seed};
    for (int i = 0; i < plan->motion.control_number_count * plan->motion.interval_count; i++)
        plan->motion.control[i] = sample_between(&s, 0.0, size);
}

// Two free bodies on a spring, a planar one and a point, under every control that is no motor.
static void free_plan(simulated_plan *plan, int intervals) {
    carom_model *model = world_model(crm_vec3(0.2, -0.1, -0.5), 0.0);
    carom_body a = add_body(model, 0.0, CAROM_BODY_FREE), b = add_body(model, 2.0, CAROM_BODY_FREE);
    carom_body planar = add_body(model, 4.0, CAROM_BODY_PLANAR), point = add_body(model, 6.0, CAROM_BODY_POINT);
    carom_spring_def spring = carom_spring_def_default();
    spring.a = a, spring.b = b;
    spring.point_a = crm_vec3(0.3, 0.1, -0.2), spring.point_b = crm_vec3(-0.1, 0.2, 0.4);
    spring.stiffness = 6.0, spring.rest_length = 0.8;
    CHECK_INT(carom_model_add_spring(model, &spring, NULL), CAROM_OK);
    simulated_plan_begin(plan, model, intervals, 1.2);
    simulated_plan_control(plan, CAROM_CONTROL_WRENCH)->body = a;
    simulated_plan_control(plan, CAROM_CONTROL_WRENCH)->body = b;
    plan->control[1].in_body_axes = true;
    simulated_plan_control(plan, CAROM_CONTROL_FORCE)->body = a;
    plan->control[2].point = crm_vec3(0.2, 0.3, -0.1);
    simulated_plan_control(plan, CAROM_CONTROL_FORCE)->body = b;
    plan->control[3].point = crm_vec3(0.1, -0.3, 0.2);
    plan->control[3].in_body_axes = true;
    simulated_plan_control(plan, CAROM_CONTROL_THRUSTER)->body = a;
    plan->control[4].point = crm_vec3(-0.2, 0.1, 0.1);
    plan->control[4].direction = crm_vec3(0.0, 3.0, 4.0);
    plan->control[4].force_limit = 1.0;
    simulated_plan_control(plan, CAROM_CONTROL_WRENCH)->body = planar;
    simulated_plan_control(plan, CAROM_CONTROL_WRENCH)->body = point;
    plan->control[6].torque = false;
    simulated_plan_lay_out(plan);
    draw_numbers(plan, 31, 0.9);
    simulated_plan_run(plan, NULL);
}

// A ball joint to the world, a hinge, a slider, each with a motor; an isolated hinged pair that floats.
static void jointed_plan(simulated_plan *plan, int intervals) {
    carom_model *model = world_model(crm_vec3(0.1, -0.2, -0.3), 0.0);
    static const carom_joint_kind kinds[3] = {CAROM_JOINT_BALL, CAROM_JOINT_HINGE, CAROM_JOINT_SLIDER};
    carom_body last = CAROM_WORLD;
    carom_joint joint[4];
    for (int i = 0; i < 5; i++) {
        carom_body_def def = world_body_def(1.0 + 0.2 * i, crm_vec3(0.4, 0.6, 0.9));
        def.position = crm_vec3(i + 0.5, i < 3 ? 0.0 : 3.0, 0.0);
        def.centre = crm_vec3(0.02, -0.03, 0.05);
        carom_body body = world_add(model, &def);
        carom_joint_def bond = joints_def(model, i < 3 ? kinds[i] : CAROM_JOINT_HINGE, last, body,
                                          crm_vec3(i, i < 3 ? 0.0 : 3.0, 0.0), crm_vec3(0.0, 0.6, 0.8));
        if (i != 3) joint[i < 3 ? i : 3] = joints_add(model, &bond);
        last = body;
    }
    simulated_plan_begin(plan, model, intervals, 0.8);
    for (int j = 0; j < 4; j++) simulated_plan_control(plan, CAROM_CONTROL_MOTOR)->joint = joint[j].index;
    simulated_plan_lay_out(plan);
    draw_numbers(plan, 32, 0.5);
    simulated_plan_run(plan, NULL);
}

static crm_plan_findings certify(simulated_plan *plan) {
    crm_plan_findings found;
    carom_error error = {.text = ""};
    if (crm_certify_plan(plan->model, &plan->def, &plan->motion, &plan->arena, &found, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return found;
}

// ---- what is right

TEST(runs_of_free_bodies_are_plans_to_rounding) {
    simulated_plan plan;
    free_plan(&plan, 12);
    crm_plan_findings found = certify(&plan);
    CHECK_TEXT(found.text, "");
    CHECK(found.certificate.kept);
    CHECK(found.certificate.violation < 2e-14 && found.certificate.violation_si < 2e-14);
    CHECK(found.certificate.consistency < 1e-14 && found.certificate.consistency > 0.0);
    CHECK(found.certificate.replay < 1e-13);
    CHECK(found.certificate.replay_fine > 1e-6 && found.certificate.replay_fine < 0.05);
    CHECK(found.certificate.rotation > 0.05 && found.certificate.rotation < 0.5);
    CHECK(isinf(found.certificate.gap_at_nodes) && isinf(found.certificate.gap_between));
    CHECK_NEAR(found.certificate.limits, 0.0, 0.0);
    double effort = 0.0;
    for (int i = 0; i < plan.motion.control_number_count * 12; i++)
        effort += 0.1 * plan.motion.control[i] * plan.motion.control[i];
    CHECK_NEAR(found.certificate.effort, effort, 1e-13);
    simulated_plan_end(&plan);
}

TEST(runs_of_jointed_bodies_are_plans_to_rounding) {
    simulated_plan plan;
    jointed_plan(&plan, 16);
    crm_plan_findings found = certify(&plan);
    CHECK_TEXT(found.text, "");
    CHECK(found.certificate.kept);
    CHECK(found.certificate.violation < 1e-12);
    CHECK(found.certificate.consistency < 1e-13);
    CHECK(found.certificate.replay < 1e-12);
    CHECK(found.certificate.replay_fine > 1e-6 && found.certificate.replay_fine < 0.05);
    simulated_plan_end(&plan);
}

// With the same controls, each for two intervals of half the length.
TEST(a_run_at_finer_steps_is_off_by_the_order_of_the_rows) {
    double off[2];
    for (int i = 0; i < 2; i++) {
        simulated_plan coarse, plan;
        int intervals = 24 << i;
        free_plan(&coarse, 24);
        free_plan(&plan, intervals);
        int numbers = plan.motion.control_number_count;
        for (int k = 0; k < intervals; k++)
            for (int n = 0; n < numbers; n++)
                plan.motion.control[k * numbers + n] = coarse.motion.control[(k >> i) * numbers + n];
        for (int k = 0; k < 2 * intervals * plan.motion.body_count; k++)
            plan.motion.force[k] = plan.motion.torque[k] = crm_vec3_zero();
        simulated_plan_run(&plan, NULL);
        off[i] = certify(&plan).certificate.replay_fine;
        simulated_plan_end(&coarse);
        simulated_plan_end(&plan);
    }
    CHECK_NEAR(log2(off[0] / off[1]), 2.0, 0.1);
}

// ---- one number is wrong

typedef struct change {
    const char *what;
    crm_plan_law law;
    int body, node; // that are to be named
} change;

enum { NODE = 5, BODY = 1 };

static double *number_of(simulated_plan *plan, int i) {
    crm_plan_motion *m = &plan->motion;
    int at = NODE * m->body_count + BODY;
    double *numbers[] = {&m->momentum[at].y,      &m->spin_momentum[at].x,   &m->position[at].z,
                         &m->attitude[at].y.x,    &m->force[2 * at].x,       &m->torque[2 * at + 1].z,
                         &m->momentum_start[1].x, &m->spin_momentum_end[1].y};
    return numbers[i];
}

TEST(a_changed_number_is_found_and_named) {
    static const change changes[] = {{"p", CRM_LAW_MOMENTUM, BODY, NODE}, {"l", CRM_LAW_SPIN, BODY, NODE},
                                     {"x", CRM_LAW_MOMENTUM, BODY, NODE}, {"R", CRM_LAW_DIRECTORS, BODY, NODE},
                                     {"f", CRM_LAW_CONTROL, BODY, NODE},  {"t", CRM_LAW_CONTROL, BODY, NODE},
                                     {"P_0", CRM_LAW_BALANCE, 1, 0},      {"L_K", CRM_LAW_SPIN_BALANCE, 1, 12}};
    static const double size[] = {1e-2, 1e-5, 1e-7};
    simulated_plan plan;
    free_plan(&plan, 12);
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        for (int s = 0; s < 3; s++) {
            double *number = number_of(&plan, (int)i), kept = *number;
            *number += size[s];
            crm_plan_findings found = certify(&plan);
            *number = kept;
            const crm_plan_violation *worst = &found.worst[changes[i].law];
            bool named = CHECK(!found.certificate.kept && found.text[0] != '\0');
            named = CHECK_INT(worst->a.index, changes[i].body) && named;
            named = CHECK(worst->node == changes[i].node || worst->node == changes[i].node - 1) && named;
            named = CHECK(worst->value > 0.05 * size[s] && worst->value < 20.0 * size[s]) && named;
            if (!named) printf("%s by %g: %s\n", changes[i].what, size[s], found.text);
        }
    }
    CHECK(certify(&plan).certificate.kept);
    simulated_plan_end(&plan);
}

TEST(sentences_name_row_body_and_place) {
    simulated_plan plan;
    free_plan(&plan, 12);
    plan.motion.spin_momentum_end[1].y += 1e-3;
    crm_plan_findings found = certify(&plan);
    CHECK_CONTAINS(found.text, "the balance of angular momentum of body 1 at node 12 is off by 0.001 N m s");
    plan.motion.spin_momentum_end[1].y -= 1e-3;
    plan.motion.control[0] += 0.5;
    CHECK_CONTAINS(certify(&plan).text, "the force of the controls of body 0 at interval 0 is off by 0.5 N or N m");
    simulated_plan_end(&plan);
    jointed_plan(&plan, 8);
    plan.motion.position[2 * plan.motion.body_count + 1].x += 0.01;
    found = certify(&plan);
    CHECK_INT(found.worst[CRM_LAW_JOINT].item, 1);
    CHECK_INT(found.worst[CRM_LAW_JOINT].node, 2);
    CHECK_NEAR(found.worst[CRM_LAW_JOINT].value, 0.01, 1e-12);
    plan.motion.position[2 * plan.motion.body_count + 1].x -= 0.01;
    // An impulse of the hinge about its own axis: a motor that nobody pays for.
    carom_vec3 axis = crm_mat3_apply(plan.motion.attitude[3 * plan.motion.body_count], crm_vec3(0.0, 0.6, 0.8));
    for (int i = 0; i < plan.motion.impulse_count; i++)
        if (plan.motion.impulse[i].node == 3 && plan.motion.impulse[i].joint == 1)
            plan.motion.impulse[i].couple = crm_madd(plan.motion.impulse[i].couple, 0.02, axis);
    found = certify(&plan);
    CHECK_INT(found.worst[CRM_LAW_JOINT_IMPULSE].item, 1);
    CHECK_INT(found.worst[CRM_LAW_JOINT_IMPULSE].node, 3);
    CHECK_NEAR(found.worst[CRM_LAW_JOINT_IMPULSE].value, 0.02, 1e-12);
    simulated_plan_end(&plan);
}

// An impulse that is in the list but not in the motion: between two bodies the balances see it, from outside the totals
// too.
TEST(totals_see_what_comes_from_nowhere) {
    simulated_plan plan;
    free_plan(&plan, 12);
    simulated_plan_push(&plan, (crm_plan_impulse){.node = 4,
                                                  .a = {0},
                                                  .b = {1},
                                                  .point = {0.4, 0.2, 0.1},
                                                  .impulse = {0.01, 0.02, 0.0},
                                                  .joint = -1,
                                                  .contact = -1});
    crm_plan_findings found = certify(&plan);
    CHECK(found.worst[CRM_LAW_BALANCE].node == 4 && found.worst[CRM_LAW_BALANCE].value > 0.02);
    CHECK(found.certificate.consistency < 1e-14); // between two bodies: no total knows
    plan.motion.impulse[0].b = CAROM_WORLD;
    found = certify(&plan);
    CHECK(found.certificate.consistency > 1e-5);
    CHECK(found.consistency[4] > 1e-5 && found.consistency[3] < 1e-14 && found.consistency[5] < 1e-14);
    simulated_plan_end(&plan);
}

// ---- what is asked

static carom_plan_condition *ask(simulated_plan *plan, int node, int body) {
    return simulated_plan_condition(plan, node, (carom_body){body});
}

static carom_quat attitude_at(const simulated_plan *plan, int node, int body) {
    return crm_quat_from_mat3(plan->motion.attitude[node * plan->motion.body_count + body]);
}

static carom_vec3 origin_at(const simulated_plan *plan, int node, int body) {
    carom_vec3 arm = crm_quat_rotate(attitude_at(plan, node, body), plan->model->bodies.items[body].centre);
    return crm_sub(plan->motion.position[node * plan->motion.body_count + body], arm);
}

TEST(what_is_asked_is_held_against_the_motion) {
    simulated_plan plan;
    free_plan(&plan, 12);
    carom_plan_condition *c = ask(&plan, -1, 0);
    c->has_position = c->has_attitude = true;
    c->position = origin_at(&plan, 12, 0);
    c->attitude = crm_quat_negate(attitude_at(&plan, 12, 0));
    c = ask(&plan, 6, 1); // as body 0 sees it
    c->relative_to = (carom_body){0};
    c->has_position = c->has_attitude = true;
    carom_quat of_0 = attitude_at(&plan, 6, 0);
    c->position = crm_quat_rotate_inverse(of_0, crm_sub(origin_at(&plan, 6, 1), origin_at(&plan, 6, 0)));
    c->attitude = crm_quat_mul(crm_quat_conjugate(of_0), attitude_at(&plan, 6, 1));
    c = ask(&plan, 3, 0);
    c->has_box = true;
    c->box_low = crm_vec3(-INFINITY, -10.0, -10.0);
    c->box_high = crm_vec3(10.0, INFINITY, 10.0);
    c->direction_count = 1;
    c->direction[0].axis = crm_vec3(0.0, 0.0, 2.0);
    c->direction[0].toward = crm_quat_rotate(attitude_at(&plan, 3, 0), crm_vec3(0.0, 0.0, 3.0));
    c->direction[0].least = 1.0 - 1e-12;
    CHECK_TEXT(certify(&plan).text, "");
    // Each of it by itself is missed.
    plan.condition[0].position.y += 0.25;
    crm_plan_findings found = certify(&plan);
    CHECK_NEAR(found.worst[CRM_LAW_POSITION].value, 0.25, 1e-12);
    CHECK(found.worst[CRM_LAW_POSITION].node == 12 && found.worst[CRM_LAW_POSITION].item == 0);
    plan.condition[0].position.y -= 0.25;
    plan.condition[1].attitude =
        crm_quat_mul(plan.condition[1].attitude, crm_quat_from_axis_angle(crm_vec3(1, 0, 0), 0.3));
    found = certify(&plan);
    CHECK_NEAR(found.worst[CRM_LAW_ATTITUDE].value, 0.3, 1e-7);
    CHECK(found.worst[CRM_LAW_ATTITUDE].node == 6 && found.worst[CRM_LAW_ATTITUDE].b.index == 0);
    plan.condition[1].has_attitude = false;
    plan.condition[2].box_high.x = origin_at(&plan, 3, 0).x - 0.125;
    plan.condition[2].direction[0].least = 1.5;
    found = certify(&plan);
    CHECK_NEAR(found.worst[CRM_LAW_BOX].value, 0.125, 1e-12);
    CHECK_NEAR(found.worst[CRM_LAW_DIRECTION].value, 0.5, 1e-11);
    simulated_plan_end(&plan);
}

TEST(velocities_that_are_asked_are_those_of_the_frames_origin) {
    simulated_plan plan;
    free_plan(&plan, 12);
    carom_body_def def;
    CHECK_INT(carom_model_get_body(plan.model, (carom_body){0}, &def, NULL), CAROM_OK);
    carom_plan_condition *c = ask(&plan, 0, 0);
    c->has_position = c->has_attitude = c->has_velocity = c->has_spin = true;
    c->position = def.position, c->attitude = def.attitude, c->velocity = def.velocity, c->spin = def.spin;
    crm_plan_findings found = certify(&plan);
    CHECK_TEXT(found.text, "");
    CHECK(found.worst[CRM_LAW_VELOCITY].value < 1e-14 && found.worst[CRM_LAW_ANGULAR_VELOCITY].value < 1e-14);
    c->velocity.x += 0.5;
    c->spin.z -= 0.25;
    found = certify(&plan);
    CHECK_NEAR(found.worst[CRM_LAW_VELOCITY].value, 0.5, 1e-13);
    CHECK_NEAR(found.worst[CRM_LAW_ANGULAR_VELOCITY].value, 0.25, 1e-13);
    c->has_velocity = c->has_spin = false;
    c->relative_to = (carom_body){1};
    c->has_position = c->has_attitude = false;
    c->together = true; // they do not
    CHECK(certify(&plan).worst[CRM_LAW_VELOCITY].value > 0.01);
    simulated_plan_end(&plan);
}

TEST(a_start_that_is_not_asked_for_is_the_models) {
    simulated_plan plan;
    free_plan(&plan, 12);
    for (int k = 0; k <= 12; k++) plan.motion.position[k * plan.motion.body_count + 3].y += 0.75; // the point's
    crm_plan_findings found = certify(&plan);
    CHECK_NEAR(found.worst[CRM_LAW_POSITION].value, 0.75, 1e-12);
    CHECK_INT(found.worst[CRM_LAW_POSITION].a.index, 3);
    CHECK_INT(found.worst[CRM_LAW_POSITION].node, 0);
    ask(&plan, 0, 3); // nothing is asked, but that it is free
    CHECK_TEXT(certify(&plan).text, "");
    simulated_plan_end(&plan);
}

TEST(the_time_is_what_was_asked) {
    simulated_plan plan;
    free_plan(&plan, 12);
    plan.def.time = 1.3;
    CHECK_NEAR(certify(&plan).worst[CRM_LAW_TIME].value, 0.1, 1e-12);
    plan.def.time_free = true;
    plan.def.time_least = 1.0, plan.def.time_most = 2.0;
    CHECK_TEXT(certify(&plan).text, "");
    plan.def.time_most = 1.1;
    CHECK_NEAR(certify(&plan).worst[CRM_LAW_TIME].value, 0.1, 1e-12);
    simulated_plan_end(&plan);
}

// ---- limits

TEST(limits_and_rotations_are_told) {
    simulated_plan plan;
    free_plan(&plan, 12);
    double most = 0.0;
    for (int k = 0; k < 12; k++)
        for (int i = 0; i < 3; i++) most = fmax(most, plan.motion.control[k * plan.motion.control_number_count + i]);
    plan.control[0].force_limit = 0.5 * most;
    crm_plan_findings found = certify(&plan);
    CHECK_NEAR(found.certificate.limits, 1.0, 1e-12);
    CHECK_CONTAINS(found.text, "control 0 is beyond its limit in interval ");
    plan.control[0].force_limit = INFINITY;
    plan.control[4].force_limit = 0.0; // a thruster that is off
    CHECK(certify(&plan).certificate.limits > 0.1);
    simulated_plan_end(&plan);
    free_plan(&plan, 4);
    found = certify(&plan);
    CHECK_TEXT(found.text, "");
    CHECK(found.certificate.rotation > 0.3);
    simulated_plan_end(&plan);
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_body_def ball = world_body_def(1.0, crm_vec3(1.0, 1.0, 1.0));
    ball.spin.z = 0.95; // sin(rotation) of a step of 1 s
    ball.name = "wheel";
    world_add(model, &ball);
    simulated_plan_begin(&plan, model, 3, 3.0);
    simulated_plan_lay_out(&plan);
    simulated_plan_run(&plan, NULL);
    found = certify(&plan);
    CHECK_NEAR(found.certificate.rotation, asin(0.95), 1e-12);
    CHECK_CONTAINS(found.text, "body 'wheel' rotates by 1.25 rad in interval ");
    simulated_plan_end(&plan);
}

TEST(numbers_that_are_not_finite_are_refused) {
    simulated_plan plan;
    free_plan(&plan, 4);
    plan.motion.spin_momentum[3].y = NAN;
    crm_plan_findings found;
    carom_error error;
    CHECK_INT(crm_certify_plan(plan.model, &plan.def, &plan.motion, &plan.arena, &found, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "the plan has numbers that are not finite");
    simulated_plan_end(&plan);
}

TEST_MAIN(CASE(runs_of_free_bodies_are_plans_to_rounding), CASE(runs_of_jointed_bodies_are_plans_to_rounding),
          CASE(a_run_at_finer_steps_is_off_by_the_order_of_the_rows), CASE(a_changed_number_is_found_and_named),
          CASE(sentences_name_row_body_and_place), CASE(totals_see_what_comes_from_nowhere),
          CASE(what_is_asked_is_held_against_the_motion),
          CASE(velocities_that_are_asked_are_those_of_the_frames_origin),
          CASE(a_start_that_is_not_asked_for_is_the_models), CASE(the_time_is_what_was_asked),
          CASE(limits_and_rotations_are_told), CASE(numbers_that_are_not_finite_are_refused))
