// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "heaps/heap.h"

struct bench_heap_overlaps {
    const bench_heap *heap;
    carom_contact_set *set; // of all pairs that touch, by their distance
    carom_proxy *proxies;
};

static void require(carom_status status, const carom_error *error) {
    if (status == CAROM_OK) return;
    fprintf(stderr, "carom: %s\n", error->text);
    exit(3);
}

static bool bodies_meet(void *model, int32_t a, int32_t b) {
    return carom_model_bodies_meet(model, (carom_body){a}, (carom_body){b});
}

bench_heap_overlaps *bench_heap_overlaps_create(const bench_heap *heap) {
    bench_heap_overlaps *overlaps = bench_heap_memory(1, sizeof *overlaps);
    carom_error error;
    carom_contact_options options = carom_contact_options_default();
    options.measure = CAROM_MEASURE_GAP;
    options.filter = bodies_meet;
    options.filter_user = (void *)heap->model; // the filter only reads it
    overlaps->heap = heap;
    overlaps->proxies = bench_heap_memory((size_t)heap->body_count, sizeof *overlaps->proxies);
    require(carom_contact_set_create(&options, NULL, &overlaps->set, &error), &error);
    return overlaps;
}

void bench_heap_overlaps_destroy(bench_heap_overlaps *overlaps) {
    carom_contact_set_destroy(overlaps->set);
    free(overlaps->proxies);
    free(overlaps);
}

static double size_of(const bench_heap *heap, int body) {
    return 2.0 * carom_shape_bounding_radius(heap->bodies[body].shape);
}

double bench_heap_overlap(bench_heap_overlaps *overlaps, const bench_heap_state *states) {
    const bench_heap *heap = overlaps->heap;
    int count = 0;
    for (int i = 0; i < heap->body_count; i++) {
        if (heap->bodies[i].shape == NULL) continue;
        carom_proxy *proxy = &overlaps->proxies[count++];
        *proxy = carom_proxy_default();
        proxy->id = i;
        proxy->view = carom_view_of(heap->bodies[i].shape, bench_heap_body_pose(&heap->bodies[i], &states[i]));
        proxy->fixed = !heap->bodies[i].moves;
    }
    carom_error error;
    require(carom_contact_set_update(overlaps->set, count, overlaps->proxies, NULL, &error), &error);
    double largest = 0.0;
    const carom_contact *list = carom_contact_set_list(overlaps->set, &count);
    for (int i = 0; i < count; i++) {
        int a = overlaps->proxies[list[i].a].id, b = overlaps->proxies[list[i].b].id;
        largest = fmax(largest, -list[i].gap / fmin(size_of(heap, a), size_of(heap, b)));
    }
    return largest;
}
