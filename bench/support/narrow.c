// SPDX-License-Identifier: MIT
#include "support/narrow.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "support/peer.h"
#include "support/timing.h"

enum { PASSES = 3 };

// ---- files: for the same machine, minutes later

static bool write_array(FILE *file, const void *data, size_t size, int count) {
    return fwrite(data, size, (size_t)count, file) == (size_t)count;
}

bool bench_pairs_write(const char *path, const bench_pair_set *set) {
    FILE *file = fopen(path, "wb");
    if (file == NULL) return false;
    bool good =
        write_array(file, set, sizeof *set, 1) && write_array(file, set->solids, sizeof *set->solids, set->solid_count);
    for (int i = 0; i < set->solid_count && good; i++) {
        const bench_solid *s = &set->solids[i];
        good = write_array(file, s->vertices, sizeof *s->vertices, s->vertex_count) &&
               write_array(file, s->facets, sizeof *s->facets, s->facet_numbers);
    }
    good = good && write_array(file, set->pairs, sizeof *set->pairs, set->pair_count);
    return fclose(file) == 0 && good;
}

static void *read_array(FILE *file, size_t size, int count, bool *good) {
    void *data = calloc((size_t)count + 1, size);
    if (data == NULL || fread(data, size, (size_t)count, file) != (size_t)count) *good = false;
    return data;
}

bool bench_pairs_read(const char *path, bench_pair_set *set) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) return false;
    bool good = fread(set, sizeof *set, 1, file) == 1;
    if (good) set->solids = read_array(file, sizeof *set->solids, set->solid_count, &good);
    for (int i = 0; i < set->solid_count && good; i++) {
        bench_solid *s = &set->solids[i];
        s->vertices = read_array(file, sizeof *s->vertices, s->vertex_count, &good);
        s->facets = read_array(file, sizeof *s->facets, s->facet_numbers, &good);
    }
    if (good) set->pairs = read_array(file, sizeof *set->pairs, set->pair_count, &good);
    fclose(file);
    return good;
}

void bench_pairs_free(bench_pair_set *set) {
    for (int i = 0; i < set->solid_count; i++) {
        free(set->solids[i].vertices);
        free(set->solids[i].facets);
    }
    free(set->solids);
    free(set->pairs);
}

// ---- timing and checking

static void compare(const bench_pair_set *set, bool is_ray, const double *found, bench_narrow_result *result) {
    int checked = 0;
    for (int i = set->track_count; i < set->pair_count; i++) {
        double exact = is_ray ? set->pairs[i].ray : set->pairs[i].gap;
        if (isinf(found[i])) {
            result->missing += (found[i] > 0.0) != (set->state == BENCH_APART);
        } else if (isnan(found[i])) {
            result->missing++;
        } else if (!isnan(exact)) {
            result->error = fmax(result->error, fabs(found[i] - exact));
            checked++;
        }
    }
    if (checked == 0) result->error = NAN;
}

bench_narrow_result bench_narrow_run(const bench_pair_set *set, const bench_narrow_method *method, void *context) {
    int timed = set->pair_count - set->track_count;
    double *found = malloc((size_t)set->pair_count * sizeof *found), seconds[PASSES];
    bench_narrow_result result = {.seconds = NAN, .error = NAN};
    if (found == NULL) return result;
    for (int pass = -1; pass < PASSES; pass++) {
        if (method->forget != NULL) method->forget(context);
        method->measure(context, 0, set->track_count, found);
        double start = crm_clock_thread_seconds();
        method->measure(context, set->track_count, timed, found + set->track_count);
        if (pass >= 0) seconds[pass] = (crm_clock_thread_seconds() - start) / timed;
    }
    result.seconds = bench_median(seconds, PASSES);
    result.error = 0.0;
    compare(set, method->is_ray, found, &result);
    free(found);
    return result;
}

// ---- a peer's line

static void print_number(const char *method, const char *key, double value) {
    if (isfinite(value)) printf(",\"%s%s\":%.9g", method, key, value);
}

int bench_narrow_peer(int argc, char **argv, const bench_narrow_method *methods, int method_count,
                      void *(*make)(const bench_pair_set *set)) {
    bench_pair_set set;
    if (argc != 2 || !bench_pairs_read(argv[1], &set)) {
        fprintf(stderr, "usage: %s FILE, of pairs that 'carom bench distance' has written\n", argv[0]);
        return 2;
    }
    void *context = make(&set);
    printf("{\"pairs\":%d", set.pair_count);
    for (int m = 0; m < method_count && context != NULL; m++) {
        if (!(methods[m].states & set.state)) continue;
        bench_narrow_result result = bench_narrow_run(&set, &methods[m], context);
        print_number(methods[m].name, "", result.seconds);
        print_number(methods[m].name, " error", result.error);
        print_number(methods[m].name, " missing", result.missing);
    }
    printf("}\n");
    return 0; // what the engine holds goes with the process
}

bench_narrow_result bench_narrow_read(const char *line, const char *method) {
    char error[48], missing[48];
    snprintf(error, sizeof error, "%.32s error", method);
    snprintf(missing, sizeof missing, "%.32s missing", method);
    double count = bench_peer_number(line, missing);
    return (bench_narrow_result){bench_peer_number(line, method), bench_peer_number(line, error),
                                 isnan(count) ? 0 : (int)count};
}
