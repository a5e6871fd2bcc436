// SPDX-License-Identifier: MIT
// Methods, or recordings, side by side as a page: differences over time (docs/report.md, kind "compare").
#include "compare_page.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "carom/version.h"
#include "json.h"
#include "report_file.h"
#include "verb.h"

typedef struct page {
    char *header;
    size_t size;
    FILE *to;
    jsonl_writer json;
} page;

static int begin_page(page *p, const char *title, const char *description) {
    *p = (page){.header = NULL};
    p->to = open_memstream(&p->header, &p->size);
    if (p->to == NULL) return refuse_memory("the page");
    p->json = jsonl_begin(p->to);
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

// Takes the numbers of the curves along, two blobs each.
static int end_page(page *p, const difference_curve *const *curves, int count, const char *path, bool force) {
    jsonl_end(&p->json);
    bool good = fclose(p->to) == 0;
    carom_report_blob *blobs = calloc(2 * (size_t)count + 1, sizeof *blobs);
    char(*names)[2][32] = calloc((size_t)count + 1, sizeof *names);
    good = good && blobs != NULL && names != NULL;
    for (int i = 0; i < count && good; i++) {
        const difference_curve *c = curves[i];
        double *values = malloc((size_t)(QUANTITY_COUNT * c->count + 1) * sizeof *values);
        good = values != NULL;
        for (int q = 0; q < QUANTITY_COUNT && good && c->count > 0; q++)
            memcpy(values + q * c->count, c->largest[q], (size_t)c->count * sizeof *values);
        snprintf(names[i][0], sizeof names[i][0], "difference_times_%d", i);
        snprintf(names[i][1], sizeof names[i][1], "difference_%d", i);
        blobs[2 * i] = (carom_report_blob){names[i][0], c->count, c->time};
        blobs[2 * i + 1] = (carom_report_blob){names[i][1], QUANTITY_COUNT * c->count, values};
    }
    int code = good ? write_report_page(p->header, 2 * count, blobs, path, force) : refuse_memory("the page");
    for (int i = 0; i < count && blobs != NULL; i++) free((double *)blobs[2 * i + 1].values);
    free(blobs);
    free(names);
    free(p->header);
    return code;
}

static void put_fact(jsonl_writer *json, const char *name, const char *format, ...) CAROM_PRINTF_LIKE(3, 4);

static void put_fact(jsonl_writer *json, const char *name, const char *format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    jsonl_open(json, NULL);
    jsonl_text(json, "name", name);
    jsonl_text(json, "text", text);
    jsonl_close(json);
}

// ---- methods

static void put_side(jsonl_writer *json, const method_side *side) {
    const trial *t = &side->trial;
    jsonl_open(json, NULL);
    jsonl_text(json, "name", side->course.choice->title);
    jsonl_open_list(json, "facts");
    put_fact(json, "step", "%.6g s", side->step);
    put_fact(json, "steps", "%" PRId64, carom_state_step_count(t->state));
    put_fact(json, "energy drift", "%.1e", energy_drift(t));
    put_fact(json, "momentum balance", "%.1e", t->momentum_balance);
    put_fact(json, "residual", "%.1e", t->residual);
    if (t->projection_energy != 0.0) put_fact(json, "projection", "%.1e J", t->projection_energy);
    if (t->impact_energy != 0.0) put_fact(json, "impacts", "%.1e J", t->impact_energy);
    put_fact(json, "broken steps", "%" PRId64, t->broken_steps);
    put_fact(json, "processor time", "%.3g s, %.3g us a step", seconds_in_all(t), 1e6 * seconds_a_step(t));
    if (t->stopped) put_fact(json, "stopped", "%s", t->why);
    jsonl_close_list(json);
    jsonl_close(json);
}

int write_methods_page(const char *path, bool force, const methods_comparison *c) {
    page p;
    int count = 0, code = begin_page(&p, carom_scene_name(c->study.scene), carom_scene_description(c->study.scene));
    if (code != EXIT_GOOD) return code;
    const difference_curve **curves = calloc((size_t)c->methods.count, sizeof *curves);
    jsonl_open_list(&p.json, "runs");
    put_side(&p.json, c->first);
    for (int i = 0; i < c->methods.count; i++)
        if (c->sides[i].trial.state != NULL && &c->sides[i] != c->first) put_side(&p.json, &c->sides[i]);
    jsonl_close_list(&p.json);
    jsonl_open_list(&p.json, "differences");
    for (int i = 0; i < c->methods.count && curves != NULL; i++) {
        const method_side *side = &c->sides[i];
        if (side->trial.state == NULL || side == c->first) continue;
        jsonl_open(&p.json, NULL);
        jsonl_text(&p.json, "name", side->course.choice->title);
        jsonl_text(&p.json, "verdict", side_agrees(c, side) ? "agrees" : "differs");
        jsonl_open_list(&p.json, "notes");
        if (side->trial.stopped) jsonl_text(&p.json, NULL, side->trial.why);
        jsonl_close_list(&p.json);
        jsonl_close(&p.json);
        curves[count++] = &side->curve;
    }
    jsonl_close_list(&p.json);
    code = end_page(&p, curves, count, path, force);
    free(curves);
    return code;
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
    put_fact(json, "verdict", "%s", carom_recording_verdict(info).sentence);
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
    return end_page(&p, (const difference_curve *const[]){&c->curve}, 1, path, force);
}
