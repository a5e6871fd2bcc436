// SPDX-License-Identifier: MIT
#include "support/narrow_carom.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/distance.h"

enum { BATCH = 64 };

struct bench_carom {
    const bench_pair_set *set;
    carom_shape **shapes;
    carom_view *a, *b;            // of every pair
    carom_distance_cache *caches; // of the tracks; NULL: none
    carom_distance_options options;
    long long support_sum;
    int support_count, support_most;
};

static carom_shape *shape_of(const bench_solid *solid) {
    carom_shape_def def;
    if (solid->kind == BENCH_ELLIPSOID) {
        def = carom_shape_def_default(CAROM_SHAPE_ELLIPSOID);
        def.ellipsoid.half_axes = solid->half;
    } else if (solid->kind == BENCH_BOX) {
        def = carom_shape_def_default(CAROM_SHAPE_BOX);
        def.box.size = (carom_vec3){2.0 * solid->half.x, 2.0 * solid->half.y, 2.0 * solid->half.z};
    } else {
        def = carom_shape_def_default(CAROM_SHAPE_POLYTOPE);
        def.polytope.vertex_count = solid->vertex_count;
        def.polytope.vertices = solid->vertices;
    }
    carom_shape *shape = NULL;
    carom_shape_create(&def, NULL, &shape, NULL);
    return shape;
}

bench_carom *bench_carom_make(const bench_pair_set *set) {
    bench_carom *carom = calloc(1, sizeof *carom);
    if (carom == NULL) return NULL;
    carom->set = set;
    carom->shapes = calloc((size_t)set->solid_count, sizeof *carom->shapes);
    carom->a = calloc((size_t)set->pair_count, sizeof *carom->a);
    carom->b = calloc((size_t)set->pair_count, sizeof *carom->b);
    carom->caches = set->track_count > 0 ? calloc((size_t)set->track_count, sizeof *carom->caches) : NULL;
    bool good = carom->shapes != NULL && carom->a != NULL && carom->b != NULL &&
                (set->track_count == 0 || carom->caches != NULL);
    for (int i = 0; i < set->solid_count && good; i++) good = (carom->shapes[i] = shape_of(&set->solids[i])) != NULL;
    for (int i = 0; i < set->pair_count && good; i++) {
        const bench_pair *pair = &set->pairs[i];
        carom->a[i] = carom_view_of(carom->shapes[pair->a], pair->pose_a);
        carom->b[i] = carom_view_of(carom->shapes[pair->b], pair->pose_b);
    }
    if (good) return carom;
    bench_carom_free(carom);
    return NULL;
}

void bench_carom_free(bench_carom *carom) {
    for (int i = 0; i < carom->set->solid_count && carom->shapes != NULL; i++) carom_shape_destroy(carom->shapes[i]);
    free(carom->shapes);
    free(carom->a);
    free(carom->b);
    free(carom->caches);
    free(carom);
}

static carom_distance_cache *cache_of(const bench_carom *carom, int pair) {
    return carom->caches != NULL ? &carom->caches[pair % carom->set->track_count] : NULL;
}

static void note_supports(bench_carom *carom, int supports) {
    carom->support_sum += supports;
    carom->support_count++;
    if (supports > carom->support_most) carom->support_most = supports;
}

static void measure_gaps(void *context, int first, int count, double *gaps) {
    bench_carom *carom = context;
    for (int i = 0; i < count; i++) {
        carom_gap_witness witness;
        const carom_view *a = &carom->a[first + i], *b = &carom->b[first + i];
        carom_status status = carom_gap_find(a, b, &carom->options, cache_of(carom, first + i), &witness, NULL);
        gaps[i] = status == CAROM_OK ? witness.gap : NAN;
        if (status == CAROM_OK) note_supports(carom, witness.supports);
    }
}

static void measure_rays(void *context, int first, int count, double *values) {
    bench_carom *carom = context;
    for (int i = 0; i < count; i++) {
        carom_ray_witness witness;
        const carom_view *a = &carom->a[first + i], *b = &carom->b[first + i];
        carom_status status = carom_ray_find(a, b, &carom->options, cache_of(carom, first + i), &witness, NULL);
        bool meets = status == CAROM_OK && witness.outcome == CAROM_RAY_MEETS;
        values[i] = meets ? witness.value : NAN;
        if (meets) note_supports(carom, witness.supports);
    }
}

// The tracks' caches lie in the order of a step's pairs, so a batch must not reach over the end of a step.
static void measure_batches(void *context, int first, int count, double *gaps) {
    bench_carom *carom = context;
    carom_gap_witness witness[BATCH];
    int tracks = carom->set->track_count;
    for (int done = 0; done < count;) {
        int at = first + done, now = count - done < BATCH ? count - done : BATCH;
        if (tracks > 0 && at % tracks + now > tracks) now = tracks - at % tracks;
        bool good = carom_gaps_find(now, &carom->a[at], &carom->b[at], &carom->options, cache_of(carom, at), witness,
                                    NULL) == CAROM_OK;
        for (int i = 0; i < now; i++) {
            gaps[done + i] = good ? witness[i].gap : NAN;
            if (good) note_supports(carom, witness[i].supports);
        }
        done += now;
    }
}

static void forget(void *context) {
    bench_carom *carom = context;
    if (carom->caches != NULL) memset(carom->caches, 0, (size_t)carom->set->track_count * sizeof *carom->caches);
    carom->support_sum = carom->support_count = carom->support_most = 0;
}

bench_narrow_result bench_carom_run(bench_carom *carom, bench_carom_way way) {
    bool is_ray = way == BENCH_CAROM_RAY || way == BENCH_CAROM_RAY_SETTLED;
    bench_narrow_method method = {
        .measure = is_ray                     ? measure_rays
                   : way == BENCH_CAROM_BATCH ? measure_batches
                                              : measure_gaps,
        .forget = forget,
        .is_ray = is_ray,
    };
    carom->options = carom_distance_options_default();
    carom->options.any_solution = way != BENCH_CAROM_GAP_SETTLED && way != BENCH_CAROM_RAY_SETTLED;
    return bench_narrow_run(carom->set, &method, carom);
}

void bench_carom_supports(const bench_carom *carom, double *mean, int *most) {
    *mean = carom->support_count > 0 ? (double)carom->support_sum / carom->support_count : 0.0;
    *most = carom->support_most;
}
