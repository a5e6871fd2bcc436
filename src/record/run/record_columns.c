// SPDX-License-Identifier: MIT
// The columns of certificates: the file names them in its table of quantities, and a packed certificate has one number
// for each. Columns that are not known here are passed over; quantities that the file lacks are 0.
#include <string.h>

#include "base/fail.h"
#include "record/file/database.h"
#include "record/file/format.h"
#include "record/file/table_row.h"
#include "record/run/record_run.h"
#include "record/run/record_summary.h"

static crm_certificate_column *take_columns(crm_arena *arena, int64_t count, carom_error *error) {
    crm_certificate_column *columns = CRM_ARENA_ARRAY(arena, crm_certificate_column, (ptrdiff_t)count);
    if (columns == NULL)
        crm_fail_memory(error, "the columns of certificates of a recording", (size_t)count * sizeof *columns);
    return columns;
}

static crm_certificate_column column_of(const carom_quantity *quantity, int component) {
    bool vector = quantity->type == CAROM_QUANTITY_VECTOR;
    return (crm_certificate_column){.quantity = quantity,
                                    .component = component,
                                    .offset = quantity->offset + (vector ? (size_t)component * sizeof(double) : 0),
                                    .reals = vector || quantity->type == CAROM_QUANTITY_REAL};
}

carom_status crm_run_describe_columns(crm_arena *arena, crm_run *run, carom_error *error) {
    int count;
    const carom_quantity *quantity = carom_quantities(&count);
    crm_certificate_column *columns = take_columns(arena, CAROM_QUANTITY_MOST_COLUMNS * count, error);
    if (columns == NULL) return CAROM_ERR_NO_MEMORY;
    run->column_count = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < carom_quantity_column_count(&quantity[i]); k++)
            columns[run->column_count++] = column_of(&quantity[i], k);
    for (int64_t i = run->column_count - 2; i >= 0; i--)
        if (columns[i].reals > 0 && columns[i + 1].reals > 0 &&
            columns[i + 1].offset == columns[i].offset + sizeof(double))
            columns[i].reals = columns[i + 1].reals + 1;
    run->column = columns;
    run->checkpoint_columns = crm_summary_names(arena);
    run->own_columns = true;
    crm_summary_list_make(&run->summed);
    return run->checkpoint_columns != NULL ? CAROM_OK : crm_fail_memory(error, "recorder", CRM_SUMMARY_NAMES_SIZE);
}

carom_status crm_run_write_columns(sqlite3 *database, const char *path, const crm_run *run, carom_error *error) {
    sqlite3_stmt *statement;
    carom_status status =
        crm_database_prepare(database, path, "INSERT INTO quantities VALUES (?, ?, ?, ?, ?)", &statement, error);
    if (status != CAROM_OK) return status;
    int code = SQLITE_OK;
    for (int64_t i = 0; i < run->column_count && code == SQLITE_OK; i++) {
        const carom_quantity *quantity = run->column[i].quantity;
        crm_row row = crm_row_write(statement);
        crm_row_put_int(&row, i);
        crm_row_put_text(&row, quantity->column[run->column[i].component]);
        crm_row_put_text(&row, quantity->unit);
        crm_row_put_text(&row, quantity->text);
        code = crm_row_insert(&row);
    }
    if (code != SQLITE_OK) status = crm_database_fail(database, code, path, error);
    sqlite3_finalize(statement);
    return status;
}

static crm_certificate_column find_column(const char *name) {
    int count;
    const carom_quantity *quantity = carom_quantities(&count);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < carom_quantity_column_count(&quantity[i]); k++)
            if (strcmp(quantity[i].column[k], name) == 0) return column_of(&quantity[i], k);
    return (crm_certificate_column){.quantity = NULL};
}

// Does this carom write just these columns?
static carom_status compare_with_own(crm_arena *arena, crm_run *run, carom_error *error) {
    crm_run own = {.format = 0};
    carom_status status = crm_run_describe_columns(arena, &own, error);
    if (status != CAROM_OK) return status;
    run->summed = own.summed;
    run->own_columns =
        own.column_count == run->column_count && strcmp(own.checkpoint_columns, run->checkpoint_columns) == 0;
    for (int64_t i = 0; i < run->column_count && run->own_columns; i++)
        run->own_columns =
            own.column[i].quantity == run->column[i].quantity && own.column[i].component == run->column[i].component;
    return CAROM_OK;
}

carom_status crm_run_read_columns(sqlite3 *database, const char *path, crm_arena *arena, crm_run *run,
                                  carom_error *error) {
    crm_certificate_column *columns = take_columns(arena, run->column_count, error);
    if (columns == NULL) return CAROM_ERR_NO_MEMORY;
    sqlite3_stmt *statement;
    carom_status status = crm_database_prepare(
        database, path, "SELECT number, name, unit, meaning, digest FROM quantities ORDER BY number", &statement,
        error);
    if (status != CAROM_OK) return status;
    int64_t count = 0;
    int code;
    bool sound = true;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW && sound && count < run->column_count) {
        crm_row row = crm_row_read(statement);
        sound = crm_row_get_int(&row) == count;
        columns[count++] = find_column(crm_row_get_text(&row));
        crm_row_get_text(&row);
        crm_row_get_text(&row);
        sound &= crm_row_sound(&row);
    }
    if (code != SQLITE_DONE && code != SQLITE_ROW)
        status = crm_database_fail(database, code, path, error);
    else if (!sound || code == SQLITE_ROW || count != run->column_count)
        status = crm_database_damaged(path, "its table of quantities is not what was written", error);
    sqlite3_finalize(statement);
    run->column = columns;
    return status == CAROM_OK ? compare_with_own(arena, run, error) : status;
}

// What is no double of the report.
static double number_of(const crm_certificate_column *column, const carom_step_report *report) {
    if (column->quantity->type != CAROM_QUANTITY_COUNT)
        return carom_quantity_get(column->quantity, report, column->component);
    return *(const int *)(const void *)((const char *)report + column->offset);
}

// Recorders wait for this after each step. What the loops need of a column is copied first: for all that a compiler
// knows, the bytes that are written might change it.
void crm_certificate_pack(const crm_run *run, const carom_step_report *report, unsigned char *to) {
    const crm_certificate_column *end = run->column + run->column_count;
    for (const crm_certificate_column *c = run->column; c < end;) {
        const double *from = (const double *)(const void *)((const char *)report + c->offset);
        const int reals = c->reals;
        for (int i = 0; i < reals; i++) to = crm_put_double(to, from[i]);
        if (reals == 0) to = crm_put_double(to, number_of(c, report));
        c += reals > 0 ? reals : 1;
    }
}

void crm_certificate_unpack(const crm_run *run, const unsigned char *from, int64_t step, carom_step_report *out) {
    memset(out, 0, sizeof *out); // gaps too: reports can be compared byte by byte
    out->step = step;
    out->body.index = -1;
    for (int64_t i = 0; i < run->column_count; i++) {
        double value = crm_take_double(&from);
        if (run->column[i].quantity != NULL)
            carom_quantity_set(run->column[i].quantity, out, run->column[i].component, value);
    }
}
