// SPDX-License-Identifier: MIT
// The method penalty against closed forms of springs, dampers and dry friction.
#include <math.h>

#include "math/quat.h"
#include "math/vec3.h"
#include "support/geometry/touching.h"
#include "support/harness/check.h"

static const double g = 9.81, pi = 3.14159265358979323846;
static const carom_vec3 down = {0.0, 0.0, -9.81}, origin = {0.0, 0.0, 0.0};

static carom_method_def penalty_method(double step, double stiffness, double damping) {
    carom_method_def def = carom_method_def_default();
    def.method = CAROM_METHOD_PENALTY;
    def.step = step;
    def.penalty.stiffness = stiffness;
    def.penalty.damping = damping;
    return def;
}

// A ball of radius 0.5 m above a floor.
static carom_state *ball_at(double height, double mass, double speed, carom_vec3 gravity, double restitution,
                            const carom_method_def *method) {
    carom_model *model = world_starting(gravity, CAROM_START_KEEP);
    carom_material material = touching_material(model, 0.0, restitution);
    touching_add(model, touching_floor(model), material, 0.0, origin);
    carom_body_def def = touching_def(model, touching_sphere(model, 0.5), material, mass, crm_vec3(0, 0, height));
    def.velocity = crm_vec3(0.0, 0.0, speed);
    world_add(model, &def);
    return touching_state(model, method);
}

// ---- one spring

TEST(what_rests_overlaps_by_weight_over_stiffness) {
    const double mass = 3.0, stiffness = 2e4;
    carom_method_def method = penalty_method(1e-3, stiffness, 0.0);
    carom_state *state = ball_at(0.51, mass, 0.0, down, 0.0, &method);
    carom_step_report report = world_run(state, 5000);
    CHECK_NEAR(0.5 - world_body(state, 1).position.z, mass * g / stiffness, 1e-12);
    CHECK_NEAR(report.infeasibility, mass * g / stiffness, 1e-12);
    int count;
    const carom_contact_state *contact = carom_state_contacts(state, &count);
    CHECK_INT(count, 1);
    CHECK_NEAR(contact->normal_impulse, mass * g * method.step, 1e-11);
    world_destroy(state);
}

// Swings about that depth, without leaving the floor, start at `away` from it. Times of upward passages and heights of
// the tops between them.
typedef struct swing {
    double period, decay; // of one period: time, and ratio of tops
} swing;

static swing watch(double stiffness, double mass, double damping, double step, int periods) {
    double rest = mass * g / stiffness, away = 0.5 * rest;
    carom_method_def method = penalty_method(step, stiffness, damping);
    // A restitution of 1 is no damping where none is given.
    carom_state *state = ball_at(0.5 - rest + away, mass, 0.0, down, 1.0, &method);
    double before = away, first = 0.0, last = 0.0, top = 0.0, first_top = 0.0, last_top = 0.0;
    for (int passages = 0, i = 0; passages <= periods && i < 10000000; i++) {
        world_run(state, 1);
        double now = world_body(state, 1).position.z - 0.5 + rest;
        top = fmax(top, now);
        if (before < 0.0 && now >= 0.0) {
            double time = carom_state_time(state) - step * now / (now - before);
            if (passages == 0) first = time;
            last = time, passages++;
            if (passages == 2) first_top = top; // of the first whole swing
            last_top = top;
            top = 0.0;
        }
        before = now;
    }
    world_destroy(state);
    return (swing){(last - first) / periods, pow(last_top / first_top, 1.0 / (periods - 1))};
}

TEST(an_undamped_spring_has_its_period) {
    const double mass = 2.0, stiffness = 8e3, rate = sqrt(stiffness / mass);
    // The step's own period is 2 pi h / acos(1 - (rate h)^2 / 2): longer by (rate h)^2 / 24, no more.
    swing s = watch(stiffness, mass, 0.0, 1e-4, 20);
    CHECK_NEAR(s.period * rate / (2.0 * pi), 1.0, rate * rate * 1e-8 / 12.0);
    CHECK_NEAR(s.decay, 1.0, 1e-5);
}

TEST(a_damped_spring_dies_out_as_it_should) {
    const double mass = 2.0, stiffness = 8e3, rate = sqrt(stiffness / mass), ratio = 0.05;
    const double damped = rate * sqrt(1.0 - ratio * ratio), decay = exp(-2.0 * pi * ratio * rate / damped);
    double last = 0.0;
    for (int half = 0; half < 2; half++) {
        double step = half ? 1e-4 : 2e-4;
        swing s = watch(stiffness, mass, 2.0 * ratio * sqrt(stiffness * mass), step, 6);
        CHECK_NEAR(s.period * damped / (2.0 * pi), 1.0, rate * step);
        double error = fabs(s.decay - decay);
        CHECK(error < 0.1 * rate * step);
        if (half) CHECK_NEAR(error / last, 0.5, 0.1); // order 1
        last = error;
    }
}

// ---- restitution

// The impact ends where the force does: x' = v e^(-c t) (cos w t - c/w sin w t), and the force is k x + d x'.
static double rebound(double ratio) {
    double w = sqrt(1.0 - ratio * ratio), t = 0.0, step = 1e-4; // unit mass and stiffness
    double x, v;
    do {
        t += step;
        x = exp(-ratio * t) * sin(w * t) / w;
        v = exp(-ratio * t) * (cos(w * t) - ratio / w * sin(w * t));
    } while (x + 2.0 * ratio * v > 0.0);
    return -v;
}

TEST(an_impact_has_the_restitution_of_its_damping_ratio) {
    const double mass = 1.0, stiffness = 1e4, step = 1e-5; // an impact lasts some 3000 steps
    for (double ratio = 0.0; ratio < 0.95; ratio += 0.3) {
        carom_method_def method = penalty_method(step, stiffness, 2.0 * ratio * sqrt(stiffness * mass));
        carom_state *state = ball_at(0.5 + 0.5e-5, mass, -1.0, origin, 1.0, &method);
        world_run(state, 4000);
        CHECK_NEAR(world_body(state, 1).velocity.z, rebound(ratio), 2e-3);
        world_destroy(state);
    }
}

TEST(the_proposed_damping_gives_the_restitution_of_the_materials) {
    const double wanted[] = {1.0, 0.8, 0.5, 0.2, 0.1};
    for (int i = 0; i < 5; i++) {
        carom_method_def method = penalty_method(1e-5, 1e4, 0.0);
        carom_state *state = ball_at(0.5 + 0.5e-5, 1.0, -1.0, origin, wanted[i], &method);
        world_run(state, 6000);
        CHECK_NEAR(world_body(state, 1).velocity.z, wanted[i], 2e-3);
        world_destroy(state);
    }
}

// Without restitution what is left is k/d times the overlap, which is what two steps of the approach lead to: the one
// that the contact is found in, and the sum of the halves after it. h k/d is a fortieth, or h^2 k/m, which goes to 0
// with the step when stiffness is proposed.
TEST(a_plastic_impact_is_plastic_in_the_limit) {
    for (int i = 0; i < 3; i++) {
        double step = 4e-3 / (1 << 2 * i);
        carom_method_def method = penalty_method(step, 0.0, 0.0);
        carom_state *state = ball_at(0.5 + 0.01 * step, 1.0, -1.0, down, 0.0, &method);
        carom_penalty_pair pair;
        CHECK_INT(
            carom_penalty_propose(carom_state_model(state), &method, (carom_body){0}, (carom_body){1}, &pair, NULL),
            CAROM_OK);
        double up = 0.0;
        for (int k = 0; k < 200; k++) {
            world_run(state, 1);
            up = fmax(up, world_body(state, 1).velocity.z);
        }
        CHECK(up < 2.0 * fmin(0.025, step * step * pair.stiffness));
        world_destroy(state);
    }
}

// A rod that lands on its tip without restitution: the tip sees a fraction of the mass, and does not rebound. Angles,
// frictions, steps and sizes vary.
TEST(a_rod_on_its_tip_does_not_rebound) {
    static const double degrees[] = {0.0, 20.0, 45.0, 60.0, 70.0, 85.0}, friction[] = {0.0, 0.3, 1.0};
    static const double steps[] = {1e-4, 1e-3, 1e-4}, sizes[] = {1.0, 1.0, 1e-3};
    for (int i = 0; i < 18; i++) {
        double size = sizes[i / 6], angle = degrees[i % 6] * pi / 180.0, step = steps[i / 6] * sqrt(size);
        double lowest = 0.5 * size * cos(angle) + 0.005 * size, speed = 0.5 * sqrt(size);
        carom_model *model = world_model(origin, 0.0);
        carom_material material = touching_material(model, friction[i % 3], 0.0);
        touching_add(model, touching_floor(model), material, 0.0, origin);
        carom_shape_def capsule = carom_shape_def_default(CAROM_SHAPE_CAPSULE);
        capsule.capsule.radius = 0.005 * size;
        capsule.capsule.length = size;
        carom_body_def def = touching_def(model, touching_shape(model, &capsule), material, 1.0,
                                          crm_vec3(0.0, 0.0, lowest + 1e-3 * size));
        def.attitude = (carom_quat){cos(0.5 * angle), 0.0, sin(0.5 * angle), 0.0};
        def.velocity = crm_vec3(0.0, 0.0, -speed);
        world_add(model, &def);
        carom_method_def method = penalty_method(step, 0.0, 0.0);
        carom_state *state = touching_state(model, &method);
        double up = 0.0;
        int touches = 0;
        while (carom_state_time(state) < 0.03 * sqrt(size)) {
            touches += world_run(state, 1).contacts;
            carom_body_state rod = world_body(state, 1);
            carom_vec3 axis = crm_quat_rotate(rod.attitude, crm_vec3(0.0, 0.0, -0.5 * size));
            if (axis.z > 0.0) axis = crm_negate(axis);
            up = fmax(up, crm_add(rod.velocity, crm_cross(rod.spin, axis)).z);
        }
        CHECK(touches > 0);
        CHECK(up < 0.05 * speed);
        world_destroy(state);
    }
}

// ---- friction

// 2 kg, edges of 1 m, 1 m and `height`, where a stiffness that is given bears it.
static carom_state *block(double height, double friction, carom_vec3 gravity, double speed,
                          const carom_method_def *method) {
    carom_model *model = world_starting(gravity, CAROM_START_KEEP);
    carom_material material = touching_material(model, friction, 0.0);
    touching_add(model, touching_floor(model), material, 0.0, origin);
    double k = method->penalty.stiffness, depth = k > 0.0 ? -2.0 * gravity.z / k : 0.0;
    carom_body_def def = touching_def(model, touching_box(model, 1.0, 1.0, height), material, 2.0,
                                      crm_vec3(0.0, 0.0, 0.5 * height - depth));
    def.velocity = crm_vec3(0.8 * speed, 0.6 * speed, 0.0);
    world_add(model, &def);
    return touching_state(model, method);
}

TEST(a_sliding_block_is_slowed_by_friction_times_g) {
    const double friction = 0.2;
    carom_method_def method = penalty_method(1e-3, 0.0, 0.0);
    carom_state *state = block(1.0, friction, down, 5.0, &method);
    world_run(state, 1800); // is at rest
    carom_vec3 before = world_body(state, 1).velocity;
    world_run(state, 500);
    carom_vec3 after = world_body(state, 1).velocity;
    CHECK_NEAR(hypot(before.x, before.y) - hypot(after.x, after.y), 0.5 * friction * g, 1e-6);
    CHECK_NEAR(after.y / after.x, 0.75, 1e-9);
    world_destroy(state);
}

static carom_vec3 inclined(double degrees) {
    return crm_vec3(g * sin(degrees * pi / 180.0), 0.0, -g * cos(degrees * pi / 180.0));
}

// A flat block on an incline that holds all of its corners gives way by the stretch of the springs along the surface,
// and by its rotation on those across: their moment is the weight's part along the incline times half the height.
TEST(a_block_on_an_incline_gives_way_by_its_springs) {
    const double stiffness = 1e5, pull = 2.0 * g * sin(20.0 * pi / 180.0);
    carom_method_def method = penalty_method(1e-3, stiffness, 0.0);
    carom_state *state = block(0.1, tan(30.0 * pi / 180.0), inclined(20.0), 0.0, &method);
    world_run(state, 3000);
    double along = pull / (method.penalty.tangent_stiffness * stiffness), rotation = pull * 0.05 / (stiffness * 0.25);
    CHECK_NEAR(world_body(state, 1).position.x / (along + 0.05 * rotation), 1.0, 1e-3);
    world_destroy(state);
}

// One degree below slipping the lighter laden corners of a cube slide until the others hold it; then it stands still.
TEST(a_cube_on_an_incline_that_just_holds_it_creeps_no_further) {
    carom_method_def method = penalty_method(1e-3, 0.0, 0.0);
    carom_state *state = block(1.0, tan(21.0 * pi / 180.0), inclined(20.0), 0.0, &method);
    world_run(state, 3000);
    carom_vec3 x = world_body(state, 1).position;
    CHECK(fabs(x.x) < 0.02);
    world_run(state, 7000);
    CHECK(crm_length(crm_sub(world_body(state, 1).position, x)) < 1e-10);
    world_destroy(state);
}

TEST(without_springs_along_the_surface_the_block_creeps_as_its_damper_lets_it) {
    const double damping = 500.0, pull = 2.0 * g * sin(20.0 * pi / 180.0);
    carom_method_def method = penalty_method(1e-3, 1e5, damping);
    method.penalty.friction = CAROM_PENALTY_VISCOUS;
    carom_state *state = block(0.1, tan(30.0 * pi / 180.0), inclined(20.0), 0.0, &method);
    world_run(state, 3000);
    double speed = world_body(state, 1).velocity.x;
    CHECK_NEAR(speed * method.penalty.tangent_stiffness * damping / pull, 1.0, 1e-3);
    world_destroy(state);
}

TEST(a_block_on_an_incline_that_does_not_hold_it_slides_with_the_right_acceleration) {
    double tilt = 20.0 * pi / 180.0, wanted = g * (sin(tilt) - tan(15.0 * pi / 180.0) * cos(tilt));
    carom_method_def method = penalty_method(1e-3, 0.0, 0.0);
    carom_state *state = block(1.0, tan(15.0 * pi / 180.0), inclined(20.0), 0.0, &method);
    world_run(state, 2000);
    double before = world_body(state, 1).velocity.x;
    world_run(state, 1000);
    CHECK_NEAR(world_body(state, 1).velocity.x - before, wanted, 1e-6);
    world_destroy(state);
}

TEST(a_thrown_sphere_ends_rolling_with_five_sevenths_of_its_speed) {
    carom_model *model = world_model(down, 0.0);
    carom_material material = touching_material(model, 0.3, 0.0);
    touching_add(model, touching_floor(model), material, 0.0, origin);
    carom_method_def method = penalty_method(2e-4, 0.0, 0.0);
    carom_body_def def = touching_def(model, touching_sphere(model, 0.5), material, 2.0, crm_vec3(0.0, 0.0, 0.5));
    def.velocity = crm_vec3(0.8, 0.6, 0.0);
    world_add(model, &def);
    carom_state *state = touching_state(model, &method);
    carom_penalty_pair pair;
    CHECK_INT(carom_penalty_propose(model, &method, (carom_body){0}, (carom_body){1}, &pair, NULL), CAROM_OK);
    world_run(state, 5000);
    carom_body_state ball = world_body(state, 1);
    // Friction has an arm that is shorter than the radius by up to the depth.
    double arm = pair.rest_penetration / 0.5;
    CHECK_NEAR(crm_length(ball.velocity), 5.0 / 7.0, arm);
    CHECK_NEAR(ball.velocity.y / ball.velocity.x, 0.75, 1e-9);
    CHECK_NEAR(0.5 * crm_length(ball.spin) / crm_length(ball.velocity), 1.0, arm);
    world_destroy(state);
}

TEST_MAIN(CASE(what_rests_overlaps_by_weight_over_stiffness), CASE(an_undamped_spring_has_its_period),
          CASE(a_damped_spring_dies_out_as_it_should), CASE(an_impact_has_the_restitution_of_its_damping_ratio),
          CASE(the_proposed_damping_gives_the_restitution_of_the_materials),
          CASE(a_plastic_impact_is_plastic_in_the_limit), CASE(a_rod_on_its_tip_does_not_rebound),
          CASE(a_sliding_block_is_slowed_by_friction_times_g), CASE(a_block_on_an_incline_gives_way_by_its_springs),
          CASE(a_cube_on_an_incline_that_just_holds_it_creeps_no_further),
          CASE(without_springs_along_the_surface_the_block_creeps_as_its_damper_lets_it),
          CASE(a_block_on_an_incline_that_does_not_hold_it_slides_with_the_right_acceleration),
          CASE(a_thrown_sphere_ends_rolling_with_five_sevenths_of_its_speed))
