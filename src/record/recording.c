// SPDX-License-Identifier: MIT
// Reading a recording, also one that is being written or was left by a killed process.
//
// Every call reads in a transaction of its own and leaves no lock behind, so that a run is never kept from writing.
#include "record/recording.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "record/file/database.h"
#include "record/file/table_row.h"
#include "record/plan/plan_tables.h"
#include "record/run/record_events.h"
#include "record/run/record_summary.h"

static carom_status open_all(carom_recording *r, carom_error *error) {
    carom_status status = crm_database_open(r->path, CRM_DATABASE_READ, false, &r->database, error);
    if (status == CAROM_OK) status = crm_run_read(r->database, r->path, &r->arena, &r->run, error);
    if (status == CAROM_OK) status = crm_run_read_flexible(r->database, r->path, &r->arena, &r->run, error);
    if (status == CAROM_OK) status = crm_plan_read(r->database, r->path, &r->arena, &r->run, &r->run.plan, error);
    if (status == CAROM_OK)
        status = crm_database_prepare(r->database, r->path, "SELECT * FROM frames WHERE number = ?", &r->select_frame,
                                      error);
    if (status == CAROM_OK)
        status = crm_database_prepare(r->database, r->path,
                                      "SELECT first_step, count, packed, digest FROM certificates WHERE first_step = ?",
                                      &r->select_certificates, error);
    if (status == CAROM_OK)
        status = crm_database_prepare(r->database, r->path,
                                      "SELECT * FROM collisions WHERE number >= ? ORDER BY number LIMIT ?",
                                      &r->select_collisions, error);
    if (status == CAROM_OK) status = crm_summary_prepare_last(r->database, r->path, &r->select_summary, error);
    crm_summary summary;
    if (status == CAROM_OK) status = crm_summary_read_last(r->select_summary, r->path, &r->run, &summary, error);
    if (status == CAROM_OK) status = crm_summary_check_rows(r->database, r->path, &summary, &r->run, error);
    size_t bytes = status == CAROM_OK ? CRM_RECORD_CHUNK * crm_certificate_bytes(&r->run) : 0;
    if (status == CAROM_OK && (r->cache->packed = crm_arena_take(&r->arena, bytes)) == NULL)
        status = crm_fail_memory(error, "recording", bytes);
    return status;
}

carom_status carom_recording_open(const char *path, carom_recording **out, carom_error *error) {
    if (out == NULL) return crm_refuse(error, "recording: out is NULL; give a place for it");
    *out = NULL;
    if (path == NULL || path[0] == '\0')
        return crm_refuse(error, "recording: path is %s; give the name of a file", path == NULL ? "NULL" : "empty");
    carom_recording *r = calloc(1, sizeof *r);
    if (r == NULL) return crm_fail_memory(error, "recording", sizeof *r);
    crm_arena_init(&r->arena, NULL);
    size_t size = strlen(path) + 1;
    char *copy = crm_arena_take(&r->arena, size);
    r->cache = malloc(sizeof *r->cache);
    carom_status status = CAROM_OK;
    if (copy == NULL || r->cache == NULL) {
        status = crm_fail_memory(error, "recording", size + sizeof *r->cache);
    } else {
        r->path = memcpy(copy, path, size);
        r->cache->first = -1;
        status = open_all(r, error);
    }
    if (status == CAROM_OK)
        *out = r;
    else
        carom_recording_close(r);
    return status;
}

void carom_recording_close(carom_recording *r) {
    if (r == NULL) return;
    sqlite3_finalize(r->select_frame);
    sqlite3_finalize(r->select_certificates);
    sqlite3_finalize(r->select_collisions);
    sqlite3_finalize(r->select_summary);
    sqlite3_close(r->database);
    free(r->cache);
    crm_run_free_flexible(&r->run);
    crm_arena_free(&r->arena);
    free(r);
}

static carom_status fail_null(const char *what, carom_error *error) {
    return crm_refuse(error, "recording: %s is NULL; give one", what);
}

carom_status carom_recording_get_info(const carom_recording *r, carom_recording_info *out, carom_error *error) {
    if (r == NULL || out == NULL) return fail_null(r == NULL ? "the recording" : "out", error);
    crm_summary summary;
    carom_status status = crm_summary_read_last(r->select_summary, r->path, &r->run, &summary, error);
    if (status != CAROM_OK) return status;
    *out = (carom_recording_info){
        .format = r->run.format,
        .step = r->run.step,
        .piece_count = (int)r->run.piece_count,
        .until = r->run.until,
        .time = summary.time,
        .step_count = summary.step,
        .frame_count = summary.frame_count,
        .certificate_count = summary.step - r->run.first_step,
        .body_count = (int)r->run.body_count,
        .joint_count = (int)r->run.joint_count,
        .shape_count = (int)r->run.shape_count,
        .flex_count = (int)r->run.flex_count,
        .contacts = r->run.contacts,
        .collisions = r->run.collisions,
        .plan = r->run.plan.data != NULL,
        .replayed = r->run.plan.replayed,
        .collision_count = summary.collision_count,
        .finished = summary.finished,
        .hash = r->run.plan.data != NULL && !r->run.plan.replayed ? carom_plan_hash(r->run.plan.data) : summary.hash,
        .summary = summary.certificates,
    };
    memcpy(out->version, r->run.version, sizeof out->version);
    memcpy(out->method, r->run.method, sizeof out->method);
    memcpy(out->end_text, summary.end_text, sizeof out->end_text);
    return CAROM_OK;
}

const char *carom_recording_scene(const carom_recording *r) {
    return r != NULL ? r->run.scene : "";
}

const carom_recorded_body *carom_recording_body(const carom_recording *r, int body) {
    return r != NULL && body >= 0 && body < r->run.body_count ? &r->run.body[body] : NULL;
}

const char *carom_recording_body_name(const carom_recording *r, int body) {
    const carom_recorded_body *known = carom_recording_body(r, body);
    return known != NULL ? known->name : "";
}

const carom_recorded_shape *carom_recording_shape(const carom_recording *r, int shape) {
    return r != NULL && shape >= 0 && shape < r->run.shape_count ? &r->run.shape[shape] : NULL;
}

const carom_recorded_joint *carom_recording_joint(const carom_recording *r, int joint) {
    return r != NULL && joint >= 0 && joint < r->run.joint_count ? &r->run.joint[joint] : NULL;
}

const carom_recorded_flex *carom_recording_flex(const carom_recording *r, int flex) {
    return r != NULL && flex >= 0 && flex < r->run.flex_count ? &r->run.flex[flex] : NULL;
}

const carom_plan_data *carom_recording_plan(const carom_recording *r) {
    return r != NULL ? r->run.plan.data : NULL;
}

const void *carom_recording_plan_saved(const carom_recording *r, size_t *size) {
    const crm_plan_kept *plan = r != NULL ? &r->run.plan : &(crm_plan_kept){.data = NULL};
    *size = plan->saved_size;
    return plan->saved_size > 0 ? plan->saved : NULL;
}

// ---- frames

// Where to put what is read of a frame; any may be NULL.
typedef struct frame_places {
    double *time;
    int64_t *step;
    carom_body_state *bodies;
    carom_frame_joint *joints;
    carom_contact_state *contacts; // up to `room` of them
    int room;
    int *contact_count;
} frame_places;

static bool is_body(const carom_recording *r, carom_body body) {
    return body.index >= -1 && body.index < r->run.body_count; // -1: the world
}

// False: they are not of bodies that there are.
static bool take_contacts(const carom_recording *r, const unsigned char *packed, size_t size, const frame_places *to) {
    int count = (int)(size / CRM_CONTACT_BYTES);
    if (to->contact_count != NULL) *to->contact_count = count;
    for (int i = 0; i < count && i < to->room; i++) {
        carom_contact_state *contact = &to->contacts[i];
        crm_unpack_contact(packed + (size_t)i * CRM_CONTACT_BYTES, contact);
        if (!is_body(r, contact->a) || !is_body(r, contact->b)) return false;
        if ((unsigned)contact->status > CAROM_CONTACT_STATUS_SLIDES) return false;
    }
    return true;
}

static carom_status fail_frame(const carom_recording *r, int64_t index, carom_error *error) {
    char what[64];
    snprintf(what, sizeof what, "frame %lld is not what was written", (long long)index);
    return crm_database_damaged(r->path, what, error);
}

static carom_status take_frame(const carom_recording *r, int64_t index, const frame_places *to, carom_error *error) {
    crm_row row = crm_row_read(r->select_frame);
    crm_row_get_int(&row);
    int64_t frame_step = crm_row_get_int(&row);
    double frame_time = crm_row_get_real(&row);
    size_t body_bytes, joint_bytes, contact_bytes;
    const unsigned char *bodies = crm_row_get_bytes(&row, &body_bytes);
    const unsigned char *joints = crm_row_get_bytes(&row, &joint_bytes);
    const unsigned char *contacts = crm_row_get_bytes(&row, &contact_bytes);
    if (!crm_row_sound(&row) || body_bytes != (size_t)r->run.body_count * CRM_FRAME_BODY_BYTES ||
        joint_bytes != r->run.joint_bytes || contact_bytes % CRM_CONTACT_BYTES != 0 ||
        contact_bytes / CRM_CONTACT_BYTES > INT_MAX)
        return fail_frame(r, index, error);
    if (to->time != NULL) *to->time = frame_time;
    if (to->step != NULL) *to->step = frame_step;
    for (int64_t i = 0; i < r->run.body_count && to->bodies != NULL; i++)
        crm_unpack_body(bodies + i * CRM_FRAME_BODY_BYTES, &to->bodies[i]);
    for (int64_t i = 0; i < r->run.joint_count && to->joints != NULL; i++)
        joints = crm_unpack_joint(joints, r->run.joint[i].linear + r->run.joint[i].angular, &to->joints[i]);
    return take_contacts(r, contacts, contact_bytes, to) ? CAROM_OK : fail_frame(r, index, error);
}

// A frame that the last checkpoint counts must be there; one beyond is a wrong index.
static carom_status fail_no_frame(const carom_recording *r, int64_t index, carom_error *error) {
    crm_summary summary;
    carom_status status = crm_summary_read_last(r->select_summary, r->path, &r->run, &summary, error);
    if (status != CAROM_OK) return status;
    if (index >= 0 && index < summary.frame_count) {
        char what[64];
        snprintf(what, sizeof what, "frame %lld is missing", (long long)index);
        return crm_database_damaged(r->path, what, error);
    }
    return crm_refuse(error, "%s: there is no frame %lld; the frames are 0 to %lld", crm_shown_path(r->path),
                      (long long)index, (long long)summary.frame_count - 1);
}

static carom_status read_frame(const carom_recording *r, int64_t index, const frame_places *to, carom_error *error) {
    if (r == NULL) return fail_null("the recording", error);
    sqlite3_bind_int64(r->select_frame, 1, index);
    int code = sqlite3_step(r->select_frame);
    carom_status status = CAROM_OK;
    if (code == SQLITE_ROW)
        status = take_frame(r, index, to, error);
    else if (code == SQLITE_DONE)
        status = fail_no_frame(r, index, error);
    else
        status = crm_database_fail(r->database, code, r->path, error);
    sqlite3_reset(r->select_frame);
    return status;
}

carom_status carom_recording_get_frame(const carom_recording *r, int64_t index, double *time, int64_t *step,
                                       carom_body_state *bodies, carom_error *error) {
    return read_frame(r, index, &(frame_places){.time = time, .step = step, .bodies = bodies}, error);
}

carom_status carom_recording_get_frame_joints(const carom_recording *r, int64_t index, carom_frame_joint *joints,
                                              carom_error *error) {
    return read_frame(r, index, &(frame_places){.joints = joints}, error);
}

carom_status carom_recording_get_frame_contacts(const carom_recording *r, int64_t index, int room,
                                                carom_contact_state *contacts, int *count, carom_error *error) {
    if (count == NULL || (contacts == NULL && room > 0)) return fail_null("the place for contacts", error);
    *count = 0;
    return read_frame(r, index, &(frame_places){.contacts = contacts, .room = room, .contact_count = count}, error);
}

carom_status carom_recording_get_joint_events(const carom_recording *r, int room, carom_joint_event *events, int *count,
                                              carom_error *error) {
    if (r == NULL) return fail_null("the recording", error);
    if (count == NULL || (events == NULL && room > 0)) return fail_null("the place for joint events", error);
    *count = 0;
    return r->run.joint_events ? crm_events_read(r->database, r->path, &r->run, events, room, count, error) : CAROM_OK;
}

// ---- certificates

static carom_status fail_certificates(const carom_recording *r, int64_t first, const char *what, carom_error *error) {
    char text[96];
    int64_t step = r->run.first_step + 1 + first;
    snprintf(text, sizeof text, "the certificates from step %lld on are %s", (long long)step, what);
    return crm_database_damaged(r->path, text, error);
}

// Brings the row that begins with certificate `first` into the cache. A row that is not full may grow while the run
// goes on, so it is read again each time.
static carom_status cache_row(const carom_recording *r, int64_t first, carom_error *error) {
    crm_row_cache *cache = r->cache;
    if (cache->first == first && cache->count == CRM_RECORD_CHUNK) return CAROM_OK;
    cache->first = -1;
    sqlite3_bind_int64(r->select_certificates, 1, r->run.first_step + 1 + first);
    int code = sqlite3_step(r->select_certificates);
    carom_status status = CAROM_OK;
    if (code == SQLITE_ROW) {
        crm_row row = crm_row_read(r->select_certificates);
        crm_row_get_int(&row);
        int64_t count = crm_row_get_int(&row);
        size_t size;
        const void *packed = crm_row_get_bytes(&row, &size);
        if (!crm_row_sound(&row) || count < 1 || count > CRM_RECORD_CHUNK ||
            size != (size_t)count * crm_certificate_bytes(&r->run)) {
            status = fail_certificates(r, first, "not what was written", error);
        } else {
            memcpy(cache->packed, packed, size);
            cache->first = first;
            cache->count = count;
        }
    } else {
        status = code == SQLITE_DONE ? fail_certificates(r, first, "missing", error)
                                     : crm_database_fail(r->database, code, r->path, error);
    }
    sqlite3_reset(r->select_certificates);
    return status;
}

carom_status carom_recording_get_certificates(const carom_recording *r, int64_t first, int count,
                                              carom_step_report *out, int *got, carom_error *error) {
    if (r == NULL || got == NULL || (out == NULL && count > 0))
        return fail_null(r == NULL ? "the recording" : "the place for a result", error);
    *got = 0;
    if (first < 0 || count < 0)
        return crm_refuse(error,
                          "%s: certificates from %lld on, %d of them, make no sense; neither "
                          "number may be negative",
                          crm_shown_path(r->path), (long long)first, count);
    crm_summary summary;
    carom_status status = crm_summary_read_last(r->select_summary, r->path, &r->run, &summary, error);
    if (status != CAROM_OK) return status;
    int64_t total = summary.step - r->run.first_step;
    int64_t end = first < total && count < total - first ? first + count : total;
    for (int64_t place = first; place < end;) {
        int64_t row = place - place % CRM_RECORD_CHUNK;
        status = cache_row(r, row, error);
        if (status != CAROM_OK) return status;
        int64_t row_end = row + r->cache->count < end ? row + r->cache->count : end;
        if (place >= row_end) return fail_certificates(r, place, "missing", error);
        for (; place < row_end; place++)
            crm_certificate_unpack(&r->run, r->cache->packed + (size_t)(place - row) * crm_certificate_bytes(&r->run),
                                   r->run.first_step + 1 + place, &out[(*got)++]);
    }
    return CAROM_OK;
}

carom_status carom_recording_step_time(const carom_recording *r, int64_t step, double *time, carom_error *error) {
    if (r == NULL || time == NULL) return fail_null(r == NULL ? "the recording" : "the place for a result", error);
    if (step == r->run.first_step) return carom_recording_get_frame(r, 0, time, NULL, NULL, error);
    carom_step_report certificate;
    int got = 0;
    carom_status status = step > r->run.first_step ? carom_recording_get_certificates(r, step - r->run.first_step - 1,
                                                                                      1, &certificate, &got, error)
                                                   : CAROM_OK;
    if (status != CAROM_OK) return status;
    if (got == 0) return crm_refuse(error, "%s: has no step %lld", crm_shown_path(r->path), (long long)step);
    *time = certificate.time;
    return CAROM_OK;
}
