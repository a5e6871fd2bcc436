// SPDX-License-Identifier: MIT
// Joints that open and close in recordings: their table, reading it, and runs that go on across both.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "carom/carom.h"
#include "support/harness/check.h"

static const char *const text =
    "{\"carom\": 1, \"gravity\": [0, 0, 0], \"method\": {\"name\": \"dcr\", \"step\": 0.01}, \"until\": 2,"
    " \"bodies\": [{\"name\": \"a\", \"mass\": 1},"
    "  {\"name\": \"b\", \"mass\": 1, \"position\": [1.4, 0, 0], \"velocity\": [-4, 0, 0]}],"
    " \"forces\": [{\"kind\": \"spring\", \"a\": \"world\", \"b\": \"b\", \"point_a\": [2.4, 0, 0],"
    "  \"point_b\": [0.2, 0, 0], \"stiffness\": 4, \"rest_length\": 0.8}],"
    " \"joints\": [{\"name\": \"grip\", \"kind\": \"ball\", \"a\": \"a\", \"b\": \"b\", \"point_a\": [0.2, 0, 0],"
    "  \"point_b\": [-0.2, 0, 0], \"latch\": {\"distance\": 0.05}, \"break_force\": 2.8}]}";

enum { STEPS = 100, MOST_EVENTS = 8 };

typedef struct made {
    carom_scene *scene;
    carom_state *state;
} made;

static made make(void) {
    made m = {NULL, NULL};
    carom_error error = {.text = ""};
    carom_scene_source source = carom_scene_source_default();
    source.file = "test";
    source.text = text;
    CHECK_INT(carom_scene_read(&source, NULL, &m.scene, NULL, &error), CAROM_OK);
    CHECK_TEXT(error.text, "");
    CHECK_INT(carom_state_create(carom_scene_model(m.scene), carom_scene_method(m.scene), &m.state, &error), CAROM_OK);
    return m;
}

static void destroy(made m) {
    carom_state_destroy(m.state);
    carom_scene_destroy(m.scene);
}

// Steps up to `end`, all of them recorded; a checkpoint at `checkpoint`.
static void go_on(made m, carom_recorder *recorder, int end, int checkpoint) {
    carom_error error = {.text = ""};
    carom_step_report report;
    for (int i = (int)carom_state_step_count(m.state); i < end; i++) {
        CHECK_INT(carom_step(carom_scene_model(m.scene), m.state, NULL, &report, &error), CAROM_OK);
        CHECK_INT(carom_recorder_step(recorder, m.state, &report, &error), CAROM_OK);
        if (i + 1 == checkpoint) CHECK_INT(carom_recorder_checkpoint(recorder, m.state, &error), CAROM_OK);
    }
    CHECK_TEXT(error.text, "");
}

static int read_events(const char *path, carom_joint_event events[MOST_EVENTS]) {
    carom_recording *recording;
    carom_error error = {.text = ""};
    int count = 0;
    if (!CHECK_INT(carom_recording_open(path, &recording, &error), CAROM_OK)) return 0;
    CHECK_INT(carom_recording_get_joint_events(recording, MOST_EVENTS, events, &count, &error), CAROM_OK);
    CHECK_TEXT(error.text, "");
    carom_recording_close(recording);
    return count;
}

static carom_recorder_def recorder_def(const char *path) {
    carom_recorder_def def = carom_recorder_def_default();
    def.path = path;
    def.overwrite = true;
    def.checkpoint_seconds = 1e9;
    return def;
}

static int record_whole(const char *path, carom_joint_event events[MOST_EVENTS], uint64_t *hash) {
    carom_recorder_def def = recorder_def(path);
    carom_recorder *recorder;
    carom_error error;
    made m = make();
    CHECK_INT(carom_recorder_create(&def, m.scene, m.state, &recorder, &error), CAROM_OK);
    go_on(m, recorder, STEPS, -1);
    CHECK_INT(carom_recorder_finish(recorder, m.state, NULL, &error), CAROM_OK);
    carom_recorder_destroy(recorder);
    *hash = carom_state_hash(m.state);
    destroy(m);
    return read_events(path, events);
}

TEST(a_recording_has_what_opened_and_closed) {
    char path[64];
    snprintf(path, sizeof path, "joint_events_%d.carom", (int)getpid());
    carom_joint_event events[MOST_EVENTS];
    uint64_t hash;
    if (CHECK_INT(record_whole(path, events, &hash), 3)) {
        CHECK(events[0].reason == CAROM_SWITCH_START && !events[0].closed && events[0].step == 0);
        CHECK(events[1].reason == CAROM_SWITCH_LATCH && events[1].closed && events[1].impulse > 1.5);
        CHECK(events[1].impact_energy < -2.0 && events[1].distance <= 0.05);
        CHECK(events[2].reason == CAROM_SWITCH_FORCE && !events[2].closed && events[2].force > 2.8);
        CHECK_NEAR(events[2].time, 0.01 * (double)events[2].step, 1e-12);
    }
    unlink(path);
}

// Killed at every step around the switches and resumed at a checkpoint some steps before: the same rows, the same bits.
TEST(a_resumed_recording_has_the_same_events) {
    char whole_path[64], path[64];
    snprintf(whole_path, sizeof whole_path, "joint_events_whole_%d.carom", (int)getpid());
    snprintf(path, sizeof path, "joint_events_cut_%d.carom", (int)getpid());
    carom_joint_event whole[MOST_EVENTS], resumed[MOST_EVENTS];
    uint64_t hash;
    int count = record_whole(whole_path, whole, &hash);
    for (int cut = 20; cut < 70; cut += 3) {
        carom_recorder_def def = recorder_def(path);
        carom_recorder *recorder;
        carom_error error = {.text = ""};
        made m = make();
        CHECK_INT(carom_recorder_create(&def, m.scene, m.state, &recorder, &error), CAROM_OK);
        go_on(m, recorder, cut, cut - 4);
        carom_recorder_destroy(recorder); // what came after the checkpoint is lost
        destroy(m);
        m = make();
        bool finished;
        CHECK_INT(carom_recorder_resume(&def, m.state, &finished, &recorder, &error), CAROM_OK);
        CHECK_INT(carom_state_step_count(m.state), cut - 4);
        go_on(m, recorder, STEPS, -1);
        CHECK_INT(carom_recorder_finish(recorder, m.state, NULL, &error), CAROM_OK);
        carom_recorder_destroy(recorder);
        CHECK(carom_state_hash(m.state) == hash);
        destroy(m);
        if (!CHECK_INT(read_events(path, resumed), count)) continue;
        CHECK(memcmp(whole, resumed, (size_t)count * sizeof *whole) == 0);
    }
    unlink(whole_path);
    unlink(path);
}

TEST_MAIN(CASE(a_recording_has_what_opened_and_closed), CASE(a_resumed_recording_has_the_same_events))
