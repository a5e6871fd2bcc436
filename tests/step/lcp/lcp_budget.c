// SPDX-License-Identifier: MIT
// What steps of lcp may take: no step takes more than its budget, whatever it is asked for, and what is not met is
// said.
#include <math.h>

#include "carom/tools.h"
#include "math/vec3.h"
#include "support/harness/check.h"
#include "support/scene/random_scene.h"

static carom_method_def method_of(carom_accuracy accuracy, double tolerance) {
    carom_method_def method = carom_method_def_default();
    method.step = 0.005;
    method.lcp.accuracy = accuracy;
    method.lcp.tolerance = tolerance;
    return method;
}

// Every step takes something, and no more than it may.
static void check_work(uint64_t seed, const carom_method_def *method, int steps) {
    carom_state *state = touching_state(random_scene(seed), method);
    double bound = carom_method_contract(method).residual;
    for (int i = 0; i < steps; i++) {
        carom_step_report report;
        carom_error error = {0};
        if (!CHECK_INT(carom_step(carom_state_model(state), state, NULL, &report, &error), CAROM_OK)) break;
        carom_step_work work = carom_state_work(state);
        if (!CHECK(report.contacts == 0 || work.taken > 0.0) || !CHECK(work.taken <= work.allowed)) break;
        if (!CHECK(report.residual <= bound || report.outcome != CAROM_STEP_GOOD)) break;
    }
    world_destroy(state);
}

static void check_scenes(int scenes, int steps) {
    carom_method_def method[] = {method_of(CAROM_ACCURACY_FAST, 0.0), method_of(CAROM_ACCURACY_DEFAULT, 0.0),
                                 method_of(CAROM_ACCURACY_DEFAULT, 1e-6)};
    for (int seed = 0; seed < scenes; seed++)
        for (size_t i = 0; i < sizeof method / sizeof *method; i++) check_work((uint64_t)seed, &method[i], steps);
}

TEST(no_step_takes_more_than_its_budget) {
    check_scenes(6, 60);
}

TEST(no_step_of_a_hundred_scenes_takes_more_than_its_budget) {
    check_scenes(100, 200);
}

// A budget is for 1,000 contacts, of which at least 20 are counted, and no less than what evaluating takes.
TEST(a_budget_is_what_the_settings_say) {
    carom_method_def method = method_of(CAROM_ACCURACY_DEFAULT, 0.0);
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -9.81), 0.0);
    carom_material material = touching_material(model, 0.4, 0.0);
    touching_add(model, touching_floor(model), material, 0.0, crm_vec3_zero());
    touching_add(model, touching_box(model, 1.0, 1.0, 1.0), material, 1.0, crm_vec3(0.0, 0.0, 0.5));
    CHECK_INT(carom_model_freeze(model, NULL), CAROM_OK);
    const struct {
        carom_solver solver;
        double budget, allowed;
    } cases[] = {{CAROM_SOLVER_AUTO, 0.0, 5e6},      {CAROM_SOLVER_AUTO, 0.5, 1e7},
                 {CAROM_SOLVER_AUTO, 0.006, 1.2e5},  {CAROM_SOLVER_AUTO, 1e-9, 1e5}, // the least
                 {CAROM_SOLVER_INTERIOR, 0.03, 6e5}, {CAROM_SOLVER_INTERIOR, 1e-9, 5e5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        method.lcp.solver = cases[i].solver;
        method.lcp.budget = cases[i].budget;
        carom_state *state = NULL;
        CHECK_INT(carom_state_create(model, &method, &state, NULL), CAROM_OK);
        world_run(state, 1);
        CHECK_NEAR(carom_state_work(state).allowed, cases[i].allowed, 1e-3);
        carom_state_destroy(state);
    }
    carom_model_destroy(model);
}

TEST_MAIN(CASE(no_step_takes_more_than_its_budget), LONG_CASE(no_step_of_a_hundred_scenes_takes_more_than_its_budget),
          CASE(a_budget_is_what_the_settings_say))
