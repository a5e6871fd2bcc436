// SPDX-License-Identifier: MIT
// Distances between small vectors and matrices, for CHECK_NEAR against zero. A NaN anywhere gives NaN.
#ifndef TEST_SUPPORT_SMALL_COMPARE_H
#define TEST_SUPPORT_SMALL_COMPARE_H

#include <math.h>
#include <stdbool.h>

#include "carom/types.h"

static inline double vec3_gap(carom_vec3 a, carom_vec3 b) {
    double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return sqrt(x * x + y * y + z * z);
}

static inline double mat3_gap(carom_mat3 a, carom_mat3 b) {
    double x = vec3_gap(a.x, b.x), y = vec3_gap(a.y, b.y), z = vec3_gap(a.z, b.z);
    return sqrt(x * x + y * y + z * z);
}

static inline double quat_gap(carom_quat a, carom_quat b) {
    double w = a.w - b.w, x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return sqrt(w * w + x * x + y * y + z * z);
}

static inline double determinant(carom_mat3 a) {
    return a.x.x * (a.y.y * a.z.z - a.y.z * a.z.y) + a.x.y * (a.y.z * a.z.x - a.y.x * a.z.z) +
           a.x.z * (a.y.x * a.z.y - a.y.y * a.z.x);
}

// Whether every entry of A^T A - 1 is within `tolerance` and det A > 0.
static inline bool is_rotation(carom_mat3 a, double tolerance) {
    const carom_vec3 v[3] = {a.x, a.y, a.z};
    bool right = determinant(a) > 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++)
            right = right && fabs(v[i].x * v[j].x + v[i].y * v[j].y + v[i].z * v[j].z - (i == j)) <= tolerance;
    return right;
}

// Of attitudes: q and -q are the same.
static inline double attitude_gap(carom_quat a, carom_quat b) {
    carom_quat negative = {-b.w, -b.x, -b.y, -b.z};
    double same = quat_gap(a, b), other = quat_gap(a, negative);
    return other < same ? other : same;
}

#endif
