// SPDX-License-Identifier: MIT
// Momenta of intervals, balances of nodes and orthonormal directors: the discrete Euler-Lagrange equations of
// docs/math.md 16.1 with p and l as unknowns.
#include <math.h>

#include "control/rows/plan_pieces.h"
#include "model/force/evaluate.h"

// ---- intervals

static void add_momentum_rows(crm_draft *draft, int interval, int slot) {
    int body = draft->body[slot];
    const crm_body *b = crm_draft_body(draft, body);
    crm_form length = crm_form_length(draft, interval);
    crm_form3 p = crm_form3_unknown(draft, draft->momentum[interval * draft->moving_count + slot]);
    crm_form3 here = crm_form_centre(draft, interval, body), there = crm_form_centre(draft, interval + 1, body);
    crm_form3 moved = crm_form3_difference(there, &here);
    double mass = b->mass / draft->units.mass;
    for (int i = 0; i < 3; i++) {
        if (!crm_kind_admits(b->kind, i)) continue;
        int32_t row = crm_draft_row(draft, 0.0, 0.0, crm_interval_place(interval),
                                    (crm_row_name){CRM_ROW_MOMENTUM, body, -1, -1, interval});
        crm_add_pair(draft, row, 1.0, &length, &p.c[i]);
        crm_add_form(draft, row, -mass, &moved.c[i]);
    }
}

static void add_spin_rows(crm_draft *draft, int interval, int slot) {
    int body = draft->body[slot];
    const crm_body *b = crm_draft_body(draft, body);
    crm_form length = crm_form_length(draft, interval);
    crm_form3 l = crm_form3_unknown(draft, draft->momentum[interval * draft->moving_count + slot] + 3);
    carom_vec3 inertia = crm_director_inertia(b);
    int32_t row[3];
    for (int i = 0; i < 3; i++) {
        row[i] = CRM_NO_ROW;
        if (crm_kind_admits(b->kind, 3 + i))
            row[i] = crm_draft_row(draft, 0.0, 0.0, crm_interval_place(interval),
                                   (crm_row_name){CRM_ROW_SPIN, body, -1, -1, interval});
    }
    crm_add_vector(draft, row, 1.0, &length, &l);
    double unit = draft->units.mass * draft->units.length * draft->units.length;
    for (int i = 0; i < 3; i++) {
        crm_form3 d = crm_form_director(draft, interval, body, i), e = crm_form_director(draft, interval + 1, body, i);
        crm_add_cross(draft, row, -crm_component(inertia, i) / unit, NULL, &d, &e);
    }
}

void crm_add_trace(crm_draft *draft, int32_t row, double coefficient, int interval, int body) {
    for (int i = 0; i < 3; i++) {
        crm_form3 here = crm_form_director(draft, interval, body, i);
        crm_form3 there = crm_form_director(draft, interval + 1, body, i);
        crm_add_dot(draft, row, coefficient, NULL, &here, &there);
    }
}

// Of a rotation in an interval, rad: beyond, what is said of motions between nodes does not hold, and the momentum as a
// function of the rotation, a sine, is not far from its end.
static const double most_rotated = 1.2;

static void add_rotation_row(crm_draft *draft, int interval, int slot) {
    int body = draft->body[slot], terms = draft->builder.terms.count;
    int32_t row = crm_draft_row(draft, 1.0 + 2.0 * cos(most_rotated), INFINITY, crm_interval_place(interval),
                                (crm_row_name){CRM_ROW_ROTATION, body, -1, -1, interval});
    crm_add_trace(draft, row, 1.0, interval, body);
    crm_draft_drop_constant_row(draft, terms);
}

// ---- nodes

// Of a planar body the first two directors are orthonormal in their plane, and the third one is its normal.
static void add_director_rows(crm_draft *draft, int node, int slot) {
    int body = draft->body[slot], count = crm_draft_body(draft, body)->kind == CAROM_BODY_PLANAR ? 2 : 3;
    const crm_asked *asked = crm_asked_at(draft, node, slot);
    // A given attitude is orthonormal, one that is given from another body's as that is.
    bool seen = asked != NULL && asked->relative_attitude && !draft->soft_ends;
    if (seen || (asked != NULL && asked->fixed_attitude)) return;
    for (int i = 0; i < count; i++) {
        for (int j = 0; j <= i; j++) {
            crm_form3 a = crm_form_director(draft, node, body, i), b = crm_form_director(draft, node, body, j);
            double wanted = i == j ? 1.0 : 0.0;
            int32_t row = crm_draft_row(draft, wanted, wanted, crm_node_place(node),
                                        (crm_row_name){CRM_ROW_DIRECTORS, body, -1, -1, node});
            crm_add_dot(draft, row, 1.0, NULL, &a, &b);
        }
    }
}

static void make_balance_rows(crm_draft *draft, int node, int slot, int32_t row[6]) {
    int body = draft->body[slot];
    for (int i = 0; i < 6; i++) {
        row[i] = CRM_NO_ROW;
        if (!crm_kind_admits(crm_draft_body(draft, body)->kind, i) || !crm_balance_holds(draft, node, slot, i / 3))
            continue;
        int kind = i < 3 ? CRM_ROW_BALANCE : CRM_ROW_SPIN_BALANCE;
        row[i] = crm_draft_row(draft, 0.0, 0.0, crm_node_place(node), (crm_row_name){kind, body, -1, -1, node});
    }
}

// The momenta of an interval, with a sign, to the balance of one of its nodes.
static void add_momenta(crm_draft *draft, int interval, int slot, double sign, const int32_t row[6]) {
    int32_t first = draft->momentum[interval * draft->moving_count + slot];
    crm_form3 p = crm_form3_unknown(draft, first);
    crm_add_vector(draft, row, sign, NULL, &p);
    if (!crm_has_directors(crm_draft_body(draft, draft->body[slot]))) return;
    crm_form3 l = crm_form3_unknown(draft, first + 3);
    crm_add_vector(draft, row + 3, sign, NULL, &l);
}

static void add_weight(crm_draft *draft, int interval, int slot, double sign, const int32_t row[6]) {
    const crm_body *body = crm_draft_body(draft, draft->body[slot]);
    crm_form length = crm_form_length(draft, interval);
    crm_form3 weight = crm_form3_vector(crm_scale(body->mass / draft->units.force, draft->model->gravity));
    crm_add_vector(draft, row, 0.5 * sign, &length, &weight);
}

void crm_add_interval_forces(crm_draft *draft, int interval, int end, double sign, const int32_t *balance) {
    for (int s = 0; s < draft->moving_count; s++) add_weight(draft, interval, s, sign, balance + 6 * s);
    crm_controls_add_forces(draft, interval, end, sign, balance);
    crm_fields_add_forces(draft, interval, end, sign, balance);
}

static void add_node(crm_draft *draft, int node) {
    int last = draft->intervals;
    int32_t *balance = draft->balance + 6 * (ptrdiff_t)node * draft->moving_count;
    for (int s = 0; s < draft->moving_count; s++) {
        int32_t *row = balance + 6 * s;
        make_balance_rows(draft, node, s, row);
        if (node > 0) add_momenta(draft, node - 1, s, 1.0, row);
        if (node < last) add_momenta(draft, node, s, -1.0, row);
        if (node == 0) crm_ends_add_momenta(draft, node, s, 1.0, row);
        if (node == last) crm_ends_add_momenta(draft, node, s, -1.0, row);
        if (crm_has_directors(crm_draft_body(draft, draft->body[s]))) add_director_rows(draft, node, s);
    }
    if (node > 0) crm_add_interval_forces(draft, node - 1, 1, 1.0, balance);
    if (node < last) crm_add_interval_forces(draft, node, 0, 1.0, balance);
}

void crm_dynamics_add(crm_draft *draft) {
    for (int k = 0; k <= draft->intervals; k++) {
        add_node(draft, k);
        if (k == draft->intervals) break;
        for (int s = 0; s < draft->moving_count; s++) {
            add_momentum_rows(draft, k, s);
            if (!crm_has_directors(crm_draft_body(draft, draft->body[s]))) continue;
            add_spin_rows(draft, k, s);
            add_rotation_row(draft, k, s);
        }
    }
}
