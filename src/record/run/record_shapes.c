// SPDX-License-Identifier: MIT
#include "base/fail.h"
#include "record/file/database.h"
#include "record/file/table_row.h"
#include "record/run/record_run.h"

static carom_recorded_shape *take_shapes(crm_arena *arena, int64_t count, carom_error *error) {
    carom_recorded_shape *shapes = CRM_ARENA_ARRAY(arena, carom_recorded_shape, (ptrdiff_t)count);
    if (shapes == NULL) crm_fail_memory(error, "the shapes of a recording", (size_t)count * sizeof *shapes);
    return shapes;
}

static const char *definition_of(const carom_shape *shape, crm_arena *arena) {
    size_t size = carom_scene_write_shape(shape, NULL, 0);
    char *text = size > 0 ? crm_arena_take(arena, size + 1) : NULL;
    return text != NULL && carom_scene_write_shape(shape, text, size + 1) == size ? text : NULL;
}

carom_status crm_run_describe_shapes(const carom_model *model, crm_arena *arena, crm_run *run, carom_error *error) {
    run->shape_count = carom_model_shape_count(model);
    carom_recorded_shape *shapes = take_shapes(arena, run->shape_count, error);
    if (shapes == NULL) return CAROM_ERR_NO_MEMORY;
    for (int i = 0; i < run->shape_count; i++) {
        const carom_shape *shape = carom_model_get_shape(model, (carom_model_shape){i});
        const char *name = carom_model_shape_name(model, (carom_model_shape){i});
        shapes[i] = (carom_recorded_shape){.name = name != NULL ? name : "",
                                           .kind = carom_shape_kind_name(carom_shape_get_kind(shape)),
                                           .definition = definition_of(shape, arena)};
        if (shapes[i].definition == NULL)
            return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for the text of shape %d", i);
    }
    run->shape = shapes;
    return CAROM_OK;
}

carom_status crm_run_write_shapes(sqlite3 *database, const char *path, const crm_run *run, carom_error *error) {
    sqlite3_stmt *statement;
    carom_status status = crm_database_prepare(
        database, path, "INSERT INTO shapes (number, name, kind, definition, digest) VALUES (?, ?, ?, ?, ?)",
        &statement, error);
    if (status != CAROM_OK) return status;
    int code = SQLITE_OK;
    for (int64_t i = 0; i < run->shape_count && code == SQLITE_OK; i++) {
        crm_row row = crm_row_write(statement);
        crm_row_put_int(&row, i);
        crm_row_put_text(&row, run->shape[i].name);
        crm_row_put_text(&row, run->shape[i].kind);
        crm_row_put_text(&row, run->shape[i].definition);
        code = crm_row_insert(&row);
    }
    if (code != SQLITE_OK) status = crm_database_fail(database, code, path, error);
    sqlite3_finalize(statement);
    return status;
}

carom_status crm_run_read_shapes(sqlite3 *database, const char *path, crm_arena *arena, crm_run *run,
                                 carom_error *error) {
    carom_recorded_shape *shapes = take_shapes(arena, run->shape_count, error);
    if (shapes == NULL) return CAROM_ERR_NO_MEMORY;
    sqlite3_stmt *statement;
    carom_status status = crm_database_prepare(
        database, path, "SELECT number, name, kind, definition, digest FROM shapes ORDER BY number", &statement, error);
    if (status != CAROM_OK) return status;
    int64_t count = 0;
    int code;
    bool sound = true;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW && sound && status == CAROM_OK && count < run->shape_count) {
        crm_row row = crm_row_read(statement);
        sound = crm_row_get_int(&row) == count;
        shapes[count].name = crm_run_keep_text(arena, crm_row_get_text(&row), path, &status, error);
        shapes[count].kind = crm_run_keep_text(arena, crm_row_get_text(&row), path, &status, error);
        shapes[count].definition = crm_run_keep_text(arena, crm_row_get_text(&row), path, &status, error);
        sound &= crm_row_sound(&row);
        count++;
    }
    if (status == CAROM_OK && code != SQLITE_DONE && code != SQLITE_ROW)
        status = crm_database_fail(database, code, path, error);
    else if (status == CAROM_OK && (!sound || code == SQLITE_ROW || count != run->shape_count))
        status = crm_database_damaged(path, "its table of shapes is not what was written", error);
    sqlite3_finalize(statement);
    run->shape = shapes;
    return status;
}
