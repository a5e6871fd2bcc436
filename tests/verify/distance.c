// SPDX-License-Identifier: MIT
// The reference files about distances: met as they are, and failed by the name of whatever is changed in them.
#include "support/harness/probe_allocator.h"
#include "verify/changed_file.h"

static const struct {
    const char *file, *name;
    int cases;
} sets[] = {
    {"ssh.json", "ssh", 20},
    {"ratio_metric.json", "ratio_metric", 9},
    {"ellipsoid_ellipsoid.json", "ellipsoid_ellipsoid", 14},
    {"ellipsoid_plane.json", "ellipsoid_plane", 6},
    {"ellipsoid_in_sphere.json", "ellipsoid_in_sphere", 9},
    {"flex_ssh.json", "flex_ssh", 10},
};
enum { SET_COUNT = sizeof sets / sizeof sets[0] };

TEST(thinned_distances_are_met) {
    for (int i = 0; i < SET_COUNT; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", TEST_DATA, sets[i].file);
        failures failed;
        carom_error error;
        carom_verify_report report = verified(path, CAROM_OK, &failed, &error);
        CHECK_TEXT(report.name, sets[i].name);
        CHECK_INT(report.passed, sets[i].cases);
        if (!CHECK_INT(report.failed, 0)) fprintf(stderr, "%s: %s: %s\n", sets[i].file, failed.id, failed.text);
        CHECK_INT(report.unsupported, 0);
        CHECK(report.worst_error <= 0.1 * report.worst_tolerance);
    }
}

TEST(whatever_is_changed_fails_its_case_and_is_named) {
    static const struct {
        const char *file, *path, *value, *quantity;
    } changes[] = {
        // apart, edge to edge
        {"ssh.json", "cases.3.expected.g", "+1e-11", "g"},
        {"ssh.json", "cases.3.expected.h", "+-1e-10", "h"},
        {"ssh.json", "cases.3.expected.alpha.1", "+1e-8", "alpha"},
        {"ssh.json", "cases.3.expected.a1", "+1e-7", "a1"},
        {"ssh.json", "cases.3.expected.a2", "+1e-7", "a2"},
        {"ssh.json", "cases.3.expected.dual1.0", "+1e-8", "dual1"},
        {"ssh.json", "cases.3.expected.dual2.3", "+1e-8", "dual2"},
        {"ssh.json", "cases.3.expected.point1.2", "+1e-7", "point1"},
        {"ssh.json", "cases.3.expected.point2.0", "+1e-7", "point2"},
        {"ssh.json", "cases.3.expected.alpha_unique", "false", "alpha_unique"},
        {"ssh.json", "cases.3.expected.dual_unique", "false", "dual_unique"},
        {"ssh.json", "cases.3.expected.active1", "[]", "active1"},
        {"ssh.json", "cases.3.expected.active2", "[0, 1, 2, 3]", "active2"},
        {"ssh.json", "cases.3.expected.lp_status", "\"unbounded\"", "lp_status"},
        {"ssh.json", "cases.3.expected.gradient.dg_dx1.0", "+1e-6", "dg_dx1"},
        {"ssh.json", "cases.3.expected.gradient.dg_dx2.1", "+1e-6", "dg_dx2"},
        {"ssh.json", "cases.3.expected.gradient.dg_dx1_fixed_beta.2", "+1e-6", "dg_dx1_fixed_beta"},
        {"ssh.json", "cases.3.expected.gradient.dg_dx2_fixed_beta.0", "+1e-6", "dg_dx2_fixed_beta"},
        {"ssh.json", "cases.3.expected.gradient.dg_dtheta1.1", "+1e-6", "dg_dtheta1"},
        {"ssh.json", "cases.3.expected.gradient.dg_dtheta2.2", "+1e-6", "dg_dtheta2"},
        {"ssh.json", "cases.3.input.beta.0", "+1e-6", "beta"},
        // several duals; several normals
        {"ssh.json", "cases.8.expected.dual2.0", "+1e-6", "dual2"},
        {"ssh.json", "cases.8.expected.dual_unique", "true", "dual_unique"},
        {"ssh.json", "cases.10.expected.alpha.0", "+1e-6", "alpha"},
        {"ssh.json", "cases.10.expected.alpha_unique", "true", "alpha_unique"},
        {"ssh.json", "cases.7.expected.alpha_extreme.0.1", "+1e-5", "alpha_extreme[0]"},
        {"ssh.json", "cases.9.expected.alpha_extreme", "[[0, 1.4142135623730951, 0]]", "alpha_extreme"},
        {"ssh.json", "cases.11.expected.primal_min_norm_full.0", "+1e-5", "primal_min_norm_full"},
        {"ssh.json", "cases.11.expected.primal_min_norm_full.4", "+1e-5", "primal_min_norm_full a2"},
        {"ssh.json", "cases.10.expected.pinv_primal_inside", "false", "pinv_primal_inside"},
        {"ssh.json", "cases.11.expected.pinv_primal_inside", "true", "pinv_primal_inside"},
        {"ssh.json", "cases.8.expected.pinv_dual_nonnegative", "false", "pinv_dual_nonnegative"},
        {"ssh.json", "cases.3.expected.degenerate", "true", "degenerate"},
        // a line that misses, a given direction, coincident means
        {"ssh.json", "cases.16.expected.lp_status", "\"optimal\"", "lp_status"},
        {"ssh.json", "cases.17.expected.gradient.dg_dtheta1.1", "+1e-6", "dg_dtheta1"},
        {"ssh.json", "cases.18.expected.g", "+-1e-11", "g"},
        {"ssh.json", "cases.19.expected.lp_status", "\"optimal\"", "lp_status"},
        {"ratio_metric.json", "cases.1.expected.r", "+1e-9", "r"},
        {"ratio_metric.json", "cases.1.expected.rho", "+1e-10", "rho"},
        {"ratio_metric.json", "cases.1.expected.witness.2", "+1e-7", "witness of "},
        {"ratio_metric.json", "cases.1.expected.active2", "[0, 1]", "active2"},
        {"ratio_metric.json", "cases.1.expected.multipliers1.0", "+1e-6", "multipliers1"},
        {"ratio_metric.json", "cases.1.expected.multipliers2.1", "+1e-6", "multipliers2"},
        {"ratio_metric.json", "cases.1.expected.s", "+1e-8", "s"},
        {"ratio_metric.json", "cases.1.expected.overlapping", "true", "s"},
        {"ratio_metric.json", "cases.1.expected.D", "+1e-8", "D"},
        {"ratio_metric.json", "cases.1.expected.bound", "+1e-8", "bound"},
        {"ratio_metric.json", "cases.3.expected.dr_dx1.0", "+1e-6", "dr_dx1"},
        {"ratio_metric.json", "cases.3.expected.dr_dx2.1", "+1e-6", "dr_dx2"},
        {"ratio_metric.json", "cases.5.expected.dr_dtheta1.2", "+1e-6", "dr_dtheta1"},
        {"ratio_metric.json", "cases.5.expected.dr_dtheta2.0", "+1e-6", "dr_dtheta2"},
        {"ratio_metric.json", "cases.7.expected.r", "+1e-9", "r"},
        {"ratio_metric.json", "cases.8.expected.rho", "-3", "rho"},
        {"ellipsoid_ellipsoid.json", "cases.0.expected.distance", "+1e-9", "distance"},
        {"ellipsoid_ellipsoid.json", "cases.0.expected.normal.1", "+1e-6", "normal"},
        {"ellipsoid_ellipsoid.json", "cases.2.expected.point1.0", "+1e-6", "point1"},
        {"ellipsoid_ellipsoid.json", "cases.2.expected.point2.2", "+1e-6", "point2"},
        {"ellipsoid_ellipsoid.json", "cases.0.expected.normal_unique", "false", "normal_unique"},
        {"ellipsoid_plane.json", "cases.0.expected.distance", "+1e-9", "distance"},
        {"ellipsoid_plane.json", "cases.1.expected.point.0", "+1e-6", "point"},
        {"ellipsoid_plane.json", "cases.2.expected.plane_point.2", "+1e-6", "plane_point"},
        {"ellipsoid_in_sphere.json", "cases.0.expected.distance", "+1e-9", "distance"},
        {"ellipsoid_in_sphere.json", "cases.0.expected.farthest", "+1e-9", "farthest"},
        {"ellipsoid_in_sphere.json", "cases.0.expected.family", "\"circle\"", "unique"},
        {"ellipsoid_in_sphere.json", "cases.0.expected.unique", "false", "unique"},
        {"ellipsoid_in_sphere.json", "cases.0.expected.point.1", "+1e-6", "point"},
        {"ellipsoid_in_sphere.json", "cases.0.expected.outward_normal.0", "+1e-6", "outward_normal"},
        {"ellipsoid_in_sphere.json", "cases.0.expected.sphere_point.0", "+1e-6", "sphere_point"},
        {"ellipsoid_in_sphere.json", "cases.0.expected.multiplier", "+1", "multiplier"},
        {"ellipsoid_in_sphere.json", "cases.1.expected.one_point.0", "+1e-3", "one_point"},
        {"flex_ssh.json", "cases.0.expected.t", "+1e-12", "t"},
        {"flex_ssh.json", "cases.0.expected.centre_distance", "+1e-12", "centre_distance"},
        {"flex_ssh.json", "cases.0.expected.alpha.0", "+1e-8", "alpha"},
        {"flex_ssh.json", "cases.0.expected.beta.1", "+1e-8", "beta"},
        {"flex_ssh.json", "cases.0.expected.weights1.2", "+-1e-8", "weights1"},
        {"flex_ssh.json", "cases.0.expected.weights2.3", "+1e-8", "weights2"},
        {"flex_ssh.json", "cases.0.expected.gradient1.3.0", "+1e-8", "gradient1"},
        {"flex_ssh.json", "cases.0.expected.gradient2.1.2", "+1e-8", "gradient2"},
        {"flex_ssh.json", "cases.6.expected.t", "+1e-12", "t"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        json_t *tree = load_data(changes[i].file);
        change(tree, changes[i].path, changes[i].value);
        keep_case(tree, changes[i].path);
        failures failed;
        carom_error error;
        carom_verify_report report = verify_tree(tree, CAROM_OK, &failed, &error);
        bool named = CHECK_INT(report.failed, 1);
        named &= CHECK(strncmp(report.worst_quantity, changes[i].quantity, strlen(changes[i].quantity)) == 0);
        named &= CHECK(report.worst_error > report.worst_tolerance);
        if (!named) fprintf(stderr, "%s: %s: %s\n", changes[i].file, changes[i].path, report.worst_quantity);
    }
}

TEST(cases_without_their_fields_are_refused_by_the_field) {
    static const struct {
        const char *file, *path, *value, *sentence;
    } changes[] = {
        {"ssh.json", "cases.3.input.K1", "[]", "input.K1 must be an array with at least one entry"},
        {"ssh.json", "cases.3.input.K2.1", "[1, 2]", "input.K2[1] must be an array of 3 numbers"},
        {"ssh.json", "cases.3.expected.dual1", "[1]", "expected.dual1 has 1 entries for "},
        {"ssh.json", "cases.3.expected.dual2.0", "null", "expected.dual2 must be an array of numbers"},
        {"ssh.json", "cases.3.expected.alpha_unique", "1", "expected.alpha_unique must be true or false"},
        {"ssh.json", "tolerance.h", "0", "tolerance.h is 0, must be positive"},
        {"ratio_metric.json", "cases.1.input.b1", "[1, 2]", "input.b1 2 entries"},
        {"ratio_metric.json", "cases.1.input.q2", "[0, 0, 0, 0]", "input.q2 has length zero"},
        {"ratio_metric.json", "cases.1.input.b1.0", "-1e9", "half_spaces"},
        {"ratio_metric.json", "cases.1.expected.active1", "[1000]", "expected.active1[0] is 1000, and there are "},
        {"ratio_metric.json", "cases.1.expected.multipliers2", "[1]",
         "expected.multipliers2 has 1 entries for 2 facets"},
        {"ellipsoid_ellipsoid.json", "cases.0.input.a1.0", "-1", "ellipsoid.half_axes"},
        {"ellipsoid_plane.json", "cases.0.input.plane_normal", "[0, 0, 0]", "half_space.normal"},
        {"ellipsoid_in_sphere.json", "cases.0.input.sphere_radius", "-1",
         "input.sphere_radius is -1, must be positive"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        json_t *tree = load_data(changes[i].file);
        change(tree, changes[i].path, changes[i].value);
        keep_case(tree, changes[i].path);
        char *text = json_dumps(tree, JSON_REAL_PRECISION(17));
        failures failed;
        carom_error error = {.text = ""};
        carom_verify_report report;
        carom_status status =
            carom_verify_file(write_file(text, strlen(text)), NULL, note_failure, &failed, &report, &error);
        if (!CHECK(status == CAROM_ERR_FILE || status == CAROM_ERR_BAD_INPUT)) fprintf(stderr, "%s\n", changes[i].path);
        CHECK_CONTAINS(error.text, changes[i].sentence);
        unlink(scratch_path);
        free(text);
        json_decref(tree);
    }
}

TEST(any_refused_allocation_is_said_and_leaks_nothing) {
    for (int set = 0; set < SET_COUNT; set++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", TEST_DATA, sets[set].file);
        bool refused = true;
        for (long long n = 1; refused && n < 100000; n += 1 + n / 4) {
            probe_allocator probe = {.refused_call = n};
            carom_allocator hook = probe_allocator_hook(&probe);
            carom_verify_report report;
            carom_error error = {.text = ""};
            carom_status status = carom_verify_file(path, &hook, NULL, NULL, &report, &error);
            refused = probe.calls >= n;
            CHECK_INT(status, refused ? CAROM_ERR_NO_MEMORY : CAROM_OK);
            CHECK(!refused || error.text[0] != '\0');
            CHECK_INT(probe.live_blocks, 0);
        }
        CHECK(!refused);
    }
}

TEST_MAIN(CASE(thinned_distances_are_met), CASE(whatever_is_changed_fails_its_case_and_is_named),
          CASE(cases_without_their_fields_are_refused_by_the_field),
          CASE(any_refused_allocation_is_said_and_leaks_nothing))
