// SPDX-License-Identifier: MIT
// Records from contacts, four at a time: rows in velocities of unit mass, W_ii and what is made of it, q, and the
// velocities that the guess makes.
#include <float.h>
#include <math.h>

#include "solve/rigid/rigid_lanes.h"
#include "solve/rigid/rigid_loops.h"

// Four structures of doubles side by side: components first ... first + 3.
QUAD_INLINE void lanes_members(const double *const of[4], int first, quad out[4]) {
    for (int l = 0; l < 4; l++) out[l] = quad_load_any(of[l] + first);
    lanes_transpose(out);
}

typedef struct lanes_body {
    quad linear[3], angular[9], arm[3];
} lanes_body;

// Rows (linear d, F (arm x d)), negated for a.
QUAD_INLINE void lanes_rows(const lanes_body *body, const quad d[3], quad sign, quad row[6]) {
    quad moment[3] = {body->arm[1] * d[2] - body->arm[2] * d[1], body->arm[2] * d[0] - body->arm[0] * d[2],
                      body->arm[0] * d[1] - body->arm[1] * d[0]};
    for (int i = 0; i < 3; i++) {
        const quad *f = body->angular + 3 * i;
        row[i] = sign * (body->linear[i] * d[i]);
        row[3 + i] = sign * (f[0] * moment[0] + f[1] * moment[1] + f[2] * moment[2]);
    }
}

QUAD_INLINE quad lanes_product(const quad a[6], const quad b[6]) {
    quad sum = a[0] * b[0];
    for (int i = 1; i < 6; i++) sum += a[i] * b[i];
    return sum;
}

QUAD_INLINE quad quad_keep(quad_mask held, quad a) {
    return (quad)(held & (quad_mask)a);
}

// W_nn, W_tn, W_tt (11, 12, 22) to what a visit needs.
QUAD_INLINE void lanes_own(crm_rigid_batch *k, const quad w[6], quad_mask rubs) {
    const quad zero = quad_fill(0.0), one = quad_fill(1.0);
    quad inverse = quad_keep(w[0] > zero, one / w[0]);
    quad s00 = w[3] - w[1] * w[1] * inverse, s01 = w[4] - w[1] * w[2] * inverse, s11 = w[5] - w[2] * w[2] * inverse;
    // What rounding has left of a semidefinite S is no stiffness.
    quad least = quad_fill(4.0 * DBL_EPSILON) * (w[3] + w[5]), det = s00 * s11 - s01 * s01;
    quad shift = quad_keep(~(det > least * (s00 + s11)), least);
    s00 += shift, s11 += shift;
    det = s00 * s11 - s01 * s01;
    quad over = quad_keep(det > zero, one / det);
    quad trace = quad_choose(rubs, (w[0] + w[3] + w[5]) / quad_fill(3.0), w[0]);
    quad_store(k->normal, w[0]), quad_store(k->normal_inverse, inverse);
    quad_store(k->lean[0], w[1]), quad_store(k->lean[1], w[2]);
    quad_store(k->schur[0], s00), quad_store(k->schur[1], s01), quad_store(k->schur[2], s11);
    quad_store(k->stick[0], s11 * over), quad_store(k->stick[1], -s01 * over), quad_store(k->stick[2], s00 * over);
    quad_store(k->scale, trace);
}

typedef struct pack_sources {
    const double *contact[4], *a[4], *b[4];
    quad_mask moves_a, moves_b, there; // whether lanes have a moving a, b, a contact at all
} pack_sources;

static const crm_rigid_contact no_contact;
static const crm_rigid_body no_body;

QUAD_INLINE pack_sources pack_find(const crm_rigid_problem *problem, const crm_rigid_batch *k) {
    pack_sources s;
    for (int l = 0; l < 4; l++) {
        const crm_rigid_contact *contact = k->contact[l] >= 0 ? &problem->contacts[k->contact[l]] : &no_contact;
        bool there = k->contact[l] >= 0, a = there && contact->a >= 0, b = there && contact->b >= 0;
        s.contact[l] = (const double *)&contact->arm_a;
        s.a[l] = (const double *)(a ? &problem->bodies[contact->a] : &no_body);
        s.b[l] = (const double *)(b ? &problem->bodies[contact->b] : &no_body);
        s.moves_a[l] = -(int64_t)a, s.moves_b[l] = -(int64_t)b, s.there[l] = -(int64_t)there;
    }
    return s;
}

QUAD_INLINE void pack_body(const double *const of[4], lanes_body *out) {
    quad m[12];
    for (int i = 0; i < 12; i += 4) lanes_members(of, i, m + i);
    for (int i = 0; i < 3; i++) out->linear[i] = m[i];
    for (int i = 0; i < 9; i++) out->angular[i] = m[3 + i];
}

QUAD_INLINE void pack_impulse(crm_rigid_batch *k, const double *impulse, quad_mask rubs, quad r[3]) {
    for (int m = 0; m < 3; m++) {
        quad guess;
        for (int l = 0; l < 4; l++) guess[l] = k->contact[l] >= 0 ? impulse[3 * (ptrdiff_t)k->contact[l] + m] : 0.0;
        r[m] = m == 0 ? guess : quad_keep(rubs, guess);
        quad_store(k->impulse[m], r[m]);
    }
}

// arm_a, arm_b, directions, offset, friction: 17 doubles from arm_a on.
QUAD_INLINE void pack_batch(const crm_rigid_system *system, const crm_rigid_problem *problem, const double *impulse,
                            crm_rigid_batch *k, quad *q_squared) {
    pack_sources s = pack_find(problem, k);
    quad m[16], friction;
    lanes_body a, b;
    for (int i = 0; i < 16; i += 4) lanes_members(s.contact, i, m + i);
    for (int l = 0; l < 4; l++) friction[l] = s.contact[l][16];
    pack_body(s.a, &a);
    pack_body(s.b, &b);
    for (int i = 0; i < 3; i++) {
        a.arm[i] = quad_keep(s.moves_a, m[i]); // what cannot move may have any arm, also none
        b.arm[i] = quad_keep(s.moves_b, m[3 + i]);
    }
    quad_mask rubs = friction > quad_fill(0.0);
    quad row_a[3][6], row_b[3][6];
    for (int i = 0; i < 3; i++) {
        quad d[3];
        for (int n = 0; n < 3; n++) d[n] = i == 0 ? m[6 + n] : quad_keep(rubs, m[6 + 3 * i + n]);
        lanes_rows(&a, d, quad_fill(-1.0), row_a[i]);
        lanes_rows(&b, d, quad_fill(1.0), row_b[i]);
        for (int n = 0; n < 6; n++) {
            quad_store(k->row_a[6 * i + n], row_a[i][n]);
            quad_store(k->row_b[6 * i + n], row_b[i][n]);
        }
    }
    static const int first[6] = {0, 1, 2, 1, 1, 2}, second[6] = {0, 0, 0, 1, 2, 2};
    quad w[6], r[3], free_a[6], free_b[6], q[3];
    for (int i = 0; i < 6; i++)
        w[i] = lanes_product(row_a[first[i]], row_a[second[i]]) + lanes_product(row_b[first[i]], row_b[second[i]]);
    lanes_own(k, w, rubs);
    quad_store(k->offset, m[15]);
    quad_store(k->friction, friction);
    quad_store(k->multiplier, quad_fill(0.0));
    quad_store(k->weight, quad_fill(0.0));
    pack_impulse(k, impulse, rubs, r);

    lanes_gather(system->free, k->a, free_a);
    lanes_gather(system->free, k->b, free_b);
    for (int i = 0; i < 3; i++) q[i] = lanes_product(row_a[i], free_a) + lanes_product(row_b[i], free_b);
    q[0] += m[15];
    *q_squared = q[0] * q[0] + q[1] * q[1] + q[2] * q[2];
    quad va[6], vb[6];
    lanes_gather(system->z, k->a, va);
    lanes_gather(system->z, k->b, vb);
    lanes_push(k->row_a[0], r, va);
    lanes_push(k->row_b[0], r, vb);
    lanes_scatter(system->z, k->a, va);
    lanes_scatter(system->z, k->b, vb);
}

static bool pack_batches(const crm_rigid_system *system, const crm_rigid_problem *problem, const double *impulse,
                         double velocity_scale, crm_rigid_free *free) {
    bool moved = true;
    double own = velocity_scale * velocity_scale;
    for (int i = 0; i < system->batch_count; i++) {
        crm_rigid_batch *k = &system->batch[i];
        quad q;
        pack_batch(system, problem, impulse, k, &q);
        for (int l = 0; l < CRM_RIGID_LANES; l++) {
            if (k->contact[l] < 0) {
                k->scale[l] = 1.0;
                continue;
            }
            crm_rigid_free *f = &free[k->island[l]];
            if (!(k->scale[l] > 0.0)) moved = false;
            if (!(q[l] <= f->scale)) f->scale = q[l];
            f->energy += (q[l] + own) / k->scale[l];
        }
    }
    return moved;
}
