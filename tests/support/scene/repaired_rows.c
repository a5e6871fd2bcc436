// SPDX-License-Identifier: MIT
#include "support/scene/repaired_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <sqlite3.h>

#include "record/file/format.h"
#include "record/file/row_digest.h"
#include "support/harness/check.h"

// docs/recording.md: integers as they are, reals by their bits, texts and bytes by their own digest.
static uint64_t add_value(uint64_t digest, sqlite3_stmt *row, int column) {
    switch (sqlite3_column_type(row, column)) {
    case SQLITE_INTEGER:
        return crm_digest_word(digest, (uint64_t)sqlite3_column_int64(row, column));
    case SQLITE_FLOAT:
        return crm_digest_word(digest, crm_bits_of(sqlite3_column_double(row, column) + 0.0));
    case SQLITE_NULL:
        return crm_digest_word(digest, UINT64_C(0x7ff8000000000000));
    default: {
        const void *bytes = sqlite3_column_blob(row, column);
        return crm_digest_bytes(digest, bytes, (size_t)sqlite3_column_bytes(row, column));
    }
    }
}

static void repair_table(sqlite3 *database, const char *table) {
    char text[128];
    sqlite3_stmt *rows, *update;
    snprintf(text, sizeof text, "SELECT rowid AS own_row, * FROM %s", table);
    assert_int_equal(sqlite3_prepare_v2(database, text, -1, &rows, NULL), SQLITE_OK);
    snprintf(text, sizeof text, "UPDATE %s SET digest = ? WHERE rowid = ?", table);
    assert_int_equal(sqlite3_prepare_v2(database, text, -1, &update, NULL), SQLITE_OK);
    while (sqlite3_step(rows) == SQLITE_ROW) {
        uint64_t digest = CRM_DIGEST_START;
        for (int c = 1; c < sqlite3_column_count(rows) && strcmp(sqlite3_column_name(rows, c), "digest") != 0; c++)
            digest = add_value(digest, rows, c);
        sqlite3_bind_int64(update, 1, (sqlite3_int64)digest);
        sqlite3_bind_int64(update, 2, sqlite3_column_int64(rows, 0));
        assert_int_equal(sqlite3_step(update), SQLITE_DONE);
        sqlite3_reset(update);
    }
    sqlite3_finalize(rows);
    sqlite3_finalize(update);
}

void change_recording(const char *path, const char *sql, const char *table) {
    sqlite3 *database;
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    sqlite3_exec(database, "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA writable_schema=ON; BEGIN", NULL,
                 NULL, NULL);
    char *why = NULL;
    if (sqlite3_exec(database, sql, NULL, NULL, &why) != SQLITE_OK) fail_msg("%s: %s", sql, why);
    if (table != NULL) repair_table(database, table);
    assert_int_equal(sqlite3_exec(database, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(database);
}
