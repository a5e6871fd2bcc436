// SPDX-License-Identifier: MIT
// Pairs of shapes that carom and the peers measure: the same pairs from the same file, timed and checked by the same
// code.
//
// A cold set has unrelated pairs. A moving set has tracks, pairs that move a little from step to step; all tracks make
// their step one after the other, as the pairs of a simulation do: pair i belongs to track i % track_count.
#ifndef BENCH_SUPPORT_NARROW_H
#define BENCH_SUPPORT_NARROW_H

#include <stdbool.h>

#include "carom/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum bench_solid_kind {
    BENCH_HULL,
    BENCH_BOX,
    BENCH_ELLIPSOID,
} bench_solid_kind;

// A solid around the origin of its frame; the mean of a hull's vertices is there.
typedef struct bench_solid {
    bench_solid_kind kind;
    carom_vec3 half;  // half edges of a box, half axes of an ellipsoid, m
    int vertex_count; // of hulls and boxes
    carom_vec3 *vertices;
    int facet_count;
    int facet_numbers; // length of `facets`
    int *facets;       // each facet's number of vertices, then these, counter-clockwise seen from outside
} bench_solid;

typedef enum bench_pair_state {
    BENCH_APART = 1,
    BENCH_TOUCHING = 2, // to rounding
    BENCH_OVERLAPPING = 4,
} bench_pair_state;

typedef struct bench_pair {
    int a, b; // solids
    carom_pose pose_a, pose_b;
    double gap; // the exact signed distance, m; NAN: not known
    double ray; // the exact value of the centre ray, m; NAN: not known
} bench_pair;

typedef struct bench_pair_set {
    bench_pair_state state;
    int solid_count, pair_count;
    int track_count;  // 0: a cold set
    double tolerance; // what peers that iterate to a tolerance are given
    bench_solid *solids;
    bench_pair *pairs;
} bench_pair_set;

bool bench_pairs_write(const char *path, const bench_pair_set *set);
bool bench_pairs_read(const char *path, bench_pair_set *set);
void bench_pairs_free(bench_pair_set *set);

// A way of measuring pairs.
typedef struct bench_narrow_method {
    const char *name;
    // Writes the signed distances of pairs first ... first + count - 1: NAN for no answer, infinite for just a sign.
    void (*measure)(void *context, int first, int count, double *gaps);
    void (*forget)(void *context); // what earlier pairs left for later ones; NULL: nothing is kept
    int states;                    // bench_pair_state, one or several: what it can measure
    bool is_ray;                   // the figures are values of the centre ray
} bench_narrow_method;

typedef struct bench_narrow_result {
    double seconds; // of one pair, processor time of this thread
    double error;   // largest of those that are given, m; NAN when only signs are
    int missing;    // pairs without an answer or, when only signs are given, with the wrong one
} bench_narrow_result;

// Median of a few passes over the set, after one for warming up. The first step of the tracks is made, but not timed.
bench_narrow_result bench_narrow_run(const bench_pair_set *set, const bench_narrow_method *method, void *context);

// The body of a peer's program: reads the set that argv[1] names and prints one line with the results of all methods.
// `make` makes the context for `measure` (NULL: this peer cannot measure such pairs).
int bench_narrow_peer(int argc, char **argv, const bench_narrow_method *methods, int method_count,
                      void *(*make)(const bench_pair_set *set));

// A method's result from that line; seconds NAN when it is not in there.
bench_narrow_result bench_narrow_read(const char *line, const char *method);

#ifdef __cplusplus
}
#endif

#endif
