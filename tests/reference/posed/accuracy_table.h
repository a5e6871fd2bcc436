// SPDX-License-Identifier: MIT
// The largest errors of gaps and centre rays over many pairs of posed_pair.h, kind by kind: what `carom bench accuracy`
// prints and what the tests hold it to.
#ifndef TEST_REFERENCE_ACCURACY_TABLE_H
#define TEST_REFERENCE_ACCURACY_TABLE_H

#include "reference/posed/posed_pair.h"
#include "reference/posed/posed_tie.h"

// The largest extent of every bounded shape is about this, m. Errors of lengths are given as shares of it.
#define ACCURACY_SIZE 0.2
// What all errors have to stay below.
#define ACCURACY_BOUND 1e-12

enum { ACCURACY_KINDS = 9, ACCURACY_BOUNDED = 7, ACCURACY_PLACEMENTS = 3, ACCURACY_QUANTITIES = 4 };

typedef struct accuracy_kind {
    const char *name;
    carom_shape *shape[2]; // two of the kind, so that a pair of one kind is not a pair of twins
} accuracy_kind;

typedef struct accuracy_placement {
    const char *name;
    double value; // m
} accuracy_placement;

// The bounded kinds come first. False, with a sentence, when a shape cannot be made.
bool accuracy_kinds_create(accuracy_kind kinds[ACCURACY_KINDS], carom_error *error);
void accuracy_kinds_destroy(accuracy_kind kinds[ACCURACY_KINDS]);

// Whether the two kinds, by their numbers, first <= second, have this measure.
bool accuracy_has(int first, int second, posed_measure measure);

// Apart, touching, deep.
extern const accuracy_placement accuracy_placements[ACCURACY_PLACEMENTS];
// Value, normal (alpha / |alpha| and the length of alpha, of the ray), points, gradient.
extern const char *const accuracy_quantities[2][ACCURACY_QUANTITIES];

// Infinite where something is not finite, or a query fails.
typedef struct accuracy_errors {
    double worst[ACCURACY_QUANTITIES];
    int poses;
    int passed_over; // see posed_pair_draw
} accuracy_errors;

// Asked cold, with any_solution, once more with the cache of the first answer, and many at a time (gaps).
accuracy_errors accuracy_measure(const carom_shape *first, const carom_shape *second, posed_measure measure,
                                 double value, int poses, uint64_t seed);

// Touching pairs whose normals or points are not unique, of shapes drawn from those with edges.
typedef struct accuracy_tie_errors {
    double value; // of the gap, or of the ray's value: largest, as a share of the size
    double proof; // how far the witness is from proving its value by its planes and points (convex_body.h): likewise
    int broken;   // gradients with a number that is not finite, or that are none: B moves by a unit normal
    int poses;
} accuracy_tie_errors;

accuracy_tie_errors accuracy_measure_tie(const accuracy_kind kinds[ACCURACY_KINDS], int tie, posed_measure measure,
                                         int poses, uint64_t seed);

#endif
