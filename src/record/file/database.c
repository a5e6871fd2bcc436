// SPDX-License-Identifier: MIT
#include "record/file/database.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/fail.h"
#include "record/file/format.h"

// Milliseconds that a reader waits for a transaction, which takes some tens of them, to end.
enum { READ_PATIENCE = 5000 };
// Milliseconds that a writer waits for another one: enough for the end of a transaction, and the other holds its lock
// for as long as it lives.
enum { LOCK_PATIENCE = 500 };

const char *crm_shown_path(const char *path) {
    enum { MOST = 200 };
    size_t length = strlen(path);
    return length > MOST ? path + length - MOST : path;
}

static carom_status fail_input_output(sqlite3 *database, int code, const char *shown, carom_error *error) {
    int number = database != NULL ? sqlite3_system_errno(database) : 0;
    // By then the system's own number is lost: writing fails for good disks where files may not become larger.
    struct rlimit limit;
    if (code == SQLITE_IOERR_WRITE && getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        return crm_fail(error, CAROM_ERR_FILE,
                        "%s: cannot be written, most likely as files may have %llu bytes at most here (ulimit -f); "
                        "raise that, then resume the run from its last checkpoint",
                        shown, (unsigned long long)limit.rlim_cur);
    return crm_fail(error, CAROM_ERR_FILE,
                    "%s: the system cannot read or write the file (%s); check the disk, then resume the run or read "
                    "the file again",
                    shown, number != 0 ? strerror(number) : sqlite3_errstr(code));
}

carom_status crm_database_fail(sqlite3 *database, int code, const char *path, carom_error *error) {
    const char *shown = crm_shown_path(path);
    if (code == SQLITE_READONLY_DBMOVED)
        return crm_fail(error, CAROM_ERR_FILE,
                        "%s: the file was moved or removed while the run was being recorded to it; put it back and "
                        "resume, or start the run again",
                        shown);
    if (code == SQLITE_READONLY_ROLLBACK || code == SQLITE_READONLY_RECOVERY || code == SQLITE_READONLY_CANTINIT)
        return crm_fail(error, CAROM_ERR_FILE,
                        "%s: the run was killed while it wrote, and mending the file needs to write to it and its "
                        "folder; allow that, or copy it with its -journal to where you may write",
                        shown);
    switch (code & 0xff) {
    case SQLITE_FULL:
        return crm_fail(error, CAROM_ERR_FILE,
                        "%s: the disk is full; free some space, then resume the run from its last checkpoint", shown);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return crm_fail(error, CAROM_ERR_FILE,
                        "%s: another process uses the file, most likely a run that is being recorded to it; wait for "
                        "its end or choose another file",
                        shown);
    case SQLITE_NOTADB:
        return crm_fail(error, CAROM_ERR_FILE,
                        "%s: is not a carom recording, or its first bytes are damaged; give the "
                        "file that a run has written",
                        shown);
    case SQLITE_CORRUPT:
    case SQLITE_MISMATCH:
    case SQLITE_ERROR: // a table or column that is not there
        return crm_database_damaged(path, sqlite3_errmsg(database), error);
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return crm_fail(error, CAROM_ERR_FILE,
                        "%s: the file or its folder may not be written to; change its permissions or choose another",
                        shown);
    case SQLITE_CANTOPEN:
        return crm_fail(error, CAROM_ERR_FILE, "%s: cannot be opened (%s); check the permissions of file and folder",
                        shown, strerror(sqlite3_system_errno(database)));
    case SQLITE_NOMEM:
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "%s: no memory to read or write the file; free some", shown);
    case SQLITE_TOOBIG:
        return crm_fail(error, CAROM_ERR_TOO_LARGE,
                        "%s: a frame is larger than the 10^9 bytes of a row; record fewer "
                        "bodies",
                        shown);
    case SQLITE_IOERR:
        return fail_input_output(database, code, shown, error);
    default:
        return crm_fail(error, CAROM_ERR_FILE, "%s: SQLite refuses (%s); check the file and its folder", shown,
                        sqlite3_errstr(code));
    }
}

carom_status crm_database_damaged(const char *path, const char *what, carom_error *error) {
    return crm_fail(error, CAROM_ERR_FILE, "%s: the recording is damaged (%s); take a copy of it or record again",
                    crm_shown_path(path), what);
}

carom_status crm_database_run(sqlite3 *database, const char *path, const char *sql, carom_error *error) {
    int code = sqlite3_exec(database, sql, NULL, NULL, NULL);
    return code == SQLITE_OK ? CAROM_OK : crm_database_fail(database, code, path, error);
}

carom_status crm_database_prepare(sqlite3 *database, const char *path, const char *sql, sqlite3_stmt **out,
                                  carom_error *error) {
    int code = sqlite3_prepare_v2(database, sql, -1, out, NULL);
    return code == SQLITE_OK ? CAROM_OK : crm_database_fail(database, code, path, error);
}

static carom_status read_number(sqlite3 *database, const char *path, const char *sql, int *out, carom_error *error) {
    sqlite3_stmt *statement;
    int code = sqlite3_prepare_v2(database, sql, -1, &statement, NULL);
    if (code == SQLITE_OK) {
        code = sqlite3_step(statement);
        if (code == SQLITE_ROW) *out = sqlite3_column_int(statement, 0);
    }
    carom_status status = CAROM_OK;
    if (code != SQLITE_ROW) status = crm_database_fail(database, code, path, error);
    sqlite3_finalize(statement);
    return status;
}

carom_status crm_database_has_table(sqlite3 *database, const char *path, const char *table, bool *there,
                                    carom_error *error) {
    sqlite3_stmt *statement;
    carom_status status = crm_database_prepare(
        database, path, "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", &statement, error);
    if (status != CAROM_OK) return status;
    sqlite3_bind_text(statement, 1, table, -1, SQLITE_STATIC);
    int code = sqlite3_step(statement);
    *there = code == SQLITE_ROW;
    if (code != SQLITE_ROW && code != SQLITE_DONE) status = crm_database_fail(database, code, path, error);
    sqlite3_finalize(statement);
    return status;
}

carom_status crm_database_rows(sqlite3 *database, const char *path, const char *table, int64_t *rows,
                               carom_error *error) {
    char sql[64];
    snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", table);
    sqlite3_stmt *statement;
    carom_status status = crm_database_prepare(database, path, sql, &statement, error);
    if (status != CAROM_OK) return status;
    int code = sqlite3_step(statement);
    if (code == SQLITE_ROW)
        *rows = sqlite3_column_int64(statement, 0);
    else
        status = crm_database_fail(database, code, path, error);
    sqlite3_finalize(statement);
    return status;
}

carom_status crm_database_format(sqlite3 *database, const char *path, int *format, carom_error *error) {
    return read_number(database, path, "PRAGMA user_version", format, error);
}

// SQLite itself misses an end that is cut off within the last page. A run that goes on makes the file only longer.
static carom_status check_is_uncut(sqlite3 *database, const char *path, carom_error *error) {
    int pages = 0, page_size = 0;
    struct stat about;
    carom_status status = read_number(database, path, "PRAGMA page_count", &pages, error);
    if (status == CAROM_OK) status = read_number(database, path, "PRAGMA page_size", &page_size, error);
    if (status != CAROM_OK || stat(path, &about) != 0) return status;
    long long whole = (long long)pages * page_size;
    if (about.st_size >= whole) return CAROM_OK;
    char what[80];
    snprintf(what, sizeof what, "it has %lld of its %lld bytes", (long long)about.st_size, whole);
    return crm_database_damaged(path, what, error);
}

static carom_status check_is_recording(sqlite3 *database, const char *path, bool any_format, carom_error *error) {
    int application = 0, format = 0;
    carom_status status = read_number(database, path, "PRAGMA application_id", &application, error);
    if (status == CAROM_OK) status = crm_database_format(database, path, &format, error);
    if (status != CAROM_OK) return status;
    if (application != CRM_RECORD_APPLICATION)
        return crm_fail(error, CAROM_ERR_FILE,
                        "%s: is an SQLite file of another program, not a carom recording; give the file that a run has "
                        "written",
                        crm_shown_path(path));
    if (!any_format && format < 1) return crm_database_damaged(path, "its format number is not positive", error);
    if (!any_format && format != CRM_RECORD_FORMAT)
        return crm_fail(error, CAROM_ERR_FILE,
                        "%s: was written by %s carom, in format %d, and this one reads format %d; use that carom, or "
                        "record the run again",
                        crm_shown_path(path), format > CRM_RECORD_FORMAT ? "a newer" : "an earlier", format,
                        CRM_RECORD_FORMAT);
    return check_is_uncut(database, path, error);
}

// Tables as a run makes them have names and types of columns only. Columns that are computed, checks, tables of
// modules, triggers and indices would have a stranger's expressions evaluated, whatever they cost.
static carom_status check_tables(sqlite3 *database, const char *path, carom_error *error) {
    static const char of_others[] =
        "SELECT count(*) FROM sqlite_master WHERE CASE type WHEN 'view' THEN 0 WHEN 'table' THEN"
        " substr(sql, 1, 13) <> 'CREATE TABLE ' OR length(sql) - length(replace(sql, '(', '')) <> 1"
        " ELSE sql IS NOT NULL END";
    int others = 0;
    carom_status status = read_number(database, path, of_others, &others, error);
    if (status != CAROM_OK || others == 0) return status;
    return crm_database_damaged(path, "it has tables, columns or triggers that no run writes", error);
}

// What SQLite would make of these by itself is surprising: it makes an empty database of an empty file.
static carom_status check_is_file(const char *path, carom_error *error) {
    struct stat about;
    const char *shown = crm_shown_path(path);
    if (stat(path, &about) != 0)
        return crm_fail(error, CAROM_ERR_FILE, "%s: %s; check the name of the recording", shown, strerror(errno));
    if (S_ISDIR(about.st_mode))
        return crm_fail(error, CAROM_ERR_FILE, "%s: is a folder, not a carom recording; name a file in it", shown);
    if (!S_ISREG(about.st_mode))
        return crm_fail(error, CAROM_ERR_FILE, "%s: is not an ordinary file; a carom recording has to be one", shown);
    if (about.st_size == 0)
        return crm_fail(error, CAROM_ERR_FILE,
                        "%s: is empty, not a carom recording; give the file that a run has written", shown);
    return CAROM_OK;
}

// A file from a stranger must not make SQLite run more than the statements that we give it, nor keep it busy with
// reading its tables' definitions.
static void distrust(sqlite3 *database) {
    static const struct {
        int which, most;
    } limits[] = {{SQLITE_LIMIT_SQL_LENGTH, 100000}, {SQLITE_LIMIT_COLUMN, 500},
                  {SQLITE_LIMIT_EXPR_DEPTH, 20},     {SQLITE_LIMIT_COMPOUND_SELECT, 2},
                  {SQLITE_LIMIT_FUNCTION_ARG, 4},    {SQLITE_LIMIT_ATTACHED, 0},
                  {SQLITE_LIMIT_TRIGGER_DEPTH, 1},   {SQLITE_LIMIT_WORKER_THREADS, 0},
                  {SQLITE_LIMIT_VDBE_OP, 25000},     {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100}};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        sqlite3_limit(database, limits[i].which, limits[i].most);
    sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
}

// SQLite takes "file:..." and ":memory:" for more than names.
static int open_file(const char *path, int flags, sqlite3 **out) {
    if (strncmp(path, "file:", 5) != 0 && path[0] != ':') return sqlite3_open_v2(path, out, flags, NULL);
    char *plain = malloc(strlen(path) + 3);
    if (plain == NULL) return SQLITE_NOMEM;
    sprintf(plain, "./%s", path);
    int code = sqlite3_open_v2(plain, out, flags, NULL);
    free(plain);
    return code;
}

// Syncing FULL: a power failure must not cost more than a kill does, and with one transaction every few seconds it
// costs nothing that can be measured. Dirty pages stay in memory until the commit (no spill), so that only the commit
// itself ever waits for readers. Erasing what is deleted would only double the writing.
static const char *const settings[] = {
    [CRM_DATABASE_READ] = "PRAGMA query_only=ON; PRAGMA cell_size_check=ON",
    [CRM_DATABASE_WRITE] = ("PRAGMA journal_mode=DELETE; PRAGMA synchronous=FULL; PRAGMA cache_spill=OFF; "
                            "PRAGMA secure_delete=OFF; PRAGMA cell_size_check=ON"),
    [CRM_DATABASE_MAKE] = "PRAGMA page_size=8192; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF",
};

carom_status crm_database_open(const char *path, crm_database_use use, bool any_format, sqlite3 **out,
                               carom_error *error) {
    *out = NULL;
    carom_status status = use == CRM_DATABASE_MAKE ? CAROM_OK : check_is_file(path, error);
    if (status != CAROM_OK) return status;
    sqlite3 *database = NULL;
    int code = open_file(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, &database);
    if (code != SQLITE_OK) {
        status = crm_database_fail(database, code, path, error);
        sqlite3_close(database);
        return status;
    }
    distrust(database);
    sqlite3_busy_timeout(database, READ_PATIENCE);
    if (use != CRM_DATABASE_MAKE) status = check_is_recording(database, path, any_format, error);
    if (status == CAROM_OK && use != CRM_DATABASE_MAKE) status = check_tables(database, path, error);
    if (status == CAROM_OK && use == CRM_DATABASE_WRITE && sqlite3_db_readonly(database, "main") == 1)
        status = crm_database_fail(database, SQLITE_READONLY, path, error);
    if (status == CAROM_OK) status = crm_database_run(database, path, settings[use], error);
    if (status == CAROM_OK)
        *out = database;
    else
        sqlite3_close(database);
    return status;
}

carom_status crm_database_lock(sqlite3 *database, const char *path, carom_error *error) {
    sqlite3_busy_timeout(database, LOCK_PATIENCE);
    carom_status status = crm_database_run(database, path, "BEGIN IMMEDIATE", error);
    if (status != CAROM_OK) return status;
    int moved = 0;
    if (sqlite3_file_control(database, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved) {
        sqlite3_exec(database, "ROLLBACK", NULL, NULL, NULL);
        return crm_database_fail(database, SQLITE_READONLY_DBMOVED, path, error);
    }
    return CAROM_OK;
}
