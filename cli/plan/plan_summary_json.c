// SPDX-License-Identifier: MIT
#include <math.h>

#include "base/json.h"
#include "plan/plan_summary.h"
#include "run/run_summary.h"
#include "run/scene_input.h"

static void put_certificate(jsonl_writer *json, const carom_plan_certificate *c) {
    int count;
    const carom_plan_line *lines = carom_plan_lines(&count);
    jsonl_open_list(json, "certificate");
    for (int i = 0; i < count; i++) {
        jsonl_open(json, NULL);
        jsonl_text(json, "name", lines[i].name);
        jsonl_text(json, "unit", lines[i].unit);
        jsonl_number(json, "value", carom_plan_line_value(&lines[i], c));
        jsonl_number(json, "bound", isinf(lines[i].bound) ? NAN : carom_plan_line_bound(&lines[i], c));
        jsonl_bool(json, "kept", carom_plan_line_keeps(&lines[i], c));
        jsonl_close(json);
    }
    jsonl_close_list(json);
    jsonl_bool(json, "strict", c->strict);
    jsonl_bool(json, "kept", c->kept);
}

static void put_contacts(jsonl_writer *json, const carom_plan_data *plan) {
    jsonl_open_list(json, "contacts");
    for (int i = 0; i < plan->impulse_count; i++) {
        const carom_plan_impulse *impulse = &plan->impulse[i];
        jsonl_open(json, NULL);
        jsonl_int(json, "contact", impulse->contact);
        jsonl_int(json, "node", impulse->node);
        jsonl_number(json, "time", plan->time[impulse->node]);
        jsonl_int(json, "a", impulse->a.index);
        jsonl_int(json, "b", impulse->b.index);
        jsonl_vector(json, "point", impulse->point);
        jsonl_vector(json, "impulse", impulse->impulse);
        jsonl_close(json);
    }
    jsonl_close_list(json);
}

static void put_solves(jsonl_writer *json, const carom_plan_data *plan) {
    jsonl_open_list(json, "solves");
    for (int i = 0; i < plan->solve_count; i++) {
        const carom_plan_solve *solve = &plan->solve[i];
        jsonl_open(json, NULL);
        jsonl_int(json, "start", solve->start);
        jsonl_int(json, "level", solve->level);
        jsonl_int(json, "intervals", solve->intervals);
        jsonl_text(json, "outcome", carom_plan_outcome_name(solve->outcome));
        jsonl_int(json, "iterations", solve->iterations);
        jsonl_number(json, "effort", solve->effort);
        jsonl_number(json, "violation", solve->violation);
        jsonl_number(json, "optimality", solve->optimality);
        jsonl_number(json, "seconds", solve->seconds);
        jsonl_close(json);
    }
    jsonl_close_list(json);
}

static void put_warnings(jsonl_writer *json, const carom_scene_messages *warnings) {
    if (warnings == NULL) return;
    jsonl_open_list(json, "warnings");
    for (int i = 0; i < warnings->count; i++) {
        jsonl_open(json, NULL);
        put_scene_message(json, &warnings->message[i]);
        jsonl_close(json);
    }
    jsonl_close_list(json);
}

void print_plan_object(FILE *to, const plan_summary *s) {
    const carom_plan_data *plan = s->plan;
    carom_verdict finding[CAROM_RULE_COUNT];
    for (int r = 0; r < CAROM_RULE_COUNT; r++)
        finding[r] = carom_recording_finding(&s->info, (carom_rule)r, s->recording);
    jsonl_writer json = jsonl_begin(to);
    jsonl_text(&json, "recording", s->path);
    jsonl_int(&json, "format", s->info.format);
    jsonl_text(&json, "version", s->info.version);
    jsonl_text(&json, "outcome", carom_plan_outcome_name(plan->outcome));
    jsonl_text(&json, "reason", plan->reason);
    jsonl_bool(&json, "finished", s->info.finished);
    jsonl_int(&json, "intervals", plan->interval_count);
    jsonl_number(&json, "time", plan->interval_count > 0 ? plan->time[plan->interval_count] : NAN);
    jsonl_int(&json, "bodies", plan->body_count);
    jsonl_int(&json, "controls", plan->control_count);
    jsonl_int(&json, "numbers", plan->number_count);
    if (plan->interval_count > 0) put_certificate(&json, &plan->certificate);
    put_contacts(&json, plan);
    put_solves(&json, plan);
    jsonl_int(&json, "frames", s->info.frame_count);
    jsonl_hash(&json, "hash", s->info.hash);
    put_warnings(&json, s->warnings);
    put_verdict(&json, &s->verdict, &s->info, finding);
    if (s->report != NULL)
        jsonl_text(&json, "report", s->report);
    else
        jsonl_null(&json, "report");
    jsonl_end(&json);
}

void print_plan_line_object(FILE *to, const char *file, const carom_scene *scene, const carom_plan *plan) {
    const carom_plan_def *def = carom_scene_plan(scene);
    carom_plan_extent extent = carom_plan_get_extent(plan);
    jsonl_writer json = jsonl_begin(to);
    jsonl_text(&json, "file", file);
    jsonl_open(&json, "plan");
    jsonl_int(&json, "intervals", def->intervals);
    jsonl_number(&json, "time", def->time);
    jsonl_bool(&json, "time_free", def->time_free);
    jsonl_int(&json, "controls", def->control_count);
    jsonl_int(&json, "numbers", extent.numbers);
    jsonl_int(&json, "conditions", def->condition_count);
    jsonl_int(&json, "unknowns", extent.unknowns);
    jsonl_int(&json, "rows", extent.rows);
    jsonl_close(&json);
    jsonl_end(&json);
}
