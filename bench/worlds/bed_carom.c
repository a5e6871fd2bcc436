// SPDX-License-Identifier: MIT
#include "worlds/bed_carom.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "math/quat.h"

// The floor has the highest number: ids are places in the array.
struct bench_bed_carom {
    const bench_bed *bed;
    int threads;
    carom_proxy *proxies;
    carom_contact_set *set;
};

static void stop(const char *why) {
    fprintf(stderr, "carom: %s\n", why);
    exit(3);
}

static carom_proxy floor_proxy(int id) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_HALF_SPACE);
    carom_shape *shape;
    carom_error error;
    if (carom_shape_create(&def, NULL, &shape, &error) != CAROM_OK) stop(error.text);
    carom_proxy proxy = carom_proxy_default();
    proxy.id = id;
    proxy.fixed = true;
    proxy.view = carom_view_of(shape, (carom_pose){crm_vec3_zero(), crm_quat_identity()});
    return proxy;
}

bench_bed_carom *bench_bed_carom_make(const bench_bed *bed, int threads) {
    bench_bed_carom *carom = calloc(1, sizeof *carom);
    carom_proxy *proxies = calloc((size_t)bed->count + 1, sizeof *proxies);
    if (carom == NULL || proxies == NULL) stop("no memory for a bed");
    *carom = (bench_bed_carom){.bed = bed, .threads = threads, .proxies = proxies};
    for (int i = 0; i < bed->count; i++) {
        proxies[i] = carom_proxy_default();
        proxies[i].id = i;
        carom_shape *shape = bench_bed_shape(&bed->bodies[i]);
        if (shape == NULL) stop("no memory for a bed");
        proxies[i].view = carom_view_of(shape, bed->bodies[i].rest);
    }
    proxies[bed->count] = floor_proxy(bed->count);
    carom_contact_options options = carom_contact_options_default();
    options.threads = threads;
    carom_error error;
    if (carom_contact_set_create(&options, NULL, &carom->set, &error) != CAROM_OK) stop(error.text);
    return carom;
}

void bench_bed_carom_free(bench_bed_carom *carom) {
    carom_contact_set_destroy(carom->set);
    for (int i = 0; i <= carom->bed->count; i++) carom_shape_destroy((carom_shape *)carom->proxies[i].view.shape);
    free(carom->proxies);
    free(carom);
}

static void place(bench_bed_carom *carom, double time) {
    for (int i = 0; i < carom->bed->count; i++) {
        carom_proxy *proxy = &carom->proxies[i];
        proxy->view.pose = bench_bed_pose(carom->bed, i, time);
        proxy->motion = bench_bed_motion(carom->bed, i, time);
        proxy->margin = carom_proxy_margin(&proxy->view, &proxy->motion, BENCH_BED_STEP);
    }
}

bench_bed_result bench_bed_carom_run(bench_bed_carom *carom, int steps, carom_contact_report *report) {
    bench_bed_times times[BENCH_BED_MOST_STEPS];
    for (int k = 0; k < BENCH_BED_WARM_STEPS + steps; k++) {
        place(carom, k * BENCH_BED_STEP);
        carom_error error;
        double wall = crm_clock_seconds(), own = crm_clock_thread_seconds();
        if (carom_contact_set_update(carom->set, carom->bed->count + 1, carom->proxies, report, &error) != CAROM_OK)
            stop(error.text);
        own = crm_clock_thread_seconds() - own;
        wall = crm_clock_seconds() - wall;
        if (k < BENCH_BED_WARM_STEPS) continue;
        double total = carom->threads == 1 ? own : wall, share = total / wall;
        times[k - BENCH_BED_WARM_STEPS] =
            (bench_bed_times){share * report->broad_seconds, share * report->narrow_seconds, total};
    }
    return (bench_bed_result){bench_bed_median(times, steps), report->pairs, report->contacts};
}

void bench_bed_carom_list(const bench_bed_carom *carom, bench_bed_list *list) {
    int count, floor = carom->bed->count;
    const carom_contact *contacts = carom_contact_set_list(carom->set, &count);
    for (int i = 0; i < count; i++) {
        int a = contacts[i].a == floor ? BENCH_BED_FLOOR : contacts[i].a;
        int b = contacts[i].b == floor ? BENCH_BED_FLOOR : contacts[i].b;
        bench_bed_add(list, a, b, contacts[i].gap);
    }
}
