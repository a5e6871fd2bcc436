// SPDX-License-Identifier: MIT
// Momentum consistency: what all bodies together have of momentum, and of angular momentum about the world's origin,
// changes from node to node by what comes from outside and by nothing else,
//
//   L_k+1 - L_k - T_k - R_k = 0,   likewise P
//
// with the momenta that arrive at the nodes, T_k the moments of all forces of the interval at both its nodes (controls,
// weight, and potentials, whose sum is 0 but for those of fields), R_k those of impulses at node k on the world's side:
// of joints and contacts with what cannot move. Impulses between two bodies that move are in none of it: they cancel,
// or the sum shows that they do not.
#include <math.h>

#include "control/certificate/plan_facts.h"
#include "math/order.h"

// Of all bodies, about the origin; and what it is made of, by size.
typedef struct total {
    carom_vec3 linear, angular;
    double momentum, moment;
} total;

static void add(total *sum, double sign, carom_vec3 x, crm_vec6 w) {
    sum->linear = crm_madd(sum->linear, sign, w.linear);
    sum->angular = crm_madd(sum->angular, sign, crm_add(w.angular, crm_cross(x, w.linear)));
    sum->momentum += crm_length(w.linear);
    sum->moment += crm_length(w.angular) + crm_length(x) * crm_length(w.linear);
}

static carom_vec3 position(const crm_plan_facts *f, int node, int body) {
    return f->motion->position[crm_fact_at(f, node, body)];
}

static void add_arriving(const crm_plan_facts *f, total *sum, double sign, int node) {
    for (int b = 0; b < f->bodies; b++)
        if (crm_fact_moves(f, b)) add(sum, sign, position(f, node, b), crm_fact_momenta_before(f, node, b));
}

static void add_outside_impulses(const crm_plan_facts *f, total *sum, int node) {
    for (int i = 0; i < f->motion->impulse_count; i++) {
        const crm_plan_impulse *impulse = &f->motion->impulse[i];
        bool a = crm_fact_moves(f, impulse->a.index), b = crm_fact_moves(f, impulse->b.index);
        if (impulse->node != node || a == b) continue;
        crm_vec6 w = crm_vec6_of(impulse->impulse, impulse->couple);
        add(sum, -1.0, impulse->point, a ? w : crm_vec6_negate(w));
    }
}

static void add_forces(const crm_plan_facts *f, total *sum, int k) {
    for (int b = 0; b < f->bodies; b++)
        for (int end = 0; end < 2; end++) add(sum, -1.0, position(f, k + end, b), crm_fact_push(f, k, end, b));
}

// From node k to the next, of the last one over its impulses alone.
static total change(const crm_plan_facts *f, int k) {
    total sum = {.momentum = 0.0};
    add_arriving(f, &sum, -1.0, k);
    add_outside_impulses(f, &sum, k);
    if (k < f->intervals) {
        add_arriving(f, &sum, 1.0, k + 1);
        add_forces(f, &sum, k);
        return sum;
    }
    for (int b = 0; b < f->bodies; b++)
        if (crm_fact_moves(f, b)) add(&sum, 1.0, position(f, k, b), crm_fact_momenta_after(f, k, b));
    return sum;
}

static double share(double off, double size) {
    return off == 0.0 ? 0.0 : off / size;
}

// The plane of a planar body gives what it likes along its normal and about axes in it.
static bool has_planar_body(const crm_plan_facts *f) {
    for (int b = 0; b < f->bodies; b++)
        if (crm_fact_body(f, b)->kind == CAROM_BODY_PLANAR) return true;
    return false;
}

void crm_check_momentum(crm_plan_facts *f) {
    double momentum = 0.0, moment = 0.0;
    bool planar = has_planar_body(f);
    // One size for the whole motion: momenta that pass through zero have none of their own.
    for (int k = 0; k <= f->intervals; k++) {
        total sum = change(f, k);
        momentum = fmax(momentum, sum.momentum);
        moment = fmax(moment, sum.moment);
    }
    for (int k = 0; k <= f->intervals; k++) {
        total sum = change(f, k);
        if (planar) sum.linear.z = sum.angular.x = sum.angular.y = 0.0;
        double off = crm_larger(share(crm_length(sum.linear), momentum), share(crm_length(sum.angular), moment));
        f->out->consistency[k] = off;
        f->out->certificate.consistency = crm_larger(f->out->certificate.consistency, off);
    }
}
