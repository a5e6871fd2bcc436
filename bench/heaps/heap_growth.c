// SPDX-License-Identifier: MIT
#include "heaps/heap_growth.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "heaps/heap_carom.h"

typedef struct account {
    size_t bytes;
} account;

static void *allocate(void *user, size_t bytes) {
    account *a = user;
    void *block = malloc(bytes);
    if (block != NULL) a->bytes += bytes;
    return block;
}

static void release(void *user, void *block, size_t bytes) {
    if (block != NULL) ((account *)user)->bytes -= bytes;
    free(block);
}

static void run(const bench_heap *heap, const account *memory, double limit, bench_heap_growth *growth) {
    size_t before = memory->bytes;
    double contacts = 0.0, most = 0.0;
    carom_lcp_def settings = heap->method.lcp;
    settings.rest = false; // small heaps come to rest within the run and would cost nothing
    bench_heap_carom carom = bench_heap_carom_make(heap, &settings);
    bench_heap_engine engine = bench_heap_carom_engine(&carom);
    double spent = 0.0;
    for (bool alive = true; alive && growth->steps < heap->steps && spent < limit;) {
        double start = crm_clock_thread_seconds();
        alive = engine.step(engine.engine);
        double seconds = crm_clock_thread_seconds() - start;
        spent += seconds;
        growth->steps += alive;
        most = fmax(most, carom.report.contacts);
        if (2 * growth->steps <= heap->steps) continue;
        growth->seconds += seconds;
        contacts += carom.report.contacts;
    }
    growth->ended = growth->steps == heap->steps;
    growth->seconds /= contacts;
    growth->bytes = (double)(memory->bytes - before) / most;
    bench_heap_carom_free(&carom);
}

bench_heap_growth bench_heap_grow(const char *file, int bodies, double limit) {
    account memory = {0};
    carom_allocator allocator = {allocate, release, &memory};
    int side = (int)ceil(cbrt(bodies)), layers = (bodies + side * side - 1) / (side * side);
    char count[64], total[64];
    snprintf(count, sizeof count, "bodies[1].repeat.lattice.count=[%d, %d, %d]", side, side, layers);
    snprintf(total, sizeof total, "bodies[1].repeat.lattice.total=%d", bodies);
    const char *overrides[] = {count, total};
    carom_scene_source source = carom_scene_source_default();
    source.file = file;
    source.overrides = overrides;
    source.override_count = 2;
    bench_heap heap;
    bench_heap_growth growth = {.bodies = bodies};
    if (!bench_heap_open_scene(&source, &allocator, &heap)) return growth;
    run(&heap, &memory, limit, &growth);
    bench_heap_close(&heap);
    return growth;
}
