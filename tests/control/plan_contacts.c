// SPDX-License-Identifier: MIT
// Certificates of plans with contacts: motions whose impulses are known in closed form, and what is wrong with others.
#include <math.h>

#include "control/certificate/certify_plan.h"
#include "math/quat.h"
#include "support/control/simulated_plan.h"
#include "support/harness/check.h"
#include "support/model/world.h"

enum { HIT = 2 };

static carom_body add_shaped(carom_model *model, const char *name, const carom_shape_def *shape, carom_body_def def) {
    carom_error error = {.text = ""};
    if (carom_model_add_shape(model, NULL, shape, &def.shape, &error) != CAROM_OK) fail_msg("%s", error.text);
    def.name = name;
    return world_add(model, &def);
}

static crm_plan_findings certify(simulated_plan *plan) {
    crm_plan_findings found;
    carom_error error = {.text = ""};
    if (crm_certify_plan(plan->model, &plan->def, &plan->motion, &plan->arena, &found, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return found;
}

// ---- a cube of side 1 and mass 1 that lands flat on a floor at node 2, sliding, and goes up again

static const double restitution = 0.5, speed = 1.0, slide = 0.4;

// `drag`: share of the normal impulse, which lets the cube spin.
static void land(simulated_plan *plan, int node, double drag) {
    if (node != HIT) return;
    carom_vec3 centre = plan->motion.position[node * plan->motion.body_count + 1];
    for (int i = 0; i < 4; i++) {
        double normal = 0.25 * (1.0 + restitution) * speed;
        carom_vec3 corner = crm_vec3(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, -0.5);
        simulated_plan_push(plan, (crm_plan_impulse){.node = node,
                                                     .a = {1},
                                                     .b = {0},
                                                     .point = crm_add(centre, corner),
                                                     .impulse = crm_vec3(-drag * normal, 0.0, normal),
                                                     .joint = -1,
                                                     .contact = 0});
    }
}

static void land_smoothly(simulated_plan *plan, const carom_state *state, int node) {
    (void)state;
    land(plan, node, 0.0);
}

static void land_with_friction(simulated_plan *plan, const carom_state *state, int node) {
    (void)state;
    land(plan, node, 0.3);
}

// All is as restitution asks at two corners that push; the other two touch as well, and go on into the floor.
static void land_on_an_edge(simulated_plan *plan, const carom_state *state, int node) {
    (void)state;
    carom_vec3 centre = plan->motion.position[node * plan->motion.body_count + 1];
    for (int i = 0; node == HIT && i < 2; i++)
        simulated_plan_push(plan, (crm_plan_impulse){.node = node,
                                                     .a = {1},
                                                     .b = {0},
                                                     .point = crm_add(centre, crm_vec3(i - 0.5, 0.5, -0.5)),
                                                     .impulse = crm_vec3(0.0, 0.0, 0.3), // (1 + e) v/(1/m + 1/4J)/2
                                                     .joint = -1,
                                                     .contact = 0});
}

static void landing(simulated_plan *plan, simulated_impulses *impulses) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_shape_def floor = carom_shape_def_default(CAROM_SHAPE_HALF_SPACE);
    carom_shape_def cube = carom_shape_def_default(CAROM_SHAPE_BOX);
    floor.half_space = (carom_half_space){{0.0, 0.0, 1.0}, 0.0};
    cube.box.size = crm_vec3(1.0, 1.0, 1.0);
    carom_body_def def = world_body_def(1.0, crm_vec3(1.0 / 6.0, 1.0 / 6.0, 1.0 / 6.0));
    def.kind = CAROM_BODY_FIXED;
    carom_body ground = add_shaped(model, "floor", &floor, def);
    def.kind = CAROM_BODY_FREE;
    def.position = crm_vec3(0.0, 0.0, 1.0); // half a second above it
    def.velocity = crm_vec3(slide, 0.0, -speed);
    carom_body body = add_shaped(model, "cube", &cube, def);
    simulated_plan_begin(plan, model, 6, 1.5);
    carom_plan_contact *contact = simulated_plan_contact(plan, HIT, ground, body);
    contact->restitution = restitution;
    contact->friction = 0.35;
    contact->least_impulse = 0.1;
    plan->def.avoid.on = true;
    plan->def.avoid.margin = 0.1;
    simulated_plan_lay_out(plan);
    simulated_plan_run(plan, impulses);
}

TEST(a_landing_that_is_right_is_certified) {
    simulated_plan plan;
    landing(&plan, land_smoothly);
    crm_plan_findings found = certify(&plan);
    CHECK_TEXT(found.text, "");
    CHECK(found.certificate.kept);
    CHECK(found.certificate.complementarity < 1e-15 && found.certificate.cone == 0.0);
    CHECK(found.certificate.violation < 1e-14 && found.certificate.consistency < 1e-15);
    CHECK(found.certificate.replay < 1e-14);
    CHECK_NEAR(found.certificate.gap_at_nodes, 0.125, 1e-12); // node 3, on the way up
    CHECK_NEAR(found.certificate.gap_between, 0.125, 1e-9);   // interval 3: those beside the contact are excepted
    CHECK(found.certificate.touch_overlap < 1e-9 && isinf(found.at_node[HIT].gap));
    simulated_plan_end(&plan);
}

TEST(a_landing_with_another_restitution_is_not_what_was_asked) {
    simulated_plan plan;
    landing(&plan, land_smoothly);
    plan.contact[0].restitution = 0.6;
    crm_plan_findings found = certify(&plan);
    // lambda psi, in units of 1 kg, the cube's diagonal over 1.5 s
    double unit = sqrt(3.0) / 1.5;
    CHECK_NEAR(found.certificate.complementarity, 1.5 * 0.1 * speed / (unit * unit), 1e-12); // of all four corners
    CHECK_CONTAINS(found.text, "the contact of body 'floor' and body 'cube' at node 2 has products");
    simulated_plan_end(&plan);
}

TEST(impulses_act_where_the_bodies_touch_and_within_the_cone) {
    simulated_plan plan;
    landing(&plan, land_smoothly);
    for (int i = 0; i < 4; i++) plan.motion.impulse[i].point.z += 0.01;
    crm_plan_findings found = certify(&plan);
    CHECK(found.certificate.complementarity > 1e-3);
    for (int i = 0; i < 4; i++) plan.motion.impulse[i].point.z -= 0.01;
    // A corner that pulls and one that pushes more: the same sum.
    plan.motion.impulse[0].impulse.z -= 0.5;
    plan.motion.impulse[1].impulse.z += 0.5;
    CHECK(certify(&plan).certificate.cone > 0.05);
    plan.motion.impulse[0].impulse.z += 0.5;
    plan.motion.impulse[1].impulse.z -= 0.5;
    plan.contact[0].least_impulse = 2.0;
    found = certify(&plan);
    CHECK_NEAR(found.worst[CRM_LAW_TOUCH].value, 0.5, 1e-12);
    CHECK_CONTAINS(found.text, "the contact that is asked of body 'floor' and body 'cube' at node 2 is off by 0.5");
    simulated_plan_end(&plan);
    landing(&plan, land_with_friction);
    CHECK_NEAR(certify(&plan).certificate.cone, 0.0, 0.0);
    CHECK(certify(&plan).certificate.replay < 1e-14);
    plan.contact[0].friction = 0.29;
    CHECK_NEAR(certify(&plan).certificate.cone, 0.01, 1e-12);
    simulated_plan_end(&plan);
}

TEST(a_contact_at_a_node_where_bodies_are_apart_is_none) {
    simulated_plan plan;
    landing(&plan, land_smoothly);
    plan.contact[0].node = 3;
    plan.contact[0].least_impulse = 0.0;
    crm_plan_findings found = certify(&plan);
    CHECK_NEAR(found.worst[CRM_LAW_TOUCH].value, 0.125, 1e-12);
    CHECK_INT(found.worst[CRM_LAW_TOUCH].node, 3);
    CHECK(found.certificate.gap_at_nodes < 1e-12); // node 2 is excepted no more
    simulated_plan_end(&plan);
}

TEST(corners_that_touch_without_an_impulse_may_not_go_on) {
    simulated_plan plan;
    landing(&plan, land_on_an_edge);
    crm_plan_findings found = certify(&plan);
    double unit = sqrt(3.0) / 1.5;
    CHECK_NEAR(found.certificate.complementarity, 0.6 * 1.8 / (unit * unit), 1e-12);
    simulated_plan_end(&plan);
}

// ---- two balls that move

static const double heavy = 3.0;

static void collide(simulated_plan *plan, const carom_state *state, int node) {
    (void)state;
    if (node != HIT) return;
    const crm_plan_motion *m = &plan->motion;
    carom_vec3 from = m->position[node * m->body_count], to = m->position[node * m->body_count + 1];
    double lambda = (1.0 + restitution) * speed * heavy / (1.0 + heavy); // (1 + e) v over 1/m_1 + 1/m_2
    simulated_plan_push(plan, (crm_plan_impulse){.node = node,
                                                 .a = {0},
                                                 .b = {1},
                                                 .point = crm_scale(0.5, crm_add(from, to)),
                                                 .impulse = crm_vec3(-lambda, 0.0, 0.0),
                                                 .joint = -1,
                                                 .contact = 0});
}

TEST(two_balls_that_collide_are_certified) {
    simulated_plan plan;
    carom_model *model = world_model(crm_vec3(0.0, -0.3, 0.0), 0.0);
    carom_shape_def ball = carom_shape_def_default(CAROM_SHAPE_SPHERE);
    ball.sphere.radius = 0.25;
    carom_body_def def = world_body_def(1.0, crm_vec3(0.025, 0.025, 0.025));
    def.velocity = crm_vec3(speed, 0.2, 0.0);
    def.spin = crm_vec3(0.2, 0.4, 0.0);
    carom_body a = add_shaped(model, "light", &ball, def);
    def = world_body_def(heavy, crm_vec3(0.1, 0.1, 0.1));
    def.position = crm_vec3(1.0, 0.1, 0.0);
    def.velocity = crm_vec3(0.0, 0.0, 0.0);
    carom_body b = add_shaped(model, "heavy", &ball, def);
    simulated_plan_begin(&plan, model, 5, 1.25);
    simulated_plan_contact(&plan, HIT, a, b)->restitution = restitution;
    simulated_plan_lay_out(&plan);
    simulated_plan_run(&plan, collide);
    crm_plan_findings found = certify(&plan);
    CHECK_TEXT(found.text, "");
    CHECK(found.certificate.complementarity < 1e-14 && found.certificate.consistency < 1e-15);
    CHECK(found.certificate.replay < 1e-14 && found.certificate.cone < 1e-14);
    plan.motion.impulse[0].impulse.x *= 1.001;
    found = certify(&plan);
    CHECK(!found.certificate.kept && found.worst[CRM_LAW_BALANCE].node == HIT);
    CHECK(found.certificate.consistency < 1e-15); // inside of the two
    simulated_plan_end(&plan);
}

TEST_MAIN(CASE(a_landing_that_is_right_is_certified), CASE(a_landing_with_another_restitution_is_not_what_was_asked),
          CASE(impulses_act_where_the_bodies_touch_and_within_the_cone),
          CASE(corners_that_touch_without_an_impulse_may_not_go_on),
          CASE(a_contact_at_a_node_where_bodies_are_apart_is_none), CASE(two_balls_that_collide_are_certified))
