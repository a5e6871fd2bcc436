// SPDX-License-Identifier: MIT
// Triangles of corners that may be thin: of two edges that are parallel to 1e-10, or of three corners nearly in a line.
//
// The cross product of two sides is off by a rounding of their lengths. Over the thin width of a triangle that is a
// large angle, so that its normal is not normal to the long side, and barycentric coordinates, which are areas over the
// whole area, put the point elsewhere along it. Here the long side comes first: what is left of the normal is rotated
// square to it, and the coordinate across has its error times the width only.
#ifndef CRM_DISTANCE_TRIANGLE_H
#define CRM_DISTANCE_TRIANGLE_H

#include "math/vec3.h"

// A triangle is thin when the sine of the angle between two sides is below this: there the plain formulas have lost
// three digits.
#define CRM_THIN_SINE 1e-3

// By the cross product `m` of its sides u and v.
static inline bool crm_triangle_is_thin(carom_vec3 m, carom_vec3 u, carom_vec3 v) {
    const double least = CRM_THIN_SINE * CRM_THIN_SINE;
    return crm_length_squared(m) <= least * crm_length_squared(u) * crm_length_squared(v);
}

// v less its part along u.
static inline carom_vec3 crm_square_to(carom_vec3 v, carom_vec3 u) {
    double square = crm_length_squared(u);
    return square > 0.0 ? crm_madd(v, -crm_dot(v, u) / square, u) : v;
}

// Which corner the longest side starts from: it runs to the next one.
static inline int crm_longest_side(const carom_vec3 z[3]) {
    double first = crm_length_squared(crm_sub(z[1], z[0])), second = crm_length_squared(crm_sub(z[2], z[1]));
    double third = crm_length_squared(crm_sub(z[0], z[2]));
    return first >= second && first >= third ? 0 : second >= third ? 1 : 2;
}

// (z1 - z0) x (z2 - z0), square to the sides also when they are nearly parallel.
static inline carom_vec3 crm_triangle_normal(const carom_vec3 z[3]) {
    carom_vec3 e = crm_sub(z[1], z[0]), f = crm_sub(z[2], z[0]), m = crm_cross(e, f);
    if (!crm_triangle_is_thin(m, e, f)) return m;
    int k = crm_longest_side(z);
    carom_vec3 u = crm_sub(z[(k + 1) % 3], z[k]), v = crm_square_to(crm_sub(z[(k + 2) % 3], z[k]), u);
    // v is short: once more, for what it had left along u.
    v = crm_square_to(v, u);
    return crm_square_to(crm_square_to(crm_cross(u, v), u), v);
}

// Barycentric coordinates of the foot of the origin on the triangle's plane; they sum to 1, and may be negative. Of
// corners in a line, those on the longest side.
static inline void crm_triangle_foot(const carom_vec3 z[3], double w[3]) {
    int k = crm_longest_side(z);
    carom_vec3 p = z[k], u = crm_sub(z[(k + 1) % 3], p), v = crm_sub(z[(k + 2) % 3], p);
    double long_square = crm_length_squared(u), shear = long_square > 0.0 ? crm_dot(v, u) / long_square : 0.0;
    carom_vec3 height = crm_square_to(crm_madd(v, -shear, u), u);
    double height_square = crm_length_squared(height);
    double along = long_square > 0.0 ? -crm_dot(p, u) / long_square : 0.0;
    double up = height_square > 0.0 ? -crm_dot(p, height) / height_square : 0.0;
    w[(k + 2) % 3] = up;
    w[(k + 1) % 3] = along - up * shear;
    w[k] = 1.0 - w[(k + 1) % 3] - up;
}

#endif
