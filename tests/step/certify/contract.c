// SPDX-License-Identifier: MIT
// Contracts promise something: no bound is infinite, none grows with a tolerance that is loosened, and a number that is
// none keeps nothing.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "step/certify/accounts.h"
#include "step/certify/momentum_balance.h"
#include "step/method.h"
#include "support/harness/check.h"
#include "support/scene/text_scene.h"

static void loosen(carom_method_def *def, double to) {
    def->tolerance = def->relative_tolerance = to;
    def->absolute_tolerance = 1e3 * to;
    def->lcp.tolerance = def->impulse.tolerance = def->impulse.joint_tolerance = def->dcr.tolerance = to;
}

TEST(no_bound_is_infinite_or_grows_with_a_loosened_tolerance) {
    static const carom_integrator integrators[] = {CAROM_INTEGRATOR_DP54, CAROM_INTEGRATOR_RK4, CAROM_INTEGRATOR_EULER};
    for (int m = 0; m < CAROM_METHOD_COUNT; m++) {
        for (int i = 0; i < 3; i++) {
            carom_method_def def = carom_method_def_default();
            def.method = (carom_method)m;
            def.integrator = integrators[i];
            carom_contract contract = carom_method_contract(&def);
            loosen(&def, 0.9);
            carom_contract loose = carom_method_contract(&def);
            CHECK(contract.residual <= 1e-3 && loose.residual <= 1e-3);
            CHECK(contract.momentum_balance <= 1e-2 && loose.momentum_balance <= 1e-2);
            CHECK(contract.joint_drift <= 0.05 && loose.joint_drift <= 0.05);
            loosen(&def, 0.5);
            carom_contract less = carom_method_contract(&def);
            CHECK(memcmp(&less, &loose, sizeof less) == 0); // capped: nothing grows any more
        }
    }
}

// What promises no residual says so, and that is the only one.
TEST(fast_steps_promise_no_residual) {
    carom_method_def def = carom_method_def_default();
    def.lcp.accuracy = CAROM_ACCURACY_FAST;
    carom_contract contract = carom_method_contract(&def);
    CHECK(isinf(contract.residual));
    CHECK(contract.momentum_balance <= 1e-12 && contract.joint_drift <= 0.05);
}

// ---- a loose tolerance is told

static carom_summary run_loosely(const char *tolerance) {
    char text[4096];
    int used = snprintf(text, sizeof text,
                        "{\"carom\": 1, \"until\": 1, \"method\": {\"name\": \"lcp\", \"step\": 0.004, \"lcp\": "
                        "{\"tolerance\": %s}}, \"shapes\": {\"floor\": {\"kind\": \"half_space\", \"normal\": [0, 0, "
                        "1]}, \"box\": {\"kind\": \"box\", \"size\": [0.2, 0.2, 0.2]}}, \"bodies\": [{\"kind\": "
                        "\"fixed\", \"shape\": \"floor\"}",
                        tolerance);
    for (int i = 0; i < 8; i++) // a tower that leans a little and is hit by its own weight
        used += snprintf(text + used, sizeof text - (size_t)used,
                         ", {\"shape\": \"box\", \"density\": 1000, \"position\": [%g, 0, %g]}", 0.02 * i,
                         0.105 + 0.205 * i);
    snprintf(text + used, sizeof text - (size_t)used, "]}");
    text_scene s = text_scene_begin(text, NULL);
    carom_summary summary = carom_summary_begin(s.state);
    for (int i = 0; i < 100; i++) {
        carom_step_report report = text_scene_step(&s);
        carom_summary_add(&summary, &report);
    }
    carom_summary_conclude(&summary, s.state);
    text_scene_end(&s);
    return summary;
}

TEST(a_loosened_tolerance_does_not_make_a_run_green) {
    carom_summary loose = run_loosely("0.5"), fine = run_loosely("1e-3");
    CHECK(loose.largest_residual > 1e-3); // it did what was asked for
    CHECK(carom_rule_colour(CAROM_RULE_MISSED_STEPS, loose.finding[CAROM_RULE_MISSED_STEPS].value) !=
          CAROM_COLOUR_GREEN);
    CHECK(carom_rule_colour(CAROM_RULE_MISSED_STEPS, fine.finding[CAROM_RULE_MISSED_STEPS].value) ==
          CAROM_COLOUR_GREEN);
}

// ---- numbers that are none

TEST(momenta_that_are_no_numbers_balance_nothing) {
    static const double none[] = {NAN, INFINITY, -INFINITY};
    const crm_vec6 zero = crm_vec6_zero();
    for (int i = 0; i < 3; i++) {
        for (int which = 0; which < 4; which++) {
            crm_motion before = {.q = {1.0, 0.0, 0.0, 0.0}, .p = {1.0, 0.0, 0.0}}, after = before;
            crm_vec6 impulse = zero;
            if (which == 0) after.p.y = none[i];
            if (which == 1) after.l.z = none[i];
            if (which == 2) before.p.x = after.p.x = none[i]; // a difference of infinities is no zero
            if (which == 3) impulse.linear.z = none[i];
            crm_momentum_balance b = crm_momentum_of_body(&before, &after, &impulse, 0.5, (crm_impulse_size){0.0, 0.0});
            double linear = crm_length(b.linear.sum) / b.linear.size,
                   angular = crm_length(b.angular.sum) / b.angular.size;
            CHECK(!(linear <= 1e-12) || !(angular <= 1e-12));
        }
    }
}

static carom_step_report certify_with(double momentum, carom_finding *findings) {
    static const char text[] =
        "{\"carom\": 1, \"until\": 1, \"method\": {\"name\": \"lcp\", \"step\": 0.01}, \"bodies\": "
        "[{\"mass\": 1, \"velocity\": [1, 0, 0]}, {\"mass\": 1, \"position\": [5, 0, 0]}]}";
    text_scene s = text_scene_begin(text, NULL);
    carom_step_report report = {.outcome = CAROM_STEP_GOOD, .residual_body = {-1}, .body = {-1}};
    crm_accounts_begin(s.state);
    crm_method_lcp.advance(s.model, s.state, NULL, &report);
    if (momentum != 0.0) s.state->next[0].p.y = momentum;
    crm_certify(s.model, s.state, &crm_method_lcp, &report);
    carom_state_findings(s.state, findings);
    text_scene_end(&s);
    return report;
}

TEST(a_step_with_them_is_broken_and_red) {
    static const double none[] = {NAN, INFINITY};
    carom_finding finding[CAROM_RULE_COUNT];
    carom_step_report good = certify_with(0.0, finding);
    CHECK_INT(good.outcome, CAROM_STEP_GOOD);
    CHECK(good.momentum_balance <= 1e-12);
    for (int i = 0; i < 2; i++) {
        carom_step_report report = certify_with(none[i], finding);
        CHECK(!(report.momentum_balance <= 1e12));
        CHECK_INT(report.outcome, CAROM_STEP_BROKEN);
        CHECK_INT(carom_rule_colour(CAROM_RULE_NOT_FINITE, finding[CAROM_RULE_NOT_FINITE].value), CAROM_COLOUR_RED);
    }
}

TEST_MAIN(CASE(no_bound_is_infinite_or_grows_with_a_loosened_tolerance), CASE(fast_steps_promise_no_residual),
          CASE(a_loosened_tolerance_does_not_make_a_run_green), CASE(momenta_that_are_no_numbers_balance_nothing),
          CASE(a_step_with_them_is_broken_and_red))
