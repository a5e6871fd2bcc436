// SPDX-License-Identifier: MIT
// The reference files of plans: met as they are, and failed by the name of whatever is changed.
#include "support/harness/probe_allocator.h"
#include "verify/changed_file.h"

static const struct {
    const char *file, *name;
    int cases;
} sets[] = {{"control_lq.json", "control_lq", 7},
            {"control_spin.json", "control_spin", 3},
            {"control_attitude.json", "control_attitude", 2},
            {"control_pendulum.json", "control_pendulum", 1},
            {"control_del.json", "control_del", 5},
            {"control_bounce.json", "control_bounce", 3},
            {"control_avoid.json", "control_avoid", 3}};
enum { SET_COUNT = sizeof sets / sizeof sets[0] };

TEST(plans_are_met) {
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
        CHECK_TEXT(report.not_compared, "");
    }
}

TEST(whatever_is_changed_fails_its_case_and_is_named) {
    static const struct {
        const char *file, *path, *value, *quantity;
    } changes[] = {
        {"control_lq.json", "cases.0.expected.cost", "+1e-9", "cost"},
        {"control_lq.json", "cases.0.expected.forces.2.1", "+1e-7", "forces"},
        {"control_lq.json", "cases.0.expected.positions.3.0", "+1e-7", "positions"},
        {"control_lq.json", "cases.1.input.velocity_end.1", "+1e-6", "cost"},
        {"control_lq.json", "cases.2.input.gravity.2", "+1e-5", "cost"},
        {"control_lq.json", "cases.3.input.velocity_end", "[0, 0, 0]", "cost"},
        {"control_lq.json", "cases.4.input.waypoints.0.node", "2", "cost"},
        {"control_lq.json", "cases.5.expected.limits_reached", "+1", "limits_reached"},
        {"control_lq.json", "cases.5.input.force_limit", "+1e-3", "forces"},
        {"control_lq.json", "cases.6.expected.time", "+1e-6", "time"},
        {"control_lq.json", "cases.6.expected.effort", "+1e-6", "effort"},
        {"control_lq.json", "cases.6.input.time_weight", "+1e-6", "cost"},
        {"control_spin.json", "cases.1.expected.torques.4", "+1e-6", "torques"},
        {"control_spin.json", "cases.1.expected.turns.4", "+1e-8", "turns"},
        {"control_spin.json", "cases.2.input.rate_end", "+1e-6", "cost"},
        {"control_spin.json", "cases.0.expected.cost", "+1e-9", "cost"},
        {"control_attitude.json", "cases.0.expected.torques.0.1", "+1e-4", "torques"},
        {"control_attitude.json", "cases.0.expected.q.5.2", "+1e-5", "q"},
        {"control_attitude.json", "cases.1.input.inertia_body.0.0", "+1e-3", "cost"},
        {"control_attitude.json", "cases.1.expected.cost", "+1e-5", "cost"},
        {"control_pendulum.json", "cases.0.expected.angles.7", "+1e-4", "angles"},
        {"control_pendulum.json", "cases.0.expected.torques.7", "+1e-4", "torques"},
        {"control_pendulum.json", "cases.0.input.gravity", "+1e-3", "cost"},
        {"control_del.json", "cases.0.expected.residual.0.4", "+1e-9", "residual"},
        {"control_del.json", "cases.1.expected.derivatives.1.0.3", "+1e-5", "derivatives"},
        {"control_del.json", "cases.1.input.bodies.0.force_point.1", "+1e-6", "residual"},
        {"control_del.json", "cases.2.input.bodies.0.torque_frame", "\"world\"", "residual"},
        {"control_del.json", "cases.2.input.variations.0.dsteps.1", "+1e-3", "derivatives"},
        {"control_del.json", "cases.3.expected.virtual_work.1", "+1e-8", "virtual_work"},
        {"control_del.json", "cases.4.input.joint.motor.0", "+1e-6", "virtual_work"},
        {"control_del.json", "cases.4.input.joint.point_a.0", "+1e-2", "rows of the joint"},
        {"control_del.json", "cases.4.input.admissible.0.1.4", "+1e-2", "rows of the joint"},
        {"control_bounce.json", "cases.0.expected.cost", "+1e-5", "cost"},
        {"control_bounce.json", "cases.0.expected.contact_time", "+1e-4", "contact_time"},
        {"control_bounce.json", "cases.0.expected.contact_point.1", "+1e-3", "contact_point"},
        {"control_bounce.json", "cases.1.expected.velocity_before.2", "+1e-3", "velocity_before"},
        {"control_bounce.json", "cases.1.expected.forces.3.2", "+1", "forces"},
        {"control_bounce.json", "cases.2.expected.speed_before", "+1e-3", "speed_before"},
        {"control_bounce.json", "cases.2.input.restitution", "+1e-3", "cost"},
        {"control_avoid.json", "cases.0.expected.cost", "+1e-3", "cost"},
        {"control_avoid.json", "cases.0.expected.positions.4.1", "+1e-3", "positions"},
        {"control_avoid.json", "cases.1.expected.forces.4.1", "+1e-1", "forces"},
        {"control_avoid.json", "cases.1.expected.touching_nodes.0", "+1", "touching_nodes"},
        {"control_avoid.json", "cases.1.input.margin", "+1e-3", "cost"},
        {"control_avoid.json", "cases.0.expected.free_cost", "+100", "free_cost"},
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
        {"control_lq.json", "cases.0.input.mass", "-1", "input.mass is -1", false},
        {"control_lq.json", "cases.0.input.intervals", "1", "plan: 1 intervals; give 2 to 2000", true},
        {"control_lq.json", "cases.0.expected.forces", "[[0, 0, 0]]", "expected.forces has 1 vectors; the plan has 7",
         false},
        {"control_lq.json", "cases.4.input.waypoints.0.node", "99", "plan: condition 0: node 99 is none", true},
        {"control_spin.json", "cases.0.input.axis", "3", "input.axis is 3; 0, 1 or 2 are axes", false},
        {"control_spin.json", "cases.0.expected.turns", "[0.1]", "expected.turns has 1 numbers", false},
        {"control_attitude.json", "cases.0.input.q_end", "[0, 0, 0]", "input.q_end", false},
        {"control_pendulum.json", "cases.0.input.length", "9", "body 0", true},
        {"control_bounce.json", "cases.0.input.intervals.0", "0", "input.intervals[0] must be 1 to 1000", false},
        {"control_bounce.json", "cases.0.input.restitution", "2", "plan: contact 0: restitution 2", true},
        {"control_del.json", "cases.0.input.bodies.0.steps.1", "-1", "steps[1] is -1, must be positive", false},
        {"control_del.json", "cases.0.input.bodies.0.q.1", "[1]", "q[1] must be 4 numbers", false},
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

// All but the last set, whose plans take longer.
TEST(any_refused_allocation_is_said_and_leaks_nothing) {
    for (int set = 0; set + 1 < SET_COUNT; set++) {
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
            // Arenas that cannot join their blocks keep them as they are: then all is well.
            bool said = status == CAROM_ERR_NO_MEMORY && error.text[0] != '\0';
            if (!CHECK(refused ? said || (status == CAROM_OK && report.failed == 0) : status == CAROM_OK))
                fprintf(stderr, "%s: call %lld\n", sets[set].file, n);
            CHECK_INT(probe.live_blocks, 0);
        }
    }
}

TEST_MAIN(CASE(plans_are_met), CASE(whatever_is_changed_fails_its_case_and_is_named),
          CASE(cases_without_their_fields_are_refused_by_the_field),
          CASE(any_refused_allocation_is_said_and_leaks_nothing))
