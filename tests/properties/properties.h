// SPDX-License-Identifier: MIT
// Properties that every pair of views must have, checked over as many random pairs as there is time for. `make test`
// and `make bench` run the same code.
#ifndef TEST_PROPERTIES_PROPERTIES_H
#define TEST_PROPERTIES_PROPERTIES_H

#include "properties/pairs.h"
#include "properties/tally.h"

// Each checks one pair.

// Weak duality: planes and points of the witnesses against each other; order of the measures; supports; instruction
// sets.
void check_proofs(const distance_pair *pair, property_tally *tally);
// Exchange of the bodies, a motion of both, warm starts.
void check_invariance(const distance_pair *pair, property_tally *tally);
// Against the slow programs of tests/reference; does nothing for pairs that are not sharp or too large for them.
void check_references(const distance_pair *pair, property_tally *tally);
// Against central differences; does nothing for pairs that are not ordinary.
void check_gradients(const distance_pair *pair, property_tally *tally);

typedef void property_check(const distance_pair *pair, property_tally *tally);

// A check over every `stride`-th of the pairs 0 ... pairs - 1 of a seed.
typedef struct property_run {
    property_check *check;
    int stride;
} property_run;

void properties_run(uint64_t seed, long long pairs, int run_count, const property_run *runs, property_tally *tally);

// ---- for the checks

// The distance of the centres and the sizes, m.
double pair_scale(const distance_pair *pair, const carom_ray_witness *ray);

// Asks, and notes an error or a number that is not finite; false then.
bool ask_ray(const distance_pair *pair, const carom_view *a, const carom_view *b, const carom_distance_options *options,
             carom_distance_cache *cache, property_tally *tally, carom_ray_witness *out);
bool ask_gap(const distance_pair *pair, const carom_view *a, const carom_view *b, const carom_distance_options *options,
             carom_distance_cache *cache, property_tally *tally, carom_gap_witness *out);
// Whether a pair has a centre ray.
bool has_ray(const distance_pair *pair);
// Also as a part of a compound.
bool has_ellipsoid(const distance_pair *pair);

#endif
