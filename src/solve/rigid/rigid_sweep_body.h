// SPDX-License-Identifier: MIT
// A sweep: every contact solved alone for its law, with all others held.
//
// With k = W_tn / W_nn and S the Schur complement of W_nn, a contact that presses has u_n = 0, hence
//   r_n = p - k . y,   p = r_n + k . r_t - u_n / W_nn,   u_t = S y + c,   c = u_t - k u_n - S r_t,
// where r, u on the right are those found. It sticks when y = -S^-1 c lies in the cone, else slides: y = -(S + l)^-1 c
// with the multiplier l > 0 of u_t = -l y from |y| = mu r_n, by Newton's method (sweeps/group_solve.c has the scalar
// one; docs/math.md 6.3).
#include <math.h>

#include "solve/rigid/rigid_lanes.h"
#include "solve/rigid/rigid_loops.h"

// A slide is good enough for this visit when |r_t| is so near to mu r_n before it is put on the cone.
static const double slide_tolerance = 1e-4;
enum { MOST_SLIDE_STEPS = 60, RESTS_FOR = 7 };

// The slide of lanes in `slides`; y, pressure and multiplier of others are left undefined.
//
// With D = det(S + l), w = D y is linear in l, dw / dl = -c, and P = D r_n = D p - k . w is quadratic: psi = mu P / |w|
// - 1 and its derivative mu (P' |w|^2 + P w . c) / |w|^3 take one root and one division a step.
QUAD_INLINE void lanes_slide(const crm_rigid_batch *k, int at, wide_mask slides, const wide c[2], wide normal,
                             const wide lean[2], wide y[2], wide *pressure, wide *multiplier) {
    const wide zero = wide_fill(0.0), endless = wide_fill(INFINITY);
    wide s00 = wide_load(k->schur[0] + at), s01 = wide_load(k->schur[1] + at), s11 = wide_load(k->schur[2] + at);
    wide mu = wide_load(k->friction + at), lambda = wide_load(k->multiplier + at),
         bend = lean[0] * c[0] + lean[1] * c[1];
    wide low = zero, high = endless, next, w[2], det, scaled, size;
    for (int step = 0;; step++) {
        wide a = s00 + lambda, d = s11 + lambda;
        det = a * d - s01 * s01;
        w[0] = s01 * c[1] - d * c[0];
        w[1] = s01 * c[0] - a * c[1];
        wide square = w[0] * w[0] + w[1] * w[1];
        size = wide_root(square);
        scaled = normal * det - (lean[0] * w[0] + lean[1] * w[1]);
        wide miss = mu * scaled - size;
        low = wide_choose(miss < zero, lambda, low);
        high = wide_choose(miss < zero, high, lambda);
        wide slope = mu * ((normal * (a + d) + bend) * square + scaled * (w[0] * c[0] + w[1] * c[1]));
        next = lambda - miss * square / slope;
        wide_mask open = slides & ~(wide_abs(miss) <= wide_fill(slide_tolerance) * size);
        if (wide_signs((wide)open) == 0 || step == MOST_SLIDE_STEPS) break;
        wide other = wide_choose(high < endless, wide_fill(0.5) * (low + high), low + low + (s00 + s11));
        wide inside = wide_choose((next > low) & (next < high), next, other);
        lambda = wide_choose(open, inside, lambda);
    }
    wide inverse = wide_fill(1.0) / (det * size), factor = mu * scaled * inverse; // onto the cone exactly
    y[0] = factor * w[0], y[1] = factor * w[1];
    *pressure = scaled * size * inverse;
    *multiplier = wide_choose(next > zero, next, zero);
}

// Visits contacts side by side, from impulses `start`; `fresh` gets the new ones.
QUAD_INLINE void lanes_visit(crm_rigid_batch *k, int at, const wide a[6], const wide b[6], const wide start[3],
                             wide fresh[3]) {
    const wide zero = wide_fill(0.0);
    wide u0 = lanes_row(k, at, 0, a, b) + wide_load(k->offset + at), u1 = lanes_row(k, at, 1, a, b),
         u2 = lanes_row(k, at, 2, a, b);
    wide inverse = wide_load(k->normal_inverse + at), mu = wide_load(k->friction + at);
    wide lean[2] = {wide_load(k->lean[0] + at) * inverse, wide_load(k->lean[1] + at) * inverse};
    wide s01 = wide_load(k->schur[1] + at);
    wide normal = start[0] + (lean[0] * start[1] + lean[1] * start[2]) - inverse * u0;
    wide c[2] = {u1 - lean[0] * u0 - (wide_load(k->schur[0] + at) * start[1] + s01 * start[2]),
                 u2 - lean[1] * u0 - (s01 * start[1] + wide_load(k->schur[2] + at) * start[2])};
    wide g01 = wide_load(k->stick[1] + at);
    wide y[2] = {-(wide_load(k->stick[0] + at) * c[0] + g01 * c[1]),
                 -(g01 * c[0] + wide_load(k->stick[2] + at) * c[1])};
    wide p = normal - (lean[0] * y[0] + lean[1] * y[1]), most = mu * p;
    wide_mask presses = (normal > zero) & (inverse > zero); // W_nn = 0: no impulse would help
    wide_mask sticks = (p >= zero) & (y[0] * y[0] + y[1] * y[1] <= most * most);
    wide_mask slides = presses & ~sticks;
    wide multiplier = zero;
    if (wide_signs((wide)slides) != 0) {
        wide slid[2], pressure, fresh_multiplier;
        lanes_slide(k, at, slides, c, normal, lean, slid, &pressure, &fresh_multiplier);
        y[0] = wide_choose(slides, slid[0], y[0]), y[1] = wide_choose(slides, slid[1], y[1]);
        p = wide_choose(slides, pressure, p);
        multiplier = wide_choose(slides, fresh_multiplier, zero);
    }
    wide_store(k->multiplier + at, multiplier);
    fresh[0] = wide_choose(presses, p, zero);
    fresh[1] = wide_choose(presses, y[0], zero);
    fresh[2] = wide_choose(presses, y[1], zero);
}

// Lanes from `at` on; whether all of them were open before and after.
QUAD_INLINE bool sweep_lanes(const crm_rigid_system *system, crm_rigid_batch *k, int at, double momentum,
                             double (*before)[CRM_RIGID_LANES], wide *largest) {
    const wide zero = wide_fill(0.0);
    wide a[6], b[6], start[3], fresh[3], d[3];
    wide_mask still = zero == zero;
    lanes_gather(system->z, k->a + at, a);
    lanes_gather(system->z, k->b + at, b);
    for (int m = 0; m < 3; m++) {
        wide r = wide_load(k->impulse[m] + at);
        start[m] = r + wide_fill(momentum) * (r - wide_load(before[m] + at));
        still &= r == zero;
        wide_store(before[m] + at, r);
    }
    lanes_visit(k, at, a, b, start, fresh);
    for (int m = 0; m < 3; m++) {
        d[m] = fresh[m] - start[m];
        still &= fresh[m] == zero;
        wide_store(k->impulse[m] + at, fresh[m]);
    }
    wide weight = wide_load(k->scale + at) * wide_load(k->weight + at);
    *largest = wide_larger(*largest, (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) * (weight * weight));
    lanes_push(k->row_a[0] + at, d, a);
    lanes_push(k->row_b[0] + at, d, b);
    lanes_scatter(system->z, k->a + at, a);
    lanes_scatter(system->z, k->b + at, b);
    return wide_signs((wide)still) == ALL_LANES;
}

static double sweep_batches(const crm_rigid_system *system, int begin, int end, const crm_rigid_sweep *sweep) {
    wide largest = wide_fill(0.0);
    for (int i = begin; i < end; i++) {
        if (sweep->rest[i] > 0) {
            sweep->rest[i]--;
            continue;
        }
        bool still = true;
        for (int at = 0; at < CRM_RIGID_LANES; at += WIDTH)
            still &= sweep_lanes(system, &system->batch[i], at, sweep->momentum, sweep->before[i], &largest);
        // Open before and after: momentum carries nothing on that nobody would visit.
        if (still) sweep->rest[i] = RESTS_FOR;
    }
    double most = 0.0;
    for (int l = 0; l < WIDTH; l++) most = largest[l] > most ? largest[l] : most;
    return most;
}

static double restart_product(int count, const double *start, const double *z, const double *before) {
    quad sum = quad_fill(0.0);
    for (int i = 0; i < count; i += 4) {
        quad now = quad_load(z + i);
        sum += (quad_load(start + i) - now) * (now - quad_load(before + i));
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static void extrapolate(int count, double b, double *start, double *z, double *before) {
    for (int i = 0; i < count; i += 4) {
        quad now = quad_load(z + i), further = now + quad_fill(b) * (now - quad_load(before + i));
        quad_store(before + i, now);
        quad_store(start + i, further);
        quad_store(z + i, further);
    }
}
