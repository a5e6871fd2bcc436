// SPDX-License-Identifier: MIT
// y_i = d_i a_i^2/(a_i^2 + lambda) on the surface means sum a_i^2 d_i^2/(a_i^2 + lambda)^2 = 1 (d: the sphere's centre
// in body axes), a function with poles at -a_i^2, convex between two of them. Every root is bracketed; where d has no
// part along an axis the pole itself can be a solution, with the length that is left over on that axis.
#include "reference/ellipsoid/ellipsoid_in_sphere.h"

#include <string.h>

// Relative: axes this equal are one axis, components this small are none.
static const wide equal_axes = 1e-13L;
static const wide no_component = 1e-15L;

typedef struct axis_group { // axes of equal length
    wide a, square;         // half length; sum of the squares of d along them
    int count, member[3];
} axis_group;

typedef struct sphere_problem {
    wide_ellipsoid e;
    wide3 sphere_centre;
    wide a[3], d[3];
    int groups;
    axis_group group[3]; // longest first
    int count;
    stationary_point *list;
} sphere_problem;

// a_g^2 - a_base^2
static wide square_gap(const sphere_problem *p, int g, int base) {
    return (p->group[g].a - p->group[base].a) * (p->group[g].a + p->group[base].a);
}

// The sum at lambda = -a_base^2 + m, minus 1; `slope` by m. Groups without d are left out.
static wide secular(const sphere_problem *p, int base, wide m, wide *slope) {
    wide sum = -1.0L, derivative = 0.0L;
    for (int g = 0; g < p->groups; g++) {
        const axis_group *group = &p->group[g];
        if (group->square == 0.0L) continue;
        wide pole = square_gap(p, g, base) + m, term = group->a * group->a * group->square / (pole * pole);
        sum += term;
        derivative -= 2.0L * term / pole;
    }
    if (slope != NULL) *slope = derivative;
    return sum;
}

// Halves [low, high] until nothing is left between them. With `by_slope` for the root of the slope. `rising`: positive
// at high.
static wide bisect(const sphere_problem *p, int base, wide low, wide high, bool by_slope, bool rising) {
    for (int i = 0; i < 20000; i++) {
        wide middle = 0.5L * (low + high), slope, value = secular(p, base, middle, &slope);
        if (middle == low || middle == high) break;
        if (by_slope) value = slope;
        if ((value > 0.0L) == rising)
            high = middle;
        else
            low = middle;
    }
    return fabsl(secular(p, base, low, NULL)) < fabsl(secular(p, base, high, NULL)) ? low : high;
}

// Signs of the curvature 1 + lambda/a_i^2 on the plane tangent to the surface at y.
static stationary_kind kind_of(const sphere_problem *p, const wide *y, int base, wide m) {
    wide3 normal =
        wide3_unit((wide3){y[0] / (p->a[0] * p->a[0]), y[1] / (p->a[1] * p->a[1]), y[2] / (p->a[2] * p->a[2])});
    wide3 u, v;
    wide curvature[3], largest = 0.0L;
    for (int i = 0; i < 3; i++) {
        wide longest = p->group[base].a;
        curvature[i] = ((p->a[i] - longest) * (p->a[i] + longest) + m) / (p->a[i] * p->a[i]);
        largest = fmaxl(largest, fabsl(curvature[i]));
    }
    wide3_tangents(normal, &u, &v);
    wide uu = curvature[0] * u.x * u.x + curvature[1] * u.y * u.y + curvature[2] * u.z * u.z;
    wide uv = curvature[0] * u.x * v.x + curvature[1] * u.y * v.y + curvature[2] * u.z * v.z;
    wide vv = curvature[0] * v.x * v.x + curvature[1] * v.y * v.y + curvature[2] * v.z * v.z;
    wide middle = 0.5L * (uu + vv), spread = hypotl(0.5L * (uu - vv), uv), zero = 1e-12L * largest;
    if (middle + spread <= zero) return STATIONARY_MAXIMUM; // zero along a ring
    return middle - spread >= -zero ? STATIONARY_MINIMUM : STATIONARY_SADDLE;
}

static wide3 to_world(const sphere_problem *p, const wide *y) {
    return wide3_add(p->e.centre, wide_rotate(p->e.rotation, (wide3){y[0], y[1], y[2]}));
}

// `left_over` goes on the first axis of the base group; zero for a root.
static void record(sphere_problem *p, int base, wide m, wide left_over, stationary_family family) {
    wide y[3], mirror[3], longest = p->group[base].a;
    for (int g = 0; g < p->groups; g++)
        for (int k = 0; k < p->group[g].count; k++) {
            int i = p->group[g].member[k];
            wide pole = square_gap(p, g, base) + m;
            y[i] = mirror[i] = p->group[g].square == 0.0L ? 0.0L : p->d[i] * p->a[i] * p->a[i] / pole;
        }
    int first = p->group[base].member[0];
    if (family != STATIONARY_POINT) {
        y[first] = left_over;
        mirror[first] = -left_over;
    }
    wide3 world = to_world(p, y);
    stationary_point s = {.family = family, .kind = kind_of(p, y, base, m)};
    s.distance = (double)hypotl(hypotl(y[0] - p->d[0], y[1] - p->d[1]), y[2] - p->d[2]);
    s.multiplier = (double)(m - longest * longest);
    wide3_write(world, s.point);
    wide3_write(to_world(p, mirror), s.mirror);
    int place = p->count++;
    while (place > 0 && p->list[place - 1].distance < s.distance) {
        p->list[place] = p->list[place - 1];
        place--;
    }
    p->list[place] = s;
}

// Outside the first and behind the last pole the sum is monotone: one root each.
static void outer_roots(sphere_problem *p, int first, int last) {
    wide extent = 0.0L;
    for (int g = 0; g < p->groups; g++) extent = hypotl(extent, p->group[g].a * sqrtl(p->group[g].square));
    wide near_first = p->group[first].a * sqrtl(p->group[first].square);
    wide near_last = p->group[last].a * sqrtl(p->group[last].square);
    record(p, first, bisect(p, first, -2.0L * extent, -0.5L * near_first, false, true), 0.0L, STATIONARY_POINT);
    record(p, last, bisect(p, last, 0.5L * near_last, 2.0L * extent, false, false), 0.0L, STATIONARY_POINT);
}

// Between two poles the sum is convex: two roots when it dips below 1, each sought from its own pole.
static void inner_roots(sphere_problem *p, int left, int right) {
    wide width = square_gap(p, left, right); // positive
    wide dip = bisect(p, left, 0.0L, width, true, true);
    if (!(secular(p, left, dip, NULL) < 0.0L)) return;
    wide near_left = p->group[left].a * sqrtl(p->group[left].square);
    wide near_right = p->group[right].a * sqrtl(p->group[right].square);
    record(p, left, bisect(p, left, 0.5L * near_left, dip, false, false), 0.0L, STATIONARY_POINT);
    record(p, right, bisect(p, right, dip - width, -0.5L * near_right, false, true), 0.0L, STATIONARY_POINT);
}

static void pole_solution(sphere_problem *p, int base) {
    const stationary_family family[] = {STATIONARY_PAIR, STATIONARY_RING, STATIONARY_SPHERE};
    wide rest = -secular(p, base, 0.0L, NULL);
    if (rest > 0.0L) record(p, base, 0.0L, p->group[base].a * sqrtl(rest), family[p->group[base].count - 1]);
}

static void group_axes(sphere_problem *p, wide size) {
    int order[3] = {0, 1, 2};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++)
            if (p->a[order[i]] > p->a[order[j]]) {
                int name = order[i];
                order[i] = order[j];
                order[j] = name;
            }
    for (int i = 0; i < 3; i++) {
        int axis = order[i];
        if (p->groups == 0 || p->a[axis] < p->group[p->groups - 1].a * (1.0L - equal_axes))
            p->group[p->groups++] = (axis_group){.a = p->a[axis]};
        axis_group *group = &p->group[p->groups - 1];
        group->member[group->count++] = axis;
        if (fabsl(p->d[axis]) > no_component * size) group->square += p->d[axis] * p->d[axis];
    }
}

int ellipsoid_stationary_points(const ellipsoid *e, const double *sphere_centre, stationary_point *list) {
    sphere_problem p = {.e = ellipsoid_read(e), .sphere_centre = wide3_read(sphere_centre), .list = list};
    wide3 d = wide_rotate_back(p.e.rotation, wide3_sub(p.sphere_centre, p.e.centre));
    const wide components[3] = {d.x, d.y, d.z};
    memcpy(p.d, components, sizeof p.d);
    memcpy(p.a, p.e.a, sizeof p.a);
    group_axes(&p, ellipsoid_largest_axis(&p.e));
    int first = -1, last = -1;
    for (int g = 0; g < p.groups; g++) {
        if (p.group[g].square == 0.0L) {
            pole_solution(&p, g);
            continue;
        }
        if (first < 0)
            first = g;
        else
            inner_roots(&p, last, g);
        last = g;
    }
    if (first >= 0) outer_roots(&p, first, last);
    return p.count;
}
