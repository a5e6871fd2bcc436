// SPDX-License-Identifier: MIT
// Going on with a recording from its last checkpoint.
//
// The file then ends as if the run had never been interrupted. One transaction drops what follows the checkpoint and
// makes the file ours; until then nothing is changed in it.
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "record/file/database.h"
#include "record/file/format.h"
#include "record/file/row_digest.h"
#include "record/plan/plan_tables.h"
#include "record/recorder.h"
#include "record/run/record_events.h"

// ---- is it the same run?

// How much of a line is shown, of which at most so much before the place where it differs.
enum { SHOWN = 60, SHOWN_BEFORE = 30 };

static int shown_length(const char *text) {
    size_t length = strcspn(text, "\n");
    return (int)(length < SHOWN ? length : SHOWN);
}

// Shows where the texts differ first.
static carom_status fail_other_scene(const carom_recorder *r, const char *recorded, const char *given,
                                     carom_error *error) {
    int line = 1;
    ptrdiff_t start = 0, at = 0;
    for (; recorded[at] != '\0' && recorded[at] == given[at]; at++) {
        if (recorded[at] != '\n') continue;
        line++;
        start = at + 1;
    }
    if (at - start > SHOWN_BEFORE) start = at - SHOWN_BEFORE;
    while (start < at && recorded[start] == ' ') start++;
    return crm_refuse(
        error,
        "%s: was recorded from another scene: line %d of its resolved text has '%.*s' and that of the given "
        "scene '%.*s'; give the scene it was recorded from, or record to another file",
        crm_shown_path(r->path), line, shown_length(recorded + start), recorded + start, shown_length(given + start),
        given + start);
}

// Frames are packed by what the file says of joints and filled by what the model has.
static carom_status check_same_joints(carom_recorder *r, const carom_model *model, carom_error *error) {
    crm_run own = {.format = CRM_RECORD_FORMAT};
    carom_status status = crm_run_describe_joints(model, &r->arena, &own, error);
    if (status != CAROM_OK) return status;
    bool same = own.joint_count == r->run.joint_count;
    bool switches = false;
    for (int j = 0; j < own.joint_count; j++) switches |= carom_model_joint_switches(model, (carom_joint){j});
    if (switches != r->run.joint_events)
        return crm_refuse(error, "%s: was recorded from another scene, %s; give that scene", crm_shown_path(r->path),
                          switches ? "whose joints do not open and close" : "whose joints open and close");
    for (int64_t i = 0; i < own.joint_count && same; i++) {
        const carom_recorded_joint *a = &own.joint[i], *b = &r->run.joint[i];
        same = a->a == b->a && a->b == b->b && a->linear == b->linear && a->angular == b->angular;
    }
    if (same) return CAROM_OK;
    return crm_refuse(error, "%s: was recorded from another scene, with other joints; give that scene",
                      crm_shown_path(r->path));
}

static carom_status check_same_run(carom_recorder *r, const carom_recorder_def *def, const carom_state *state,
                                   carom_error *error) {
    const carom_model *model = carom_state_model(state);
    const carom_method_def *method = carom_state_method(state);
    const char *shown = crm_shown_path(r->path);
    if (!r->run.own_columns)
        return crm_fail(error, CAROM_ERR_FILE,
                        "%s: was written by carom %s, whose certificates have other quantities than those of this one; "
                        "resume it with that carom, or record to another file",
                        shown, r->run.version);
    if (def->scene != NULL && strcmp(carom_scene_resolved(def->scene), r->run.scene) != 0)
        return fail_other_scene(r, r->run.scene, carom_scene_resolved(def->scene), error);
    if (strcmp(carom_method_name(method->method), r->run.method) != 0)
        return crm_refuse(error, "%s: was recorded with the method '%s', not '%s'; use that", shown, r->run.method,
                          carom_method_name(method->method));
    if (method->step != r->run.step)
        return crm_refuse(error, "%s: was recorded with steps of %.17g s, not %.17g s; use those", shown, r->run.step,
                          method->step);
    int count = carom_model_body_count(model);
    if (count != r->run.body_count)
        return crm_refuse(error, "%s: was recorded from another scene, with %lld bodies instead of %d; give that scene",
                          shown, (long long)r->run.body_count, count);
    for (int i = 0; i < count; i++) {
        const char *name = carom_model_body_name(model, (carom_body){i});
        if (name == NULL) name = "";
        if (strcmp(name, r->run.body[i].name) != 0)
            return crm_refuse(error,
                              "%s: was recorded from another scene, whose body %d is called '%.60s', not '%.60s'; give "
                              "that scene",
                              shown, i, r->run.body[i].name, name);
    }
    return check_same_joints(r, model, error);
}

// ---- the checkpoint

// Loads the state of the row that the statement stands on. A row that is damaged gives CAROM_ERR_FILE.
static carom_status load_checkpoint(carom_recorder *r, sqlite3_stmt *statement, carom_state *state,
                                    carom_error *error) {
    crm_row row = crm_row_read(statement);
    crm_summary_get(&r->summary, &r->run, &row);
    size_t size = 0;
    bool sound = crm_row_sound(&row) && crm_summary_plausible(&r->summary, &r->run);
    const void *bytes = crm_row_get_aside(&row, &size);
    if (!sound || crm_digest_bytes(CRM_DIGEST_START, bytes, size) != r->summary.state_digest)
        return crm_database_damaged(r->path, "its checkpoints are not what was written", error);
    carom_error why;
    carom_status status = carom_state_load(state, bytes, size, &why);
    if (status == CAROM_ERR_NO_MEMORY) return crm_fail(error, status, "%s", why.text);
    if (status != CAROM_OK)
        return crm_refuse(
            error, "%s: its checkpoint does not fit the given state (%.300s); give the scene it was recorded from",
            crm_shown_path(r->path), why.text);
    if (carom_state_step_count(state) != r->summary.step)
        return crm_database_damaged(r->path, "its checkpoint is of another step than it says", error);
    if (carom_state_hash(state) != r->summary.hash)
        return crm_refuse(
            error,
            "%s: its checkpoint gives another state here than the one that was recorded; resume with carom "
            "%s, which wrote it",
            crm_shown_path(r->path), r->run.version);
    return CAROM_OK;
}

// The last checkpoint that is not damaged.
static carom_status load_last_checkpoint(carom_recorder *r, carom_state *state, carom_error *error) {
    sqlite3_stmt *statement;
    carom_status status =
        crm_database_prepare(r->database, r->path, "SELECT * FROM checkpoints ORDER BY step DESC", &statement, error);
    if (status != CAROM_OK) return status;
    int code;
    bool any = false;
    carom_error why; // of a damaged one, which an older one may take the place of
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        any = true;
        status = load_checkpoint(r, statement, state, &why);
        if (status != CAROM_ERR_FILE) break;
    }
    if (status != CAROM_OK && error != NULL) *error = why;
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        status = crm_database_fail(r->database, code, r->path, error);
    else if (!any)
        status = crm_database_damaged(r->path, "it has no checkpoint", error);
    sqlite3_finalize(statement);
    return status;
}

// ---- what precedes it

// Takes the certificates of the row that was not full at the checkpoint back into memory.
static carom_status load_open_row(carom_recorder *r, carom_error *error) {
    int64_t count = r->summary.step - r->run.first_step, rest = count % CRM_RECORD_CHUNK;
    r->buffer.first_certificate = count - rest;
    if (rest == 0) return CAROM_OK;
    sqlite3_stmt *statement;
    carom_status status = crm_database_prepare(
        r->database, r->path, "SELECT first_step, count, packed, digest FROM certificates WHERE first_step = ?",
        &statement, error);
    if (status != CAROM_OK) return status;
    sqlite3_bind_int64(statement, 1, r->run.first_step + 1 + count - rest);
    int code = sqlite3_step(statement);
    if (code == SQLITE_ROW) {
        crm_row row = crm_row_read(statement);
        size_t size, wanted = (size_t)rest * crm_certificate_bytes(&r->run);
        crm_row_get_int(&row);
        crm_row_get_int(&row);
        const void *packed = crm_row_get_bytes(&row, &size);
        if (!crm_row_sound(&row) || size < wanted)
            status = crm_database_damaged(r->path, "its last certificates are not what was written", error);
        else
            status = crm_buffer_grow(&r->buffer, error);
        if (status == CAROM_OK) {
            memcpy(r->buffer.certificates.items, packed, wanted);
            r->buffer.certificates.count = (int)wanted;
            // A row that goes on beyond the checkpoint must be written again, shorter, even if nothing is added.
            r->buffer.written_certificates = size == wanted ? rest : 0;
        }
    } else {
        status = code == SQLITE_DONE ? crm_database_damaged(r->path, "its last certificates are missing", error)
                                     : crm_database_fail(r->database, code, r->path, error);
    }
    sqlite3_finalize(statement);
    return status;
}

static carom_status drop_from(carom_recorder *r, const char *sql, int64_t first, carom_error *error) {
    sqlite3_stmt *statement;
    carom_status status = crm_database_prepare(r->database, r->path, sql, &statement, error);
    if (status != CAROM_OK) return status;
    sqlite3_bind_int64(statement, 1, first);
    int code = sqlite3_step(statement);
    if (code != SQLITE_DONE) status = crm_database_fail(r->database, code, r->path, error);
    sqlite3_finalize(statement);
    return status;
}

// Of a checkpoint that was passed over because it is damaged, and the frame that an early end has added.
static carom_status drop_what_follows(carom_recorder *r, carom_error *error) {
    if (r->summary.extra_frame) r->summary.frame_count--;
    r->summary.extra_frame = false;
    r->summary.end_text[0] = '\0';
    int64_t next_row = r->run.first_step + 1 + r->buffer.first_certificate;
    if (crm_buffer_certificate_count(&r->buffer) > 0) next_row += CRM_RECORD_CHUNK;
    carom_status status = drop_from(r, "DELETE FROM frames WHERE number >= ?", r->summary.frame_count, error);
    if (status == CAROM_OK)
        status = drop_from(r, "DELETE FROM collisions WHERE number >= ?", r->summary.collision_count, error);
    if (status == CAROM_OK) status = drop_from(r, "DELETE FROM certificates WHERE first_step >= ?", next_row, error);
    if (status == CAROM_OK) status = drop_from(r, "DELETE FROM checkpoints WHERE step > ?", r->summary.step, error);
    if (status == CAROM_OK && r->run.joint_events)
        status = crm_events_drop(r->database, r->path, r->summary.step, &r->buffer.first_event, error);
    return status;
}

static carom_status find_last_frame_step(carom_recorder *r, carom_error *error) {
    sqlite3_stmt *statement;
    carom_status status =
        crm_database_prepare(r->database, r->path, "SELECT step FROM frames WHERE number = ?", &statement, error);
    if (status != CAROM_OK) return status;
    sqlite3_bind_int64(statement, 1, r->summary.frame_count - 1);
    int code = sqlite3_step(statement);
    if (code == SQLITE_ROW)
        r->last_frame_step = sqlite3_column_int64(statement, 0);
    else if (code == SQLITE_DONE)
        status = crm_database_damaged(r->path, "its last frame is missing", error);
    else
        status = crm_database_fail(r->database, code, r->path, error);
    sqlite3_finalize(statement);
    return status;
}

// ---- all of it

// Its frames are not those of a run that could go on.
static carom_status check_is_run(const carom_recorder *r, carom_error *error) {
    bool of_plan = false;
    carom_status status = crm_plan_has_recording(r->database, r->path, &of_plan, error);
    if (status != CAROM_OK || !of_plan) return status;
    return crm_fail(error, CAROM_ERR_FILE,
                    "%s: is the recording of a plan, not of a run; `carom plan --resume` goes on with it",
                    crm_shown_path(r->path));
}

static carom_status open_and_load(carom_recorder *r, const carom_recorder_def *def, carom_state *state,
                                  carom_error *error) {
    carom_status status = crm_database_open(r->path, CRM_DATABASE_WRITE, false, &r->database, error);
    if (status == CAROM_OK) status = crm_database_lock(r->database, r->path, error);
    if (status == CAROM_OK) status = check_is_run(r, error);
    if (status == CAROM_OK) status = crm_run_read(r->database, r->path, &r->arena, &r->run, error);
    if (status == CAROM_OK) status = check_same_run(r, def, state, error);
    if (status == CAROM_OK) status = load_last_checkpoint(r, state, error);
    return status;
}

static carom_status take_over(carom_recorder *r, const carom_state *state, carom_error *error) {
    crm_buffer_init(&r->buffer, &r->run);
    carom_status status = crm_summary_check_rows(r->database, r->path, &r->summary, &r->run, error);
    if (status == CAROM_OK) status = load_open_row(r, error);
    if (status == CAROM_OK) status = drop_what_follows(r, error);
    if (status == CAROM_OK) status = find_last_frame_step(r, error);
    r->buffer.first_frame = r->summary.frame_count;
    r->buffer.first_collision = r->summary.collision_count;
    r->checkpoint_step = r->summary.step;
    r->run.writer = crm_run_new_writer();
    if (status == CAROM_OK) status = crm_run_write_writer(r->database, r->path, r->run.writer, error);
    if (status == CAROM_OK) status = crm_recorder_prepare(r, error);
    r->locked = true;
    if (status == CAROM_OK) status = crm_recorder_commit(r, state, CRM_PATIENCE_LONG, error);
    return status;
}

carom_status carom_recorder_resume(const carom_recorder_def *def, carom_state *state, bool *finished,
                                   carom_recorder **out, carom_error *error) {
    if (out == NULL || finished == NULL || state == NULL)
        return crm_refuse(error, "recorder: %s is NULL; give one",
                          state == NULL ? "the state" : "the place for a result");
    *out = NULL;
    *finished = false;
    carom_status status = crm_recorder_check_def(def, error);
    if (status != CAROM_OK) return status;
    carom_recorder *r = crm_recorder_new(def->path);
    if (r == NULL) return crm_fail_memory(error, "recorder", sizeof *r);
    r->checkpoint_seconds = def->checkpoint_seconds;
    status = open_and_load(r, def, state, error);
    if (status == CAROM_OK && !r->summary.finished) status = take_over(r, state, error);
    if (status != CAROM_OK || r->summary.finished) {
        *finished = status == CAROM_OK;
        carom_recorder_destroy(r);
        return status;
    }
    crm_recorder_schedule(r);
    *out = r;
    return CAROM_OK;
}
