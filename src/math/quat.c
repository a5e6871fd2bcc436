// SPDX-License-Identifier: MIT
#include "math/quat.h"

#include <float.h>

#include "math/so3.h"
#include "math/so3_series.h"

bool crm_quat_normalise(carom_quat q, carom_quat *unit) {
    double square = crm_quat_dot(q, q);
    if (!(square > CRM_SQUARE_LOW && square < CRM_SQUARE_HIGH)) {
        double largest = fmax(fabs(q.w), crm_max_component(crm_vec3_abs(crm_quat_vector(q))));
        *unit = crm_quat_identity();
        if (!isfinite(q.w) || !crm_vec3_finite(crm_quat_vector(q)) || largest == 0.0) return false;
        int exponent;
        (void)frexp(largest, &exponent);
        q = (carom_quat){ldexp(q.w, -exponent), ldexp(q.x, -exponent), ldexp(q.y, -exponent), ldexp(q.z, -exponent)};
        square = crm_quat_dot(q, q);
    }
    double length = sqrt(square);
    *unit = (carom_quat){q.w / length, q.x / length, q.y / length, q.z / length};
    return true;
}

carom_quat crm_quat_from_axis_angle(carom_vec3 axis, double angle) {
    double s = sin(0.5 * angle);
    return (carom_quat){cos(0.5 * angle), s * axis.x, s * axis.y, s * axis.z};
}

// 4 w^2, 4 x^2, 4 y^2, 4 z^2 are 1 plus a sum of diagonal entries each; the largest is at least 1, so that its root
// and the divisions by it are safe. The sums and differences of off-diagonal entries give the other three.
carom_quat crm_quat_from_mat3(carom_mat3 r) {
    double xx = r.x.x, yy = r.y.y, zz = r.z.z;
    double yz = r.y.z - r.z.y, zx = r.z.x - r.x.z, xy = r.x.y - r.y.x; // 4 w x, 4 w y, 4 w z
    carom_quat q;
    if (xx + yy + zz >= fmax(xx, fmax(yy, zz))) {
        q = (carom_quat){1.0 + xx + yy + zz, yz, zx, xy};
    } else if (xx >= yy && xx >= zz) {
        q = (carom_quat){yz, 1.0 + xx - yy - zz, r.x.y + r.y.x, r.z.x + r.x.z};
    } else if (yy >= zz) {
        q = (carom_quat){zx, r.x.y + r.y.x, 1.0 - xx + yy - zz, r.y.z + r.z.y};
    } else {
        q = (carom_quat){xy, r.z.x + r.x.z, r.y.z + r.z.y, 1.0 - xx - yy + zz};
    }
    q = crm_quat_normalised(q); // each branch holds 4 c q, c the chosen component
    return q.w < 0.0 ? crm_quat_negate(q) : q;
}

// With m = from + to and d = to - from, which are normal to each other: cos(angle/2) = |m|/2, and the vector part is
// m x d / (2 |m|). Both sums are exact where they are small, so that nothing cancels at either end. Lengths that differ
// by a rounding tilt the smaller of m and d along the other; the cross product drops that part.
carom_quat crm_quat_between(carom_vec3 from, carom_vec3 to) {
    // Below this |m| is the rounding of the two unit vectors, and its direction says nothing.
    const double opposite_size = 4.0 * DBL_EPSILON;
    carom_vec3 m = crm_add(from, to), d = crm_sub(to, from);
    carom_vec3 middle;
    double length = crm_normalise(m, &middle);
    if (length < opposite_size) {
        carom_vec3 axis = crm_vec3_zero();
        (void)crm_normalise(d, &axis);
        middle = crm_any_normal(axis);
        length = 0.0;
    }
    carom_vec3 v = crm_cross(middle, d);
    return crm_quat_normalised((carom_quat){length, v.x, v.y, v.z});
}

double crm_quat_angle(carom_quat p, carom_quat q) {
    carom_quat rotation = crm_quat_mul(crm_quat_conjugate(p), q);
    return 2.0 * atan2(crm_safe_length(crm_quat_vector(rotation)), fabs(rotation.w));
}

carom_quat crm_quat_step(carom_quat q, carom_vec3 w, double dt) {
    return crm_quat_normalised(crm_quat_mul(crm_so3_exp(crm_scale(dt, w)), q));
}

// With a the half angle: cos a = 1 - a^2 cosc(a). A length that is wrong by d is wrong by 1.5 d^2 after one step of
// Newton's method for its reciprocal.
carom_quat crm_quat_short_step(carom_quat q, carom_vec3 w, double dt) {
    carom_vec3 half = crm_scale(0.5 * dt, w);
    double square = crm_length_squared(half), sinc, cosc;
    crm_sinc_cosc_squared(square, &sinc, &cosc);
    carom_vec3 v = crm_scale(sinc, half);
    carom_quat next = crm_quat_mul((carom_quat){1.0 - square * cosc, v.x, v.y, v.z}, q);
    double unit = 1.5 - 0.5 * crm_quat_dot(next, next);
    return (carom_quat){unit * next.w, unit * next.x, unit * next.y, unit * next.z};
}
