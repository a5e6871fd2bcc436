// SPDX-License-Identifier: MIT
// A study of convergence as a page: errors against steps and against cost (docs/report.md, kind "converge").
#include <stdlib.h>

#include "base/json.h"
#include "base/memory_file.h"
#include "carom/version.h"
#include "report/report_file.h"
#include "study/converge_report.h"
#include "verb/verb.h"

static void put_list(jsonl_writer *json, const char *key, const converge_report *report, const double *values) {
    jsonl_open_list(json, key);
    for (int i = 0; i < QUANTITY_COUNT; i++)
        if (report->differs[i]) jsonl_number(json, NULL, values[i]);
    jsonl_close_list(json);
}

static void put_run(jsonl_writer *json, const converge_report *report, const converge_row *row) {
    const trial *t = &row->trial;
    jsonl_open(json, NULL);
    jsonl_number(json, "step", row->step);
    put_list(json, "differences", report, row->difference);
    put_list(json, "orders", report, row->order);
    put_list(json, "errors", report, row->error);
    jsonl_number(json, "energy_drift", energy_drift(t));
    jsonl_number(json, "joint_drift", joint_drift(t));
    carom_verdict verdict = trial_verdict(t);
    jsonl_open(json, "verdict");
    jsonl_text(json, "colour", carom_colour_name(verdict.colour));
    jsonl_text(json, "sentence", verdict.sentence);
    jsonl_close(json);
    jsonl_number(json, "seconds", seconds_in_all(t));
    jsonl_number(json, "seconds_a_step", seconds_a_step(t));
    if (t->stopped)
        jsonl_text(json, "stopped", t->why);
    else
        jsonl_null(json, "stopped");
    jsonl_close(json);
}

static void put_method(jsonl_writer *json, const converge_report *report, const converge_curve *curve) {
    bool ran = curve->rows != NULL;
    jsonl_open(json, NULL);
    jsonl_text(json, "name", curve->course.choice->title);
    if (ran)
        jsonl_null(json, "refused");
    else
        jsonl_text(json, "refused", curve->course.refusal);
    if (ran) {
        jsonl_number(json, "order", curve->least_order);
        jsonl_bool(json, "settled", curve->steady);
        put_list(json, "orders", report, curve->order);
    }
    jsonl_open_list(json, "runs");
    for (int k = 0; ran && k < report->row_count; k++) put_run(json, report, &curve->rows[k]);
    jsonl_close_list(json);
    jsonl_close(json);
}

static void put_notes(jsonl_writer *json, const converge_report *report) {
    jsonl_open_list(json, "notes");
    for (int i = 0; i < report->methods.count; i++) {
        const converge_curve *curve = &report->curves[i];
        char text[256];
        if (curve->rows == NULL || !curve->exact) continue;
        snprintf(text, sizeof text, "%.200s: whatever differs, differs by rounding.", curve->course.choice->title);
        jsonl_text(json, NULL, text);
    }
    jsonl_close_list(json);
}

static void put_all(jsonl_writer *json, const converge_report *report) {
    const study *s = &report->study;
    jsonl_int(json, "carom_report", 1);
    jsonl_text(json, "kind", "converge");
    jsonl_text(json, "title", carom_scene_name(s->scene)[0] != '\0' ? carom_scene_name(s->scene) : s->file);
    jsonl_text(json, "description", carom_scene_description(s->scene));
    jsonl_text(json, "version", carom_version());
    jsonl_text(json, "scene_path", s->file);
    jsonl_number(json, "until", study_end(s));
    jsonl_open_list(json, "quantities");
    for (int i = 0; i < QUANTITY_COUNT; i++) {
        if (!report->differs[i]) continue;
        jsonl_open(json, NULL);
        jsonl_text(json, "name", quantity_names[i]);
        jsonl_text(json, "unit", quantity_units[i]);
        jsonl_close(json);
    }
    jsonl_close_list(json);
    char reference[320];
    snprintf(reference, sizeof reference, "Differences are to %s",
             report->def->reference != NULL ? report->reference.title : "the run with half the step");
    jsonl_text(json, "reference", reference);
    jsonl_open_list(json, "methods");
    for (int i = 0; i < report->methods.count; i++) put_method(json, report, &report->curves[i]);
    jsonl_close_list(json);
    put_notes(json, report);
}

int write_converge_page(const char *path, bool force, const converge_report *report) {
    memory_file page;
    if (!memory_file_open(&page)) return refuse_memory("the page");
    jsonl_writer json = jsonl_begin(page.to);
    put_all(&json, report);
    jsonl_end(&json);
    char *header = memory_file_close(&page);
    int code = header != NULL ? write_report_page(header, 0, NULL, path, force) : refuse_memory("the page");
    free(header);
    return code;
}
