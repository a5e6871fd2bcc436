// SPDX-License-Identifier: MIT
// Which of many points is farthest in a direction, as the same text for every instruction set. The file that includes
// it has included math/lanes_two.h or math/lanes_four.h and defined
//   SMALL    up to how many points all products are kept
#ifndef CRM_SHAPE_SCAN_BODY
#define CRM_SHAPE_SCAN_BODY

#include <math.h>

#include "carom/types.h"

// Small sets: all products stay in registers, the place of the largest is found by comparing with it. `vectors` is a
// constant at every call.
static inline __attribute__((always_inline)) int scan_small(int vectors, const double *x, const double *y,
                                                            const double *z, carom_vec3 d) {
    lanes dx = fill(d.x), dy = fill(d.y), dz = fill(d.z), product[32 / LANES];
#pragma GCC unroll 16
    for (int i = 0; i < vectors; i++)
        product[i] = (dx * load(x + LANES * i) + dy * load(y + LANES * i)) + dz * load(z + LANES * i);
    lanes best = product[0];
#pragma GCC unroll 16
    for (int i = 1; i < vectors; i++) best = larger(best, product[i]);
    lanes everywhere = fill_largest(best);
    unsigned where = 0;
#pragma GCC unroll 16
    for (int i = 0; i < vectors; i++) where |= equal_mask(product[i], everywhere) << (LANES * i);
    return where != 0 ? __builtin_ctz(where) : 0;
}

// Any size: the largest so far of every lane with its place, two chains so that they need not wait for each other. The
// first of equal products stays, as only a larger one takes its place.
static inline __attribute__((always_inline)) int scan_large(int count, const double *x, const double *y,
                                                            const double *z, carom_vec3 d) {
    static const double places[8] __attribute__((aligned(32))) = {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0};
    lanes dx = fill(d.x), dy = fill(d.y), dz = fill(d.z), best[2], place[2], here[2], step = fill(2.0 * LANES);
#pragma GCC unroll 2
    for (int c = 0; c < 2; c++) {
        const double *cx = x + LANES * c, *cy = y + LANES * c, *cz = z + LANES * c;
        best[c] = (dx * load(cx) + dy * load(cy)) + dz * load(cz);
        place[c] = here[c] = load(places + LANES * c);
    }
    int i = 2 * LANES;
    for (; i + 2 * LANES <= count; i += 2 * LANES) {
#pragma GCC unroll 2
        for (int c = 0; c < 2; c++) {
            int at = i + LANES * c;
            lanes product = (dx * load(x + at) + dy * load(y + at)) + dz * load(z + at);
            here[c] += step;
            place[c] = choose(product > best[c], here[c], place[c]);
            best[c] = larger(best[c], product);
        }
    }
    if (i < count) {
        lanes product = (dx * load(x + i) + dy * load(y + i)) + dz * load(z + i);
        place[0] = choose(product > best[0], here[0] + step, place[0]);
        best[0] = larger(best[0], product);
    }
    // Of the places of the largest, the lowest: the largest of their negatives.
    lanes everywhere = fill_largest(larger(best[0], best[1])), nowhere = fill(-HUGE_VAL);
    lanes first = choose(best[0] == everywhere, -place[0], nowhere);
    lanes second = choose(best[1] == everywhere, -place[1], nowhere);
    double at = -fill_largest(larger(first, second))[0];
    return at < count ? (int)at : 0; // not for products that are no numbers
}

static inline int scan(int count, const double *x, const double *y, const double *z, carom_vec3 d) {
    switch (count <= SMALL ? count / 4 : 0) {
    case 1:
        return scan_small(4 / LANES, x, y, z, d);
    case 2:
        return scan_small(8 / LANES, x, y, z, d);
    case 3:
        return scan_small(12 / LANES, x, y, z, d);
    case 4:
        return scan_small(16 / LANES, x, y, z, d);
    case 5:
        return scan_small(20 / LANES, x, y, z, d);
    case 6:
        return scan_small(24 / LANES, x, y, z, d);
    case 7:
        return scan_small(28 / LANES, x, y, z, d);
    case 8:
        return scan_small(32 / LANES, x, y, z, d);
    default:
        return scan_large(count, x, y, z, d);
    }
}

#endif
