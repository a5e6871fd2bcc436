// SPDX-License-Identifier: MIT
#include "record/run/record_events.h"

#include <limits.h>
#include <string.h>

#include "record/file/database.h"
#include "record/file/table_row.h"

static const char schema[] =
    "CREATE TABLE joint_events (number INTEGER PRIMARY KEY, step INTEGER NOT NULL, time REAL, joint INTEGER NOT NULL,"
    " reason TEXT NOT NULL, outcome TEXT NOT NULL, force REAL, moment REAL, impulse REAL, distance REAL, angle REAL,"
    " speed REAL, moved REAL, rotated REAL, impact_energy REAL, projection_energy REAL, digest INTEGER NOT NULL);";

carom_status crm_events_create(sqlite3 *database, const char *path, carom_error *error) {
    return crm_database_run(database, path, schema, error);
}

carom_status crm_events_are_there(sqlite3 *database, const char *path, bool *there, carom_error *error) {
    return crm_database_has_table(database, path, "joint_events", there, error);
}

// ---- rows

const char *crm_event_outcome(const carom_joint_event *event) {
    return event->failed ? "failed" : event->closed ? "closed" : "opened";
}

static int write_event(sqlite3_stmt *statement, int64_t number, const carom_joint_event *event) {
    const double numbers[] = {
        event->force, event->moment, event->impulse, event->distance,      event->angle,
        event->speed, event->moved,  event->rotated, event->impact_energy, event->projection_energy};
    crm_row row = crm_row_write(statement);
    crm_row_put_int(&row, number);
    crm_row_put_int(&row, event->step);
    crm_row_put_real(&row, event->time);
    crm_row_put_int(&row, event->joint.index);
    crm_row_put_text(&row, carom_switch_reason_name(event->reason));
    crm_row_put_text(&row, crm_event_outcome(event));
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) crm_row_put_real(&row, numbers[i]);
    return crm_row_insert(&row);
}

// Is the row sound, and of a joint that there is?
static bool take_event(crm_row *row, const crm_run *run, carom_joint_event *out) {
    *out = (carom_joint_event){0};
    crm_row_get_int(row);
    out->step = crm_row_get_int(row);
    out->time = crm_row_get_real(row);
    int64_t joint = crm_row_get_int(row);
    const char *reason = crm_row_get_text(row);
    int known = 0;
    while (known < CAROM_SWITCH_COUNT && strcmp(reason, carom_switch_reason_name((carom_switch_reason)known)) != 0)
        known++;
    const char *outcome = crm_row_get_text(row);
    out->closed = strcmp(outcome, "closed") == 0;
    out->failed = strcmp(outcome, "failed") == 0;
    bool outcome_known = out->closed || out->failed || strcmp(outcome, "opened") == 0;
    double *const numbers[] = {&out->force, &out->moment, &out->impulse, &out->distance,      &out->angle,
                               &out->speed, &out->moved,  &out->rotated, &out->impact_energy, &out->projection_energy};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) *numbers[i] = crm_row_get_real(row);
    bool sound = crm_row_sound(row) && joint >= 0 && joint < run->joint_count && known < CAROM_SWITCH_COUNT &&
                 outcome_known && out->step >= 0;
    out->joint.index = sound ? (int32_t)joint : 0;
    out->reason = sound ? (carom_switch_reason)known : CAROM_SWITCH_START;
    return sound;
}

// ---- the table

carom_status crm_events_write(sqlite3 *database, const char *path, int64_t first, const carom_joint_event *events,
                              int count, carom_error *error) {
    if (count == 0) return CAROM_OK;
    sqlite3_stmt *statement;
    carom_status status = crm_database_prepare(
        database, path,
        "INSERT OR REPLACE INTO joint_events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", &statement,
        error);
    if (status != CAROM_OK) return status;
    int code = SQLITE_OK;
    for (int i = 0; i < count && code == SQLITE_OK; i++) code = write_event(statement, first + i, &events[i]);
    if (code != SQLITE_OK) status = crm_database_fail(database, code, path, error);
    sqlite3_finalize(statement);
    return status;
}

carom_status crm_events_read(sqlite3 *database, const char *path, const crm_run *run, carom_joint_event *events,
                             int room, int *count, carom_error *error) {
    *count = 0;
    sqlite3_stmt *statement;
    carom_status status =
        crm_database_prepare(database, path, "SELECT * FROM joint_events ORDER BY number", &statement, error);
    if (status != CAROM_OK) return status;
    int code = SQLITE_DONE;
    bool sound = true;
    while (sound && *count < INT_MAX && (code = sqlite3_step(statement)) == SQLITE_ROW) {
        crm_row row = crm_row_read(statement);
        carom_joint_event event;
        sound = take_event(&row, run, &event);
        if (sound && *count < room) events[*count] = event;
        *count += sound;
    }
    if (!sound)
        status = crm_database_damaged(path, "its table of joint events is not what was written", error);
    else if (code != SQLITE_DONE)
        status = crm_database_fail(database, code, path, error);
    sqlite3_finalize(statement);
    return status;
}

carom_status crm_events_drop(sqlite3 *database, const char *path, int64_t step, int64_t *left, carom_error *error) {
    sqlite3_stmt *statement;
    carom_status status = crm_database_prepare(
        database, path, "DELETE FROM joint_events WHERE step >= ? AND reason <> 'start'", &statement, error);
    if (status != CAROM_OK) return status;
    sqlite3_bind_int64(statement, 1, step);
    int code = sqlite3_step(statement);
    if (code != SQLITE_DONE) status = crm_database_fail(database, code, path, error);
    sqlite3_finalize(statement);
    return status == CAROM_OK ? crm_database_rows(database, path, "joint_events", left, error) : status;
}
