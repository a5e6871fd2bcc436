// SPDX-License-Identifier: MIT
#include "record/report/run_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/text/json_parse.h"
#include "carom/tools.h"
#include "record/report/report_html.h"

carom_report_def carom_report_def_default(void) {
    return (carom_report_def){.struct_size = sizeof(carom_report_def), .overwrite = false};
}

static json_t *describe_verdict(crm_tree *tree, const carom_verdict *verdict) {
    json_t *about = json_object();
    bool place = verdict->step >= 0;
    crm_tree_set(tree, about, "colour", json_string(carom_colour_name(verdict->colour)));
    crm_tree_set(tree, about, "sentence", crm_tree_text(verdict->sentence));
    crm_tree_set(tree, about, "step", place ? json_integer(verdict->step) : json_null());
    crm_tree_set(tree, about, "time", place ? crm_tree_number(verdict->time) : json_null());
    return about;
}

// Those that are not green, in the order of the rules.
static json_t *describe_findings(crm_tree *tree, const carom_recording_info *info, const carom_recording *recording) {
    json_t *list = json_array();
    for (int r = 0; r < CAROM_RULE_COUNT; r++) {
        carom_verdict told = carom_recording_finding(info, (carom_rule)r, recording);
        if (told.colour == CAROM_COLOUR_GREEN) continue;
        const carom_rule_def *def = carom_rule_get((carom_rule)r);
        json_t *about = describe_verdict(tree, &told);
        crm_tree_set(tree, about, "rule", json_string(def->name));
        crm_tree_set(tree, about, "value", crm_tree_number(info->summary.finding[r].value));
        crm_tree_set(tree, about, "amber", crm_tree_number(def->amber));
        crm_tree_set(tree, about, "red", crm_tree_number(def->red));
        crm_tree_append(tree, list, about);
    }
    return list;
}

static void add_facts(crm_report *report) {
    const carom_recording_info *info = &report->info;
    crm_tree *tree = &report->tree;
    json_t *to = tree->header;
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, info->hash);
    carom_verdict verdict = carom_recording_verdict(info, report->recording);
    crm_tree_set(tree, to, "carom_report", json_integer(1));
    crm_tree_set(tree, to, "kind", json_string("run"));
    crm_tree_set(tree, to, "version", crm_tree_text(info->version));
    crm_tree_set(tree, to, "method", crm_tree_text(info->method));
    crm_tree_set(tree, to, "step", crm_tree_number(info->step));
    if (info->piece_count > 0) crm_tree_set(tree, to, "step_pieces", json_integer(info->piece_count));
    crm_tree_set(tree, to, "until", crm_tree_number(info->until));
    crm_tree_set(tree, to, "time", crm_tree_number(info->time));
    crm_tree_set(tree, to, "step_count", json_integer(info->step_count));
    crm_tree_set(tree, to, "recorded_frames", json_integer(info->frame_count));
    crm_tree_set(tree, to, "frame_stride", json_integer(report->frame_stride));
    crm_tree_set(tree, to, "finished", json_boolean(info->finished));
    crm_tree_set(tree, to, "end_text", crm_tree_text(info->end_text));
    crm_tree_set(tree, to, "hash", json_string(hash));
    crm_tree_set(tree, to, "verdict", describe_verdict(tree, &verdict));
    crm_tree_set(tree, to, "findings", describe_findings(tree, info, report->recording));
}

// The scene that the recording was made from; none when it was built by calls, or is of another carom's format.
// It is held to the bodies and joints that the recording has: more are not the run's.
static carom_status read_scene(const carom_recording *recording, const carom_recording_info *info, carom_scene **scene,
                               carom_error *error) {
    carom_scene_source source = carom_scene_source_default();
    source.file = "recording";
    source.text = carom_recording_scene(recording);
    source.limits = carom_limits_none();
    source.limits.bodies = info->body_count;
    source.limits.joints = info->joint_count;
    if (source.text[0] == '\0') return CAROM_OK;
    carom_error why;
    if (carom_scene_read(&source, NULL, scene, NULL, &why) != CAROM_ERR_NO_MEMORY) return CAROM_OK;
    if (error != NULL) *error = why;
    return CAROM_ERR_NO_MEMORY;
}

carom_status carom_report_write(const carom_recording *recording, const carom_report_def *def, carom_report_size *size,
                                carom_error *error) {
    if (recording == NULL || def == NULL)
        return crm_refuse(error, "report: %s is missing; give it",
                          recording == NULL ? "the recording" : "the definition");
    carom_status status = CRM_CHECK_STRUCT(def, carom_report_def, error);
    if (status != CAROM_OK) return status;
    crm_report *report = calloc(1, sizeof *report);
    if (report == NULL) return crm_fail_memory(error, "report", sizeof *report);
    report->recording = recording;
    report->tree.header = json_object();
    int64_t bytes = 0;
    status = carom_recording_get_info(recording, &report->info, error);
    if (status == CAROM_OK) status = read_scene(recording, &report->info, &report->scene, error);
    if (status == CAROM_OK) status = crm_report_frames(report, error);
    if (status == CAROM_OK) add_facts(report);
    if (status == CAROM_OK) status = crm_report_model(report, error);
    if (status == CAROM_OK) status = crm_report_flexible(report, error);
    if (status == CAROM_OK) status = crm_report_joints(report, error);
    if (status == CAROM_OK) status = crm_report_joint_events(report, error);
    if (status == CAROM_OK) status = crm_report_contacts(report, error);
    if (status == CAROM_OK) status = crm_report_collisions(report, error);
    if (status == CAROM_OK) status = crm_report_certificates(report, error);
    if (status == CAROM_OK) status = crm_report_plan(report, error);
    if (status == CAROM_OK) status = crm_page_write(def, &report->tree, &report->blobs, &bytes, error);
    if (size != NULL) *size = (carom_report_size){bytes, report->frames, report->frame_stride, report->rows};
    carom_scene_destroy(report->scene);
    json_decref(report->tree.header);
    crm_blobs_free(&report->blobs);
    free(report);
    return status;
}

carom_status carom_report_write_page(const char *header, int blob_count, const carom_report_blob *blobs,
                                     const carom_report_def *def, carom_report_size *size, carom_error *error) {
    carom_status status = CRM_CHECK_OPTIONS(def, carom_report_def, error);
    if (status != CAROM_OK) return status;
    crm_json_error why = {.text = "there is none"};
    crm_tree tree = {.header = NULL};
    if (header != NULL && def != NULL) tree.header = crm_json_parse(header, strlen(header), 0, &why);
    if (tree.header == NULL && why.no_memory) return crm_fail_memory(error, "the header of a page", strlen(header));
    if (!json_is_object(tree.header)) {
        json_decref(tree.header);
        return crm_refuse(error, "report: the header must be an object of JSON: %s", why.text);
    }
    crm_blobs *packed = calloc(1, sizeof *packed);
    status = packed != NULL ? CAROM_OK : crm_fail_memory(error, "report", sizeof *packed);
    for (int i = 0; i < blob_count && status == CAROM_OK; i++)
        status = crm_blobs_add_f64(packed, blobs[i].name, blobs[i].count, blobs[i].values, error);
    int64_t bytes = 0;
    if (status == CAROM_OK) status = crm_page_write(def, &tree, packed, &bytes, error);
    if (size != NULL) *size = (carom_report_size){.bytes = bytes};
    if (packed != NULL) crm_blobs_free(packed);
    free(packed);
    json_decref(tree.header);
    return status;
}
