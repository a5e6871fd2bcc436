// SPDX-License-Identifier: MIT
// Exports: every number comes back to the same bits, every name as it was.
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/harness/check.h"
#include "support/scene/recorded_run.h"

static const char *const names[] = {
    "plain", "comma, inside", "a \"quoted\" one", "two\nlines", NULL, "\xc3\xbcml", "=cmd|' /C calc'!A0",
    "+1+1",  "-2, quoted",    "@SUM(1+1)",        "a = b"};
enum { BODIES = 11, STEPS = 700 };

static void record_named(const char *path) {
    carom_model *model;
    carom_model_def model_def = carom_model_def_default();
    assert_int_equal(carom_model_create(&model_def, &model, NULL), CAROM_OK);
    for (int i = 0; i < BODIES; i++) {
        carom_body_def def = carom_body_def_default();
        def.name = names[i];
        def.position = (carom_vec3){1.0 / (i + 1), i, -i};
        def.velocity = (carom_vec3){0.1 * i, 1e-20, 1e20};
        def.spin = (carom_vec3){0.3, 0.0, i};
        carom_error error = {0};
        if (carom_model_add_body(model, &def, &(carom_body){0}, &error) != CAROM_OK) fail_msg("%s", error.text);
    }
    carom_model_freeze(model, NULL);
    small_run run = {.model = model, .method = carom_method_def_default()};
    run.method.method = CAROM_METHOD_VARIATIONAL;
    assert_int_equal(carom_state_create(model, &run.method, &run.state, NULL), CAROM_OK);
    carom_recorder_def def = recorder_to(path);
    def.every = 100;
    small_run_record_whole(&def, NULL, &run, STEPS);
    small_run_free(&run);
}

static carom_recording *open_recording(const char *path) {
    carom_recording *recording;
    carom_error error = {0};
    if (carom_recording_open(path, &recording, &error) != CAROM_OK) fail_msg("%s", error.text);
    return recording;
}

// Reads one field by RFC 4180 and returns what follows its comma or line end.
static char *next_field(char *at, char *field) {
    if (*at == '"') {
        for (at++; *at != '\0'; at++) {
            if (*at == '"' && *++at != '"') break;
            *field++ = *at;
        }
    } else {
        while (*at != ',' && *at != '\n' && *at != '\0') *field++ = *at++;
    }
    *field = '\0';
    return *at != '\0' ? at + 1 : at;
}

static char *next_number(char *at, double *value) {
    char field[256], *end;
    at = next_field(at, field);
    *value = strtod(field, &end);
    CHECK(end != field && *end == '\0');
    return at;
}

static char *text_of(const char *path) {
    size_t size;
    char *text = (char *)read_bytes(path, &size);
    text[size] = '\0';
    return text;
}

TEST(frames_come_back_to_the_bit) {
    scratch_folder folder = scratch_folder_make();
    const char *path = in_folder(&folder, "run.carom"), *csv = in_folder(&folder, "frames.csv");
    record_named(path);
    carom_recording *recording = open_recording(path);
    carom_error error = {0};
    CHECK_INT(carom_recording_export_csv(recording, "frames", csv, false, &error), CAROM_OK);
    char *text = text_of(csv), *at = strchr(text, '\n') + 1;
    CHECK(strncmp(text, "time,step,body,name,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n", (size_t)(at - text)) == 0);
    for (int64_t i = 0; i <= STEPS / 100; i++) {
        carom_body_state body[BODIES];
        double time, value;
        int64_t step;
        CHECK_INT(carom_recording_get_frame(recording, i, &time, &step, body, &error), CAROM_OK);
        for (int b = 0; b < BODIES; b++) {
            at = next_number(at, &value);
            CHECK(value == time);
            at = next_number(at, &value);
            CHECK_INT(value, step);
            at = next_number(at, &value);
            CHECK_INT(value, b);
            char field[256];
            at = next_field(at, field);
            // A formula is none in a spreadsheet.
            bool formula = names[b] != NULL && strchr("=+-@", names[b][0]) != NULL;
            CHECK_INT(field[0] == '\'', formula);
            CHECK_TEXT(field + formula, names[b] != NULL ? names[b] : "");
            double numbers[13];
            memcpy(numbers, &body[b], sizeof numbers);
            for (int k = 0; k < 13; k++) {
                at = next_number(at, &value);
                CHECK(memcmp(&value, &numbers[k], sizeof value) == 0);
            }
        }
    }
    CHECK(*at == '\0');
    free(text);
    carom_recording_close(recording);
    scratch_folder_remove(&folder);
}

TEST(certificates_come_back_to_the_bit) {
    scratch_folder folder = scratch_folder_make();
    const char *path = in_folder(&folder, "run.carom"), *csv = in_folder(&folder, "certificates.csv");
    record_named(path);
    carom_recording *recording = open_recording(path);
    carom_error error = {0};
    CHECK_INT(carom_recording_export_csv(recording, "certificates", csv, false, &error), CAROM_OK);
    char *text = text_of(csv), *at = strchr(text, '\n') + 1;
    static const char heading[] =
        "step,time,kinetic,potential,px,py,pz,lx,ly,lz,momentum_balance,energy_balance,residual,joint_drift,iterations,"
        "substeps,good,contacts,infeasibility,mean_infeasibility,friction_work,fallbacks,solver,projection_energy,"
        "projection_lx,projection_ly,projection_lz,impact_energy";
    CHECK(strncmp(text, heading, sizeof heading - 1) == 0);
    int columns = 1;
    for (const char *c = text; *c != '\n'; c++) columns += *c == ',';
    for (int i = 0; i < STEPS; i++) {
        carom_step_report c;
        int got;
        CHECK_INT(carom_recording_get_certificates(recording, i, 1, &c, &got, &error), CAROM_OK);
        const double wanted[] = {(double)c.step,
                                 c.time,
                                 c.energy.kinetic,
                                 c.energy.potential,
                                 c.momentum.linear.x,
                                 c.momentum.linear.y,
                                 c.momentum.linear.z,
                                 c.momentum.angular.x,
                                 c.momentum.angular.y,
                                 c.momentum.angular.z,
                                 c.momentum_balance,
                                 c.energy_balance,
                                 c.residual,
                                 c.joint_drift,
                                 c.iterations,
                                 c.substeps,
                                 c.outcome == CAROM_STEP_GOOD,
                                 c.contacts,
                                 c.infeasibility,
                                 c.mean_infeasibility,
                                 c.friction_work,
                                 c.fallbacks};
        for (size_t k = 0; k < sizeof wanted / sizeof wanted[0]; k++) {
            double value;
            at = next_number(at, &value);
            CHECK(value == wanted[k]);
        }
        CHECK(*at++ == ',');          // no contacts, no solver
        for (int k = 0; k < 5; k++) { // nor projections and impacts
            double value;
            at = next_number(at, &value);
            CHECK(value == 0.0);
        }
        for (int k = 28; k < columns; k++) { // what the table of quantities has beyond
            double value;
            at = next_number(at, &value);
        }
    }
    CHECK(*at == '\0');
    free(text);
    carom_recording_close(recording);
    scratch_folder_remove(&folder);
}

static const char joints_text[] =
    "{\"carom\": 1, \"method\": {\"name\": \"multiplier\", \"integrator\": \"rk4\"}, \"bodies\": ["
    " {\"name\": \"b\", \"mass\": 1, \"inertia\": [1, 1, 1], \"position\": [1, 0, 0], \"spin\": [0, 1, 0]},"
    " {\"name\": \"c\", \"mass\": 1, \"inertia\": [1, 1, 1], \"position\": [2, 0, 0]}], \"joints\": ["
    " {\"name\": \"comma, inside\", \"kind\": \"ball\", \"a\": \"world\", \"b\": \"b\", \"point\": [0, 0, 0]},"
    " {\"kind\": \"cylindrical\", \"a\": \"b\", \"b\": \"c\", \"axis\": [1, 0, 0], \"point\": [2, 0, 0]}]}";

// Coordinates that a joint does not have are empty fields.
static char *next_some(char *at, const double *wanted, int count) {
    char field[256];
    for (int k = 0; k < CAROM_JOINT_MOST_COORDINATES; k++) {
        at = next_field(at, field);
        if (k < count)
            CHECK(strtod(field, NULL) == wanted[k]);
        else
            CHECK_TEXT(field, "");
    }
    return at;
}

TEST(joints_come_back_to_the_bit) {
    scratch_folder folder = scratch_folder_make();
    const char *path = in_folder(&folder, "run.carom"), *csv = in_folder(&folder, "joints.csv");
    carom_scene *scene = scene_of_text(joints_text);
    small_run run = {.model = (carom_model *)carom_scene_model(scene), .state = state_of_scene(scene)};
    carom_recorder_def def = recorder_to(path);
    small_run_record_whole(&def, scene, &run, 100);
    carom_recording *recording = open_recording(path);
    carom_error error = {0};
    CHECK_INT(carom_recording_export_csv(recording, "joints", csv, false, &error), CAROM_OK);
    char *text = text_of(csv), *at = strchr(text, '\n') + 1;
    static const char heading[] =
        "time,step,joint,name,kind,c0,c1,c2,c3,c4,c5,r0,r1,r2,r3,r4,r5,x,y,z,fx,fy,fz,tx,ty,tz,"
        "linear_drift,angular_drift\n";
    CHECK(strncmp(text, heading, sizeof heading - 1) == 0);
    for (int64_t i = 0; i <= 25; i++) {
        carom_frame_joint joint[2];
        double time, value;
        int64_t step;
        CHECK_INT(carom_recording_get_frame(recording, i, &time, &step, NULL, &error), CAROM_OK);
        CHECK_INT(carom_recording_get_frame_joints(recording, i, joint, &error), CAROM_OK);
        for (int j = 0; j < 2; j++) {
            const carom_frame_joint *wanted = &joint[j];
            const double before[] = {time, (double)step, j};
            const double after[] = {wanted->point.x,  wanted->point.y,      wanted->point.z,      wanted->force.x,
                                    wanted->force.y,  wanted->force.z,      wanted->torque.x,     wanted->torque.y,
                                    wanted->torque.z, wanted->linear_drift, wanted->angular_drift};
            char field[256];
            for (int k = 0; k < 3; k++, CHECK(value == before[k - 1])) at = next_number(at, &value);
            at = next_field(at, field);
            CHECK_TEXT(field, j == 0 ? "comma, inside" : "joint-1");
            at = next_field(at, field);
            CHECK_TEXT(field, j == 0 ? "ball" : "cylindrical");
            at = next_some(at, wanted->coordinate, wanted->coordinate_count);
            at = next_some(at, wanted->rate, wanted->coordinate_count);
            for (int k = 0; k < 11; k++, CHECK(value == after[k - 1])) at = next_number(at, &value);
        }
    }
    CHECK(*at == '\0');
    free(text);
    carom_recording_close(recording);
    carom_state_destroy(run.state);
    carom_scene_destroy(scene);
    scratch_folder_remove(&folder);
}

TEST(exports_are_whole_and_overwrite_nothing_unasked) {
    scratch_folder folder = scratch_folder_make();
    const char *path = in_folder(&folder, "run.carom"), *csv = in_folder(&folder, "out.csv");
    record_named(path);
    carom_recording *recording = open_recording(path);
    carom_error error = {0};
    write_bytes(csv, "precious", 8);
    CHECK_INT(carom_recording_export_csv(recording, "frames", csv, false, &error), CAROM_ERR_FILE);
    CHECK_CONTAINS(error.text, "out.csv: exists already; choose another name");
    char *text = text_of(csv);
    CHECK_TEXT(text, "precious");
    free(text);
    // What is not an export is left alone whatever is asked for; an export is replaced.
    CHECK_INT(carom_recording_export_csv(recording, "frames", csv, true, &error), CAROM_ERR_FILE);
    CHECK_CONTAINS(error.text, "is no export of carom and is left alone; choose another name");
    remove(csv);
    CHECK_INT(carom_recording_export_csv(recording, "certificates", csv, false, &error), CAROM_OK);
    CHECK_INT(carom_recording_export_csv(recording, "frames", csv, true, &error), CAROM_OK);
    text = text_of(csv);
    CHECK(strncmp(text, "time,", 5) == 0);
    free(text);
    CHECK_INT(carom_recording_export_csv(recording, "frames", path, true, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "is the recording itself");
    CHECK_INT(carom_recording_export_csv(recording, "shapes", csv, true, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "there is no 'shapes'; choose frames, joints, contacts, collisions, certificates, "
                               "joint_events, controls, gaps or solves");
    CHECK_INT(carom_recording_export_csv(recording, "frames", NULL, true, &error), CAROM_ERR_BAD_INPUT);
    CHECK_INT(carom_recording_export_csv(recording, "frames", "/dev/null", true, &error), CAROM_ERR_FILE);
    CHECK_CONTAINS(error.text, "is not an ordinary file");
    CHECK_INT(carom_recording_export_csv(recording, "frames", "/no/where.csv", true, &error), CAROM_ERR_FILE);
    CHECK_CONTAINS(error.text, "its folder does not exist");
    CHECK_INT(scratch_folder_count(&folder), 2);
    carom_recording_close(recording);
    scratch_folder_remove(&folder);
}

// "-" is standard output; a full one is an error.
TEST(export_to_standard_output) {
    scratch_folder folder = scratch_folder_make();
    const char *path = in_folder(&folder, "run.carom"), *csv = in_folder(&folder, "a.csv");
    const char *other = in_folder(&folder, "b.csv");
    record_named(path);
    carom_recording *recording = open_recording(path);
    carom_error error = {0};
    CHECK_INT(carom_recording_export_csv(recording, "frames", csv, false, &error), CAROM_OK);
    fflush(stdout);
    int kept = dup(1);
    assert_non_null(freopen(other, "w", stdout));
    carom_status status = carom_recording_export_csv(recording, "frames", "-", false, &error);
    assert_non_null(freopen("/dev/full", "w", stdout));
    carom_status full = carom_recording_export_csv(recording, "frames", "-", false, &error);
    clearerr(stdout);
    dup2(kept, 1);
    close(kept);
    CHECK_INT(status, CAROM_OK);
    CHECK_INT(full, CAROM_ERR_FILE);
    CHECK_CONTAINS(error.text, "standard output: cannot be written (No space left on device)");
    CHECK(same_bytes(csv, other));
    carom_recording_close(recording);
    scratch_folder_remove(&folder);
}

TEST_MAIN(CASE(frames_come_back_to_the_bit), CASE(joints_come_back_to_the_bit), CASE(certificates_come_back_to_the_bit),
          CASE(exports_are_whole_and_overwrite_nothing_unasked), CASE(export_to_standard_output))
