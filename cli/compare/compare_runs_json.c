// SPDX-License-Identifier: MIT
// Two recordings side by side, for a program: one object.
#include "base/json.h"
#include "compare/compare_runs.h"

static void put_first_step(jsonl_writer *json, const runs_comparison *c) {
    if (!c->certificate_differs) {
        jsonl_null(json, "first_step");
        return;
    }
    jsonl_open(json, "first_step");
    jsonl_int(json, "step", c->certificate_step);
    jsonl_text(json, "quantity", c->certificate_quantity);
    jsonl_number(json, "a", c->certificate_value[0]);
    jsonl_number(json, "b", c->certificate_value[1]);
    jsonl_close(json);
}

static void put_first_frame(jsonl_writer *json, const runs_comparison *c) {
    if (!c->frame_differs) {
        jsonl_null(json, "first_frame");
        return;
    }
    jsonl_open(json, "first_frame");
    jsonl_int(json, "frame", c->frame);
    jsonl_int(json, "step", c->frame_step);
    jsonl_number(json, "time", c->frame_time);
    jsonl_int(json, "body", c->frame_body);
    jsonl_text(json, "name", carom_recording_body_name(c->side[0].recording, c->frame_body));
    jsonl_text(json, "quantity", quantity_names[c->frame_quantity]);
    jsonl_number(json, "difference", c->frame_difference);
    jsonl_close(json);
}

void print_runs_json(FILE *to, const runs_comparison *c) {
    jsonl_writer json = jsonl_begin(to);
    jsonl_text(&json, "a", c->side[0].path);
    jsonl_text(&json, "b", c->side[1].path);
    jsonl_number(&json, "tolerance", c->tolerance);
    jsonl_bool(&json, "agree", c->agree);
    jsonl_bool(&json, "identical", c->identical);
    jsonl_bool(&json, "same_scene", c->scene_line == 0);
    jsonl_bool(&json, "same_bodies", c->bodies_text[0] == '\0');
    jsonl_bool(&json, "same_end", c->same_end);
    jsonl_int(&json, "frames", c->frames);
    jsonl_int(&json, "frames_only_in_a", c->side[0].frames_alone);
    jsonl_int(&json, "frames_only_in_b", c->side[1].frames_alone);
    jsonl_int(&json, "certificates", c->certificates);
    put_first_step(&json, c);
    put_first_frame(&json, c);
    jsonl_open(&json, "largest");
    for (int i = 0; i < QUANTITY_COUNT; i++) jsonl_number(&json, quantity_names[i], c->spread.largest[i]);
    jsonl_close(&json);
    for (int i = 0; i < 2; i++) {
        carom_verdict verdict = carom_recording_verdict(&c->side[i].info, c->side[i].recording);
        jsonl_text(&json, i == 0 ? "verdict_a" : "verdict_b", carom_colour_name(verdict.colour));
        jsonl_text(&json, i == 0 ? "verdict_text_a" : "verdict_text_b", verdict.sentence);
    }
    jsonl_hash(&json, "hash_a", c->side[0].info.hash);
    jsonl_hash(&json, "hash_b", c->side[1].info.hash);
    jsonl_end(&json);
}
