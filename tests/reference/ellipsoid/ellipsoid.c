// SPDX-License-Identifier: MIT
#include "reference/ellipsoid/ellipsoid.h"

#include <stddef.h>

wide_ellipsoid ellipsoid_read(const ellipsoid *e) {
    return (wide_ellipsoid){wide3_read(e->centre), {e->axes[0], e->axes[1], e->axes[2]}, wide_rotation_of(e->attitude)};
}

wide ellipsoid_support(const wide_ellipsoid *e, wide3 n, wide3 *arm) {
    wide3 local = wide_rotate_back(e->rotation, n);
    wide3 v = {e->a[0] * local.x, e->a[1] * local.y, e->a[2] * local.z};
    wide h = wide3_norm(v);
    if (arm != NULL) *arm = wide_rotate(e->rotation, (wide3){e->a[0] * v.x / h, e->a[1] * v.y / h, e->a[2] * v.z / h});
    return h;
}

wide3 ellipsoid_gradient(const wide_ellipsoid *e, wide3 x) {
    wide3 y = wide_rotate_back(e->rotation, wide3_sub(x, e->centre));
    return wide_rotate(e->rotation,
                       (wide3){y.x / (e->a[0] * e->a[0]), y.y / (e->a[1] * e->a[1]), y.z / (e->a[2] * e->a[2])});
}

wide ellipsoid_least_axis(const wide_ellipsoid *e) {
    return fminl(e->a[0], fminl(e->a[1], e->a[2]));
}

wide ellipsoid_largest_axis(const wide_ellipsoid *e) {
    return fmaxl(e->a[0], fmaxl(e->a[1], e->a[2]));
}

double ellipsoid_plane_gap(const ellipsoid *e, const double *normal, double offset, double *point, double *foot) {
    wide_ellipsoid w = ellipsoid_read(e);
    wide3 n = wide3_read(normal), arm;
    wide gap = wide3_dot(n, w.centre) - ellipsoid_support(&w, n, &arm) - offset;
    wide3 deepest = wide3_sub(w.centre, arm);
    wide3_write(deepest, point);
    wide3_write(wide3_along(deepest, -gap, n), foot);
    return (double)gap;
}
