// SPDX-License-Identifier: MIT
// The discrete Legendre transforms: momenta of two nodes must be those that a step of `variational` leads from and to.
#include "step/integrate/discrete.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/model_state.h"
#include "support/harness/check.h"
#include "support/harness/sample.h"
#include "support/model/random_tree.h"
#include "support/model/world.h"

enum { BODIES = 5 };

// Bodies of random inertia with springs between them, in gravity.
static carom_state *springs(uint64_t seed, double step) {
    sampler s = {.seed = seed};
    carom_model *model = world_model((carom_vec3){0.1, -0.2, -9.81}, 0.0);
    for (int i = 0; i < BODIES; i++) {
        carom_body_def def = world_body_def(1.0 + 0.3 * i, (carom_vec3){0.5, 0.6, 0.7 + 0.05 * i});
        def.position = sample_vec3(&s, 2.0);
        def.attitude = sample_attitude(&s);
        def.velocity = sample_vec3(&s, 1.0);
        def.spin = sample_vec3(&s, 2.0);
        world_add(model, &def);
    }
    for (int i = 1; i < BODIES; i++) {
        carom_spring_def spring = carom_spring_def_default();
        spring.a = (carom_body){i - 1};
        spring.b = (carom_body){i};
        spring.point_a = sample_vec3(&s, 0.3);
        spring.point_b = sample_vec3(&s, 0.3);
        spring.stiffness = 20.0;
        CHECK_INT(carom_model_add_spring(model, &spring, NULL), CAROM_OK);
    }
    return world_state(model, CAROM_METHOD_VARIATIONAL, step);
}

static double largest_difference(const crm_vec6 *p, const crm_motion *motions, int count) {
    double worst = 0.0;
    for (int b = 0; b < count; b++)
        worst = fmax(worst, crm_distance(p[b].linear, motions[b].p) + crm_distance(p[b].angular, motions[b].l));
    return worst;
}

TEST(the_transforms_give_the_momenta_of_both_nodes) {
    carom_state *state = springs(1, 0.01);
    crm_motion from[BODIES];
    crm_vec6 minus[BODIES], plus[BODIES];
    for (int i = 0; i < 20; i++) {
        memcpy(from, state->motions, sizeof from);
        world_run(state, 1);
        const crm_interval interval = {from, state->motions, 0.01};
        crm_discrete_legendre(state->model, &interval, minus, plus);
        CHECK(largest_difference(minus, from, BODIES) < 1e-11);
        CHECK(largest_difference(plus, state->motions, BODIES) < 1e-11);
    }
    world_destroy(state);
}

// Both energies are that of the motion up to O(h^2), and differ by it.
TEST(both_energies_agree_to_second_order) {
    double off[2];
    for (int k = 0; k < 2; k++) {
        double h = k == 0 ? 0.01 : 0.005;
        carom_state *state = springs(2, h);
        crm_motion from[BODIES];
        memcpy(from, state->motions, sizeof from);
        double before = crm_discrete_hamiltonian(state->model, state->motions, state->configs);
        world_run(state, 1);
        const crm_interval interval = {from, state->motions, h};
        off[k] = fabs(crm_discrete_energy(state->model, &interval, state->configs, state->configs) - before);
        world_destroy(state);
    }
    CHECK(off[0] > 0.0);
    CHECK_NEAR(log2(off[0] / off[1]), 2.0, 0.2);
}

// Torque-free and without forces H_d is exact, and E_d of an interval that does not rotate equals it.
TEST(the_energy_of_an_interval_of_a_flying_body_is_its_kinetic_energy) {
    carom_model *model = world_model((carom_vec3){0.0, 0.0, 0.0}, 0.0);
    carom_body_def def = world_body_def(2.0, (carom_vec3){1.0, 2.0, 2.5});
    def.velocity = (carom_vec3){3.0, -1.0, 2.0};
    world_add(model, &def);
    carom_state *state = world_state(model, CAROM_METHOD_VARIATIONAL, 0.01);
    crm_motion from = state->motions[0];
    world_run(state, 1);
    const crm_interval interval = {&from, state->motions, 0.01};
    CHECK_NEAR(crm_discrete_energy(state->model, &interval, NULL, NULL), 14.0, 1e-12);
    CHECK_NEAR(crm_discrete_hamiltonian(state->model, state->motions, NULL), 14.0, 1e-13);
    world_destroy(state);
}

typedef struct tree_case {
    carom_state *state;
    crm_arena arena;
    crm_null_space space;
} tree_case;

static tree_case tree_of(uint64_t seed) {
    sampler s = {.seed = seed};
    const random_tree_def def = {.links = 7, .floating = true};
    tree_case t = {.state = world_state(random_tree(&s, &def), CAROM_METHOD_VARIATIONAL, 0.002)};
    crm_arena_init(&t.arena, &t.state->model->allocator);
    CHECK_INT(crm_null_space_create(t.state->model, &t.arena, &t.space, NULL), CAROM_OK);
    return t;
}

static void end_tree(tree_case *t) {
    crm_arena_free(&t->arena);
    world_destroy(t->state);
}

// p-_k agrees with p_k in what the joints leave free, and p_{k+1} is the projection of p+_{k+1}.
TEST(with_joints_the_reduced_momenta_agree_and_the_projected_ones_are_kept) {
    for (uint64_t seed = 0; seed < 5; seed++) {
        tree_case t = tree_of(seed);
        const carom_model *model = t.state->model;
        int bodies = model->bodies.count, free_count = model->graph.free_count;
        crm_motion *from = malloc((size_t)bodies * sizeof *from);
        crm_vec6 *minus = malloc((size_t)bodies * sizeof *minus), *plus = malloc((size_t)bodies * sizeof *plus);
        crm_vec6 *p = malloc((size_t)bodies * sizeof *p);
        double *reduced = malloc((size_t)free_count * sizeof *reduced),
               *wanted = malloc((size_t)free_count * sizeof *wanted);
        world_run(t.state, 3);
        memcpy(from, t.state->motions, (size_t)bodies * sizeof *from);
        carom_step_report report = world_run(t.state, 1);
        if (report.substeps == 1) {
            const crm_interval interval = {from, t.state->motions, 0.002};
            crm_discrete_legendre(model, &interval, minus, plus);
            for (int b = 0; b < bodies; b++) p[b] = crm_vec6_of(from[b].p, from[b].l);
            CHECK(crm_null_space_at(&t.space, from));
            crm_null_space_reduce(&t.space, minus, reduced);
            crm_null_space_reduce(&t.space, p, wanted);
            for (int k = 0; k < free_count; k++) CHECK_NEAR(reduced[k], wanted[k], 1e-9);
            CHECK(crm_null_space_at(&t.space, t.state->motions));
            crm_null_space_project(&t.space, t.state->motions, plus, plus);
            CHECK(largest_difference(plus, t.state->motions, bodies) < 1e-9);
        }
        free(from), free(minus), free(plus), free(p), free(reduced), free(wanted);
        end_tree(&t);
    }
}

// Q is a projection, and what it takes away are impulses of the joints: with them the reduced momenta stay.
TEST(projecting_twice_is_projecting_once_and_leaves_the_reduced_momenta) {
    tree_case t = tree_of(11);
    const carom_model *model = t.state->model;
    sampler s = {.seed = 12};
    int bodies = model->bodies.count, free_count = model->graph.free_count;
    crm_vec6 *p = malloc((size_t)bodies * sizeof *p), *once = malloc((size_t)bodies * sizeof *once);
    crm_vec6 *twice = malloc((size_t)bodies * sizeof *twice),
             *joint_impulse = malloc((size_t)model->joints.count * sizeof *joint_impulse);
    double *before = malloc((size_t)free_count * sizeof *before), *after = malloc((size_t)free_count * sizeof *after);
    for (int b = 0; b < bodies; b++) p[b] = crm_vec6_of(sample_vec3(&s, 1.0), sample_vec3(&s, 1.0));
    CHECK(crm_null_space_at(&t.space, t.state->motions));
    crm_null_space_project(&t.space, t.state->motions, p, once);
    crm_null_space_project(&t.space, t.state->motions, once, twice);
    crm_null_space_reduce(&t.space, p, before);
    crm_null_space_reduce(&t.space, once, after);
    double scale = 0.0, off = 0.0;
    for (int b = 0; b < bodies; b++) {
        scale = fmax(scale, crm_length(once[b].linear));
        off =
            fmax(off, crm_distance(once[b].linear, twice[b].linear) + crm_distance(once[b].angular, twice[b].angular));
    }
    CHECK(off < 1e-10 * scale);
    for (int k = 0; k < free_count; k++) CHECK_NEAR(after[k], before[k], 1e-10 * scale);
    // Newton's third law: what the joints add up to over a floating tree is nothing.
    crm_null_space_multipliers(&t.space, p, once, joint_impulse);
    crm_vec6 change = crm_vec6_zero();
    for (int b = 0; b < bodies; b++) change = crm_vec6_add(change, crm_vec6_sub(once[b], p[b]));
    CHECK(crm_length(change.linear) < 1e-10 * scale);
    double largest = 0.0;
    for (int j = 0; j < model->joints.count; j++) largest = fmax(largest, crm_length(joint_impulse[j].linear));
    CHECK(largest > 0.0);
    // Joints give nothing to their free motions, not even where the momenta are not what they leave.
    for (int b = 0; b < bodies; b++) once[b] = crm_vec6_scale(1.5, once[b]);
    crm_null_space_multipliers(&t.space, p, once, joint_impulse);
    for (int i = 0; i < model->graph.link_count; i++) {
        const crm_tree_link *link = &model->graph.link[i];
        for (int k = 0; k < link->free && link->joint >= 0; k++) {
            crm_vec6 motion = crm_motion_shift(t.space.system.left[link->first + k], t.space.start[i].child_arm);
            CHECK_NEAR(crm_vec6_dot(motion, joint_impulse[link->joint]), 0.0, 1e-10 * scale);
        }
    }
    free(p), free(once), free(twice), free(joint_impulse), free(before), free(after);
    end_tree(&t);
}

TEST_MAIN(CASE(the_transforms_give_the_momenta_of_both_nodes), CASE(both_energies_agree_to_second_order),
          CASE(the_energy_of_an_interval_of_a_flying_body_is_its_kinetic_energy),
          CASE(with_joints_the_reduced_momenta_agree_and_the_projected_ones_are_kept),
          CASE(projecting_twice_is_projecting_once_and_leaves_the_reduced_momenta))
