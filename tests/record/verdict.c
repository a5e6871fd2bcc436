// SPDX-License-Identifier: MIT
// Verdicts: every rule at its bounds, which finding is told, in which words, and how the end of a run counts.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/report.h"
#include "support/harness/check.h"
#include "support/scene/recorded_run.h"

static carom_recording_info good_run(void) {
    carom_recording_info info = {.step = 0.01,
                                 .until = 1.0,
                                 .time = 1.0,
                                 .step_count = 100,
                                 .finished = true,
                                 .summary = {.steps = 100, .first_broken_step = -1, .most_substeps = 1}};
    for (int r = 0; r < CAROM_RULE_COUNT; r++) info.summary.finding[r] = carom_finding_none();
    return info;
}

static void check_verdict(const carom_recording_info *info, const char *colour, int64_t step, const char *text) {
    carom_verdict v = carom_recording_verdict(info, NULL);
    CHECK_TEXT(carom_colour_name(v.colour), colour);
    CHECK_INT(v.step, step);
    CHECK_CONTAINS(v.sentence, text);
}

// ---- rules

// The bounds of each rule, written down a second time.
static const struct {
    const char *name;
    double amber, red;
} bounds[] = {
    {"not_finite", 0, 0},
    {"broken_steps", 0, 0.05},
    {"missed_steps", 0.05, INFINITY},
    {"missed_residual", 10, INFINITY},
    {"energy_gain", 0.05, 0.2},
    {"step_energy_gain", 0.02, 0.1},
    {"passive_gain", 1e-3, 0.05},
    {"energy_loss", 0.2, INFINITY},
    {"joint_open", 5e-3, 0.05},
    {"overlap", 0.05, 0.5},
    {"start_overlap", 1e-6, INFINITY},
    {"soft_contact", 3e-3, INFINITY},
    {"passed_through", INFINITY, 0},
    {"way", 1, INFINITY},
    {"no_contact", 0, INFINITY},
    {"ignored_material", 0, INFINITY},
    {"spring_rate", 1, 2},
    {"damping_rate", 1, 2},
    {"gyroscopic_rate", 0.5, 2},
    {"charge_rate", 1, INFINITY},
    {"joint_rate", 1, INFINITY},
    {"cone", 1e-3, INFINITY},
    {"friction_direction", 0.2, INFINITY},
    {"impulse_apart", 0.05, INFINITY},
    {"unexplained_way", 1e-2, INFINITY},
    {"smooth_spin", 1e-3, INFINITY},
    {"rebound", 0.1, INFINITY},
    {"limited_impact", 0, INFINITY},
    {"unconfirmed", 1, INFINITY},
    {"plan_bound", INFINITY, 1},
    {"plan_optimum", 0, INFINITY},
};

static void check_at(int rule, double value, const char *colour) {
    carom_recording_info info = good_run();
    info.summary.finding[rule].value = value;
    carom_verdict v = carom_recording_verdict(&info, NULL);
    if (!CHECK_TEXT(carom_colour_name(v.colour), colour)) print_message("%s at %g\n", bounds[rule].name, value);
    CHECK_TEXT(carom_colour_name(carom_recording_finding(&info, (carom_rule)rule, NULL).colour), colour);
}

TEST(every_rule_is_green_at_its_bound_and_not_above) {
    CHECK_INT(CAROM_RULE_COUNT, (int64_t)(sizeof bounds / sizeof bounds[0]));
    for (int r = 0; r < CAROM_RULE_COUNT; r++) {
        double amber = bounds[r].amber, red = bounds[r].red;
        CHECK_TEXT(carom_rule_get((carom_rule)r)->name, bounds[r].name);
        check_at(r, fmin(amber, red), "green");
        if (red <= amber) {
            check_at(r, nextafter(red, INFINITY), "red");
        } else {
            check_at(r, nextafter(amber, INFINITY), "amber");
            check_at(r, isinf(red) ? 1e300 : red, "amber");
            if (!isinf(red)) check_at(r, nextafter(red, INFINITY), "red");
        }
        check_at(r, NAN, "red");
    }
    CHECK(carom_rule_get(CAROM_RULE_COUNT) == NULL);
}

TEST(a_sentence_has_one_number) {
    for (int r = 0; r < CAROM_RULE_COUNT; r++) {
        const carom_rule_def *def = carom_rule_get((carom_rule)r);
        const char *place = strstr(def->finding, "%s");
        CHECK(place != NULL && strstr(place + 2, "%s") == NULL);
        CHECK(def->text[0] != '\0' && def->finding[0] != '\0');
    }
}

TEST(sentences_have_numbers_that_people_read) {
    static const struct {
        double value;
        const char *text;
    } cases[] = {{1.0, " 100 % of its scale"},
                 {0.2512, " 25.1 % of its scale"},
                 {12.5, " 1250 % of its scale"},
                 {1e5, " 1.0e+05 of its scale"},
                 {INFINITY, " inf of its scale"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        carom_recording_info info = good_run();
        info.summary.finding[CAROM_RULE_ENERGY_GAIN].value = cases[i].value;
        check_verdict(&info, "red", -1, cases[i].text);
    }
    carom_recording_info info = good_run();
    info.summary.finding[CAROM_RULE_START_OVERLAP].value = 2e-6;
    check_verdict(&info, "amber", -1, "by 2.0e-06 of the smaller one's size");
    info.summary.finding[CAROM_RULE_START_OVERLAP].value = 0.0;
    info.summary.finding[CAROM_RULE_UNCONFIRMED].value = 3.25;
    check_verdict(&info, "amber", -1, "by 3.25 times 2 % of way and size");
}

// ---- which one is told

TEST(the_worst_colour_is_told_and_of_it_the_first_rule) {
    carom_recording_info info = good_run();
    info.summary.finding[CAROM_RULE_REBOUND] = (carom_finding){0.2, 4, -1, 30};
    check_verdict(&info, "amber", 30, "Bodies rebound by 20 % more than their restitution (body 4)");
    info.summary.finding[CAROM_RULE_OVERLAP] = (carom_finding){0.1, 3, 7, 20};
    check_verdict(&info, "amber", 20,
                  "Bodies overlap by up to 10 % of the smaller one's size (bodies 3 and 7); 1 more "
                  "finding");
    info.summary.finding[CAROM_RULE_WAY] = (carom_finding){1.5, -1, -1, 10};
    check_verdict(&info, "amber", 20, "; 2 more findings");
    info.summary.finding[CAROM_RULE_SPRING_RATE] = (carom_finding){2.5, -1, -1, 5};
    check_verdict(&info, "red", 5, "A spring is too stiff for the step: step times frequency is 2.5; 3 more findings");
    CHECK_NEAR(carom_recording_verdict(&info, NULL).time, 0.05, 1e-15);
    CHECK_CONTAINS(carom_recording_finding(&info, CAROM_RULE_WAY, NULL).sentence, "Bodies moved 1.5 times");
}

TEST(bodies_are_told_by_their_names) {
    scratch_folder folder = scratch_folder_make();
    small_run run = small_run_make(2, 0.01);
    carom_recorder_def def = recorder_to(in_folder(&folder, "x.carom"));
    carom_recorder *recorder;
    carom_recording *recording;
    carom_recording_info info;
    carom_error error = {0};
    CHECK_INT(carom_recorder_create(&def, NULL, run.state, &recorder, &error), CAROM_OK);
    CHECK(small_run_record(&run, recorder, 3, &error));
    CHECK_INT(carom_recorder_confirm(recorder, &(carom_finding){1.5, 1, -1, 3}, &error), CAROM_OK);
    CHECK_INT(carom_recorder_finish(recorder, run.state, NULL, &error), CAROM_OK);
    // A recording that is finished takes no more.
    CHECK_INT(carom_recorder_confirm(recorder, &(carom_finding){0.0, 1, -1, 3}, &error), CAROM_ERR_BAD_INPUT);
    carom_recorder_destroy(recorder);
    CHECK_INT(carom_recording_open(def.path, &recording, &error), CAROM_OK);
    CHECK_INT(carom_recording_get_info(recording, &info, &error), CAROM_OK);
    // What was confirmed is kept beside what the state has found.
    CHECK(info.summary.finding[CAROM_RULE_UNCONFIRMED].value == 1.5);
    CHECK_INT(info.summary.finding[CAROM_RULE_UNCONFIRMED].step, 3);
    char wanted[128];
    snprintf(wanted, sizeof wanted, "(body '%s')", carom_recording_body_name(recording, 1));
    CHECK_CONTAINS(carom_recording_verdict(&info, recording).sentence, wanted);
    CHECK_CONTAINS(carom_recording_verdict(&info, NULL).sentence, "(body 1)");
    carom_recording_close(recording);
    small_run_free(&run);
    scratch_folder_remove(&folder);
}

// ---- how runs end

TEST(green_is_a_finished_run_without_findings) {
    carom_recording_info info = good_run();
    check_verdict(&info, "green", -1, "Every step kept its contract, and no rule found anything");
    // Divided steps are reported, not coloured.
    info.summary.divided_steps = 3, info.summary.most_substeps = 4;
    check_verdict(&info, "green", -1, "Every step kept its contract");
    info.summary.missed_steps = 2;
    check_verdict(&info, "green", -1, "but for 2 of 100 that were solved a little less far than asked for");
    info.summary.unbounded_residual = 1;
    check_verdict(&info, "green", -1,
                  "no residual is promised, so that this rests on overlaps, joints, friction cones "
                  "and energy");
}

TEST(amber_is_a_run_that_is_not_finished) {
    carom_recording_info info = good_run();
    info.finished = false, info.time = 0.4, info.step_count = 40;
    check_verdict(&info, "amber", 40, "not finished: it is at t = 0.4 s of 1 s");
    snprintf(info.end_text, sizeof info.end_text, CAROM_END_ASKED "--until 0.4 only");
    check_verdict(&info, "amber", 40, "--until 0.4 only");
    info.summary.finding[CAROM_RULE_OVERLAP] = (carom_finding){0.1, -1, -1, 20};
    check_verdict(&info, "amber", 20, "Bodies overlap");
}

TEST(red_is_a_run_that_stopped_unless_a_finding_is_red) {
    carom_recording_info info = good_run();
    info.finished = false, info.time = 0.25, info.step_count = 25;
    snprintf(info.end_text, sizeof info.end_text, "the links have no step");
    check_verdict(&info, "red", 25, "The run stopped at t = 0.25 s: the links have no step");
    info.summary.finding[CAROM_RULE_OVERLAP] = (carom_finding){0.1, -1, -1, 20};
    check_verdict(&info, "red", 25, "The run stopped");
    info.summary.finding[CAROM_RULE_OVERLAP].value = 0.6;
    check_verdict(&info, "red", 20, "Bodies overlap by up to 60 %");
}

TEST(a_broken_contract_is_told_with_its_first_step) {
    carom_recording_info info = good_run();
    info.summary.broken_steps = 2, info.summary.first_broken_step = 17;
    info.summary.finding[CAROM_RULE_BROKEN_STEPS] = (carom_finding){0.02, -1, -1, 17};
    snprintf(info.summary.first_broken_text, sizeof info.summary.first_broken_text, "momentum changed");
    check_verdict(&info, "amber", 17, "The contract broke in 2 % of the steps, first in step 17: momentum changed");
    info.summary.finding[CAROM_RULE_BROKEN_STEPS].value = 0.06;
    check_verdict(&info, "red", 17, "The contract broke in 6 % of the steps");
    CHECK_NEAR(carom_recording_verdict(&info, NULL).time, 0.17, 1e-15);
}

// ---- the documentation

static void write_bound(double bound, char out[32]) {
    if (isinf(bound))
        strcpy(out, "never");
    else
        snprintf(out, 32, "%g", bound);
}

TEST(the_documentation_has_every_rule) {
    size_t size;
    char *text = (char *)read_bytes(CAROM_SOURCE_DIR "/docs/verdict.md", &size);
    text[size] = '\0';
    for (int r = 0; r < CAROM_RULE_COUNT; r++) {
        const carom_rule_def *def = carom_rule_get((carom_rule)r);
        char row[512], amber[32], red[32];
        write_bound(def->red <= def->amber ? INFINITY : def->amber, amber);
        write_bound(def->red, red);
        snprintf(row, sizeof row, "\n| `%s` | %s | %s | %s |", def->name, def->text, amber, red);
        if (!CHECK(strstr(text, row) != NULL)) print_message("docs/verdict.md has no row%s\n", row);
    }
    free(text);
}

TEST_MAIN(CASE(every_rule_is_green_at_its_bound_and_not_above), CASE(a_sentence_has_one_number),
          CASE(sentences_have_numbers_that_people_read), CASE(the_worst_colour_is_told_and_of_it_the_first_rule),
          CASE(bodies_are_told_by_their_names), CASE(green_is_a_finished_run_without_findings),
          CASE(amber_is_a_run_that_is_not_finished), CASE(red_is_a_run_that_stopped_unless_a_finding_is_red),
          CASE(a_broken_contract_is_told_with_its_first_step), CASE(the_documentation_has_every_rule))
