// SPDX-License-Identifier: MIT
// The collision phase of an engine on a moving bed: the same steps for everyone, timed by the same code, and the
// contacts of the last step, for the exact overlaps.
#ifndef BENCH_SUPPORT_BED_RUN_H
#define BENCH_SUPPORT_BED_RUN_H

#include <stdint.h>

#include "worlds/bed.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { BENCH_BED_WARM_STEPS = 3, BENCH_BED_MOST_STEPS = 100, BENCH_BED_FLOOR = -1 };

// Of two bodies, or one and the floor.
typedef struct bench_bed_contact {
    int32_t a, b; // numbers in the bed, a > b; b may be BENCH_BED_FLOOR
    double gap;   // m
} bench_bed_contact;

typedef struct bench_bed_list {
    int count, room;
    bench_bed_contact *contacts;
} bench_bed_list;

// Takes the two in any order. Stops the program when there is no memory.
void bench_bed_add(bench_bed_list *list, int a, int b, double gap);
bool bench_bed_list_write(const char *path, const bench_bed_list *list);
bool bench_bed_list_read(const char *path, bench_bed_list *list);
void bench_bed_list_free(bench_bed_list *list);

// A step's times, s.
typedef struct bench_bed_times {
    double broad, narrow, total;
} bench_bed_times;

typedef struct bench_bed_result {
    bench_bed_times median; // over the steps after the first BENCH_BED_WARM_STEPS
    int64_t pairs;          // in the last step, that the broad phase gave to the narrow one
    int64_t contacts;       // in the last step
} bench_bed_result;

bench_bed_times bench_bed_median(const bench_bed_times *steps, int count);

typedef struct bench_bed_engine {
    const char *name;
    void *(*make)(const bench_bed *bed);      // NULL: it cannot
    void (*place)(void *engine, double time); // puts every body where it is then; not timed
    void (*broad)(void *engine);              // finds pairs
    void (*narrow)(void *engine);             // and their contacts
    int64_t (*pairs)(void *engine);           // how many pairs
    void (*list)(void *engine, bench_bed_list *list);
} bench_bed_engine;

// The body of a peer's program: "PROGRAM BED STEPS ENGINE CONTACTS". Reads the bed, runs the steps, writes the file of
// contacts of the last one, prints one line.
int bench_bed_peer(int argc, char **argv, const bench_bed_engine *engines, int engine_count);

// From that line; times NAN when there is none.
bench_bed_result bench_bed_result_read(const char *line);

#ifdef __cplusplus
}
#endif

#endif
