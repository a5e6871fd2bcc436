// SPDX-License-Identifier: MIT
// Plans in recordings: what is read is what was kept, to the bit; what verdicts say of them; CSV; tables of a stranger.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

#include "support/harness/check.h"
#include "support/scene/recorded_run.h"
#include "support/scene/repaired_rows.h"
#include "support/scene/small_plan.h"

static carom_recording *open_recording(const char *path) {
    carom_recording *recording = NULL;
    carom_error error = {.text = ""};
    if (carom_recording_open(path, &recording, &error) != CAROM_OK) fail_msg("%s", error.text);
    return recording;
}

static carom_recording_info info_of(const carom_recording *recording) {
    carom_recording_info info;
    CHECK_INT(carom_recording_get_info(recording, &info, NULL), CAROM_OK);
    return info;
}

static bool same_numbers(const double *a, const double *b, int count) {
    return memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

static bool same_vec3(carom_vec3 a, carom_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// ---- what is kept

static void check_lists(const carom_plan_data *got, const carom_plan_data *wanted) {
    for (int i = 0; i < wanted->control_count; i++) {
        const carom_plan_control *a = &got->control[i], *b = &wanted->control[i];
        CHECK(a->kind == b->kind && a->body.index == b->body.index && a->joint == b->joint);
        CHECK(a->first == b->first && a->size == b->size && a->force_count == b->force_count);
        CHECK(a->in_body_axes == b->in_body_axes && a->force_limit == b->force_limit);
        CHECK(a->torque_limit == b->torque_limit);
    }
    for (int i = 0; i < wanted->solve_count; i++) {
        const carom_plan_solve *a = &got->solve[i], *b = &wanted->solve[i];
        CHECK(a->start == b->start && a->level == b->level && a->intervals == b->intervals);
        CHECK(a->outcome == b->outcome && a->iterations == b->iterations && a->effort == b->effort);
        CHECK(a->seconds == b->seconds && a->violation == b->violation && a->optimality == b->optimality);
    }
    for (int i = 0; i < wanted->plane_count; i++) {
        const carom_plan_plane *a = &got->plane[i], *b = &wanted->plane[i];
        CHECK(a->interval == b->interval && a->a.index == b->a.index && a->b.index == b->b.index);
        CHECK(same_vec3(a->normal, b->normal) && a->offset == b->offset);
    }
    for (int i = 0; i < wanted->impulse_count; i++) {
        const carom_plan_impulse *a = &got->impulse[i], *b = &wanted->impulse[i];
        CHECK(a->node == b->node && a->contact == b->contact && a->b.index == b->b.index);
        CHECK(same_vec3(a->point, b->point) && same_vec3(a->impulse, b->impulse) && same_vec3(a->couple, b->couple));
    }
}

static void check_motion(const carom_plan_data *got, const carom_plan_data *wanted) {
    int intervals = wanted->interval_count, nodes = intervals + 1, bodies = wanted->body_count;
    CHECK(same_numbers(got->time, wanted->time, nodes));
    CHECK(same_numbers(got->value, wanted->value, intervals * wanted->number_count));
    CHECK(same_numbers(got->guess_value, wanted->guess_value, intervals * wanted->number_count));
    CHECK(same_numbers(got->consistency, wanted->consistency, nodes));
    CHECK(memcmp(got->motion, wanted->motion, (size_t)(nodes * bodies) * sizeof *got->motion) == 0);
    CHECK(memcmp(got->guess, wanted->guess, (size_t)(nodes * bodies) * sizeof *got->guess) == 0);
    for (int i = 0; i < intervals * wanted->wrench_count; i++) {
        const carom_body_wrench *a = &got->wrench[i], *b = &wanted->wrench[i];
        CHECK(a->body.index == b->body.index && a->in_body_axes == b->in_body_axes);
        CHECK(same_vec3(a->force, b->force) && same_vec3(a->torque, b->torque) && same_vec3(a->point, b->point));
    }
    CHECK(memcmp(got->at_node, wanted->at_node, (size_t)nodes * sizeof *got->at_node) == 0);
    CHECK(memcmp(got->between, wanted->between, (size_t)intervals * sizeof *got->between) == 0);
}

TEST(what_is_read_is_what_was_kept) {
    scratch_folder folder = scratch_folder_make();
    const char *path = in_folder(&folder, "x.carom");
    small_plan *plan = small_plan_make();
    small_plan_record(plan, path);
    carom_recording *recording = open_recording(path);
    const carom_plan_data *got = carom_recording_plan(recording), *wanted = &plan->data;
    if (!CHECK(got != NULL)) return;
    CHECK_INT(got->outcome, wanted->outcome);
    CHECK_TEXT(got->reason, "");
    CHECK_INT(got->interval_count, wanted->interval_count);
    CHECK_INT(got->body_count, wanted->body_count);
    CHECK_INT(got->number_count, wanted->number_count);
    CHECK(got->certificate.strict && got->certificate.kept);
    int count;
    const carom_plan_line *lines = carom_plan_lines(&count);
    for (int i = 0; i < count; i++) {
        double a = carom_plan_line_value(&lines[i], &got->certificate);
        double b = carom_plan_line_value(&lines[i], &wanted->certificate);
        if (!CHECK(a == b || (isnan(a) && isnan(b)))) print_message("%s\n", lines[i].name);
    }
    if (CHECK_INT(got->control_count, wanted->control_count) && CHECK_INT(got->solve_count, wanted->solve_count) &&
        CHECK_INT(got->plane_count, wanted->plane_count) && CHECK_INT(got->impulse_count, wanted->impulse_count))
        check_lists(got, wanted);
    if (CHECK_INT(got->wrench_count, wanted->wrench_count)) check_motion(got, wanted);
    CHECK(carom_plan_hash(got) == carom_plan_hash(wanted));
    size_t size;
    const void *saved = carom_recording_plan_saved(recording, &size);
    CHECK(size == 5 && memcmp(saved, "saved", 5) == 0);
    carom_recording_close(recording);
    small_plan_destroy(plan);
    scratch_folder_remove(&folder);
}

TEST(frames_are_the_nodes) {
    scratch_folder folder = scratch_folder_make();
    const char *path = in_folder(&folder, "x.carom");
    small_plan *plan = small_plan_make();
    small_plan_record(plan, path);
    carom_recording *recording = open_recording(path);
    carom_recording_info info = info_of(recording);
    CHECK(info.plan && !info.replayed && info.finished);
    CHECK_INT(info.frame_count, SMALL_PLAN_INTERVALS + 1);
    for (int k = 0; k <= SMALL_PLAN_INTERVALS; k++) {
        carom_body_state bodies[SMALL_PLAN_BODIES];
        double time;
        CHECK_INT(carom_recording_get_frame(recording, k, &time, NULL, bodies, NULL), CAROM_OK);
        CHECK_NEAR(time, plan->time[k], 1e-15);
        CHECK(memcmp(bodies, &plan->motion[k * SMALL_PLAN_BODIES], sizeof bodies) == 0);
    }
    carom_recording_close(recording);
    small_plan_destroy(plan);
    scratch_folder_remove(&folder);
}

TEST(a_run_has_no_plan) {
    scratch_folder folder = scratch_folder_make();
    const char *path = in_folder(&folder, "x.carom");
    small_run run = small_run_make(2, 0.01);
    carom_recorder_def def = recorder_to(path);
    small_run_record_whole(&def, NULL, &run, 3);
    carom_recording *recording = open_recording(path);
    size_t size;
    CHECK(carom_recording_plan(recording) == NULL);
    CHECK(carom_recording_plan_saved(recording, &size) == NULL && size == 0);
    CHECK(!info_of(recording).plan);
    carom_error error;
    CHECK_INT(carom_recording_export_csv(recording, "gaps", in_folder(&folder, "x.csv"), false, &error),
              CAROM_ERR_UNSUPPORTED);
    CHECK_TEXT(error.text, "export: the recording is of a run, and has no plan; `carom plan` makes one");
    carom_recording_close(recording);
    small_run_free(&run);
    scratch_folder_remove(&folder);
}

// ---- what cannot be

TEST(a_plan_of_other_bodies_and_a_resumed_plan_are_refused) {
    scratch_folder folder = scratch_folder_make();
    const char *path = in_folder(&folder, "x.carom");
    small_plan *plan = small_plan_make();
    small_run run = small_run_make(2, 0.01);
    carom_recorder_def def = recorder_to(path);
    carom_recorder *recorder = NULL;
    carom_error error;
    bool finished;
    def.plan = &plan->data;
    CHECK_INT(carom_recorder_create(&def, NULL, run.state, &recorder, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "recorder: the plan is of 3 bodies and the model has 2; give a plan of this model");
    small_plan_record(plan, path);
    carom_state *state = small_plan_state(plan);
    CHECK_INT(carom_recorder_resume(&def, state, &finished, &recorder, &error), CAROM_ERR_FILE);
    CHECK_CONTAINS(error.text, "is the recording of a plan, not of a run; `carom plan --resume` goes on with it");
    carom_state_destroy(state);
    small_run_free(&run);
    small_plan_destroy(plan);
    scratch_folder_remove(&folder);
}

// ---- verdicts

static carom_verdict verdict_of(small_plan *plan, const char *path) {
    small_plan_record(plan, path);
    carom_recording *recording = open_recording(path);
    carom_recording_info info = info_of(recording);
    carom_verdict verdict = carom_recording_verdict(&info, recording);
    carom_recording_close(recording);
    return verdict;
}

static void check_verdict(small_plan *plan, const char *path, carom_colour colour, const char *part) {
    carom_verdict verdict = verdict_of(plan, path);
    CHECK_INT(verdict.colour, colour);
    CHECK_CONTAINS(verdict.sentence, part);
}

TEST(verdicts_follow_the_certificate_of_the_plan) {
    scratch_folder folder = scratch_folder_make();
    const char *path = in_folder(&folder, "x.carom");
    small_plan *plan = small_plan_make();
    carom_plan_certificate *certificate = &plan->data.certificate, good = *certificate;
    check_verdict(plan, path, CAROM_COLOUR_GREEN, "A strict local optimum that keeps every bound");
    certificate->gap_between = 0.0095;
    check_verdict(plan, path, CAROM_COLOUR_RED, "a line of its certificate is 1e+06 times its bound");
    *certificate = good;
    certificate->consistency = 2e-9;
    check_verdict(plan, path, CAROM_COLOUR_RED, "is 2 times its bound");
    certificate->consistency = NAN;
    check_verdict(plan, path, CAROM_COLOUR_RED, "is inf times its bound");
    *certificate = good;
    certificate->optimality = 3e-6;
    check_verdict(plan, path, CAROM_COLOUR_AMBER, "not proven to be a local optimum: its first-order error is 3 of");
    *certificate = good;
    certificate->strict = false;
    check_verdict(plan, path, CAROM_COLOUR_AMBER, "not proven to be a local optimum");
    *certificate = good;
    certificate->gap_at_nodes = certificate->gap_between = INFINITY; // nothing is avoided
    check_verdict(plan, path, CAROM_COLOUR_GREEN, "A strict local optimum");
    small_plan_destroy(plan);
    scratch_folder_remove(&folder);
}

TEST(a_plan_that_cannot_be_says_why) {
    scratch_folder folder = scratch_folder_make();
    const char *path = in_folder(&folder, "x.carom");
    small_plan *plan = small_plan_make();
    plan->data.outcome = CAROM_PLAN_IMPOSSIBLE;
    plan->data.reason = "bodies 'a' and 'b' cannot be 0.1 m apart at node 6";
    plan->data.interval_count = plan->data.plane_count = plan->data.impulse_count = 0;
    check_verdict(plan, path, CAROM_COLOUR_RED, "There is no such plan: bodies 'a' and 'b' cannot be 0.1 m apart");
    carom_recording *recording = open_recording(path);
    const carom_plan_data *got = carom_recording_plan(recording);
    CHECK_INT(got->outcome, CAROM_PLAN_IMPOSSIBLE);
    CHECK_TEXT(got->reason, plan->data.reason);
    CHECK_INT(got->solve_count, 3);
    CHECK_INT(got->interval_count, 0);
    carom_recording_close(recording);
    small_plan_destroy(plan);
    scratch_folder_remove(&folder);
}

// ---- CSV

static char *export(const carom_recording *recording, const char *what, const char *path) {
    carom_error error = {.text = ""};
    if (carom_recording_export_csv(recording, what, path, true, &error) != CAROM_OK) fail_msg("%s", error.text);
    size_t size;
    char *text = (char *)read_bytes(path, &size);
    text = realloc(text, size + 1);
    text[size] = '\0';
    return text;
}

static int lines_of(const char *text) {
    int lines = 0;
    for (; *text != '\0'; text++) lines += *text == '\n';
    return lines;
}

TEST(tables_as_csv) {
    scratch_folder folder = scratch_folder_make();
    const char *path = in_folder(&folder, "x.carom"), *csv = in_folder(&folder, "x.csv");
    small_plan *plan = small_plan_make();
    small_plan_record(plan, path);
    carom_recording *recording = open_recording(path);
    char *controls = export(recording, "controls", csv);
    CHECK_INT(lines_of(controls), 1 + SMALL_PLAN_INTERVALS * SMALL_PLAN_NUMBERS);
    CHECK(strncmp(controls, "interval,from,until,control,number,kind,body,joint,axes,quantity,unit,value,guess\n",
                  82) == 0);
    char line[256];
    snprintf(line, sizeof line, "\n1,0.5,1,0,4,wrench,craft,,body,ty,N m,%.17g,%.17g\n", plan->value[11],
             plan->guess_value[11]);
    CHECK_CONTAINS(controls, line);
    CHECK_CONTAINS(controls, ",1,6,thruster,rest,,body,thrust,N,");
    char *gaps = export(recording, "gaps", csv);
    CHECK_INT(lines_of(gaps), 1 + SMALL_PLAN_INTERVALS + 1);
    CHECK_CONTAINS(gaps, "\n0,0,0.02,0,1,'=post,craft,0.012500000000000001,0,1,'=post,craft\n");
    CHECK_CONTAINS(gaps, "\n6,3,,,,,,,,,,\n");
    char *solves = export(recording, "solves", csv);
    CHECK_INT(lines_of(solves), 4);
    CHECK_CONTAINS(solves, "\n2,1,0,3,stuck,12,2.25,");
    free(controls);
    free(gaps);
    free(solves);
    carom_recording_close(recording);
    small_plan_destroy(plan);
    scratch_folder_remove(&folder);
}

// ---- a stranger's

static int columns_of(const char *path, const char *table, char (*names)[64], int most) {
    sqlite3 *database;
    sqlite3_stmt *statement;
    char sql[64];
    int count = 0;
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    snprintf(sql, sizeof sql, "SELECT * FROM %s", table);
    assert_int_equal(sqlite3_prepare_v2(database, sql, -1, &statement, NULL), SQLITE_OK);
    for (int c = 0; c < sqlite3_column_count(statement) && count < most; c++) {
        const char *name = sqlite3_column_name(statement, c);
        if (strcmp(name, "digest") != 0) snprintf(names[count++], sizeof names[0], "%s", name);
    }
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return count;
}

// Reads all that there is; a sentence, or a plan that can be gone through to its last number.
static bool read_all(const char *path) {
    carom_error error = {.text = ""};
    carom_recording *recording = NULL;
    carom_status status = carom_recording_open(path, &recording, &error);
    CHECK(status != CAROM_ERR_NO_MEMORY && (status == CAROM_OK || error.text[0] != '\0'));
    if (status != CAROM_OK) return false;
    const carom_plan_data *plan = carom_recording_plan(recording);
    if (plan != NULL) carom_plan_hash(plan);
    static const char *const tables[] = {"controls", "gaps", "solves"};
    for (int i = 0; i < 3 && plan != NULL; i++)
        CHECK_INT(carom_recording_export_csv(recording, tables[i], "/dev/null/x", true, &error), CAROM_ERR_FILE);
    carom_recording_close(recording);
    return true;
}

TEST(tables_of_a_stranger_are_refused_or_read) {
    static const char *const tables[] = {"plan",       "plan_certificate", "plan_solves", "plan_controls",
                                         "plan_nodes", "plan_intervals",   "plan_planes", "plan_impulses"};
    static const char *const values[] = {
        "9223372036854775807", "-1", "2147483647", "1e999", "NULL", "''", "x'00'", "5"};
    scratch_folder folder = scratch_folder_make();
    const char *path = in_folder(&folder, "x.carom");
    small_plan *plan = small_plan_make();
    small_plan_record(plan, path);
    size_t size;
    unsigned char *bytes = read_bytes(path, &size);
    int refused = 0, read = 0;
    for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++) {
        char names[20][64];
        int columns = columns_of(path, tables[t], names, 20);
        for (int c = 0; c < columns; c++)
            for (size_t v = 0; v < sizeof values / sizeof values[0]; v++) {
                if ((c + v + t) % 2 == 1) continue;
                char sql[192];
                snprintf(sql, sizeof sql, "UPDATE OR IGNORE %s SET %.60s = %s", tables[t], names[c], values[v]);
                write_bytes(path, bytes, size);
                sqlite3 *database;
                assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
                bool possible = sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK;
                sqlite3_close(database);
                if (!possible) continue;
                write_bytes(path, bytes, size);
                change_recording(path, sql, tables[t]);
                if (read_all(path))
                    read++;
                else
                    refused++;
            }
        char sql[64];
        snprintf(sql, sizeof sql, "DELETE FROM %s", tables[t]);
        write_bytes(path, bytes, size);
        change_recording(path, sql, NULL);
        read_all(path);
        snprintf(sql, sizeof sql, "DROP TABLE %s", tables[t]);
        write_bytes(path, bytes, size);
        change_recording(path, sql, NULL);
        CHECK(!read_all(path) || t == 0); // without the first one there is no plan
        write_bytes(path, bytes, size);
    }
    print_message("%d refused, %d read\n", refused, read);
    CHECK(refused > 100 && read > 20);
    free(bytes);
    small_plan_destroy(plan);
    scratch_folder_remove(&folder);
}

TEST_MAIN(CASE(what_is_read_is_what_was_kept), CASE(frames_are_the_nodes), CASE(a_run_has_no_plan),
          CASE(a_plan_of_other_bodies_and_a_resumed_plan_are_refused),
          CASE(verdicts_follow_the_certificate_of_the_plan), CASE(a_plan_that_cannot_be_says_why), CASE(tables_as_csv),
          CASE(tables_of_a_stranger_are_refused_or_read))
