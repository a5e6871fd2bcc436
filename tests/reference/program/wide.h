// SPDX-License-Identifier: MIT
// Vectors, rotations and small dense systems in long double, for references that are slow and as exact as they can be.
#ifndef TEST_REFERENCE_WIDE_H
#define TEST_REFERENCE_WIDE_H

#include <math.h>
#include <stdbool.h>

typedef long double wide;

typedef struct wide3 {
    wide x, y, z;
} wide3;

static inline wide3 wide3_read(const double *p) {
    return (wide3){p[0], p[1], p[2]};
}

static inline void wide3_write(wide3 a, double *p) {
    p[0] = (double)a.x;
    p[1] = (double)a.y;
    p[2] = (double)a.z;
}

static inline wide3 wide3_add(wide3 a, wide3 b) {
    return (wide3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline wide3 wide3_sub(wide3 a, wide3 b) {
    return (wide3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline wide3 wide3_scale(wide s, wide3 a) {
    return (wide3){s * a.x, s * a.y, s * a.z};
}

// a + s b
static inline wide3 wide3_along(wide3 a, wide s, wide3 b) {
    return wide3_add(a, wide3_scale(s, b));
}

static inline wide wide3_dot(wide3 a, wide3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline wide3 wide3_cross(wide3 a, wide3 b) {
    return (wide3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline wide wide3_norm(wide3 a) {
    return sqrtl(wide3_dot(a, a));
}

// NaN for the zero vector.
static inline wide3 wide3_unit(wide3 a) {
    return wide3_scale(1.0L / wide3_norm(a), a);
}

// Two unit vectors that make a right-handed frame with the unit vector n.
void wide3_tangents(wide3 n, wide3 *u, wide3 *v);

// A matrix by its columns.
typedef struct wide_rotation {
    wide3 x, y, z;
} wide_rotation;

// Of the quaternion (w, x, y, z), which need not be unit; body vectors to world vectors.
wide_rotation wide_rotation_of(const double *q);

static inline wide3 wide_rotate(wide_rotation r, wide3 a) {
    return wide3_along(wide3_along(wide3_scale(a.x, r.x), a.y, r.y), a.z, r.z);
}

static inline wide3 wide_rotate_back(wide_rotation r, wide3 a) {
    return (wide3){wide3_dot(r.x, a), wide3_dot(r.y, a), wide3_dot(r.z, a)};
}

// A block of zeros; ends the program when there is no memory. To be freed.
wide *wide_zeros(int count);

// Solves the n x n system A x = b, A by columns, by elimination with partial pivoting and one step of refinement.
// False, with x untouched, when a pivot falls below `least_pivot` times the largest entry of A.
bool wide_solve(int n, const wide *a, bool transposed, const wide *b, wide least_pivot, wide *x);

// All x with A x = b, by columns and with `rows` rows: x = point + directions u, the point being the one of least norm
// and the directions orthonormal. A row counts as dependent when what is left of it after the projection on the others
// is below `tolerance` times the largest row.
typedef struct affine_set {
    int space;        // how many numbers x has
    int rank;         // of A; there are space - rank directions
    wide *point;      // (space)
    wide *directions; // by columns (space x (space - rank))
    wide residual;    // largest |A x - b|: of the order of rounding when the dependent rows agree with the others
} affine_set;

affine_set affine_set_solve(int rows, int space, const wide *a, const wide *b, wide tolerance);
void affine_set_free(affine_set *set);

#endif
