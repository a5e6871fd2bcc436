// SPDX-License-Identifier: MIT
// Transactions: everything that waits, and a checkpoint, or nothing.
//
// Every transaction ends with a checkpoint, so that a file never holds what could not be resumed from its end.
#include <stdlib.h>

#include "base/assert.h"
#include "base/fail.h"
#include "record/file/collision_row.h"
#include "record/file/database.h"
#include "record/file/format.h"
#include "record/file/row_digest.h"
#include "record/recorder.h"
#include "record/run/record_events.h"

enum { SHORT_MILLISECONDS = 50, LONG_MILLISECONDS = 10000 };

static carom_status prepare_checkpoint(carom_recorder *r, carom_error *error) {
    char *statement = crm_summary_insertion();
    if (statement == NULL) return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for a checkpoint");
    carom_status status = crm_database_prepare(r->database, r->path, statement, &r->insert_checkpoint, error);
    free(statement);
    return status;
}

carom_status crm_recorder_prepare(carom_recorder *r, carom_error *error) {
    static const char frame[] = "INSERT OR REPLACE INTO frames VALUES (?, ?, ?, ?, ?, ?, ?)";
    static const char certificates[] = "INSERT OR REPLACE INTO certificates VALUES (?, ?, ?, ?)";
    static const char collision[] =
        "INSERT OR REPLACE INTO collisions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    static const char drop[] = "DELETE FROM checkpoints WHERE step < ?";
    carom_status status = crm_database_prepare(r->database, r->path, frame, &r->insert_frame, error);
    if (status == CAROM_OK)
        status = crm_database_prepare(r->database, r->path, certificates, &r->insert_certificates, error);
    if (status == CAROM_OK) status = crm_database_prepare(r->database, r->path, collision, &r->insert_collision, error);
    if (status == CAROM_OK) status = prepare_checkpoint(r, error);
    if (status == CAROM_OK) status = crm_database_prepare(r->database, r->path, drop, &r->drop_checkpoints, error);
    return status;
}

static int write_frames(carom_recorder *r) {
    const unsigned char *from = r->buffer.frames.items;
    for (int64_t i = 0; i < r->buffer.frame_count; i++) {
        const unsigned char *bodies = from + CRM_FRAME_HEADER_BYTES, *joints = bodies + r->buffer.body_bytes;
        const unsigned char *contacts = joints + r->run.joint_bytes;
        size_t contact_bytes = (size_t)crm_get_u64(from + 16);
        crm_row row = crm_row_write(r->insert_frame);
        crm_row_put_int(&row, r->buffer.first_frame + i);
        crm_row_put_int(&row, (int64_t)crm_get_u64(from));
        crm_row_put_real(&row, crm_double_of(crm_get_u64(from + 8)));
        crm_row_put_bytes(&row, bodies, r->buffer.body_bytes);
        crm_row_put_bytes(&row, joints, r->run.joint_bytes);
        crm_row_put_bytes(&row, contacts, contact_bytes);
        int code = crm_row_insert(&row);
        if (code != SQLITE_OK) return code;
        from = contacts + contact_bytes;
    }
    return SQLITE_OK;
}

// A row that is not full yet is written again as it grows.
static int write_certificates(carom_recorder *r) {
    int64_t count = crm_buffer_certificate_count(&r->buffer);
    if (count == r->buffer.written_certificates) return SQLITE_OK;
    for (int64_t i = 0; i < count; i += CRM_RECORD_CHUNK) {
        int64_t here = count - i < CRM_RECORD_CHUNK ? count - i : CRM_RECORD_CHUNK;
        crm_row row = crm_row_write(r->insert_certificates);
        crm_row_put_int(&row, r->run.first_step + 1 + r->buffer.first_certificate + i);
        crm_row_put_int(&row, here);
        crm_row_put_bytes(&row, r->buffer.certificates.items + i * r->buffer.certificate_bytes,
                          (size_t)here * (size_t)r->buffer.certificate_bytes);
        int code = crm_row_insert(&row);
        if (code != SQLITE_OK) return code;
    }
    return SQLITE_OK;
}

static int write_collisions(carom_recorder *r) {
    for (int i = 0; i < r->buffer.collisions.count; i++) {
        crm_row row = crm_row_write(r->insert_collision);
        crm_row_put_int(&row, r->buffer.first_collision + i);
        crm_collision_put(&r->buffer.collisions.items[i], &row);
        int code = crm_row_insert(&row);
        if (code != SQLITE_OK) return code;
    }
    return SQLITE_OK;
}

static carom_status save_state(carom_recorder *r, const carom_state *state, size_t *size, carom_error *error) {
    *size = carom_state_size(state);
    if (*size > r->state_capacity) {
        unsigned char *bytes = realloc(r->state_bytes, *size);
        if (bytes == NULL) return crm_fail_memory(error, "a checkpoint of the state", *size);
        r->state_bytes = bytes;
        r->state_capacity = *size;
    }
    carom_state_save(state, r->state_bytes);
    return CAROM_OK;
}

// The checkpoint before this one is kept: should this one be damaged, the run can be resumed there.
static int drop_old_checkpoints(carom_recorder *r) {
    if (r->checkpoint_step < 0) return SQLITE_OK;
    if (r->checkpoint_step >= r->summary.step) return SQLITE_OK; // replaced, not added
    sqlite3_bind_int64(r->drop_checkpoints, 1, r->checkpoint_step);
    int code = sqlite3_step(r->drop_checkpoints);
    sqlite3_reset(r->drop_checkpoints);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

carom_status crm_recorder_write(carom_recorder *r, const carom_state *state, carom_error *error) {
    size_t size;
    carom_status status = save_state(r, state, &size, error);
    if (status != CAROM_OK) return status;
    r->summary.hash = carom_state_hash(state);
    carom_summary_conclude(&r->summary.certificates, state);
    if (r->of_plan) memcpy(r->summary.certificates.finding, r->plan_finding, sizeof r->plan_finding);
    r->summary.state_digest = crm_digest_bytes(CRM_DIGEST_START, r->state_bytes, size);
    CRM_ASSERT(r->summary.frame_count == r->buffer.first_frame + r->buffer.frame_count);
    CRM_ASSERT(r->summary.collision_count == r->buffer.first_collision + r->buffer.collisions.count);

    status = crm_events_write(r->database, r->path, r->buffer.first_event, r->buffer.events.items,
                              r->buffer.events.count, error);
    if (status != CAROM_OK) return status;
    int code = write_frames(r);
    if (code == SQLITE_OK) code = write_certificates(r);
    if (code == SQLITE_OK) code = write_collisions(r);
    if (code == SQLITE_OK) {
        crm_row row = crm_row_write(r->insert_checkpoint);
        crm_summary_put(&r->summary, &row);
        crm_row_put_digest(&row);
        crm_row_put_aside(&row, r->state_bytes, size);
        code = crm_row_insert(&row);
    }
    if (code == SQLITE_OK) code = drop_old_checkpoints(r);
    return code == SQLITE_OK ? CAROM_OK : crm_database_fail(r->database, code, r->path, error);
}

static void unlock(carom_recorder *r) {
    if (!sqlite3_get_autocommit(r->database)) sqlite3_exec(r->database, "ROLLBACK", NULL, NULL, NULL);
    r->locked = false;
}

// Between a commit and the next lock somebody else may have resumed this very run; then the file is theirs.
static carom_status lock(carom_recorder *r, carom_error *error) {
    carom_status status = crm_database_lock(r->database, r->path, error);
    if (status != CAROM_OK) return status;
    int64_t writer = 0;
    status = crm_run_read_writer(r->database, r->path, &writer, error);
    if (status == CAROM_OK && writer != r->run.writer)
        status = crm_fail(error, CAROM_ERR_FILE,
                          "%s: another process has begun to record to the file; let it, and start this run again with "
                          "another file",
                          crm_shown_path(r->path));
    r->locked = status == CAROM_OK;
    if (!r->locked) unlock(r);
    return status;
}

carom_status crm_recorder_attach(carom_recorder *r, carom_error *error) {
    carom_status status = crm_database_open(r->path, CRM_DATABASE_WRITE, false, &r->database, error);
    if (status == CAROM_OK) status = lock(r, error);
    if (status == CAROM_OK) status = crm_recorder_prepare(r, error);
    return status;
}

void crm_recorder_detach(carom_recorder *r) {
    sqlite3_finalize(r->insert_frame);
    sqlite3_finalize(r->insert_certificates);
    sqlite3_finalize(r->insert_collision);
    sqlite3_finalize(r->insert_checkpoint);
    sqlite3_finalize(r->drop_checkpoints);
    r->insert_frame = r->insert_certificates = r->insert_collision = r->insert_checkpoint = r->drop_checkpoints = NULL;
    sqlite3_close(r->database);
    r->database = NULL;
    r->locked = false;
}

carom_status crm_recorder_commit(carom_recorder *r, const carom_state *state, crm_patience patience,
                                 carom_error *error) {
    carom_status status = r->locked ? CAROM_OK : lock(r, error);
    if (status != CAROM_OK) return status;
    status = crm_recorder_write(r, state, error);
    if (status != CAROM_OK) {
        unlock(r);
        return status;
    }
    sqlite3_busy_timeout(r->database, patience == CRM_PATIENCE_SHORT ? SHORT_MILLISECONDS : LONG_MILLISECONDS);
    int code = sqlite3_exec(r->database, "COMMIT", NULL, NULL, NULL);
    if (code == SQLITE_OK) {
        crm_buffer_forget(&r->buffer);
        r->checkpoint_step = r->summary.step;
    } else {
        if ((code & 0xff) != SQLITE_BUSY)
            status = crm_database_fail(r->database, code, r->path, error);
        else if (patience == CRM_PATIENCE_LONG)
            status =
                crm_fail(error, CAROM_ERR_FILE,
                         "%s: another process has kept the file open for reading for %d s and it cannot be written "
                         "to; end that process, then checkpoint again or resume the run",
                         crm_shown_path(r->path), LONG_MILLISECONDS / 1000);
        unlock(r);
    }
    // If this fails, the next commit tries again and says why.
    r->locked = false;
    if (!r->ended) lock(r, NULL);
    return status;
}
