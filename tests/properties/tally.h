// SPDX-License-Identifier: MIT
// What properties are checked, how far each may be missed, and the worst that was seen.
#ifndef TEST_PROPERTIES_TALLY_H
#define TEST_PROPERTIES_TALLY_H

#include <stdbool.h>
#include <stdint.h>

// The name, what the error is measured in, and the most that is allowed.
//
// S is the distance of the centres plus the bodies' sizes; a is alpha, by whose length a steep plane makes errors
// larger. "told" is the accuracy that the answer tells. "cond": times the height, as a share of S, of the triangle of
// the difference that fixes the normal. Gradients: times 1 + |a|^2.
//
// Ordinary pairs are good to rounding. Of extreme ones, whose sizes differ by up to 1e6, the facets of the difference
// have sides as short as 1e-6 of S, whose directions are known to 1e-10; the points and the flat maxima of ellipsoids
// that lie deep in far larger bodies to less. What is chosen among ties is good to the 1e-9 within which vertices
// count as tied.
//
// Supports. Of a ray: the limit of one walk, so that none has been tried twice in vain; with something round,
// of one climb of 200 iterations with its start. Of a gap: a walk, an expansion to
// its limit of 124 corners, and a second walk for the weights. With ellipsoids: climbs from up to 13 starts, each with
// a limit of 200 iterations, which ask about twice.
#define PROPERTY_LIST(X)                                                    \
    X(PROPERTY_FINITE, "answered, all numbers finite", "bad", 0.0)          \
    X(PROPERTY_RAY_PLANES, "ray: value by its planes", "S|a|", 1e-13)       \
    X(PROPERTY_RAY_POINTS, "ray: points in bodies, on it", "S|a|", 1e-12)   \
    X(PROPERTY_RAY_EXTREME, "ray: both, extreme sizes", "S|a|", 1e-10)      \
    X(PROPERTY_RAY_TIES, "ray: both, ties broken", "S|a|", 1e-8)            \
    X(PROPERTY_RAY_ACCURACY, "ray: error over accuracy", "told", 10.0)      \
    X(PROPERTY_GAP_PLANES, "gap: by its planes", "S", 1e-13)                \
    X(PROPERTY_GAP_POINTS, "gap: points in bodies, along n", "S", 1e-12)    \
    X(PROPERTY_GAP_EXTREME, "gap: both, extreme sizes", "S", 1e-8)          \
    X(PROPERTY_GAP_ROUND_EXTREME, "gap: extreme ellipsoids", "S", 1e-8)     \
    X(PROPERTY_GAP_TIES, "gap: both, ties broken", "S", 1e-8)               \
    X(PROPERTY_GAP_ACCURACY, "gap: error over accuracy", "told", 10.0)      \
    X(PROPERTY_ORDER, "plane gap, gap, value in order", "S|a|", 1e-10)      \
    X(PROPERTY_RAY_SUPPORTS, "ray: supports", "", 60.0)                     \
    X(PROPERTY_CLIMB_SUPPORTS, "ray: supports, something round", "", 250.0) \
    X(PROPERTY_GAP_SUPPORTS, "gap: supports", "", 244.0)                    \
    X(PROPERTY_ROUND_SUPPORTS, "gap: supports, ellipsoids", "", 5200.0)     \
    X(PROPERTY_VARIANTS, "instruction sets, same bits", "bad", 0.0)         \
    X(PROPERTY_SWAP, "swapped: value, gap", "S|a|", 1e-12)                  \
    X(PROPERTY_SWAP_WITNESS, "swapped: normals, points", "cond", 1e-9)      \
    X(PROPERTY_MOTION, "moved: value, gap", "S|a|", 1e-12)                  \
    X(PROPERTY_MOTION_WITNESS, "moved: normals, points", "cond", 1e-9)      \
    X(PROPERTY_WARM, "any cache: value, gap", "S|a|", 1e-12)                \
    X(PROPERTY_SAME_EXTREME, "these three, extreme sizes", "S|a|", 1e-10)   \
    X(PROPERTY_SSH, "ray against the SSH program", "S", 1e-10)              \
    X(PROPERTY_RATIO, "ray against the ratio program", "S", 1e-10)          \
    X(PROPERTY_IDENTITY, "SSH optimum = D rho", "S|a|", 1e-12)              \
    X(PROPERTY_AXES, "gap against all axes", "S", 1e-10)                    \
    X(PROPERTY_RAY_GRADIENT, "ray: pose gradient of value", "", 1e-6)       \
    X(PROPERTY_RHO_GRADIENT, "ray: pose gradient of rho", "", 1e-6)         \
    X(PROPERTY_GAP_GRADIENT, "gap: pose gradient", "", 1e-6)                \
    X(PROPERTY_VERTEX_GRADIENT, "ray: vertex gradient", "", 1e-6)

#define PROPERTY_ID(id, name, unit, target) id,
typedef enum property_id { PROPERTY_LIST(PROPERTY_ID) PROPERTY_COUNT } property_id;
#undef PROPERTY_ID

typedef struct property {
    const char *name, *unit;
    double target;
    double worst;
    uint64_t worst_pair;
    long long checked, skipped; // skipped: where the property makes no sense, such as a gradient at a kink
} property;

typedef struct property_tally {
    property of[PROPERTY_COUNT];
} property_tally;

property_tally property_tally_empty(void);

// NaN is the worst of all and stays.
static inline void property_note(property_tally *tally, property_id id, uint64_t pair, double error) {
    property *p = &tally->of[id];
    p->checked++;
    if (error <= p->worst || p->worst != p->worst) return;
    p->worst = error;
    p->worst_pair = pair;
}

static inline void property_skip(property_tally *tally, property_id id) {
    tally->of[id].skipped++;
}

// Some were checked, at least as many as were skipped, and none is too far off.
bool property_holds(const property *p);

#endif
