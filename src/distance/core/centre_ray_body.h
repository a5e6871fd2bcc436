// SPDX-License-Identifier: MIT
// The centre ray on two sharp cores: revised simplex with support-function pricing (docs/math.md 3.3).
//
// The line {lambda beta} is followed to the smallest lambda at which it meets the difference: min lambda subject to
// lambda beta = sum w z, w >= 0, sum w = 1. A basis is a triangle of corners that the line passes through. Its normal
// m, <m, beta> > 0, prices the corners: the lowest one along m enters, and the signs of beta.(s x z_i) name the corner
// that leaves. When none is lower, alpha = m/<m, beta> is the dual solution and proves it.
//
// Degenerate rays, through an edge or a corner of the difference, would make the triangle's signs contradict each other
// or cycle. So all decisions are made for a ray that is displaced by `displacement` of the size in a generic direction,
// and value and weights are evaluated on the true one; a failure is tried again from another triangle and with other
// displacements (cast_again).
#include <float.h>
#include <math.h>
#include <stddef.h>

#include "distance/core/difference.h"
#include "distance/core/triangle.h"
#include "distance/measure.h"

static const double displacement = 1e-14;
// Nearly of length 1, and no symmetry of anything.
static const carom_vec3 generic = {0.48507125007266594, -0.7276068751089989, 0.48507125007266594 + 1e-3};

// Corners count as lower along a unit normal only by more than this share of the size.
static const double least_gain = 1e-15;
// Twice the area of a triangle seen along beta, as a share of the square of the size, below which it is a line.
static const double least_area = 1e-14;
// The same below which areas have lost too many digits to make weights of.
static const double small_area = 1e-3;
// True weights may be negative by the displacement over the width of a triangle that is not thin, and the point be off
// the line by a multiple of the displacement; a triangle that misses shows more.
static const double most_negative = 1e-9, most_miss = 1e-12;
// Centres that are farther apart than this share of the sizes have a direction between them, whatever the coordinates.
static const double clear_distance = 1e-6;
enum { SUPPORT_LIMIT = 60 };

typedef enum walk_end { WALK_FOUND, WALK_MISSES, WALK_FAILED } walk_end;

// A triangle of displaced corners in lanes 0, 1, 2, counter-clockwise around beta; lane 3 is not used.
typedef struct portal {
    quad x, y, z;
    int a[3], b[3];
    carom_vec3 m; // normal, <m, beta> > 0
    double along; // <m, beta>
    double gain;  // the lowest corner is lower than the triangle by this, times |m|
    bool thin;
} portal;

static inline corner portal_corner(const portal *p, int k) {
    return (corner){{p->x[k], p->y[k], p->z[k]}, p->a[k], p->b[k]};
}

static inline void put_corner(portal *p, int k, const corner *c) {
    p->x[k] = c->z.x, p->y[k] = c->z.y, p->z[k] = c->z.z;
    p->a[k] = c->a, p->b[k] = c->b;
}

// beta.(z_i x z_i+1): twice the areas that the line spans with the triangle's sides, seen along beta. Lane i belongs to
// the corner i + 2, whose weight it is.
QUAD_INLINE quad side_areas(quad x, quad y, quad z, carom_vec3 beta) {
    quad nx = quad_next(x), ny = quad_next(y), nz = quad_next(z);
    return (quad_fill(beta.x) * (y * nz - z * ny) + quad_fill(beta.y) * (z * nx - x * nz)) +
           quad_fill(beta.z) * (x * ny - y * nx);
}

// A triangle from nothing: the lowest corner, one across the line from it, one across the line from both. It need not
// be passed through by the line yet.
static walk_end find_triangle(difference *d, carom_vec3 beta, portal *p, carom_vec3 *separating) {
    corner c[3];
    carom_vec3 n;
    c[0] = lowest(d, beta, NULL);
    if (crm_normalise(crm_madd(c[0].z, -crm_dot(beta, c[0].z), beta), &n) == 0.0) n = crm_any_normal(beta);
    for (int k = 1; k < 3; k++) {
        c[k] = lowest(d, n, &c[k - 1]);
        if (crm_dot(n, c[k].z) > 0.0) {
            *separating = n;
            return WALK_MISSES;
        }
        if (k == 2) break;
        if (crm_normalise(crm_cross(beta, crm_sub(c[1].z, c[0].z)), &n) == 0.0) return WALK_FAILED;
        if (crm_dot(n, c[0].z) < 0.0) n = crm_negate(n);
    }
    for (int k = 0; k < 3; k++) put_corner(p, k, &c[k]);
    return WALK_FOUND;
}

// Makes the line pass through the triangle: while it is beyond a side, the corner opposite to that side is replaced by
// one beyond.
static __attribute__((noinline)) walk_end surround(difference *d, const carom_vec3 *along, double size, portal *p,
                                                   carom_vec3 *separating) {
    carom_vec3 beta = *along;
    corner c[3] = {portal_corner(p, 0), portal_corner(p, 1), portal_corner(p, 2)};
    bool flipped = false;
    while (d->supports < SUPPORT_LIMIT) {
        // Twice the areas that the line spans with the sides, seen along beta; the first belongs to the side 0 1.
        carom_vec3 u = crm_cross(beta, c[0].z), v = crm_cross(beta, c[1].z);
        double w0 = crm_dot(u, c[1].z), w1 = crm_dot(v, c[2].z), w2 = -crm_dot(u, c[2].z), whole = w0 + w1 + w2;
        if (fabs(whole) <= least_area * size * size) return WALK_FAILED; // flat, seen along beta
        if (whole < 0.0) {
            if (flipped) return WALK_FAILED; // negative both ways round: nothing but rounding
            flipped = true;
            corner swap = c[1];
            c[1] = c[2], c[2] = swap;
            continue;
        }
        if (w0 >= 0.0 && w1 >= 0.0 && w2 >= 0.0) {
            p->x = (quad){c[0].z.x, c[1].z.x, c[2].z.x, c[2].z.x};
            p->y = (quad){c[0].z.y, c[1].z.y, c[2].z.y, c[2].z.y};
            p->z = (quad){c[0].z.z, c[1].z.z, c[2].z.z, c[2].z.z};
            for (int k = 0; k < 3; k++) p->a[k] = c[k].a, p->b[k] = c[k].b;
            return WALK_FOUND;
        }
        corner from = w0 < 0.0 ? c[0] : w1 < 0.0 ? c[1] : c[2], to = w0 < 0.0 ? c[1] : w1 < 0.0 ? c[2] : c[0];
        carom_vec3 n = crm_cross(beta, crm_sub(to.z, from.z));
        corner beyond = lowest(d, n, &from);
        if (crm_dot(n, beyond.z) > 0.0) {
            crm_normalise(n, separating);
            return WALK_MISSES;
        }
        if (same_pair(&beyond, &from) || same_pair(&beyond, &to)) return WALK_FAILED;
        c[0] = to, c[1] = from, c[2] = beyond;
        flipped = false;
    }
    return WALK_FAILED;
}

// How much the directions of the start are tilted towards the exit, which brings the first triangle near the facet; too
// much, and the line is not in it. Best of 0.5 to 6 by the number of supports: 5.9 on the average for 8 vertices, 6.3
// for 32, 6.6 for 128.
static inline double tilt_for(int vertices) {
    return vertices <= 12 ? 1.0 : vertices <= 64 ? 2.0 : vertices <= 300 ? 4.0 : 10.0;
}

// The first triangle: the lowest corner along beta, and two on the other side of the line from it, which do not wait
// for each other.
QUAD_INLINE void first_portal(bool few, difference *d, carom_vec3 beta, portal *p) {
    int count_a = d->a.side->vertex_count, count_b = d->b.side->vertex_count;
    double tilt = tilt_for(count_a > count_b ? count_a : count_b);
    spread_corner s[3];
    s[0] = lowest_spread(few, d, quad_fill(beta.x), quad_fill(beta.y), quad_fill(beta.z), -1, -1);
    carom_vec3 z = {s[0].x[0], s[0].y[0], s[0].z[0]};
    carom_vec3 offset = crm_madd(z, -crm_dot(beta, z), beta);
    // The displacement keeps it from being zero.
    carom_vec3 e1 = crm_scale(1.0 / crm_length(offset), offset), e2 = crm_cross(beta, e1);
    const double aside = 0.7; // about 45 degrees to both sides
    carom_vec3 forward = crm_madd(crm_scale(tilt, beta), aside, e1), side = crm_scale(aside, e2);
    carom_vec3 m[3] = {beta, crm_add(forward, side), crm_sub(forward, side)};
    for (int k = 1; k < 3; k++)
        s[k] = lowest_spread(few, d, quad_fill(m[k].x), quad_fill(m[k].y), quad_fill(m[k].z), s[0].a, s[0].b);
    for (int k = 0; k < 3; k++) p->a[k] = s[k].a, p->b[k] = s[k].b;
    // The corner that is lowest along +e2 lies at -e2.
    const quad_mask one = {0, -1, 0, 0}, two = {0, 0, -1, 0};
    p->x = quad_choose(two, s[1].x, quad_choose(one, s[2].x, s[0].x));
    p->y = quad_choose(two, s[1].y, quad_choose(one, s[2].y, s[0].y));
    p->z = quad_choose(two, s[1].z, quad_choose(one, s[2].z, s[0].z));
    p->a[1] = s[2].a, p->b[1] = s[2].b, p->a[2] = s[1].a, p->b[2] = s[1].b;
}

// From a triangle that the line passes through to the lowest one. The candidate triangles of the next step are made
// ready in all lanes before it is known which of them it will be.
QUAD_INLINE walk_end descend(bool few, difference *d, carom_vec3 beta, double size, portal *p) {
    // Which side (i, i + 1) stays, by the signs of beta.(s x z_k): not negative at i and negative at i + 1.
    static const signed char side_of[8] = {-1, 2, 0, 2, 1, 1, 0, -1};
    static const quad_mask replaced[3] = {{0, 0, -1, 0}, {-1, 0, 0, 0}, {0, -1, 0, 0}};
    quad x = p->x, y = p->y, z = p->z;
    quad bx = quad_fill(beta.x), by = quad_fill(beta.y), bz = quad_fill(beta.z);
    // Normal of the triangle, in all lanes.
    quad ex = quad_next(x) - x, ey = quad_next(y) - y, ez = quad_next(z) - z;
    quad fx = quad_next(ex), fy = quad_next(ey), fz = quad_next(ez);
    quad mx = quad_first(ey * fz - ez * fy), my = quad_first(ez * fx - ex * fz), mz = quad_first(ex * fy - ey * fx);
    walk_end end = WALK_FAILED;
    bool squared = false;
    while (d->supports < SUPPORT_LIMIT) {
        quad along = (mx * bx + my * by) + mz * bz;
        if (!(along[0] > 0.0)) break;
        spread_corner s = lowest_spread(few, d, mx, my, mz, p->a[0], p->b[0]);
        quad gx = x - s.x, gy = y - s.y, gz = z - s.z;
        quad gain = (mx * gx + my * gy) + mz * gz, square = (mx * mx + my * my) + mz * mz;
        p->along = along[0];
        p->gain = gain[0];
        bool known = (s.a == p->a[0] && s.b == p->b[0]) || (s.a == p->a[1] && s.b == p->b[1]) ||
                     (s.a == p->a[2] && s.b == p->b[2]);
        if (known || p->gain <= 0.0 || p->gain * p->gain <= least_gain * least_gain * size * size * square[0]) {
            carom_vec3 corners[3] = {{x[0], y[0], z[0]}, {x[1], y[1], z[1]}, {x[2], y[2], z[2]}};
            p->thin = crm_triangle_is_thin(crm_vec3(mx[0], my[0], mz[0]), crm_sub(corners[1], corners[0]),
                                           crm_sub(corners[2], corners[0]));
            if (!p->thin || squared) {
                p->thin |= p->along < small_area * size * size;
                end = WALK_FOUND;
                break;
            }
            // The same triangle once more, with a normal to be trusted.
            carom_vec3 m = crm_triangle_normal(corners);
            mx = quad_fill(m.x), my = quad_fill(m.y), mz = quad_fill(m.z);
            squared = true;
            continue;
        }
        squared = false;
        // beta.(s x z) = s.(z x beta)
        quad sign = (s.x * (y * bz - z * by) + s.y * (z * bx - x * bz)) + s.z * (x * by - y * bx);
        // (z_i+1 - z_i) x (s - z_i) for the three sides
        ex = quad_next(x) - x, ey = quad_next(y) - y, ez = quad_next(z) - z;
        quad nx = ez * gy - ey * gz, ny = ex * gz - ez * gx, nz = ey * gx - ex * gy;
        int i = side_of[quad_signs(sign) & 7];
        if (i < 0) break;
        mx = quad_lane(nx, i), my = quad_lane(ny, i), mz = quad_lane(nz, i);
        x = quad_choose(replaced[i], s.x, x), y = quad_choose(replaced[i], s.y, y),
        z = quad_choose(replaced[i], s.z, z);
        int k = i == 0 ? 2 : i - 1;
        p->a[k] = s.a, p->b[k] = s.b;
    }
    p->x = x, p->y = y, p->z = z;
    p->m = crm_vec3(mx[0], my[0], mz[0]);
    return end;
}

// ---- from the triangle to the witness

// Three vertices with their weights as a touch: ascending, equal ones together, without those of no weight.
static void fill_touch_slowly(carom_touch *touch, const int vertex[3], const double weight[3]) {
    touch->part = 0;
    touch->vertex_count = 0;
    for (int last = -1;;) {
        int next = -1;
        double sum = 0.0;
        for (int k = 0; k < 3; k++)
            if (weight[k] > 0.0 && vertex[k] > last && (next < 0 || vertex[k] < next)) next = vertex[k];
        if (next < 0) return;
        for (int k = 0; k < 3; k++) sum += vertex[k] == next ? weight[k] : 0.0;
        touch->vertices[touch->vertex_count] = last = next;
        touch->weights[touch->vertex_count++] = sum;
    }
}

// The same for positive weights, without branches: they would be taken at random.
QUAD_INLINE void fill_touch(carom_touch *touch, const int vertex[3], const double weight[3]) {
    if (!(weight[0] > 0.0 && weight[1] > 0.0 && weight[2] > 0.0)) {
        fill_touch_slowly(touch, vertex, weight);
        return;
    }
    // Sorted with their places in the last two bits.
    int p = 4 * vertex[0], q = 4 * vertex[1] + 1, r = 4 * vertex[2] + 2;
    int low = p < q ? p : q, high = p < q ? q : p;
    int middle = high < r ? high : r, third = high < r ? r : high;
    int first = low < middle ? low : middle, second = low < middle ? middle : low;
    int v0 = first >> 2, v1 = second >> 2, v2 = third >> 2;
    int other = v1 != v0, another = v2 != v1;
    double w0 = weight[first & 3], w1 = weight[second & 3] + (1 - other) * w0;
    double w2 = weight[third & 3] + (1 - another) * w1;
    int count = other + another;
    touch->part = 0;
    touch->vertex_count = count + 1;
    touch->vertices[0] = v0;
    touch->weights[0] = w0;
    touch->vertices[other] = v1;
    touch->weights[other] = w1;
    touch->vertices[count] = v2;
    touch->weights[count] = w2;
}

// The weighted mean of a core's vertices about its centre.
QUAD_INLINE carom_vec3 mean_arm(const core *c, const int vertex[3], const double weight[3]) {
    carom_vec3 first = arm(c, vertex[0]), second = arm(c, vertex[1]), third = arm(c, vertex[2]);
    return crm_madd(crm_madd(crm_scale(weight[0], first), weight[1], second), weight[2], third);
}

// Of a triangle that the origin is outside of, as its weights say: those of the nearest point. Just to leave a negative
// weight out would move the point along the long side of a thin triangle by far more than the origin is off it.
static void nearest_on_sides(const carom_vec3 z[3], double w[3]) {
    const bool beyond[3] = {w[0] < 0.0, w[1] < 0.0, w[2] < 0.0};
    double least = INFINITY;
    for (int k = 0; k < 3; k++) {
        if (!beyond[k]) continue;
        int i = (k + 1) % 3, j = (k + 2) % 3;
        carom_vec3 side = crm_sub(z[j], z[i]);
        double square = crm_length_squared(side), share = square > 0.0 ? -crm_dot(z[i], side) / square : 0.0;
        share = fmin(fmax(share, 0.0), 1.0);
        double distance = crm_length_squared(crm_madd(z[i], share, side));
        if (distance >= least) continue;
        least = distance;
        w[k] = 0.0, w[i] = 1.0 - share, w[j] = share;
    }
}

// The same for a thin triangle, whose corners are looked at along beta. What negative weights are worth is seen from
// how far the point is from the line then.
static bool weights_of_thin(const portal *p, carom_vec3 beta, carom_vec3 delta, double size, double w[3]) {
    carom_vec3 flat[3], miss = crm_vec3_zero();
    for (int k = 0; k < 3; k++) {
        carom_vec3 z = crm_add(portal_corner(p, k).z, delta);
        flat[k] = crm_madd(z, -crm_dot(z, beta), beta);
    }
    crm_triangle_foot(flat, w);
    if (w[0] < 0.0 || w[1] < 0.0 || w[2] < 0.0) nearest_on_sides(flat, w);
    for (int k = 0; k < 3; k++) miss = crm_madd(miss, w[k], flat[k]);
    return crm_length(miss) <= most_miss * size;
}

// Barycentric coordinates of the true line in the triangle; false when it misses by more than the displacement can do.
QUAD_INLINE bool weights_of(const portal *p, carom_vec3 beta, carom_vec3 delta, double size, double w[3]) {
    if (p->thin) return weights_of_thin(p, beta, delta, size, w);
    quad area = side_areas(p->x + quad_fill(delta.x), p->y + quad_fill(delta.y), p->z + quad_fill(delta.z), beta);
    if (quad_signs(area + quad_fill(most_negative * p->along)) & 7) return false;
    quad zero = quad_fill(0.0);
    area = quad_choose(area > zero, area, zero);
    double sum = 1.0 / (area[0] + area[1] + area[2]);
    w[0] = sum * area[1], w[1] = sum * area[2], w[2] = sum * area[0];
    return true;
}

// What a cast of the ray finds, in world axes.
typedef struct cast {
    walk_end end;
    portal portal;
    carom_vec3 beta;
    carom_vec3 delta; // displacement of the portal's corners: the true ones are c + delta
    double w[3];
    carom_vec3 separating; // for a line that misses: all of the difference has <separating, z> > 0
} cast;

// <m, z> where the true ray pierces the triangle: the mean, in which roundings of the corners' heights count by their
// weights.
QUAD_INLINE double height_of(const cast *found) {
    const portal *p = &found->portal;
    const double *w = found->w;
    quad heights = (quad_fill(p->m.x) * p->x + quad_fill(p->m.y) * p->y) + quad_fill(p->m.z) * p->z;
    return (w[0] * heights[0] + w[1] * heights[1]) + w[2] * heights[2] + crm_dot(p->m, found->delta);
}

// The triangle of the last query. Put together in registers: lanes stored one by one would be waited for.
static inline void recall_portal(const difference *d, int pairs[3][2], portal *p) {
    carom_vec3 z[3];
    for (int k = 0; k < 3; k++) {
        p->a[k] = pairs[k][0], p->b[k] = pairs[k][1];
        z[k] = corner_at(d, pairs[k][0], pairs[k][1]);
    }
    p->x = (quad){z[0].x, z[1].x, z[2].x, z[2].x};
    p->y = (quad){z[0].y, z[1].y, z[2].y, z[2].y};
    p->z = (quad){z[0].z, z[1].z, z[2].z, z[2].z};
}

// From a first triangle to the end.
QUAD_INLINE walk_end finish_cast(bool few, difference *d, double size, cast *out) {
    portal *p = &out->portal;
    carom_vec3 beta = out->beta;
    quad least = quad_fill(least_area * size * size);
    if (quad_signs(side_areas(p->x, p->y, p->z, beta) - least) & 7) {
        walk_end end = surround(d, &out->beta, size, p, &out->separating);
        if (end != WALK_FOUND) return end;
    }
    walk_end end = descend(few, d, beta, size, p);
    return end == WALK_FOUND && !weights_of(p, beta, out->delta, size, out->w) ? WALK_FAILED : end;
}

static inline void displace(difference *d, const carom_vec3 *offset, double length, cast *out) {
    out->delta = crm_scale(length, generic);
    d->shift = crm_sub(*offset, out->delta);
    d->supports = 0;
}

// After a failure: from other triangles, with other displacements.
static __attribute__((noinline)) void cast_again(difference *d, const carom_vec3 *offset, double size, cast *out) {
    static const double share[] = {1.0, -10.0, 100.0, -100.0}; // of the displacement
    for (int attempt = 0; attempt < 4 && out->end == WALK_FAILED; attempt++) {
        displace(d, offset, share[attempt] * displacement * size, out);
        out->end = find_triangle(d, out->beta, &out->portal, &out->separating);
        if (out->end != WALK_FOUND) continue;
        out->end = d->a.asking == ASK_FEW ? finish_cast(true, d, size, out) : finish_cast(false, d, size, out);
    }
}

// `d` has been taken; `offset` is the line's part across beta (zero when beta is the line of centres). `pairs`, which
// may be NULL, are the triangle of the last query.
QUAD_INLINE void cast_by(bool few, difference *d, carom_vec3 beta, carom_vec3 offset, double size, int pairs[3][2],
                         cast *out) {
    out->beta = beta;
    displace(d, &offset, displacement * size, out);
    if (pairs != NULL)
        recall_portal(d, pairs, &out->portal);
    else
        first_portal(few, d, beta, &out->portal);
    out->end = finish_cast(few, d, size, out);
    if (out->end == WALK_FAILED) cast_again(d, &offset, size, out);
}

static void cast_ray(difference *d, carom_vec3 beta, carom_vec3 offset, double size, int pairs[3][2], cast *out) {
    if (d->a.asking == ASK_FEW)
        cast_by(true, d, beta, offset, size, pairs, out);
    else
        cast_by(false, d, beta, offset, size, pairs, out);
}

// A cache of other shapes must not lead out of their lists.
static inline bool pairs_fit(int count, int pairs[][2], const crm_side *a, const crm_side *b) {
    unsigned count_a = (unsigned)a->vertex_count, count_b = (unsigned)b->vertex_count;
    bool fit = count > 0;
    for (int k = 0; k < count; k++) fit &= ((unsigned)pairs[k][0] < count_a) & ((unsigned)pairs[k][1] < count_b);
    return fit;
}

static inline void keep_pairs(int count, const corner *c, int pairs[][2]) {
    for (int k = 0; k < count; k++) pairs[k][0] = c[k].a, pairs[k][1] = c[k].b;
}

static inline bool ray_is_warm(carom_distance_cache *cache, const crm_side *a, const crm_side *b) {
    return cache != NULL && cache->ray_count == 3 && pairs_fit(3, cache->ray, a, b);
}

// Every attempt has failed, as on differences that are flat, or thinner than rounding can tell. With alpha = beta the
// value is a bound from below, and the accuracy says that it is no more.
static __attribute__((noinline)) void admit_failure(difference *d, const carom_vec3 *beta, double along,
                                                    const carom_vec3 *offset, carom_ray_witness *out) {
    d->shift = *offset;
    corner w = lowest(d, *beta, NULL);
    const int vertex_a[3] = {w.a, w.a, w.a}, vertex_b[3] = {w.b, w.b, w.b};
    const double weight[3] = {1.0, 0.0, 0.0};
    out->outcome = CAROM_RAY_MEETS;
    out->value = out->plane_gap = along + crm_dot(*beta, w.z);
    out->alpha = out->normal = *beta;
    fill_touch_slowly(&out->a, vertex_a, weight);
    fill_touch_slowly(&out->b, vertex_b, weight);
    out->point_a = crm_add(d->a.side->centre, arm(&d->a, w.a));
    out->point_b = crm_madd(out->point_a, out->value, *beta);
    out->accuracy = 2.0 * (d->a.side->size + d->b.side->size);
}

// `along` is the distance of the centres along beta, `offset` the rest across it.
QUAD_INLINE void fill_ray(bool few, difference *d, carom_vec3 beta, double along, carom_vec3 offset, bool warm,
                          carom_distance_cache *cache, carom_ray_witness *out) {
    const crm_side *a = d->a.side, *b = d->b.side;
    cast found;
    double size = a->size + b->size;
    cast_by(few, d, beta, offset, size, warm ? cache->ray : NULL, &found);
    out->beta = beta;
    out->supports = d->supports;
    out->alpha_unique = out->weights_unique = true;
    if (found.end == WALK_MISSES) {
        out->outcome = CAROM_RAY_MISSES;
        out->normal = found.separating;
        return;
    }
    if (found.end == WALK_FAILED) {
        admit_failure(d, &beta, along, &offset, out);
        return;
    }
    const portal *p = &found.portal;
    out->outcome = CAROM_RAY_MEETS;
    const double *w = found.w;
    double height = height_of(&found);
    double reciprocal = 1.0 / p->along, length = crm_length(p->m) * reciprocal;
    out->value = along + height * reciprocal;
    out->plane_gap = out->value / length;
    out->alpha = crm_scale(reciprocal, p->m);
    out->normal = crm_scale(1.0 / length, out->alpha);
    fill_touch(&out->a, p->a, w);
    fill_touch(&out->b, p->b, w);
    out->point_a = crm_add(a->centre, mean_arm(&d->a, p->a, w));
    out->point_b = crm_madd(out->point_a, out->value, beta);
    double gain = p->gain > 0.0 ? p->gain * reciprocal : 0.0;
    out->accuracy = gain + 16.0 * DBL_EPSILON * (fabs(along) + size * length);
    if (!few) out->accuracy += support_slack(d) * length;
    if (cache != NULL) {
        cache->ray_count = 3;
        for (int k = 0; k < 3; k++) cache->ray[k][0] = p->a[k], cache->ray[k][1] = p->b[k];
        cache->ray_normal = out->normal;
    }
}

// Each way is a function of its own: together they would be too large to be fast.
static __attribute__((noinline)) void ray_of_few(difference *d, const carom_vec3 *beta, double along,
                                                 const carom_vec3 *offset, bool warm, carom_distance_cache *cache,
                                                 carom_ray_witness *out) {
    fill_ray(true, d, *beta, along, *offset, warm, cache, out);
}

static __attribute__((noinline)) void ray_of_many(difference *d, const carom_vec3 *beta, double along,
                                                  const carom_vec3 *offset, bool warm, carom_distance_cache *cache,
                                                  carom_ray_witness *out) {
    fill_ray(false, d, *beta, along, *offset, warm, cache, out);
}

// The ray of two sides.
static inline void ray_between(const crm_side *a, const crm_side *b, const carom_vec3 *beta, double along,
                               const carom_vec3 *offset, carom_distance_cache *cache, carom_ray_witness *out) {
    difference d;
    bool warm = ray_is_warm(cache, a, b);
    take_difference(a, b, warm, &d);
    if (d.a.asking == ASK_FEW)
        ray_of_few(&d, beta, along, offset, warm, cache, out);
    else
        ray_of_many(&d, beta, along, offset, warm, cache, out);
}

static void sharp_ray(const crm_side *a, const crm_side *b, carom_vec3 beta, carom_distance_cache *cache,
                      carom_ray_witness *out) {
    carom_vec3 c = crm_sub(b->centre, a->centre);
    double along = crm_dot(c, beta);
    carom_vec3 offset = out->beta_moves ? crm_vec3_zero() : crm_madd(c, -along, beta);
    ray_between(a, b, &beta, along, &offset, cache, out);
}

static bool plain_ray(const carom_view *a, const carom_view *b, carom_distance_cache *cache, carom_ray_witness *out) {
    crm_side side_a, side_b;
    place_plain(a, &side_a);
    place_plain(b, &side_b);
    carom_vec3 c = crm_sub(side_b.centre, side_a.centre);
    double distance = crm_length(c), size = side_a.size + side_b.size;
    if (!(distance > clear_distance * size)) return false;
    out->centre_distance = distance;
    out->beta_moves = true;
    carom_vec3 beta = crm_scale(1.0 / distance, c), no_offset = crm_vec3_zero();
    ray_between(&side_a, &side_b, &beta, distance, &no_offset, cache, out);
    out->rho = out->value / distance;
    out->ratio = distance / (distance - out->value);
    return out->outcome == CAROM_RAY_MEETS;
}
