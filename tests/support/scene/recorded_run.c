// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700 // nftw
#include "support/scene/recorded_run.h"

#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/file/row_digest.h"
#include "support/harness/check.h"

// In memory where there is such a place: thousands of syncs to a disk take minutes and test nothing more.
scratch_folder scratch_folder_make(void) {
    scratch_folder folder = {"/dev/shm/carom-record-XXXXXX"};
    if (mkdtemp(folder.path) != NULL) return folder;
    folder = (scratch_folder){"/tmp/carom-record-XXXXXX"};
    assert_non_null(mkdtemp(folder.path));
    return folder;
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *place) {
    (void)about, (void)kind, (void)place;
    return remove(path);
}

void scratch_folder_remove(scratch_folder *folder) {
    nftw(folder->path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

int scratch_folder_count(const scratch_folder *folder) {
    DIR *stream = opendir(folder->path);
    assert_non_null(stream);
    int count = 0;
    while (readdir(stream) != NULL) count++;
    closedir(stream);
    return count - 2;
}

const char *in_folder(const scratch_folder *folder, const char *name) {
    static char buffer[64][512];
    static int next;
    char *to = buffer[next++ % 64];
    snprintf(to, sizeof buffer[0], "%s/%s", folder->path, name);
    return to;
}

void write_bytes(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

unsigned char *read_bytes(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = malloc(*size + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

bool same_bytes(const char *path_a, const char *path_b) {
    size_t size_a, size_b;
    unsigned char *a = read_bytes(path_a, &size_a), *b = read_bytes(path_b, &size_b);
    bool same = size_a == size_b && memcmp(a, b, size_a) == 0;
    free(a);
    free(b);
    return same;
}

small_run small_run_make_by(int body_count, const carom_method_def *method) {
    small_run run = {.method = *method};
    carom_error error = {0};
    carom_model_def model_def = carom_model_def_default();
    if (carom_model_create(&model_def, &run.model, &error) != CAROM_OK) fail_msg("%s", error.text);
    for (int i = 0; i < body_count; i++) {
        char name[32];
        snprintf(name, sizeof name, "body %d", i);
        carom_body_def def = carom_body_def_default();
        def.name = i % 3 == 2 ? NULL : name;
        def.mass = 1.0 + 0.1 * i;
        def.inertia.x.x = 0.2;
        def.inertia.y.y = 0.3 + 0.01 * i;
        def.inertia.z.z = 0.4;
        def.position = (carom_vec3){i, 0.1 * i * i, 0.0};
        def.spin = (carom_vec3){1.0, 0.1 * i, 0.01};
        carom_body body;
        if (carom_model_add_body(run.model, &def, &body, &error) != CAROM_OK) fail_msg("%s", error.text);
        if (i == 0) continue;
        carom_spring_def spring = carom_spring_def_default();
        spring.a = (carom_body){i - 1};
        spring.b = (carom_body){i};
        spring.point_a = (carom_vec3){0.1, 0.2, 0.0};
        spring.stiffness = 50.0;
        spring.rest_length = 0.5;
        if (carom_model_add_spring(run.model, &spring, &error) != CAROM_OK) fail_msg("%s", error.text);
    }
    if (carom_model_freeze(run.model, &error) != CAROM_OK) fail_msg("%s", error.text);
    if (carom_state_create(run.model, method, &run.state, &error) != CAROM_OK) fail_msg("%s", error.text);
    return run;
}

small_run small_run_make(int body_count, double step) {
    carom_method_def method = carom_method_def_default();
    method.method = CAROM_METHOD_VARIATIONAL;
    method.step = step;
    return small_run_make_by(body_count, &method);
}

carom_scene *scene_of_text(const char *text) {
    carom_scene *scene;
    carom_error error = {0};
    carom_scene_source source = carom_scene_source_default();
    source.file = "test";
    source.text = text;
    if (carom_scene_read(&source, NULL, &scene, NULL, &error) != CAROM_OK) fail_msg("%s", error.text);
    return scene;
}

carom_state *state_of_scene(const carom_scene *scene) {
    carom_state *state;
    carom_error error = {0};
    if (carom_state_create(carom_scene_model(scene), carom_scene_method(scene), &state, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return state;
}

void small_run_free(small_run *run) {
    carom_state_destroy(run->state);
    carom_model_destroy(run->model);
}

bool small_run_record(small_run *run, carom_recorder *recorder, int64_t end, carom_error *error) {
    while (carom_state_step_count(run->state) < end) {
        carom_step_report report;
        if (carom_step(run->model, run->state, NULL, &report, error) != CAROM_OK) return false;
        if (carom_recorder_step(recorder, run->state, &report, error) != CAROM_OK) return false;
    }
    return true;
}

carom_recorder_def recorder_to(const char *path) {
    carom_recorder_def def = carom_recorder_def_default();
    def.path = path;
    return def;
}

void small_run_record_whole(const carom_recorder_def *def, const carom_scene *scene, small_run *run, int64_t steps) {
    carom_error error = {0};
    carom_recorder *recorder;
    if (carom_recorder_create(def, scene, run->state, &recorder, &error) != CAROM_OK) fail_msg("%s", error.text);
    if (!small_run_record(run, recorder, steps, &error)) fail_msg("%s", error.text);
    if (carom_recorder_finish(recorder, run->state, NULL, &error) != CAROM_OK) fail_msg("%s", error.text);
    carom_recorder_destroy(recorder);
}

bool small_run_resume(const carom_recorder_def *def, int body_count, double step, int64_t end) {
    small_run run = small_run_make(body_count, step);
    carom_error error = {0};
    carom_recorder *recorder;
    bool finished;
    carom_status status = carom_recorder_resume(def, run.state, &finished, &recorder, &error);
    if (status == CAROM_OK && !finished) {
        if (!small_run_record(&run, recorder, end, &error))
            status = error.status;
        else
            status = carom_recorder_finish(recorder, run.state, NULL, &error);
    }
    if (status != CAROM_OK) print_message("resuming: %s\n", error.text);
    carom_recorder_destroy(recorder);
    small_run_free(&run);
    return status == CAROM_OK;
}

// ---- recordings

static uint64_t add(uint64_t digest, const void *bytes, size_t size) {
    return crm_digest_bytes(digest, bytes, size);
}

static bool read_frames(const carom_recording *recording, const carom_recording_info *info, uint64_t *digest,
                        carom_error *error) {
    carom_body_state *bodies = calloc((size_t)info->body_count + 1, sizeof *bodies);
    bool good = bodies != NULL;
    for (int64_t i = 0; i < info->frame_count && good; i++) {
        double time;
        int64_t step;
        good = carom_recording_get_frame(recording, i, &time, &step, bodies, error) == CAROM_OK;
        *digest = add(*digest, &time, sizeof time);
        *digest = add(*digest, &step, sizeof step);
        *digest = add(*digest, bodies, (size_t)info->body_count * sizeof *bodies);
    }
    free(bodies);
    return good;
}

// Field by field: the structure has a gap.
static bool read_joints(const carom_recording *recording, const carom_recording_info *info, uint64_t *digest,
                        carom_error *error) {
    carom_frame_joint *joints = calloc((size_t)info->joint_count + 1, sizeof *joints);
    bool good = joints != NULL;
    for (int64_t i = 0; i < info->frame_count && good; i++) {
        good = carom_recording_get_frame_joints(recording, i, joints, error) == CAROM_OK;
        for (int j = 0; j < info->joint_count && good; j++) {
            const carom_frame_joint *joint = &joints[j];
            size_t count = (size_t)joint->coordinate_count;
            *digest = add(*digest, joint->coordinate, count * sizeof(double));
            *digest = add(*digest, joint->rate, count * sizeof(double));
            const carom_vec3 vectors[] = {
                joint->point, joint->force, joint->torque, {joint->linear_drift, joint->angular_drift, 0.0}};
            *digest = add(*digest, vectors, sizeof vectors);
        }
    }
    free(joints);
    for (int j = 0; j < info->joint_count; j++) {
        const carom_recorded_joint *joint = carom_recording_joint(recording, j);
        const int numbers[] = {joint->a, joint->b, joint->linear, joint->angular};
        *digest = add(*digest, numbers, sizeof numbers);
        *digest = add(*digest, joint->name, strlen(joint->name));
        *digest = add(*digest, joint->kind, strlen(joint->kind));
    }
    return good;
}

static bool read_contacts(const carom_recording *recording, const carom_recording_info *info, uint64_t *digest,
                          carom_error *error) {
    for (int64_t i = 0; i < info->frame_count; i++) {
        enum { ROOM = 64 };
        carom_contact_state contacts[ROOM];
        memset(contacts, 0, sizeof contacts); // the structure has a gap
        int count;
        if (carom_recording_get_frame_contacts(recording, i, ROOM, contacts, &count, error) != CAROM_OK) return false;
        *digest = add(*digest, &count, sizeof count);
        *digest = add(*digest, contacts, sizeof contacts);
    }
    return true;
}

static uint64_t add_bodies_and_shapes(const carom_recording *recording, const carom_recording_info *info,
                                      uint64_t sum) {
    for (int i = 0; i < info->body_count; i++) {
        const carom_recorded_body *body = carom_recording_body(recording, i);
        const double numbers[] = {body->mass, body->shape};
        sum = add(sum, body->name, strlen(body->name));
        sum = add(sum, body->kind, strlen(body->kind));
        sum = add(sum, numbers, sizeof numbers);
    }
    for (int i = 0; i < info->shape_count; i++) {
        const carom_recorded_shape *shape = carom_recording_shape(recording, i);
        sum = add(sum, shape->name, strlen(shape->name));
        sum = add(sum, shape->kind, strlen(shape->kind));
        sum = add(sum, shape->definition, strlen(shape->definition));
    }
    return sum;
}

static bool read_certificates(const carom_recording *recording, const carom_recording_info *info, uint64_t *digest,
                              carom_error *error) {
    for (int64_t first = 0; first < info->certificate_count;) {
        carom_step_report certificate[100];
        memset(certificate, 0, sizeof certificate);
        int got;
        if (carom_recording_get_certificates(recording, first, 100, certificate, &got, error) != CAROM_OK) return false;
        if (got == 0) return false;
        *digest = add(*digest, certificate, (size_t)got * sizeof *certificate);
        first += got;
    }
    return true;
}

static bool read_collisions(const carom_recording *recording, const carom_recording_info *info, uint64_t *sum,
                            carom_error *error) {
    for (int64_t i = 0; i < info->collision_count; i++) {
        carom_collision c;
        int got;
        memset(&c, 0, sizeof c); // it has no gaps
        if (carom_recording_get_collisions(recording, i, 1, &c, &got, error) != CAROM_OK) return false;
        CHECK_INT(got, 1);
        *sum = add(*sum, &c, sizeof c);
    }
    return true;
}

bool read_whole(const char *path, uint64_t *digest, carom_error *error) {
    carom_recording *recording;
    if (carom_recording_open(path, &recording, error) != CAROM_OK) return false;
    carom_recording_info info;
    memset(&info, 0, sizeof info);
    bool good = carom_recording_get_info(recording, &info, error) == CAROM_OK;
    uint64_t sum = CRM_DIGEST_START;
    if (good) {
        const double numbers[] = {info.step, info.until, info.time};
        const int64_t counts[] = {info.step_count, info.frame_count,   info.certificate_count, info.body_count,
                                  info.finished,   (int64_t)info.hash, info.shape_count};
        sum = add(sum, numbers, sizeof numbers);
        sum = add(sum, counts, sizeof counts);
        sum = add(sum, &info.summary, sizeof info.summary); // has no gaps
        sum = add(sum, info.method, strlen(info.method));
        sum = add(sum, info.end_text, strlen(info.end_text));
        sum = add(sum, carom_recording_scene(recording), strlen(carom_recording_scene(recording)));
        sum = add_bodies_and_shapes(recording, &info, sum);
        good = read_frames(recording, &info, &sum, error) && read_joints(recording, &info, &sum, error) &&
               read_contacts(recording, &info, &sum, error) && read_collisions(recording, &info, &sum, error) &&
               read_certificates(recording, &info, &sum, error);
    }
    carom_recording_close(recording);
    *digest = sum;
    return good;
}

bool same_recordings(const char *path_a, const char *path_b) {
    carom_error error = {0};
    uint64_t a = 0, b = 1;
    if (read_whole(path_a, &a, &error) && read_whole(path_b, &b, &error)) return a == b;
    print_message("%s\n", error.text);
    return false;
}
