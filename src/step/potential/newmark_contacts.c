// SPDX-License-Identifier: MIT
#include "step/potential/newmark_contacts.h"

#include <math.h>

#include "model/force/evaluate.h"

// Of the scalar law, relative; and how many corrections it is given.
static const double settled = 1e-15;
enum { MOST_STEPS = 100 };

double crm_newmark_rate_of(const carom_model *model, const crm_overlap_pair *pair, const crm_piece *piece,
                           const crm_motion *motions) {
    const crm_body *a = &model->bodies.items[pair->a], *b = &model->bodies.items[pair->b];
    const crm_motion *at_a = &motions[pair->a], *at_b = &motions[pair->b];
    crm_vec6 twist_a = crm_vec6_of(crm_motion_velocity(a, at_a), crm_motion_spin(a, at_a));
    crm_vec6 twist_b = crm_vec6_of(crm_motion_velocity(b, at_b), crm_motion_spin(b, at_b));
    return crm_vec6_dot(piece->row_a, twist_a) + crm_vec6_dot(piece->row_b, twist_b);
}

void crm_newmark_push_pair(const carom_model *model, const crm_overlap_pair *pair, const crm_vec6 *row_a,
                           const crm_vec6 *row_b, double impulse, crm_vec6 *to) {
    if (impulse == 0.0) return;
    crm_vec6 on_a = crm_wrench_projected(model->bodies.items[pair->a].kind, crm_vec6_scale(impulse, *row_a));
    crm_vec6 on_b = crm_wrench_projected(model->bodies.items[pair->b].kind, crm_vec6_scale(impulse, *row_b));
    to[pair->a] = crm_vec6_add(to[pair->a], on_a);
    to[pair->b] = crm_vec6_add(to[pair->b], on_b);
}

crm_newmark_shares crm_newmark_contact_shares(const carom_state *state) {
    const carom_potential_def *def = &state->method.potential;
    double h = state->method.step;
    if (def->implicit_contact) return (crm_newmark_shares){0.0, 0.5 * h, 0.0, 0.5 * h};
    return (crm_newmark_shares){h * (0.5 - def->beta), h * def->beta, h * (0.5 - def->gamma + def->beta),
                                h * (def->gamma - def->beta)};
}

// ---- forces

static double damping_of(const carom_state *state, const crm_overlap_pair *pair, const crm_piece *piece,
                         const crm_motion *motions) {
    double damping = state->method.potential.damping;
    return damping > 0.0 ? -damping * crm_newmark_rate_of(state->model, pair, piece, motions) : 0.0;
}

// C times an overlap and its damping, which never pulls; nothing without an overlap.
static double force_at(double elastic, double damped) {
    return elastic > 0.0 ? fmax(0.0, elastic + damped) : 0.0;
}

// The force at a node: of y <= 0 none, then y itself up to what damping has at the touch, then C a t with damping.
static void find_at_end(const carom_state *state, const crm_overlap_pair *pair, const crm_piece *piece,
                        crm_newmark_contact *c) {
    double stiffness = pair->stiffness, elastic = stiffness * fmax(0.0, -piece->value);
    double damped = damping_of(state, pair, piece, state->next), share = 1.0 / (1.0 + stiffness * c->compliance);
    double damping = state->method.potential.damping;
    c->by_force = c->by_value = c->by_rate = 0.0;
    if (!(c->compliance > 0.0)) {
        c->found = force_at(elastic, damped);
        if (c->found > 0.0) c->by_value = -stiffness, c->by_rate = -damping;
    } else {
        double y = c->trial - piece->value / c->compliance;
        double overlapping = share * (stiffness * c->compliance * y + damped);
        c->found = fmax(0.0, fmin(y, overlapping));
        if (c->found > 0.0 && overlapping < y) {
            c->by_force = 1.0 - share;
            c->by_value = -share * stiffness;
            c->by_rate = -share * damping;
        } else if (c->found > 0.0) {
            c->by_force = 1.0;
            c->by_value = -1.0 / c->compliance;
        }
    }
    c->found_damped = c->found - (c->found > 0.0 ? elastic : 0.0);
}

// Minus the difference of V over that of t, between t_k and t, without taking one V off the other, and its slope.
static double mean_elastic(double stiffness, double first, double t, double *slope) {
    double depth = fmax(0.0, -first), last = fmax(0.0, -t);
    *slope = 0.0;
    if (depth > 0.0 && last > 0.0) {
        *slope = -0.5 * stiffness;
        return 0.5 * stiffness * (depth + last);
    }
    if (last > 0.0) {
        double way = first + last;
        *slope = -0.5 * stiffness * last * (2.0 * way - last) / (way * way);
        return 0.5 * stiffness * last * last / way;
    }
    if (!(depth > 0.0)) return 0.0;
    double way = depth + t;
    *slope = -0.5 * stiffness * depth * depth / (way * way);
    return -*slope * way;
}

// With damping: the law of implicit contacts, which is convex.
static double mean_force(const carom_state *state, const crm_overlap_pair *pair, double first, double t, double *slope,
                         double *damped) {
    double damping = state->method.potential.damping / state->method.step;
    double elastic = mean_elastic(pair->stiffness, first, t, slope);
    *damped = damping * (fmax(0.0, -t) - fmax(0.0, -first));
    if (t < 0.0) *slope -= damping;
    if (elastic + *damped > 0.0) return elastic + *damped;
    *slope = 0.0;
    *damped = -elastic;
    return 0.0;
}

// By Newton's method from f = 0, from where a convex law is reached without going too far.
static void find_mean(const carom_state *state, const crm_overlap_pair *pair, const crm_piece *piece,
                      crm_newmark_contact *c) {
    double slope, a = c->compliance, y = c->trial - piece->value / a;
    c->by_rate = 0.0;
    if (!(a > 0.0)) {
        c->found = mean_force(state, pair, c->value, piece->value, &slope, &c->found_damped);
        c->by_force = 0.0;
        c->by_value = slope;
        return;
    }
    c->found = 0.0;
    for (int i = 0; i < MOST_STEPS; i++) {
        double wanted = mean_force(state, pair, c->value, a * (c->found - y), &slope, &c->found_damped);
        double step = (wanted - c->found) / (1.0 - a * slope);
        c->found += step;
        if (!(step > settled * c->found)) break;
    }
    c->by_force = -a * slope / (1.0 - a * slope);
    c->by_value = -c->by_force / a;
}

// With the masses at the start, so that one number serves for all that is tried.
static double compliance_of(const carom_state *state, const crm_overlap_pair *pair, const crm_piece *piece) {
    double share = crm_newmark_contact_shares(state).before_last * state->method.step, sum = 0.0;
    const int body[2] = {pair->a, pair->b};
    const crm_vec6 *row[2] = {&piece->row_a, &piece->row_b};
    for (int e = 0; e < 2; e++) {
        const crm_body *of = &state->model->bodies.items[body[e]];
        if (!crm_body_moves(state->model, body[e]) || crm_state_stays(state, body[e])) continue;
        crm_vec6 push = crm_wrench_projected(of->kind, *row[e]);
        const crm_motion moved = {.q = state->motions[body[e]].q, .p = push.linear, .l = push.angular};
        sum += crm_vec6_dot(push, crm_vec6_of(crm_motion_velocity(of, &moved), crm_motion_spin(of, &moved)));
    }
    return share * sum;
}

bool crm_newmark_contacts_begin(const carom_state *state, const crm_overlap *overlap, crm_newmark_contact_list *list) {
    if (!CRM_ARRAY_RESIZE(&state->model->allocator, list, overlap->pairs.count)) return false;
    for (int i = 0; i < list->count; i++) {
        crm_newmark_contact *c = &list->items[i];
        const crm_overlap_pair *pair = &overlap->pairs.items[i];
        const crm_piece *piece = &overlap->pieces.items[i];
        *c = (crm_newmark_contact){.row_a = piece->row_a, .row_b = piece->row_b, .value = piece->value};
        c->compliance = compliance_of(state, pair, piece);
        if (state->method.potential.implicit_contact) continue;
        double elastic = pair->stiffness * fmax(0.0, -piece->value);
        c->force = c->first = force_at(elastic, damping_of(state, pair, piece, state->motions));
        c->first_damped = elastic > 0.0 ? c->first - elastic : 0.0;
    }
    return true;
}

void crm_newmark_contacts_find(const carom_state *state, const crm_overlap *overlap, crm_newmark_contact_list *list) {
    for (int i = 0; i < list->count; i++) {
        const crm_overlap_pair *pair = &overlap->pairs.items[i];
        const crm_piece *piece = &overlap->pieces.items[i];
        crm_newmark_contact *c = &list->items[i];
        if (state->method.potential.implicit_contact)
            find_mean(state, pair, piece, c);
        else
            find_at_end(state, pair, piece, c);
    }
}

// ---- impulses

void crm_newmark_contacts_push(const carom_state *state, const crm_overlap *overlap,
                               const crm_newmark_contact_list *list, crm_vec6 *before) {
    crm_newmark_shares shares = crm_newmark_contact_shares(state);
    for (int i = 0; i < list->count; i++) {
        const crm_newmark_contact *c = &list->items[i];
        crm_newmark_push_pair(state->model, &overlap->pairs.items[i], &c->row_a, &c->row_b,
                              shares.before_first * c->first + shares.before_last * c->trial, before);
    }
}

void crm_newmark_contacts_push_after(const carom_state *state, const crm_overlap *overlap,
                                     const crm_newmark_contact_list *list, crm_vec6 *after) {
    crm_newmark_shares shares = crm_newmark_contact_shares(state);
    for (int i = 0; i < list->count; i++) {
        const crm_newmark_contact *c = &list->items[i];
        const crm_piece *piece = &overlap->pieces.items[i];
        crm_newmark_push_pair(state->model, &overlap->pairs.items[i], &piece->row_a, &piece->row_b,
                              shares.after_first * c->first + shares.after_last * c->trial, after);
    }
}

void crm_newmark_contacts_damp(const carom_state *state, const crm_overlap *overlap,
                               const crm_newmark_contact_list *list, crm_vec6 *damped) {
    crm_newmark_shares shares = crm_newmark_contact_shares(state);
    for (int i = 0; i < list->count; i++) {
        const crm_newmark_contact *c = &list->items[i];
        const crm_overlap_pair *pair = &overlap->pairs.items[i];
        const crm_piece *piece = &overlap->pieces.items[i];
        crm_newmark_push_pair(state->model, pair, &c->row_a, &c->row_b,
                              shares.before_first * c->first_damped + shares.before_last * c->found_damped, damped);
        crm_newmark_push_pair(state->model, pair, &piece->row_a, &piece->row_b,
                              shares.after_first * c->first_damped + shares.after_last * c->found_damped, damped);
    }
}
