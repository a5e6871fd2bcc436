// SPDX-License-Identifier: MIT
// The search behind round_ray.c and round_gap.c. Over directions n (world, of any length) let
//
//   F(n) = n.(c + b - a) - s(n),    s(n) = |n| radius + sqrt(n.Q_A n) + sqrt(n.Q_B n)
//
// where a, b are the cores' farthest vertices along n and -n about the centres, and s the round parts. F is concave and
// of degree 1. The quotient F(n) / N(n) is climbed, with N(n) = n.beta for the ray and N(n) = |n| for the gap.
//
// The room round/: two sides enter one of which is an ellipsoid, or any round pair whose ray is wanted; the maximal F /
// N leaves, as a witness of measure.h. Called by find_ray.c and find_gap.c; round_lanes.c by gap_many.c.
#ifndef CRM_DISTANCE_ROUND_CLIMB_H
#define CRM_DISTANCE_ROUND_CLIMB_H

#include "distance/round/bundle.h"
#include "distance/side.h"

// A pair of core vertices with b - a, about the centres, world axes.
typedef struct crm_round_piece {
    int a, b;
    carom_vec3 arm_a, arm_b;
    double weight;
} crm_round_piece;

typedef struct crm_round_problem {
    const crm_side *a, *b;
    bool ray;
    carom_vec3 beta;   // ray: unit
    carom_vec3 offset; // c; for the ray without its part along beta, which adds to the quotient only
    double radius;     // of both balls together
    double size;       // of both bodies, m
    double slack;      // values that differ by less differ by rounding, m
    carom_mat3 chart;  // see round_climb.c
    int supports;      // counts
} crm_round_problem;

typedef struct crm_round_summit {
    carom_vec3 n;                // world, not zero; ray: n.beta > 0
    double value;                // F/N
    carom_vec3 round_a, round_b; // farthest points of the round parts along n, about their core points
    crm_round_piece piece[CRM_BUNDLE_PIECES];
    int count;
    bool misses;     // ray: n.beta = 0 and F(n) > 0
    double residual; // how far the weighted points are from what n and value say, m
    int iterations;
} crm_round_summit;

// The problem of the centres; `beta` NULL: of the gap.
crm_round_problem crm_round_problem_of(const crm_side *a, const crm_side *b, const carom_vec3 *beta);

// Climbs from `at->n` with `at->count` pieces (vertices that may be active; may be 0; only `a` and `b` are read) to a
// stationary point.
void crm_round_climb(crm_round_problem *problem, crm_round_summit *at);

// Whether the pair of vertices is among the pieces.
static inline bool crm_round_knows(const crm_round_summit *at, int a, int b) {
    for (int i = 0; i < at->count; i++)
        if (at->piece[i].a == a && at->piece[i].b == b) return true;
    return false;
}

// ---- round_witness.c

// Pairs of vertices of a cache become pieces, those that do not exist left out, and back.
void crm_round_read_pairs(const crm_round_problem *problem, int count, int pairs[][2], crm_round_summit *at);
int crm_round_write_pairs(const crm_round_summit *at, int pairs[3][2]);

// The weighted points, world, and the vertices that carry them.
void crm_round_points(const crm_round_problem *problem, const crm_round_summit *at, carom_vec3 *point_a,
                      carom_vec3 *point_b, carom_touch *touch_a, carom_touch *touch_b);

#endif
