// SPDX-License-Identifier: MIT
// The centre-ray program by revised simplex with support-function pricing (docs/math.md 3.3), its operations counted:
// what carom's search does for two polytopes, without what makes it fast or sure where triangles are thin.
#ifndef BENCH_OVERLAP_COUNTED_RAY_H
#define BENCH_OVERLAP_COUNTED_RAY_H

#include "overlap/simplices.h"

// The triangle that a ray has found, for the next one about nearly the same pair. Zero `known` is none.
typedef struct bench_basis {
    bool known;
    int a[3], b[3];
} bench_basis;

// The value, from A's to B's position, which lie inside of them; NAN when the search does not end. Counts into `flops`.
double bench_counted_ray(const bench_surface *a, const bench_surface *b, bench_basis *basis, int64_t *flops);

#endif
