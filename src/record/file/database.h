// SPDX-License-Identifier: MIT
// SQLite as recordings use it: opening with every check, locking out a second writer, and failures as sentences.
//
// Files use a rollback journal, not a write-ahead log. Between two transactions, which is nearly always, the one file
// is then all there is. A process that is killed within a transaction leaves NAME-journal beside it; whoever opens the
// file next rolls that back and removes it. A write-ahead log would leave two more files beside every killed run.
//
// A recorder holds SQLite's RESERVED lock (BEGIN IMMEDIATE) between its transactions too: a second one is locked out
// for as long as the process lives, while readers are not.
#ifndef CRM_RECORD_DATABASE_H
#define CRM_RECORD_DATABASE_H

#include <stdbool.h>
#include <stdint.h>

#include <sqlite3.h>

#include "carom/status.h"

typedef enum crm_database_use {
    CRM_DATABASE_READ,  // any number at a time; rolls back what a killed process left, if the file can be written
    CRM_DATABASE_WRITE, // of an existing recording
    CRM_DATABASE_MAKE,  // of an empty file that nobody else knows: no journal, no syncing
} crm_database_use;

// Opens a recording; for CRM_DATABASE_MAKE, an empty file. Checks that it is a recording, of a format that we know
// unless `any_format`.
carom_status crm_database_open(const char *path, crm_database_use use, bool any_format, sqlite3 **out,
                               carom_error *error);

// Whether there is a table of this name.
carom_status crm_database_has_table(sqlite3 *database, const char *path, const char *table, bool *there,
                                    carom_error *error);

// How many rows a table of this name has.
carom_status crm_database_rows(sqlite3 *database, const char *path, const char *table, int64_t *rows,
                               carom_error *error);

// Format version of a recording that is open.
carom_status crm_database_format(sqlite3 *database, const char *path, int *format, carom_error *error);

// Takes the lock that keeps other writers out. Fails with a sentence when another process has it, or when the file at
// `path` is no longer the one that was opened.
carom_status crm_database_lock(sqlite3 *database, const char *path, carom_error *error);

// Makes a code of SQLite into a status and a sentence. Call it before anything else is done with the database.
carom_status crm_database_fail(sqlite3 *database, int code, const char *path, carom_error *error);

// The sentence for data that reads well but is not what was written.
carom_status crm_database_damaged(const char *path, const char *what, carom_error *error);

// Runs statements that give nothing back.
carom_status crm_database_run(sqlite3 *database, const char *path, const char *sql, carom_error *error);
carom_status crm_database_prepare(sqlite3 *database, const char *path, const char *sql, sqlite3_stmt **out,
                                  carom_error *error);

// The end of a path that is too long for a sentence, else the path.
const char *crm_shown_path(const char *path);

#endif
