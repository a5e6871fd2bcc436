// SPDX-License-Identifier: MIT
#include "run/joint_list.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/text.h"
#include "carom/record.h"
#include "verb/verb.h"

static const char *body_name(const carom_recording *recording, int body, char shown[32]) {
    if (body < 0) return "world";
    const char *name = carom_recording_body_name(recording, body);
    if (name[0] != '\0') return name;
    snprintf(shown, 32, "body %d", body);
    return shown;
}

static void print_line(const carom_recording *recording, int number, const carom_frame_joint *now) {
    const carom_recorded_joint *joint = carom_recording_joint(recording, number);
    char a[32], b[32];
    printf("  %d ", number);
    print_clean(stdout, joint->name);
    printf("%s%s of ", joint->name[0] != '\0' ? ": " : "", joint->kind);
    print_clean(stdout, body_name(recording, joint->a, a));
    fputs(" and ", stdout);
    print_clean(stdout, body_name(recording, joint->b, b));
    for (int i = 0; i < now->coordinate_count; i++)
        printf(", %.6g %s", now->coordinate[i], i < joint->linear ? "m" : "rad");
    printf("; open by %.1e m, %.1e rad\n", now->linear_drift, now->angular_drift);
}

static void put_numbers(jsonl_writer *json, const char *key, const double *values, int count) {
    jsonl_open_list(json, key);
    for (int i = 0; i < count; i++) jsonl_number(json, NULL, values[i]);
    jsonl_close_list(json);
}

static void print_object(const carom_recording *recording, int number, double time, const carom_frame_joint *now) {
    const carom_recorded_joint *joint = carom_recording_joint(recording, number);
    jsonl_writer json = jsonl_begin(stdout);
    jsonl_int(&json, "joint", number);
    jsonl_text(&json, "name", joint->name);
    jsonl_text(&json, "kind", joint->kind);
    jsonl_int(&json, "a", joint->a);
    jsonl_int(&json, "b", joint->b);
    jsonl_int(&json, "linear", joint->linear);
    jsonl_int(&json, "angular", joint->angular);
    jsonl_number(&json, "time", time);
    put_numbers(&json, "coordinates", now->coordinate, now->coordinate_count);
    put_numbers(&json, "rates", now->rate, now->coordinate_count);
    jsonl_vector(&json, "point", now->point);
    jsonl_vector(&json, "force", now->force);
    jsonl_vector(&json, "torque", now->torque);
    jsonl_number(&json, "linear_drift", now->linear_drift);
    jsonl_number(&json, "angular_drift", now->angular_drift);
    jsonl_end(&json);
}

static int print_joints(const carom_recording *recording, const carom_recording_info *info, bool json) {
    carom_frame_joint *joints = malloc(((size_t)info->joint_count + 1) * sizeof *joints);
    if (joints == NULL) {
        refuse("no memory for %d joints", info->joint_count);
        return EXIT_INTERNAL;
    }
    carom_error error;
    double time = 0.0;
    int64_t last = info->frame_count - 1;
    carom_status status = carom_recording_get_frame(recording, last, &time, NULL, NULL, &error);
    if (status == CAROM_OK) status = carom_recording_get_frame_joints(recording, last, joints, &error);
    for (int i = 0; status == CAROM_OK && i < info->joint_count; i++) {
        if (json)
            print_object(recording, i, time, &joints[i]);
        else
            print_line(recording, i, &joints[i]);
    }
    free(joints);
    return status == CAROM_OK ? EXIT_GOOD : refuse_error(&error);
}

int print_joint_list(const char *path, bool json) {
    carom_error error;
    carom_recording *recording = NULL;
    carom_recording_info info;
    carom_status status = carom_recording_open(path, &recording, &error);
    if (status == CAROM_OK) status = carom_recording_get_info(recording, &info, &error);
    int code = status == CAROM_OK ? print_joints(recording, &info, json) : refuse_error(&error);
    carom_recording_close(recording);
    return code;
}
