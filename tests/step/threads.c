// SPDX-License-Identifier: MIT
// No bit of a run depends on the number of threads.
#include <string.h>

#include "base/random.h"
#include "carom/carom.h"
#include "math/vec3.h"
#include "support/harness/check.h"
#include "support/model/world.h"

enum { BODIES = 1000, STEPS = 40 };

static carom_model *make_cloud(bool coupled) {
    crm_random random = {.seed = 51};
    carom_model_def def = carom_model_def_default();
    def.coulomb_constant = 1e-3;
    carom_model *model;
    assert_int_equal(carom_model_create(&def, &model, NULL), CAROM_OK);
    for (int b = 0; b < BODIES; b++) {
        carom_body_def body = carom_body_def_default();
        body.kind = b % 7 == 3 ? CAROM_BODY_POINT : b % 11 == 5 ? CAROM_BODY_FIXED : CAROM_BODY_FREE;
        body.mass = crm_random_between(&random, 0.5, 2.0);
        body.inertia.x.x = crm_random_between(&random, 0.7, 1.2);
        body.position = crm_scale(10.0, crm_random_direction(&random));
        if (body.kind == CAROM_BODY_FREE) body.spin = crm_random_direction(&random);
        if (body.kind != CAROM_BODY_FIXED) body.velocity = crm_random_direction(&random);
        assert_int_equal(carom_model_add_body(model, &body, NULL, NULL), CAROM_OK);
    }
    for (int b = 0; b < 12 && coupled; b++) {
        bool is_point = 80 * b % 7 == 3; // its only place is its origin
        carom_charge_def charge = {sizeof(carom_charge_def), {80 * b}, {is_point ? 0.0 : 0.1, 0.0, 0.0}, 1.0};
        assert_int_equal(carom_model_add_charge(model, &charge, NULL), CAROM_OK);
    }
    assert_int_equal(carom_model_freeze(model, NULL), CAROM_OK);
    return model;
}

// The hash after the run, and every bit of the last report.
static uint64_t run(const carom_model *model, carom_method method, int threads, carom_step_report *last) {
    carom_method_def def = carom_method_def_default();
    def.method = method;
    def.threads = threads;
    carom_state *state;
    assert_int_equal(carom_state_create(model, &def, &state, NULL), CAROM_OK);
    memset(last, 0, sizeof *last);
    for (int i = 0; i < STEPS; i++) {
        assert_int_equal(carom_step(model, state, NULL, last, NULL), CAROM_OK);
        CHECK_INT(last->outcome, CAROM_STEP_GOOD);
    }
    uint64_t hash = carom_state_hash(state);
    carom_state_destroy(state);
    return hash;
}

TEST(runs_on_1_2_and_8_threads_end_in_the_same_bits) {
    for (int coupled = 0; coupled < 2; coupled++) {
        carom_model *model = make_cloud(coupled);
        for (carom_method method = 0; method < CAROM_METHOD_COUNT; method++) {
            carom_step_report one, other;
            uint64_t hash = run(model, method, 1, &one);
            for (int threads = 2; threads <= 8; threads *= 4) {
                CHECK(run(model, method, threads, &other) == hash);
                CHECK(one.energy.kinetic == other.energy.kinetic && one.energy.potential == other.energy.potential);
                CHECK(one.momentum_balance == other.momentum_balance && one.residual == other.residual);
                CHECK(memcmp(&one.momentum, &other.momentum, sizeof one.momentum) == 0);
            }
        }
        carom_model_destroy(model);
    }
}

TEST(the_first_body_without_a_step_is_named_whatever_the_threads) {
    carom_model *model = make_cloud(false);
    for (int threads = 1; threads <= 8; threads *= 2) {
        carom_method_def def = carom_method_def_default();
        def.method = CAROM_METHOD_VARIATIONAL;
        def.threads = threads;
        carom_state *state;
        assert_int_equal(carom_state_create(model, &def, &state, NULL), CAROM_OK);
        const int fast[] = {902, 310, 701};
        for (int i = 0; i < 3; i++) {
            carom_body_state body;
            assert_int_equal(carom_state_get_body(state, (carom_body){fast[i]}, &body, NULL), CAROM_OK);
            body.spin = crm_vec3(0.0, 1e4, 0.0);
            assert_int_equal(carom_state_set_body(state, (carom_body){fast[i]}, &body, NULL), CAROM_OK);
        }
        uint64_t before = carom_state_hash(state);
        carom_step_report report;
        assert_int_equal(carom_step(model, state, NULL, &report, NULL), CAROM_OK);
        CHECK_INT(report.outcome, CAROM_STEP_IMPOSSIBLE);
        CHECK_INT(report.body.index, 310);
        CHECK_CONTAINS(report.text, "body 310 rotates by");
        CHECK(carom_state_hash(state) == before);
        carom_state_destroy(state);
    }
    carom_model_destroy(model);
}

TEST_MAIN(CASE(runs_on_1_2_and_8_threads_end_in_the_same_bits),
          CASE(the_first_body_without_a_step_is_named_whatever_the_threads))
