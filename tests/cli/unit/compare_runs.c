// SPDX-License-Identifier: MIT
// Two recordings of the same motion whose certificates differ in one number of one step: the comparison names it.
#include "compare/compare_runs.h"

#include <stddef.h>

#include "support/harness/check.h"
#include "support/scene/recorded_run.h"

enum { STEPS = 20, CHANGED = 13 };

// Adds to the double at `offset` of the report of one step; to none when `offset` is negative.
static void record(const char *path, ptrdiff_t offset, double added) {
    small_run run = small_run_make(2, 0.01);
    carom_recorder_def def = recorder_to(path);
    def.overwrite = true;
    carom_recorder *recorder;
    carom_error error = {0};
    if (carom_recorder_create(&def, NULL, run.state, &recorder, &error) != CAROM_OK) fail_msg("%s", error.text);
    for (int i = 1; i <= STEPS; i++) {
        carom_step_report report;
        assert_int_equal(carom_step(run.model, run.state, NULL, &report, NULL), CAROM_OK);
        if (i == CHANGED && offset >= 0) *(double *)((char *)&report + offset) += added;
        if (carom_recorder_step(recorder, run.state, &report, &error) != CAROM_OK) fail_msg("%s", error.text);
    }
    assert_int_equal(carom_recorder_finish(recorder, run.state, NULL, NULL), CAROM_OK);
    carom_recorder_destroy(recorder);
    small_run_free(&run);
}

TEST(a_number_that_differs_is_named) {
    static const struct {
        ptrdiff_t offset;
        const char *name, *unit;
        bool physical; // beyond a tolerance it counts
    } cases[] = {
        {offsetof(carom_step_report, energy.kinetic), "kinetic energy", "J", true},
        {offsetof(carom_step_report, momentum.angular.z), "angular momentum along z", "kg m^2/s", true},
        {offsetof(carom_step_report, residual), "residual", "", false},
        {offsetof(carom_step_report, infeasibility), "infeasibility", "", false},
        {offsetof(carom_step_report, friction_work), "friction work", "J", false},
        {offsetof(carom_step_report, projection_energy), "projection energy", "J", false},
        {offsetof(carom_step_report, projection_momentum.x), "projection momentum along x", "kg m^2/s", false},
        {offsetof(carom_step_report, projection_momentum.y), "projection momentum along y", "kg m^2/s", false},
        {offsetof(carom_step_report, projection_momentum.z), "projection momentum along z", "kg m^2/s", false},
        {offsetof(carom_step_report, impact_energy), "impact energy", "J", false},
    };
    scratch_folder folder = scratch_folder_make();
    const char *a = in_folder(&folder, "a.carom"), *b = in_folder(&folder, "b.carom");
    record(a, -1, 0.0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        runs_comparison c;
        record(b, cases[i].offset, 0.5);
        CHECK_INT(compare_runs(&c, a, b, 0.0), 0);
        CHECK(!c.identical && !c.agree && !c.frame_differs && c.certificate_differs);
        CHECK_INT(c.certificate_step, CHANGED);
        CHECK_TEXT(c.certificate_quantity, cases[i].name);
        CHECK_TEXT(c.certificate_unit, cases[i].unit);
        CHECK_NEAR(c.certificate_value[1] - c.certificate_value[0], 0.5, 1e-13);
        free_runs_comparison(&c);
        CHECK_INT(compare_runs(&c, a, b, 0.25), 0);
        CHECK_INT(c.certificate_differs, cases[i].physical);
        CHECK(!c.identical);
        free_runs_comparison(&c);
    }
    scratch_folder_remove(&folder);
}

TEST(the_same_run_twice_is_identical) {
    scratch_folder folder = scratch_folder_make();
    const char *a = in_folder(&folder, "a.carom"), *b = in_folder(&folder, "b.carom");
    record(a, -1, 0.0);
    record(b, -1, 0.0);
    runs_comparison c;
    CHECK_INT(compare_runs(&c, a, b, 0.0), 0);
    CHECK(c.identical && c.agree && c.same_end);
    CHECK_INT(c.certificates, STEPS);
    free_runs_comparison(&c);
    scratch_folder_remove(&folder);
}

TEST_MAIN(CASE(a_number_that_differs_is_named), CASE(the_same_run_twice_is_identical))
