// SPDX-License-Identifier: MIT
// Beginning a recording, and what follows each step.
//
// When a frame is due. By rate: at the first step whose time t reaches k / rate for a whole number k that no earlier
// step has reached, t rate + slack >= k. Every frame is due by its own time, never by the one before, so that
// nothing drifts; a step that is longer than the interval reaches several k at once and gives one frame. By `every`: at
// every so many steps from the first.
#include "record/recorder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/fail.h"
#include "record/file/database.h"
#include "record/file/fresh_file.h"
#include "record/plan/plan_tables.h"

// In frame intervals: a time that misses k / rate by rounding has reached it.
static const double frame_slack = 1e-6;

// What waits in memory is written when it exceeds this many bytes, and at checkpoints. Quick steps (a million in half a
// second) reach it several times a second; each time costs a wait for the disk, so that less memory means more waiting.
static const size_t buffer_bytes = (size_t)32 << 20;
// What may wait when readers of the file keep it from being written.
static const size_t most_buffer_bytes = (size_t)256 << 20;

// Steps between two readings of the clock while `quick_steps` of them take less than `quick_seconds`; else every step
// reads it. Reading costs some 30 ns, a tenth of a small step.
enum { quick_steps = 16 };
static const double quick_seconds = 0.02;

carom_recorder_def carom_recorder_def_default(void) {
    return (carom_recorder_def){
        .struct_size = sizeof(carom_recorder_def), .frame_rate = 60.0, .checkpoint_seconds = 5.0};
}

carom_status crm_recorder_check_def(const carom_recorder_def *def, carom_error *error) {
    if (def == NULL) return crm_refuse(error, "recorder: the definition is NULL; give one");
    carom_status status = CRM_CHECK_STRUCT(def, carom_recorder_def, error);
    if (status != CAROM_OK) return status;
    if (def->path == NULL || def->path[0] == '\0')
        return crm_refuse(error, "recorder: path is %s; give the name of a file", def->path == NULL ? "NULL" : "empty");
    if (def->every < 0)
        return crm_refuse(error,
                          "recorder: every is %d; give the number of steps from frame to frame, or 0 for frame_rate",
                          def->every);
    if (def->every == 0 && !(def->frame_rate > 0.0 && isfinite(def->frame_rate)))
        return crm_refuse(error, "recorder: frame_rate is %g; it must be positive and finite", def->frame_rate);
    if (!(def->checkpoint_seconds >= 0.0))
        return crm_refuse(error, "recorder: checkpoint_seconds is %g; it must not be negative",
                          def->checkpoint_seconds);
    return CAROM_OK;
}

carom_recorder *crm_recorder_new(const char *path) {
    carom_recorder *r = calloc(1, sizeof *r);
    if (r == NULL) return NULL;
    crm_arena_init(&r->arena, NULL);
    crm_buffer_init(&r->buffer, &r->run);
    r->checkpoint_step = -1;
    size_t size = strlen(path) + 1;
    char *copy = crm_arena_take(&r->arena, size);
    if (copy == NULL) {
        carom_recorder_destroy(r);
        return NULL;
    }
    r->path = memcpy(copy, path, size);
    return r;
}

void carom_recorder_destroy(carom_recorder *recorder) {
    if (recorder == NULL) return;
    crm_recorder_detach(recorder);
    crm_buffer_free(&recorder->buffer);
    free(recorder->state_bytes);
    crm_arena_free(&recorder->arena);
    free(recorder);
}

void crm_recorder_schedule(carom_recorder *r) {
    if (r->run.every == 0) r->next_frame = floor(r->summary.time * r->run.frame_rate + frame_slack) + 1.0;
    r->clock_read = crm_clock_seconds();
    r->checkpoint_due = r->clock_read + r->checkpoint_seconds;
    r->clock_rest = 1;
    r->commit_at = buffer_bytes;
}

// ---- beginning

// A journal without its file would be taken for the new file's own and rolled back into it.
static carom_status check_no_leftover(const char *path, carom_error *error) {
    static const char *const ending[] = {"-journal", "-wal"};
    for (int i = 0; i < 2; i++) {
        size_t size = strlen(path) + 16;
        char *name = malloc(size);
        if (name == NULL) return crm_fail_memory(error, "recorder", size);
        snprintf(name, size, "%s%s", path, ending[i]);
        struct stat about;
        bool there = lstat(name, &about) == 0;
        free(name);
        if (there)
            return crm_fail(error, CAROM_ERR_FILE,
                            "%s%s: is left of a recording that is gone and would damage a new one of its name; remove "
                            "it or choose another name",
                            crm_shown_path(path), ending[i]);
    }
    return CAROM_OK;
}

// Opens the recording that is to be replaced and keeps other writers from it until that is done. Opening also clears
// away what a killed process has left.
static carom_status hold_old_file(const char *path, sqlite3 **old, carom_error *error) {
    carom_error why;
    carom_status status = crm_database_open(path, CRM_DATABASE_WRITE, true, old, &why);
    if (status == CAROM_OK) return crm_database_lock(*old, path, error);
    if (status == CAROM_ERR_NO_MEMORY) return crm_fail(error, status, "%s", why.text);
    return crm_fail(error, status, "not overwritten, since only a whole carom recording is: %.400s", why.text);
}

// Writes a whole recording of one frame and one checkpoint.
static carom_status make_file(carom_recorder *r, const char *temporary, const carom_state *state, carom_error *error) {
    carom_status status = crm_database_open(temporary, CRM_DATABASE_MAKE, false, &r->database, error);
    if (status == CAROM_OK) status = crm_database_run(r->database, r->path, "BEGIN", error);
    if (status == CAROM_OK) status = crm_run_write(r->database, r->path, &r->run, error);
    if (status == CAROM_OK) status = crm_recorder_prepare(r, error);
    if (status == CAROM_OK) status = crm_recorder_write(r, state, error);
    if (status == CAROM_OK) status = crm_database_run(r->database, r->path, "COMMIT", error);
    crm_recorder_detach(r);
    return status;
}

static carom_status begin(carom_recorder *r, const carom_recorder_def *def, const carom_state *state,
                          carom_error *error) {
    crm_fresh_file file;
    sqlite3 *old = NULL;
    carom_status status = crm_fresh_file_begin(&file, def->path, def->overwrite, error);
    if (status == CAROM_OK) {
        status = file.exists ? hold_old_file(file.target, &old, error) : check_no_leftover(file.target, error);
        if (status == CAROM_OK) status = make_file(r, file.temporary, state, error);
        if (status == CAROM_OK) status = crm_fresh_file_publish(&file, error);
        sqlite3_close(old);
    }
    crm_fresh_file_end(&file);
    if (status != CAROM_OK) return status;
    crm_buffer_forget(&r->buffer);
    r->checkpoint_step = r->summary.step;
    return crm_recorder_attach(r, error);
}

carom_status carom_recorder_create(const carom_recorder_def *def, const carom_scene *scene, const carom_state *state,
                                   carom_recorder **out, carom_error *error) {
    if (out == NULL) return crm_refuse(error, "recorder: out is NULL; give a place for it");
    *out = NULL;
    carom_status status = crm_recorder_check_def(def, error);
    if (status != CAROM_OK) return status;
    if (state == NULL) return crm_refuse(error, "recorder: the state is NULL; give one");
    if (scene != NULL && carom_scene_model(scene) != carom_state_model(state))
        return crm_refuse(
            error, "recorder: the state belongs to another model than the scene; make it from the scene's model");
    if (def->plan != NULL && def->plan->body_count != carom_model_body_count(carom_state_model(state)))
        return crm_refuse(error, "recorder: the plan is of %d bodies and the model has %d; give a plan of this model",
                          def->plan->body_count, carom_model_body_count(carom_state_model(state)));
    carom_recorder *r = crm_recorder_new(def->path);
    if (r == NULL) return crm_fail_memory(error, "recorder", sizeof *r);
    status = crm_run_describe(def, scene, state, &r->arena, &r->run, error);
    if (status == CAROM_OK) {
        crm_buffer_init(&r->buffer, &r->run);
        crm_summary_start(&r->summary, state);
        status = crm_buffer_add_frame(&r->buffer, state, error);
        if (status == CAROM_OK) status = crm_buffer_add_open_joints(&r->buffer, state, error);
    }
    if (status == CAROM_OK) {
        r->summary.frame_count = 1;
        r->last_frame_step = r->summary.step;
        r->checkpoint_seconds = def->checkpoint_seconds;
        r->of_plan = def->plan != NULL && !def->replayed;
        if (r->of_plan) crm_plan_find(def->plan, r->plan_finding);
        status = begin(r, def, state, error);
    }
    if (status != CAROM_OK) {
        carom_recorder_destroy(r);
        return status;
    }
    // The scene's texts are needed no longer, and may go before the recorder does.
    r->run.scene = NULL;
    r->run.body = NULL;
    r->run.shape = NULL;
    r->run.joint = NULL;
    r->run.plan.data = NULL;
    crm_recorder_schedule(r);
    *out = r;
    return CAROM_OK;
}

// ---- going on

static carom_status check_open(const carom_recorder *r, const carom_state *state, carom_error *error) {
    if (r == NULL || state == NULL)
        return crm_refuse(error, "recorder: %s is NULL; give one", r == NULL ? "the recorder" : "the state");
    if (r->ended)
        return crm_refuse(error, "%s: the recording is finished and takes no more; start another",
                          crm_shown_path(r->path));
    return CAROM_OK;
}

static carom_status check_in_step(const carom_recorder *r, const carom_state *state, carom_error *error) {
    carom_status status = check_open(r, state, error);
    if (status != CAROM_OK) return status;
    int64_t step = carom_state_step_count(state);
    if (step == r->summary.step) return CAROM_OK;
    return crm_refuse(error,
                      "%s: the state is at step %lld and the recording at step %lld; record every step of one state",
                      crm_shown_path(r->path), (long long)step, (long long)r->summary.step);
}

static bool frame_is_due(carom_recorder *r) {
    if (r->run.every > 0) return (r->summary.step - r->run.first_step) % r->run.every == 0;
    double reached = r->summary.time * r->run.frame_rate + frame_slack;
    if (!(reached >= r->next_frame)) return false;
    r->next_frame = floor(reached) + 1.0;
    return true;
}

static carom_status add_frame(carom_recorder *r, const carom_state *state, carom_error *error) {
    carom_status status = crm_buffer_add_frame(&r->buffer, state, error);
    if (status != CAROM_OK) return status;
    r->summary.frame_count++;
    r->last_frame_step = r->summary.step;
    return CAROM_OK;
}

static bool checkpoint_is_due(carom_recorder *r) {
    if (--r->clock_rest > 0) return false;
    double now = crm_clock_seconds();
    bool quick = now - r->clock_read < quick_seconds && r->checkpoint_seconds > 0.0;
    r->clock_rest = quick ? quick_steps : 1;
    r->clock_read = now;
    if (now < r->checkpoint_due) return false;
    r->checkpoint_due = now + r->checkpoint_seconds;
    return true;
}

// Readers may keep the file from being written for a while. The run does not wait for them, as long as there is memory.
static carom_status commit_in_passing(carom_recorder *r, const carom_state *state, carom_error *error) {
    bool can_wait = crm_buffer_pending(&r->buffer) < most_buffer_bytes;
    carom_status status = crm_recorder_commit(r, state, can_wait ? CRM_PATIENCE_SHORT : CRM_PATIENCE_LONG, error);
    size_t left = crm_buffer_pending(&r->buffer);
    r->commit_at = 2 * left > buffer_bytes ? 2 * left : buffer_bytes;
    return status;
}

// Those of this very step: a state that was loaded has made none.
static carom_status add_collisions(carom_recorder *r, const carom_state *state, int64_t step, carom_error *error) {
    int count;
    const carom_collision *list = carom_state_collisions(state, &count);
    if (count == 0 || list[0].step != step) return CAROM_OK;
    carom_status status = crm_buffer_add_collisions(&r->buffer, list, count, error);
    if (status == CAROM_OK) r->summary.collision_count += count;
    return status;
}

carom_status carom_recorder_step(carom_recorder *r, const carom_state *state, const carom_step_report *report,
                                 carom_error *error) {
    carom_status status = check_open(r, state, error);
    if (status != CAROM_OK) return status;
    if (report == NULL) return crm_refuse(error, "recorder: the report is NULL; give one");
    if (report->outcome == CAROM_STEP_IMPOSSIBLE) return CAROM_OK;
    if (report->step != r->summary.step + 1)
        return crm_refuse(error,
                          "%s: the report is of step %lld and the recording at step %lld; record every step, once",
                          crm_shown_path(r->path), (long long)report->step, (long long)r->summary.step);
    unsigned char *place = crm_buffer_certificate(&r->buffer);
    if (place == NULL) {
        status = crm_buffer_grow(&r->buffer, error);
        if (status != CAROM_OK) return status;
        place = crm_buffer_certificate(&r->buffer);
    }
    int events = r->buffer.events.count;
    if (r->run.joint_events) status = crm_buffer_add_events(&r->buffer, state, error);
    if (status == CAROM_OK && r->run.collisions) status = add_collisions(r, state, report->step, error);
    if (status != CAROM_OK) {
        r->buffer.events.count = events;
        crm_buffer_take_back_certificate(&r->buffer);
        return status;
    }
    crm_certificate_pack(&r->run, report, place);
    crm_summary_add(&r->summary, &r->run, report);
    if (frame_is_due(r)) {
        status = add_frame(r, state, error);
        if (status != CAROM_OK) return status;
    }
    if (!checkpoint_is_due(r) && crm_buffer_pending(&r->buffer) <= r->commit_at) return CAROM_OK;
    return commit_in_passing(r, state, error);
}

carom_status carom_recorder_checkpoint(carom_recorder *r, const carom_state *state, carom_error *error) {
    carom_status status = check_in_step(r, state, error);
    if (status != CAROM_OK) return status;
    bool is_there = r->checkpoint_step == r->summary.step && crm_buffer_pending(&r->buffer) == 0;
    return is_there ? CAROM_OK : crm_recorder_commit(r, state, CRM_PATIENCE_LONG, error);
}

carom_status carom_recorder_confirm(carom_recorder *r, const carom_finding *finding, carom_error *error) {
    if (r == NULL || finding == NULL)
        return crm_refuse(error, "recorder: %s is NULL; give one", r == NULL ? "the recorder" : "the finding");
    if (r->ended)
        return crm_refuse(error, "%s: the recording is finished and takes no more; start another",
                          crm_shown_path(r->path));
    r->summary.certificates.finding[CAROM_RULE_UNCONFIRMED] = *finding;
    return CAROM_OK;
}

carom_status carom_recorder_finish(carom_recorder *r, const carom_state *state, const char *end_text,
                                   carom_error *error) {
    carom_status status = check_in_step(r, state, error);
    if (status != CAROM_OK) return status;
    if (r->last_frame_step != r->summary.step) {
        status = add_frame(r, state, error);
        if (status != CAROM_OK) return status;
        r->summary.extra_frame = true;
    }
    r->summary.finished = end_text == NULL;
    snprintf(r->summary.end_text, sizeof r->summary.end_text, "%s", end_text != NULL ? end_text : "");
    r->ended = true;
    status = crm_recorder_commit(r, state, CRM_PATIENCE_LONG, error);
    if (status != CAROM_OK) r->ended = false; // may be tried again
    return status;
}
