// SPDX-License-Identifier: MIT
// The method exact: closed forms of collisions, conservation, symmetry, order of collisions, what it refuses.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/quat.h"
#include "support/geometry/touching.h"
#include "support/harness/check.h"
#include "support/harness/refused_allocations.h"
#include "support/harness/sample.h"
#include "support/model/joints.h"
#include "support/scene/scene_run.h"

static const carom_vec3 down = {0.0, 0.0, -9.81}, origin = {0.0, 0.0, 0.0};

static carom_material smooth(carom_model *model) {
    return touching_material(model, 0.0, 1.0);
}

// ---- closed forms

// Free fall between collisions is exact in the scheme, so that nothing but rounding is allowed.
TEST(a_ball_bounces_as_the_parabolas_say) {
    carom_model *model = world_model(down, 0.0);
    touching_add(model, touching_floor(model), smooth(model), 0.0, origin);
    touching_add(model, touching_sphere(model, 0.1), smooth(model), 2.0, crm_vec3(0.0, 0.0, 0.9));
    carom_state *state = world_state(model, CAROM_METHOD_EXACT, 0.013);
    double fall = sqrt(2.0 * 0.8 / 9.81);
    for (int i = 1; i <= 300; i++) {
        world_run(state, 1);
        double since = fmod(0.013 * i + fall, 2.0 * fall) - fall; // from the top of the present arc
        if (!CHECK_NEAR(world_body(state, 1).position.z, 0.9 - 0.5 * 9.81 * since * since, 1e-11)) break;
        if (!CHECK_NEAR(world_energy(state), 2.0 * 9.81 * 0.9, 1e-10)) break;
    }
    world_destroy(state);
}

// A substep of length s of free fall has the discrete energy H - m g^2 s^2/8, so that a bounce after the share alpha of
// a step changes H by m g^2 h^2 (1 - 2 alpha)/8.
TEST(a_bounce_keeps_the_discrete_energy_on_request) {
    const double step = 0.013, mass = 2.0, g = 9.81, fall = sqrt(2.0 * 0.8 / g);
    carom_model *model = world_model(down, 0.0);
    touching_add(model, touching_floor(model), smooth(model), 0.0, origin);
    touching_add(model, touching_sphere(model, 0.1), smooth(model), mass, crm_vec3(0.0, 0.0, 0.9));
    carom_method_def method = carom_method_def_default();
    method.method = CAROM_METHOD_EXACT;
    method.step = step;
    method.exact.jump = CAROM_JUMP_DISCRETE;
    carom_state *state = touching_state(model, &method);
    double energy = world_energy(state), alpha = fall / step - floor(fall / step);
    world_run(state, (int)(fall / step));
    carom_step_report report = world_run(state, 1);
    CHECK_INT(report.contacts, 1);
    CHECK_NEAR(report.impact_energy, 0.0, 1e-10 * energy);
    world_run(state, 4);
    CHECK_NEAR(world_energy(state) - energy, mass * g * g * step * step * (1.0 - 2.0 * alpha) / 8.0, 1e-12);
    CHECK(fabs(world_energy(state) - energy) > 1e-5);
    world_destroy(state);
}

// Prisms that charges press together, in steps far too long: of many jumps no impulses match the discrete energy. Those
// jump in the Hamiltonian, and do not stay where the search for a match has left them: that added a tenth of the
// kinetic energy, 2.7e-4 J, in four steps.
TEST(jumps_that_no_impulses_match_keep_the_hamiltonian) {
    scene_run prisms = scene_run_begin("hexagonal-prisms", "exact", 0.1, "method.exact.jump=discrete");
    scene_run_go(&prisms, 4);
    CHECK(prisms.collisions >= 3);
    CHECK_NEAR(prisms.energy_change, 0.0, 0.04 * 2.7e-4);
    scene_run_end(&prisms);
}

// docs/math.md 7.1, j = -2 (n.u)/(n^T K n) n at the point of the contact table.
TEST(a_collision_of_tumbling_boxes_is_the_frictionless_elastic_impulse) {
    carom_model *model = world_model(origin, 0.0);
    carom_model_shape shape = touching_box(model, 0.4, 0.3, 0.2);
    carom_body_def a = touching_def(model, shape, smooth(model), 2.0, origin);
    carom_body_def b = touching_def(model, shape, smooth(model), 3.0, crm_vec3(0.6, 0.1, 0.05));
    a.spin = crm_vec3(0.3, -0.5, 0.8);
    b.attitude = (carom_quat){0.8, 0.3, 0.4, 0.33166247903554};
    b.velocity = crm_vec3(-2.0, 0.0, 0.1);
    world_add(model, &a);
    world_add(model, &b);
    carom_state *state = world_state(model, CAROM_METHOD_EXACT, 1e-3);
    carom_momentum before = carom_state_momentum(state);
    double energy = world_energy(state);
    int collisions = 0;
    for (int i = 0; i < 300; i++) {
        carom_body_state old[2] = {world_body(state, 0), world_body(state, 1)};
        world_run(state, 1);
        int count;
        const carom_contact_state *c = carom_state_contacts(state, &count);
        collisions += count;
        if (count != 1) continue;
        CHECK_NEAR(c->gap, 0.0, 1e-13);
        // Velocities of centres of mass jump by the impulse; spins change a little between collisions, too.
        carom_vec3 jump_a = crm_sub(world_body(state, 0).velocity, old[0].velocity);
        carom_vec3 jump_b = crm_sub(world_body(state, 1).velocity, old[1].velocity);
        CHECK_NEAR(crm_distance(jump_a, crm_scale(-c->normal_impulse / 2.0, c->normal)), 0.0, 1e-14);
        CHECK_NEAR(crm_distance(jump_b, crm_scale(c->normal_impulse / 3.0, c->normal)), 0.0, 1e-14);
    }
    CHECK(collisions >= 1);
    carom_momentum after = carom_state_momentum(state);
    CHECK_NEAR(crm_distance(before.linear, after.linear), 0.0, 1e-14);
    CHECK_NEAR(crm_distance(before.angular, after.angular), 0.0, 1e-14);
    CHECK_NEAR(world_energy(state), energy, 1e-13);
    world_destroy(state);
}

// Equal cubes exchange their velocities.
TEST(only_the_last_cube_leaves_a_cradle) {
    const double side = 0.2 * sqrt(2.0), gap = 0.1 * side;
    carom_model *model = world_model(origin, 0.0);
    carom_model_shape cube = touching_box(model, side, side, side);
    carom_body_def first = touching_def(model, cube, smooth(model), 6.0, crm_vec3(-1.5 * side, 0.0, 0.0));
    first.velocity.x = 0.105;
    world_add(model, &first);
    for (int i = 0; i < 4; i++) touching_add(model, cube, smooth(model), 6.0, crm_vec3(i * (side + gap), 0.0, 0.0));
    carom_state *state = world_state(model, CAROM_METHOD_EXACT, 0.01);
    double energy = world_energy(state);
    world_run(state, 600);
    for (int b = 0; b < 5; b++) {
        carom_body_state s = world_body(state, b);
        CHECK_NEAR(crm_distance(s.velocity, crm_vec3(b == 4 ? 0.105 : 0.0, 0.0, 0.0)), 0.0, 1e-12);
        CHECK_NEAR(crm_length(s.spin), 0.0, 1e-12);
    }
    // Each stops where the next one stood.
    for (int b = 0; b < 4; b++) CHECK_NEAR(world_body(state, b).position.x, b * (side + gap) - side, 1e-12);
    CHECK_NEAR(world_energy(state), energy, 1e-10 * energy);
    world_destroy(state);
}

// Two hit one from both sides at once, in one step and one time: what is symmetric stays so.
TEST(cubes_from_both_sides_leave_the_middle_one_at_rest) {
    carom_model *model = world_model(origin, 0.0);
    carom_model_shape cube = touching_box(model, 0.2, 0.2, 0.2);
    touching_add(model, cube, smooth(model), 3.0, origin);
    for (int side = -1; side <= 1; side += 2) {
        carom_body_def def = touching_def(model, cube, smooth(model), 1.0, crm_vec3(0.5 * side, 0.0, 0.0));
        def.velocity.x = -0.7 * side;
        world_add(model, &def);
    }
    carom_state *state = world_state(model, CAROM_METHOD_EXACT, 0.05);
    world_run(state, 20);
    CHECK_NEAR(crm_length(world_body(state, 0).velocity), 0.0, 1e-14);
    CHECK_NEAR(crm_length(world_body(state, 0).position), 0.0, 1e-14);
    CHECK_NEAR(world_body(state, 1).velocity.x, -0.7, 1e-14);
    CHECK_NEAR(world_body(state, 2).velocity.x, 0.7, 1e-14);
    CHECK_NEAR(world_body(state, 2).position.x + world_body(state, 1).position.x, 0.0, 1e-14);
    world_destroy(state);
}

// A bar on a hinge between two walls: its spin reverses at each, and the hinge bears what the walls do not.
TEST(a_bar_on_a_hinge_swings_between_walls) {
    carom_model *model = world_model(origin, 0.0);
    carom_body_def bar =
        touching_def(model, touching_box(model, 1.0, 0.1, 0.1), smooth(model), 2.0, crm_vec3(0.5, 0.0, 0.0));
    bar.spin.z = 1.0;
    bar.velocity.y = 0.5;
    carom_body body = world_add(model, &bar);
    for (int side = -1; side <= 1; side += 2) {
        carom_body_def wall =
            touching_def(model, touching_box(model, 0.2, 0.2, 0.2), smooth(model), 0.0, crm_vec3(0.8, 0.4 * side, 0.0));
        world_add(model, &wall);
    }
    carom_joint_def hinge = joints_def(model, CAROM_JOINT_HINGE, CAROM_WORLD, body, origin, crm_vec3(0.0, 0.0, 1.0));
    joints_add(model, &hinge);
    carom_state *state = world_state(model, CAROM_METHOD_EXACT, 0.01);
    int hits = 0;
    double sign = 1.0;
    for (int i = 0; i < 400; i++) {
        carom_step_report report = world_run(state, 1);
        if (!CHECK_INT(report.outcome, CAROM_STEP_GOOD)) break;
        if (report.contacts > 0) sign = -sign, hits++;
        if (!CHECK_NEAR(world_body(state, 0).spin.z, sign, 1e-12)) break;
        if (!CHECK_NEAR(report.impact_energy, 0.0, 1e-10 * report.energy.kinetic)) break;
    }
    CHECK(hits >= 4);
    world_destroy(state);
}

// ---- conservation

// Two boxes with nothing between them, where its centre is.
static carom_model_shape dumbbell(carom_model *model) {
    carom_shape_def box = carom_shape_def_default(CAROM_SHAPE_BOX), def = carom_shape_def_default(CAROM_SHAPE_COMPOUND);
    box.box.size = crm_vec3(0.1, 0.1, 0.1);
    carom_compound_part parts[2] = {carom_compound_part_default(), carom_compound_part_default()};
    for (int i = 0; i < 2; i++) {
        parts[i].shape = &box;
        parts[i].pose.position.x = 0.22 * i - 0.11;
    }
    def.compound = (carom_compound_def){.part_count = 2, .parts = parts};
    return touching_shape(model, &def);
}

static carom_state *flock(uint64_t seed, int count, double step, carom_energy_jump jump) {
    sampler s = {.seed = seed};
    carom_model *model = world_model(origin, 0.0);
    carom_model_shape shapes[4] = {touching_box(model, 0.3, 0.2, 0.25), touching_sphere(model, 0.12),
                                   touching_ellipsoid(model, 0.18, 0.1, 0.14), dumbbell(model)};
    for (int i = 0; i < count; i++) {
        carom_vec3 x = crm_vec3(0.4 * (i % 3 - 1), 0.4 * (i / 3 % 3 - 1), 0.4 * (i / 9));
        carom_body_def def = touching_def(model, shapes[i % 4], smooth(model), 1.0 + i % 2, x);
        def.attitude = sample_attitude(&s);
        def.velocity = crm_add(crm_scale(-1.0, x), sample_vec3(&s, 0.3)); // towards each other
        def.spin = sample_vec3(&s, 2.0);
        world_add(model, &def);
    }
    carom_method_def method = carom_method_def_default();
    method.method = CAROM_METHOD_EXACT;
    method.step = step;
    method.exact.jump = jump;
    return touching_state(model, &method);
}

TEST(a_flock_keeps_energy_and_momenta_through_many_collisions) {
    carom_state *state = flock(1, 18, 0.01, CAROM_JUMP_HAMILTONIAN);
    carom_momentum before = carom_state_momentum(state);
    double energy = world_energy(state), overlap = 0.0;
    int collisions = 0;
    for (int i = 0; i < 150; i++) {
        carom_step_report report = world_run(state, 1);
        collisions += report.contacts;
        overlap = fmax(overlap, report.infeasibility);
        if (!CHECK_NEAR(report.impact_energy, 0.0, 1e-10 * report.energy.kinetic)) break;
    }
    CHECK(collisions >= 20);
    CHECK(overlap < 1e-12);
    carom_momentum after = carom_state_momentum(state);
    CHECK_NEAR(crm_distance(before.linear, after.linear), 0.0, 1e-12);
    CHECK_NEAR(crm_distance(before.angular, after.angular), 0.0, 1e-12);
    CHECK_NEAR(world_energy(state), energy, 1e-12 * energy);
    world_destroy(state);
}

TEST(a_saved_state_goes_on_to_the_same_bits) {
    carom_state *state = flock(2, 9, 0.01, CAROM_JUMP_HAMILTONIAN), *other = flock(2, 9, 0.01, CAROM_JUMP_HAMILTONIAN);
    world_run(state, 40);
    size_t size = carom_state_size(state);
    void *bytes = malloc(size);
    carom_state_save(state, bytes);
    carom_error error = {.text = ""};
    carom_state *loaded = NULL;
    carom_method_def method = *carom_state_method(state);
    method.threads = 2;
    CHECK_INT(carom_state_create(carom_state_model(state), &method, &loaded, &error), CAROM_OK);
    CHECK_INT(carom_state_load(loaded, bytes, size, &error), CAROM_OK);
    CHECK_TEXT(error.text, "");
    carom_step_report report;
    for (int i = 0; i < 40; i++) carom_step(carom_state_model(state), loaded, NULL, &report, NULL);
    world_run(state, 40);
    world_run(other, 80);
    CHECK(carom_state_hash(state) == carom_state_hash(loaded));
    CHECK(carom_state_hash(state) == carom_state_hash(other));
    free(bytes);
    carom_state_destroy(loaded);
    world_destroy(state);
    world_destroy(other);
}

// ---- the order of collisions, and none missed

// In one step a ball runs a long way through a gate of two walls that are thinner than the way.
TEST(a_fast_ball_is_thrown_back_many_times_in_one_step) {
    carom_model *model = world_model(origin, 0.0);
    carom_model_shape wall = touching_box(model, 0.01, 1.0, 1.0);
    carom_body_def ball = touching_def(model, touching_sphere(model, 0.1), smooth(model), 1.0, origin);
    ball.velocity.x = 100.0;
    world_add(model, &ball);
    for (int side = -1; side <= 1; side += 2)
        touching_add(model, wall, smooth(model), 0.0, crm_vec3(side * 0.505, 0.0, 0.0));
    carom_state *state = world_state(model, CAROM_METHOD_EXACT, 0.098);
    carom_step_report report = world_run(state, 1);
    // The centre has 0.8 m to go between -0.4 and 0.4: 9.8 m are 0.4 + 11 x 0.8 + 0.6 m.
    CHECK_INT(report.contacts, 12);
    CHECK_NEAR(world_body(state, 0).position.x, 0.2, 1e-11);
    CHECK_NEAR(world_body(state, 0).velocity.x, 100.0, 1e-11);
    world_destroy(state);
}

// A ball meets a second one first, and with the velocity that it has then the wall not at all.
// A ball that is thrown up touches the ceiling in the middle of a step, at the ends of which it is as low as it was:
// the straight way between them does not touch.
TEST(a_graze_at_the_top_of_a_parabola_is_noticed) {
    const double g = 9.81, h = 0.1, v = 0.5 * g * h;
    for (int i = 1; i <= 9; i++) {
        double gap = 0.1 * i * v * v / (2.0 * g);
        carom_model *model = world_model(crm_vec3(0.0, 0.0, -g), 0.0);
        carom_material material = touching_material(model, 0.0, 1.0);
        carom_shape_def ceiling = carom_shape_def_default(CAROM_SHAPE_HALF_SPACE);
        ceiling.half_space.normal = crm_vec3(0.0, 0.0, -1.0);
        touching_add(model, touching_shape(model, &ceiling), material, 0.0, crm_vec3_zero());
        carom_body_def ball =
            touching_def(model, touching_sphere(model, 0.05), material, 1.0, crm_vec3(0.0, 0.0, -0.05 - gap));
        ball.velocity = crm_vec3(1.0, 0.0, v);
        world_add(model, &ball);
        carom_state *state = world_state(model, CAROM_METHOD_EXACT, h);
        carom_step_report report = world_run(state, 1);
        double touch = (v - sqrt(v * v - 2.0 * g * gap)) / g, rest = h - touch, down = v - g * touch;
        CHECK_INT(report.contacts, 1);
        CHECK_NEAR(world_body(state, 1).position.z, -0.05 - down * rest - 0.5 * g * rest * rest, 1e-12);
        world_destroy(state);
    }
}

TEST(the_first_collision_decides_about_the_second) {
    carom_model *model = world_model(origin, 0.0);
    carom_model_shape sphere = touching_sphere(model, 0.1);
    touching_add(model, touching_box(model, 0.2, 1.0, 1.0), smooth(model), 0.0, crm_vec3(1.1, 0.0, 0.0));
    carom_body_def ball = touching_def(model, sphere, smooth(model), 1.0, origin);
    ball.velocity.x = 1.0;
    world_add(model, &ball);
    touching_add(model, sphere, smooth(model), 1.0, crm_vec3(0.5, 0.0, 0.0));
    carom_state *state = world_state(model, CAROM_METHOD_EXACT, 1.0);
    // 0.3 s to the second ball, which then has 0.4 m to the wall and comes back to the first one.
    carom_step_report report = world_run(state, 1);
    CHECK_INT(report.contacts, 2);
    CHECK_NEAR(world_body(state, 1).velocity.x, 0.0, 1e-14);
    CHECK_NEAR(world_body(state, 1).position.x, 0.3, 1e-13);
    CHECK_NEAR(world_body(state, 2).velocity.x, -1.0, 1e-14);
    CHECK_NEAR(world_body(state, 2).position.x, 0.6, 1e-13);
    world_destroy(state);
}

static carom_state *pairs_of_boxes(int pairs) {
    carom_model *model = world_model(origin, 0.0);
    carom_model_shape box = touching_box(model, 0.3, 0.2, 0.25);
    for (int i = 0; i < 2 * pairs; i++) {
        carom_body_def def = touching_def(model, box, smooth(model), 1.0, crm_vec3(0.4 * (i % 2), 5.0 * (i / 2), 0.0));
        def.attitude = (carom_quat){1.0, 0.1 * (i % 2), 0.2, 0.05 * (i / 2)};
        def.velocity.x = i % 2 == 0 ? 1.0 : -0.5;
        def.spin = crm_vec3(1.0, 0.5 * (i / 2), -2.0);
        world_add(model, &def);
    }
    return world_state(model, CAROM_METHOD_EXACT, 0.01);
}

TEST(pairs_that_do_not_meet_do_not_change_each_other) {
    carom_state *one = pairs_of_boxes(1), *three = pairs_of_boxes(3);
    world_run(one, 60);
    world_run(three, 60);
    for (int b = 0; b < 2; b++) {
        carom_body_state alone = world_body(one, b), among = world_body(three, b);
        CHECK(memcmp(&alone, &among, sizeof alone) == 0);
    }
    world_destroy(one);
    world_destroy(three);
}

// ---- what it refuses

TEST(contact_that_lasts_is_given_up_with_the_methods_that_can) {
    carom_model *model = world_model(down, 0.0);
    touching_add(model, touching_floor(model), smooth(model), 0.0, origin);
    touching_add(model, touching_box(model, 0.2, 0.2, 0.2), smooth(model), 1.0, crm_vec3(0.0, 0.0, 0.1));
    carom_state *state = world_state(model, CAROM_METHOD_EXACT, 1e-3);
    uint64_t hash = carom_state_hash(state);
    carom_step_report report;
    CHECK_INT(carom_step(model, state, NULL, &report, NULL), CAROM_OK);
    CHECK_INT(report.outcome, CAROM_STEP_IMPOSSIBLE);
    CHECK_CONTAINS(report.text, "lcp");
    CHECK_CONTAINS(report.text, "method.exact.event_limit");
    CHECK(carom_state_hash(state) == hash);
    world_destroy(state);
}

TEST(overlaps_that_are_kept_at_the_start_are_refused) {
    carom_model *model = world_starting(origin, CAROM_START_KEEP);
    touching_add(model, touching_sphere(model, 0.1), smooth(model), 1.0, origin);
    touching_add(model, touching_sphere(model, 0.1), smooth(model), 1.0, crm_vec3(0.15, 0.0, 0.0));
    carom_state *state = world_state(model, CAROM_METHOD_EXACT, 1e-3);
    carom_step_report report;
    CHECK_INT(carom_step(model, state, NULL, &report, NULL), CAROM_OK);
    CHECK_INT(report.outcome, CAROM_STEP_IMPOSSIBLE);
    CHECK_CONTAINS(report.text, "overlap by 0.05 m");
    world_destroy(state);
}

// Two boxes that fly at each other, on a spring when they are to be coupled.
static carom_model *two_boxes(const carom_allocator *hook, bool coupled) {
    carom_model_def def = carom_model_def_default();
    def.gravity = origin;
    def.allocator = hook;
    carom_model *model;
    CHECK_INT(carom_model_create(&def, &model, NULL), CAROM_OK);
    carom_model_shape box = touching_box(model, 0.3, 0.2, 0.25);
    carom_body bodies[2];
    for (int i = 0; i < 2; i++) {
        carom_body_def body = touching_def(model, box, smooth(model), 1.0, crm_vec3(0.4 * i, 0.03 * i, 0.0));
        body.velocity.x = 1.0 - 2.0 * i;
        bodies[i] = world_add(model, &body);
    }
    carom_spring_def spring = carom_spring_def_default();
    spring.a = bodies[0];
    spring.b = bodies[1];
    spring.stiffness = 1.0;
    if (coupled) CHECK_INT(carom_model_add_spring(model, &spring, NULL), CAROM_OK);
    CHECK_INT(carom_model_freeze(model, NULL), CAROM_OK);
    return model;
}

TEST(any_refused_allocation_is_said_and_leaks_nothing) {
    carom_method_def method = carom_method_def_default();
    method.method = CAROM_METHOD_EXACT;
    method.step = 0.01;
    for (int coupled = 0; coupled < 2; coupled++) check_refused_allocations(&method, two_boxes, coupled == 1);
}

TEST(settings_out_of_range_are_refused) {
    carom_model *model = world_model(origin, 0.0);
    touching_add(model, touching_sphere(model, 0.1), smooth(model), 1.0, origin);
    CHECK_INT(carom_model_freeze(model, NULL), CAROM_OK);
    carom_method_def method = carom_method_def_default();
    carom_error error;
    method.method = CAROM_METHOD_EXACT;
    method.exact.event_limit = 0;
    CHECK_INT(carom_method_supports(model, &method, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "method.exact.event_limit is 0, must be a whole number of at least 1");
    method.exact.event_limit = 1;
    method.exact.jump = CAROM_JUMP_COUNT;
    CHECK_INT(carom_method_supports(model, &method, &error), CAROM_ERR_BAD_INPUT);
    carom_model_destroy(model);
}

TEST_MAIN(CASE(a_ball_bounces_as_the_parabolas_say), CASE(a_bounce_keeps_the_discrete_energy_on_request),
          CASE(jumps_that_no_impulses_match_keep_the_hamiltonian),
          CASE(a_collision_of_tumbling_boxes_is_the_frictionless_elastic_impulse),
          CASE(only_the_last_cube_leaves_a_cradle), CASE(cubes_from_both_sides_leave_the_middle_one_at_rest),
          CASE(a_bar_on_a_hinge_swings_between_walls), CASE(a_flock_keeps_energy_and_momenta_through_many_collisions),
          CASE(a_saved_state_goes_on_to_the_same_bits), CASE(a_fast_ball_is_thrown_back_many_times_in_one_step),
          CASE(a_graze_at_the_top_of_a_parabola_is_noticed), CASE(the_first_collision_decides_about_the_second),
          CASE(pairs_that_do_not_meet_do_not_change_each_other),
          CASE(contact_that_lasts_is_given_up_with_the_methods_that_can),
          CASE(overlaps_that_are_kept_at_the_start_are_refused), CASE(any_refused_allocation_is_said_and_leaks_nothing),
          CASE(settings_out_of_range_are_refused))
