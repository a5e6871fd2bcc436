// SPDX-License-Identifier: MIT
// The reference files of flexible bodies: met as they are, and failed by the name of whatever is changed.
#include "support/harness/probe_allocator.h"
#include "verify/changed_file.h"

static const struct {
    const char *file, *name;
    int cases;
    double margin; // of the tolerance; velocities of bars are those of small steps
    const char *not_compared;
} sets[] = {{"flex_element.json", "flex_element", 11, 0.1, ""},
            {"flex_modes.json", "flex_modes", 4, 0.1, ""},
            {"flex_newmark.json", "flex_newmark", 2, 0.1, ""},
            {"flex_implicit.json", "flex_implicit", 4, 0.1, ""},
            {"flex_patch.json", "flex_patch", 2, 0.1, "volume"},
            {"flex_static.json", "flex_static", 2, 0.1, "refined_tip_deflection, timoshenko_tip_deflection"},
            {"flex_bar.json", "flex_bar", 1, 1.0, "impulse, velocity_after, force, discrete"}};
enum { SET_COUNT = sizeof sets / sizeof sets[0] };

TEST(flexible_bodies_are_met) {
    for (int i = 0; i < SET_COUNT; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", TEST_DATA, sets[i].file);
        failures failed;
        carom_error error;
        carom_verify_report report = verified(path, CAROM_OK, &failed, &error);
        CHECK_TEXT(report.name, sets[i].name);
        CHECK_INT(report.passed, sets[i].cases);
        if (!CHECK_INT(report.failed, 0)) fprintf(stderr, "%s: %s: %s\n", sets[i].file, failed.id, failed.text);
        CHECK(report.worst_error <= sets[i].margin * report.worst_tolerance);
        CHECK_TEXT(report.not_compared, sets[i].not_compared);
    }
}

TEST(whatever_is_changed_fails_its_case_and_is_named) {
    static const struct {
        const char *file, *path, *value, *quantity;
    } changes[] = {
        {"flex_element.json", "cases.0.expected.volume", "+1e-9", "volume"},
        {"flex_element.json", "cases.0.expected.masses.2", "+1e-9", "masses"},
        {"flex_element.json", "cases.0.expected.F.0.1.2", "+1e-9", "F"},
        {"flex_element.json", "cases.3.expected.J.0", "+1e-9", "J"},
        {"flex_element.json", "cases.0.expected.energy", "+1e-6", "energy"},
        {"flex_element.json", "cases.1.expected.energy", "+1e-16", "energy of small strain"},
        {"flex_element.json", "cases.7.expected.energy", "+1e-17", "energy of small strain"},
        {"flex_element.json", "cases.0.expected.P.0.2.1", "+1e-1", "P"},
        {"flex_element.json", "cases.9.expected.P.3.2.1", "+1e-1", "P"},
        {"flex_element.json", "cases.0.expected.cauchy.0.0.1", "+1e-1", "cauchy"},
        {"flex_element.json", "cases.0.expected.von_mises.0", "+1e-1", "von_mises"},
        {"flex_element.json", "cases.8.expected.forces.3.2", "+1e-1", "forces"},
        {"flex_element.json", "cases.10.expected.stiffness.29.7", "+1e-1", "stiffness"},
        {"flex_element.json", "cases.5.input.lambda", "+1e-2", "energy"},
        {"flex_element.json", "cases.6.input.positions.2.0", "+1e-9", "J"},
        {"flex_element.json", "cases.6.input.nodes.2.0", "+1e-9", "F"},
        {"flex_element.json", "cases.3.input.material", "\"stvk\"", "refused"},
        {"flex_element.json", "cases.5.input.material", "\"neo_hookean\"", "refused"},
        {"flex_element.json", "cases.0.expected.inverted", "true", "inverted"},
        {"flex_modes.json", "cases.0.expected.zero_modes", "+1", "zero_modes"},
        {"flex_modes.json", "cases.1.expected.frequencies.0", "+1e-6", "frequency 0"},
        {"flex_modes.json", "cases.2.expected.frequencies.14", "+1e-3", "frequency 14"},
        {"flex_modes.json", "cases.3.expected.largest_explicit_step", "+1e-10", "largest_explicit_step"},
        {"flex_modes.json", "cases.3.expected.largest_frequency", "+1e-3", "largest_frequency"},
        {"flex_modes.json", "cases.3.input.fixed.0", "20", "frequency "},
        {"flex_newmark.json", "cases.0.expected.masses.7", "+1e-9", "masses"},
        {"flex_newmark.json", "cases.1.expected.samples.1.positions.3.1", "+1e-8", "positions of samples[1]"},
        {"flex_newmark.json", "cases.1.expected.samples.1.velocities.0.2", "+1e-7", "velocities of samples[1]"},
        {"flex_newmark.json", "cases.1.expected.samples.1.energy", "+1e-8", "energy of samples[1]"},
        {"flex_newmark.json", "cases.1.expected.samples.0.elastic", "+1e-8", "elastic of samples[0]"},
        {"flex_newmark.json", "cases.0.expected.samples.1.momentum.0", "+1e-9", "momentum of samples[1]"},
        {"flex_newmark.json", "cases.0.expected.samples.1.angular_momentum.2", "+1e-9",
         "angular_momentum of samples[1]"},
        {"flex_newmark.json", "cases.0.expected.samples.1.t", "+1e-6", "t of samples[1]"},
        {"flex_newmark.json", "cases.1.input.step", "0.1", "the start"},
        {"flex_implicit.json", "cases.0.input.scheme", "\"midpoint\"", "velocities"},
        {"flex_implicit.json", "cases.2.input.scheme", "\"energy_momentum\"", "energy"},
        {"flex_implicit.json", "cases.1.input.mu", "+1", "energy"},
        {"flex_implicit.json", "cases.0.expected.samples.1.least_J", "+1e-6", "least_J of samples[1]"},
        {"flex_patch.json", "cases.0.expected.positions.21.1", "+1e-8", "positions"},
        {"flex_patch.json", "cases.1.expected.P.1.2", "+1e-3", "P"},
        {"flex_patch.json", "cases.0.input.fixed_positions.4.2", "+1e-3", "fixed_positions"},
        {"flex_patch.json", "cases.0.expected.energy", "+1e-5", "energy"},
        {"flex_patch.json", "cases.1.expected.reactions.3.0", "+1e-3", "reactions"},
        {"flex_static.json", "cases.0.expected.positions.32.2", "+1e-6", "positions"},
        {"flex_static.json", "cases.1.expected.energy", "+1e-6", "energy"},
        {"flex_static.json", "cases.0.expected.reactions.2.2", "+1e-2", "reactions"},
        {"flex_static.json", "cases.1.input.density", "+1e-2", "energy"},
        {"flex_bar.json", "cases.0.expected.contact_time", "+1e-3", "contact_time"},
        {"flex_bar.json", "cases.0.expected.discrete.velocity_after", "+2e-2", "velocity_after"},
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
        bool by_carom; // the sentence is that of a call, with its status
    } changes[] = {
        {"flex_element.json", "cases.0.input.material", "\"wood\"", "input.material is 'wood'", false},
        {"flex_element.json", "cases.0.input.mu", "-1", "input.mu is -1", false},
        {"flex_element.json", "cases.0.input.positions", "[[0, 0, 0]]",
         "input.positions must be as many as input.nodes", false},
        {"flex_element.json", "cases.0.input.nodes", "[[0, 0, 0]]", "elements of 1 nodes, must have 4 or 10", false},
        {"flex_element.json", "cases.0.input.nodes.1", "[0, 0]", "input.nodes[1] must be an array of 3 numbers", false},
        {"flex_element.json", "cases.0.expected.forces", "[[0, 0, 0]]", "expected.forces must be 4 vectors", false},
        {"flex_element.json", "cases.0.expected.P", "[[1]]", "expected.P must be 3x3 matrices", false},
        {"flex_element.json", "cases.0.expected.stiffness", "[[1]]", "expected.stiffness has too few numbers", false},
        {"flex_element.json", "cases.0.expected.masses", "[1]", "expected.masses has too few numbers", false},
        {"flex_element.json", "tolerance.P", "\"small\"", "tolerance.P must begin with a positive number", false},
        {"flex_modes.json", "cases.3.input.tets.5", "[0, 1, 2]", "input.tets[5] must be an array of 4 numbers", false},
        {"flex_modes.json", "cases.3.input.tets.5", "[0, 1, 2, 77]", "element 5", true},
        {"flex_modes.json", "cases.3.input.fixed.0", "-1", "input.fixed[0] is -1, must be the number of one", false},
        {"flex_modes.json", "cases.3.input.fixed.0", "99", "input.fixed[0] is 99, must be the number of one of 45",
         false},
        {"flex_modes.json", "cases.3.input.fixed.0", "0.5", "input.fixed[0] is 0.5, must be the number of", false},
        {"flex_modes.json", "cases.3.input.lambda", "-1e9", "lambda is -1e+09 Pa", true},
        {"flex_patch.json", "cases.0.input.fixed_positions", "[[0, 0, 0]]", "input.fixed_positions has 1 vectors",
         false},
        {"flex_patch.json", "cases.0.expected.positions", "[[0, 0, 0]]", "expected.positions has 1 vectors", false},
        {"flex_static.json", "cases.0.expected.tip_nodes.2", "1e6", "expected.tip_nodes[2] is 1e+06", false},
        {"flex_newmark.json", "cases.0.expected.samples.1.velocities", "[[0, 0, 0]]",
         "samples[1].velocities has 1 vectors, must have 26", false},
        {"flex_patch.json", "cases.0.input.start.3", "[0, 0]", "input.start[3]", false},
        {"flex_static.json", "cases.0.input.gravity", "[0, 0]", "input.gravity", false},
        {"flex_static.json", "cases.0.input.density", "0", "input.density is 0", false},
        {"flex_bar.json", "cases.0.input.wall_normal", "[0, 0]", "input.wall_normal", false},
        {"flex_bar.json", "cases.0.expected.wave_speed", "0", "expected.wave_speed is 0", false},
    };
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        json_t *tree = load_data(changes[i].file);
        change(tree, changes[i].path, changes[i].value);
        keep_case(tree, changes[i].path);
        failures failed;
        carom_error error;
        char *text = json_dumps(tree, JSON_REAL_PRECISION(17));
        carom_status wanted = changes[i].by_carom ? CAROM_ERR_BAD_INPUT : CAROM_ERR_FILE;
        (void)verified(write_file(text, strlen(text)), wanted, &failed, &error);
        if (!CHECK_CONTAINS(error.text, changes[i].sentence)) fprintf(stderr, "%s\n", changes[i].path);
        unlink(scratch_path);
        free(text);
        json_decref(tree);
    }
}

// By the status, or by a case that fails as a step found none; some can be done without.
TEST(any_refused_allocation_is_said_and_leaks_nothing) {
    for (int set = 0; set < SET_COUNT; set++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", TEST_DATA, sets[set].file);
        bool refused = true;
        for (long long n = 1; refused && n < 100000; n += 1 + n / 8) {
            probe_allocator probe = {.refused_call = n};
            carom_allocator hook = probe_allocator_hook(&probe);
            carom_verify_report report;
            carom_error error = {.text = ""};
            failures failed = {0};
            carom_status status = carom_verify_file(path, &hook, note_failure, &failed, &report, &error);
            refused = probe.calls >= n;
            CHECK(status == CAROM_OK || (refused && status == CAROM_ERR_NO_MEMORY && error.text[0] != '\0'));
            CHECK(failed.count == 0 || (refused && strstr(failed.text, "no memory") != NULL));
            CHECK_INT(probe.live_blocks, 0);
        }
        CHECK(!refused);
    }
}

TEST_MAIN(CASE(flexible_bodies_are_met), CASE(whatever_is_changed_fails_its_case_and_is_named),
          CASE(cases_without_their_fields_are_refused_by_the_field),
          CASE(any_refused_allocation_is_said_and_leaks_nothing))
