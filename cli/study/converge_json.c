// SPDX-License-Identifier: MIT
// A study of convergence for a program: an object a run, then one a method.
#include "base/json.h"
#include "study/converge_report.h"

static void put_quantities(jsonl_writer *json, const char *key, const double *value) {
    jsonl_open(json, key);
    for (int i = 0; i < QUANTITY_COUNT; i++) jsonl_number(json, quantity_names[i], value[i]);
    jsonl_close(json);
}

static void print_run(FILE *to, const char *title, const converge_row *row) {
    const trial *t = &row->trial;
    jsonl_writer json = jsonl_begin(to);
    jsonl_text(&json, "kind", "run");
    jsonl_text(&json, "method", title);
    jsonl_number(&json, "step", row->step);
    jsonl_int(&json, "steps", carom_state_step_count(t->state));
    jsonl_number(&json, "time", carom_state_time(t->state));
    put_quantities(&json, "difference", row->difference);
    put_quantities(&json, "order", row->order);
    put_quantities(&json, "error", row->error);
    jsonl_number(&json, "energy_drift", energy_drift(t));
    jsonl_number(&json, "momentum_balance", t->summary.largest_momentum_balance);
    jsonl_number(&json, "joint_drift", joint_drift(t));
    jsonl_number(&json, "residual", t->summary.largest_residual);
    jsonl_int(&json, "contacts", t->summary.most_contacts);
    jsonl_int(&json, "broken_steps", t->summary.broken_steps);
    carom_verdict verdict = trial_verdict(t);
    jsonl_text(&json, "verdict", carom_colour_name(verdict.colour));
    jsonl_text(&json, "verdict_text", verdict.sentence);
    jsonl_number(&json, "seconds", seconds_in_all(t));
    jsonl_number(&json, "seconds_a_step", seconds_a_step(t));
    if (t->stopped)
        jsonl_text(&json, "stopped", t->why);
    else
        jsonl_null(&json, "stopped");
    jsonl_end(&json);
}

static void print_method(FILE *to, const converge_report *report, const converge_curve *curve) {
    jsonl_writer json = jsonl_begin(to);
    jsonl_text(&json, "kind", "method");
    jsonl_text(&json, "scene", report->study.file);
    jsonl_text(&json, "method", curve->course.choice->title);
    jsonl_number(&json, "order", curve->least_order);
    if (curve->rows == NULL)
        jsonl_null(&json, "orders");
    else
        put_quantities(&json, "orders", curve->order);
    jsonl_bool(&json, "settled", curve->rows != NULL && curve->steady);
    jsonl_bool(&json, "exact", curve->rows != NULL && curve->exact);
    if (report->def->reference != NULL)
        jsonl_text(&json, "reference", report->reference.title);
    else
        jsonl_null(&json, "reference");
    if (curve->rows != NULL && curve->to_first_known && report->def->reference == NULL)
        put_quantities(&json, "to_first", curve->to_first.largest);
    else
        jsonl_null(&json, "to_first");
    if (curve->rows == NULL)
        jsonl_text(&json, "refused", curve->course.refusal);
    else
        jsonl_null(&json, "refused");
    jsonl_end(&json);
}

void print_converge_json(FILE *to, const converge_report *report) {
    for (int i = 0; i < report->methods.count; i++) {
        const converge_curve *curve = &report->curves[i];
        for (int k = 0; curve->rows != NULL && k < report->row_count; k++)
            print_run(to, curve->course.choice->title, &curve->rows[k]);
        print_method(to, report, curve);
    }
}
