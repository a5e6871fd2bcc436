// SPDX-License-Identifier: MIT
#include "step/integrate/moser_veselov.h"

#include <math.h>

// Newton's error after a correction d is of the size d^2: below this it is less than a rounding.
static const double last_correction = 1e-9;

// 2 (s J a + a x J a)
static carom_vec3 left_side(carom_vec3 inertia, double s, carom_vec3 a) {
    carom_vec3 ja = crm_vec3_mul(inertia, a);
    return crm_scale(2.0, crm_madd(crm_cross(a, ja), s, ja));
}

// Its derivative: 2 (s J - (J a) a^T / s + [a]x J - [J a]x)
static carom_mat3 derivative(carom_vec3 j, double s, carom_vec3 a) {
    carom_vec3 ja = crm_vec3_mul(j, a), c = crm_scale(-1.0 / s, ja);
    return crm_mat3_scale(
        2.0,
        crm_mat3_columns(crm_vec3(s * j.x + c.x * a.x, a.z * j.x - ja.z + c.y * a.x, -a.y * j.x + ja.y + c.z * a.x),
                         crm_vec3(-a.z * j.y + ja.z + c.x * a.y, s * j.y + c.y * a.y, a.x * j.y - ja.x + c.z * a.y),
                         crm_vec3(a.y * j.z - ja.y + c.x * a.z, -a.x * j.z + ja.x + c.y * a.z, s * j.z + c.z * a.z)));
}

// Cramer's rule: the matrix is close to 2 J, and what it loses for flat bodies the next iteration repairs.
static carom_vec3 solve(carom_mat3 m, carom_vec3 b) {
    carom_vec3 yz = crm_cross(m.y, m.z), zx = crm_cross(m.z, m.x), xy = crm_cross(m.x, m.y);
    double reciprocal = 1.0 / crm_dot(m.x, yz);
    return crm_vec3(reciprocal * crm_dot(b, yz), reciprocal * crm_dot(b, zx), reciprocal * crm_dot(b, xy));
}

bool crm_moser_veselov(carom_vec3 inertia, carom_vec3 hm, int limit, carom_vec3 *a, double *s, int *iterations,
                       double *residual) {
    carom_vec3 x = crm_vec3(0.5 * hm.x / inertia.x, 0.5 * hm.y / inertia.y, 0.5 * hm.z / inertia.z);
    const double largest_square = CRM_LARGEST_HALF_ROTATION * CRM_LARGEST_HALF_ROTATION;
    bool done = false;
    int count = 0;
    while (!done) {
        double square = crm_length_squared(x);
        if (!(square <= largest_square) || count == limit) return false;
        double scalar = sqrt(1.0 - square);
        carom_vec3 error = crm_sub(left_side(inertia, scalar, x), hm);
        carom_vec3 correction = solve(derivative(inertia, scalar, x), error);
        x = crm_sub(x, correction);
        count++;
        done = crm_length_squared(correction) <= last_correction * last_correction * square;
    }
    double square = crm_length_squared(x);
    if (!(square <= largest_square)) return false;
    *a = x;
    *s = sqrt(1.0 - square);
    *iterations = count;
    double size = crm_length(hm);
    *residual = size > 0.0 ? crm_distance(left_side(inertia, *s, x), hm) / size : 0.0;
    return true;
}
