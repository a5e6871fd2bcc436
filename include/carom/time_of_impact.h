// SPDX-License-Identifier: MIT
/// @file
/// When two moving shapes first touch.
#ifndef CAROM_TIME_OF_IMPACT_H
#define CAROM_TIME_OF_IMPACT_H

#include "carom/distance.h"

/// A motion over time: the pose's position moves with constant velocity, the attitude rotates with constant spin about
/// it.
typedef struct carom_motion {
    carom_vec3 velocity; ///< Of the position of the view's pose, world, m/s.
    carom_vec3 spin;     ///< World, rad/s.
} carom_motion;

typedef enum carom_toi_outcome {
    CAROM_TOI_NONE,      ///< The gap stays above the target all the time.
    CAROM_TOI_FOUND,     ///< The gap comes down to the target at `time`.
    CAROM_TOI_AT_START,  ///< It is at the target or below at the start: `time` is 0.
    CAROM_TOI_UNDECIDED, ///< Iterations ran out: no touch before `time`, nothing known of later.
} carom_toi_outcome;

typedef struct carom_toi_options {
    uint32_t struct_size; ///< Set by carom_toi_options_default; leave it.
    double duration;      ///< From now on, s. Default 1.
    double gap;           ///< The target, m, not negative: how close counts as touching. Default 0.
    /// The gap at `time` is within this of the target, as a share of the sizes of the bodies, or within what doubles
    /// can tell of places so far apart. A pass that comes as close as that counts as a touch. Default 1e-12.
    double tolerance;
    int iterations; ///< At most, for each pair of convex parts. Default 200.
} carom_toi_options;

typedef struct carom_toi_result {
    carom_toi_outcome outcome;
    double time;          ///< s: the first touch, the duration without one.
    carom_gap_witness at; ///< There.
    int iterations;       ///< Distance queries of the search, that for `at` not counted.
} carom_toi_result;

CAROM_BEGIN_C

/// A duration of 1 s, a gap of 0, a tolerance of 1e-12, 200 iterations.
CAROM_API carom_toi_options carom_toi_options_default(void);
/// Finds the first time in [0, duration] at which the gap of two bounded shapes (or one and static geometry) comes
/// down to the target. Never later than the true one by more than rounding: no touch is passed over, however fast the
/// bodies move or rotate. A motion that is NULL is rest, `options` that are NULL are the default. Fails like
/// carom_gap_find, and with CAROM_ERR_BAD_INPUT for motions or options that are not finite or out of range: a body may
/// not leave the 1e9 m about the origin, nor rotate by more than 1e9 rad, within the duration.
CAROM_API carom_status carom_toi_find(const carom_view *a, const carom_motion *motion_a, const carom_view *b,
                                      const carom_motion *motion_b, const carom_toi_options *options,
                                      carom_toi_result *out, carom_error *error);

CAROM_END_C

#endif
