// SPDX-License-Identifier: MIT
// Joints in recordings: what is read is what the states said, to the bit, also after a run was left and resumed.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "support/harness/check.h"
#include "support/scene/recorded_run.h"

// Every number of coordinates but 4 and 5, a limit that is hit, a motor, a point.
static const char scene_text[] =
    "{\"carom\": 1, \"method\": {\"name\": \"multiplier\", \"integrator\": \"rk4\", \"step\": 0.01}, \"until\": 3,"
    " \"bodies\": ["
    "  {\"name\": \"arm\", \"mass\": 1, \"inertia\": [0.1, 0.2, 0.3], \"position\": [0.5, 0, 0]},"
    "  {\"name\": \"hand\", \"mass\": 2, \"inertia\": [0.1, 0.1, 0.2], \"position\": [1.5, 0, 0], \"spin\": [0, 0, 1]},"
    "  {\"name\": \"rod\", \"mass\": 1, \"inertia\": [0.1, 0.1, 0.1], \"position\": [2, 0, 0]},"
    "  {\"name\": \"bead\", \"kind\": \"point\", \"mass\": 0.5, \"position\": [2, 0, -1]},"
    "  {\"name\": \"kite\", \"mass\": 1, \"inertia\": [1, 2, 2], \"position\": [0, 3, 0], \"spin\": [1, 2, 3]}],"
    " \"joints\": ["
    "  {\"name\": \"shoulder\", \"kind\": \"hinge\", \"a\": \"world\", \"b\": \"arm\", \"axis\": [0, 1, 0],"
    "   \"point\": [0, 0, 0], \"coordinates\": [{\"upper\": 0.4}]},"
    "  {\"name\": \"wrist, \\\"left\\\"\", \"kind\": \"ball\", \"a\": \"arm\", \"b\": \"hand\", \"point\": [1, 0, 0]},"
    "  {\"kind\": \"slider\", \"a\": \"hand\", \"b\": \"rod\", \"axis\": [1, 0, 0], \"point_a\": [0, 0, 0], "
    "\"point_b\": [0, 0, 0],"
    "   \"coordinates\": [{\"motor\": {\"kind\": \"position\", \"target\": 0.2, \"stiffness\": 50, \"damping\": 5}}]},"
    "  {\"name\": \"string\", \"kind\": \"distance\", \"a\": \"rod\", \"b\": \"bead\", \"point_a\": [0, 0, 0], "
    "\"point_b\": [0, 0, 0],"
    "   \"length\": 1},"
    "  {\"name\": \"free\", \"kind\": \"mix\", \"linear_free\": 3, \"angular_free\": 3, \"a\": \"world\", \"b\": "
    "\"kite\","
    "   \"point\": [0, 3, 0]}]}";
enum { JOINTS = 5, STEPS = 300, EVERY = 7 };

static carom_recorder_def def_to(const char *path) {
    carom_recorder_def def = recorder_to(path);
    def.every = EVERY;
    return def;
}

static small_run run_of(carom_scene *scene) {
    return (small_run){.model = (carom_model *)carom_scene_model(scene), .state = state_of_scene(scene)};
}

static void record_scene(const char *text, const char *path) {
    carom_scene *scene = scene_of_text(text);
    small_run run = run_of(scene);
    carom_recorder_def def = def_to(path);
    small_run_record_whole(&def, scene, &run, STEPS);
    carom_state_destroy(run.state);
    carom_scene_destroy(scene);
}

static void record_whole(const char *path) {
    record_scene(scene_text, path);
}

static carom_recording *open_recording(const char *path) {
    carom_recording *recording;
    carom_error error = {0};
    if (carom_recording_open(path, &recording, &error) != CAROM_OK) fail_msg("%s", error.text);
    return recording;
}

TEST(joints_are_named_and_counted) {
    static const carom_recorded_joint wanted[JOINTS] = {{"shoulder", "hinge", -1, 0, 0, 1},
                                                        {"wrist, \"left\"", "ball", 0, 1, 0, 3},
                                                        {"joint-2", "slider", 1, 2, 1, 0},
                                                        {"string", "distance", 2, 3, 0, 0},
                                                        {"free", "mix", -1, 4, 3, 3}};
    scratch_folder folder = scratch_folder_make();
    const char *path = in_folder(&folder, "x.carom");
    record_whole(path);
    carom_recording *recording = open_recording(path);
    carom_recording_info info;
    CHECK_INT(carom_recording_get_info(recording, &info, NULL), CAROM_OK);
    CHECK_INT(info.joint_count, JOINTS);
    CHECK_INT(info.format, 6);
    for (int i = 0; i < JOINTS; i++) {
        const carom_recorded_joint *joint = carom_recording_joint(recording, i);
        CHECK_TEXT(joint->name, wanted[i].name);
        CHECK_TEXT(joint->kind, wanted[i].kind);
        CHECK_INT(joint->a, wanted[i].a);
        CHECK_INT(joint->b, wanted[i].b);
        CHECK_INT(joint->linear, wanted[i].linear);
        CHECK_INT(joint->angular, wanted[i].angular);
    }
    CHECK(carom_recording_joint(recording, -1) == NULL);
    CHECK(carom_recording_joint(recording, JOINTS) == NULL);
    CHECK(carom_recording_joint(NULL, 0) == NULL);
    carom_frame_joint joints[JOINTS];
    carom_error error = {0};
    CHECK_INT(carom_recording_get_frame_joints(recording, info.frame_count, joints, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "there is no frame 44; the frames are 0 to 43");
    CHECK_INT(carom_recording_get_frame_joints(NULL, 0, joints, &error), CAROM_ERR_BAD_INPUT);
    CHECK_INT(carom_recording_get_frame_joints(recording, 0, NULL, &error), CAROM_OK);
    carom_recording_close(recording);
    scratch_folder_remove(&folder);
}

static void check_same_joint(const carom_frame_joint *got, const carom_joint_state *wanted) {
    CHECK_INT(got->coordinate_count, wanted->coordinate_count);
    size_t bytes = (size_t)wanted->coordinate_count * sizeof(double);
    CHECK(memcmp(got->coordinate, wanted->coordinate, bytes) == 0);
    CHECK(memcmp(got->rate, wanted->rate, bytes) == 0);
    CHECK(memcmp(&got->point, &wanted->point, sizeof got->point) == 0);
    CHECK(memcmp(&got->force, &wanted->end_force, sizeof got->force) == 0);
    CHECK(memcmp(&got->torque, &wanted->end_torque, sizeof got->torque) == 0);
    CHECK(got->linear_drift == wanted->linear_drift);
    CHECK(got->angular_drift == wanted->angular_drift);
}

TEST(frames_hold_what_the_states_said) {
    scratch_folder folder = scratch_folder_make();
    const char *path = in_folder(&folder, "x.carom");
    record_whole(path);
    carom_recording *recording = open_recording(path);
    carom_scene *scene = scene_of_text(scene_text);
    carom_state *state = state_of_scene(scene);
    double largest = 0.0;
    for (int64_t step = 0; step <= STEPS; step++) {
        if (step % EVERY == 0 || step == STEPS) {
            carom_frame_joint joints[JOINTS];
            int64_t index = step == STEPS ? STEPS / EVERY + 1 : step / EVERY;
            CHECK_INT(carom_recording_get_frame_joints(recording, index, joints, NULL), CAROM_OK);
            for (int i = 0; i < JOINTS; i++) {
                carom_joint_state joint;
                CHECK_INT(carom_state_get_joint(state, (carom_joint){i}, &joint, NULL), CAROM_OK);
                check_same_joint(&joints[i], &joint);
            }
        }
        if (step == STEPS) break;
        carom_step_report report;
        CHECK_INT(carom_step(carom_scene_model(scene), state, NULL, &report, NULL), CAROM_OK);
        carom_step_report certificate;
        int got;
        CHECK_INT(carom_recording_get_certificates(recording, step, 1, &certificate, &got, NULL), CAROM_OK);
        CHECK(certificate.joint_drift == report.joint_drift);
        CHECK_INT(certificate.substeps, report.substeps);
        largest = fmax(largest, report.joint_drift);
    }
    carom_recording_info info;
    CHECK_INT(carom_recording_get_info(recording, &info, NULL), CAROM_OK);
    CHECK(largest > 0.0);
    CHECK(info.summary.largest_joint_drift == largest);
    carom_state_destroy(state);
    carom_scene_destroy(scene);
    carom_recording_close(recording);
    scratch_folder_remove(&folder);
}

// Left at a checkpoint on and off a frame; at the last step, the last frame is made from the loaded state alone.
static void check_resumed(const char *text) {
    scratch_folder folder = scratch_folder_make();
    const char *whole = in_folder(&folder, "whole.carom");
    record_scene(text, whole);
    static const int64_t checkpoint[] = {1, 6, 7, 8, 150, STEPS - 1, STEPS};
    for (size_t i = 0; i < sizeof checkpoint / sizeof checkpoint[0]; i++) {
        char name[32];
        snprintf(name, sizeof name, "resumed%zu.carom", i);
        carom_recorder_def def = def_to(in_folder(&folder, name));
        carom_scene *scene = scene_of_text(text);
        small_run run = run_of(scene);
        carom_recorder *recorder;
        carom_error error = {0};
        CHECK_INT(carom_recorder_create(&def, scene, run.state, &recorder, &error), CAROM_OK);
        CHECK(small_run_record(&run, recorder, checkpoint[i], &error));
        CHECK_INT(carom_recorder_checkpoint(recorder, run.state, &error), CAROM_OK);
        carom_recorder_destroy(recorder);
        carom_state_destroy(run.state);
        run.state = state_of_scene(scene);
        bool finished;
        CHECK_INT(carom_recorder_resume(&def, run.state, &finished, &recorder, &error), CAROM_OK);
        CHECK(small_run_record(&run, recorder, STEPS, &error));
        CHECK_INT(carom_recorder_finish(recorder, run.state, NULL, &error), CAROM_OK);
        CHECK_TEXT(error.text, "");
        carom_recorder_destroy(recorder);
        CHECK(same_recordings(whole, def.path));
        carom_state_destroy(run.state);
        carom_scene_destroy(scene);
    }
    scratch_folder_remove(&folder);
}

TEST(resumed_run_equals_the_whole_one) {
    check_resumed(scene_text);
}

// The methods keep different things from step to step: guesses, substeps, coordinates that count full rotations.
TEST(every_method_is_resumed) {
    static const char *const methods[] = {
        "{\"name\": \"variational\", \"step\": 0.01}", "{\"name\": \"multiplier\", \"step\": 0.01}",
        "{\"name\": \"reduced\", \"step\": 0.01}", "{\"name\": \"reduced\", \"step\": 0.01, \"integrator\": \"rk4\"}"};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "{\"carom\": 1, \"method\": %s, \"until\": 3, \"bodies\": ["
                 " {\"name\": \"a\", \"mass\": 1, \"inertia\": [1, 2, 2], \"position\": [1, 0, 0]},"
                 " {\"name\": \"b\", \"mass\": 1, \"inertia\": [1, 2, 2], \"position\": [3, 0, 0]},"
                 " {\"name\": \"c\", \"mass\": 1, \"inertia\": [1, 2, 2], \"position\": [5, 0, 0]}],"
                 " \"joints\": ["
                 " {\"kind\": \"hinge\", \"a\": \"world\", \"b\": \"a\", \"point\": [0, 0, 0], \"axis\": [0, 1, 0]},"
                 " {\"kind\": \"ball\", \"a\": \"a\", \"b\": \"b\", \"point\": [2, 0, 0]},"
                 " {\"kind\": \"universal\", \"a\": \"b\", \"b\": \"c\", \"point\": [4, 0, 0]}]}",
                 methods[i]);
        check_resumed(text);
    }
}

TEST(changed_bytes_are_found) {
    scratch_folder folder = scratch_folder_make();
    const char *path = in_folder(&folder, "x.carom");
    record_whole(path);
    carom_error error = {0};
    uint64_t truth, digest;
    assert_true(read_whole(path, &truth, &error));
    size_t size;
    unsigned char *bytes = read_bytes(path, &size);
    crm_random random = {.seed = 7};
    int refused = 0;
    for (int i = 0; i < 200; i++) {
        size_t at = (size_t)crm_random_below(&random, size);
        unsigned char change = (unsigned char)(1 + crm_random_below(&random, 255));
        bytes[at] ^= change;
        write_bytes(path, bytes, size);
        if (read_whole(path, &digest, &error))
            CHECK(digest == truth);
        else
            refused++;
        bytes[at] ^= change;
    }
    CHECK(refused > 50);
    free(bytes);
    scratch_folder_remove(&folder);
}

TEST_MAIN(CASE(joints_are_named_and_counted), CASE(frames_hold_what_the_states_said),
          CASE(resumed_run_equals_the_whole_one), CASE(every_method_is_resumed), CASE(changed_bytes_are_found))
