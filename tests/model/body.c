// SPDX-License-Identifier: MIT
// Bodies of a model: what is refused and how that is said, names, and that the choice of the body frame does not
// matter.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "carom/model.h"
#include "math/quat.h"
#include "support/harness/check.h"
#include "support/harness/sample.h"
#include "support/model/world.h"

// ---- what is refused

static void mass_zero(carom_body_def *def) {
    def->mass = 0.0;
}
static void mass_negative(carom_body_def *def) {
    def->mass = -2.0;
}
static void mass_nan(carom_body_def *def) {
    def->mass = NAN;
}
static void mass_infinite(carom_body_def *def) {
    def->mass = INFINITY;
}
static void position_nan(carom_body_def *def) {
    def->position.y = NAN;
}
static void velocity_infinite(carom_body_def *def) {
    def->velocity.z = INFINITY;
}
static void spin_nan(carom_body_def *def) {
    def->spin.x = NAN;
}
static void centre_nan(carom_body_def *def) {
    def->centre.x = NAN;
}
static void attitude_zero(carom_body_def *def) {
    def->attitude = (carom_quat){0.0, 0.0, 0.0, 0.0};
}
static void attitude_nan(carom_body_def *def) {
    def->attitude.z = NAN;
}
static void inertia_nan(carom_body_def *def) {
    def->inertia.y.y = NAN;
}
static void inertia_asymmetric(carom_body_def *def) {
    def->inertia.x.y = 0.25;
}
static void inertia_zero(carom_body_def *def) {
    def->inertia = (carom_mat3){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
}
static void inertia_negative(carom_body_def *def) {
    def->inertia.z.z = -1.0;
}
static void inertia_impossible(carom_body_def *def) {
    def->inertia.z.z = 2.1;
}
// Off-diagonal entries that make the tensor impossible though its diagonal looks fine.
static void inertia_impossible_inside(carom_body_def *def) {
    def->inertia.x.y = def->inertia.y.x = 0.9;
}
static void kind_unknown(carom_body_def *def) {
    def->kind = (carom_body_kind)17;
}
static void fixed_with_velocity(carom_body_def *def) {
    def->kind = CAROM_BODY_FIXED;
    def->velocity.x = 1.0;
}
static void fixed_with_spin(carom_body_def *def) {
    def->kind = CAROM_BODY_FIXED;
    def->spin.z = 1.0;
}
static void point_with_spin(carom_body_def *def) {
    def->kind = CAROM_BODY_POINT;
    def->spin.z = 1.0;
}
static void point_with_centre(carom_body_def *def) {
    def->kind = CAROM_BODY_POINT;
    def->centre.z = 1.0;
}
static void planar_out_of_plane_velocity(carom_body_def *def) {
    def->kind = CAROM_BODY_PLANAR;
    def->velocity.z = 0.5;
}
static void planar_out_of_plane_spin(carom_body_def *def) {
    def->kind = CAROM_BODY_PLANAR;
    def->spin.y = 0.5;
}
static void material_unknown(carom_body_def *def) {
    def->material.index = 3;
}
static void material_negative(carom_body_def *def) {
    def->material.index = -2;
}
static void name_empty(carom_body_def *def) {
    def->name = "";
}

typedef struct refusal {
    void (*spoil)(carom_body_def *def);
    const char *sentence;
} refusal;

static const refusal refusals[] = {
    {mass_zero, "body 'cup': mass is 0 kg, must be positive and finite"},
    {mass_negative, "body 'cup': mass is -2 kg, must be positive and finite"},
    {mass_nan, "body 'cup': mass is nan kg, must be positive and finite"},
    {mass_infinite, "body 'cup': mass is inf kg, must be positive and finite"},
    {position_nan, "body 'cup': position is (0, nan, 0) m, must be finite"},
    {velocity_infinite, "body 'cup': velocity is (0, 0, inf) m/s, must be finite"},
    {spin_nan, "body 'cup': spin is (nan, 0, 0) rad/s, must be finite"},
    {centre_nan, "body 'cup': centre is (nan, 0, 0) m, must be finite"},
    {attitude_zero, "body 'cup': attitude is (0, 0, 0, 0), must be finite and not zero"},
    {attitude_nan, "body 'cup': attitude is (1, 0, 0, nan), must be finite and not zero"},
    {inertia_nan, "body 'cup': inertia must be finite"},
    {inertia_asymmetric, "body 'cup': inertia must be symmetric; entries across the diagonal differ by 0.25"},
    {inertia_zero, "principal moments of inertia are 0, 0, 0 kg m^2, must be positive"},
    {inertia_negative, "principal moments of inertia are -1, 1, 1 kg m^2, must be positive"},
    {inertia_impossible, "principal moments of inertia are 1, 1, 2.1 kg m^2; no body has one larger than the sum"},
    {inertia_impossible_inside, "principal moments of inertia are 0.1, 1, 1.9 kg m^2; no body has one larger"},
    {kind_unknown, "body 'cup': 17 is no kind of body"},
    {fixed_with_velocity, "body 'cup': a fixed body has no velocity and no spin"},
    {fixed_with_spin, "body 'cup': a fixed body has no velocity and no spin"},
    {point_with_spin, "body 'cup': a point has no spin"},
    {point_with_centre, "body 'cup': a point has its centre of mass at its origin"},
    {planar_out_of_plane_velocity, "moves along x and y and spins about z only; velocity z is 0.5"},
    {planar_out_of_plane_spin, "moves along x and y and spins about z only; velocity z is 0, spin is (0, 0.5, 0)"},
    {material_unknown, "body 'cup': there is no material 3; the model has 0"},
    {material_negative, "body 'cup': there is no material -2; the model has 0"},
    {name_empty, "body 0: its name is empty; leave it out or give one"},
};

TEST(impossible_bodies_are_refused_with_a_sentence_and_leave_the_model_alone) {
    carom_model *model = world_model((carom_vec3){0.0, 0.0, 0.0}, 0.0);
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        carom_body_def def = carom_body_def_default();
        def.name = "cup";
        refusals[i].spoil(&def);
        carom_body body = {77};
        carom_error error = {.text = ""};
        CHECK_INT(carom_model_add_body(model, &def, &body, &error), CAROM_ERR_BAD_INPUT);
        CHECK_CONTAINS(error.text, refusals[i].sentence);
        CHECK_INT(carom_model_add_body(model, &def, NULL, NULL), CAROM_ERR_BAD_INPUT); // nobody listens
        CHECK_INT(body.index, 77);
        CHECK_INT(carom_model_body_count(model), 0);
        CHECK_INT(carom_model_find_body(model, "cup").index, -1);
    }
    carom_model_destroy(model);
}

TEST(bodies_at_the_edge_of_the_possible_are_taken) {
    carom_model *model = world_model((carom_vec3){0.0, 0.0, 0.0}, 0.0);
    carom_body_def plate = world_body_def(1e-9, (carom_vec3){1.0, 2.0, 3.0}); // a plate reaches the triangle's bound
    world_add(model, &plate);
    carom_body_def rounded = world_body_def(1.0, (carom_vec3){1.0, 2.0, 3.0 * (1.0 + 1e-12)});
    rounded.inertia.x.y = 1e-12; // asymmetric by rounding
    world_add(model, &rounded);
    carom_body_def fixed = carom_body_def_default();
    fixed.kind = CAROM_BODY_FIXED;
    fixed.mass = 0.0; // is not asked for
    fixed.inertia.x.x = 0.0;
    world_add(model, &fixed);
    carom_body_def point = carom_body_def_default();
    point.kind = CAROM_BODY_POINT;
    point.inertia.x.x = 0.0; // is not asked for either
    world_add(model, &point);
    carom_body_def far = carom_body_def_default();
    far.attitude = (carom_quat){1e200, 1e200, 0.0, 0.0}; // only the direction counts
    carom_body body = world_add(model, &far);
    carom_body_def back;
    CHECK_INT(carom_model_get_body(model, body, &back, NULL), CAROM_OK);
    CHECK_NEAR(back.attitude.w, sqrt(0.5), 1e-15);
    CHECK_INT(carom_model_body_count(model), 5);
    carom_model_destroy(model);
}

TEST(impossible_worlds_are_refused) {
    carom_model_def def = carom_model_def_default();
    def.gravity.y = NAN;
    carom_model *model = (carom_model *)&def;
    carom_error error;
    CHECK_INT(carom_model_create(&def, &model, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "gravity is (0, nan, -9.81) m/s^2, must be finite");
    CHECK(model == NULL);
    def = carom_model_def_default();
    def.coulomb_constant = INFINITY;
    CHECK_INT(carom_model_create(&def, &model, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "coulomb_constant is inf");
    carom_model_destroy(NULL);
}

TEST(names_are_unique_and_ids_are_checked) {
    carom_model *model = world_model((carom_vec3){0.0, 0.0, 0.0}, 0.0);
    carom_body_def def = carom_body_def_default();
    char name[] = "arm";
    def.name = name;
    CHECK_INT(world_add(model, &def).index, 0);
    name[0] = 'X'; // the model has a copy
    CHECK_TEXT(carom_model_body_name(model, (carom_body){0}), "arm");
    def.name = "arm";
    carom_error error;
    CHECK_INT(carom_model_add_body(model, &def, NULL, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "body 'arm': there is a body of that name already");
    def.name = NULL;
    CHECK_INT(world_add(model, &def).index, 1);
    CHECK_INT(carom_model_find_body(model, "arm").index, 0);
    CHECK_INT(carom_model_find_body(model, "leg").index, -1);
    CHECK(carom_model_body_name(model, (carom_body){1}) == NULL);
    const int bad[] = {-1, -2, 2, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK(carom_model_body_name(model, (carom_body){bad[i]}) == NULL);
        CHECK_INT(carom_model_get_body(model, (carom_body){bad[i]}, &def, &error), CAROM_ERR_BAD_INPUT);
        CHECK_CONTAINS(error.text, "the model has 2 bodies");
    }
    carom_model_destroy(model);
}

TEST(a_frozen_model_takes_nothing_more) {
    carom_model *model = world_model((carom_vec3){0.0, 0.0, 0.0}, 0.0);
    carom_body_def body = carom_body_def_default();
    world_add(model, &body);
    world_add(model, &body);
    carom_error error;
    carom_state *state = (carom_state *)&body;
    carom_method_def method = carom_method_def_default();
    CHECK_INT(carom_state_create(model, &method, &state, &error), CAROM_ERR_FROZEN);
    CHECK_CONTAINS(error.text, "must be frozen before");
    CHECK(state == NULL);
    CHECK_INT(carom_model_freeze(model, &error), CAROM_OK);
    CHECK_INT(carom_model_freeze(model, &error), CAROM_OK); // once more is no harm
    carom_material_def material = carom_material_def_default();
    carom_drag_def drag = {.struct_size = sizeof(carom_drag_def), .body = {0}};
    carom_spring_def spring = {.struct_size = sizeof(carom_spring_def), .a = {0}, .b = {1}};
    carom_charge_def charge = {.struct_size = sizeof(carom_charge_def), .body = {0}};
    carom_magnet_def magnet = {
        .struct_size = sizeof(carom_magnet_def), .body = {0}, .axis = {0.0, 0.0, 1.0}, .length = 1.0};
    carom_wrench_def wrench = {.struct_size = sizeof(carom_wrench_def), .body = {0}};
    CHECK_INT(carom_model_add_body(model, &body, NULL, &error), CAROM_ERR_FROZEN);
    CHECK_INT(carom_model_add_material(model, &material, NULL, &error), CAROM_ERR_FROZEN);
    CHECK_INT(carom_model_set_material_pair(model, (carom_material){-1}, (carom_material){-1}, 0.1, 0.1, &error),
              CAROM_ERR_FROZEN);
    CHECK_INT(carom_model_add_drag(model, &drag, &error), CAROM_ERR_FROZEN);
    CHECK_INT(carom_model_add_spring(model, &spring, &error), CAROM_ERR_FROZEN);
    CHECK_INT(carom_model_add_charge(model, &charge, &error), CAROM_ERR_FROZEN);
    CHECK_INT(carom_model_add_magnet(model, &magnet, &error), CAROM_ERR_FROZEN);
    CHECK_INT(carom_model_add_wrench(model, &wrench, &error), CAROM_ERR_FROZEN);
    CHECK_INT(carom_model_add_callback(
                  model, &(carom_callback_def){.struct_size = sizeof(carom_callback_def), .body = {0}}, &error),
              CAROM_ERR_FROZEN);
    CHECK_TEXT(error.text, "the model is frozen: add shapes, bodies, materials, forces and joints before freezing it");
    CHECK_INT(carom_model_body_count(model), 2);
    carom_model_destroy(model);
}

// Linear search would take 5e9 comparisons.
TEST(a_hundred_thousand_names_are_found_fast) {
    enum { BODIES = 100000 };
    carom_model *model = world_model((carom_vec3){0.0, 0.0, 0.0}, 0.0);
    carom_body_def def = carom_body_def_default();
    char name[32];
    def.name = name;
    double start = crm_clock_thread_seconds();
    for (int i = 0; i < BODIES; i++) {
        snprintf(name, sizeof name, "body-%d", i);
        if (!CHECK_INT(world_add(model, &def).index, i)) break;
    }
    for (int i = 0; i < BODIES; i++) {
        snprintf(name, sizeof name, "body-%d", i);
        if (!CHECK_INT(carom_model_find_body(model, name).index, i)) break;
    }
    CHECK(crm_clock_thread_seconds() - start < 5.0); // 0.05 s in the release build
    carom_model_destroy(model);
}

// ---- principal frames

// The same body, spring and start, described in a body frame that is rotated by `rotation` and shifted by `shift`.
static carom_state *described_in(carom_quat rotation, carom_vec3 shift, carom_method method) {
    carom_model *model = world_model((carom_vec3){0.3, -9.0, 2.0}, 0.0);
    carom_body_def def = world_body_def(1.7, (carom_vec3){0.8, 1.1, 1.6});
    carom_quat attitude = crm_quat_normalised((carom_quat){0.7, -0.2, 0.5, 0.4});
    carom_vec3 spin = {1.0, -2.0, 0.7}, velocity = {0.4, 0.1, -0.3}, hook = {0.5, -0.3, 0.2};
    // world = x + R y for the body's own frame; the new frame has y = rotation z + shift.
    def.attitude = crm_quat_mul(attitude, rotation);
    def.position = crm_quat_rotate(attitude, shift);
    def.velocity = crm_add(velocity, crm_cross(spin, def.position));
    def.spin = spin;
    def.centre = crm_quat_rotate_inverse(rotation, crm_negate(shift));
    def.inertia = crm_congruence(crm_quat_to_mat3(crm_quat_conjugate(rotation)), def.inertia);
    carom_body body = world_add(model, &def);
    carom_spring_def spring = carom_spring_def_default();
    spring.a = body;
    spring.point_a = crm_quat_rotate_inverse(rotation, crm_sub(hook, shift));
    spring.point_b = crm_vec3(0.2, 0.4, 1.5);
    spring.stiffness = 8.0;
    spring.rest_length = 0.6;
    CHECK_INT(carom_model_add_spring(model, &spring, NULL), CAROM_OK);
    return world_state(model, method, 0.01);
}

TEST(the_body_frame_does_not_change_the_motion) {
    static const carom_method methods[] = {CAROM_METHOD_VARIATIONAL, CAROM_METHOD_EULER};
    sampler s = {.seed = 11};
    for (int m = 0; m < 2; m++) {
        carom_state *plain = described_in(crm_quat_identity(), crm_vec3_zero(), methods[m]);
        for (int i = 0; i < 100; i++) (void)world_run(plain, 1);
        carom_body_state wanted = world_body(plain, 0);
        for (int k = 0; k < 10; k++) {
            carom_quat rotation = sample_attitude(&s);
            carom_vec3 shift = sample_vec3(&s, 2.0);
            carom_state *other = described_in(rotation, shift, methods[m]);
            world_run(other, 100);
            carom_body_state got = world_body(other, 0);
            // Back to the first frame: x = position - R shift of the frame's origin.
            carom_quat attitude = crm_quat_mul(got.attitude, crm_quat_conjugate(rotation));
            carom_vec3 arm = crm_quat_rotate(attitude, shift);
            CHECK_NEAR(crm_distance(crm_sub(got.position, arm), wanted.position), 0.0, 1e-12);
            CHECK_NEAR(crm_quat_angle(attitude, wanted.attitude), 0.0, 1e-12);
            CHECK_NEAR(crm_distance(crm_sub(got.velocity, crm_cross(got.spin, arm)), wanted.velocity), 0.0, 1e-12);
            CHECK_NEAR(crm_distance(got.spin, wanted.spin), 0.0, 1e-12);
            CHECK_NEAR(world_energy(other), world_energy(plain), 1e-12);
            world_destroy(other);
        }
        world_destroy(plain);
    }
}

TEST(a_state_returns_the_pose_it_was_given) {
    sampler s = {.seed = 3};
    for (int k = 0; k < 20; k++) {
        carom_model *model = world_model((carom_vec3){0.0, 0.0, 0.0}, 0.0);
        carom_body_def def = world_body_def(0.5, (carom_vec3){1.0, 1.5, 2.0});
        def.inertia = crm_congruence(crm_quat_to_mat3(sample_attitude(&s)), def.inertia);
        def.centre = sample_vec3(&s, 1.0);
        def.position = sample_vec3(&s, 3.0);
        def.attitude = sample_attitude(&s);
        def.velocity = sample_vec3(&s, 3.0);
        def.spin = sample_vec3(&s, 3.0);
        world_add(model, &def);
        carom_state *state = world_state(model, CAROM_METHOD_VARIATIONAL, 0.01);
        carom_body_state got = world_body(state, 0);
        CHECK_NEAR(crm_distance(got.position, def.position), 0.0, 4e-15);
        CHECK_NEAR(crm_quat_angle(got.attitude, def.attitude), 0.0, 4e-15);
        CHECK_NEAR(crm_distance(got.velocity, def.velocity), 0.0, 2e-14);
        CHECK_NEAR(crm_distance(got.spin, def.spin), 0.0, 2e-14);
        world_destroy(state);
    }
}

TEST_MAIN(CASE(impossible_bodies_are_refused_with_a_sentence_and_leave_the_model_alone),
          CASE(bodies_at_the_edge_of_the_possible_are_taken), CASE(impossible_worlds_are_refused),
          CASE(names_are_unique_and_ids_are_checked), CASE(a_frozen_model_takes_nothing_more),
          CASE(a_hundred_thousand_names_are_found_fast), CASE(the_body_frame_does_not_change_the_motion),
          CASE(a_state_returns_the_pose_it_was_given))
