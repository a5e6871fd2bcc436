// SPDX-License-Identifier: MIT
// What a tolerance of `lcp` costs and is worth, on everyday heaps: rubble falls into a bin (cost, overlaps), a house of
// cards stands for a minute (creep), dominoes fall and sledges are pulled (distance to a run at 1e-6, before chaos).
// Prints the table of docs/method-lcp.md.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "carom/carom.h"
#include "math/vec3.h"
#include "support/report.h"

#define HEAPS CAROM_SOURCE_DIR "/tests/data/heaps/"
#define REFERENCE "{\"tolerance\": 1e-6, \"budget\": 20}"

static void stop(const char *why) {
    fprintf(stderr, "carom: %s\n", why);
    exit(3);
}

// ---- runs

typedef struct heap {
    carom_scene *scene;
    const carom_model *model;
    carom_state *state;
    int64_t steps, above, contacts; // of the run; steps with a residual above 1e-3
    double seconds, worst_step;     // processor time
    double overlap;                 // the largest, of a body's size
} heap;

static heap begin(const char *name, const char *settings) {
    char file[512], text[128];
    snprintf(file, sizeof file, HEAPS "%s.json", name);
    snprintf(text, sizeof text, "method.lcp=%s", settings);
    heap h = {0};
    carom_error error;
    carom_scene_source source = carom_scene_source_default();
    source.file = file;
    source.override_count = 1;
    source.overrides = (const char *[]){text};
    if (carom_scene_read(&source, NULL, &h.scene, NULL, &error) != CAROM_OK) stop(error.text);
    h.model = carom_scene_model(h.scene);
    if (carom_state_create(h.model, carom_scene_method(h.scene), &h.state, &error) != CAROM_OK) stop(error.text);
    return h;
}

static void end(heap *h) {
    carom_state_destroy(h->state);
    carom_scene_destroy(h->scene);
}

static const double everyday = 1e-3; // what the default promises

static void go(heap *h, double until) {
    double step = carom_scene_method(h->scene)->step;
    carom_error error;
    for (carom_step_report report; carom_state_time(h->state) < until - 0.5 * step;) {
        double begun = crm_clock_thread_seconds();
        if (carom_step(h->model, h->state, NULL, &report, &error) != CAROM_OK) stop(error.text);
        double taken = crm_clock_thread_seconds() - begun;
        if (report.outcome == CAROM_STEP_IMPOSSIBLE) stop(report.text);
        h->steps++;
        h->above += !(report.residual <= everyday);
        h->contacts += report.contacts;
        h->seconds += taken;
        h->worst_step = fmax(h->worst_step, taken);
        h->overlap = fmax(h->overlap, report.infeasibility);
    }
}

static carom_vec3 position(const heap *h, int body) {
    carom_body_state at;
    carom_error error;
    if (carom_state_get_body(h->state, (carom_body){body}, &at, &error) != CAROM_OK) stop(error.text);
    return at.position;
}

typedef struct gaps {
    double mean, largest; // distances of bodies in two runs, m; of all but the floor
} gaps;

static gaps between(const heap *h, const heap *other) {
    gaps found = {0};
    int count = carom_model_body_count(h->model);
    for (int b = 1; b < count; b++) {
        double apart = crm_distance(position(h, b), position(other, b));
        found.mean += apart / (count - 1);
        found.largest = fmax(found.largest, apart);
    }
    return found;
}

// ---- what is measured

static double minute_of_cards(const char *settings) {
    heap first = begin("cards", settings), h = begin("cards", settings);
    go(&h, 60.0);
    double crept = between(&h, &first).largest;
    end(&first);
    end(&h);
    return crept;
}

static double distance_of(const char *name, const char *settings, double until, const heap *reference) {
    heap h = begin(name, settings);
    go(&h, until);
    double apart = between(&h, reference).mean;
    end(&h);
    return apart;
}

static const double fallen = 20.0; // mm: a house of cards that has got so far lies on the floor
static const double dominoes_until = 2.5, sledges_until = 1.5; // s: before chaos

static const struct choice {
    const char *name, *settings;
} choices[] = {
    {"`fast`: 20 sweeps", "{\"accuracy\": \"fast\"}"},
    {"1e-2", "{\"tolerance\": 1e-2}"},
    {"`default`: 1e-3, at rest 1e-5", "{}"},
    {"1e-4", "{\"tolerance\": 1e-4}"},
    {"1e-6", "{\"tolerance\": 1e-6}"},
};

static void print_row(bool json, const char *name, const char *quantity, const char *unit, double value) {
    char text[64];
    snprintf(text, sizeof text, "%s, %s", name, quantity);
    bench_row row = bench_row_of("tolerance", text, unit);
    row.carom = value;
    if (json) bench_print_row(json, &row);
}

static void measure(bool json, const struct choice *choice, const heap *dominoes, const heap *sledges) {
    heap rubble = begin("rubble", choice->settings);
    go(&rubble, carom_scene_until(rubble.scene));
    double cost = 1e6 * rubble.seconds / (double)rubble.contacts, worst = 1e3 * rubble.worst_step;
    double above = 100.0 * (double)rubble.above / (double)rubble.steps, overlap = rubble.overlap;
    end(&rubble);
    double creep = 1e3 * minute_of_cards(choice->settings);
    double falling = 1e3 * distance_of("dominoes", choice->settings, dominoes_until, dominoes);
    double pulled = 1e3 * distance_of("sledges", choice->settings, sledges_until, sledges);
    print_row(json, choice->name, "a contact", "us", cost);
    print_row(json, choice->name, "worst step", "ms", worst);
    print_row(json, choice->name, "creep", "mm", creep);
    print_row(json, choice->name, "dominoes", "mm", falling);
    print_row(json, choice->name, "sledges", "mm", pulled);
    if (json) return;
    printf("| %s | %.2f | %.1f | %.1f %% | %.1e | ", choice->name, cost, worst, above, overlap);
    if (creep > fallen)
        printf("falls");
    else
        printf("%.2g", creep);
    printf(" | %.2g | %.2g |\n", falling, pulled);
    fflush(stdout);
}

int main(int argc, char **argv) {
    bool json = bench_wants_json(argc, argv);
    heap dominoes = begin("dominoes", REFERENCE), sledges = begin("sledges", REFERENCE);
    go(&dominoes, dominoes_until);
    go(&sledges, sledges_until);
    if (!json)
        printf("| | rubble: us a contact | worst step, ms | steps above 1e-3 | largest overlap | cards: creep in 60 s, "
               "mm | "
               "dominoes at 2.5 s, mm | sledges at 1.5 s, mm |\n|---|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) measure(json, &choices[i], &dominoes, &sledges);
    end(&dominoes);
    end(&sledges);
    return 0;
}
