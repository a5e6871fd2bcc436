// SPDX-License-Identifier: MIT
// Where joints are and what they bear, in the frames of a report.
#include <stdlib.h>

#include "base/fail.h"
#include "record/report/run_report.h"

static const int64_t most_joints_in_frames = 200000; // docs/report.md

static double *put_vec3(double *to, carom_vec3 v) {
    to[0] = v.x, to[1] = v.y, to[2] = v.z;
    return to + 3;
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
