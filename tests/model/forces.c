// SPDX-License-Identifier: MIT
// Forces: what is refused, that they are the gradients of the energies, that inner forces cancel, and closed forms of
// those without a potential. Seen from outside: a step of euler changes the momentum by exactly force times step.
#include <math.h>

#include "math/quat.h"
#include "math/spatial.h"
#include "support/harness/check.h"
#include "support/harness/sample.h"
#include "support/model/world.h"

// ---- what is refused

static int no_force(void *user, const carom_force_sample *sample, carom_force_value *value) {
    (void)user, (void)sample, (void)value;
    return 0;
}

typedef carom_status add_function(carom_model *model, carom_error *error);

static const carom_vec3 nan_vector = {0.0, NAN, 0.0};

#define ADD(name, kind, ...)                                                               \
    static carom_status name(carom_model *model, carom_error *error) {                     \
        carom_##kind##_def def = {.struct_size = sizeof(carom_##kind##_def), __VA_ARGS__}; \
        return carom_model_add_##kind(model, &def, error);                                 \
    }
ADD(drag_on_world, drag, .body = {-1})
ADD(drag_on_nobody, drag, .body = {2})
ADD(drag_negative, drag, .body = {0}, .linear = -1.0)
ADD(drag_quadratic_nan, drag, .body = {0}, .quadratic = NAN)
ADD(drag_angular_infinite, drag, .body = {0}, .angular = INFINITY)
ADD(spring_on_itself, spring, .a = {1}, .b = {1}, .stiffness = 1.0)
ADD(spring_world_to_world, spring, .a = {-1}, .b = {-1}, .stiffness = 1.0)
ADD(spring_on_nobody, spring, .a = {0}, .b = {9}, .stiffness = 1.0)
ADD(spring_point_a, spring, .a = {0}, .b = {1}, .point_a = nan_vector)
ADD(spring_point_b, spring, .a = {0}, .b = {1}, .point_b = nan_vector)
ADD(spring_stiffness, spring, .a = {0}, .b = {1}, .stiffness = -3.0)
ADD(spring_damping, spring, .a = {0}, .b = {1}, .damping = NAN)
ADD(spring_length, spring, .a = {0}, .b = {1}, .rest_length = -0.5)
ADD(charge_on_nobody, charge, .body = {-2})
ADD(charge_point, charge, .body = {0}, .point = nan_vector)
ADD(charge_nan, charge, .body = {0}, .charge = NAN)
ADD(magnet_on_nobody, magnet, .body = {5}, .axis = {0.0, 0.0, 1.0}, .length = 1.0)
ADD(magnet_centre, magnet, .body = {0}, .centre = nan_vector, .axis = {0.0, 0.0, 1.0}, .length = 1.0)
ADD(magnet_axis_zero, magnet, .body = {0}, .length = 1.0)
ADD(magnet_axis_nan, magnet, .body = {0}, .axis = nan_vector, .length = 1.0)
ADD(magnet_length_zero, magnet, .body = {0}, .axis = {0.0, 0.0, 1.0})
ADD(magnet_strength, magnet, .body = {0}, .axis = {0.0, 0.0, 1.0}, .length = 1.0, .strength = INFINITY)
ADD(wrench_on_world, wrench, .body = {-1})
ADD(wrench_point, wrench, .body = {0}, .point = nan_vector)
ADD(wrench_force, wrench, .body = {0}, .force = nan_vector)
ADD(wrench_torque, wrench, .body = {0}, .torque = nan_vector)
ADD(callback_missing, callback, .body = {0})
ADD(callback_on_world, callback, .body = {-1}, .function = no_force)

static const struct {
    add_function *add;
    const char *sentence;
} refusals[] = {
    {drag_on_world, "drag: there is no body -1; the model has 2 bodies"},
    {drag_on_nobody, "drag: there is no body 2; the model has 2 bodies"},
    {drag_negative, "drag: linear is -1, must be finite and not negative"},
    {drag_quadratic_nan, "drag: quadratic is nan, must be finite and not negative"},
    {drag_angular_infinite, "drag: angular is inf, must be finite and not negative"},
    {spring_on_itself, "spring: both ends are on the same body; join two different ones"},
    {spring_world_to_world, "spring: both ends are on the same body; join two different ones"},
    {spring_on_nobody, "spring: there is no body 9; the model has 2 bodies"},
    {spring_point_a, "spring: point_a is (0, nan, 0), must be finite"},
    {spring_point_b, "spring: point_b is (0, nan, 0), must be finite"},
    {spring_stiffness, "spring: stiffness is -3, must be finite and not negative"},
    {spring_damping, "spring: damping is nan, must be finite and not negative"},
    {spring_length, "spring: rest_length is -0.5, must be finite and not negative"},
    {charge_on_nobody, "charge: there is no body -2; the model has 2 bodies"},
    {charge_point, "charge: point is (0, nan, 0), must be finite"},
    {charge_nan, "charge: charge is nan C, must be finite"},
    {magnet_on_nobody, "magnet: there is no body 5; the model has 2 bodies"},
    {magnet_centre, "magnet: centre is (0, nan, 0), must be finite"},
    {magnet_axis_zero, "magnet: axis is (0, 0, 0), must be finite and not zero"},
    {magnet_axis_nan, "magnet: axis is (0, nan, 0), must be finite and not zero"},
    {magnet_length_zero, "magnet: length is 0 m, must be positive and finite"},
    {magnet_strength, "magnet: strength is inf C, must be finite"},
    {wrench_on_world, "wrench: there is no body -1; the model has 2 bodies"},
    {wrench_point, "wrench: point is (0, nan, 0), must be finite"},
    {wrench_force, "wrench: force is (0, nan, 0), must be finite"},
    {wrench_torque, "wrench: torque is (0, nan, 0), must be finite"},
    {callback_missing, "callback: the function is missing"},
    {callback_on_world, "callback: there is no body -1; the model has 2 bodies"},
};

TEST(impossible_forces_are_refused_with_a_sentence_and_leave_the_model_alone) {
    carom_model *model = world_model((carom_vec3){0.0, 0.0, 0.0}, 1.0);
    carom_body_def def = carom_body_def_default();
    world_add(model, &def);
    def.position.x = 3.0;
    world_add(model, &def);
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        carom_error error = {.text = ""};
        CHECK_INT(refusals[i].add(model, &error), CAROM_ERR_BAD_INPUT);
        CHECK_TEXT(error.text, refusals[i].sentence);
        CHECK_INT(refusals[i].add(model, NULL), CAROM_ERR_BAD_INPUT);
    }
    carom_state *state = world_state(model, CAROM_METHOD_VARIATIONAL, 0.1); // it has no features, so none was added
    world_run(state, 1);
    CHECK_NEAR(world_energy(state), 0.0, 0.0);
    world_destroy(state);
}

// ---- forces as gradients

enum { BODIES = 4 };
static const carom_body_kind kinds[BODIES] = {CAROM_BODY_FREE, CAROM_BODY_PLANAR, CAROM_BODY_POINT, CAROM_BODY_FREE};

static carom_model *bodies_at_random(sampler *s, carom_vec3 gravity, bool all_free) {
    carom_model *model = world_model(gravity, 2.5);
    for (int b = 0; b < BODIES; b++) {
        carom_body_def def = world_body_def(sample_between(s, 0.5, 2.0), (carom_vec3){1.0, 1.4, 1.9});
        def.kind = all_free ? CAROM_BODY_FREE : kinds[b];
        def.position = crm_add(crm_vec3(3.0 * b, 0.0, 0.0), sample_vec3(s, 1.0));
        def.attitude = sample_attitude(s);
        if (def.kind != CAROM_BODY_POINT) def.centre = sample_vec3(s, 0.3);
        world_add(model, &def);
    }
    return model;
}

static void add_springs(carom_model *model, sampler *s, bool all_free) {
    for (int b = 0; b < BODIES; b++) {
        bool to_world = b == BODIES - 1;
        carom_spring_def spring = carom_spring_def_default();
        spring.a.index = b;
        if (!to_world) spring.b.index = b + 1;
        if (to_world && all_free) return;
        bool a_is_point = !all_free && kinds[b] == CAROM_BODY_POINT;
        bool b_is_point = !all_free && !to_world && kinds[b + 1] == CAROM_BODY_POINT;
        if (!a_is_point) spring.point_a = sample_vec3(s, 0.5);
        if (!b_is_point) spring.point_b = sample_vec3(s, 0.5);
        spring.stiffness = sample_between(s, 1.0, 30.0);
        spring.rest_length = b == 1 ? 0.0 : sample_between(s, 0.0, 2.0);
        CHECK_INT(carom_model_add_spring(model, &spring, NULL), CAROM_OK);
    }
}

static void add_charges(carom_model *model, sampler *s, bool all_free) {
    for (int b = 0; b < BODIES; b++) {
        carom_charge_def charge = carom_charge_def_default();
        charge.body.index = b;
        if (all_free || kinds[b] != CAROM_BODY_POINT) charge.point = sample_vec3(s, 0.5);
        charge.charge = sample_between(s, -2.0, 2.0);
        CHECK_INT(carom_model_add_charge(model, &charge, NULL), CAROM_OK);
    }
    if (all_free) return;
    carom_charge_def fixed = carom_charge_def_default();
    fixed.point = crm_vec3(0.0, 6.0, 1.0);
    fixed.charge = 3.0;
    CHECK_INT(carom_model_add_charge(model, &fixed, NULL), CAROM_OK);
}

static void add_magnets(carom_model *model, sampler *s, bool all_free) {
    for (int b = 0; b < BODIES; b++) {
        if (!all_free && kinds[b] == CAROM_BODY_POINT) continue;
        carom_magnet_def magnet = carom_magnet_def_default();
        magnet.body.index = b;
        magnet.centre = sample_vec3(s, 0.3);
        magnet.axis = sample_vec3(s, 4.0);
        magnet.length = 0.4;
        magnet.strength = sample_between(s, -4.0, 4.0);
        CHECK_INT(carom_model_add_magnet(model, &magnet, NULL), CAROM_OK);
    }
}

typedef void add_forces(carom_model *model, sampler *s, bool all_free);
static add_forces *const forces[] = {add_springs, add_charges, add_magnets};

// Force on each body and torque about its centre of mass, from the change of the momenta over one tiny step of euler.
static void forces_of(carom_state *state, crm_vec6 out[BODIES]) {
    double step = carom_state_method(state)->step;
    const carom_model *model = carom_state_model(state);
    carom_step_report report;
    CHECK_INT(carom_step(model, state, NULL, &report, NULL), CAROM_OK);
    for (int b = 0; b < BODIES; b++) {
        carom_body_def def;
        CHECK_INT(carom_model_get_body(model, (carom_body){b}, &def, NULL), CAROM_OK);
        carom_body_state after = world_body(state, b);
        carom_vec3 arm = crm_quat_rotate(after.attitude, def.centre);
        carom_vec3 velocity = crm_add(after.velocity, crm_cross(after.spin, arm));
        carom_mat3 rotation = crm_quat_to_mat3(after.attitude);
        carom_vec3 l = crm_mat3_apply(crm_congruence(rotation, def.inertia), after.spin);
        if (def.kind == CAROM_BODY_POINT) l = crm_vec3_zero();
        if (def.kind == CAROM_BODY_PLANAR) l = crm_vec3(0.0, 0.0, l.z);
        out[b] = crm_vec6_of(crm_scale(def.mass / step, velocity), crm_scale(1.0 / step, l));
    }
}

// Energy after moving one body by `shift` and rotating it about its centre of mass by the small vector `rotation`.
static double energy_after(carom_state *state, int body, carom_vec3 shift, carom_vec3 rotation) {
    carom_body_def def;
    CHECK_INT(carom_model_get_body(carom_state_model(state), (carom_body){body}, &def, NULL), CAROM_OK);
    carom_body_state start = world_body(state, body), moved = start;
    double angle = crm_length(rotation);
    carom_quat dq =
        angle > 0.0 ? crm_quat_from_axis_angle(crm_scale(1.0 / angle, rotation), angle) : crm_quat_identity();
    carom_vec3 centre = crm_add(start.position, crm_quat_rotate(start.attitude, def.centre));
    moved.attitude = crm_quat_mul(dq, start.attitude);
    moved.position = crm_add(crm_sub(centre, crm_quat_rotate(moved.attitude, def.centre)), shift);
    CHECK_INT(carom_state_set_body(state, (carom_body){body}, &moved, NULL), CAROM_OK);
    double energy = carom_state_energy(state).potential;
    CHECK_INT(carom_state_set_body(state, (carom_body){body}, &start, NULL), CAROM_OK);
    return energy;
}

// Central differences of fourth order: their own error is 1e-12 of the third-largest derivatives plus rounding/step.
static double slope(carom_state *state, int body, carom_vec3 shift, carom_vec3 rotation) {
    const double d = 1e-3;
    double far = energy_after(state, body, crm_scale(2.0 * d, shift), crm_scale(2.0 * d, rotation)) -
                 energy_after(state, body, crm_scale(-2.0 * d, shift), crm_scale(-2.0 * d, rotation));
    double near = energy_after(state, body, crm_scale(d, shift), crm_scale(d, rotation)) -
                  energy_after(state, body, crm_scale(-d, shift), crm_scale(-d, rotation));
    return (8.0 * near - far) / (12.0 * d);
}

TEST(forces_are_minus_the_gradient_of_the_energy) {
    sampler s = {.seed = 21};
    for (size_t f = 0; f < sizeof forces / sizeof forces[0]; f++) {
        for (int trial = 0; trial < 5; trial++) {
            carom_model *model = bodies_at_random(&s, crm_vec3(1.0, -2.0, -9.0), false);
            forces[f](model, &s, false);
            carom_state *state = world_state(model, CAROM_METHOD_EULER, 1e-7);
            carom_vec3 force[BODIES], torque[BODIES];
            for (int b = 0; b < BODIES; b++) {
                bool planar = kinds[b] == CAROM_BODY_PLANAR, point = kinds[b] == CAROM_BODY_POINT;
                double g[3], t[3];
                for (int k = 0; k < 3; k++) {
                    carom_vec3 axis = crm_with_component(crm_vec3_zero(), k, 1.0);
                    g[k] = planar && k == 2 ? 0.0 : slope(state, b, axis, crm_vec3_zero());
                    t[k] = point || (planar && k < 2) ? 0.0 : slope(state, b, crm_vec3_zero(), axis);
                }
                force[b] = crm_vec3(-g[0], -g[1], -g[2]);
                torque[b] = crm_vec3(-t[0], -t[1], -t[2]);
            }
            crm_vec6 got[BODIES];
            forces_of(state, got);
            for (int b = 0; b < BODIES; b++) {
                CHECK_NEAR(crm_distance(got[b].linear, force[b]), 0.0, 1e-7 * (1.0 + crm_length(force[b])));
                CHECK_NEAR(crm_distance(got[b].angular, torque[b]), 0.0, 1e-7 * (1.0 + crm_length(torque[b])));
            }
            world_destroy(state);
        }
    }
}

TEST(inner_forces_cancel) {
    sampler s = {.seed = 22};
    for (size_t f = 0; f < sizeof forces / sizeof forces[0]; f++) {
        carom_model *model = bodies_at_random(&s, crm_vec3_zero(), true);
        forces[f](model, &s, true);
        // From rest the step moves each body along its force, so that no arm changes but by what drops out.
        carom_state *state = world_state(model, CAROM_METHOD_EULER, 1e-2);
        carom_momentum before = carom_state_momentum(state);
        world_run(state, 1);
        carom_momentum after = carom_state_momentum(state);
        CHECK_NEAR(crm_distance(before.linear, after.linear), 0.0, 1e-14);
        CHECK_NEAR(crm_distance(before.angular, after.angular), 0.0, 1e-13);
        bool moved = false;
        for (int b = 0; b < BODIES; b++) moved = moved || crm_length(world_body(state, b).spin) > 1e-4;
        CHECK(moved);
        world_destroy(state);
    }
}

// ---- closed forms

static carom_state *single_body(carom_model *model, double step) {
    return world_state(model, CAROM_METHOD_EULER, step);
}

TEST(a_spring_pulls_by_its_stretch_and_damps_along_itself) {
    carom_model *model = world_model((carom_vec3){0.0, 0.0, 0.0}, 0.0);
    carom_body_def def = world_body_def(2.0, (carom_vec3){1.0, 1.0, 1.0});
    def.position = crm_vec3(3.0, 0.0, 0.0);
    def.velocity = crm_vec3(0.5, 7.0, 0.0);
    carom_body body = world_add(model, &def);
    carom_spring_def spring = carom_spring_def_default();
    spring.a = body;
    spring.stiffness = 10.0;
    spring.rest_length = 1.0;
    spring.damping = 4.0;
    CHECK_INT(carom_model_add_spring(model, &spring, NULL), CAROM_OK);
    carom_state *state = single_body(model, 0.125);
    CHECK_NEAR(carom_state_energy(state).potential, 20.0, 1e-14); // 10/2 (3 - 1)^2
    carom_step_report report = world_run(state, 1);
    carom_momentum momentum = carom_state_momentum(state);
    CHECK_NEAR(momentum.linear.x, 2.0 * 0.5 - 0.125 * (10.0 * 2.0 + 4.0 * 0.5), 1e-14);
    CHECK_NEAR(momentum.linear.y, 14.0, 1e-14); // dampers resist along the spring only
    (void)report;
    world_destroy(state);
}

TEST(a_spring_whose_ends_meet_pulls_nowhere) {
    carom_model *model = world_model((carom_vec3){0.0, 0.0, 0.0}, 0.0);
    carom_body_def def = world_body_def(2.0, (carom_vec3){1.0, 1.0, 1.0});
    carom_body body = world_add(model, &def);
    for (int i = 0; i < 2; i++) {
        carom_spring_def spring = {
            .struct_size = sizeof(carom_spring_def), .a = body, .b = {-1}, .stiffness = 10.0, .rest_length = i};
        CHECK_INT(carom_model_add_spring(model, &spring, NULL), CAROM_OK);
    }
    carom_state *state = world_state(model, CAROM_METHOD_VARIATIONAL, 0.01);
    world_run(state, 3);
    CHECK_NEAR(crm_length(world_body(state, 0).position), 0.0, 0.0);
    CHECK_NEAR(world_energy(state), 5.0, 1e-15);
    world_destroy(state);
}

TEST(drag_slows_by_its_three_coefficients) {
    carom_model *model = world_model((carom_vec3){0.0, 0.0, 0.0}, 0.0);
    carom_body_def def = world_body_def(2.0, (carom_vec3){1.0, 1.0, 1.0});
    def.velocity = crm_vec3(3.0, 4.0, 0.0);
    def.spin = crm_vec3(0.0, 0.0, 2.0);
    def.centre = crm_vec3(1.0, 0.0, 0.0); // drag acts at the centre of mass, which moves at (3, 6, 0)
    carom_body body = world_add(model, &def);
    carom_drag_def drag = {
        .struct_size = sizeof(carom_drag_def), .body = body, .linear = 0.5, .quadratic = 0.25, .angular = 0.75};
    CHECK_INT(carom_model_add_drag(model, &drag, NULL), CAROM_OK);
    carom_state *state = single_body(model, 0.125);
    world_run(state, 1);
    carom_momentum momentum = carom_state_momentum(state);
    double factor = 2.0 - 0.125 * (0.5 + 0.25 * sqrt(45.0));
    CHECK_NEAR(momentum.linear.x, 3.0 * factor, 1e-14);
    CHECK_NEAR(momentum.linear.y, 6.0 * factor, 1e-14);
    CHECK_NEAR(world_body(state, 0).spin.z, 2.0 - 0.125 * 0.75 * 2.0, 1e-14);
    world_destroy(state);
}

TEST(wrenches_act_at_their_point_in_world_or_body_axes) {
    for (int in_body_axes = 0; in_body_axes < 2; in_body_axes++) {
        carom_model *model = world_model((carom_vec3){0.0, 0.0, 0.0}, 0.0);
        carom_body_def def = world_body_def(2.0, (carom_vec3){1.0, 1.3, 1.7});
        def.inertia = crm_congruence(crm_quat_to_mat3((carom_quat){0.6, 0.0, 0.8, 0.0}), def.inertia);
        def.attitude = (carom_quat){sqrt(0.5), 0.0, 0.0, sqrt(0.5)}; // x to y
        def.centre = crm_vec3(0.0, 1.0, 0.0);
        carom_body body = world_add(model, &def);
        carom_wrench_def wrench = {.struct_size = sizeof(carom_wrench_def),
                                   .body = body,
                                   .point = {2.0, 1.0, 0.0}, // 2 along the body's x, the world's y, from the centre
                                   .force = {0.0, 3.0, 0.0},
                                   .torque = {0.0, 0.0, 0.5},
                                   .in_body_axes = in_body_axes};
        CHECK_INT(carom_model_add_wrench(model, &wrench, NULL), CAROM_OK);
        carom_state *state = single_body(model, 0.125);
        carom_step_report report = world_run(state, 1);
        carom_momentum momentum = carom_state_momentum(state);
        // The centre starts at (-1, 0, 0); about the origin the force adds centre x force.
        carom_vec3 force = in_body_axes ? crm_vec3(-3.0, 0.0, 0.0) : crm_vec3(0.0, 3.0, 0.0);
        carom_vec3 torque = crm_add(crm_cross(crm_vec3(0.0, 2.0, 0.0), force), crm_vec3(0.0, 0.0, 0.5));
        torque = crm_add(torque, crm_cross(crm_vec3(-1.0, 0.0, 0.0), force));
        CHECK_NEAR(crm_distance(momentum.linear, crm_scale(0.125, force)), 0.0, 1e-15);
        CHECK_NEAR(crm_distance(momentum.angular, crm_scale(0.125, torque)), 0.0, 1e-14);
        CHECK_NEAR(report.momentum_balance, 0.0, 1e-14);
        world_destroy(state);
    }
}

TEST(bodies_feel_only_what_their_kind_can) {
    static const carom_body_kind some[] = {CAROM_BODY_FIXED, CAROM_BODY_PLANAR, CAROM_BODY_POINT};
    for (int k = 0; k < 3; k++) {
        carom_model *model = world_model((carom_vec3){1.0, 2.0, 3.0}, 0.0);
        carom_body_def def = world_body_def(1.0, (carom_vec3){1.0, 1.0, 1.0});
        def.kind = some[k];
        carom_body body = world_add(model, &def);
        carom_wrench_def wrench = {.struct_size = sizeof(carom_wrench_def), .body = body, .torque = {1.0, 1.0, 1.0}};
        CHECK_INT(carom_model_add_wrench(model, &wrench, NULL), CAROM_OK);
        carom_state *state = single_body(model, 0.5);
        world_run(state, 1);
        carom_body_state after = world_body(state, 0);
        double moves = some[k] != CAROM_BODY_FIXED, up = some[k] == CAROM_BODY_POINT,
               rotates = some[k] == CAROM_BODY_PLANAR;
        CHECK_NEAR(crm_distance(after.velocity, crm_vec3(0.5 * moves, 1.0 * moves, 1.5 * up)), 0.0, 1e-15);
        CHECK_NEAR(crm_distance(after.spin, crm_vec3(0.0, 0.0, 0.5 * rotates)), 0.0, 1e-15);
        world_destroy(state);
    }
}

// ---- callbacks

typedef struct well {
    double stiffness;
    bool conservative;
    int answer;
    double answer_from; // s
    double seen_time;
} well;

// A linear well about the origin of the world, at the body frame's origin.
static int pull(void *user, const carom_force_sample *sample, carom_force_value *value) {
    well *w = user;
    w->seen_time = sample->time;
    if (sample->time >= w->answer_from) return w->answer;
    value->force = crm_scale(-w->stiffness, sample->position);
    value->conservative = w->conservative;
    value->energy = 0.5 * w->stiffness * crm_length_squared(sample->position);
    return 0;
}

static carom_state *in_a_well(well *w) {
    carom_model *model = world_model((carom_vec3){0.0, 0.0, 0.0}, 0.0);
    carom_body_def def = world_body_def(2.0, (carom_vec3){1.0, 1.3, 1.7});
    def.name = "marble";
    def.centre = crm_vec3(0.0, 0.5, 0.0);
    def.position = crm_vec3(1.0, 0.0, 0.0);
    carom_body body = world_add(model, &def);
    carom_callback_def callback = {
        .struct_size = sizeof(carom_callback_def), .body = body, .function = pull, .user = w};
    CHECK_INT(carom_model_add_callback(model, &callback, NULL), CAROM_OK);
    return single_body(model, 0.125);
}

TEST(callbacks_act_at_the_frames_origin_and_count_as_energy_when_conservative) {
    for (int conservative = 0; conservative < 2; conservative++) {
        well w = {.stiffness = 4.0, .conservative = conservative, .answer_from = INFINITY};
        carom_state *state = in_a_well(&w);
        CHECK_NEAR(carom_state_energy(state).potential, conservative ? 2.0 : 0.0, 0.0);
        carom_step_report report = world_run(state, 1);
        carom_momentum momentum = carom_state_momentum(state);
        // Force (-4, 0, 0) at (1, 0, 0): none of the arms about the world's origin is across it.
        CHECK_NEAR(crm_distance(momentum.linear, crm_vec3(-0.5, 0.0, 0.0)), 0.0, 1e-15);
        CHECK_NEAR(crm_length(momentum.angular), 0.0, 1e-14);
        CHECK(world_body(state, 0).spin.z < -0.1); // about the centre of mass, 0.5 above it, there is one
        // What is no potential is work, taken out of the balance; either way it is of the order of the step.
        CHECK_NEAR(report.energy_balance, 0.0, 0.1);
        world_destroy(state);
    }
}

TEST(callbacks_can_ask_for_smaller_steps_or_the_end) {
    static const struct {
        int answer;
        const char *text;
    } answers[] = {{3, "body 'marble' has a force callback that answered 3 at t = 0.25 s: it asks for a smaller step"},
                   {-1, "body 'marble' has a force callback that answered -1 at t = 0.25 s: it asks to stop"}};
    for (int i = 0; i < 2; i++) {
        well w = {.stiffness = 4.0, .conservative = true, .answer = answers[i].answer, .answer_from = 0.25};
        carom_state *state = in_a_well(&w);
        world_run(state, 2);
        uint64_t hash = carom_state_hash(state);
        carom_step_report report;
        CHECK_INT(carom_step(carom_state_model(state), state, NULL, &report, NULL), CAROM_OK);
        CHECK_INT(report.outcome, CAROM_STEP_IMPOSSIBLE);
        CHECK_CONTAINS(report.text, answers[i].text);
        CHECK_INT(report.body.index, 0);
        CHECK(carom_state_hash(state) == hash);
        CHECK_INT(report.step, 2);
        w.answer_from = INFINITY; // the world recovers, and so does the run
        world_run(state, 1);
        world_destroy(state);
    }
}

static int return_nan(void *user, const carom_force_sample *sample, carom_force_value *value) {
    (void)user, (void)sample;
    value->torque.y = NAN;
    return 0;
}

TEST(callbacks_that_return_no_number_are_named) {
    carom_model *model = world_model((carom_vec3){0.0, 0.0, 0.0}, 0.0);
    carom_body_def def = world_body_def(2.0, (carom_vec3){1.0, 1.3, 1.7});
    def.name = "marble";
    carom_callback_def callback = {
        .struct_size = sizeof(carom_callback_def), .body = world_add(model, &def), .function = return_nan};
    CHECK_INT(carom_model_add_callback(model, &callback, NULL), CAROM_OK);
    carom_state *state = single_body(model, 0.125);
    carom_step_report report;
    CHECK_INT(carom_step(model, state, NULL, &report, NULL), CAROM_OK);
    CHECK_INT(report.outcome, CAROM_STEP_IMPOSSIBLE);
    CHECK_CONTAINS(report.text, "body 'marble' has a force callback that gave a force or torque that is not finite");
    CHECK_CONTAINS(report.text, "at t = 0 s");
    world_destroy(state);
}

TEST_MAIN(CASE(impossible_forces_are_refused_with_a_sentence_and_leave_the_model_alone),
          CASE(forces_are_minus_the_gradient_of_the_energy), CASE(inner_forces_cancel),
          CASE(a_spring_pulls_by_its_stretch_and_damps_along_itself), CASE(a_spring_whose_ends_meet_pulls_nowhere),
          CASE(drag_slows_by_its_three_coefficients), CASE(wrenches_act_at_their_point_in_world_or_body_axes),
          CASE(bodies_feel_only_what_their_kind_can),
          CASE(callbacks_act_at_the_frames_origin_and_count_as_energy_when_conservative),
          CASE(callbacks_can_ask_for_smaller_steps_or_the_end), CASE(callbacks_that_return_no_number_are_named))
