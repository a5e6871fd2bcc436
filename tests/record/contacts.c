// SPDX-License-Identifier: MIT
// Shapes and contacts in recordings: what is read is what models, states and reports said, to the bit, also after a run
// was left and resumed. No method is asked for contacts: they are put into the state by hand, a few for every step.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model_state.h"
#include "support/harness/check.h"
#include "support/harness/sample.h"
#include "support/scene/recorded_run.h"

static const char scene_text[] =
    "{\"carom\": 1, \"method\": {\"name\": \"variational\", \"step\": 0.01}, \"until\": 3, \"record_contacts\": true, "
    "\"shapes\": {"
    " \"ball\": {\"kind\": \"sphere\", \"radius\": 0.1},"
    " \"floor, \\\"flat\\\"\": {\"kind\": \"half_space\", \"normal\": [0, 0, 2], \"offset\": 1},"
    " \"wedge\": {\"kind\": \"prism\", \"sides\": 3, \"radius\": 0.3, \"height\": 0.7},"
    " \"pair\": {\"kind\": \"compound\", \"parts\": [{\"shape\": \"ball\"}, {\"shape\": \"wedge\", \"position\": [1, "
    "0, "
    "0]}]}},"
    " \"bodies\": ["
    "  {\"name\": \"floor\", \"kind\": \"fixed\", \"shape\": \"floor, \\\"flat\\\"\"},"
    "  {\"name\": \"ball, red\", \"shape\": \"ball\", \"density\": 500, \"spin\": [0, 0, 1]},"
    "  {\"name\": \"mark\", \"kind\": \"point\", \"mass\": 0.125},"
    "  {\"name\": \"pair\", \"shape\": \"pair\", \"mass\": 2, \"spin\": [1, 2, 3]}]}";
enum { STEPS = 120, EVERY = 7, MOST = 5 };

// The contacts of a step: their number and everything in them depend on the step alone.
static int contacts_of(int64_t step, carom_contact_state contact[MOST]) {
    sampler s = {.seed = 77, .stream = (uint32_t)step};
    int count = (int)(step % (MOST + 1));
    memset(contact, 0, MOST * sizeof *contact);
    for (int i = 0; i < count; i++) {
        carom_contact_state *c = &contact[i];
        c->a.index = 0;
        c->b.index = i % 2 == 0 ? 1 : 3;
        c->point = sample_vec3(&s, 1.0);
        c->normal = sample_unit(&s);
        c->tangent = sample_unit(&s);
        c->gap = sample_between(&s, -1e-3, 1e-3);
        c->friction = sample_between(&s, 0.0, 1.0);
        c->normal_impulse = sample_between(&s, 0.0, 2.0);
        c->tangent_impulse[0] = sample_between(&s, -1.0, 1.0);
        c->tangent_impulse[1] = -0.0;
        c->normal_velocity = i == 1 ? INFINITY : sample_between(&s, -1.0, 1.0);
        c->slip[0] = sample_between(&s, -1.0, 1.0);
        c->slip[1] = 5e-324;
        c->status = (carom_contact_status)(i % 3);
    }
    return count;
}

static void put_contacts(carom_state *state, carom_contact_state contact[MOST]) {
    state->contact_table.count = contacts_of(state->step_count, contact);
    state->contact_table.items = contact;
}

// What a method with contact would have reported.
static void fill_report(carom_step_report *report) {
    sampler s = {.seed = 78, .stream = (uint32_t)report->step};
    report->contacts = (int)(report->step % (MOST + 1));
    report->infeasibility = sample_between(&s, 0.0, 1e-3);
    report->mean_infeasibility = 0.5 * report->infeasibility;
    report->friction_work = sample_between(&s, -1.0, 1e-12);
    report->solver = report->step % 2 == 0 ? CAROM_SOLVER_SEMISMOOTH : CAROM_SOLVER_INTERIOR;
    report->fallbacks = report->step % 10 == 3 ? 2 : 0;
}

static void record_until(carom_recorder *recorder, carom_state *state, int64_t end) {
    carom_error error = {0};
    carom_contact_state contact[MOST];
    while (carom_state_step_count(state) < end) {
        carom_step_report report;
        if (carom_step(carom_state_model(state), state, NULL, &report, &error) != CAROM_OK) fail_msg("%s", error.text);
        put_contacts(state, contact);
        fill_report(&report);
        if (carom_recorder_step(recorder, state, &report, &error) != CAROM_OK) fail_msg("%s", error.text);
    }
    put_contacts(state, contact);
    if (end == STEPS && carom_recorder_finish(recorder, state, NULL, &error) != CAROM_OK) fail_msg("%s", error.text);
    state->contact_table.count = 0;
    state->contact_table.items = NULL;
}

static carom_recorder_def def_to(const char *path, bool contacts) {
    carom_recorder_def def = recorder_to(path);
    def.every = EVERY;
    def.contacts = contacts;
    return def;
}

// Leaves the run at a step without finishing it when `end` is before STEPS.
static void record(const char *path, bool contacts, int64_t end) {
    carom_scene *scene = scene_of_text(scene_text);
    carom_state *state = state_of_scene(scene);
    carom_recorder_def def = def_to(path, contacts);
    carom_recorder *recorder;
    carom_error error = {0};
    if (carom_recorder_create(&def, scene, state, &recorder, &error) != CAROM_OK) fail_msg("%s", error.text);
    record_until(recorder, state, end);
    if (end < STEPS) CHECK_INT(carom_recorder_checkpoint(recorder, state, NULL), CAROM_OK);
    carom_recorder_destroy(recorder);
    carom_state_destroy(state);
    carom_scene_destroy(scene);
}

static carom_recording *open_recording(const char *path) {
    carom_recording *recording;
    carom_error error = {0};
    if (carom_recording_open(path, &recording, &error) != CAROM_OK) fail_msg("%s", error.text);
    return recording;
}

TEST(bodies_and_shapes_are_known_without_a_model) {
    static const carom_recorded_body bodies[] = {{"floor", "fixed", 1.0, 1},
                                                 {"ball, red", "free", 500.0 * 4.0 / 3.0 * 3.14159265358979324e-3, 0},
                                                 {"mark", "point", 0.125, -1},
                                                 {"pair", "free", 2.0, 3}};
    static const char *const kinds[] = {"sphere", "half_space", "polytope", "compound"};
    scratch_folder folder = scratch_folder_make();
    const char *path = in_folder(&folder, "x.carom");
    record(path, false, STEPS);
    carom_recording *recording = open_recording(path);
    carom_recording_info info;
    CHECK_INT(carom_recording_get_info(recording, &info, NULL), CAROM_OK);
    CHECK_INT(info.format, 6);
    CHECK_INT(info.shape_count, 4);
    CHECK(!info.contacts);
    for (int i = 0; i < 4; i++) {
        const carom_recorded_body *body = carom_recording_body(recording, i);
        CHECK_TEXT(body->name, bodies[i].name);
        CHECK_TEXT(body->kind, bodies[i].kind);
        CHECK_NEAR(body->mass, bodies[i].mass, 1e-15 * bodies[i].mass);
        CHECK_INT(body->shape, bodies[i].shape);
        const carom_recorded_shape *known = carom_recording_shape(recording, i);
        CHECK_TEXT(known->kind, kinds[i]);
        carom_shape *shape = NULL;
        char text[4096];
        if (!CHECK_INT(carom_scene_read_shape(known->definition, NULL, &shape, NULL), CAROM_OK)) continue;
        CHECK_TEXT(carom_shape_kind_name(carom_shape_get_kind(shape)), kinds[i]);
        carom_scene_write_shape(shape, text, sizeof text);
        CHECK_TEXT(text, known->definition);
        carom_shape_destroy(shape);
    }
    CHECK_TEXT(carom_recording_shape(recording, 1)->name, "floor, \"flat\"");
    CHECK_TEXT(carom_recording_shape(recording, 1)->definition,
               "{\"kind\": \"half_space\", \"normal\": [0, 0, 1], \"offset\": 0.5}");
    CHECK(carom_recording_shape(recording, 4) == NULL && carom_recording_shape(recording, -1) == NULL);
    CHECK(carom_recording_body(recording, 4) == NULL && carom_recording_body(NULL, 0) == NULL);
    carom_recording_close(recording);
    scratch_folder_remove(&folder);
}

TEST(frames_hold_the_contacts_of_their_steps) {
    scratch_folder folder = scratch_folder_make();
    const char *path = in_folder(&folder, "x.carom");
    record(path, true, STEPS);
    carom_recording *recording = open_recording(path);
    carom_recording_info info;
    CHECK_INT(carom_recording_get_info(recording, &info, NULL), CAROM_OK);
    CHECK(info.contacts);
    CHECK_INT(info.frame_count, STEPS / EVERY + 2);
    for (int64_t i = 0; i < info.frame_count; i++) {
        int64_t step;
        carom_contact_state wanted[MOST], got[MOST], one[1];
        memset(got, 0, sizeof got);
        int count = -1;
        CHECK_INT(carom_recording_get_frame(recording, i, NULL, &step, NULL, NULL), CAROM_OK);
        CHECK_INT(carom_recording_get_frame_contacts(recording, i, MOST, got, &count, NULL), CAROM_OK);
        CHECK_INT(count, contacts_of(step, wanted));
        CHECK(memcmp(got, wanted, sizeof got) == 0);
        CHECK_INT(carom_recording_get_frame_contacts(recording, i, 1, one, &count, NULL), CAROM_OK);
        CHECK_INT(count, (int)(step % (MOST + 1)));
        CHECK_INT(carom_recording_get_frame_contacts(recording, i, 0, NULL, &count, NULL), CAROM_OK);
        CHECK_INT(count, (int)(step % (MOST + 1)));
    }
    int count = -1;
    carom_error error = {0};
    CHECK_INT(carom_recording_get_frame_contacts(recording, info.frame_count, 0, NULL, &count, &error),
              CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "there is no frame 19");
    CHECK_INT(carom_recording_get_frame_contacts(recording, 0, 3, NULL, &count, &error), CAROM_ERR_BAD_INPUT);
    CHECK_INT(carom_recording_get_frame_contacts(recording, 0, 0, NULL, NULL, &error), CAROM_ERR_BAD_INPUT);
    CHECK_INT(carom_recording_get_frame_contacts(NULL, 0, 0, NULL, &count, &error), CAROM_ERR_BAD_INPUT);
    carom_recording_close(recording);
    scratch_folder_remove(&folder);
}

TEST(certificates_and_summary_know_contacts) {
    scratch_folder folder = scratch_folder_make();
    const char *path = in_folder(&folder, "x.carom");
    record(path, false, STEPS);
    carom_recording *recording = open_recording(path);
    double largest = 0.0, sum = 0.0, work = 0.0;
    int fallback_steps = 0;
    for (int64_t step = 1; step <= STEPS; step++) {
        carom_step_report report = {.step = step};
        fill_report(&report);
        carom_step_report c;
        int got;
        CHECK_INT(carom_recording_get_certificates(recording, step - 1, 1, &c, &got, NULL), CAROM_OK);
        CHECK_INT(c.contacts, report.contacts);
        CHECK_INT(c.solver, report.solver);
        CHECK_INT(c.fallbacks, report.fallbacks);
        CHECK(c.infeasibility == report.infeasibility && c.mean_infeasibility == report.mean_infeasibility &&
              c.friction_work == report.friction_work);
        largest = fmax(largest, report.infeasibility);
        work = fmax(work, report.friction_work);
        sum += report.mean_infeasibility;
        fallback_steps += report.fallbacks > 0;
    }
    carom_recording_info info;
    CHECK_INT(carom_recording_get_info(recording, &info, NULL), CAROM_OK);
    CHECK_INT(info.summary.most_contacts, MOST);
    CHECK(info.summary.largest_infeasibility == largest && info.summary.mean_infeasibility_sum == sum);
    CHECK(info.summary.largest_friction_work == work && work >= 0.0);
    CHECK_INT(info.summary.fallback_steps, fallback_steps);
    carom_recording_close(recording);
    scratch_folder_remove(&folder);
}

TEST(a_resumed_run_has_the_same_contacts) {
    scratch_folder folder = scratch_folder_make();
    const char *whole = in_folder(&folder, "whole.carom"), *halves = in_folder(&folder, "halves.carom");
    record(whole, true, STEPS);
    record(halves, true, 45);
    carom_scene *scene = scene_of_text(scene_text);
    carom_state *state = state_of_scene(scene);
    carom_recorder_def def = def_to(halves, false); // as it was begun, whatever is said now
    carom_recorder *recorder;
    carom_error error = {0};
    bool finished;
    if (carom_recorder_resume(&def, state, &finished, &recorder, &error) != CAROM_OK) fail_msg("%s", error.text);
    record_until(recorder, state, STEPS);
    carom_recorder_destroy(recorder);
    carom_state_destroy(state);
    carom_scene_destroy(scene);
    CHECK(same_recordings(whole, halves));
    const char *bare = in_folder(&folder, "bare.carom");
    record(bare, false, STEPS);
    CHECK(!same_recordings(whole, bare));
    scratch_folder_remove(&folder);
}

TEST(contacts_as_csv) {
    scratch_folder folder = scratch_folder_make();
    const char *path = in_folder(&folder, "x.carom"), *csv = in_folder(&folder, "x.csv");
    record(path, true, STEPS);
    carom_recording *recording = open_recording(path);
    CHECK_INT(carom_recording_export_csv(recording, "contacts", csv, false, NULL), CAROM_OK);
    carom_recording_close(recording);
    size_t size;
    char *text = (char *)read_bytes(csv, &size);
    text[size] = '\0';
    char *line = strtok(text, "\n");
    CHECK_TEXT(line, "time,step,contact,a,b,name_a,name_b,x,y,z,nx,ny,nz,tx,ty,tz,gap,friction,normal_impulse,"
                     "tangent_impulse_1,tangent_impulse_2,normal_velocity,slip_1,slip_2,status");
    int lines = 0, wanted_lines = 0;
    for (line = strtok(NULL, "\n"); line != NULL; line = strtok(NULL, "\n"), lines++) {
        double time, x, y, z;
        long long step;
        int number, a, b, used = 0;
        assert_int_equal(sscanf(line, "%lf,%lld,%d,%d,%d,%n", &time, &step, &number, &a, &b, &used), 5);
        carom_contact_state wanted[MOST];
        int count = contacts_of(step, wanted);
        CHECK(number < count);
        CHECK_NEAR(time, 0.01 * (double)step, 0.0);
        CHECK(a == wanted[number].a.index && b == wanted[number].b.index);
        const char *names = b == 1 ? "floor,\"ball, red\"," : "floor,pair,";
        CHECK(strncmp(line + used, names, strlen(names)) == 0);
        CHECK_INT(sscanf(line + used + strlen(names), "%lf,%lf,%lf", &x, &y, &z), 3);
        CHECK(x == wanted[number].point.x && y == wanted[number].point.y && z == wanted[number].point.z);
        static const char *const words[] = {",apart", ",sticks", ",slides"};
        CHECK_TEXT(strrchr(line, ','), words[number % 3]);
    }
    for (int64_t step = 0; step <= STEPS; step++)
        if (step % EVERY == 0 || step == STEPS) wanted_lines += (int)(step % (MOST + 1));
    CHECK_INT(lines, wanted_lines);
    free(text);
    const char *bare = in_folder(&folder, "bare.carom");
    record(bare, false, STEPS);
    recording = open_recording(bare);
    carom_error error = {0};
    CHECK_INT(carom_recording_export_csv(recording, "contacts", in_folder(&folder, "none.csv"), false, &error),
              CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "was recorded without contacts");
    carom_recording_close(recording);
    scratch_folder_remove(&folder);
}

TEST_MAIN(CASE(bodies_and_shapes_are_known_without_a_model), CASE(frames_hold_the_contacts_of_their_steps),
          CASE(certificates_and_summary_know_contacts), CASE(a_resumed_run_has_the_same_contacts),
          CASE(contacts_as_csv))
