// SPDX-License-Identifier: MIT
// The reference files of complementarity problems: met as they are, and failed by the name of whatever is changed.
#include "support/harness/probe_allocator.h"
#include "verify/changed_file.h"

static const struct {
    const char *file, *name;
    int cases;
} sets[] = {{"lcp.json", "lcp", 15}, {"lcp_contact.json", "lcp_contact", 8}};
enum { SET_COUNT = sizeof sets / sizeof sets[0] };

TEST(thinned_problems_are_met) {
    for (int i = 0; i < SET_COUNT; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", TEST_DATA, sets[i].file);
        failures failed;
        carom_error error;
        carom_verify_report report = verified(path, CAROM_OK, &failed, &error);
        CHECK_TEXT(report.name, sets[i].name);
        CHECK_INT(report.passed, sets[i].cases);
        if (!CHECK_INT(report.failed, 0)) fprintf(stderr, "%s: %s: %s\n", sets[i].file, failed.id, failed.text);
        CHECK(report.worst_error <= 0.1 * report.worst_tolerance);
    }
}

TEST(whatever_is_changed_fails_its_case_and_is_named) {
    static const struct {
        const char *file, *path, *value, *quantity;
    } changes[] = {
        {"lcp.json", "cases.1.expected.residual", "+1e-6", "residual"},
        {"lcp.json", "cases.11.expected.farkas_y.0", "-1", "farkas_y"},
        {"lcp.json", "cases.12.expected.farkas_y", "[0, 0, 0, 1, 0, 0, 0]", "farkas_y"},
        {"lcp.json", "cases.1.expected.z.0", "+1e-6", "residual"},
        {"lcp.json", "cases.1.input.q.1", "+1e-3", "residual"},
        {"lcp.json", "cases.2.expected.w.0", "+1e-6", "w of "},
        {"lcp.json", "cases.8.expected.all_solutions", "[[1, 1, 1, 1, 1]]", "z of "},
        {"lcp.json", "cases.1.expected.status", "\"infeasible\"", "status"},
        {"lcp.json", "cases.1.expected.status", "\"unsolvable\"", "status"},
        {"lcp.json", "cases.10.expected.status", "\"solvable\"", "status"},
        {"lcp.json", "cases.10.expected.status", "\"unsolvable\"", "status"},
        {"lcp.json", "cases.13.expected.status", "\"infeasible\"", "status"},
        {"lcp_contact.json", "cases.0.input.A.0.0", "+1e-3", "A"},
        {"lcp_contact.json", "cases.0.input.mu.0", "+1e-3", "A"},
        {"lcp_contact.json", "cases.0.expected.v_after.0", "+1e-6", "v_after of "},
        {"lcp_contact.json", "cases.0.expected.z.0", "+1e-6", "residual"},
        {"lcp_contact.json", "cases.2.expected.v_after.5", "+1e-6", "v_after of "},
        {"lcp_contact.json", "cases.3.expected.v_after.2", "+1e-6", "v_after of "},
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
        {"lcp.json", "cases.1.input.q", "[]", "input.q is empty"},
        {"lcp.json", "cases.1.input.A", "[[1]]", "input.A must be 5 rows of 5 numbers"},
        {"lcp.json", "cases.1.input.A.3.2", "null", "input.A must be 5 rows of 5 numbers"},
        {"lcp.json", "cases.6.input.A.i.0", "100", "entry 0 is outside of 100 x 100"},
        {"lcp.json", "cases.6.input.A.j.0", "-1", "entry 0 is outside of 100 x 100"},
        {"lcp.json", "cases.6.input.A.v", "[1]", "differ in length"},
        {"lcp.json", "cases.1.expected.z", "[1]", "expected.z has 1 numbers, must have 5"},
        {"lcp.json", "cases.1.expected.status", "\"perhaps\"", "expected.status is 'perhaps'"},
        {"lcp.json", "tolerance.residual", "0", "tolerance.residual is 0, must be positive"},
        {"lcp_contact.json", "cases.0.input.contacts", "2", "2 contacts with 4 sides do not have 6 rows"},
        {"lcp_contact.json", "cases.0.input.M.0.0", "-1", "input.M is not positive definite"},
        {"lcp_contact.json", "cases.0.input.mu", "[]", "input.mu has 0 numbers, must have 1"},
        {"lcp_contact.json", "cases.0.expected.v_after", "[1]", "expected.v_after has 1 numbers, must have 6"},
        {"lcp_contact.json", "cases.0.expected.v_same_in_all_trials", "1", "must be true or false"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        json_t *tree = load_data(changes[i].file);
        change(tree, changes[i].path, changes[i].value);
        keep_case(tree, changes[i].path);
        failures failed;
        carom_error error;
        char *text = json_dumps(tree, JSON_REAL_PRECISION(17));
        (void)verified(write_file(text, strlen(text)), CAROM_ERR_FILE, &failed, &error);
        if (!CHECK_CONTAINS(error.text, changes[i].sentence)) fprintf(stderr, "%s\n", changes[i].path);
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

TEST_MAIN(CASE(thinned_problems_are_met), CASE(whatever_is_changed_fails_its_case_and_is_named),
          CASE(cases_without_their_fields_are_refused_by_the_field),
          CASE(any_refused_allocation_is_said_and_leaks_nothing))
