// SPDX-License-Identifier: MIT
// Everyday heaps: what a step of `lcp` costs and how wrong it is at several settings, beside Bullet in double precision
// (10 and 50 iterations, sleeping off, in metres or with 20 units to a metre, the better of both for every figure),
// from the same states, in turns, measured by the same code (bench/heaps/). Then what a contact costs as heaps grow.
//
// Times are processor time of one thread, of steps alone. Overlaps are of the size of the smaller body, the largest of
// the run; residuals are those of docs/math.md 6.6, of each engine's own contacts and impulses. What carom promises is
// counted by its certificates: steps above the tolerance.
//
// --coarse leaves out 1e-6 and 1e-8. NAME is that of a scene, or "rest" or "growth" for what follows after all scenes.
//
//   carom bench heaps [--quick] [--coarse] [--only NAME] [--scenes FOLDER] [--steps COUNT] [--limit SECONDS] [--json]
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heaps/heap_growth.h"
#include "heaps/heap_rest.h"
#include "heaps/heap_table.h"
#include "support/report.h"

#define SOURCES CAROM_SOURCE_DIR

enum { MOST_STEPS = 360, QUICK_STEPS = 60, MOST_SCENES = 256, PATH_SIZE = 4096 };
static const double limit_of_a_run = 20.0, growth_limit = 60.0; // of processor time, s

// ---- targets, with AVX2 and without

static bool has_avx2(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

// At most of the steps of a heap above the tolerance, and of all; of towers.
static const double above_of_a_heap = 0.04, above_of_all = 0.02, above_of_a_tower = 0.08, above_when_fine = 0.5;
// Overlaps over Bullet's.
static const double overlap_of_sweeps = 0.5, overlap_of_default = 0.2, overlap_of_column = 0.4;
// A contact of the largest heap costs at most so many times that of the smallest; bytes a contact.
static const double growth_of_time = 1.5, bytes_a_contact = 2048.0;

// A step of dominoes that have fallen, ms.
static const double step_at_rest = 0.1;
// No step of 1e-6 within the default budget is above this.
static const double loosest_fine = 1e-3;

// Before there was a budget, 1e-6 cost so many steps of Bullet with 10 iterations; a quarter and a twentieth of it are
// to be had.
static const struct former {
    const char *heap;
    double mean, worst;
} formers[] = {
    {"dominoes", 84.0, 5480.0}, {"galton", 88.0, 5040.0}, {"hourglass", 22.0, 827.0}, {"rubble", 71.0, 3150.0}};
static const double share_of_mean = 0.25, share_of_worst = 0.05;

typedef struct bench {
    bool json;
    const char *only, *folder; // NULL: all; those of the repository
    int settings, steps;
    double limit;
    bench_heap_tally heaps[BENCH_HEAP_SETTINGS], towers[BENCH_HEAP_SETTINGS];
} bench;

// ---- which heaps

static int compare_paths(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

// The scene files of a folder in order of the alphabet.
static int list_folder(const char *folder, char *paths[MOST_SCENES]) {
    int count = 0;
    DIR *directory = opendir(folder);
    if (directory == NULL) {
        fprintf(stderr, "carom: there is no folder '%s'\n", folder);
        exit(2);
    }
    for (struct dirent *entry; count < MOST_SCENES && (entry = readdir(directory)) != NULL;) {
        const char *end = strrchr(entry->d_name, '.');
        char path[PATH_SIZE];
        if (end == NULL || strcmp(end, ".json") != 0) continue;
        snprintf(path, sizeof path, "%.3000s/%.255s", folder, entry->d_name);
        if ((paths[count] = strdup(path)) != NULL) count++;
    }
    closedir(directory);
    qsort(paths, (size_t)count, sizeof paths[0], compare_paths);
    return count;
}

static bool is_wanted(const bench *b, const char *path) {
    char stem[PATH_SIZE];
    const char *name = strrchr(path, '/');
    snprintf(stem, sizeof stem, "%s", name != NULL ? name + 1 : path);
    if (strrchr(stem, '.') != NULL) *strrchr(stem, '.') = '\0';
    return b->only == NULL || strcmp(b->only, stem) == 0;
}

// ---- runs

static void print_former(const bench *b, const bench_heap_contest *c) {
    const bench_heap_result *r = &c->ours[BENCH_HEAP_FINE], *peer = &c->peers[BENCH_HEAP_BULLET_10];
    for (size_t i = 0; i < sizeof formers / sizeof formers[0]; i++) {
        const struct former *f = &formers[i];
        if (strcmp(f->heap, c->heap.name) != 0 || peer->steps == 0 || c->steps < MOST_STEPS || r->steps == 0) continue;
        bench_row row = bench_row_of("heaps", "1e-6, mean", "x B10");
        row.carom = r->ended ? r->mean / peer->mean : NAN;
        row.peer = "before the budget";
        row.peer_value = f->mean;
        row.target_kind = BENCH_RATIO_AT_LEAST;
        row.target = 1.0 / share_of_mean;
        bench_print_row(b->json, &row);
        row.name = "1e-6, worst step";
        row.carom = r->ended ? r->worst / peer->mean : NAN;
        row.peer_value = f->worst;
        row.target = 1.0 / share_of_worst;
        bench_print_row(b->json, &row);
    }
}

static void run_heap(bench *b, const char *source, bench_heap_tally *tallies) {
    bench_heap_contest contest;
    if (!is_wanted(b, source) || !bench_heap_contest_run(source, b->settings, b->steps, b->limit, &contest)) return;
    bench_heap_print_contest(b->json, &contest);
    print_former(b, &contest);
    for (int i = 0; i < BENCH_HEAP_SETTINGS; i++) bench_heap_tally_add(&tallies[i], &contest, i);
    bench_heap_close(&contest.heap);
}

static void run_folder(bench *b, const char *folder, bench_heap_tally *tallies) {
    char *paths[MOST_SCENES];
    int count = list_folder(folder, paths);
    for (int i = 0; i < count; i++) {
        run_heap(b, paths[i], tallies);
        free(paths[i]);
    }
}

static void run_all(bench *b) {
    run_folder(b, SOURCES "/tests/data/heaps", b->heaps);
    run_heap(b, SOURCES "/scenes/granular-column.json", b->heaps);
    run_heap(b, "pile", b->heaps);
    run_heap(b, "wall", b->heaps);
    run_heap(b, "ellipsoids", b->heaps);
    run_folder(b, SOURCES "/bench/heaps/towers", b->towers);
}

// ---- what they come to

static void print_totals(const bench *b) {
    bool wide = has_avx2();
    bench_heap_targets sweeps = {wide ? 1.2 : 1.8,  wide ? 4.5 : 5.0,  NAN, NAN,
                                 overlap_of_sweeps, overlap_of_sweeps, NAN};
    bench_heap_targets by_default = {
        wide ? 2.0 : 3.0, wide ? 7.0 : 12.0, above_of_a_heap, above_of_all, overlap_of_default, overlap_of_column, NAN};
    bench_heap_targets fine = {NAN, NAN, above_when_fine, NAN, NAN, NAN, loosest_fine};
    bench_heap_targets precise = {NAN, NAN, 0.0, NAN, NAN, NAN, NAN};
    bench_heap_targets towers = {wide ? 12.0 : 30.0, NAN, above_of_a_tower, NAN, NAN, NAN, NAN};
    bench_print_heading(b->json, "heaps: all of them, and towers as a class of their own, in steps of Bullet with 10 "
                                 "iterations");
    bench_heap_print_tally(b->json, "20 sweeps", &b->heaps[BENCH_HEAP_SWEEPS], sweeps);
    bench_heap_print_tally(b->json, "default", &b->heaps[BENCH_HEAP_DEFAULT], by_default);
    bench_heap_print_tally(b->json, "1e-6", &b->heaps[BENCH_HEAP_FINE], fine);
    bench_heap_print_tally(b->json, "1e-8", &b->heaps[BENCH_HEAP_PRECISE], precise);
    bench_heap_print_tally(b->json, "towers, default", &b->towers[BENCH_HEAP_DEFAULT], towers);
}

static void print_growth(const bench *b, const char *name, const char *file) {
    double first = NAN;
    for (int bodies = 100; bodies <= 10000; bodies *= 10) {
        bench_heap_growth g = bench_heap_grow(file, bodies, growth_limit);
        char text[64];
        snprintf(text, sizeof text, "%s, %d, a contact", name, bodies);
        bench_row row = bench_row_of("heaps", text, "us");
        row.carom = g.ended ? 1e6 * g.seconds : NAN;
        if (bodies == 100) first = g.seconds;
        row.target_kind = bodies > 100 ? BENCH_VALUE_AT_MOST : BENCH_NO_TARGET;
        row.target = bodies > 100 ? 1e6 * growth_of_time * first : NAN;
        bench_print_row(b->json, &row);
        snprintf(text, sizeof text, "%s, %d, memory a contact", name, bodies);
        row = bench_row_of("heaps", text, "B");
        row.carom = g.bytes;
        row.target_kind = BENCH_VALUE_AT_MOST;
        row.target = bytes_a_contact;
        bench_print_row(b->json, &row);
    }
}

static void print_at_rest(const bench *b) {
    bench_heap_rest r = bench_heap_at_rest(SOURCES "/tests/data/heaps/dominoes.json");
    const struct {
        const char *name, *unit;
        double value, target;
    } rows[] = {{"dominoes at rest, a step", "ms", 1e3 * r.seconds, step_at_rest},
                {"dominoes at rest, detection a contact", "us", 1e6 * r.detection / r.contacts, NAN},
                {"dominoes at rest, solution a contact", "us", 1e6 * r.solution / r.contacts, NAN},
                {"dominoes at rest, the rest a contact", "us", 1e6 * r.rest / r.contacts, NAN}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bench_row row = bench_row_of("heaps", rows[i].name, rows[i].unit);
        row.carom = rows[i].value;
        row.target_kind = isnan(rows[i].target) ? BENCH_NO_TARGET : BENCH_VALUE_AT_MOST;
        row.target = rows[i].target;
        bench_print_row(b->json, &row);
    }
}

// ---- options

static const char *take_value(int *argc, char **argv, const char *option) {
    for (int i = 1; i + 1 < *argc; i++) {
        if (strcmp(argv[i], option) != 0) continue;
        const char *value = argv[i + 1];
        memmove(&argv[i], &argv[i + 2], (size_t)(*argc - i - 1) * sizeof *argv); // with the NULL at the end
        *argc -= 2;
        return value;
    }
    return NULL;
}

static double take_number(int *argc, char **argv, const char *option, double otherwise) {
    const char *text = take_value(argc, argv, option);
    char *end = NULL;
    double value = text != NULL ? strtod(text, &end) : otherwise;
    if (text != NULL && (*end != '\0' || !(value > 0.0 && value <= 1e6))) {
        fprintf(stderr, "carom: %s needs a number above 0, not '%s'\n", option, text);
        exit(2);
    }
    return value;
}

int main(int argc, char **argv) {
    bench b = {.json = false};
    bool quick = bench_take_option(&argc, argv, "--quick");
    b.settings = bench_take_option(&argc, argv, "--coarse") ? BENCH_HEAP_FINE : BENCH_HEAP_SETTINGS;
    b.only = take_value(&argc, argv, "--only");
    b.folder = take_value(&argc, argv, "--scenes");
    b.steps = (int)ceil(take_number(&argc, argv, "--steps", quick ? QUICK_STEPS : MOST_STEPS));
    b.limit = take_number(&argc, argv, "--limit", limit_of_a_run);
    b.json = bench_wants_json(argc, argv);
    if (!bench_heap_peers_built())
        fprintf(stderr, "carom: the peer Bullet is missing; 'make bench' installs and builds it\n");
    if (b.folder != NULL)
        run_folder(&b, b.folder, b.heaps);
    else
        run_all(&b);
    bool any = b.heaps[0].heaps + b.towers[0].heaps > 0;
    if (any) print_totals(&b);
    bool all = b.only == NULL && b.folder == NULL && !quick;
    bool rest = b.only != NULL && strcmp(b.only, "rest") == 0, growth = b.only != NULL && strcmp(b.only, "growth") == 0;
    if (!any && !rest && !growth) {
        fprintf(stderr, "carom: there is no such heap\n");
        return 2;
    }
    if (all || rest) print_at_rest(&b);
    if (all || growth)
        bench_print_heading(b.json,
                            "heaps: growth from 100 to 10,000 bodies, every step solved, also of what stands still");
    if (all || growth) print_growth(&b, "cubes", SOURCES "/bench/heaps/growth/cubes.json");
    if (all || growth) print_growth(&b, "ellipsoids", SOURCES "/bench/heaps/growth/ellipsoids.json");
    return 0;
}
