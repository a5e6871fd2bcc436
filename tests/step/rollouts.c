// SPDX-License-Identifier: MIT
// Rollouts on several threads share one model; each gives the bits it gives alone.
#include <pthread.h>

#include "math/vec3.h"
#include "support/harness/check.h"
#include "support/harness/sample.h"
#include "support/model/world.h"

enum { THREADS = 8, STEPS = 400, BODIES = 6 };

static carom_model *shared_model(void) {
    carom_model *model = world_model((carom_vec3){0.0, 0.0, -1.0}, 0.5);
    sampler s = {.seed = 9};
    for (int b = 0; b < BODIES; b++) {
        carom_body_def def = world_body_def(1.0 + 0.1 * b, (carom_vec3){0.2, 0.25, 0.3});
        def.position = crm_vec3(1.5 * b, 0.0, 0.0);
        def.attitude = sample_attitude(&s);
        def.spin = sample_vec3(&s, 1.0);
        carom_body body = world_add(model, &def);
        carom_charge_def charge = {
            .struct_size = sizeof(carom_charge_def), .body = body, .point = sample_vec3(&s, 0.2), .charge = 0.5};
        CHECK_INT(carom_model_add_charge(model, &charge, NULL), CAROM_OK);
        if (b == 0) continue;
        carom_spring_def spring = {
            .struct_size = sizeof(carom_spring_def), .a = {b - 1}, .b = body, .stiffness = 20.0, .rest_length = 1.0};
        spring.point_a = sample_vec3(&s, 0.2);
        CHECK_INT(carom_model_add_spring(model, &spring, NULL), CAROM_OK);
    }
    CHECK_INT(carom_model_freeze(model, NULL), CAROM_OK);
    return model;
}

typedef struct rollout {
    carom_state *state;
    int push; // which body is pushed: rollouts differ by it
    uint64_t hash;
    int bad_steps;
} rollout;

static void *roll_out(void *argument) {
    rollout *r = argument;
    const carom_wrench wrench = {{r->push}, {0.0, 0.5, 0.0}, {0.1, 0.0, 0.0}};
    carom_input input = {.wrench_count = 1, .wrench = &wrench};
    for (int i = 0; i < STEPS; i++) {
        carom_step_report report;
        carom_status status = carom_step(carom_state_model(r->state), r->state, &input, &report, NULL);
        if (status != CAROM_OK || report.outcome != CAROM_STEP_GOOD) r->bad_steps++;
    }
    r->hash = carom_state_hash(r->state);
    return NULL;
}

TEST(rollouts_on_threads_give_the_bits_they_give_alone) {
    carom_model *model = shared_model();
    for (int method = 0; method < CAROM_METHOD_COUNT; method++) {
        rollout together[THREADS], alone[THREADS];
        pthread_t threads[THREADS];
        for (int t = 0; t < THREADS; t++) {
            // Two threads each make the same rollout.
            together[t] = (rollout){world_state(model, (carom_method)method, 0.002), t / 2, 0, 0};
            alone[t] = (rollout){world_state(model, (carom_method)method, 0.002), t / 2, 0, 0};
        }
        for (int t = 0; t < THREADS; t++) CHECK_INT(pthread_create(&threads[t], NULL, roll_out, &together[t]), 0);
        for (int t = 0; t < THREADS; t++) CHECK_INT(pthread_join(threads[t], NULL), 0);
        for (int t = 0; t < THREADS; t++) {
            roll_out(&alone[t]);
            CHECK(together[t].hash == alone[t].hash);
            CHECK_INT(together[t].bad_steps + alone[t].bad_steps, 0);
            CHECK(together[t].hash == together[t / 2 * 2].hash);
            CHECK(t < 2 || together[t].hash != together[t - 2].hash);
        }
        for (int t = 0; t < THREADS; t++) {
            carom_state_destroy(together[t].state);
            carom_state_destroy(alone[t].state);
        }
    }
    carom_model_destroy(model);
}

TEST_MAIN(CASE(rollouts_on_threads_give_the_bits_they_give_alone))
