// SPDX-License-Identifier: MIT
// The centre ray on two sharp cores: revised simplex with support-function pricing (MATH: section 3).
//
// The line {lambda beta} is followed to the smallest lambda at which it meets the difference: min lambda subject to
// lambda beta = sum w z, w >= 0, sum w = 1. A basis is a triangle of corners that the line passes through. Its normal
// m, <m, beta> > 0, prices the corners: the lowest one along m enters, and the signs of beta.(s x z_i) name the corner
// that leaves. When none is lower, alpha = m/<m, beta> is the dual solution and proves it.
//
// Degenerate rays, through an edge or a corner of the difference, would make the triangle's signs contradict each other
// or cycle. So all decisions are made for a ray that is displaced by `displacement` of the size in a generic direction,
// and value and weights are evaluated on the true one; a failure is tried again with the opposite displacement, ten
// times larger. Of 1.5 million symmetric cases of the study that found this, none failed twice.
#include <float.h>
#include <stddef.h>

#include "distance/difference.h"
#include "distance/measure.h"

static const double displacement = 1e-14;
// Unit, and no symmetry of anything.
static const carom_vec3 generic = {0.48507125007266594, -0.7276068751089989, 0.48507125007266594 + 1e-3};

// Corners count as lower along a unit normal only by more than this share of the size.
static const double least_gain = 1e-15;
// The start triangle's sides cross the line by at least this share of the size, or the question is asked again.
static const double least_crossing = 1e-12;
// True weights may be negative by the displacement over the width of the triangle; a triangle that misses shows more.
static const double most_negative = 1e-6;
enum { SUPPORT_LIMIT = 60 };

typedef enum walk_end { WALK_FOUND, WALK_MISSES, WALK_FAILED } walk_end;

typedef struct portal {
    corner c[3]; // counter-clockwise around beta, displaced
    carom_vec3 m;
    double along; // <m, beta>
    double gain;  // the lowest corner is lower than the triangle by this, times |m|
} portal;

// beta.(u x v): twice the area that u and v span when seen along beta.
static inline double area(carom_vec3 beta, carom_vec3 u, carom_vec3 v) {
    return crm_dot(beta, crm_cross(u, v));
}

static inline carom_vec3 across(carom_vec3 beta, carom_vec3 v) {
    return crm_madd(v, -crm_dot(beta, v), beta);
}

// How much the directions of the start are tilted towards the exit: it brings the first triangle near the facet. Best
// for 8, 32, 128, 1000 vertices: 1, 2, 4, 10.
static inline double tilt_for(int vertices) {
    return vertices <= 12 ? 1.0 : vertices <= 64 ? 2.0 : vertices <= 300 ? 4.0 : 10.0;
}

// A corner beyond the line: <n, z> <= 0 with n a unit vector normal to beta. Tilted first, which may not get there.
static inline bool cross_line(difference *d, carom_vec3 beta, carom_vec3 n, double tilt, double size,
                              const corner *near, corner *out) {
    if (tilt > 0.0) {
        *out = lowest(d, crm_madd(n, tilt, beta), near);
        if (crm_dot(n, out->z) < -least_crossing * size) return true;
    }
    *out = lowest(d, n, near);
    return crm_dot(n, out->z) <= 0.0;
}

// Makes the line pass through the triangle: while it is beyond a side, the corner opposite to that side is replaced by
// one beyond.
static inline walk_end repair(difference *d, carom_vec3 beta, portal *p, carom_vec3 *separating) {
    while (d->supports < SUPPORT_LIMIT) {
        double w[3];
        for (int k = 0; k < 3; k++) w[k] = area(beta, p->c[(k + 1) % 3].z, p->c[(k + 2) % 3].z);
        if (w[0] + w[1] + w[2] < 0.0) {
            corner swap = p->c[1];
            p->c[1] = p->c[2], p->c[2] = swap;
            continue;
        }
        int k = w[0] < 0.0 ? 0 : w[1] < 0.0 ? 1 : w[2] < 0.0 ? 2 : 3;
        if (k == 3) return WALK_FOUND;
        const corner *from = &p->c[(k + 1) % 3], *to = &p->c[(k + 2) % 3];
        carom_vec3 n;
        if (crm_normalise(crm_cross(beta, crm_sub(to->z, from->z)), &n) == 0.0) return WALK_FAILED;
        corner s = lowest(d, n, from);
        if (crm_dot(n, s.z) > 0.0) {
            *separating = n;
            return WALK_MISSES;
        }
        if (same_pair(&s, from) || same_pair(&s, to)) return WALK_FAILED;
        corner first = *to, second = *from;
        p->c[0] = first, p->c[1] = second, p->c[2] = s;
    }
    return WALK_FAILED;
}

// The first triangle that the line passes through.
static inline walk_end find_portal(difference *d, carom_vec3 beta, double size, portal *p, carom_vec3 *separating) {
    int vertices = d->a.vertex_count > d->b.vertex_count ? d->a.vertex_count : d->b.vertex_count;
    double tilt = tilt_for(vertices);
    p->c[0] = lowest(d, beta, NULL);
    carom_vec3 n;
    if (crm_normalise(across(beta, p->c[0].z), &n) == 0.0) n = crm_any_normal(beta);
    if (!cross_line(d, beta, n, tilt, size, &p->c[0], &p->c[1])) {
        *separating = n;
        return WALK_MISSES;
    }
    if (crm_normalise(crm_cross(beta, crm_sub(p->c[1].z, p->c[0].z)), &n) == 0.0) return WALK_FAILED;
    if (crm_dot(n, p->c[0].z) < 0.0) n = crm_negate(n);
    if (!cross_line(d, beta, n, tilt, size, &p->c[1], &p->c[2])) {
        *separating = n;
        return WALK_MISSES;
    }
    return repair(d, beta, p, separating);
}

// From a triangle that the line passes through to the lowest one.
static inline walk_end descend(difference *d, carom_vec3 beta, double size, portal *p) {
    while (d->supports < SUPPORT_LIMIT) {
        p->m = crm_cross(crm_sub(p->c[1].z, p->c[0].z), crm_sub(p->c[2].z, p->c[0].z));
        p->along = crm_dot(p->m, beta);
        if (!(p->along > 0.0)) return WALK_FAILED;
        corner s = lowest(d, p->m, &p->c[0]);
        p->gain = crm_dot(p->m, crm_sub(p->c[0].z, s.z));
        if (p->gain <= 0.0 || same_pair(&s, &p->c[0]) || same_pair(&s, &p->c[1]) || same_pair(&s, &p->c[2]))
            return WALK_FOUND;
        if (p->gain * p->gain <= least_gain * least_gain * size * size * crm_length_squared(p->m)) return WALK_FOUND;
        carom_vec3 q = crm_cross(beta, s.z);
        double e[3] = {crm_dot(q, p->c[0].z), crm_dot(q, p->c[1].z), crm_dot(q, p->c[2].z)};
        int i = e[0] >= 0.0 && e[1] < 0.0 ? 0 : e[1] >= 0.0 && e[2] < 0.0 ? 1 : e[2] >= 0.0 && e[0] < 0.0 ? 2 : 3;
        if (i == 3) return WALK_FAILED;
        p->c[(i + 2) % 3] = s;
    }
    return WALK_FAILED;
}

// ---- from the triangle to the witness

// Adds a weight to a touch, whose vertices stay ascending.
static inline void add_weight(carom_touch *touch, int vertex, double weight) {
    int at = 0;
    while (at < touch->vertex_count && touch->vertices[at] < vertex) at++;
    if (at < touch->vertex_count && touch->vertices[at] == vertex) {
        touch->weights[at] += weight;
        return;
    }
    for (int i = touch->vertex_count++; i > at; i--) {
        touch->vertices[i] = touch->vertices[i - 1];
        touch->weights[i] = touch->weights[i - 1];
    }
    touch->vertices[at] = vertex;
    touch->weights[at] = weight;
}

// The weights of up to three corners as touches, and the points that they make, about the centres, world axes.
static inline void weigh(const crm_side *a, const crm_side *b, int count, const corner *c, const double *w,
                         carom_touch *touch_a, carom_touch *touch_b, carom_vec3 *arm_a, carom_vec3 *arm_b) {
    *touch_a = *touch_b = (carom_touch){0};
    *arm_a = *arm_b = crm_vec3_zero();
    for (int i = 0; i < count; i++) {
        if (!(w[i] > 0.0)) continue;
        add_weight(touch_a, c[i].a, w[i]);
        add_weight(touch_b, c[i].b, w[i]);
        *arm_a = crm_madd(*arm_a, w[i], crm_sub(a->vertex[c[i].a], a->local));
        *arm_b = crm_madd(*arm_b, w[i], crm_sub(b->vertex[c[i].b], b->local));
    }
    *arm_a = crm_mat3_apply(a->rotation, *arm_a);
    *arm_b = crm_mat3_apply(b->rotation, *arm_b);
}

// Barycentric coordinates of the true line in the triangle; false when it misses by more than the displacement can do.
static inline bool weights_of(const portal *p, carom_vec3 beta, carom_vec3 delta, double w[3]) {
    carom_vec3 z[3];
    double sum = 0.0;
    for (int k = 0; k < 3; k++) z[k] = crm_add(p->c[k].z, delta);
    for (int k = 0; k < 3; k++) {
        w[k] = area(beta, z[(k + 1) % 3], z[(k + 2) % 3]) / p->along;
        if (!(w[k] >= -most_negative)) return false;
        w[k] = w[k] > 0.0 ? w[k] : 0.0;
        sum += w[k];
    }
    for (int k = 0; k < 3; k++) w[k] /= sum;
    return true;
}

// What a cast of the ray finds, in A's frame.
typedef struct cast {
    walk_end end;
    portal portal;
    carom_vec3 beta;  // A's frame
    carom_vec3 delta; // displacement of the portal's corners: the true ones are c + delta
    double w[3];
    carom_vec3 separating; // for a line that misses: all of the difference has <separating, z> > 0
} cast;

// `d` has been taken; `offset` is the line's part across beta (zero when beta is the line of centres). A `cache` that
// is not NULL holds a triangle.
static inline void cast_ray(difference *d, carom_vec3 beta, carom_vec3 offset, double size,
                            const carom_distance_cache *cache, cast *out) {
    out->beta = beta;
    for (int attempt = 0; attempt < 2; attempt++) {
        double length = attempt == 0 ? displacement * size : -10.0 * displacement * size;
        out->delta = crm_scale(length, generic);
        d->shift = crm_sub(offset, out->delta);
        d->supports = 0;
        portal *p = &out->portal;
        if (attempt == 0 && cache != NULL) {
            for (int k = 0; k < 3; k++) {
                p->c[k].a = cache->ray[k][0], p->c[k].b = cache->ray[k][1];
                p->c[k].z = corner_at(d, p->c[k].a, p->c[k].b);
            }
            out->end = repair(d, beta, p, &out->separating);
        } else {
            out->end = find_portal(d, beta, size, p, &out->separating);
        }
        if (out->end == WALK_FOUND) out->end = descend(d, beta, size, p);
        if (out->end == WALK_FOUND && !weights_of(p, beta, out->delta, out->w)) out->end = WALK_FAILED;
        if (out->end != WALK_FAILED) return;
    }
}

// A cache of other shapes must not lead out of their lists.
static inline bool pairs_fit(int count, int pairs[][2], const crm_side *a, const crm_side *b) {
    for (int k = 0; k < count; k++) {
        if (pairs[k][0] < 0 || pairs[k][0] >= a->vertex_count) return false;
        if (pairs[k][1] < 0 || pairs[k][1] >= b->vertex_count) return false;
    }
    return count > 0;
}

static inline void keep_pairs(int count, const corner *c, int pairs[][2]) {
    for (int k = 0; k < count; k++) pairs[k][0] = c[k].a, pairs[k][1] = c[k].b;
}

static inline bool ray_is_warm(carom_distance_cache *cache, const crm_side *a, const crm_side *b) {
    return cache != NULL && cache->ray_count == 3 && pairs_fit(3, cache->ray, a, b);
}

static void sharp_ray(const crm_side *a, const crm_side *b, carom_vec3 beta, carom_distance_cache *cache,
                      carom_ray_witness *out) {
    difference d;
    cast found;
    bool warm = ray_is_warm(cache, a, b);
    take_difference(a, b, warm, &d);
    carom_vec3 c = crm_sub(b->centre, a->centre);
    double along = crm_dot(c, beta);
    carom_vec3 offset = out->beta_moves ? crm_vec3_zero() : crm_mat3_apply_t(a->rotation, crm_madd(c, -along, beta));
    double size = a->size + b->size;
    cast_ray(&d, crm_mat3_apply_t(a->rotation, beta), offset, size, warm ? cache : NULL, &found);
    out->beta = beta;
    out->supports = d.supports;
    out->alpha_unique = out->weights_unique = true;
    if (found.end == WALK_MISSES) {
        out->outcome = CAROM_RAY_MISSES;
        out->normal = crm_mat3_apply(a->rotation, found.separating);
        return;
    }
    const portal *p = &found.portal;
    out->outcome = CAROM_RAY_MEETS;
    carom_vec3 alpha = crm_scale(1.0 / p->along, p->m);
    double length = crm_length(alpha);
    // On the true ray, from the corner that carries most: the others are lower or higher by their rounding.
    int heavy = found.w[0] >= found.w[1] && found.w[0] >= found.w[2] ? 0 : found.w[1] >= found.w[2] ? 1 : 2;
    out->value = along + crm_dot(alpha, crm_add(p->c[heavy].z, found.delta));
    out->plane_gap = out->value / length;
    out->alpha = crm_mat3_apply(a->rotation, alpha);
    out->normal = crm_scale(1.0 / length, out->alpha);
    carom_vec3 arm_a, arm_b;
    weigh(a, b, 3, p->c, found.w, &out->a, &out->b, &arm_a, &arm_b);
    out->point_a = crm_add(a->centre, arm_a);
    out->point_b = crm_add(b->centre, arm_b);
    double gain = p->gain > 0.0 ? p->gain / p->along : 0.0;
    out->accuracy = gain + 4.0 * DBL_EPSILON * (fabs(along) + size * length);
    if (found.end == WALK_FAILED) out->accuracy = size * length; // never seen; nothing better is known
    if (cache != NULL) {
        cache->ray_count = 3;
        keep_pairs(3, p->c, cache->ray);
        cache->ray_normal = out->normal;
    }
}
