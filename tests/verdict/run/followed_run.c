// SPDX-License-Identifier: MIT
#include "verdict/run/followed_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "carom/tools.h"
#include "support/harness/check.h"
#include "support/scene/recorded_run.h"

static double processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void refuse(followed_run *run, const char *sentence) {
    run->refused = true;
    run->verdict = (carom_verdict){.colour = CAROM_COLOUR_RED, .step = -1};
    snprintf(run->verdict.sentence, sizeof run->verdict.sentence, "Refused: %.400s", sentence);
}

static bool read_scene(followed_run *run, const verdict_case *c, double share) {
    char name[64], until[64], step[64];
    snprintf(name, sizeof name, "method.name=%s", c->method);
    snprintf(until, sizeof until, "until=%.17g", c->until);
    const char *overrides[3] = {name};
    int count = 1;
    if (c->until > 0.0) overrides[count++] = until;
    carom_scene_source source = carom_scene_source_default();
    source.file = c->file[0] != '\0' ? c->file : c->name;
    source.text = c->file[0] != '\0' ? NULL : c->text;
    source.overrides = overrides;
    carom_error error = {.text = ""};
    for (int pass = 0; pass < 2; pass++) {
        source.override_count = count;
        carom_scene_destroy(run->scene);
        run->scene = NULL;
        if (carom_scene_read(&source, NULL, &run->scene, NULL, &error) != CAROM_OK) {
            refuse(run, error.text);
            return false;
        }
        if (share == 1.0 || pass == 1) break; // the second time with the step that the first one told
        snprintf(step, sizeof step, "method.step=%.17g", share * carom_scene_method(run->scene)->step);
        overrides[count++] = step;
    }
    run->model = carom_scene_model(run->scene);
    run->method = carom_scene_method(run->scene);
    run->bodies = carom_model_body_count(run->model);
    run->joints = carom_model_joint_count(run->model);
    return true;
}

typedef struct room {
    int64_t frames, contacts; // that there is room for
} room;

static void *grown(void *block, int64_t count, size_t size) {
    void *bigger = realloc(block, (size_t)(count > 0 ? count : 1) * (size > 0 ? size : 1));
    assert_non_null(bigger);
    return bigger;
}

static void keep_frame(followed_run *run, room *room, const carom_state *state) {
    if (run->frames == room->frames) {
        room->frames = 2 * room->frames + 64;
        run->body = grown(run->body, room->frames * run->bodies, sizeof *run->body);
        run->joint = grown(run->joint, room->frames * run->joints, sizeof *run->joint);
        run->contact_end = grown(run->contact_end, room->frames, sizeof *run->contact_end);
    }
    for (int i = 0; i < run->bodies; i++)
        carom_state_get_body(state, (carom_body){i}, &run->body[run->frames * run->bodies + i], NULL);
    for (int i = 0; i < run->joints; i++)
        carom_state_get_joint(state, (carom_joint){i}, &run->joint[run->frames * run->joints + i], NULL);
    int count = 0;
    const carom_contact_state *contacts = carom_state_contacts(state, &count);
    int64_t end = run->frames > 0 ? run->contact_end[run->frames - 1] : 0;
    if (end + count > room->contacts) {
        room->contacts = 2 * room->contacts + count + 64;
        run->contact = grown(run->contact, room->contacts, sizeof *run->contact);
    }
    for (int i = 0; i < count; i++) run->contact[end + i] = contacts[i];
    run->contact_end[run->frames++] = end + count;
}

// The one place that asks carom for its verdict.
static carom_verdict verdict_of(const char *path) {
    carom_recording *recording = NULL;
    carom_recording_info info;
    carom_error error = {.text = ""};
    if (carom_recording_open(path, &recording, &error) != CAROM_OK) CHECK_TEXT(error.text, "");
    assert_int_equal(carom_recording_get_info(recording, &info, &error), CAROM_OK);
    carom_verdict verdict = carom_recording_verdict(&info, recording);
    carom_recording_close(recording);
    return verdict;
}

static carom_recorder *begin_recording(const followed_run *run, const carom_state *state, const char *path) {
    carom_recorder_def def = carom_recorder_def_default();
    def.path = path;
    def.every = 1 << 30; // frames are kept here
    def.checkpoint_seconds = 1e9;
    carom_recorder *recorder = NULL;
    carom_error error = {.text = ""};
    if (carom_recorder_create(&def, run->scene, state, &recorder, &error) != CAROM_OK) CHECK_TEXT(error.text, "");
    return recorder;
}

static void make_steps(followed_run *run, carom_state *state, carom_recorder *recorder) {
    int64_t end = (int64_t)ceil(carom_scene_until(run->scene) / run->method->step - 1e-9);
    room room = {0};
    carom_step_report report = {.outcome = CAROM_STEP_GOOD};
    carom_error error = {.text = ""};
    keep_frame(run, &room, state);
    for (int64_t i = 0; i < end && !run->ended_early; i++) {
        double began = processor_seconds();
        carom_status status = carom_step(run->model, state, NULL, &report, &error);
        run->seconds += processor_seconds() - began;
        run->ended_early = status != CAROM_OK || report.outcome == CAROM_STEP_IMPOSSIBLE;
        if (run->ended_early) break;
        keep_frame(run, &room, state);
        if (recorder != NULL && carom_recorder_step(recorder, state, &report, &error) != CAROM_OK)
            CHECK_TEXT(error.text, "");
    }
    if (recorder != NULL)
        CHECK_INT(carom_recorder_finish(recorder, state, run->ended_early ? report.text : NULL, &error), CAROM_OK);
}

followed_run follow(const verdict_case *c, double share, bool recorded) {
    followed_run run = {0};
    if (!read_scene(&run, c, share)) return run;
    carom_state *state = NULL;
    carom_error error = {.text = ""};
    if (carom_state_create(run.model, run.method, &state, &error) != CAROM_OK) {
        refuse(&run, error.text);
        return run;
    }
    scratch_folder folder = {0};
    const char *path = NULL;
    carom_recorder *recorder = NULL;
    if (recorded) {
        folder = scratch_folder_make();
        path = in_folder(&folder, "run.carom");
        recorder = begin_recording(&run, state, path);
    }
    make_steps(&run, state, recorder);
    carom_recorder_destroy(recorder);
    carom_state_destroy(state);
    if (!recorded) return run;
    run.verdict = verdict_of(path);
    scratch_folder_remove(&folder);
    return run;
}

void followed_run_free(followed_run *run) {
    free(run->body);
    free(run->joint);
    free(run->contact_end);
    free(run->contact);
    carom_scene_destroy(run->scene);
    *run = (followed_run){0};
}
