// SPDX-License-Identifier: MIT
// Records from contacts, side by side: rows in velocities of unit mass, W_ii and what is made of it, q, and the
// velocities that the guess makes.
#include <float.h>
#include <math.h>

#include "solve/rigid/rigid_lanes.h"
#include "solve/rigid/rigid_loops.h"

typedef struct lanes_body {
    wide linear[3], angular[9], arm[3];
} lanes_body;

// Rows (linear d, F (arm x d)), negated for a.
QUAD_INLINE void lanes_rows(const lanes_body *body, const wide d[3], wide sign, wide row[6]) {
    wide moment[3] = {body->arm[1] * d[2] - body->arm[2] * d[1], body->arm[2] * d[0] - body->arm[0] * d[2],
                      body->arm[0] * d[1] - body->arm[1] * d[0]};
    for (int i = 0; i < 3; i++) {
        const wide *f = body->angular + 3 * i;
        row[i] = sign * (body->linear[i] * d[i]);
        row[3 + i] = sign * (f[0] * moment[0] + f[1] * moment[1] + f[2] * moment[2]);
    }
}

QUAD_INLINE wide lanes_product(const wide a[6], const wide b[6]) {
    wide sum = a[0] * b[0];
    for (int i = 1; i < 6; i++) sum += a[i] * b[i];
    return sum;
}

// W_nn, W_tn, W_tt (11, 12, 22) to what a visit needs.
QUAD_INLINE void lanes_own(crm_rigid_batch *k, int at, const wide w[6], wide_mask rubs) {
    const wide zero = wide_fill(0.0), one = wide_fill(1.0);
    wide inverse = wide_keep(w[0] > zero, one / w[0]);
    wide s00 = w[3] - w[1] * w[1] * inverse, s01 = w[4] - w[1] * w[2] * inverse, s11 = w[5] - w[2] * w[2] * inverse;
    // What rounding has left of a semidefinite S is no stiffness.
    wide least = wide_fill(4.0 * DBL_EPSILON) * (w[3] + w[5]), det = s00 * s11 - s01 * s01;
    wide shift = wide_keep(~(det > least * (s00 + s11)), least);
    s00 += shift, s11 += shift;
    det = s00 * s11 - s01 * s01;
    wide over = wide_keep(det > zero, one / det);
    wide trace = wide_choose(rubs, (w[0] + w[3] + w[5]) / wide_fill(3.0), w[0]);
    wide_store(k->normal + at, w[0]), wide_store(k->normal_inverse + at, inverse);
    wide_store(k->lean[0] + at, w[1]), wide_store(k->lean[1] + at, w[2]);
    wide_store(k->schur[0] + at, s00), wide_store(k->schur[1] + at, s01), wide_store(k->schur[2] + at, s11);
    wide_store(k->stick[0] + at, s11 * over), wide_store(k->stick[1] + at, -s01 * over),
        wide_store(k->stick[2] + at, s00 * over);
    wide_store(k->scale + at, trace);
}

typedef struct pack_sources {
    const double *contact[WIDTH], *a[WIDTH], *b[WIDTH];
    wide_mask moves_a, moves_b; // whether the lane's a and b can move
} pack_sources;

static const crm_rigid_contact no_contact;
static const crm_rigid_body no_body;

QUAD_INLINE pack_sources pack_find(const crm_rigid_problem *problem, const crm_rigid_batch *k, int at) {
    pack_sources s = {0};
    for (int l = 0; l < WIDTH; l++) {
        int number = k->contact[at + l];
        const crm_rigid_contact *contact = number >= 0 ? &problem->contacts[number] : &no_contact;
        bool there = number >= 0, a = there && contact->a >= 0, b = there && contact->b >= 0;
        s.contact[l] = (const double *)&contact->arm_a;
        s.a[l] = (const double *)(a ? &problem->bodies[contact->a] : &no_body);
        s.b[l] = (const double *)(b ? &problem->bodies[contact->b] : &no_body);
        s.moves_a[l] = -(int64_t)a, s.moves_b[l] = -(int64_t)b;
    }
    return s;
}

QUAD_INLINE void pack_body(const double *const of[WIDTH], lanes_body *out) {
    wide m[12];
    for (int i = 0; i < 12; i += 4) lanes_members(of, i, m + i);
    for (int i = 0; i < 3; i++) out->linear[i] = m[i];
    for (int i = 0; i < 9; i++) out->angular[i] = m[3 + i];
}

QUAD_INLINE void pack_impulse(crm_rigid_batch *k, int at, const double *impulse, wide_mask rubs, wide r[3]) {
    for (int m = 0; m < 3; m++) {
        wide guess;
        for (int l = 0; l < WIDTH; l++)
            guess[l] = k->contact[at + l] >= 0 ? impulse[3 * (ptrdiff_t)k->contact[at + l] + m] : 0.0;
        r[m] = m == 0 ? guess : wide_keep(rubs, guess);
        wide_store(k->impulse[m] + at, r[m]);
    }
}

// arm_a, arm_b, directions, offset, friction: 17 doubles from arm_a on.
QUAD_INLINE void pack_lanes(const crm_rigid_system *system, const crm_rigid_problem *problem, const double *impulse,
                            crm_rigid_batch *k, int at, wide *q_squared) {
    pack_sources s = pack_find(problem, k, at);
    wide m[16], friction;
    lanes_body a, b;
    for (int i = 0; i < 16; i += 4) lanes_members(s.contact, i, m + i);
    for (int l = 0; l < WIDTH; l++) friction[l] = s.contact[l][16];
    pack_body(s.a, &a);
    pack_body(s.b, &b);
    for (int i = 0; i < 3; i++) {
        a.arm[i] = wide_keep(s.moves_a, m[i]); // what cannot move may have any arm, also none
        b.arm[i] = wide_keep(s.moves_b, m[3 + i]);
    }
    wide_mask rubs = friction > wide_fill(0.0);
    wide row_a[3][6], row_b[3][6];
    for (int i = 0; i < 3; i++) {
        wide d[3];
        for (int n = 0; n < 3; n++) d[n] = i == 0 ? m[6 + n] : wide_keep(rubs, m[6 + 3 * i + n]);
        lanes_rows(&a, d, wide_fill(-1.0), row_a[i]);
        lanes_rows(&b, d, wide_fill(1.0), row_b[i]);
        for (int n = 0; n < 6; n++) {
            wide_store(k->row_a[6 * i + n] + at, row_a[i][n]);
            wide_store(k->row_b[6 * i + n] + at, row_b[i][n]);
        }
    }
    static const int first[6] = {0, 1, 2, 1, 1, 2}, second[6] = {0, 0, 0, 1, 2, 2};
    wide w[6], r[3], free_a[6], free_b[6], q[3];
    for (int i = 0; i < 6; i++)
        w[i] = lanes_product(row_a[first[i]], row_a[second[i]]) + lanes_product(row_b[first[i]], row_b[second[i]]);
    lanes_own(k, at, w, rubs);
    wide_store(k->offset + at, m[15]);
    wide_store(k->friction + at, friction);
    wide_store(k->multiplier + at, wide_fill(0.0));
    wide_store(k->weight + at, wide_fill(0.0));
    pack_impulse(k, at, impulse, rubs, r);

    lanes_gather(system->free, k->a + at, free_a);
    lanes_gather(system->free, k->b + at, free_b);
    for (int i = 0; i < 3; i++) q[i] = lanes_product(row_a[i], free_a) + lanes_product(row_b[i], free_b);
    q[0] += m[15];
    *q_squared = q[0] * q[0] + q[1] * q[1] + q[2] * q[2];
    wide va[6], vb[6];
    lanes_gather(system->z, k->a + at, va);
    lanes_gather(system->z, k->b + at, vb);
    lanes_push(k->row_a[0] + at, r, va);
    lanes_push(k->row_b[0] + at, r, vb);
    lanes_scatter(system->z, k->a + at, va);
    lanes_scatter(system->z, k->b + at, vb);
}

static bool pack_batches(const crm_rigid_system *system, int begin, int end, const crm_rigid_problem *problem,
                         const double *impulse, crm_rigid_free *free) {
    bool moved = true;
    for (int i = CRM_RIGID_LANES * begin; i < CRM_RIGID_LANES * end; i += WIDTH) {
        crm_rigid_batch *k = &system->batch[i / CRM_RIGID_LANES];
        int at = i % CRM_RIGID_LANES;
        wide q;
        pack_lanes(system, problem, impulse, k, at, &q);
        for (int l = 0; l < WIDTH; l++) {
            double *s = &k->scale[at + l];
            if (k->contact[at + l] < 0) {
                *s = 1.0;
                continue;
            }
            crm_rigid_free *f = &free[k->island[at + l]];
            if (!(*s > 0.0)) moved = false;
            if (!(q[l] <= f->scale)) f->scale = q[l];
            f->energy += (q[l] + f->least * f->least) / *s;
        }
    }
    return moved;
}
