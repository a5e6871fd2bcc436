// SPDX-License-Identifier: MIT
#include "reference/motion/ball_method.h"

#include <string.h>

// Where the line from + s along leaves the ellipsoid: the larger root of a quadratic, taken without cancellation.
static wide leaving(const wide_ellipsoid *e, wide3 from, wide3 along) {
    wide3 p = wide_rotate_back(e->rotation, wide3_sub(from, e->centre)), v = wide_rotate_back(e->rotation, along);
    p = (wide3){p.x / e->a[0], p.y / e->a[1], p.z / e->a[2]};
    v = (wide3){v.x / e->a[0], v.y / e->a[1], v.z / e->a[2]};
    wide a = wide3_dot(v, v), b = wide3_dot(p, v), c = wide3_dot(p, p) - 1.0L; // c <= 0: from is inside
    wide root = sqrtl(fmaxl(b * b - a * c, 0.0L));
    return b > 0.0L ? -c / (b + root) : (root - b) / a;
}

// The centre of a ball inside the ellipsoid that touches it at the surface point p.
static wide3 ball_centre(const wide_ellipsoid *e, wide3 p) {
    wide least = ellipsoid_least_axis(e);
    return wide3_along(p, -least * least, ellipsoid_gradient(e, p));
}

void ball_method_distance(const ellipsoid *first, const ellipsoid *second, double tolerance, int iterations_max,
                          ball_result *result) {
    wide_ellipsoid e1 = ellipsoid_read(first), e2 = ellipsoid_read(second);
    wide size = fmaxl(ellipsoid_largest_axis(&e1), ellipsoid_largest_axis(&e2));
    wide3 c1 = e1.centre, c2 = e2.centre, d = wide3_sub(e2.centre, e1.centre);
    memset(result, 0, sizeof *result);
    result->status = BALL_LIMIT;
    for (; result->iterations < iterations_max && result->status == BALL_LIMIT; result->iterations++) {
        wide3 along = wide3_sub(c2, c1);
        wide s1 = leaving(&e1, c1, along), s2 = 1.0L - leaving(&e2, c2, wide3_scale(-1.0L, along));
        wide3 p1 = wide3_along(c1, s1, along), p2 = wide3_along(c2, s2 - 1.0L, along), n = wide3_unit(along);
        wide distance = (s2 - s1) * wide3_norm(along);
        wide planes = wide3_dot(n, d) - ellipsoid_support(&e1, n, NULL) - ellipsoid_support(&e2, n, NULL);
        result->distance = (double)distance;
        result->certificate = (double)(distance - planes);
        wide3_write(p1, result->point1);
        wide3_write(p2, result->point2);
        if (!(s2 > s1))
            result->status = BALL_OVERLAP;
        else if (distance - planes <= tolerance * size)
            result->status = BALL_CONVERGED;
        c1 = ball_centre(&e1, p1);
        c2 = ball_centre(&e2, p2);
    }
}
