// SPDX-License-Identifier: MIT
// The sections of a run's report. Each puts its keys into the header and its numbers into the blobs, as docs/report.md
// tells.
//
// record/report: an open recording enters, one HTML file that shows it leaves. carom_report_write calls it.
#ifndef CRM_RECORD_RUN_REPORT_H
#define CRM_RECORD_RUN_REPORT_H

#include "carom/report.h"
#include "record/report/report_blobs.h"

typedef struct crm_report {
    const carom_recording *recording;
    carom_recording_info info;
    carom_scene *scene; // of the recording's own text; NULL when it has none
    crm_tree tree;
    crm_blobs blobs;
    int64_t frames, frame_stride; // that are kept
    int64_t rows;                 // of certificates
} crm_report;

// Which of the recording's frames frame `index` of the report is: every stride-th, and the last.
int64_t crm_report_frame(const crm_report *report, int64_t index);

carom_status crm_report_frames(crm_report *report, carom_error *error);
carom_status crm_report_contacts(crm_report *report, carom_error *error);
carom_status crm_report_collisions(crm_report *report, carom_error *error);
carom_status crm_report_flexible(crm_report *report, carom_error *error);
carom_status crm_report_joints(crm_report *report, carom_error *error);
carom_status crm_report_joint_events(crm_report *report, carom_error *error);
carom_status crm_report_certificates(crm_report *report, carom_error *error);
carom_status crm_report_plan(crm_report *report, carom_error *error);
// What the scene says: title, bodies, shapes, joints, forces.
carom_status crm_report_model(crm_report *report, carom_error *error);

#endif
