// SPDX-License-Identifier: MIT
// Reading the table of collisions: each number is held against what a collision of this run can be.
#include <stdio.h>

#include "base/fail.h"
#include "record/file/collision_row.h"
#include "record/file/database.h"
#include "record/recording.h"
#include "record/run/record_summary.h"

// Times are those of steps and sums of lengths: they may round beyond the end of a step by this share of the run.
static const double time_rounding = 1e-12;

static carom_status fail_collision(const carom_recording *r, int64_t number, const char *what, carom_error *error) {
    char text[64];
    snprintf(text, sizeof text, "collision %lld is %s", (long long)number, what);
    return crm_database_damaged(r->path, text, error);
}

// Takes the row that the statement stands on.
static carom_status take(const carom_recording *r, int64_t number, const crm_summary *summary, carom_collision *out,
                         carom_error *error) {
    crm_row row = crm_row_read(r->select_collisions);
    if (crm_row_get_int(&row) != number) return fail_collision(r, number, "missing", error);
    crm_collision_get(out, &row);
    bool of_run = out->step > r->run.first_step && out->step <= summary->step && out->time >= 0.0 &&
                  out->time <= (1.0 + time_rounding) * summary->time;
    if (crm_row_sound(&row) && of_run && crm_collision_plausible(out, r->run.body_count)) return CAROM_OK;
    return fail_collision(r, number, "not what was written", error);
}

static bool follows(const carom_collision *before, const carom_collision *after, const crm_summary *summary) {
    return after->step >= before->step && after->time >= before->time - time_rounding * summary->time;
}

static carom_status read_rows(const carom_recording *r, int64_t first, int count, const crm_summary *summary,
                              carom_collision *out, carom_error *error) {
    sqlite3_bind_int64(r->select_collisions, 1, first);
    sqlite3_bind_int(r->select_collisions, 2, count);
    carom_status status = CAROM_OK;
    for (int i = 0; i < count && status == CAROM_OK; i++) {
        int code = sqlite3_step(r->select_collisions);
        if (code == SQLITE_ROW)
            status = take(r, first + i, summary, &out[i], error);
        else
            status = code == SQLITE_DONE ? fail_collision(r, first + i, "missing", error)
                                         : crm_database_fail(r->database, code, r->path, error);
        if (status == CAROM_OK && i > 0 && !follows(&out[i - 1], &out[i], summary))
            status = fail_collision(r, first + i, "before the one that it follows", error);
    }
    sqlite3_reset(r->select_collisions);
    return status;
}

carom_status carom_recording_get_collisions(const carom_recording *r, int64_t first, int count, carom_collision *out,
                                            int *got, carom_error *error) {
    if (r == NULL || got == NULL || (out == NULL && count > 0))
        return crm_refuse(error, "recording: %s is NULL; give one",
                          r == NULL ? "the recording" : "the place for a result");
    *got = 0;
    if (first < 0 || count < 0)
        return crm_refuse(error,
                          "%s: collisions from %lld on, %d of them, make no sense; neither number may be negative",
                          crm_shown_path(r->path), (long long)first, count);
    crm_summary summary;
    carom_status status = crm_summary_read_last(r->select_summary, r->path, &r->run, &summary, error);
    if (status != CAROM_OK || first >= summary.collision_count) return status;
    int there = summary.collision_count - first < count ? (int)(summary.collision_count - first) : count;
    status = read_rows(r, first, there, &summary, out, error);
    if (status == CAROM_OK) *got = there;
    return status;
}
