// SPDX-License-Identifier: MIT
// A group of pairs as the same text for every instruction set. The file that includes it has included math/lanes_two.h
// or math/lanes_four.h.
#include "distance/ellipsoid/ellipsoid_lanes.h"
#include "distance/ellipsoid/ellipsoid_newton_body.h"

static inline vec load_vec(const double at[3][CRM_ELLIPSOID_LANES], int i) {
    return (vec){load(at[0] + i), load(at[1] + i), load(at[2] + i)};
}

static inline void store_vec(double at[3][CRM_ELLIPSOID_LANES], int i, vec v) {
    store(at[0] + i, v.x);
    store(at[1] + i, v.y);
    store(at[2] + i, v.z);
}

// crm_quat_to_mat3, operation by operation.
static inline void load_solid(const double attitude[4][CRM_ELLIPSOID_LANES],
                              const double half_axes[3][CRM_ELLIPSOID_LANES], int i, solid *out) {
    lanes w = load(attitude[0] + i), x = load(attitude[1] + i), y = load(attitude[2] + i), z = load(attitude[3] + i);
    lanes xx = 2.0 * x * x, yy = 2.0 * y * y, zz = 2.0 * z * z;
    lanes xy = 2.0 * x * y, xz = 2.0 * x * z, yz = 2.0 * y * z;
    lanes wx = 2.0 * w * x, wy = 2.0 * w * y, wz = 2.0 * w * z;
    set_solid((vec){1.0 - (yy + zz), xy + wz, xz - wy}, (vec){xy - wz, 1.0 - (xx + zz), yz + wx},
              (vec){xz + wy, yz - wx, 1.0 - (xx + yy)}, load_vec(half_axes, i), out);
}

static inline void load_chase(const crm_ellipsoid_batch *batch, int i, chase *out) {
    load_solid(batch->attitude_a, batch->half_axes_a, i, &out->c.a);
    load_solid(batch->attitude_b, batch->half_axes_b, i, &out->c.b);
    set_couple(load_vec(batch->d, i), &out->c);
    vec n = load_vec(batch->start, i);
    masks cold = dot(n, n) == fill(0.0);
    if (mask_bits(cold) != 0) n = choose_vec(cold, first_guess(&out->c), n);
    begin(n, out);
}

static inline unsigned store_found(const chase *w, int i, crm_ellipsoid_answers *out) {
    found f = found_at(&w->c, w->n);
    store(out->gap + i, f.psi);
    store(out->accuracy + i, f.accuracy);
    store_vec(out->normal, i, f.n);
    store_vec(out->arm_a, i, f.p_a);
    store_vec(out->arm_b, i, f.p_b);
    store(out->supports + i, w->supports + 1.0);
    return mask_bits(proved(&f, w->converged));
}

static unsigned find(const crm_ellipsoid_batch *batch, crm_ellipsoid_answers *out) {
    enum { WAYS = CRM_ELLIPSOID_LANES / LANES };
    chase ways[WAYS];
    unsigned bits = 0;
    for (int k = 0; k < WAYS; k++) load_chase(batch, LANES * k, &ways[k]);
    follow_newton(WAYS, ways);
    for (int k = 0; k < WAYS; k++) bits |= store_found(&ways[k], LANES * k, out) << (LANES * k);
    return bits;
}
