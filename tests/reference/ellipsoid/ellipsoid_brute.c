// SPDX-License-Identifier: MIT
#include "reference/ellipsoid/ellipsoid_brute.h"

#include <string.h>

typedef struct summit {
    wide value, least_curvature; // the curvature is minus the larger eigenvalue of the tangent Hessian
    wide3 n;
} summit;

typedef struct pair {
    wide_ellipsoid e1, e2;
    wide3 d;
    wide size;
} pair;

static wide separation(const pair *p, wide3 n, wide3 *gradient) {
    wide3 arm1, arm2;
    wide value = wide3_dot(n, p->d) - ellipsoid_support(&p->e1, n, &arm1) - ellipsoid_support(&p->e2, n, &arm2);
    *gradient = wide3_sub(wide3_sub(p->d, arm1), arm2);
    return value;
}

// u.H v of h(n) = sqrt(n Q n): H = (Q - (Qn)(Qn)^T/h^2)/h.
static wide support_curvature(const wide_ellipsoid *e, wide3 n, wide3 u, wide3 v) {
    wide3 arm, lu = wide_rotate_back(e->rotation, u), lv = wide_rotate_back(e->rotation, v);
    wide h = ellipsoid_support(e, n, &arm);
    wide q = e->a[0] * e->a[0] * lu.x * lv.x + e->a[1] * e->a[1] * lu.y * lv.y + e->a[2] * e->a[2] * lu.z * lv.z;
    return (q - wide3_dot(arm, u) * wide3_dot(arm, v)) / h;
}

// Tangent Hessian [a b; b c] and its larger eigenvalue.
static wide tangent_hessian(const pair *p, wide3 n, wide value, wide3 u, wide3 v, wide *a, wide *b, wide *c) {
    *a = -value - support_curvature(&p->e1, n, u, u) - support_curvature(&p->e2, n, u, u);
    *b = -support_curvature(&p->e1, n, u, v) - support_curvature(&p->e2, n, u, v);
    *c = -value - support_curvature(&p->e1, n, v, v) - support_curvature(&p->e2, n, v, v);
    return 0.5L * (*a + *c + hypotl(*a - *c, 2.0L * *b));
}

// Newton on the sphere, the Hessian shifted to negative definite, only increases accepted.
static summit climb(const pair *p, wide3 n) {
    wide3 gradient, u, v;
    wide value = separation(p, n, &gradient), a, b, c, top = 0.0L;
    for (int iteration = 0; iteration < 500; iteration++) {
        wide3_tangents(n, &u, &v);
        top = tangent_hessian(p, n, value, u, v, &a, &b, &c);
        wide gu = wide3_dot(gradient, u), gv = wide3_dot(gradient, v);
        wide shift = top > -1e-6L * p->size ? top + 1e-3L * p->size : 0.0L;
        wide det = (a - shift) * (c - shift) - b * b;
        wide su = -((c - shift) * gu - b * gv) / det, sv = -((a - shift) * gv - b * gu) / det;
        wide length = hypotl(su, sv), scale = length > 0.5L ? 0.5L / length : 1.0L;
        bool moved = false;
        // Near the top the value is flat to rounding: full Newton steps are then right whatever it says.
        bool converging = shift == 0.0L && length < 1e-8L;
        for (int halving = 0; halving < 60 && !moved; halving++, scale *= 0.5L) {
            wide3 next = wide3_unit(wide3_add(n, wide3_add(wide3_scale(scale * su, u), wide3_scale(scale * sv, v))));
            wide3 next_gradient;
            wide next_value = separation(p, next, &next_gradient);
            if (!converging && next_value <= value) continue;
            n = next, value = next_value, gradient = next_gradient;
            moved = true;
        }
        if (!moved || length < 1e-18L || (converging && length < 1e-16L)) break;
    }
    return (summit){value, -top, n};
}

static void keep(summit *list, int *count, summit s, wide size) {
    int place = 0;
    for (int i = 0; i < *count; i++)
        if (wide3_norm(wide3_sub(list[i].n, s.n)) < 1e-5L && fabsl(list[i].value - s.value) < 1e-9L * size) {
            if (s.value > list[i].value) list[i] = s;
            return;
        }
    while (place < *count && list[place].value >= s.value) place++;
    if (place == ELLIPSOID_MAXIMA_MAX) return;
    int moved = *count - place - (*count == ELLIPSOID_MAXIMA_MAX);
    memmove(list + place + 1, list + place, (size_t)moved * sizeof *list);
    list[place] = s;
    if (*count < ELLIPSOID_MAXIMA_MAX) (*count)++;
}

// Points spread evenly: the golden angle round the axis, heights in equal steps.
static wide3 spread(int i, int count) {
    wide z = 1.0L - (2.0L * i + 1.0L) / count, angle = 2.39996322972865332223L * i, radius = sqrtl(1.0L - z * z);
    return (wide3){radius * cosl(angle), radius * sinl(angle), z};
}

static void climb_from(const pair *p, wide3 n, summit *list, int *count) {
    wide length = wide3_norm(n);
    if (length > 0.0L) keep(list, count, climb(p, wide3_scale(1.0L / length, n)), p->size);
}

static pair read_pair(const ellipsoid *first, const ellipsoid *second) {
    pair p = {ellipsoid_read(first), ellipsoid_read(second), {0, 0, 0}, 0.0L};
    p.d = wide3_sub(p.e2.centre, p.e1.centre);
    p.size = fmaxl(ellipsoid_largest_axis(&p.e1), ellipsoid_largest_axis(&p.e2));
    return p;
}

void ellipsoid_brute_distance(const ellipsoid *first, const ellipsoid *second, int starts, ellipsoid_result *result) {
    pair p = read_pair(first, second);
    summit list[ELLIPSOID_MAXIMA_MAX + 1];
    int count = 0;
    memset(result, 0, sizeof *result);
    climb_from(&p, p.d, list, &count);
    for (int sign = -1; sign <= 1; sign += 2) {
        const wide_rotation *rotation[] = {&p.e1.rotation, &p.e2.rotation};
        for (int body = 0; body < 2; body++) {
            climb_from(&p, wide3_scale(sign, rotation[body]->x), list, &count);
            climb_from(&p, wide3_scale(sign, rotation[body]->y), list, &count);
            climb_from(&p, wide3_scale(sign, rotation[body]->z), list, &count);
        }
    }
    for (int i = 0; i < starts; i++) climb_from(&p, spread(i, starts), list, &count);

    wide3 arm1, arm2, n = list[0].n;
    wide value = wide3_dot(n, p.d) - ellipsoid_support(&p.e1, n, &arm1) - ellipsoid_support(&p.e2, n, &arm2);
    result->distance = (double)value;
    wide3_write(n, result->normal);
    wide3_write(wide3_add(p.e1.centre, arm1), result->point1);
    wide3_write(wide3_sub(p.e2.centre, arm2), result->point2);
    result->maxima = count;
    for (int i = 0; i < count; i++) result->maximum[i] = (double)list[i].value;
    result->normal_unique =
        list[0].least_curvature > 1e-9L * p.size && (count == 1 || list[1].value < list[0].value - 1e-12L * p.size);
}

double ellipsoid_plane_separation(const ellipsoid *first, const ellipsoid *second, const double *n) {
    pair p = read_pair(first, second);
    wide3 gradient;
    return (double)separation(&p, wide3_unit(wide3_read(n)), &gradient);
}
