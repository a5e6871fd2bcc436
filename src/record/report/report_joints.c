// SPDX-License-Identifier: MIT
// Where joints are and what they bear, in the frames of a report.
#include <stdlib.h>

#include "base/fail.h"
#include "record/report/run_report.h"
#include "record/run/record_events.h"

static const int64_t most_joints_in_frames = 200000; // docs/report.md
enum { most_events = 20000 };

static double *put_vec3(double *to, carom_vec3 v) {
    to[0] = v.x, to[1] = v.y, to[2] = v.z;
    return to + 3;
}

static json_t *describe_event(crm_tree *tree, const carom_joint_event *event) {
    json_t *about = json_object();
    crm_tree_set(tree, about, "time", crm_tree_number(event->time));
    crm_tree_set(tree, about, "step", json_integer(event->step));
    crm_tree_set(tree, about, "joint", json_integer(event->joint.index));
    crm_tree_set(tree, about, "outcome", json_string(crm_event_outcome(event)));
    crm_tree_set(tree, about, "reason", json_string(carom_switch_reason_name(event->reason)));
    crm_tree_set(tree, about, "force", crm_tree_number(event->force));
    crm_tree_set(tree, about, "moment", crm_tree_number(event->moment));
    crm_tree_set(tree, about, "impulse", crm_tree_number(event->impulse));
    crm_tree_set(tree, about, "energy", crm_tree_number(event->impact_energy + event->projection_energy));
    return about;
}

carom_status crm_report_joint_events(crm_report *report, carom_error *error) {
    int count, got = 0;
    carom_status status = carom_recording_get_joint_events(report->recording, 0, NULL, &count, error);
    if (status != CAROM_OK || count == 0) return status;
    int shown = count < most_events ? count : most_events;
    carom_joint_event *events = malloc((size_t)shown * sizeof *events);
    if (events == NULL) return crm_fail_memory(error, "report", (size_t)shown * sizeof *events);
    status = carom_recording_get_joint_events(report->recording, shown, events, &got, error);
    json_t *list = json_array();
    for (int i = 0; i < shown && i < got && status == CAROM_OK; i++)
        crm_tree_append(&report->tree, list, describe_event(&report->tree, &events[i]));
    crm_tree_set(&report->tree, report->tree.header, "joint_events", list);
    crm_tree_set(&report->tree, report->tree.header, "joint_event_count", json_integer(count));
    free(events);
    return status;
}

carom_status crm_report_joints(crm_report *report, carom_error *error) {
    int64_t joints = report->info.joint_count;
    if (joints == 0 || report->frames == 0) return CAROM_OK;
    int64_t most = most_joints_in_frames / joints > 1 ? most_joints_in_frames / joints : 1;
    int64_t stride = (report->frames + most - 1) / most, frames = (report->frames + stride - 1) / stride;
    size_t numbers = (size_t)(3 * frames * joints);
    carom_frame_joint *row = calloc((size_t)joints, sizeof *row);
    double *points = malloc(3 * numbers * sizeof *points);
    carom_status status = CAROM_OK;
    if (row == NULL || points == NULL) {
        status = crm_fail_memory(error, "report", 3 * numbers * sizeof *points);
    } else {
        double *forces = points + numbers, *torques = forces + numbers;
        double *point_at = points, *force_at = forces, *torque_at = torques;
        for (int64_t f = 0; f < frames && status == CAROM_OK; f++) {
            status =
                carom_recording_get_frame_joints(report->recording, crm_report_frame(report, f * stride), row, error);
            for (int64_t j = 0; j < joints && status == CAROM_OK; j++) {
                point_at = put_vec3(point_at, row[j].point);
                force_at = put_vec3(force_at, row[j].force);
                torque_at = put_vec3(torque_at, row[j].torque);
            }
        }
        crm_blobs *blobs = &report->blobs;
        if (status == CAROM_OK) status = crm_blobs_add_f32(blobs, "joint_points", (int64_t)numbers, points, error);
        if (status == CAROM_OK) status = crm_blobs_add_f32(blobs, "joint_forces", (int64_t)numbers, forces, error);
        if (status == CAROM_OK) status = crm_blobs_add_f32(blobs, "joint_torques", (int64_t)numbers, torques, error);
        crm_tree_set(&report->tree, report->tree.header, "joint_stride", json_integer(stride));
    }
    free(row);
    free(points);
    return status;
}
