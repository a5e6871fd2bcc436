// SPDX-License-Identifier: MIT
// Recordings with any changes and right digests: read, shown, exported and resumed, or refused with a sentence. An
// input is lines of fuzz/recording_edit.h; or, when it begins with an S, the bytes of a file as they are.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "carom/carom.h"
#include "fuzz/fuzz.h"
#include "fuzz/limits.h"
#include "fuzz/recording_edit.h"
#include "model/model_state.h"

// Rigid bodies, a flexible one, a joint that opens in the first step.
static const char scene_text[] =
    "{\"carom\": 1, \"until\": 1, \"materials\": {\"gel\": {\"elastic\": {\"young\": 2e4, \"poisson\": 0.3, "
    "\"density\": 1000}}}, \"shapes\": {\"b\": {\"kind\": \"box\", \"size\": [0.2, 0.2, 0.2]}, \"s\": {\"kind\": "
    "\"sphere\", \"radius\": 0.1}, \"g\": {\"kind\": \"half_space\", \"normal\": [0, 0, 1]}}, \"bodies\": [{\"name\": "
    "\"g\", \"kind\": \"fixed\", \"shape\": \"g\"}, {\"name\": \"b\", \"shape\": \"b\", \"density\": 500, "
    "\"position\": [0, 0, 0.1]}, {\"name\": \"s\", \"shape\": \"s\", \"density\": 500, \"position\": [0, 0, 0.3]}], "
    "\"flexible\": [{\"name\": \"f\", \"mesh\": {\"kind\": \"given\", \"nodes\": [[0, 0, 0], [0.1, 0, 0], [0, 0.1, "
    "0], [0, 0, 0.1], [0.1, 0.1, 0.1]], \"elements\": [[0, 1, 2, 3], [4, 3, 2, 1]]}, \"material\": \"gel\", "
    "\"position\": "
    "[0.5, 0, 0]}], \"joints\": [{\"kind\": \"ball\", \"a\": \"b\", \"b\": \"s\", \"point\": [0, 0, 0.2]}, {\"kind\": "
    "\"ball\", \"a\": \"world\", \"b\": \"b\", \"point\": [0, 0, 0.1], \"break_force\": 1e-3}], \"forces\": "
    "[{\"kind\": \"spring\", \"a\": \"b\", \"b\": \"s\", \"stiffness\": 1}]}";

enum { STEPS = 6, MOST_FRAMES = 12, MOST_ITEMS = 64 };

// An unfinished recording, made once.
typedef struct base_recording {
    carom_scene *scene;
    char *bytes;
    size_t size;
} base_recording;

static carom_state *new_state(const carom_scene *scene) {
    carom_state *state = NULL;
    carom_error error;
    if (carom_state_create(carom_scene_model(scene), carom_scene_method(scene), &state, &error) != CAROM_OK) abort();
    return state;
}

static void record(const char *path, const carom_scene *scene) {
    carom_state *state = new_state(scene);
    carom_recorder_def def = carom_recorder_def_default();
    carom_recorder *recorder = NULL;
    carom_error error;
    def.path = path;
    def.every = 2;
    def.contacts = true;
    def.overwrite = true;
    def.checkpoint_seconds = 0.0;
    state->tells_collisions = true; // they are put there by hand
    if (carom_recorder_create(&def, scene, state, &recorder, &error) != CAROM_OK) abort();
    for (int i = 0; i < STEPS; i++) {
        carom_step_report report;
        if (carom_step(carom_scene_model(scene), state, NULL, &report, &error) != CAROM_OK) abort();
        carom_collision made = {.step = report.step, .time = report.time, .b = {1}, .normal = {0, 0, 1}};
        state->collisions.items = &made;
        state->collisions.count = 1;
        if (carom_recorder_step(recorder, state, &report, &error) != CAROM_OK) abort();
        state->collisions.items = NULL;
        state->collisions.count = 0;
    }
    carom_recorder_destroy(recorder);
    carom_state_destroy(state);
}

static void make(base_recording *base) {
    carom_scene_source source = carom_scene_source_default();
    source.text = scene_text;
    carom_error error;
    if (carom_scene_read(&source, NULL, &base->scene, NULL, &error) != CAROM_OK) abort();
    const char *path = fuzz_file("", 0);
    unlink(path);
    record(path, base->scene);
    FILE *file = fopen(path, "rb");
    if (file == NULL) abort();
    fseek(file, 0, SEEK_END);
    base->size = (size_t)ftell(file);
    rewind(file);
    base->bytes = malloc(base->size);
    if (base->bytes == NULL || fread(base->bytes, 1, base->size, file) != base->size) abort();
    fclose(file);
}

// ---- what is done with a recording

static void read_frames(const carom_recording *r, const carom_recording_info *info) {
    if (info->body_count < 0 || info->body_count > MOST_ITEMS || info->joint_count > MOST_ITEMS) return;
    carom_body_state bodies[MOST_ITEMS];
    carom_frame_joint joints[MOST_ITEMS];
    carom_contact_state contacts[MOST_ITEMS];
    carom_step_report certificates[MOST_ITEMS];
    for (int64_t f = 0; f < info->frame_count && f < MOST_FRAMES; f++) {
        double time;
        int64_t step;
        int count = 0;
        carom_recording_get_frame(r, f, &time, &step, bodies, NULL);
        carom_recording_get_frame_joints(r, f, joints, NULL);
        carom_recording_get_frame_contacts(r, f, MOST_ITEMS, contacts, &count, NULL);
    }
    int got = 0;
    carom_recording_get_certificates(r, 0, MOST_ITEMS, certificates, &got, NULL);
    FUZZ_CHECK(got >= 0 && got <= MOST_ITEMS);
    carom_collision collisions[MOST_ITEMS];
    carom_recording_get_collisions(r, 0, MOST_ITEMS, collisions, &got, NULL);
    FUZZ_CHECK(got >= 0 && got <= MOST_ITEMS);
}

// A list, and a folder of frames.
static void write_vtk(const carom_recording *r, const carom_recording_info *info, const char *path) {
    char to[512 + 16];
    snprintf(to, sizeof to, "%s.pvd", path);
    if (info->frame_count <= MOST_FRAMES) carom_recording_export_vtk(r, to, true, NULL);
    unlink(to);
    for (int f = 0; f < MOST_FRAMES; f++) {
        snprintf(to, sizeof to, "%s/%06d.vtu", path, f);
        unlink(to);
    }
    rmdir(path);
}

static void write_files(const carom_recording *r, const carom_recording_info *info, const char *path) {
    static const char *const whats[] = {"frames", "joints", "contacts", "collisions", "certificates", "joint_events"};
    char to[512];
    snprintf(to, sizeof to, "%s.made", path);
    for (int i = 0; i < 6; i++) carom_recording_export_csv(r, whats[i], to, true, NULL);
    unlink(to);
    write_vtk(r, info, to);
    carom_report_def def = carom_report_def_default();
    def.path = to;
    def.page = "<meta name=\"generator\" content=\"carom\">@CAROM_HEADER@ @CAROM_PACKED@";
    carom_report_size size;
    carom_error error = {.text = ""};
    carom_status status = carom_report_write(r, &def, &size, &error);
    FUZZ_CHECK((status == CAROM_OK) == (error.text[0] == '\0'));
    unlink(to);
}

static void look(const char *path) {
    carom_recording *r = NULL;
    carom_error error = {.text = ""};
    carom_status status = carom_recording_open(path, &r, &error);
    FUZZ_CHECK((status == CAROM_OK) == (r != NULL) && (status == CAROM_OK) == (error.text[0] == '\0'));
    carom_recording_info info;
    if (r != NULL && carom_recording_get_info(r, &info, &error) == CAROM_OK) {
        carom_recording_verdict(&info, r);
        for (int b = -1; b <= MOST_ITEMS; b++) {
            carom_recording_body(r, b);
            carom_recording_body_name(r, b);
            carom_recording_joint(r, b);
            carom_recording_shape(r, b);
            carom_recording_flex(r, b);
        }
        read_frames(r, &info);
        write_files(r, &info, path);
    }
    carom_recording_close(r);
}

static void resume(const base_recording *base, const char *path) {
    carom_state *state = new_state(base->scene);
    carom_recorder_def def = carom_recorder_def_default();
    carom_recorder *recorder = NULL;
    carom_error error = {.text = ""};
    bool finished = false;
    def.path = path;
    def.scene = base->scene;
    carom_status status = carom_recorder_resume(&def, state, &finished, &recorder, &error);
    FUZZ_CHECK((status == CAROM_OK) == (error.text[0] == '\0'));
    for (int i = 0; i < FUZZ_STEPS && recorder != NULL; i++) {
        carom_step_report report;
        if (carom_step(carom_scene_model(base->scene), state, NULL, &report, &error) != CAROM_OK ||
            report.outcome == CAROM_STEP_IMPOSSIBLE ||
            carom_recorder_step(recorder, state, &report, &error) != CAROM_OK)
            break;
    }
    carom_recorder_destroy(recorder);
    carom_state_destroy(state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static base_recording base;
    if (base.bytes == NULL) make(&base);
    const char *path;
    if (size > 0 && data[0] == 'S') {
        path = fuzz_file(data, size);
    } else {
        char *lines = fuzz_text(data, size);
        path = fuzz_file(base.bytes, base.size);
        recording_edit(path, lines);
        free(lines);
    }
    look(path);
    resume(&base, path);
    return 0;
}
