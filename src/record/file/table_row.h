// SPDX-License-Identifier: MIT
// Rows that carry a digest of their own columns: written and read value by value, in the same order.
//
//     crm_row row = crm_row_write(insert);             crm_row row = crm_row_read(select);   // after SQLITE_ROW
//     crm_row_put_int(&row, step);                     int64_t step = crm_row_get_int(&row);
//     crm_row_put_real(&row, time);                    double time = crm_row_get_real(&row);
//     int code = crm_row_insert(&row);                 bool sound = crm_row_sound(&row);
//
// The digest is the column after the values; bytes that it does not know may follow it, put "aside".
#ifndef CRM_RECORD_TABLE_ROW_H
#define CRM_RECORD_TABLE_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sqlite3.h>

typedef struct crm_row {
    sqlite3_stmt *statement;
    int column;
    uint64_t digest;
    int code;       // of writing: the first failure of a binding
    bool well_kept; // of reading: every column so far had the type it should have
} crm_row;

// Text and bytes must live until the row is inserted.
crm_row crm_row_write(sqlite3_stmt *statement);
void crm_row_put_int(crm_row *row, int64_t value);
void crm_row_put_real(crm_row *row, double value);
void crm_row_put_text(crm_row *row, const char *text);
void crm_row_put_bytes(crm_row *row, const void *bytes, size_t size);
void crm_row_put_digest(crm_row *row);
void crm_row_put_aside(crm_row *row, const void *bytes, size_t size);

// Adds the digest if it is all that is missing, inserts the row and resets the statement. Gives a code of SQLite,
// SQLITE_OK when done.
int crm_row_insert(crm_row *row);

// Text and bytes live as long as the statement stands on this row; what has another type reads as zero, "" or NULL.
crm_row crm_row_read(sqlite3_stmt *statement);
int64_t crm_row_get_int(crm_row *row);
double crm_row_get_real(crm_row *row);
const char *crm_row_get_text(crm_row *row);
const void *crm_row_get_bytes(crm_row *row, size_t *size);
const void *crm_row_get_aside(crm_row *row, size_t *size);

// The name of the column that comes next, NULL after the last; and passing over a number or text there.
const char *crm_row_next_name(const crm_row *row);
void crm_row_pass(crm_row *row);

// Reads the digest: are these the values that were written?
bool crm_row_sound(crm_row *row);

#endif
