// SPDX-License-Identifier: MIT
// Random convex polytopes and motions of them.
#ifndef TEST_REFERENCE_POLYTOPE_CASES_H
#define TEST_REFERENCE_POLYTOPE_CASES_H

#include "reference/program/wide.h"
#include "support/harness/sample.h"

enum { SAMPLE_VERTICES_MAX = 32 };

typedef struct polytope {
    int count;
    double vertices[3 * SAMPLE_VERTICES_MAX];
} polytope;

// All points on an ellipsoid, hence all extreme, around a centre within `extent` of the origin.
static inline polytope sample_polytope(sampler *s, int count, double extent) {
    polytope p = {.count = count};
    carom_vec3 centre = sample_vec3(s, extent);
    double a = sample_between(s, 0.4, 1.0), b = sample_between(s, 0.4, 1.0), c = sample_between(s, 0.4, 1.0);
    for (int i = 0; i < count; i++) {
        carom_vec3 u = sample_unit(s);
        p.vertices[3 * i] = centre.x + a * u.x;
        p.vertices[3 * i + 1] = centre.y + b * u.y;
        p.vertices[3 * i + 2] = centre.z + c * u.z;
    }
    return p;
}

// A box with its corners in the order of the bits of their number.
static inline polytope make_box(double x, double y, double z, double half_x, double half_y, double half_z) {
    polytope p = {.count = 8};
    for (int i = 0; i < 8; i++) {
        p.vertices[3 * i] = x + (i & 1 ? half_x : -half_x);
        p.vertices[3 * i + 1] = y + (i & 2 ? half_y : -half_y);
        p.vertices[3 * i + 2] = z + (i & 4 ? half_z : -half_z);
    }
    return p;
}

static inline wide3 polytope_mean(const polytope *p) {
    wide3 mean = {0, 0, 0};
    for (int i = 0; i < p->count; i++) mean = wide3_along(mean, 1.0L / p->count, wide3_read(p->vertices + 3 * i));
    return mean;
}

// R (x - pivot) + pivot + shift, rounded to double.
static inline polytope move_polytope(const polytope *p, const double *q, wide3 pivot, wide3 shift) {
    polytope moved = *p;
    wide_rotation r = wide_rotation_of(q);
    for (int i = 0; i < p->count; i++) {
        wide3 arm = wide_rotate(r, wide3_sub(wide3_read(p->vertices + 3 * i), pivot));
        wide3_write(wide3_add(wide3_add(arm, pivot), shift), moved.vertices + 3 * i);
    }
    return moved;
}

static inline polytope shift_polytope(const polytope *p, wide3 shift) {
    const double still[4] = {1, 0, 0, 0};
    return move_polytope(p, still, (wide3){0, 0, 0}, shift);
}

static inline double gap3(const double *a, const double *b) {
    return fmax(fabs(a[0] - b[0]), fmax(fabs(a[1] - b[1]), fabs(a[2] - b[2])));
}

#endif
