// SPDX-License-Identifier: MIT
// Newton's method for the gap of two ellipsoids (docs/math.md 4.2), as the same text for one pair and for several pairs
// in the lanes of vectors. The file that includes it has included math/lanes_one.h, lanes_two.h or lanes_four.h.
//
// The normal n may have any length: psi(n) = n.d - h_A(n) - h_B(n) is of degree 1 and its maximum over unit vectors is
// the stationary point of psi/|n|. With p = Q n/h, H = (Q - p p^T)/h, K = H_A + H_B and c = psi/n.n, the slope is
//   g = d - p_A - p_B - c n,   normal to n, and the step solves   (K + c) s = g   in the plane normal to n.
// K n = 0, so that no basis of that plane is needed: for a 2x2 matrix M^-1 = (tr M - M)/det M, and there
//   tr = tr K + 2 c,   det = (sum of the principal minors of K) + c tr K + c^2,   s = ((tr K + c) g - K g)/det.
//
// Nothing guards the way, because the end proves itself:
//   psi > 0 is the only stationary point above 0, as psi is concave;
//   psi < 0 is the highest if -psi <= a^2/h_A(n) + b^2/h_B(n) with the shortest half-axes a, b: the ball that touches
//   an ellipsoid from inside where its normal is n stays inside up to the radius a^2/h (then 1 - radius h Q^-1 is not
//   indefinite, the condition for a nearest point of a quadric), and the two balls together reach from one side of
//   A (-) B to a depth that no other direction undercuts.
// What does not converge, or is deeper, is left to ellipsoid_search.c.
#include <float.h>
#include <stdbool.h>

typedef struct vec {
    lanes x, y, z;
} vec;

typedef struct symmetric {
    lanes xx, yy, zz, xy, xz, yz;
} symmetric;

typedef struct solid {
    vec x, y, z;        // unit vectors along the half-axes, world
    vec a;              // half-axes
    symmetric q;        // R diag(a^2) R^T
    lanes least_square; // of the shortest half-axis
} solid;

typedef struct couple {
    solid a, b;
    vec d;             // from centre to centre
    lanes last_square; // square of the length of a last step, rad^2
} couple;

typedef struct newton {
    vec step;
    lanes square; // of its length as a share of n, rad^2
    lanes level;  // psi/n.n
    masks last;   // the step is so short that nothing is left to do after it
} newton;

typedef struct found {
    vec n; // unit
    lanes psi;
    vec p_a, p_b;       // support points about the centres, B's along n too
    lanes proved_depth; // the highest if it is not deeper
    lanes accuracy;     // of psi
} found;

static inline vec plus(vec a, vec b) {
    return (vec){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline vec minus(vec a, vec b) {
    return (vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline vec times(lanes s, vec a) {
    return (vec){s * a.x, s * a.y, s * a.z};
}

static inline lanes dot(vec a, vec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vec choose_vec(masks mask, vec a, vec b) {
    return (vec){choose(mask, a.x, b.x), choose(mask, a.y, b.y), choose(mask, a.z, b.z)};
}

static inline vec apply(const symmetric *m, vec v) {
    return (vec){m->xx * v.x + m->xy * v.y + m->xz * v.z, m->xy * v.x + m->yy * v.y + m->yz * v.z,
                 m->xz * v.x + m->yz * v.y + m->zz * v.z};
}

static inline lanes smaller(lanes a, lanes b) {
    return choose(a < b, a, b);
}

static inline lanes size_of(lanes a) {
    return larger(a, -a);
}

static inline void set_solid(vec x, vec y, vec z, vec a, solid *out) {
    vec square = {a.x * a.x, a.y * a.y, a.z * a.z};
    vec u = times(square.x, x), v = times(square.y, y), w = times(square.z, z);
    out->x = x;
    out->y = y;
    out->z = z;
    out->a = a;
    out->q.xx = u.x * x.x + v.x * y.x + w.x * z.x;
    out->q.yy = u.y * x.y + v.y * y.y + w.y * z.y;
    out->q.zz = u.z * x.z + v.z * y.z + w.z * z.z;
    out->q.xy = u.x * x.y + v.x * y.y + w.x * z.y;
    out->q.xz = u.x * x.z + v.x * y.z + w.x * z.z;
    out->q.yz = u.y * x.z + v.y * y.z + w.y * z.z;
    out->least_square = smaller(smaller(square.x, square.y), square.z);
}

// The error of the normal after a step is of the order of the square of its length; the curvature changes, and points
// move, the faster the longer the ellipsoids are. With 3e-7 rad for half-axes 2:1 normals and points are right to
// 1e-13.
static const double longest_last_step = 5e-7;

static inline lanes share_of_least(const solid *e) {
    return e->least_square / (e->q.xx + e->q.yy + e->q.zz);
}

// The rest of a couple whose solids are set.
static inline void set_couple(vec d, couple *out) {
    lanes share = smaller(share_of_least(&out->a), share_of_least(&out->b));
    out->d = d;
    out->last_square = 3.0 * longest_last_step * longest_last_step * share;
}

// n ~ (Q_A/h_A + Q_B/h_B + psi)^-1 d, the condition of a stationary point with h_A, h_B and psi taken along d. Exact
// for balls. psi is bounded below to keep the matrix definite; a positive factor h_A h_B/|d| is left out.
static inline vec first_guess(const couple *c) {
    const double share_of_depth = 0.75; // 1 would allow a singular matrix
    vec d = c->d;
    lanes h_a = root(dot(d, apply(&c->a.q, d))), h_b = root(dot(d, apply(&c->b.q, d)));
    lanes inner = h_b * c->a.least_square + h_a * c->b.least_square;
    lanes shift = larger(h_a * h_b * (1.0 - (h_a + h_b) / dot(d, d)), -share_of_depth * inner);
    symmetric s = {.xx = h_b * c->a.q.xx + h_a * c->b.q.xx + shift,
                   .yy = h_b * c->a.q.yy + h_a * c->b.q.yy + shift,
                   .zz = h_b * c->a.q.zz + h_a * c->b.q.zz + shift,
                   .xy = h_b * c->a.q.xy + h_a * c->b.q.xy,
                   .xz = h_b * c->a.q.xz + h_a * c->b.q.xz,
                   .yz = h_b * c->a.q.yz + h_a * c->b.q.yz};
    symmetric adjugate = {.xx = s.yy * s.zz - s.yz * s.yz,
                          .yy = s.xx * s.zz - s.xz * s.xz,
                          .zz = s.xx * s.yy - s.xy * s.xy,
                          .xy = s.xz * s.yz - s.xy * s.zz,
                          .xz = s.xy * s.yz - s.xz * s.yy,
                          .yz = s.xy * s.xz - s.xx * s.yz};
    return apply(&adjugate, d);
}

static inline newton newton_at(const couple *c, vec n) {
    vec q_a = apply(&c->a.q, n), q_b = apply(&c->b.q, n);
    lanes hh_a = dot(n, q_a), hh_b = dot(n, q_b), h_a = root(hh_a), h_b = root(hh_b);
    lanes r_a = h_a * (1.0 / hh_a), r_b = h_b * (1.0 / hh_b), r_n = 1.0 / dot(n, n); // no division waits for a root
    vec p_a = times(r_a, q_a), p_b = times(r_b, q_b);
    lanes level = (dot(n, c->d) - h_a - h_b) * r_n, shift = level;
    vec g = minus(minus(minus(c->d, p_a), p_b), times(level, n));
    symmetric k = {.xx = r_a * (c->a.q.xx - p_a.x * p_a.x) + r_b * (c->b.q.xx - p_b.x * p_b.x),
                   .yy = r_a * (c->a.q.yy - p_a.y * p_a.y) + r_b * (c->b.q.yy - p_b.y * p_b.y),
                   .zz = r_a * (c->a.q.zz - p_a.z * p_a.z) + r_b * (c->b.q.zz - p_b.z * p_b.z),
                   .xy = r_a * (c->a.q.xy - p_a.x * p_a.y) + r_b * (c->b.q.xy - p_b.x * p_b.y),
                   .xz = r_a * (c->a.q.xz - p_a.x * p_a.z) + r_b * (c->b.q.xz - p_b.x * p_b.z),
                   .yz = r_a * (c->a.q.yz - p_a.y * p_a.z) + r_b * (c->b.q.yz - p_b.y * p_b.z)};
    lanes trace = k.xx + k.yy + k.zz;
    lanes minors = (k.xx * k.yy - k.xy * k.xy) + (k.xx * k.zz - k.xz * k.xz) + (k.yy * k.zz - k.yz * k.yz);
    lanes sum = trace + shift, product = minors + shift * sum, whole = sum + shift;
    // Where K + c is not definite it is shifted until it is: then the step leads uphill in any case.
    masks unfit = (product < 1e-6 * minors) | (whole < fill(0.0));
    if (mask_bits(unfit) != 0) {
        lanes half = 0.5 * whole, least = half - root(larger(half * half - product, fill(0.0)));
        shift = choose(unfit, shift - least + 1e-3 * trace, shift);
        sum = trace + shift;
        product = minors + shift * sum;
    }
    vec step = times(1.0 / product, minus(times(sum, g), apply(&k, g)));
    lanes square = dot(step, step) * r_n;
    const double largest_step = 0.5; // as a share of n
    masks large = square > fill(largest_step * largest_step);
    if (mask_bits(large) != 0) step = times(choose(large, largest_step / root(square), fill(1.0)), step);
    return (newton){step, square, level, (square <= c->last_square) & (shift == level)};
}

// A couple on its way, each lane until it has converged.
typedef struct chase {
    couple c;
    vec n;
    masks converged;
    lanes supports; // steps taken
} chase;

// Makes a chase begin from n; its couple is set.
static inline void begin(vec n, chase *out) {
    out->n = n;
    out->converged = fill(0.0) > fill(0.0);
    out->supports = fill(0.0);
}

static inline bool has_arrived(const chase *w) {
    return mask_bits(w->converged) == (1u << LANES) - 1;
}

// Plain steps, of several couples in turn: one waits for its roots and divisions while the other ones go on.
static inline void follow_newton(int count, chase *ways) {
    enum { STEP_LIMIT = 8 }; // 2 to 4 are usual
    bool moving = true;
    for (int i = 0; i < STEP_LIMIT && moving; i++) {
        moving = false;
        for (int k = 0; k < count; k++) {
            chase *w = &ways[k];
            if (has_arrived(w)) continue;
            newton at = newton_at(&w->c, w->n);
            w->n = choose_vec(w->converged, w->n, plus(w->n, at.step));
            w->supports = choose(w->converged, w->supports, w->supports + 1.0);
            w->converged = w->converged | at.last;
            moving = true;
        }
    }
}

// h from the half-axes along the axes of the ellipsoid: n.Q n loses the digits of the short ones.
static inline lanes support(const solid *e, vec n, vec *point, lanes *reciprocal) {
    vec scaled = {e->a.x * dot(e->x, n), e->a.y * dot(e->y, n), e->a.z * dot(e->z, n)};
    lanes h = root(dot(scaled, scaled)), r = 1.0 / h;
    *reciprocal = r;
    vec x = times(r * (e->a.x * scaled.x), e->x), y = times(r * (e->a.y * scaled.y), e->y);
    *point = plus(plus(x, y), times(r * (e->a.z * scaled.z), e->z));
    return h;
}

// Everything at a stationary n. The normal is off by a last step at most, psi by that times the slope.
static inline found found_at(const couple *c, vec n) {
    found f;
    f.n = times(1.0 / root(dot(n, n)), n);
    lanes r_a, r_b, h_a = support(&c->a, f.n, &f.p_a, &r_a), h_b = support(&c->b, f.n, &f.p_b, &r_b);
    f.psi = dot(f.n, c->d) - h_a - h_b;
    f.proved_depth = c->a.least_square * r_a + c->b.least_square * r_b;
    vec slope = minus(minus(minus(c->d, f.p_a), f.p_b), times(f.psi, f.n));
    lanes size = size_of(c->d.x) + size_of(c->d.y) + size_of(c->d.z) + (c->a.a.x + c->a.a.y + c->a.a.z) +
                 (c->b.a.x + c->b.a.y + c->b.a.z);
    f.accuracy =
        4.0 * DBL_EPSILON * size + longest_last_step * (size_of(slope.x) + size_of(slope.y) + size_of(slope.z));
    return f;
}

// Where the answer is proved, and no other direction is nearly as good.
static inline masks proved(const found *f, masks converged) {
    return converged & (f->psi >= -(1.0 - 1e-6) * f->proved_depth);
}
