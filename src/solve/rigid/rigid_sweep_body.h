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
QUAD_INLINE void lanes_slide(const crm_rigid_batch *k, quad_mask slides, const quad c[2], quad normal,
                             const quad lean[2], quad y[2], quad *pressure, quad *multiplier) {
    const quad zero = quad_fill(0.0), endless = quad_fill(INFINITY);
    quad s00 = quad_load(k->schur[0]), s01 = quad_load(k->schur[1]), s11 = quad_load(k->schur[2]);
    quad mu = quad_load(k->friction), lambda = quad_load(k->multiplier), bend = lean[0] * c[0] + lean[1] * c[1];
    quad low = zero, high = endless, next, w[2], det, scaled, size;
    for (int step = 0;; step++) {
        quad a = s00 + lambda, d = s11 + lambda;
        det = a * d - s01 * s01;
        w[0] = s01 * c[1] - d * c[0];
        w[1] = s01 * c[0] - a * c[1];
        quad square = w[0] * w[0] + w[1] * w[1];
        size = quad_root(square);
        scaled = normal * det - (lean[0] * w[0] + lean[1] * w[1]);
        quad miss = mu * scaled - size;
        low = quad_choose(miss < zero, lambda, low);
        high = quad_choose(miss < zero, high, lambda);
        quad slope = mu * ((normal * (a + d) + bend) * square + scaled * (w[0] * c[0] + w[1] * c[1]));
        next = lambda - miss * square / slope;
        quad_mask open = slides & ~(quad_abs(miss) <= quad_fill(slide_tolerance) * size);
        if (quad_signs((quad)open) == 0 || step == MOST_SLIDE_STEPS) break;
        quad other = quad_choose(high < endless, quad_fill(0.5) * (low + high), low + low + (s00 + s11));
        quad inside = quad_choose((next > low) & (next < high), next, other);
        lambda = quad_choose(open, inside, lambda);
    }
    quad inverse = quad_fill(1.0) / (det * size), factor = mu * scaled * inverse; // onto the cone exactly
    y[0] = factor * w[0], y[1] = factor * w[1];
    *pressure = scaled * size * inverse;
    *multiplier = quad_choose(next > zero, next, zero);
}

// Visits four contacts from impulses `start`; `fresh` gets the new ones.
QUAD_INLINE void lanes_visit(crm_rigid_batch *k, const quad a[6], const quad b[6], const quad start[3], quad fresh[3]) {
    const quad zero = quad_fill(0.0);
    quad u0 = lanes_row(k, 0, a, b) + quad_load(k->offset), u1 = lanes_row(k, 1, a, b), u2 = lanes_row(k, 2, a, b);
    quad inverse = quad_load(k->normal_inverse), mu = quad_load(k->friction);
    quad lean[2] = {quad_load(k->lean[0]) * inverse, quad_load(k->lean[1]) * inverse};
    quad s01 = quad_load(k->schur[1]);
    quad normal = start[0] + (lean[0] * start[1] + lean[1] * start[2]) - inverse * u0;
    quad c[2] = {u1 - lean[0] * u0 - (quad_load(k->schur[0]) * start[1] + s01 * start[2]),
                 u2 - lean[1] * u0 - (s01 * start[1] + quad_load(k->schur[2]) * start[2])};
    quad g01 = quad_load(k->stick[1]);
    quad y[2] = {-(quad_load(k->stick[0]) * c[0] + g01 * c[1]), -(g01 * c[0] + quad_load(k->stick[2]) * c[1])};
    quad p = normal - (lean[0] * y[0] + lean[1] * y[1]), most = mu * p;
    quad_mask presses = (normal > zero) & (inverse > zero); // W_nn = 0: no impulse would help
    quad_mask sticks = (p >= zero) & (y[0] * y[0] + y[1] * y[1] <= most * most);
    quad_mask slides = presses & ~sticks;
    quad multiplier = zero;
    if (quad_signs((quad)slides) != 0) {
        quad slid[2], pressure, fresh_multiplier;
        lanes_slide(k, slides, c, normal, lean, slid, &pressure, &fresh_multiplier);
        y[0] = quad_choose(slides, slid[0], y[0]), y[1] = quad_choose(slides, slid[1], y[1]);
        p = quad_choose(slides, pressure, p);
        multiplier = quad_choose(slides, fresh_multiplier, zero);
    }
    quad_store(k->multiplier, multiplier);
    fresh[0] = quad_choose(presses, p, zero);
    fresh[1] = quad_choose(presses, y[0], zero);
    fresh[2] = quad_choose(presses, y[1], zero);
}

static double sweep_batches(const crm_rigid_system *system, crm_rigid_sweep *sweep) {
    const quad zero = quad_fill(0.0), momentum = quad_fill(sweep->momentum);
    quad largest = zero;
    for (int i = 0; i < system->batch_count; i++) {
        if (sweep->rest[i] > 0) {
            sweep->rest[i]--;
            continue;
        }
        crm_rigid_batch *k = &system->batch[i];
        quad a[6], b[6], start[3], fresh[3], d[3];
        quad_mask still = zero == zero;
        lanes_gather(system->z, k->a, a);
        lanes_gather(system->z, k->b, b);
        for (int m = 0; m < 3; m++) {
            quad r = quad_load(k->impulse[m]);
            start[m] = r + momentum * (r - quad_load(sweep->before[i][m]));
            still &= r == zero;
            quad_store(sweep->before[i][m], r);
        }
        lanes_visit(k, a, b, start, fresh);
        for (int m = 0; m < 3; m++) {
            d[m] = fresh[m] - start[m];
            still &= fresh[m] == zero;
            quad_store(k->impulse[m], fresh[m]);
        }
        quad weight = quad_load(k->scale) * quad_load(k->weight);
        largest = quad_larger(largest, (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) * (weight * weight));
        lanes_push(k->row_a[0], d, a);
        lanes_push(k->row_b[0], d, b);
        lanes_scatter(system->z, k->a, a);
        lanes_scatter(system->z, k->b, b);
        // Open before and after: momentum carries nothing on that nobody would visit.
        if (quad_signs((quad)still) == 15) sweep->rest[i] = RESTS_FOR;
    }
    largest = quad_larger(largest, quad_halves(largest));
    return largest[0] > largest[1] ? largest[0] : largest[1];
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
