// SPDX-License-Identifier: MIT
// Piles on four threads: no bit differs from a run on one, and under the thread sanitizer no two threads meet on a
// byte.
#include "carom/carom.h"
#include "math/vec3.h"
#include "support/geometry/touching.h"
#include "support/harness/check.h"
#include "support/harness/sample.h"

static const carom_vec3 down = {0.0, 0.0, -9.81}, origin = {0.0, 0.0, 0.0};

enum { HEAPS = 5, BODIES = 40 };

// Five heaps of 40 bodies on one floor, mostly boxes: islands of several sizes, which fall apart and join.
static carom_model *five_heaps(void) {
    sampler s = {.seed = 61};
    carom_model *model = world_model(down, 0.0);
    carom_material material = touching_material(model, 0.5, 0.1);
    touching_add(model, touching_floor(model), material, 0.0, origin);
    carom_model_shape box = touching_box(model, 0.5, 0.4, 0.3);
    carom_model_shape egg = touching_ellipsoid(model, 0.25, 0.2, 0.15);
    for (int i = 0; i < HEAPS * BODIES; i++) {
        int heap = i / BODIES, layer = i % BODIES / 4, corner = i % 4;
        carom_vec3 at = {6.0 * heap + 0.55 * (corner % 2), 0.55 * (corner / 2), 0.35 + 0.6 * layer};
        carom_body_def def = touching_def(model, i % 5 == 0 ? egg : box, material, 1.0 + i % 3, at);
        def.attitude = sample_attitude(&s);
        def.velocity = sample_vec3(&s, 0.5);
        world_add(model, &def);
    }
    return model;
}

static carom_method_def method_def(carom_method method) {
    carom_method_def def = touching_method(0.01, 1e-6);
    def.method = method;
    return def;
}

// A wall of boxes, 24 wide and 18 high: one island of more than 4,000 contacts, which the threads solve together.
static carom_model *wall(void) {
    sampler s = {.seed = 63};
    carom_model *model = world_model(down, 0.0);
    carom_material material = touching_material(model, 0.5, 0.0);
    touching_add(model, touching_floor(model), material, 0.0, origin);
    carom_model_shape box = touching_box(model, 0.5, 0.4, 0.3);
    for (int i = 0; i < 24 * 18; i++) {
        int layer = i / 24;
        carom_vec3 at = {0.5 * (i % 24) + 0.25 * (layer % 2), 0.0, 0.15 + 0.3 * layer};
        carom_body_def def = touching_def(model, box, material, 1.0, at);
        def.velocity = sample_vec3(&s, 0.1);
        world_add(model, &def);
    }
    return model;
}

// Balls in the corners of a lattice, close enough to meet within the run: what every method with contact can step.
static carom_model *cloud_of_balls(void) {
    sampler s = {.seed = 62};
    carom_model *model = world_model(origin, 0.0);
    carom_material material = touching_material(model, 0.0, 1.0);
    carom_model_shape ball = touching_sphere(model, 0.45);
    for (int i = 0; i < 64; i++) {
        carom_body_def def = touching_def(model, ball, material, 1.0, crm_vec3(i % 4, i / 4 % 4, 1.0 + i / 16));
        def.velocity = sample_vec3(&s, 2.0);
        world_add(model, &def);
    }
    return model;
}

// The hash after some steps, 0 where the method refuses the model; and how many contacts the last step had.
static uint64_t run_as(const carom_model *model, carom_method_def def, int threads, int steps, int *contacts) {
    def.threads = threads;
    carom_state *state;
    carom_error error;
    if (carom_state_create(model, &def, &state, &error) != CAROM_OK) return 0;
    *contacts = 0;
    for (int i = 0; i < steps; i++) {
        carom_step_report report;
        CHECK_INT(carom_step(model, state, NULL, &report, &error), CAROM_OK);
        int count;
        carom_state_contacts(state, &count);
        *contacts += count;
    }
    uint64_t hash = carom_state_hash(state);
    carom_state_destroy(state);
    return hash;
}

static uint64_t run(const carom_model *model, carom_method method, int threads, int steps, int *contacts) {
    return run_as(model, method_def(method), threads, steps, contacts);
}

TEST(heaps_fall_to_the_same_bits) {
    int contacts;
    carom_model *model = five_heaps();
    CHECK_INT(carom_model_freeze(model, NULL), CAROM_OK);
    uint64_t one = run(model, CAROM_METHOD_LCP, 1, 25, &contacts);
    CHECK(one != 0 && contacts > 1000);
    CHECK(run(model, CAROM_METHOD_LCP, 4, 25, &contacts) == one);
    carom_model_destroy(model);
}

TEST(a_wall_falls_to_the_same_bits) {
    enum { STEPS = 3, LARGE = 4000 };
    int contacts;
    carom_method_def def = method_def(CAROM_METHOD_LCP);
    def.lcp.tolerance = 0.0;
    def.lcp.accuracy = CAROM_ACCURACY_FAST;
    carom_model *model = wall();
    CHECK_INT(carom_model_freeze(model, NULL), CAROM_OK);
    uint64_t one = run_as(model, def, 1, STEPS, &contacts);
    CHECK(one != 0 && contacts > STEPS * LARGE);
    CHECK(run_as(model, def, 2, STEPS, &contacts) == one);
    CHECK(run_as(model, def, 4, STEPS, &contacts) == one);
    carom_model_destroy(model);
}

TEST(every_method_with_contact_gives_the_same_bits) {
    int contacts, methods = 0;
    carom_model *model = cloud_of_balls();
    CHECK_INT(carom_model_freeze(model, NULL), CAROM_OK);
    for (carom_method method = 0; method < CAROM_METHOD_COUNT; method++) {
        uint64_t one = run(model, method, 1, 20, &contacts);
        if (one == 0) continue;
        methods += contacts > 0;
        CHECK(run(model, method, 4, 20, &contacts) == one);
    }
    CHECK_INT(methods, 5); // `potential` and `newmark` want settings of their own
    carom_model_destroy(model);
}

TEST_MAIN(CASE(heaps_fall_to_the_same_bits), CASE(a_wall_falls_to_the_same_bits),
          CASE(every_method_with_contact_gives_the_same_bits))
