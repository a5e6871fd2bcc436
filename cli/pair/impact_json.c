// SPDX-License-Identifier: MIT
// The laws of a collision as one object.
#include <stdio.h>

#include "base/json.h"
#include "pair/impact_report.h"

static void write_body(jsonl_writer *json, const char *key, carom_vec3 velocity, carom_vec3 spin) {
    jsonl_open(json, key);
    jsonl_vector(json, "velocity", velocity);
    jsonl_vector(json, "spin", spin);
    jsonl_close(json);
}

static void write_law(jsonl_writer *json, carom_impact_law law, const carom_impact_pair_result *got) {
    const carom_impact_result *r = &got->result;
    jsonl_open(json, carom_impact_law_name(law));
    jsonl_vector(json, "impulse", r->impulse);
    jsonl_vector(json, "u", r->velocity);
    jsonl_number(json, "normal_impulse", r->normal_impulse);
    jsonl_number(json, "cone_ratio", r->cone_ratio);
    jsonl_text(json, "place", carom_cone_place_name(r->place));
    jsonl_bool(json, "sticks", r->sticks);
    jsonl_number(json, "work", r->work);
    jsonl_bool(json, "gains_energy", r->gains_energy);
    jsonl_number(json, "energy", got->energy_after);
    write_body(json, "a", got->velocity_a, got->spin_a);
    write_body(json, "b", got->velocity_b, got->spin_b);
    if (law == CAROM_IMPACT_LAW_ALGEBRAIC) {
        jsonl_number(json, "kappa", r->kappa);
    } else {
        jsonl_number(json, "normal_work", r->normal_work);
        jsonl_number(json, "compression", r->compression.normal_impulse);
        jsonl_open_list(json, "phases");
        for (int i = 0; i < r->phase_count; i++) jsonl_text(json, NULL, carom_impact_phase_name(r->phases[i]));
        jsonl_close_list(json);
    }
    jsonl_close(json);
}

void print_impacts_object(const impact_report *report) {
    jsonl_writer json = jsonl_begin(stdout);
    jsonl_text(&json, "name", report->collision.name);
    jsonl_vector(&json, "u", report->impact.velocity);
    jsonl_number(&json, "energy", report->law[0].energy_before);
    jsonl_open(&json, "laws");
    for (int law = 0; law < CAROM_IMPACT_LAW_COUNT; law++) write_law(&json, (carom_impact_law)law, &report->law[law]);
    jsonl_close(&json);
    jsonl_end(&json);
}
