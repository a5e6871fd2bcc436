// SPDX-License-Identifier: MIT
#include "worlds/bed_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "support/peer.h"
#include "support/timing.h"

// ---- contacts

void bench_bed_add(bench_bed_list *list, int a, int b, double gap) {
    if (list->count == list->room) {
        list->room = 2 * list->room + 1024;
        list->contacts = realloc(list->contacts, (size_t)list->room * sizeof *list->contacts);
        if (list->contacts == NULL) {
            fprintf(stderr, "carom: no memory for the contacts of a bed\n");
            exit(3);
        }
    }
    list->contacts[list->count++] = (bench_bed_contact){a > b ? a : b, a > b ? b : a, gap};
}

bool bench_bed_list_write(const char *path, const bench_bed_list *list) {
    FILE *file = fopen(path, "wb");
    if (file == NULL) return false;
    size_t count = (size_t)list->count;
    bool good = fwrite(&list->count, sizeof list->count, 1, file) == 1 &&
                fwrite(list->contacts, sizeof *list->contacts, count, file) == count;
    return fclose(file) == 0 && good;
}

bool bench_bed_list_read(const char *path, bench_bed_list *list) {
    *list = (bench_bed_list){0};
    FILE *file = fopen(path, "rb");
    if (file == NULL) return false;
    bool good = fread(&list->count, sizeof list->count, 1, file) == 1 && list->count >= 0;
    size_t count = good ? (size_t)list->count : 0;
    list->contacts = malloc((count + 1) * sizeof *list->contacts);
    good = good && list->contacts != NULL && fread(list->contacts, sizeof *list->contacts, count, file) == count;
    fclose(file);
    return good;
}

void bench_bed_list_free(bench_bed_list *list) {
    free(list->contacts);
    *list = (bench_bed_list){0};
}

// ---- times

static double median_of(const bench_bed_times *steps, int count, size_t field) {
    double values[BENCH_BED_MOST_STEPS];
    for (int i = 0; i < count; i++) memcpy(&values[i], (const char *)&steps[i] + field, sizeof values[i]);
    return bench_median(values, count);
}

bench_bed_times bench_bed_median(const bench_bed_times *steps, int count) {
    return (bench_bed_times){median_of(steps, count, offsetof(bench_bed_times, broad)),
                             median_of(steps, count, offsetof(bench_bed_times, narrow)),
                             median_of(steps, count, offsetof(bench_bed_times, total))};
}

// ---- a peer

static bench_bed_result run_engine(const bench_bed_engine *engine, void *context, int steps, bench_bed_list *list) {
    bench_bed_times times[BENCH_BED_MOST_STEPS];
    for (int k = 0; k < BENCH_BED_WARM_STEPS + steps; k++) {
        engine->place(context, k * BENCH_BED_STEP);
        double start = crm_clock_thread_seconds();
        engine->broad(context);
        double middle = crm_clock_thread_seconds();
        engine->narrow(context);
        double end = crm_clock_thread_seconds();
        if (k < BENCH_BED_WARM_STEPS) continue;
        times[k - BENCH_BED_WARM_STEPS] = (bench_bed_times){middle - start, end - middle, end - start};
    }
    engine->list(context, list);
    return (bench_bed_result){bench_bed_median(times, steps), engine->pairs(context), list->count};
}

int bench_bed_peer(int argc, char **argv, const bench_bed_engine *engines, int engine_count) {
    bench_bed bed;
    int steps = argc == 5 ? atoi(argv[2]) : 0, chosen = 0;
    while (argc == 5 && chosen < engine_count && strcmp(engines[chosen].name, argv[3]) != 0) chosen++;
    if (steps < 1 || steps > BENCH_BED_MOST_STEPS || chosen == engine_count || !bench_bed_read(argv[1], &bed)) {
        fprintf(stderr, "usage: %s BED STEPS ENGINE CONTACTS, with a bed that 'carom bench contact' has written\n",
                argv[0]);
        return 2;
    }
    void *context = engines[chosen].make(&bed);
    if (context == NULL) return 3;
    bench_bed_list list = {0};
    bench_bed_result result = run_engine(&engines[chosen], context, steps, &list);
    if (!bench_bed_list_write(argv[4], &list)) return 3;
    printf("{\"broad\":%.9g,\"narrow\":%.9g,\"total\":%.9g,\"pairs\":%" PRId64 ",\"contacts\":%" PRId64 "}\n",
           result.median.broad, result.median.narrow, result.median.total, result.pairs, result.contacts);
    return 0; // what the engine holds goes with the process
}

bench_bed_result bench_bed_result_read(const char *line) {
    return (bench_bed_result){.median = {bench_peer_number(line, "broad"), bench_peer_number(line, "narrow"),
                                         bench_peer_number(line, "total")},
                              .pairs = (int64_t)bench_peer_number(line, "pairs"),
                              .contacts = (int64_t)bench_peer_number(line, "contacts")};
}
