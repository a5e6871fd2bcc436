// SPDX-License-Identifier: MIT
#include "record/file/table_row.h"

#include <math.h>
#include <string.h>

#include "record/file/format.h"
#include "record/file/row_digest.h"

static void keep_code(crm_row *row, int code) {
    if (row->code == SQLITE_OK) row->code = code;
}

// SQLite keeps a NaN as NULL and may keep -0.0 as 0, so that all NaNs, and both zeros, must have the same word.
static uint64_t word_of(double value) {
    return isnan(value) ? UINT64_C(0x7ff8000000000000) : crm_bits_of(value + 0.0);
}

crm_row crm_row_write(sqlite3_stmt *statement) {
    return (crm_row){.statement = statement, .column = 1, .digest = CRM_DIGEST_START};
}

void crm_row_put_int(crm_row *row, int64_t value) {
    keep_code(row, sqlite3_bind_int64(row->statement, row->column++, value));
    row->digest = crm_digest_word(row->digest, (uint64_t)value);
}

void crm_row_put_real(crm_row *row, double value) {
    keep_code(row, sqlite3_bind_double(row->statement, row->column++, value));
    row->digest = crm_digest_word(row->digest, word_of(value));
}

void crm_row_put_text(crm_row *row, const char *text) {
    size_t size = strlen(text);
    keep_code(row, sqlite3_bind_text64(row->statement, row->column++, text, size, SQLITE_STATIC, SQLITE_UTF8));
    row->digest = crm_digest_bytes(row->digest, text, size);
}

void crm_row_put_aside(crm_row *row, const void *bytes, size_t size) {
    keep_code(row, sqlite3_bind_blob64(row->statement, row->column++, bytes, size, SQLITE_STATIC));
}

void crm_row_put_bytes(crm_row *row, const void *bytes, size_t size) {
    crm_row_put_aside(row, bytes, size);
    row->digest = crm_digest_bytes(row->digest, bytes, size);
}

void crm_row_put_digest(crm_row *row) {
    keep_code(row, sqlite3_bind_int64(row->statement, row->column++, (sqlite3_int64)row->digest));
}

int crm_row_insert(crm_row *row) {
    if (row->column <= sqlite3_bind_parameter_count(row->statement)) crm_row_put_digest(row);
    int code = row->code;
    if (code == SQLITE_OK) {
        code = sqlite3_step(row->statement);
        if (code == SQLITE_DONE) code = SQLITE_OK;
    }
    sqlite3_reset(row->statement);
    sqlite3_clear_bindings(row->statement);
    return code;
}

crm_row crm_row_read(sqlite3_stmt *statement) {
    return (crm_row){.statement = statement, .digest = CRM_DIGEST_START, .well_kept = true};
}

static bool has_type(crm_row *row, int type) {
    if (sqlite3_column_type(row->statement, row->column) == type) return true;
    row->well_kept = false;
    return false;
}

int64_t crm_row_get_int(crm_row *row) {
    int64_t value = has_type(row, SQLITE_INTEGER) ? sqlite3_column_int64(row->statement, row->column) : 0;
    row->column++;
    row->digest = crm_digest_word(row->digest, (uint64_t)value);
    return value;
}

double crm_row_get_real(crm_row *row) {
    double value = NAN;
    if (sqlite3_column_type(row->statement, row->column) != SQLITE_NULL && has_type(row, SQLITE_FLOAT))
        value = sqlite3_column_double(row->statement, row->column);
    row->column++;
    row->digest = crm_digest_word(row->digest, word_of(value));
    return value;
}

const char *crm_row_get_text(crm_row *row) {
    const char *text = "";
    size_t size = 0;
    if (has_type(row, SQLITE_TEXT)) {
        text = (const char *)sqlite3_column_text(row->statement, row->column);
        size = (size_t)sqlite3_column_bytes(row->statement, row->column);
        if (text == NULL) text = "", size = 0, row->well_kept = false;
    }
    row->column++;
    row->digest = crm_digest_bytes(row->digest, text, size);
    return text;
}

const void *crm_row_get_aside(crm_row *row, size_t *size) {
    const void *bytes = NULL;
    *size = 0;
    if (has_type(row, SQLITE_BLOB)) {
        bytes = sqlite3_column_blob(row->statement, row->column);
        *size = bytes != NULL ? (size_t)sqlite3_column_bytes(row->statement, row->column) : 0;
    }
    row->column++;
    return bytes;
}

const void *crm_row_get_bytes(crm_row *row, size_t *size) {
    const void *bytes = crm_row_get_aside(row, size);
    row->digest = crm_digest_bytes(row->digest, bytes, *size);
    return bytes;
}

const char *crm_row_next_name(const crm_row *row) {
    return row->column < sqlite3_column_count(row->statement) ? sqlite3_column_name(row->statement, row->column) : NULL;
}

void crm_row_pass(crm_row *row) {
    int type = sqlite3_column_type(row->statement, row->column);
    if (type == SQLITE_INTEGER)
        crm_row_get_int(row);
    else if (type == SQLITE_TEXT)
        crm_row_get_text(row);
    else
        crm_row_get_real(row);
}

bool crm_row_sound(crm_row *row) {
    uint64_t digest = row->digest;
    return (uint64_t)crm_row_get_int(row) == digest && row->well_kept;
}
