// SPDX-License-Identifier: MIT
// Accelerations and joint forces of the articulated-body algorithm, against the linear system of all bodies and joints.
#include <math.h>
#include <string.h>

#include "model/force/evaluate.h"
#include "step/multiplier/multiplier.h"
#include "step/reduced/reduced.h"
#include "support/harness/check.h"
#include "support/model/joints.h"
#include "support/model/random_tree.h"

// Both methods at the same state, after the rows of limits and motors were chosen.
typedef struct couple {
    carom_state *of_multiplier, *of_reduced;
    crm_multiplier *multiplier;
    crm_reduced *reduced;
    carom_step_report report[2];
} couple;

static void start(couple *c, carom_model *model) {
    carom_method_def def = joints_method(CAROM_INTEGRATOR_DP54, 0.01, 1e-10);
    c->of_multiplier = joints_state(model, &def);
    def.method = CAROM_METHOD_REDUCED;
    c->of_reduced = joints_state(model, &def);
    crm_multiplier *m = c->multiplier = c->of_multiplier->method_data;
    crm_reduced *r = c->reduced = c->of_reduced->method_data;
    m->input = NULL;
    m->report = &c->report[0];
    memcpy(m->motions, c->of_multiplier->motions, (size_t)model->bodies.count * sizeof *m->motions);
    memcpy(m->configs, c->of_multiplier->configs, (size_t)model->joints.count * sizeof *m->configs);
    crm_bounds_begin(&m->bounds, NULL, m->report);
    crm_link_problem_pack(&m->links, m->motions, m->y);
    crm_reduced_begin(r, NULL, &c->report[1]);
    if (m->bounds.count > 0) {
        CHECK_INT(crm_bounds_event(&m->bounds, 0.0, m->y), CRM_ANSWER_GOOD);
        CHECK_INT(crm_bounds_event(&r->bounds, 0.0, r->y), CRM_ANSWER_GOOD);
    } else {
        CHECK_INT(crm_multiplier_forces(m, 0.0), CRM_ANSWER_GOOD);
        crm_multiplier_accelerate(m);
        crm_reduced_unpack(r, r->y);
        CHECK_INT(crm_reduced_forces(r, 0.0), CRM_ANSWER_GOOD);
        CHECK_INT(crm_reduced_accelerate(r), CRM_ANSWER_GOOD);
    }
}

static double difference(crm_vec6 a, crm_vec6 b) {
    return fmax(crm_length(crm_sub(a.linear, b.linear)), crm_length(crm_sub(a.angular, b.angular)));
}

static double size_of(crm_vec6 a) {
    return fmax(crm_length(a.linear), crm_length(a.angular));
}

// Largest differences relative to the largest values, or to 1 where these are smaller: of accelerations, of momenta, of
// joint forces that the bodies admit.
static void compare(couple *c, double *worst_acceleration, double *worst_reaction) {
    const carom_model *model = c->of_reduced->model;
    double error[3] = {0.0}, size[3] = {1.0, 1.0, 1.0};
    for (int i = 0; i < model->graph.link_count; i++) {
        const crm_articulated_link *link = &c->reduced->tree.link[i];
        int b = link->tree->body;
        carom_body_kind kind = link->body->kind;
        crm_vec6 wanted = c->multiplier->twist[b];
        crm_vec6 got = crm_articulated_at_centre(link, link->acceleration);
        error[0] = fmax(error[0], difference(crm_wrench_projected(kind, got), wanted));
        size[0] = fmax(size[0], size_of(wanted));
        const crm_motion *m = &c->multiplier->motions[b], *r = &c->reduced->motions[b];
        error[1] = fmax(error[1], difference(crm_vec6_of(m->p, m->l), crm_vec6_of(r->p, r->l)));
        size[1] = fmax(size[1], size_of(crm_vec6_of(m->p, m->l)));
        if (link->joint == NULL) continue;
        crm_vec6 reaction = crm_joint_system_reaction(&c->multiplier->system, link->tree->joint, c->multiplier->lambda);
        crm_vec6 own = crm_articulated_reaction(link);
        if (kind != CAROM_BODY_FREE)
            reaction = crm_wrench_projected(kind, reaction), own = crm_wrench_projected(kind, own);
        error[2] = fmax(error[2], difference(own, reaction));
        size[2] = fmax(size[2], size_of(reaction));
    }
    *worst_acceleration = fmax(*worst_acceleration, fmax(error[0] / size[0], error[1] / size[1]));
    *worst_reaction = fmax(*worst_reaction, error[2] / size[2]);
}

// How many rows were held in all.
static int agree(const random_tree_def *def, uint64_t seed, int trials, double tolerance) {
    sampler s = {.seed = seed};
    double acceleration = 0.0, reaction = 0.0;
    int held = 0;
    for (int i = 0; i < trials; i++) {
        random_tree_def one = *def;
        one.links = 1 + i % def->links;
        couple c;
        start(&c, random_tree(&s, &one));
        compare(&c, &acceleration, &reaction);
        for (int k = 0; k < c.reduced->bounds.count; k++) held += c.reduced->limit_motor[k].on;
        carom_state_destroy(c.of_multiplier);
        world_destroy(c.of_reduced);
    }
    CHECK_NEAR(acceleration, 0.0, tolerance);
    CHECK_NEAR(reaction, 0.0, tolerance);
    return held;
}

TEST(random_trees_accelerate_as_the_linear_system_says) {
    agree(&(random_tree_def){.links = 30}, 71, 60, 1e-11);
    agree(&(random_tree_def){.links = 30, .floating = true}, 72, 60, 1e-11);
}

TEST(planar_bodies_and_points_in_trees_accelerate_as_the_linear_system_says) {
    agree(&(random_tree_def){.links = 30, .all_kinds = true}, 73, 90, 1e-11);
}

TEST(springs_dampers_and_motors_act_in_trees_as_in_the_linear_system) {
    agree(&(random_tree_def){.links = 30, .all_kinds = true, .driven = true}, 74, 90, 1e-11);
}

// Each choice of held rows is the solution of a complementarity problem, which has only one.
TEST(limits_and_velocity_motors_are_held_as_in_the_linear_system) {
    CHECK(agree(&(random_tree_def){.links = 12, .bounded = true}, 75, 60, 1e-10) > 50);
}

TEST_MAIN(CASE(random_trees_accelerate_as_the_linear_system_says),
          CASE(planar_bodies_and_points_in_trees_accelerate_as_the_linear_system_says),
          CASE(springs_dampers_and_motors_act_in_trees_as_in_the_linear_system),
          CASE(limits_and_velocity_motors_are_held_as_in_the_linear_system))
