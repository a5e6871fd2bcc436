// SPDX-License-Identifier: MIT
// Deep overlaps of ellipsoids: psi has several local maxima, and the highest is wanted.
//
// A stationary n of depth r = -psi is the highest if r can be split into r_A + r_B with 0 < r_i < h_i such that
//   T_A + T_B >= r   on the plane normal to n,   T_i^2 = (r_i/h_i) (Q_i - p p^T - r_i/(h_i - r_i) t t^T),
// p = Q_i n/h_i, t its part normal to n. Why: h(m) is the largest y.L^T m with |y| <= 1, Q = L L^T, hence at least that
// of y = c + Y m for any such c, Y that |y| <= 1 on the unit sphere. This holds with equality at n for
// Y^T y(n) = (r_i/h) n and Y^T Y <= r_i/h. Of these Y, one makes m.L(c + Y m) a quadratic without mixed terms of n and
// the plane normal to it, with T_i there; and a quadratic F(m) on the unit sphere, here the sum of both less m.d, is
// least at n if its gradient is 2 r n there and its matrix is at least r. The balls of ellipsoid_newton_body.h are the
// case T_i >= r_i.
//
// Where that proves nothing, the best of several climbs is taken, and it is said that it is not proved.
#include <float.h>
#include <math.h>

#include "distance/ellipsoid/ellipsoid_one.h"

// 83 steps over all starts together are the most that a stored case needs.
enum { STEP_LIMIT = 100, HALVING_LIMIT = 30 };

// A second direction counts as another one beyond this angle, and as equally good within this share of the sizes.
static const double same_direction = 1e-6, same_value = 1e-12;

// ---- proof

static double principal_minors(const symmetric *m) {
    return (m->xx * m->yy - m->xy * m->xy) + (m->xx * m->zz - m->xz * m->xz) + (m->yy * m->zz - m->yz * m->yz);
}

// Adds T_i to `sum`; false when there is none.
static bool add_inner(const solid *e, vec n, vec p, double depth, symmetric *sum) {
    double h = dot(n, p);
    if (!(depth > 0.0 && depth < h)) return false;
    vec t = minus(p, times(h, n));
    double f = depth / h, g = depth / (h - depth);
    symmetric square = {.xx = f * (e->q.xx - p.x * p.x - g * t.x * t.x),
                        .yy = f * (e->q.yy - p.y * p.y - g * t.y * t.y),
                        .zz = f * (e->q.zz - p.z * p.z - g * t.z * t.z),
                        .xy = f * (e->q.xy - p.x * p.y - g * t.x * t.y),
                        .xz = f * (e->q.xz - p.x * p.z - g * t.x * t.z),
                        .yz = f * (e->q.yz - p.y * p.z - g * t.y * t.z)};
    double trace = square.xx + square.yy + square.zz, minors = principal_minors(&square);
    if (!(trace > 0.0 && minors > 0.0)) return false;
    // The root of a 2x2 matrix M is (M + s)/sqrt(tr M + 2 s), s^2 = det M.
    double s = sqrt(minors), r = 1.0 / sqrt(trace + 2.0 * s);
    sum->xx += r * (square.xx + s * (1.0 - n.x * n.x));
    sum->yy += r * (square.yy + s * (1.0 - n.y * n.y));
    sum->zz += r * (square.zz + s * (1.0 - n.z * n.z));
    sum->xy += r * (square.xy - s * n.x * n.y);
    sum->xz += r * (square.xz - s * n.x * n.z);
    sum->yz += r * (square.yz - s * n.y * n.z);
    return true;
}

// Whether T_A + T_B >= r with something to spare, for this split.
static bool split_proves(const couple *c, const found *f, double depth_a) {
    double depth = -f->psi;
    symmetric sum = {0};
    if (!add_inner(&c->a, f->n, f->p_a, depth_a, &sum) || !add_inner(&c->b, f->n, f->p_b, depth - depth_a, &sum))
        return false;
    double half = 0.5 * (sum.xx + sum.yy + sum.zz), spread = half * half - principal_minors(&sum);
    return half - sqrt(spread > 0.0 ? spread : 0.0) >= (1.0 + 1e-6) * depth;
}

// Both proofs stand on a slope of zero: a slope e is a pair that is displaced by e, whose depth differs by |e| at most.
static double slope_of(const couple *c, const found *f) {
    vec slope = minus(minus(minus(c->d, f->p_a), f->p_b), times(f->psi, f->n));
    return sqrt(dot(slope, slope));
}

static bool is_stationary(const couple *c, const found *f) {
    return slope_of(c, f) <= 1e-9 * (dot(f->n, f->p_a) + dot(f->n, f->p_b));
}

// Proved to be the highest, and alone: the other end of the line of n is as good only for n.d = 0.
static bool proves_itself(const couple *c, const found *f) {
    if (!is_stationary(c, f)) return false;
    if (f->psi >= -(1.0 - 1e-6) * f->proved_depth) return true;
    double h_a = dot(f->n, f->p_a), h_b = dot(f->n, f->p_b), depth = -f->psi;
    if (!(h_a + h_b > (1.0 + 1e-6) * depth)) return false;
    double by_ball = depth * c->a.least_square / (h_a * f->proved_depth), by_size = depth * h_a / (h_a + h_b);
    return split_proves(c, f, by_size) || split_proves(c, f, by_ball) || split_proves(c, f, 0.5 * (by_ball + by_size));
}

// ---- climbs

static vec unit(vec n) {
    return times(1.0 / sqrt(dot(n, n)), n);
}

// n.Q n is off by a rounding of the largest square, and h by that over h.
static double level_rounding(const solid *e) {
    return 8.0 * DBL_EPSILON * (e->q.xx + e->q.yy + e->q.zz) / sqrt(e->least_square);
}

// Climbs from the unit vector `n` to a stationary point, upwards only.
static found climb(const couple *c, vec n, int *supports) {
    double rounding = level_rounding(&c->a) + level_rounding(&c->b);
    newton at = newton_at(c, n);
    for (int i = 0; i < STEP_LIMIT; i++) {
        vec step = at.step;
        newton next;
        bool moved = false;
        for (int k = 0; k < HALVING_LIMIT && !moved; k++, step = times(0.5, step)) {
            vec rotated = unit(plus(n, step));
            next = newton_at(c, rotated);
            ++*supports;
            // At the end psi no longer grows by more than its rounding: small steps are taken on trust.
            moved = next.level > at.level || (at.square < 1e-8 && next.level >= at.level - rounding);
            if (moved) n = rotated;
        }
        if (!moved || at.last) break;
        at = next;
    }
    ++*supports;
    return found_at(c, n);
}

// Whether the two are different directions of which neither is better.
static bool ties(const found *f, const found *g, double size) {
    carom_vec3 n = vec3_of(f->n), m = vec3_of(g->n);
    bool other = crm_length(crm_cross(n, m)) > same_direction || crm_dot(n, m) < 0.0;
    return other && fabs(f->psi - g->psi) <= same_value * size;
}

crm_ellipsoid_witness crm_ellipsoid_search(const crm_ellipsoid *a, const crm_ellipsoid *b, carom_vec3 candidate) {
    couple c;
    set_couple_of(a, b, &c);
    found best = {.psi = -INFINITY};
    bool unique = true, certain = false;
    int supports = 1;
    newton at = newton_at(&c, vec_of(candidate));
    if (at.last) {
        best = found_at(&c, plus(vec_of(candidate), at.step));
        certain = proves_itself(&c, &best);
    }
    // The centre line and the axes of both, in the half of the sphere where the maximum is; at last, if the way led out
    // of it, the other end of the line.
    double size = crm_max_component(a->half_axes) + crm_max_component(b->half_axes);
    vec line = unit(c.d), guess = unit(first_guess(&c));
    bool concentric = !(dot(c.d, c.d) > DBL_EPSILON * DBL_EPSILON * size * size);
    if (concentric) line = guess = c.a.x;
    const vec starts[] = {guess, line, c.a.x, c.a.y, c.a.z, c.b.x, c.b.y, c.b.z};
    for (int i = 0; i < 9 && !certain; i++) {
        vec start = i < 8 ? starts[i] : best.n;
        bool behind = dot(start, c.d) < 0.0;
        if (i == 8 && !behind) break;
        found f = climb(&c, behind ? times(-1.0, start) : start, &supports);
        if (ties(&f, &best, size)) unique = false;
        if (f.psi > best.psi + same_value * size) unique = true;
        if (!(f.psi > best.psi)) continue;
        best = f;
        certain = unique && proves_itself(&c, &best);
    }
    crm_ellipsoid_witness w = witness_of(a, b, &best);
    w.normal_unique = unique && !concentric; // n and -n are equally good about one centre
    bool stationary = is_stationary(&c, &best);
    w.global = certain || (stationary && best.psi >= -(1.0 + same_value) * best.proved_depth);
    if (!stationary) w.accuracy += slope_of(&c, &best);
    w.supports = supports;
    return w;
}
