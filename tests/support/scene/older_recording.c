// SPDX-License-Identifier: MIT
#include "support/scene/older_recording.h"

#include <sqlite3.h>
#include <stdlib.h>

#include "record/file/table_row.h"
#include "support/harness/check.h"

static void run_sql(sqlite3 *database, const char *sql) {
    char *why = NULL;
    if (sqlite3_exec(database, sql, NULL, NULL, &why) != SQLITE_OK) fail_msg("%s: %s", sql, why);
}

// Of `from` bytes of each certificate, the first `to`. Zeros: bytes stay as they are.
typedef struct shortening {
    size_t from, to;
} shortening;

// Puts column `from` of a row into the next column of another, whatever its type; bytes are shortened into `*packed`.
static void copy_column(sqlite3_stmt *select, int from, crm_row *to, shortening cut, void **packed) {
    switch (sqlite3_column_type(select, from)) {
    case SQLITE_INTEGER:
        crm_row_put_int(to, sqlite3_column_int64(select, from));
        break;
    case SQLITE_FLOAT:
        crm_row_put_real(to, sqlite3_column_double(select, from));
        break;
    case SQLITE_TEXT:
        crm_row_put_text(to, (const char *)sqlite3_column_text(select, from));
        break;
    default: {
        const unsigned char *bytes = sqlite3_column_blob(select, from);
        size_t size = (size_t)sqlite3_column_bytes(select, from);
        if (cut.from > 0) {
            unsigned char *shorter = *packed = malloc(size);
            assert_non_null(shorter);
            for (size_t i = 0; i < size; i++)
                if (i % cut.from < cut.to) shorter[i / cut.from * cut.to + i % cut.from] = bytes[i];
            bytes = shorter;
            size = size / cut.from * cut.to;
        }
        crm_row_put_bytes(to, bytes != NULL ? bytes : (const unsigned char *)"", size); // an empty blob is no NULL
    }
    }
}

// Copies all rows that `select` gives, with new digests, to a table of the same name. With `aside`, the last column
// follows the digest.
static void copy_table(sqlite3 *database, const char *select_sql, const char *insert_sql, shortening cut, bool aside) {
    sqlite3_stmt *select, *insert;
    assert_int_equal(sqlite3_prepare_v2(database, select_sql, -1, &select, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(database, insert_sql, -1, &insert, NULL), SQLITE_OK);
    int count = sqlite3_column_count(select) - aside;
    while (sqlite3_step(select) == SQLITE_ROW) {
        crm_row row = crm_row_write(insert);
        void *packed = NULL;
        for (int i = 0; i < count; i++) copy_column(select, i, &row, cut, &packed);
        crm_row_put_digest(&row);
        if (aside)
            crm_row_put_aside(&row, sqlite3_column_blob(select, count), (size_t)sqlite3_column_bytes(select, count));
        assert_int_equal(crm_row_insert(&row), SQLITE_OK);
        free(packed);
    }
    sqlite3_finalize(select);
    sqlite3_finalize(insert);
}

static const shortening whole = {0, 0};

void make_recording_of_format_3(const char *path) {
    sqlite3 *database;
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    run_sql(database,
            "BEGIN; PRAGMA user_version=3; DROP VIEW summary;"
            "ALTER TABLE certificates RENAME TO new_certificates; ALTER TABLE checkpoints RENAME TO new_checkpoints;"
            "CREATE TABLE certificates (first_step INTEGER PRIMARY KEY, count, packed, digest);"
            "CREATE TABLE checkpoints (step INTEGER PRIMARY KEY, time, hash, finished, end_text, frame_count,"
            " extra_frame, broken_steps, first_broken_step, first_broken_text, largest_momentum_balance,"
            " largest_residual, first_energy, last_energy, largest_energy_change, most_iterations,"
            " largest_joint_drift, divided_steps, most_parts, most_contacts, largest_infeasibility,"
            " infeasibility_sum, largest_friction_work, fallback_steps, state_digest, digest, state);"
            "CREATE VIEW summary AS SELECT step FROM checkpoints;");
    copy_table(database, "SELECT first_step, count, packed FROM new_certificates",
               "INSERT INTO certificates VALUES (?, ?, ?, ?)", (shortening){184, 144}, false);
    copy_table(database,
               "SELECT step, time, hash, finished, end_text, frame_count, extra_frame, broken_steps, "
               "first_broken_step, first_broken_text, largest_momentum_balance, largest_residual, first_energy, "
               "last_energy, largest_energy_change, most_iterations, largest_joint_drift, divided_steps, most_parts, "
               "most_contacts, largest_infeasibility, infeasibility_sum, largest_friction_work, fallback_steps, "
               "state_digest, state FROM new_checkpoints",
               "INSERT INTO checkpoints VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
               "?, ?, ?, ?)",
               whole, true);
    run_sql(database, "DROP TABLE new_certificates; DROP TABLE new_checkpoints; COMMIT;");
    sqlite3_close(database);
}

void make_recording_of_format_2(const char *path) {
    make_recording_of_format_3(path);
    sqlite3 *database;
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    run_sql(database,
            "BEGIN; PRAGMA user_version=2; DROP VIEW summary; DROP TABLE shapes;"
            "DELETE FROM meta WHERE key IN ('shape_count', 'contacts');"
            "ALTER TABLE bodies RENAME TO new_bodies; ALTER TABLE frames RENAME TO new_frames;"
            "ALTER TABLE certificates RENAME TO new_certificates; ALTER TABLE checkpoints RENAME TO new_checkpoints;"
            "CREATE TABLE bodies (number INTEGER PRIMARY KEY, name, digest);"
            "CREATE TABLE frames (number INTEGER PRIMARY KEY, step, time, bodies, joints, digest);"
            "CREATE TABLE certificates (first_step INTEGER PRIMARY KEY, count, packed, digest);"
            "CREATE TABLE checkpoints (step INTEGER PRIMARY KEY, time, hash, finished, end_text, frame_count,"
            " extra_frame, broken_steps, first_broken_step, first_broken_text, largest_momentum_balance,"
            " largest_residual, first_energy, last_energy, largest_energy_change, most_iterations,"
            " largest_joint_drift, divided_steps, most_parts, state_digest, digest, state);"
            "CREATE VIEW summary AS SELECT step FROM checkpoints;");
    copy_table(database, "SELECT number, name FROM new_bodies", "INSERT INTO bodies VALUES (?, ?, ?)", whole, false);
    copy_table(database, "SELECT number, step, time, bodies, joints FROM new_frames",
               "INSERT INTO frames VALUES (?, ?, ?, ?, ?, ?)", whole, false);
    copy_table(database, "SELECT first_step, count, packed FROM new_certificates",
               "INSERT INTO certificates VALUES (?, ?, ?, ?)", (shortening){144, 112}, false);
    copy_table(database,
               "SELECT step, time, hash, finished, end_text, frame_count, extra_frame, broken_steps, "
               "first_broken_step, first_broken_text, largest_momentum_balance, largest_residual, first_energy, "
               "last_energy, largest_energy_change, most_iterations, largest_joint_drift, divided_steps, most_parts, "
               "state_digest, state FROM new_checkpoints",
               "INSERT INTO checkpoints VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
               whole, true);
    run_sql(database, "DROP TABLE new_bodies; DROP TABLE new_frames; DROP TABLE new_certificates;"
                      "DROP TABLE new_checkpoints; COMMIT;");
    sqlite3_close(database);
}

void make_recording_of_format_1(const char *path) {
    make_recording_of_format_2(path);
    sqlite3 *database;
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    run_sql(database,
            "BEGIN; PRAGMA user_version=1; DROP VIEW summary; DROP TABLE joints;"
            "DELETE FROM meta WHERE key = 'joint_count';"
            "ALTER TABLE frames RENAME TO new_frames; ALTER TABLE certificates RENAME TO new_certificates;"
            "ALTER TABLE checkpoints RENAME TO new_checkpoints;"
            "CREATE TABLE frames (number INTEGER PRIMARY KEY, step, time, bodies, digest);"
            "CREATE TABLE certificates (first_step INTEGER PRIMARY KEY, count, packed, digest);"
            "CREATE TABLE checkpoints (step INTEGER PRIMARY KEY, time, hash, finished, end_text, frame_count,"
            " extra_frame, broken_steps, first_broken_step, first_broken_text, largest_momentum_balance,"
            " largest_residual, first_energy, last_energy, largest_energy_change, most_iterations, state_digest,"
            " digest, state);");
    copy_table(database, "SELECT number, step, time, bodies FROM new_frames",
               "INSERT INTO frames VALUES (?, ?, ?, ?, ?)", whole, false);
    copy_table(database, "SELECT first_step, count, packed FROM new_certificates",
               "INSERT INTO certificates VALUES (?, ?, ?, ?)", (shortening){112, 104}, false);
    copy_table(database,
               "SELECT step, time, hash, finished, end_text, frame_count, extra_frame, broken_steps, "
               "first_broken_step, first_broken_text, largest_momentum_balance, largest_residual, first_energy, "
               "last_energy, largest_energy_change, most_iterations, state_digest, state FROM new_checkpoints",
               "INSERT INTO checkpoints VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", whole, true);
    run_sql(database, "DROP TABLE new_frames; DROP TABLE new_certificates; DROP TABLE new_checkpoints; COMMIT;");
    sqlite3_close(database);
}
