// SPDX-License-Identifier: MIT
// The table of certificate quantities: it is sound, the documentation has it, and recordings carry it, so that a reader
// who knows other quantities finds those that it shares with the writer.
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/file/table_row.h"
#include "support/harness/check.h"
#include "support/scene/recorded_run.h"

enum { STEPS = 20 };

static bool is_item_sound(const carom_quantity *quantity, const carom_summary_item *item) {
    switch (item->rule) {
    case CAROM_SUMMARY_LARGEST:
        return item->type == quantity->type && item->type != CAROM_QUANTITY_VECTOR;
    case CAROM_SUMMARY_LARGEST_SIZE:
        return item->type == CAROM_QUANTITY_REAL && quantity->type != CAROM_QUANTITY_COUNT;
    case CAROM_SUMMARY_LEAST:
        return item->type == CAROM_QUANTITY_REAL && quantity->type == CAROM_QUANTITY_REAL;
    case CAROM_SUMMARY_SUM:
        return item->type == quantity->type;
    case CAROM_SUMMARY_MEAN:
        return item->type == CAROM_QUANTITY_REAL && quantity->type == CAROM_QUANTITY_REAL;
    case CAROM_SUMMARY_STEPS:
        return item->type == CAROM_QUANTITY_COUNT && quantity->type == CAROM_QUANTITY_COUNT;
    case CAROM_SUMMARY_NONE:
        break;
    }
    return false;
}

TEST(every_line_of_the_table_is_whole) {
    int count;
    const carom_quantity *q = carom_quantities(&count);
    CHECK_TEXT(q[0].name, "time");
    for (int i = 0; i < count; i++) {
        CHECK(q[i].name != NULL && q[i].label != NULL && q[i].unit != NULL && q[i].text != NULL);
        CHECK(q[i].text[strlen(q[i].text) - 1] == '.');
        CHECK(q[i].plot == NULL || q[i].type == CAROM_QUANTITY_VECTOR || q[i].series != NULL);
        CHECK(!q[i].compared || q[i].summary[0].rule != CAROM_SUMMARY_NONE);
        for (int k = 0; k < CAROM_QUANTITY_MOST_ITEMS && q[i].summary[k].rule != CAROM_SUMMARY_NONE; k++)
            if (!CHECK(is_item_sound(&q[i], &q[i].summary[k]))) print_message("%s\n", q[i].summary[k].name);
        for (int j = 0; j < i; j++)
            for (int k = 0; k < carom_quantity_column_count(&q[i]); k++)
                for (int l = 0; l < carom_quantity_column_count(&q[j]); l++)
                    CHECK(strcmp(q[i].column[k], q[j].column[l]) != 0);
    }
}

TEST(numbers_go_in_and_come_out) {
    int count;
    const carom_quantity *q = carom_quantities(&count);
    carom_step_report report = {.step = 1};
    for (int i = 0; i < count; i++)
        for (int k = 0; k < carom_quantity_column_count(&q[i]); k++) {
            double value = q[i].type == CAROM_QUANTITY_OUTCOME ? 1.0 : 3 * i + k + 1;
            carom_quantity_set(&q[i], &report, k, value);
            CHECK(carom_quantity_get(&q[i], &report, k) == value);
        }
    CHECK(report.energy.kinetic == 4.0 && report.momentum.linear.z == 12.0 && report.outcome == CAROM_STEP_GOOD);
}

// A row of the table in docs/recording.md.
static void describe(const carom_quantity *q, char *to) {
    to += sprintf(to, "\n| ");
    for (int i = 0; i < carom_quantity_column_count(q); i++)
        to += sprintf(to, "%s`%s`", i > 0 ? ", " : "", q->column[i]);
    to += sprintf(to, " | %s | %s | ", q->unit, q->text);
    for (int i = 0; i < CAROM_QUANTITY_MOST_ITEMS && q->summary[i].rule != CAROM_SUMMARY_NONE; i++)
        to += sprintf(to, "%s`%s`%s", i > 0 ? ", " : "", q->summary[i].name,
                      q->summary[i].type == CAROM_QUANTITY_VECTOR ? " (`_x`, `_y`, `_z`)" : "");
    sprintf(to, " |\n");
}

TEST(the_documentation_has_them_all) {
    size_t size;
    char *text = (char *)read_bytes(CAROM_SOURCE_DIR "/docs/recording.md", &size);
    text[size] = '\0';
    int count;
    const carom_quantity *quantities = carom_quantities(&count);
    for (int i = 0; i < count; i++) {
        char row[1024];
        describe(&quantities[i], row);
        if (!CHECK(strstr(text, row) != NULL)) print_message("docs/recording.md has no row%s", row);
    }
    free(text);
}

static void record(const char *path) {
    small_run run = small_run_make(2, 0.01);
    carom_recorder_def def = recorder_to(path);
    carom_recorder *recorder;
    carom_error error = {0};
    if (carom_recorder_create(&def, NULL, run.state, &recorder, &error) != CAROM_OK) fail_msg("%s", error.text);
    CHECK(small_run_record(&run, recorder, STEPS, &error));
    CHECK_INT(carom_recorder_checkpoint(recorder, run.state, &error), CAROM_OK);
    carom_recorder_destroy(recorder);
    small_run_free(&run);
}

// As if another carom had written the file, to whom column `number` is something else.
static void rename_column(const char *path, int number, const char *name) {
    sqlite3 *database;
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    assert_int_equal(
        sqlite3_prepare_v2(database, "INSERT OR REPLACE INTO quantities VALUES (?, ?, ?, ?, ?)", -1, &statement, NULL),
        SQLITE_OK);
    crm_row row = crm_row_write(statement);
    crm_row_put_int(&row, number);
    crm_row_put_text(&row, name);
    crm_row_put_text(&row, "K");
    crm_row_put_text(&row, "Something else.");
    assert_int_equal(crm_row_insert(&row), SQLITE_OK);
    sqlite3_finalize(statement);
    sqlite3_close(database);
}

TEST(columns_of_another_writer_are_found_by_their_names) {
    scratch_folder folder = scratch_folder_make();
    const char *path = in_folder(&folder, "x.carom");
    record(path);
    carom_step_report before[STEPS], after[STEPS];
    carom_recording *recording;
    carom_error error = {0};
    int got;
    CHECK_INT(carom_recording_open(path, &recording, &error), CAROM_OK);
    CHECK_INT(carom_recording_get_certificates(recording, 0, STEPS, before, &got, &error), CAROM_OK);
    carom_recording_close(recording);
    rename_column(path, 1, "temperature");
    if (carom_recording_open(path, &recording, &error) != CAROM_OK) fail_msg("%s", error.text);
    CHECK_INT(carom_recording_get_certificates(recording, 0, STEPS, after, &got, &error), CAROM_OK);
    carom_recording_close(recording);
    for (int i = 0; i < STEPS; i++) {
        CHECK(before[i].energy.kinetic > 0.0 && after[i].energy.kinetic == 0.0);
        after[i].energy.kinetic = before[i].energy.kinetic;
        CHECK(memcmp(&before[i], &after[i], sizeof before[i]) == 0);
    }
    small_run run = small_run_make(2, 0.01);
    carom_recorder_def def = recorder_to(path);
    carom_recorder *recorder;
    bool finished;
    CHECK_INT(carom_recorder_resume(&def, run.state, &finished, &recorder, &error), CAROM_ERR_FILE);
    CHECK_CONTAINS(error.text, "whose certificates have other quantities than those of this one; resume it with that");
    small_run_free(&run);
    scratch_folder_remove(&folder);
}

TEST_MAIN(CASE(every_line_of_the_table_is_whole), CASE(numbers_go_in_and_come_out),
          CASE(the_documentation_has_them_all), CASE(columns_of_another_writer_are_found_by_their_names))
