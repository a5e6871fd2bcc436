// SPDX-License-Identifier: MIT
// The energy ledger (docs/math.md 12): its lines add up to the change of the kinetic energy, each is what a closed form
// says, and what no line has is as small as the method is exact.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/harness/check.h"
#include "support/scene/text_scene.h"

typedef struct ledger_run {
    carom_ledger sum;
    double kinetic;        // change over the run, J
    double scale;          // largest kinetic energy + range of the potential, J
    double largest_impact; // work of contacts in a step, J
    double wrong;          // largest difference of the kinetic energy to the sum of all lines, J
    carom_finding finding[CAROM_RULE_COUNT];
} ledger_run;

static double lines_of(const carom_ledger *l) {
    return l->conservative + l->elastic + l->viscosity + l->attachments + l->passive + l->active + l->limits +
           l->friction + l->impacts + l->stabilisation + l->projection + l->remainder;
}

static void add_ledger(carom_ledger *to, const carom_ledger *l) {
    to->conservative += l->conservative, to->passive += l->passive, to->active += l->active;
    to->limits += l->limits, to->friction += l->friction, to->impacts += l->impacts;
    to->stabilisation += l->stabilisation, to->projection += l->projection, to->remainder += l->remainder;
}

// A scene of `bodies` and what `more` has beside them, by a method, to a time.
static ledger_run run_scene(const char *method, const char *more, const char *bodies, double until) {
    char text[4096];
    snprintf(text, sizeof text,
             "{\"carom\": 1, \"until\": 1, \"method\": %s, \"shapes\": {\"floor\": {\"kind\": \"half_space\", "
             "\"normal\": [0, 0, 1]}, "
             "\"ball\": {\"kind\": \"sphere\", \"radius\": 0.1}, \"box\": {\"kind\": \"box\", \"size\": [0.2, 0.2, "
             "0.2]}}%s, \"bodies\": [%s]}",
             method, more, bodies);
    text_scene s = text_scene_begin(text, NULL);
    carom_energy energy = carom_state_energy(s.state);
    double first = energy.kinetic, kinetic = first, most = first, low = energy.potential, high = low;
    ledger_run run = {.wrong = 0.0};
    for (carom_step_report report = {0}; report.time < until - 1e-9;) {
        report = text_scene_step(&s);
        run.wrong = fmax(run.wrong, fabs(report.energy.kinetic - kinetic - lines_of(&report.ledger)));
        run.largest_impact = fmax(run.largest_impact, report.ledger.impacts + report.ledger.friction);
        kinetic = report.energy.kinetic;
        most = fmax(most, kinetic), low = fmin(low, report.energy.potential),
        high = fmax(high, report.energy.potential);
        add_ledger(&run.sum, &report.ledger);
    }
    run.kinetic = kinetic - first;
    run.scale = most + high - low;
    carom_state_findings(s.state, run.finding);
    text_scene_end(&s);
    return run;
}

#define FLOOR "{\"name\": \"floor\", \"kind\": \"fixed\", \"shape\": \"floor\"},"

TEST(lines_add_up_to_the_kinetic_energy) {
    static const char *const methods[] = {"lcp", "impulse", "penalty", "dcr"};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        char method[64];
        snprintf(method, sizeof method, "{\"name\": \"%s\", \"step\": 0.002}", methods[i]);
        ledger_run r =
            run_scene(method, "",
                      FLOOR "{\"shape\": \"box\", \"density\": 1000, \"position\": [0, 0, 0.4], \"velocity\": "
                            "[1, 0.5, 0], \"spin\": [1, 2, 0.5]}",
                      0.8);
        CHECK(r.wrong <= 1e-12 * r.scale);
        CHECK(r.sum.friction < -1e-3 * r.scale);
        CHECK(r.sum.impacts < -0.1 * r.scale);
        CHECK_NEAR(r.kinetic, lines_of(&r.sum), 1e-10 * r.scale);
    }
}

// A ball falls and bounces without rotation: flight is exact, and each impact takes (1 - e^2) of its energy.
TEST(exact_flight_leaves_no_remainder) {
    static const char *const method[] = {"{\"name\": \"impulse\", \"step\": 0.01}",
                                         "{\"name\": \"exact\", \"step\": 0.01}"};
    for (int i = 0; i < 2; i++) {
        ledger_run r =
            run_scene(method[i], ", \"materials\": {\"m\": {\"friction\": 0, \"restitution\": 0.5}}",
                      "{\"kind\": \"fixed\", \"shape\": \"floor\", \"material\": \"m\"}, {\"shape\": \"ball\", "
                      "\"mass\": 2, \"material\": \"m\", \"position\": [0, 0, 1.1]}",
                      0.6);
        double fallen = 2.0 * 9.81 * 1.0, taken = i == 0 ? -0.75 * fallen : 0.0;
        CHECK(fabs(r.sum.remainder) <= 1e-12 * fallen);
        CHECK_NEAR(r.sum.impacts, taken, 1e-9 * fallen);
        CHECK(r.sum.friction == 0.0 && r.sum.passive == 0.0 && r.sum.active == 0.0);
    }
}

// A box that slides to a stop: friction takes all it had.
TEST(friction_takes_what_a_sliding_box_had) {
    ledger_run r = run_scene("{\"name\": \"lcp\", \"step\": 0.001, \"lcp\": {\"tolerance\": 1e-8}}",
                             ", \"materials\": {\"m\": {\"friction\": 0.4}}",
                             "{\"kind\": \"fixed\", \"shape\": \"floor\", \"material\": \"m\"}, {\"shape\": \"box\", "
                             "\"mass\": 3, \"material\": \"m\", \"position\": [0, 0, 0.1], \"velocity\": [2, 0, 0]}",
                             1.0);
    CHECK_NEAR(r.sum.friction, -6.0, 1e-3 * 6.0);
    CHECK(fabs(r.sum.remainder) <= 1e-3 * 6.0);
    CHECK(r.largest_impact <= 1e-9 * 6.0);
}

// Drag takes m v^2 / 2 (1 - exp(-2 c t / m)); a wrench gives F x.
TEST(drag_and_wrenches_have_lines_of_their_own) {
    ledger_run r =
        run_scene("{\"name\": \"lcp\", \"step\": 0.0001}",
                  ", \"gravity\": [0, 0, 0], \"forces\": [{\"kind\": \"drag\", \"body\": \"ball\", \"linear\": 3}]",
                  "{\"name\": \"ball\", \"shape\": \"ball\", \"mass\": 2, \"velocity\": [4, 0, 0]}", 0.5);
    double exact = -16.0 * (1.0 - exp(-2.0 * 3.0 * 0.5 / 2.0));
    CHECK_NEAR(r.sum.passive, exact, 1e-3 * fabs(exact));
    CHECK(r.sum.active == 0.0);
    r = run_scene(
        "{\"name\": \"multiplier\", \"step\": 0.01}",
        ", \"gravity\": [0, 0, 0], \"forces\": [{\"kind\": \"wrench\", \"body\": \"ball\", \"force\": [5, 0, 0]}]",
        "{\"name\": \"ball\", \"shape\": \"ball\", \"mass\": 2}", 1.0);
    CHECK_NEAR(r.sum.active, 5.0 * 0.5 * 2.5, 1e-9 * 6.25);
    CHECK(r.sum.passive == 0.0);
    CHECK(fabs(r.sum.remainder) <= 1e-9 * 6.25);
}

// What is left over is the error of the method: it falls with the step, or with the tolerance.
static double remainder_of_pendulum(const char *method) {
    ledger_run r =
        run_scene(method,
                  ", \"joints\": [{\"kind\": \"hinge\", \"a\": \"world\", \"b\": \"bob\", \"point\": [0, 0, 0], "
                  "\"axis\": [0, 1, 0]}]",
                  "{\"name\": \"bob\", \"shape\": \"ball\", \"mass\": 1, \"position\": [1, 0, 0]}", 0.4);
    return fabs(r.sum.remainder + r.sum.stabilisation) / r.scale;
}

TEST(the_remainder_falls_with_the_step_and_the_tolerance) {
    double coarse = remainder_of_pendulum("{\"name\": \"lcp\", \"step\": 0.004}");
    double fine = remainder_of_pendulum("{\"name\": \"lcp\", \"step\": 0.001}");
    CHECK(coarse < 0.02 && fine < 0.3 * coarse);
    coarse = remainder_of_pendulum("{\"name\": \"multiplier\", \"step\": 0.1, \"relative_tolerance\": 1e-5, "
                                   "\"absolute_tolerance\": 1e-8}");
    fine = remainder_of_pendulum("{\"name\": \"multiplier\", \"step\": 0.1, \"relative_tolerance\": 1e-10}");
    CHECK(coarse < 1e-3 && fine < 1e-8);
}

// The rules see a dashpot that runs away, and none of them a fine one.
TEST(a_dashpot_that_runs_away_is_found) {
    static const char bodies[] = "{\"name\": \"a\", \"shape\": \"ball\", \"mass\": 1}, {\"name\": \"b\", \"shape\": "
                                 "\"ball\", \"mass\": 1, \"position\": [1, 0, 0], \"velocity\": [1, 0, 0]}";
    static const char more[] =
        ", \"gravity\": [0, 0, 0], \"forces\": [{\"kind\": \"spring\", \"a\": \"a\", \"b\": \"b\", "
        "\"stiffness\": 0, \"damping\": 400, \"rest_length\": 1}]";
    ledger_run wrong = run_scene("{\"name\": \"penalty\", \"step\": 0.0042}", more, bodies, 0.1);
    CHECK(carom_rule_colour(CAROM_RULE_PASSIVE_GAIN, wrong.finding[CAROM_RULE_PASSIVE_GAIN].value) == CAROM_COLOUR_RED);
    CHECK(carom_rule_colour(CAROM_RULE_ENERGY_GAIN, wrong.finding[CAROM_RULE_ENERGY_GAIN].value) == CAROM_COLOUR_RED);
    ledger_run short_steps = run_scene("{\"name\": \"penalty\", \"step\": 1e-5}", more, bodies, 0.001);
    ledger_run at_the_end = run_scene("{\"name\": \"lcp\", \"step\": 0.0042}", more, bodies, 0.1);
    for (int i = 0; i < CAROM_RULE_COUNT; i++) {
        CHECK(carom_rule_colour((carom_rule)i, short_steps.finding[i].value) == CAROM_COLOUR_GREEN);
        CHECK(carom_rule_colour((carom_rule)i, at_the_end.finding[i].value) == CAROM_COLOUR_GREEN);
    }
}

TEST_MAIN(CASE(lines_add_up_to_the_kinetic_energy), CASE(exact_flight_leaves_no_remainder),
          CASE(friction_takes_what_a_sliding_box_had), CASE(drag_and_wrenches_have_lines_of_their_own),
          CASE(the_remainder_falls_with_the_step_and_the_tolerance), CASE(a_dashpot_that_runs_away_is_found))
