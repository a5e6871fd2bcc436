// SPDX-License-Identifier: MIT
#include "fuzz/recording_edit.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/file/format.h"
#include "record/file/row_digest.h"

static const char *const tables[] = {"meta",       "bodies",     "shapes",       "joints",
                                     "frames",     "quantities", "certificates", "checkpoints",
                                     "collisions", "flexible",   "joint_events"};
enum { TABLES = sizeof tables / sizeof tables[0], MOST_ROWS = 64, TEXT = 512 };

typedef struct edit {
    unsigned table, row, column;
    int kind;
    double value;
    unsigned long offset;
} edit;

// The rowid of a row, and a value of it; the statement stands on it. NULL: the table is empty.
static sqlite3_stmt *find(sqlite3 *db, const edit *e, sqlite3_int64 *row, int *column) {
    char sql[TEXT];
    sqlite3_stmt *s = NULL;
    snprintf(sql, sizeof sql,
             "SELECT rowid, * FROM %s ORDER BY rowid LIMIT 1 OFFSET %u %% max(1, (SELECT count(*) FROM %s))",
             tables[e->table], e->row, tables[e->table]);
    if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK || sqlite3_step(s) != SQLITE_ROW) {
        sqlite3_finalize(s);
        return NULL;
    }
    *row = sqlite3_column_int64(s, 0);
    *column = 1 + (int)(e->column % (unsigned)(sqlite3_column_count(s) - 1));
    return s;
}

static void bind_bytes(sqlite3_stmt *to, const edit *e, sqlite3_stmt *from, int column) {
    int size = sqlite3_column_bytes(from, column);
    unsigned char *bytes = malloc((size_t)size + 8);
    if (bytes == NULL) abort();
    if (size > 0) memcpy(bytes, sqlite3_column_blob(from, column), (size_t)size);
    int32_t whole = e->value >= -2147483648.0 && e->value <= 2147483647.0 ? (int32_t)e->value : INT32_MAX;
    if (e->kind == 4 && size >= 4) memcpy(bytes + e->offset % (unsigned)(size - 3), &whole, 4);
    if (e->kind == 5 && size >= 8) memcpy(bytes + e->offset % (unsigned)(size - 7), &e->value, 8);
    if (e->kind == 6 && size > 0) size = (int)(e->offset % (unsigned)size);
    sqlite3_bind_blob(to, 1, bytes, size, SQLITE_TRANSIENT);
    free(bytes);
}

static void set_value(sqlite3 *db, const edit *e, sqlite3_stmt *from, sqlite3_int64 row, int column) {
    char sql[TEXT], number[64];
    sqlite3_stmt *to = NULL;
    snprintf(sql, sizeof sql, "UPDATE OR IGNORE %s SET %s = ? WHERE rowid = %lld", tables[e->table],
             sqlite3_column_name(from, column), (long long)row);
    if (sqlite3_prepare_v2(db, sql, -1, &to, NULL) != SQLITE_OK) return;
    int64_t whole = e->value >= -9.2e18 && e->value <= 9.2e18 ? (int64_t)e->value : INT64_MAX;
    snprintf(number, sizeof number, "%.17g", e->value);
    if (e->kind == 0) sqlite3_bind_int64(to, 1, whole);
    if (e->kind == 1) sqlite3_bind_double(to, 1, e->value);
    if (e->kind == 2) sqlite3_bind_text(to, 1, number, -1, SQLITE_TRANSIENT);
    if (e->kind >= 4) bind_bytes(to, e, from, column);
    sqlite3_step(to);
    sqlite3_finalize(to);
}

static void apply(sqlite3 *db, const edit *e) {
    sqlite3_int64 row;
    int column;
    char sql[TEXT];
    sqlite3_stmt *from = find(db, e, &row, &column);
    if (from == NULL) return;
    if (e->kind <= 6) set_value(db, e, from, row, column);
    sqlite3_finalize(from);
    if (e->kind == 7)
        snprintf(sql, sizeof sql, "DELETE FROM %s WHERE rowid = %lld", tables[e->table], (long long)row);
    else
        snprintf(sql, sizeof sql,
                 "CREATE TEMP TABLE t AS SELECT * FROM %s WHERE rowid = %lld; UPDATE OR IGNORE t SET number = number + "
                 "%u; INSERT OR IGNORE INTO %s SELECT * FROM t; DROP TABLE t",
                 tables[e->table], (long long)row, e->column % 100, tables[e->table]);
    if (e->kind >= 7) sqlite3_exec(db, sql, NULL, NULL, NULL);
}

// ---- digests

static uint64_t digest_value(uint64_t digest, sqlite3_stmt *s, int column) {
    switch (sqlite3_column_type(s, column)) {
    case SQLITE_INTEGER:
        return crm_digest_word(digest, (uint64_t)sqlite3_column_int64(s, column));
    case SQLITE_FLOAT:
        return crm_digest_word(digest, crm_bits_of(sqlite3_column_double(s, column) + 0.0));
    case SQLITE_NULL:
        return crm_digest_word(digest, UINT64_C(0x7ff8000000000000));
    default: {
        const void *bytes = sqlite3_column_blob(s, column);
        return crm_digest_bytes(digest, bytes != NULL ? bytes : "", (size_t)sqlite3_column_bytes(s, column));
    }
    }
}

static void repair_row(sqlite3 *db, const char *table, sqlite3_stmt *s) {
    uint64_t digest = CRM_DIGEST_START;
    int column = 1;
    while (column < sqlite3_column_count(s) && strcmp(sqlite3_column_name(s, column), "digest") != 0)
        digest = digest_value(digest, s, column++);
    char sql[TEXT];
    snprintf(sql, sizeof sql, "UPDATE %s SET digest = %lld WHERE rowid = %lld", table, (long long)(int64_t)digest,
             (long long)sqlite3_column_int64(s, 0));
    sqlite3_exec(db, sql, NULL, NULL, NULL);
}

// The digest of a state stands in its row.
static void repair_states(sqlite3 *db) {
    sqlite3_stmt *s = NULL;
    char sql[TEXT];
    if (sqlite3_prepare_v2(db, "SELECT rowid, state FROM checkpoints LIMIT 64", -1, &s, NULL) != SQLITE_OK) return;
    while (sqlite3_step(s) == SQLITE_ROW) {
        const void *bytes = sqlite3_column_blob(s, 1);
        uint64_t digest =
            crm_digest_bytes(CRM_DIGEST_START, bytes != NULL ? bytes : "", (size_t)sqlite3_column_bytes(s, 1));
        snprintf(sql, sizeof sql, "UPDATE checkpoints SET state_digest = %lld WHERE rowid = %lld",
                 (long long)(int64_t)digest, (long long)sqlite3_column_int64(s, 0));
        sqlite3_exec(db, sql, NULL, NULL, NULL);
    }
    sqlite3_finalize(s);
}

static void repair(sqlite3 *db) {
    repair_states(db);
    for (int t = 0; t < TABLES; t++) {
        char sql[TEXT];
        sqlite3_stmt *s = NULL;
        snprintf(sql, sizeof sql, "SELECT rowid, * FROM %s LIMIT %d", tables[t], MOST_ROWS);
        if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK) continue;
        while (sqlite3_step(s) == SQLITE_ROW) repair_row(db, tables[t], s);
        sqlite3_finalize(s);
    }
}

void recording_edit(const char *path, char *lines) {
    sqlite3 *db = NULL;
    if (sqlite3_open(path, &db) != SQLITE_OK) abort();
    sqlite3_exec(db, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA ignore_check_constraints = ON; BEGIN",
                 NULL, NULL, NULL);
    char *rest = NULL;
    for (char *line = strtok_r(lines, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
        edit e = {0};
        if (sscanf(line, "%u %u %u %d %lf %lu", &e.table, &e.row, &e.column, &e.kind, &e.value, &e.offset) < 5)
            continue;
        e.table %= TABLES;
        if (e.kind >= 0 && e.kind <= 8) apply(db, &e);
    }
    repair(db);
    sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
    sqlite3_close(db);
}
