// SPDX-License-Identifier: MIT
// Methods, or recordings, side by side as a page: differences over time (docs/report.md, kind "compare").
#include "compare/compare_page.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory_file.h"
#include "carom/version.h"
#include "report/report_file.h"
#include "verb/verb.h"

// A page that is being made: its header, and arrays of numbers beside it.
typedef struct page {
    memory_file header;
    jsonl_writer json;
    int count, capacity;
    carom_report_blob *blobs; // names and values are the page's own
    bool no_memory;
} page;

static int begin_page(page *p, const char *title, const char *description) {
    *p = (page){.count = 0};
    if (!memory_file_open(&p->header)) return refuse_memory("the page");
    p->json = jsonl_begin(p->header.to);
    jsonl_int(&p->json, "carom_report", 1);
    jsonl_text(&p->json, "kind", "compare");
    jsonl_text(&p->json, "title", title);
    jsonl_text(&p->json, "description", description);
    jsonl_text(&p->json, "version", carom_version());
    jsonl_open_list(&p->json, "quantities");
    for (int i = 0; i < QUANTITY_COUNT; i++) {
        jsonl_open(&p->json, NULL);
        jsonl_text(&p->json, "name", quantity_names[i]);
        jsonl_text(&p->json, "unit", quantity_units[i]);
        jsonl_close(&p->json);
    }
    jsonl_close_list(&p->json);
    return EXIT_GOOD;
}

// Room for `count` numbers under the name "what_index"; NULL without memory.
static double *add_numbers(page *p, const char *what, int index, int64_t count) {
    if (p->count == p->capacity) {
        int capacity = 2 * p->capacity + 8;
        carom_report_blob *larger = realloc(p->blobs, (size_t)capacity * sizeof *larger);
        if (larger != NULL) p->blobs = larger, p->capacity = capacity;
    }
    char *name = malloc(48);
    double *values = malloc((size_t)(count + 1) * sizeof *values);
    if (p->count == p->capacity || name == NULL || values == NULL) {
        free(name);
        free(values);
        p->no_memory = true;
        return NULL;
    }
    snprintf(name, 48, "%s_%d", what, index);
    p->blobs[p->count++] = (carom_report_blob){name, count, values};
    return values;
}

static void copy_numbers(page *p, const char *what, int index, int64_t count, const double *from) {
    double *to = add_numbers(p, what, index, count);
    if (to != NULL && count > 0) memcpy(to, from, (size_t)count * sizeof *to);
}

static void add_curve(page *p, int index, const difference_curve *c) {
    copy_numbers(p, "difference_times", index, c->count, c->time);
    double *to = add_numbers(p, "difference", index, QUANTITY_COUNT * c->count);
    for (int q = 0; q < QUANTITY_COUNT && to != NULL && c->count > 0; q++)
        memcpy(to + q * c->count, c->largest[q], (size_t)c->count * sizeof *to);
}

// Of `bodies` bodies, each component on its own.
static void add_path(page *p, int index, int bodies, const path_curve *c) {
    copy_numbers(p, "path_times", index, c->count, c->time);
    copy_numbers(p, "path_energy", index, c->count, c->energy);
    int64_t rows = 3 * (int64_t)bodies;
    double *to = add_numbers(p, "path_position", index, rows * c->count);
    for (int64_t row = 0; row < rows && to != NULL; row++)
        for (int64_t t = 0; t < c->count; t++) *to++ = c->position[rows * t + row];
}

static int end_page(page *p, const char *path, bool force) {
    jsonl_end(&p->json);
    char *header = memory_file_close(&p->header);
    bool good = header != NULL && !p->no_memory;
    int code = good ? write_report_page(header, p->count, p->blobs, path, force) : refuse_memory("the page");
    for (int i = 0; i < p->count; i++) {
        free((char *)p->blobs[i].name);
        free((double *)p->blobs[i].values);
    }
    free(p->blobs);
    free(header);
    return code;
}

static void put_fact(jsonl_writer *json, const char *name, const char *format, ...) CAROM_PRINTF_LIKE(3, 4);

static void put_fact(jsonl_writer *json, const char *name, const char *format, ...) {
    char text[640];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    jsonl_open(json, NULL);
    jsonl_text(json, "name", name);
    jsonl_text(json, "text", text);
    jsonl_close(json);
}

static void put_verdict_fact(jsonl_writer *json, carom_verdict verdict) {
    put_fact(json, "verdict", "%s: %s", carom_colour_name(verdict.colour), verdict.sentence);
}

// ---- methods

// Those that every run has, or those that only some have.
static void put_quantities(jsonl_writer *json, const method_side *side, bool rare) {
    int count;
    const carom_quantity *quantities = carom_quantities(&count);
    for (int i = 0; i < count; i++) {
        const carom_quantity *quantity = &quantities[i];
        bool of_some = quantity->rare || quantity->scope == CAROM_SCOPE_CONTACTS;
        if (!quantity->compared || of_some != rare || !tells_of(quantity, side)) continue;
        char shown[SHOWN_FACT];
        show_quantity(quantity, side, shown);
        put_fact(json, quantity->label, "%s", shown);
    }
}

static void put_side(jsonl_writer *json, const methods_comparison *c, const method_side *side) {
    const trial *t = &side->trial;
    jsonl_open(json, NULL);
    jsonl_text(json, "name", side->course.choice->title);
    jsonl_open_list(json, "facts");
    put_fact(json, "step", "%.6g s", side->step);
    put_fact(json, "steps", "%" PRId64, carom_state_step_count(t->state));
    put_fact(json, "common times", "%" PRId64 " to %.6g s%s", c->study.sample_count,
             sample_time(&c->study, c->study.sample_count - 1), side->interpolated ? ", between its steps" : "");
    put_fact(json, "energy drift", "%.1e", energy_drift(t));
    put_quantities(json, side, false);
    put_fact(json, "broken steps", "%" PRId64, t->summary.broken_steps);
    put_verdict_fact(json, trial_verdict(t));
    put_fact(json, "processor time", "%.3g s, %.3g us a step", seconds_in_all(t), 1e6 * seconds_a_step(t));
    // Not of every run: last, so that the rows of all runs have one order.
    put_quantities(json, side, true);
    if (t->stopped) put_fact(json, "stopped", "%s", t->why);
    jsonl_close_list(json);
    jsonl_close(json);
}

static void put_difference(jsonl_writer *json, const methods_comparison *c, const method_side *side) {
    jsonl_open(json, NULL);
    jsonl_text(json, "name", side->course.choice->title);
    jsonl_text(json, "verdict", side_agrees(c, side) ? "agrees" : "differs");
    jsonl_open_list(json, "notes");
    if (side->trial.stopped) jsonl_text(json, NULL, side->trial.why);
    jsonl_close_list(json);
    jsonl_close(json);
}

static void put_paths(jsonl_writer *json, const methods_comparison *c) {
    const carom_model *model = carom_scene_model(c->study.scene);
    jsonl_open(json, "paths");
    jsonl_open_list(json, "bodies");
    for (int i = 0; i < c->path_count; i++) {
        char number[32];
        const char *name = carom_model_body_name(model, (carom_body){c->path_body[i]});
        snprintf(number, sizeof number, "body %d", c->path_body[i]);
        jsonl_text(json, NULL, name != NULL && name[0] != '\0' ? name : number);
    }
    jsonl_close_list(json);
    jsonl_int(json, "left_out", c->path_left_out);
    jsonl_close(json);
}

// The first run, and then those that are compared with it.
int write_methods_page(const char *path, bool force, const methods_comparison *c) {
    page p;
    int code = begin_page(&p, carom_scene_name(c->study.scene), carom_scene_description(c->study.scene));
    if (code != EXIT_GOOD) return code;
    const method_side **others = calloc((size_t)c->methods.count, sizeof(method_side *));
    int count = 0;
    p.no_memory = others == NULL;
    for (int i = 0; i < c->methods.count && others != NULL; i++)
        if (c->sides[i].trial.state != NULL && &c->sides[i] != c->first) others[count++] = &c->sides[i];
    jsonl_open_list(&p.json, "runs");
    put_side(&p.json, c, c->first);
    for (int i = 0; i < count; i++) put_side(&p.json, c, others[i]);
    jsonl_close_list(&p.json);
    jsonl_open_list(&p.json, "differences");
    for (int i = 0; i < count; i++) put_difference(&p.json, c, others[i]);
    jsonl_close_list(&p.json);
    put_paths(&p.json, c);
    for (int i = 0; i < count; i++) add_curve(&p, i, &others[i]->curve);
    add_path(&p, 0, c->path_count, &c->first->path);
    for (int i = 0; i < count; i++) add_path(&p, i + 1, c->path_count, &others[i]->path);
    free(others);
    return end_page(&p, path, force);
}

// ---- recordings

static void put_run(jsonl_writer *json, const run_side *side) {
    const carom_recording_info *info = &side->info;
    jsonl_open(json, NULL);
    jsonl_text(json, "name", side->path);
    jsonl_open_list(json, "facts");
    put_fact(json, "method", "%s", info->method);
    put_fact(json, "step", "%.6g s", info->step);
    put_fact(json, "steps", "%" PRId64, info->step_count);
    put_fact(json, "end", "%.9g s", info->time);
    put_verdict_fact(json, carom_recording_verdict(info, side->recording));
    put_fact(json, "hash", "%016" PRIx64, info->hash);
    jsonl_close_list(json);
    jsonl_close(json);
}

int write_runs_page(const char *path, bool force, const runs_comparison *c) {
    page p;
    int code = begin_page(&p, "Two recordings", "");
    if (code != EXIT_GOOD) return code;
    jsonl_open_list(&p.json, "runs");
    for (int i = 0; i < 2; i++) put_run(&p.json, &c->side[i]);
    jsonl_close_list(&p.json);
    jsonl_open_list(&p.json, "differences");
    jsonl_open(&p.json, NULL);
    jsonl_text(&p.json, "name", c->side[1].path);
    jsonl_text(&p.json, "verdict", c->identical ? "identical" : c->agree ? "agrees" : "differs");
    jsonl_open_list(&p.json, "notes");
    if (c->bodies_text[0] != '\0') jsonl_text(&p.json, NULL, c->bodies_text);
    if (c->scene_line > 0) jsonl_text(&p.json, NULL, "The scenes are not the same.");
    if (!c->same_end) jsonl_text(&p.json, NULL, "They do not end at the same time.");
    jsonl_close_list(&p.json);
    jsonl_close(&p.json);
    jsonl_close_list(&p.json);
    add_curve(&p, 0, &c->curve);
    return end_page(&p, path, force);
}
