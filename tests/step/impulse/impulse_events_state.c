// SPDX-License-Identifier: MIT
// The method impulse with events: saved and copied states, memory, certificates, what is refused.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"
#include "support/geometry/touching.h"
#include "support/harness/check.h"
#include "support/harness/probe_allocator.h"

static const carom_vec3 down = {0.0, 0.0, -9.81}, origin = {0.0, 0.0, 0.0};

static carom_method_def by_events(double step) {
    carom_method_def method = carom_method_def_default();
    method.method = CAROM_METHOD_IMPULSE;
    method.step = step;
    return method;
}

// A box and two balls that fall on the floor and on each other.
static carom_model *heap(void) {
    carom_model *model = world_model(down, 0.0);
    carom_material material = touching_material(model, 0.3, 0.4);
    touching_add(model, touching_floor(model), material, 0.0, origin);
    carom_body_def box =
        touching_def(model, touching_box(model, 0.6, 0.5, 0.3), material, 2.0, crm_vec3(0.0, 0.0, 0.2));
    carom_model_shape sphere = touching_sphere(model, 0.15);
    carom_body_def ball = touching_def(model, sphere, material, 0.5, crm_vec3(0.05, 0.02, 0.6));
    carom_body_def other = touching_def(model, sphere, material, 0.5, crm_vec3(0.4, 0.1, 0.9));
    other.velocity = crm_vec3(-0.5, 0.0, 0.0);
    world_add(model, &box);
    world_add(model, &ball);
    world_add(model, &other);
    return model;
}

TEST(a_saved_or_copied_state_goes_on_with_the_same_bits) {
    carom_method_def method = by_events(1.0 / 60.0);
    carom_model *model = heap();
    carom_state *state = touching_state(model, &method), *loaded, *copied;
    carom_error error;
    CHECK_INT(carom_state_create(model, &method, &loaded, &error), CAROM_OK);
    CHECK_INT(carom_state_create(model, &method, &copied, &error), CAROM_OK);
    for (int round = 0; round < 2; round++) {
        world_run(state, 8);
        size_t size = carom_state_size(state);
        unsigned char *bytes = malloc(size);
        carom_state_save(state, bytes);
        CHECK_INT(carom_state_load(loaded, bytes, size, &error), CAROM_OK);
        CHECK_INT(carom_state_copy(state, copied, &error), CAROM_OK);
        free(bytes);
        for (int i = 0; i < 2; i++) {
            world_run(state, 1);
            world_run(loaded, 1);
            world_run(copied, 1);
            CHECK(carom_state_hash(loaded) == carom_state_hash(state));
            CHECK(carom_state_hash(copied) == carom_state_hash(state));
        }
    }
    carom_state_destroy(loaded);
    carom_state_destroy(copied);
    world_destroy(state);
}

// One run shows how much there is to take; the next, from the same beginning, takes nothing.
TEST(a_warm_state_allocates_nothing) {
    probe_allocator probe = {0};
    carom_allocator hook = probe_allocator_hook(&probe);
    carom_model_def def = carom_model_def_default();
    def.gravity = down;
    def.allocator = &hook;
    carom_model *model;
    carom_error error;
    CHECK_INT(carom_model_create(&def, &model, &error), CAROM_OK);
    carom_material material = touching_material(model, 0.3, 0.4);
    touching_add(model, touching_floor(model), material, 0.0, origin);
    touching_add(model, touching_box(model, 0.6, 0.5, 0.3), material, 2.0, crm_vec3(0.0, 0.0, 0.2));
    touching_add(model, touching_sphere(model, 0.15), material, 0.5, crm_vec3(0.05, 0.02, 0.6));
    carom_method_def method = by_events(1.0 / 60.0);
    carom_state *state = touching_state(model, &method);
    size_t size = carom_state_size(state);
    unsigned char *start = malloc(size);
    carom_state_save(state, start);
    world_run(state, 40);
    CHECK_INT(carom_state_load(state, start, size, &error), CAROM_OK);
    long long before = probe.calls;
    world_run(state, 40);
    CHECK_INT(probe.calls, before);
    free(start);
    world_destroy(state);
    CHECK_INT(probe.live_blocks, 0);
}

// What bodies got from the floor and from gravity is what they have; friction takes energy.
TEST(certificates_balance) {
    carom_method_def method = by_events(1.0 / 60.0);
    carom_state *state = touching_state(heap(), &method);
    for (int i = 0; i < 24; i++) {
        carom_step_report report = world_run(state, 1);
        CHECK(report.momentum_balance < 1e-10);
        CHECK(report.friction_work <= 1e-13);
        CHECK(report.energy_balance <= 1e-9); // contacts take energy and give none
        CHECK(report.infeasibility < 1e-11);
        CHECK(report.residual < 1e-9);
    }
    world_destroy(state);
}

TEST(joints_are_refused_with_the_methods_that_have_them) {
    carom_model *model = heap();
    carom_joint_def def = carom_joint_def_default();
    def.kind = CAROM_JOINT_BALL;
    def.a.index = 1;
    def.b.index = 2;
    def.point_a = crm_vec3(0.05, 0.02, 0.4);
    carom_joint joint;
    carom_error error;
    carom_state *state;
    carom_method_def method = by_events(1.0 / 60.0);
    method.impulse.variant = CAROM_IMPULSE_EVENTS;
    CHECK_INT(carom_model_add_joint(model, &def, &joint, &error), CAROM_OK);
    CHECK_INT(carom_model_freeze(model, &error), CAROM_OK);
    CHECK_INT(carom_state_create(model, &method, &state, &error), CAROM_ERR_UNSUPPORTED);
    CHECK_TEXT(error.text, "the variant events of the method impulse has no joints; set method.impulse.variant to "
                           "fixed, or take lcp, or without contact multiplier or reduced");
    method.impulse.variant = CAROM_IMPULSE_AUTO;
    CHECK_INT(carom_state_create(model, &method, &state, &error), CAROM_OK);
    CHECK_INT(carom_state_method(state)->impulse.variant, CAROM_IMPULSE_FIXED);
    carom_state_destroy(state);
    carom_model_destroy(model);
}

// A ball that bounces for ever in less and less time has more impacts than a step may have.
TEST(too_many_events_end_a_step_with_a_sentence) {
    carom_model *model = world_model(down, 0.0);
    carom_material material = touching_material(model, 0.0, 1.0);
    touching_add(model, touching_floor(model), material, 0.0, origin);
    touching_add(model, touching_sphere(model, 0.1), material, 1.0, crm_vec3(0.0, 0.0, 0.11));
    carom_method_def method = by_events(60.0);
    method.impulse.event_limit = 20;
    carom_state *state = touching_state(model, &method);
    carom_step_report report;
    carom_error error;
    CHECK_INT(carom_step(model, state, NULL, &report, &error), CAROM_OK);
    CHECK_INT(report.outcome, CAROM_STEP_IMPOSSIBLE);
    CHECK_CONTAINS(report.text, "a step of 60 s met 20 impacts and other events up to t = ");
    CHECK_CONTAINS(report.text, "raise method.impulse.event_limit");
    world_destroy(state);
}

TEST_MAIN(CASE(a_saved_or_copied_state_goes_on_with_the_same_bits), CASE(a_warm_state_allocates_nothing),
          CASE(certificates_balance), CASE(joints_are_refused_with_the_methods_that_have_them),
          CASE(too_many_events_end_a_step_with_a_sentence))
