// SPDX-License-Identifier: MIT
#include "base/fail.h"
#include "record/file/database.h"
#include "record/file/table_row.h"
#include "record/run/record_run.h"

static carom_recorded_body *take_bodies(crm_arena *arena, int64_t count, carom_error *error) {
    carom_recorded_body *bodies = CRM_ARENA_ARRAY(arena, carom_recorded_body, (ptrdiff_t)count);
    if (bodies == NULL) crm_fail_memory(error, "the bodies of a recording", (size_t)count * sizeof *bodies);
    return bodies;
}

carom_status crm_run_describe_bodies(const carom_model *model, crm_arena *arena, crm_run *run, carom_error *error) {
    run->body_count = carom_model_body_count(model);
    carom_recorded_body *bodies = take_bodies(arena, run->body_count, error);
    if (bodies == NULL) return CAROM_ERR_NO_MEMORY;
    for (int i = 0; i < run->body_count; i++) {
        carom_body_def def;
        carom_status status = carom_model_get_body(model, (carom_body){i}, &def, error);
        if (status != CAROM_OK) return status;
        bodies[i] = (carom_recorded_body){.name = def.name != NULL ? def.name : "",
                                          .kind = carom_body_kind_name(def.kind),
                                          .mass = def.mass,
                                          .shape = def.shape.index};
    }
    run->body = bodies;
    return CAROM_OK;
}

carom_status crm_run_write_bodies(sqlite3 *database, const char *path, const crm_run *run, carom_error *error) {
    sqlite3_stmt *statement;
    carom_status status = crm_database_prepare(
        database, path, "INSERT INTO bodies (number, name, kind, mass, shape, digest) VALUES (?, ?, ?, ?, ?, ?)",
        &statement, error);
    if (status != CAROM_OK) return status;
    int code = SQLITE_OK;
    for (int64_t i = 0; i < run->body_count && code == SQLITE_OK; i++) {
        crm_row row = crm_row_write(statement);
        crm_row_put_int(&row, i);
        crm_row_put_text(&row, run->body[i].name);
        crm_row_put_text(&row, run->body[i].kind);
        crm_row_put_real(&row, run->body[i].mass);
        crm_row_put_int(&row, run->body[i].shape);
        code = crm_row_insert(&row);
    }
    if (code != SQLITE_OK) status = crm_database_fail(database, code, path, error);
    sqlite3_finalize(statement);
    return status;
}

// Is the row sound, and does it name a shape that there is?
static bool take_body(crm_row *row, const crm_run *run, int64_t number, const char **name, const char **kind,
                      carom_recorded_body *out) {
    int64_t own_number = crm_row_get_int(row);
    *name = crm_row_get_text(row);
    *kind = crm_row_get_text(row);
    *out = (carom_recorded_body){.mass = crm_row_get_real(row), .shape = -1};
    int64_t shape = crm_row_get_int(row);
    if (!crm_row_sound(row) || own_number != number || shape < -1 || shape >= run->shape_count) return false;
    out->shape = (int)shape;
    return true;
}

carom_status crm_run_read_bodies(sqlite3 *database, const char *path, crm_arena *arena, crm_run *run,
                                 carom_error *error) {
    carom_recorded_body *bodies = take_bodies(arena, run->body_count, error);
    if (bodies == NULL) return CAROM_ERR_NO_MEMORY;
    sqlite3_stmt *statement;
    carom_status status =
        crm_database_prepare(database, path, "SELECT * FROM bodies ORDER BY number", &statement, error);
    if (status != CAROM_OK) return status;
    int64_t count = 0;
    int code;
    bool sound = true;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW && sound && status == CAROM_OK && count < run->body_count) {
        crm_row row = crm_row_read(statement);
        const char *name, *kind;
        sound = take_body(&row, run, count, &name, &kind, &bodies[count]);
        bodies[count].name = crm_run_keep_text(arena, name, path, &status, error);
        bodies[count].kind = crm_run_keep_text(arena, kind, path, &status, error);
        count++;
    }
    if (status == CAROM_OK && code != SQLITE_DONE && code != SQLITE_ROW)
        status = crm_database_fail(database, code, path, error);
    else if (status == CAROM_OK && (!sound || code == SQLITE_ROW || count != run->body_count))
        status = crm_database_damaged(path, "its table of bodies is not what was written", error);
    sqlite3_finalize(statement);
    run->body = bodies;
    return status;
}
