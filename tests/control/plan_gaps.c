// SPDX-License-Identifier: MIT
// Gaps of plans at nodes and between them, against dense sampling and against a reference that watches the motion.
#include <math.h>
#include <stdio.h>

#include "control/certificate/certify_plan.h"
#include "math/quat.h"
#include "reference/motion/motion_watch.h"
#include "support/control/simulated_plan.h"
#include "support/harness/check.h"
#include "support/harness/sample.h"
#include "support/model/world.h"

static carom_model_shape add_shape(carom_model *model, const carom_shape_def *def) {
    carom_model_shape shape = {-1};
    carom_error error = {.text = ""};
    if (carom_model_add_shape(model, NULL, def, &shape, &error) != CAROM_OK) fail_msg("%s", error.text);
    return shape;
}

static carom_shape_def box(double x, double y, double z) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_BOX);
    def.box.size = crm_vec3(x, y, z);
    return def;
}

static carom_body add_shaped(carom_model *model, const char *name, const carom_shape_def *shape, carom_vec3 position,
                             carom_body_kind kind) {
    carom_body_def def = world_body_def(1.0, crm_vec3(0.4, 0.4, 0.4));
    def.name = name;
    def.kind = kind;
    def.shape = add_shape(model, shape);
    def.position = position;
    return world_add(model, &def);
}

static crm_plan_findings certify(simulated_plan *plan) {
    crm_plan_findings found;
    carom_error error = {.text = ""};
    if (crm_certify_plan(plan->model, &plan->def, &plan->motion, &plan->arena, &found, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return found;
}

static void run(simulated_plan *plan, carom_model *model, int intervals, double time, double margin) {
    simulated_plan_begin(plan, model, intervals, time);
    plan->def.avoid.on = true;
    plan->def.avoid.margin = margin;
    simulated_plan_lay_out(plan);
    simulated_plan_run(plan, NULL);
}

// ---- made by hand

TEST(a_bar_that_is_clear_of_a_peg_at_all_nodes_is_seen_to_hit_it_between) {
    simulated_plan plan;
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_shape_def bar = box(4.0, 0.2, 0.2), peg = carom_shape_def_default(CAROM_SHAPE_CAPSULE);
    peg.capsule.radius = 0.1, peg.capsule.length = 2.0;
    carom_body_def def = world_body_def(1.0, crm_vec3(1.0, 1.0, 1.0));
    def.name = "bar";
    def.shape = add_shape(model, &bar);
    def.attitude = crm_quat_from_axis_angle(crm_vec3(0.0, 0.0, 1.0), -0.4);
    def.spin.z = sin(0.8); // a step of 1 s rotates by 0.8 rad
    world_add(model, &def);
    add_shaped(model, "peg", &peg, crm_vec3(1.5, 0.0, 0.0), CAROM_BODY_FIXED);
    run(&plan, model, 2, 2.0, 0.05);
    crm_plan_findings found = certify(&plan);
    CHECK(found.certificate.gap_at_nodes > 0.3);
    CHECK_NEAR(found.certificate.gap_between, -0.2, 1e-9);
    CHECK_NEAR(found.in_interval[0].gap, -0.2, 1e-9);
    CHECK_NEAR(found.in_interval[0].time, 0.5, 1e-3);
    CHECK(found.in_interval[1].gap > 0.3);
    CHECK_CONTAINS(found.text, "body 'bar' and body 'peg' come within -0.2 m at interval 0; the margin is 0.05 m");
    CHECK(!found.certificate.kept);
    motion_watch watch = watch_motion(plan.model, &plan.def, &plan.motion, 200, 1.0);
    CHECK_NEAR(watch.gap, -0.2, 1e-6);
    simulated_plan_end(&plan);
}

// Two cubes that touch at the start, by the poses that the scene gives.
static void part(simulated_plan *plan, double speed, double margin) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_shape_def cube = box(1.0, 1.0, 1.0);
    add_shaped(model, "left", &cube, crm_vec3(0.0, 0.0, 0.0), CAROM_BODY_FIXED);
    carom_body_def def = world_body_def(1.0, crm_vec3(0.2, 0.2, 0.2));
    def.name = "right";
    def.shape = add_shape(model, &cube);
    def.position = crm_vec3(1.0, 0.0, 0.0);
    def.velocity = crm_vec3(speed, 0.3, 0.0);
    world_add(model, &def);
    run(plan, model, 4, 1.0, margin);
}

TEST(bodies_that_touch_where_they_start_are_excepted_there) {
    simulated_plan plan;
    part(&plan, 0.2, 0.04);
    crm_plan_findings found = certify(&plan);
    CHECK_TEXT(found.text, "");
    CHECK_NEAR(found.certificate.gap_at_nodes, 0.05, 1e-12); // of node 1
    CHECK_NEAR(found.certificate.gap_between, 0.05, 1e-9);   // of interval 1
    CHECK(isinf(found.at_node[0].gap) && isinf(found.in_interval[0].gap));
    CHECK(found.touch.gap > -1e-9);
    simulated_plan_end(&plan);
    part(&plan, 0.2, 0.06); // node 1 is no start any more
    CHECK_CONTAINS(certify(&plan).text,
                   "body 'left' and body 'right' come within 0.05 m at node 1; the margin is 0.06 m");
    simulated_plan_end(&plan);
    part(&plan, -0.001, 0.01); // into each other
    found = certify(&plan);
    CHECK(found.touch.gap < -1e-4 && !found.certificate.kept);
    simulated_plan_end(&plan);
    // Where the start is free the touch is an accident.
    part(&plan, 0.2, 0.04);
    carom_plan_condition *c = simulated_plan_condition(&plan, 0, (carom_body){1});
    c->has_velocity = true;
    c->velocity = crm_vec3(0.2, 0.3, 0.0);
    CHECK_CONTAINS(certify(&plan).text, "at node 0");
    simulated_plan_end(&plan);
}

TEST(only_pairs_that_are_avoided_count) {
    simulated_plan plan;
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_shape_def cube = box(1.0, 1.0, 1.0);
    for (int i = 0; i < 3; i++)
        add_shaped(model, NULL, &cube, crm_vec3(0.5 * i + (i == 2 ? 3.0 : 0.0), 0.0, 0.0), CAROM_BODY_FREE);
    run(&plan, model, 2, 1.0, 0.1);
    CHECK(certify(&plan).touch.gap < -0.4); // the first two overlap, from the start
    plan.def.avoid.pair_count = 1;
    plan.pair[0] = (carom_plan_pair){{1}, {2}};
    crm_plan_findings found = certify(&plan);
    CHECK_TEXT(found.text, "");
    CHECK_NEAR(found.certificate.gap_between, 2.5, 1e-9);
    plan.def.avoid.on = false;
    CHECK(isinf(certify(&plan).certificate.gap_between));
    simulated_plan_end(&plan);
}

// ---- random flights

static carom_shape_def random_shape(sampler *s, int kind, carom_shape_def part[2], carom_compound_part item[2]) {
    double x = sample_between(s, 0.2, 0.6), y = sample_between(s, 0.2, 0.6), z = sample_between(s, 0.2, 0.6);
    carom_shape_def def = box(x, y, z);
    if (kind == 1) {
        def = carom_shape_def_default(CAROM_SHAPE_SPHERE);
        def.sphere.radius = 0.5 * x;
    } else if (kind == 2) {
        def = carom_shape_def_default(CAROM_SHAPE_CAPSULE);
        def.capsule.radius = 0.3 * x, def.capsule.length = y;
    } else if (kind == 3) {
        part[0] = def, part[1] = box(y, 2.0 * z, 0.5 * x);
        for (int i = 0; i < 2; i++)
            item[i] = (carom_compound_part){&part[i], {crm_scale(0.3 * i, sample_unit(s)), sample_attitude(s)}, 1.0};
        def = carom_shape_def_default(CAROM_SHAPE_COMPOUND);
        def.compound.part_count = 2, def.compound.parts = item;
    }
    return def;
}

static void fly(simulated_plan *plan, sampler *s, int bodies, int intervals) {
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -0.2), 0.0);
    for (int i = 0; i < bodies; i++) {
        carom_shape_def part[2];
        carom_compound_part item[2];
        carom_shape_def shape = random_shape(s, (int)sample_between(s, 0.0, 4.0), part, item);
        carom_body_def def = world_body_def(1.0, crm_vec3(0.3, 0.4, 0.5));
        def.centre = sample_vec3(s, 0.1);
        def.shape = add_shape(model, &shape);
        def.position = crm_scale(sample_between(s, 0.8, 1.4), sample_unit(s));
        def.attitude = sample_attitude(s);
        def.velocity = crm_madd(sample_vec3(s, 0.6), -0.5, def.position); // towards the middle
        def.spin = sample_vec3(s, 0.7);
        world_add(model, &def);
    }
    run(plan, model, intervals, 1.6, 0.0);
}

TEST(the_watch_sees_nothing_nearer_and_what_is_nearest) {
    sampler s = {.seed = 2510};
    int apart = 0, overlap = 0, only_between = 0;
    for (int i = 0; i < 100; i++) {
        simulated_plan plan;
        fly(&plan, &s, 2 + i % 3, 3);
        crm_plan_findings found = certify(&plan);
        double least = fmin(found.certificate.gap_between, found.touch.gap < 0.0 ? found.touch.gap : INFINITY);
        motion_watch watch = watch_motion(plan.model, &plan.def, &plan.motion, 200, 10.0);
        // Between two moments of a two hundredth of 0.53 s bodies get some mm nearer at most.
        bool right = CHECK(least <= watch.gap + 1e-9);
        right = CHECK(least >= watch.gap - 8e-3) && right;
        if (!right) printf("flight %d: proved %.9g, watched %.9g\n", i, least, watch.gap);
        apart += least > 0.0;
        overlap += least < 0.0;
        only_between += least < -1e-3 && found.certificate.gap_at_nodes > 0.0 && found.touch.gap >= 0.0;
        simulated_plan_end(&plan);
    }
    bool enough = CHECK(apart > 10 && overlap > 10 && only_between > 2);
    if (!enough) printf("%d apart, %d overlap, %d of them between nodes alone\n", apart, overlap, only_between);
}

TEST_MAIN(CASE(a_bar_that_is_clear_of_a_peg_at_all_nodes_is_seen_to_hit_it_between),
          CASE(bodies_that_touch_where_they_start_are_excepted_there), CASE(only_pairs_that_are_avoided_count),
          CASE(the_watch_sees_nothing_nearer_and_what_is_nearest))
