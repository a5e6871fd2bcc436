// SPDX-License-Identifier: MIT
// The text of rigid_blocks.h, compiled for one instruction set after the other. The file that includes it has defined
// KERNELS, the name of the table.
#include <float.h>
#include <math.h>

#include "math/simd/quad.h"
#include "solve/rigid/newton/rigid_blocks.h"

enum { LANES = CRM_RIGID_LANES, STRIDE = CRM_RIGID_STRIDE };

// Four rows become four columns.
QUAD_INLINE void transpose(quad *r0, quad *r1, quad *r2, quad *r3) {
    quad a = __builtin_shufflevector(*r0, *r1, 0, 4, 2, 6), b = __builtin_shufflevector(*r0, *r1, 1, 5, 3, 7);
    quad c = __builtin_shufflevector(*r2, *r3, 0, 4, 2, 6), d = __builtin_shufflevector(*r2, *r3, 1, 5, 3, 7);
    *r0 = __builtin_shufflevector(a, c, 0, 1, 4, 5), *r1 = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    *r2 = __builtin_shufflevector(a, c, 2, 3, 6, 7), *r3 = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

// Six numbers of four slots, side by side.
QUAD_INLINE void gather(const double *z, const int *slot, quad x[6]) {
    const double *s0 = z + STRIDE * slot[0], *s1 = z + STRIDE * slot[1], *s2 = z + STRIDE * slot[2],
                 *s3 = z + STRIDE * slot[3];
    quad e0 = quad_load(s0 + 4), e1 = quad_load(s1 + 4), e2 = quad_load(s2 + 4), e3 = quad_load(s3 + 4);
    x[0] = quad_load(s0), x[1] = quad_load(s1), x[2] = quad_load(s2), x[3] = quad_load(s3);
    transpose(&x[0], &x[1], &x[2], &x[3]);
    transpose(&e0, &e1, &e2, &e3);
    x[4] = e0, x[5] = e1;
}

// z += x. A body stands in a batch once, slot 0 adds zeros.
QUAD_INLINE void scatter(double *z, const int *slot, const quad x[6]) {
    quad l0 = x[0], l1 = x[1], l2 = x[2], l3 = x[3], zero = quad_fill(0.0);
    quad e0 = x[4], e1 = x[5], e2 = zero, e3 = zero;
    transpose(&l0, &l1, &l2, &l3);
    transpose(&e0, &e1, &e2, &e3);
    double *s0 = z + STRIDE * slot[0], *s1 = z + STRIDE * slot[1], *s2 = z + STRIDE * slot[2],
           *s3 = z + STRIDE * slot[3];
    quad_store(s0, quad_load(s0) + l0), quad_store(s0 + 4, quad_load(s0 + 4) + e0);
    quad_store(s1, quad_load(s1) + l1), quad_store(s1 + 4, quad_load(s1 + 4) + e1);
    quad_store(s2, quad_load(s2) + l2), quad_store(s2 + 4, quad_load(s2 + 4) + e2);
    quad_store(s3, quad_load(s3) + l3), quad_store(s3 + 4, quad_load(s3 + 4) + e3);
}

// J z
QUAD_INLINE void relative(const crm_rigid_visit *v, const double *z, quad u[3]) {
    quad za[6], zb[6];
    gather(z, v->a, za);
    gather(z, v->b, zb);
    for (int i = 0; i < 3; i++) {
        quad sum_a = quad_fill(0.0), sum_b = sum_a;
        for (int k = 0; k < 6; k++) {
            sum_a += quad_load(v->batch->row_a[6 * i + k]) * za[k];
            sum_b += quad_load(v->batch->row_b[6 * i + k]) * zb[k];
        }
        u[i] = sum_a + sum_b;
    }
}

// z += J^T x
QUAD_INLINE void pass_on(const crm_rigid_visit *v, const quad x[3], double *z) {
    quad ya[6], yb[6];
    for (int k = 0; k < 6; k++) {
        ya[k] = quad_load(v->batch->row_a[k]) * x[0] + quad_load(v->batch->row_a[6 + k]) * x[1] +
                quad_load(v->batch->row_a[12 + k]) * x[2];
        yb[k] = quad_load(v->batch->row_b[k]) * x[0] + quad_load(v->batch->row_b[6 + k]) * x[1] +
                quad_load(v->batch->row_b[12 + k]) * x[2];
    }
    scatter(z, v->a, ya);
    scatter(z, v->b, yb);
}

QUAD_INLINE void load_impulse(const crm_rigid_visit *v, quad r[3]) {
    for (int i = 0; i < 3; i++) r[i] = quad_load(v->batch->impulse[i]);
}

QUAD_INLINE void store_impulse(const crm_rigid_visit *v, const quad r[3]) {
    for (int i = 0; i < 3; i++) {
        double *to = v->batch->impulse[i];
        if (v->lanes == 15u) {
            quad_store(to, r[i]);
        } else { // others may be at work on the other lanes
            for (int l = 0; l < LANES; l++)
                if (v->lanes >> l & 1u) to[l] = r[i][l];
        }
    }
}

// The unit vector of (x, y), and its length; (1, 0) for the zero vector.
QUAD_INLINE quad unit(quad x, quad y, quad t[2]) {
    quad one = quad_fill(1.0), zero = quad_fill(0.0), size = quad_root(x * x + y * y);
    quad_mask some = size > quad_fill(DBL_MIN);
    quad inverse = one / quad_choose(some, size, one);
    t[0] = quad_choose(some, x * inverse, one);
    t[1] = quad_choose(some, y * inverse, zero);
    return size;
}

QUAD_INLINE void close_block(crm_rigid_visit *v, const quad c[9], const quad p[3], const quad r[3], double *force) {
    quad member = quad_load(v->member), some = quad_fill(0.0), sum[3];
    for (int i = 0; i < 9; i++) {
        quad_store(v->stiffness[i], c[i]);
        some += quad_abs(c[i]);
    }
    v->active = v->lanes & quad_signs((quad)(some > quad_fill(0.0)));
    for (int i = 0; i < 3; i++) {
        quad_store(v->push[i], p[i]);
        sum[i] = member * (r[i] + p[i]);
    }
    pass_on(v, sum, force);
}

// ---- the smoothed laws

// h and g with h - g = l and h g = width^2, both positive and neither by cancellation.
typedef struct positive_parts {
    quad h, g;
} positive_parts;

QUAD_INLINE positive_parts split(quad l, quad width) {
    quad size = quad_abs(l), twice = width + width;
    quad large = quad_fill(0.5) * (quad_root(l * l + twice * twice) + size) + quad_fill(DBL_MIN);
    quad small = width * (width / large);
    quad_mask up = l > quad_fill(0.0);
    return (positive_parts){quad_choose(up, large, small), quad_choose(up, small, large)};
}

// A contact in the self-dual scaling: the projection's argument in its spectral form, and F = r - P.
typedef struct smoothed_contact {
    quad scale_n, scale_t; // r' = scale r, u' = u / scale
    quad_mask rubs;        // has friction
    quad t[2], slope[2];   // eigenvectors (1, +-t), (0, across t); derivative of the shift
    positive_parts one, two;
    quad f[3];
} smoothed_contact;

QUAD_INLINE smoothed_contact smooth(const crm_rigid_visit *v, const crm_rigid_linear *linear, const quad u[3],
                                    const quad r[3]) {
    const crm_rigid_batch *b = v->batch;
    smoothed_contact s;
    quad zero = quad_fill(0.0), one = quad_fill(1.0), mu = quad_load(b->friction);
    s.rubs = mu > zero;
    quad m = quad_choose(s.rubs, mu, one), wnn = quad_load(b->normal), inverse = quad_load(b->normal_inverse);
    quad lean0 = quad_load(b->lean[0]), lean1 = quad_load(b->lean[1]);
    quad w_tt = quad_load(b->schur[0]) + quad_load(b->schur[2]) + (lean0 * lean0 + lean1 * lean1) * inverse;
    quad mean = quad_choose(s.rubs, (wnn / (m * m) + w_tt) * quad_fill(1.0 / 3.0), wnn);
    quad sigma = quad_root(quad_choose(mean > zero, mean, one)), back = one / sigma;
    s.scale_n = sigma * m, s.scale_t = sigma;
    quad u0 = (u[0] + quad_load(b->offset)) * back / m, u1 = u[1] * back, u2 = u[2] * back;
    quad r0 = r[0] * s.scale_n, r1 = r[1] * sigma, r2 = r[2] * sigma;
    quad shift = quad_fill(linear->shift), slip = unit(u1, u2, s.slope);
    for (int i = 0; i < 2; i++) s.slope[i] = quad_choose(slip > quad_fill(DBL_MIN), shift * s.slope[i], zero);
    quad x0 = r0 - u0 - quad_choose(s.rubs, shift * slip, zero);
    quad x1 = quad_choose(s.rubs, r1 - u1, zero), x2 = quad_choose(s.rubs, r2 - u2, zero);
    quad size = unit(x1, x2, s.t), width = quad_fill(linear->width), half = quad_fill(0.5);
    s.one = split(x0 + size, width), s.two = split(x0 - size, width);
    quad along = half * (s.one.h - s.two.h);
    s.f[0] = r0 - half * (s.one.h + s.two.h);
    s.f[1] = r1 - along * s.t[0];
    s.f[2] = r2 - along * s.t[1];
    return s;
}

static void linearise(crm_rigid_visit *visits, int count, const crm_rigid_linear *linear, const double *z,
                      double *force) {
    quad half = quad_fill(0.5), zero = quad_fill(0.0), one = quad_fill(1.0), prox = quad_fill(linear->prox);
    for (int i = 0; i < count; i++) {
        crm_rigid_visit *v = &visits[i];
        quad u[3], r[3], c[9], p[3];
        relative(v, z, u);
        load_impulse(v, r);
        smoothed_contact s = smooth(v, linear, u, r);
        // With D = h / (h + g) in each direction: B = 1 - D + prox D; 1 / B and D / B.
        quad hs = s.one.h + s.two.h, gs = s.one.g + s.two.g;
        quad i1 = one / (s.one.g + prox * s.one.h), i2 = one / (s.two.g + prox * s.two.h), io = one / (gs + prox * hs);
        quad c1 = s.one.h * i1, c2 = s.two.h * i2, co = hs * io;
        quad b1 = (s.one.h + s.one.g) * i1, b2 = (s.two.h + s.two.g) * i2, bo = (hs + gs) * io;
        quad t0 = s.t[0], t1 = s.t[1];
        quad along = s.f[1] * t0 + s.f[2] * t1, across = s.f[2] * t0 - s.f[1] * t1;
        quad p1 = b1 * (s.f[0] + along), p2 = b2 * (s.f[0] - along), po = bo * across;
        quad pn = -half * (p1 + p2), pa = -half * (p1 - p2);
        quad back_n = one / s.scale_n, back_t = one / s.scale_t;
        p[0] = pn * back_n;
        p[1] = quad_choose(s.rubs, (pa * t0 + po * t1) * back_t, -r[1]);
        p[2] = quad_choose(s.rubs, (pa * t1 - po * t0) * back_t, -r[2]);
        quad sum = half * (c1 + c2), lean = half * (c1 - c2);
        quad n0 = lean * t0, n1 = lean * t1;
        c[0] = sum * back_n * back_n;
        quad nt = back_n * back_t, tt = back_t * back_t;
        c[1] = (n0 + sum * s.slope[0]) * nt, c[2] = (n1 + sum * s.slope[1]) * nt;
        c[3] = n0 * nt, c[6] = n1 * nt;
        quad cross = (sum - co) * t0 * t1;
        c[4] = (sum * t0 * t0 + co * t1 * t1 + n0 * s.slope[0]) * tt;
        c[5] = (cross + n0 * s.slope[1]) * tt;
        c[7] = (cross + n1 * s.slope[0]) * tt;
        c[8] = (sum * t1 * t1 + co * t0 * t0 + n1 * s.slope[1]) * tt;
        for (int k = 1; k < 9; k++) c[k] = quad_choose(s.rubs, c[k], zero);
        close_block(v, c, p, r, force);
    }
}

// ---- the system

// The rows of one contact, six numbers each: as they are and beginning with the fifth, so that two columns of a tile
// are three quads.
typedef struct tile_rows {
    quad first[3], middle[3], last[3];
} tile_rows;

// tile += X^T Y for 6 x 6 by columns: column j is the sum of rows k of X times y[k][j].
QUAD_INLINE void add_tile(double *tile, const tile_rows *x, double y[3][6]) {
    for (int j = 0; j < 6; j += 2) {
        quad low = quad_load_any(tile + 6 * j), mid = quad_load_any(tile + 6 * j + 4),
             high = quad_load_any(tile + 6 * j + 8);
        for (int k = 0; k < 3; k++) {
            double f = y[k][j], g = y[k][j + 1];
            low += x->first[k] * quad_fill(f);
            mid += x->middle[k] * (quad){f, f, g, g};
            high += x->last[k] * quad_fill(g);
        }
        typedef double unaligned_quad __attribute__((vector_size(32), aligned(8), may_alias));
        *(unaligned_quad *)(tile + 6 * j) = low;
        *(unaligned_quad *)(tile + 6 * j + 4) = mid;
        *(unaligned_quad *)(tile + 6 * j + 8) = high;
    }
}

QUAD_INLINE tile_rows take_rows(const double rows[20]) {
    tile_rows x;
    for (int k = 0; k < 3; k++) {
        const double *row = rows + 6 * k;
        x.first[k] = quad_load_any(row);
        x.middle[k] = (quad){row[4], row[5], row[0], row[1]};
        x.last[k] = quad_load_any(row + 2);
    }
    return x;
}

// The rows of four contacts, one after the other.
QUAD_INLINE void unpack(double from[18][LANES], double to[LANES][20]) {
    for (int k = 0; k < 16; k += 4) {
        quad x0 = quad_load(from[k]), x1 = quad_load(from[k + 1]), x2 = quad_load(from[k + 2]),
             x3 = quad_load(from[k + 3]);
        transpose(&x0, &x1, &x2, &x3);
        quad_store(&to[0][k], x0), quad_store(&to[1][k], x1), quad_store(&to[2][k], x2), quad_store(&to[3][k], x3);
    }
    for (int k = 16; k < 18; k++)
        for (int l = 0; l < LANES; l++) to[l][k] = from[k][l];
}

// Y = C X
QUAD_INLINE void multiply(const crm_rigid_visit *v, int lane, const double rows[20], double y[3][6]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 6; j++)
            y[i][j] = v->stiffness[3 * i][lane] * rows[j] + v->stiffness[3 * i + 1][lane] * rows[6 + j] +
                      v->stiffness[3 * i + 2][lane] * rows[12 + j];
}

static void assemble(const crm_rigid_visit *visits, int count) {
    for (int i = 0; i < count; i++) {
        const crm_rigid_visit *v = &visits[i];
        if (v->active == 0u) continue;
        _Alignas(32) double rows_a[LANES][20], rows_b[LANES][20];
        unpack(v->batch->row_a, rows_a);
        unpack(v->batch->row_b, rows_b);
        for (int lane = 0; lane < LANES; lane++) {
            if (!(v->active >> lane & 1u)) continue;
            double y[3][6];
            tile_rows xa = take_rows(rows_a[lane]), xb = take_rows(rows_b[lane]);
            if (v->tile_a[lane] != NULL) {
                multiply(v, lane, rows_a[lane], y);
                add_tile(v->tile_a[lane], &xa, y);
                if (v->tile_ba[lane] != NULL) add_tile(v->tile_ba[lane], &xb, y);
            }
            if (v->tile_b[lane] == NULL) continue;
            multiply(v, lane, rows_b[lane], y);
            add_tile(v->tile_b[lane], &xb, y);
            if (v->tile_ab[lane] != NULL) add_tile(v->tile_ab[lane], &xa, y);
        }
    }
}

static void direct(crm_rigid_visit *visits, int count, const double *dz) {
    for (int i = 0; i < count; i++) {
        crm_rigid_visit *v = &visits[i];
        quad du[3];
        relative(v, dz, du);
        for (int k = 0; k < 3; k++)
            quad_store(v->push[k], quad_load(v->push[k]) - (quad_load(v->stiffness[3 * k]) * du[0] +
                                                            quad_load(v->stiffness[3 * k + 1]) * du[1] +
                                                            quad_load(v->stiffness[3 * k + 2]) * du[2]));
    }
}

QUAD_INLINE void load_trial(const crm_rigid_visit *v, double length, quad r[3]) {
    load_impulse(v, r);
    for (int k = 0; k < 3; k++) r[k] += quad_fill(length) * quad_load(v->push[k]);
}

static void take(const crm_rigid_visit *visits, int count, double length) {
    for (int i = 0; i < count; i++) {
        quad r[3];
        load_trial(&visits[i], length, r);
        store_impulse(&visits[i], r);
    }
}

static double map_square(const crm_rigid_visit *visits, int count, const crm_rigid_linear *linear, const double *z,
                         double length) {
    quad sum = quad_fill(0.0);
    for (int i = 0; i < count; i++) {
        quad u[3], r[3];
        relative(&visits[i], z, u);
        load_trial(&visits[i], length, r);
        smoothed_contact s = smooth(&visits[i], linear, u, r);
        sum += quad_load(visits[i].member) * (s.f[0] * s.f[0] + s.f[1] * s.f[1] + s.f[2] * s.f[2]);
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// The projection onto the cone |x_t| <= mu x_n, by the case: stays where it is; moves to the surface; to the tip.
typedef struct cone_point {
    quad n, t;              // of the projection, t along `along`
    quad along[2], inverse; // 1 / |x_t|
    quad_mask inside, surface;
} cone_point;

QUAD_INLINE cone_point project(quad mu, const quad x[3]) {
    quad zero = quad_fill(0.0), one = quad_fill(1.0);
    cone_point p;
    quad size = unit(x[1], x[2], p.along);
    quad_mask rubs = mu > zero;
    p.inside = (size <= mu * x[0]) & rubs;
    p.surface = (x[0] + mu * size > zero) & ~p.inside;
    p.inverse = one / quad_choose(size > quad_fill(DBL_MIN), size, one);
    quad height = (x[0] + mu * size) / (one + mu * mu);
    p.n = quad_choose(p.inside, x[0], quad_choose(p.surface, height, zero));
    p.t = quad_choose(p.inside, size, quad_choose(p.surface, mu * height, zero));
    return p;
}

static void confine(const crm_rigid_visit *visits, int count, double *z) {
    for (int i = 0; i < count; i++) {
        const crm_rigid_visit *v = &visits[i];
        quad r[3], member = quad_load(v->member);
        load_impulse(v, r);
        cone_point q = project(quad_load(v->batch->friction), r);
        // What is inside stays as it is, to the bit.
        r[0] = q.n;
        r[1] = quad_choose(q.inside, r[1], q.t * q.along[0]);
        r[2] = quad_choose(q.inside, r[2], q.t * q.along[1]);
        store_impulse(v, r);
        for (int k = 0; k < 3; k++) r[k] *= member;
        pass_on(v, r, z);
    }
}

const crm_rigid_block_kernels KERNELS = {linearise, assemble, direct, take, confine, map_square};
