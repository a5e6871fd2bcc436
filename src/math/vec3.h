// SPDX-License-Identifier: MIT
// Vectors of three doubles, by value.
//
//   make      crm_vec3  crm_vec3_zero
//   algebra   crm_add  crm_sub  crm_scale  crm_negate  crm_madd  crm_dot  crm_cross
//   size      crm_length  crm_length_squared  crm_distance  crm_safe_length  crm_normalise
//   normals   crm_any_normal  crm_tangents
//   parts     crm_component  crm_with_component  crm_vec3_mul  crm_vec3_min  crm_vec3_max  crm_vec3_abs
//             crm_max_component  crm_vec3_finite
//
// crm_length and its kin square plainly: right to rounding for lengths in 1e-140..1e150, which is every length of a
// scene. The safe forms cost a comparison more and hold for every finite vector.
//
// The room math: plain numbers enter and leave; no file here knows a body. Vectors, matrices, rotations and small
// decompositions lie here, the larger algebra in dense/, block/ and krylov/, vectors of the processor in simd/. Called
// by every room above.
#ifndef CRM_MATH_VEC3_H
#define CRM_MATH_VEC3_H

#include <math.h>
#include <stdbool.h>

#include "base/assert.h"
#include "carom/types.h"

// Between these, a sum of three squares has neither overflowed nor lost more than 2^-110 of itself to underflow.
#define CRM_SQUARE_LOW 0x1p-960
#define CRM_SQUARE_HIGH 0x1p+1020

static inline carom_vec3 crm_vec3(double x, double y, double z) {
    return (carom_vec3){x, y, z};
}

static inline carom_vec3 crm_vec3_zero(void) {
    return crm_vec3(0.0, 0.0, 0.0);
}

static inline carom_vec3 crm_add(carom_vec3 a, carom_vec3 b) {
    return crm_vec3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline carom_vec3 crm_sub(carom_vec3 a, carom_vec3 b) {
    return crm_vec3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline carom_vec3 crm_scale(double s, carom_vec3 a) {
    return crm_vec3(s * a.x, s * a.y, s * a.z);
}

static inline carom_vec3 crm_negate(carom_vec3 a) {
    return crm_vec3(-a.x, -a.y, -a.z);
}

// a + s b
static inline carom_vec3 crm_madd(carom_vec3 a, double s, carom_vec3 b) {
    return crm_vec3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

static inline double crm_dot(carom_vec3 a, carom_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline carom_vec3 crm_cross(carom_vec3 a, carom_vec3 b) {
    return crm_vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double crm_length_squared(carom_vec3 a) {
    return crm_dot(a, a);
}

static inline double crm_length(carom_vec3 a) {
    return sqrt(crm_dot(a, a));
}

static inline double crm_distance(carom_vec3 a, carom_vec3 b) {
    return crm_length(crm_sub(a, b));
}

// Component 0, 1 or 2.
static inline double crm_component(carom_vec3 a, int index) {
    CRM_ASSERT(index >= 0 && index < 3);
    return index == 0 ? a.x : index == 1 ? a.y : a.z;
}

// `a` with component 0, 1 or 2 replaced.
static inline carom_vec3 crm_with_component(carom_vec3 a, int index, double value) {
    CRM_ASSERT(index >= 0 && index < 3);
    return crm_vec3(index == 0 ? value : a.x, index == 1 ? value : a.y, index == 2 ? value : a.z);
}

// Component by component: a diagonal matrix times a vector.
static inline carom_vec3 crm_vec3_mul(carom_vec3 a, carom_vec3 b) {
    return crm_vec3(a.x * b.x, a.y * b.y, a.z * b.z);
}

// The smaller of each pair; comparisons rather than fmin, which costs a call where NaN must be treated.
static inline carom_vec3 crm_vec3_min(carom_vec3 a, carom_vec3 b) {
    return crm_vec3(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z);
}

static inline carom_vec3 crm_vec3_max(carom_vec3 a, carom_vec3 b) {
    return crm_vec3(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z);
}

static inline carom_vec3 crm_vec3_abs(carom_vec3 a) {
    return crm_vec3(fabs(a.x), fabs(a.y), fabs(a.z));
}

// The largest component (with its sign). Of crm_vec3_abs(a) it is the maximum norm.
static inline double crm_max_component(carom_vec3 a) {
    double largest = a.x > a.y ? a.x : a.y;
    return largest > a.z ? largest : a.z;
}

static inline bool crm_vec3_finite(carom_vec3 a) {
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

// `a` times a power of two that brings its largest component into [1/2, 1); the exponent taken out goes to `exponent`.
// Exact, but for components more than 2^1000 below the largest. `a` is finite and not zero.
static inline carom_vec3 crm_vec3_unit_scale(carom_vec3 a, int *exponent) {
    (void)frexp(crm_max_component(crm_vec3_abs(a)), exponent);
    return crm_vec3(ldexp(a.x, -*exponent), ldexp(a.y, -*exponent), ldexp(a.z, -*exponent));
}

// The length without overflow or underflow on the way. Infinite only if it exceeds DBL_MAX or a component is infinite
// (and none NaN).
static inline double crm_safe_length(carom_vec3 a) {
    double square = crm_dot(a, a);
    if (square > CRM_SQUARE_LOW && square < CRM_SQUARE_HIGH) return sqrt(square);
    if (!crm_vec3_finite(a) || (a.x == 0.0 && a.y == 0.0 && a.z == 0.0)) return sqrt(square);
    int exponent;
    carom_vec3 scaled = crm_vec3_unit_scale(a, &exponent);
    return ldexp(crm_length(scaled), exponent);
}

// Puts a/|a| into `unit` and returns |a|, for every finite vector but zero. A vector without direction (zero or not
// finite) gives 0 and a zero `unit`.
static inline double crm_normalise(carom_vec3 a, carom_vec3 *unit) {
    double square = crm_dot(a, a);
    int exponent = 0;
    if (!(square > CRM_SQUARE_LOW && square < CRM_SQUARE_HIGH)) {
        if (!crm_vec3_finite(a) || (a.x == 0.0 && a.y == 0.0 && a.z == 0.0)) {
            *unit = crm_vec3_zero();
            return 0.0;
        }
        a = crm_vec3_unit_scale(a, &exponent);
        square = crm_dot(a, a);
    }
    double length = sqrt(square);
    *unit = crm_vec3(a.x / length, a.y / length, a.z / length);
    return exponent == 0 ? length : ldexp(length, exponent);
}

// Two unit vectors with t1 x t2 = n, for a unit n; (x, y) for n = z. Duff et al., "Building an Orthonormal Basis,
// Revisited" (2017), with the jump elsewhere: every such field jumps somewhere, theirs on n.z = 0, where the normals
// of upright walls lie and rounding would flip the friction directions from step to step. Here it is the cone
// n.z = tangent_switch: no face of an axis-aligned scene is near it, and 1/(1 + n.z) stays below 4, so that the frame
// is orthonormal to a few roundings (1.6e-15 measured).
static inline void crm_tangents(carom_vec3 n, carom_vec3 *t1, carom_vec3 *t2) {
    const double tangent_switch = -0.75;
    double sign = n.z > tangent_switch ? 1.0 : -1.0;
    double a = -1.0 / (sign + n.z);
    double b = n.x * n.y * a;
    *t1 = crm_vec3(1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x);
    *t2 = crm_vec3(b, sign + n.y * n.y * a, -n.y);
}

// A unit vector normal to the unit vector `n`: the first of crm_tangents.
static inline carom_vec3 crm_any_normal(carom_vec3 n) {
    carom_vec3 t1, t2;
    crm_tangents(n, &t1, &t2);
    return t1;
}

#endif
