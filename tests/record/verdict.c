// SPDX-License-Identifier: MIT
// The rule of verdicts: one colour, one sentence, and the step to look at.
#include <stdio.h>

#include "carom/report.h"
#include "support/harness/check.h"

static carom_recording_info good_run(void) {
    return (carom_recording_info){.step = 0.01,
                                  .until = 1.0,
                                  .time = 1.0,
                                  .step_count = 100,
                                  .finished = true,
                                  .summary = {.first_broken_step = -1, .most_substeps = 1}};
}

static void check_verdict(const carom_recording_info *info, const char *colour, int64_t step, const char *text) {
    carom_verdict v = carom_recording_verdict(info, NULL);
    CHECK_TEXT(carom_colour_name(v.colour), colour);
    CHECK_INT(v.step, step);
    CHECK_CONTAINS(v.sentence, text);
}

TEST(green_is_a_finished_run_that_kept_its_contract) {
    carom_recording_info info = good_run();
    check_verdict(&info, "green", -1, "Every step kept its contract");
}

TEST(amber_is_worth_a_look) {
    carom_recording_info info = good_run();
    info.summary.divided_steps = 3, info.summary.most_substeps = 4;
    check_verdict(&info, "amber", -1, "3 of 100 had to be divided, into 4 substeps");
    info = good_run();
    info.summary.largest_infeasibility = 0.009;
    check_verdict(&info, "green", -1, "Every step kept its contract");
    info.summary.largest_infeasibility = 0.02;
    check_verdict(&info, "amber", -1, "bodies overlap by up to 2.0e-02");
    info = good_run();
    info.finished = false, info.time = 0.4, info.step_count = 40;
    check_verdict(&info, "amber", 40, "not finished: it is at t = 0.4 s of 1 s");
    snprintf(info.end_text, sizeof info.end_text, CAROM_END_ASKED "--until 0.4 only");
    check_verdict(&info, "amber", 40, "--until 0.4 only");
}

TEST(red_is_a_broken_contract_or_a_run_that_stopped) {
    carom_recording_info info = good_run();
    info.summary.broken_steps = 2, info.summary.first_broken_step = 17;
    snprintf(info.summary.first_broken_text, sizeof info.summary.first_broken_text, "momentum changed");
    check_verdict(&info, "red", 17, "The contract broke in 2 of 100 steps, first in step 17: momentum changed");
    CHECK_NEAR(carom_recording_verdict(&info, NULL).time, 0.17, 1e-15);
    // A broken contract counts for more than how the run ended.
    info.finished = false;
    check_verdict(&info, "red", 17, "The contract broke");
    info = good_run();
    info.finished = false, info.time = 0.25, info.step_count = 25;
    snprintf(info.end_text, sizeof info.end_text, "the links have no step");
    check_verdict(&info, "red", 25, "The run stopped at t = 0.25 s: the links have no step");
}

TEST_MAIN(CASE(green_is_a_finished_run_that_kept_its_contract), CASE(amber_is_worth_a_look),
          CASE(red_is_a_broken_contract_or_a_run_that_stopped))
