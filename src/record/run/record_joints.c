// SPDX-License-Identifier: MIT
#include "base/fail.h"
#include "record/file/database.h"
#include "record/file/format.h"
#include "record/file/table_row.h"
#include "record/run/record_run.h"

static void count_bytes(crm_run *run) {
    run->joint_bytes = 0;
    for (int64_t i = 0; i < run->joint_count; i++)
        run->joint_bytes += crm_joint_bytes(run->joint[i].linear + run->joint[i].angular);
}

static carom_recorded_joint *take_joints(crm_arena *arena, int64_t count, carom_error *error) {
    carom_recorded_joint *joints = CRM_ARENA_ARRAY(arena, carom_recorded_joint, (ptrdiff_t)count);
    if (joints == NULL) crm_fail_memory(error, "the joints of a recording", (size_t)count * sizeof *joints);
    return joints;
}

carom_status crm_run_describe_joints(const carom_model *model, crm_arena *arena, crm_run *run, carom_error *error) {
    run->joint_count = carom_model_joint_count(model);
    carom_recorded_joint *joints = take_joints(arena, run->joint_count, error);
    if (joints == NULL) return CAROM_ERR_NO_MEMORY;
    for (int i = 0; i < run->joint_count; i++) {
        carom_joint_def def;
        carom_status status = carom_model_get_joint(model, (carom_joint){i}, &def, error);
        if (status != CAROM_OK) return status;
        int count = carom_model_joint_coordinate_count(model, (carom_joint){i});
        int linear = def.linear_free < count ? def.linear_free : count; // a distance has none
        joints[i] = (carom_recorded_joint){.name = def.name != NULL ? def.name : "",
                                           .kind = carom_joint_kind_name(def.kind),
                                           .a = def.a.index,
                                           .b = def.b.index,
                                           .linear = linear,
                                           .angular = count - linear};
    }
    run->joint = joints;
    count_bytes(run);
    return CAROM_OK;
}

carom_status crm_run_write_joints(sqlite3 *database, const char *path, const crm_run *run, carom_error *error) {
    sqlite3_stmt *statement;
    carom_status status = crm_database_prepare(
        database, path,
        "INSERT INTO joints (number, name, kind, a, b, linear, angular, digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        &statement, error);
    if (status != CAROM_OK) return status;
    int code = SQLITE_OK;
    for (int64_t i = 0; i < run->joint_count && code == SQLITE_OK; i++) {
        const carom_recorded_joint *joint = &run->joint[i];
        crm_row row = crm_row_write(statement);
        crm_row_put_int(&row, i);
        crm_row_put_text(&row, joint->name);
        crm_row_put_text(&row, joint->kind);
        crm_row_put_int(&row, joint->a);
        crm_row_put_int(&row, joint->b);
        crm_row_put_int(&row, joint->linear);
        crm_row_put_int(&row, joint->angular);
        code = crm_row_insert(&row);
    }
    if (code != SQLITE_OK) status = crm_database_fail(database, code, path, error);
    sqlite3_finalize(statement);
    return status;
}

static bool is_body(const crm_run *run, int64_t body) {
    return body >= -1 && body < run->body_count;
}

// Is the row sound, and are its numbers such that nothing is read out of place?
static bool take_joint(crm_row *row, const crm_run *run, int64_t number, const char **name, const char **kind,
                       carom_recorded_joint *out) {
    int64_t own_number = crm_row_get_int(row);
    *name = crm_row_get_text(row);
    *kind = crm_row_get_text(row);
    int64_t a = crm_row_get_int(row), b = crm_row_get_int(row);
    int64_t linear = crm_row_get_int(row), angular = crm_row_get_int(row);
    *out = (carom_recorded_joint){.a = (int)a, .b = (int)b, .linear = (int)linear, .angular = (int)angular};
    return crm_row_sound(row) && own_number == number && is_body(run, a) && is_body(run, b) && linear >= 0 &&
           linear <= 3 && angular >= 0 && angular <= 3;
}

carom_status crm_run_read_joints(sqlite3 *database, const char *path, crm_arena *arena, crm_run *run,
                                 carom_error *error) {
    carom_recorded_joint *joints = take_joints(arena, run->joint_count, error);
    if (joints == NULL) return CAROM_ERR_NO_MEMORY;
    sqlite3_stmt *statement;
    carom_status status = crm_database_prepare(
        database, path, "SELECT number, name, kind, a, b, linear, angular, digest FROM joints ORDER BY number",
        &statement, error);
    if (status != CAROM_OK) return status;
    int64_t count = 0;
    int code;
    bool sound = true;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW && sound && status == CAROM_OK && count < run->joint_count) {
        crm_row row = crm_row_read(statement);
        const char *name, *kind;
        sound = take_joint(&row, run, count, &name, &kind, &joints[count]);
        joints[count].name = crm_run_keep_text(arena, name, path, &status, error);
        joints[count].kind = crm_run_keep_text(arena, kind, path, &status, error);
        count++;
    }
    if (status == CAROM_OK && code != SQLITE_DONE && code != SQLITE_ROW)
        status = crm_database_fail(database, code, path, error);
    else if (status == CAROM_OK && (!sound || code == SQLITE_ROW || count != run->joint_count))
        status = crm_database_damaged(path, "its table of joints is not what was written", error);
    sqlite3_finalize(statement);
    run->joint = joints;
    if (status == CAROM_OK) count_bytes(run);
    return status;
}
