// SPDX-License-Identifier: MIT
// Methods side by side, for a program: an object a method.
#include "base/json.h"
#include "compare/compare_methods.h"
#include "run/summary_items.h"

static void put_period(jsonl_writer *json, const char *key, const period *p) {
    if (!p->known) {
        jsonl_null(json, key);
        return;
    }
    jsonl_open(json, key);
    jsonl_number(json, "until", p->until);
    for (int i = 0; i < QUANTITY_COUNT; i++) jsonl_number(json, quantity_names[i], p->spread.largest[i]);
    jsonl_number(json, "energy", p->energy);
    jsonl_number(json, "momentum", p->momentum);
    jsonl_number(json, "angular_momentum", p->angular_momentum);
    jsonl_close(json);
}

static void put_quantity(jsonl_writer *json, const carom_quantity *quantity, const trial *t) {
    const carom_summary_item *item = &quantity->summary[0];
    if (quantity->scope == CAROM_SCOPE_JOINTS && !has_joints(t->scene))
        jsonl_null(json, quantity->name);
    else
        put_summary_item(json, quantity->name, &t->summary, item);
}

static void put_certificate(jsonl_writer *json, const method_side *side) {
    const trial *t = &side->trial;
    jsonl_number(json, "step", side->step);
    jsonl_int(json, "steps", carom_state_step_count(t->state));
    jsonl_number(json, "time", carom_state_time(t->state));
    jsonl_number(json, "energy_drift", energy_drift(t));
    int count;
    const carom_quantity *quantities = carom_quantities(&count);
    for (int i = 0; i < count; i++)
        if (quantities[i].compared) put_quantity(json, &quantities[i], t);
    jsonl_int(json, "broken_steps", t->summary.broken_steps);
    carom_verdict verdict = trial_verdict(t);
    jsonl_text(json, "verdict", carom_colour_name(verdict.colour));
    jsonl_text(json, "verdict_text", verdict.sentence);
    jsonl_number(json, "seconds", seconds_in_all(t));
    jsonl_number(json, "seconds_a_step", seconds_a_step(t));
    jsonl_hash(json, "hash", carom_state_hash(t->state));
    if (t->stopped)
        jsonl_text(json, "stopped", t->why);
    else
        jsonl_null(json, "stopped");
}

static void put_differences(jsonl_writer *json, const methods_comparison *c, const method_side *side) {
    jsonl_text(json, "against", c->first->course.choice->title);
    jsonl_number(json, "tolerance", c->def->tolerance);
    jsonl_bool(json, "agrees", side_agrees(c, side));
    put_period(json, "largest", &side->all);
    jsonl_open_list(json, "periods");
    for (int i = 0; i < PERIOD_COUNT; i++)
        if (side->periods[i].known) put_period(json, NULL, &side->periods[i]);
    jsonl_close_list(json);
}

void print_methods_json(FILE *to, const methods_comparison *c) {
    for (int i = 0; i < c->methods.count; i++) {
        const method_side *side = &c->sides[i];
        jsonl_writer json = jsonl_begin(to);
        jsonl_text(&json, "scene", c->study.file);
        jsonl_text(&json, "method", side->course.choice->title);
        if (side->trial.state == NULL) {
            jsonl_text(&json, "refused", side->course.refusal);
        } else {
            jsonl_null(&json, "refused");
            jsonl_int(&json, "common_times", c->study.sample_count);
            jsonl_number(&json, "common_step", c->study.step);
            jsonl_bool(&json, "interpolated", side->interpolated);
            put_certificate(&json, side);
            if (side != c->first) put_differences(&json, c, side);
        }
        jsonl_end(&json);
    }
}
