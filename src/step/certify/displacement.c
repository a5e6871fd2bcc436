// SPDX-License-Identifier: MIT
#include "step/certify/displacement.h"

#include <math.h>
#include <string.h>

#include "carom/tools.h"
#include "math/order.h"
#include "step/certify/accounts.h"
#include "step/certify/contact_work.h"
#include "step/method.h"

// What lies outside counts where it is more than this share of the displacement: elsewhere it is the method's order.
static const double most_of_it = 0.5;
// Of the squares: below most_of_it^2 by more than roundings, so that as a rule no root is taken.
static const double surely_less = 0.2;

// By how much x is outside of what a and b span.
static double outside(double x, double a, double b) {
    return x - crm_larger(crm_smaller(a, b), crm_smaller(crm_larger(a, b), x));
}

// Marks bodies that rebound within the step: that arrive, or leave, faster than gravity makes in a step. Their
// velocities at the ends then say little of their way; what rests and creeps is not meant.
static void mark_hit(const carom_model *model, const carom_state *state) {
    bool *hit = state->accounts.marked;
    crm_last_restitution last = {0};
    double slow = crm_length(model->gravity) * state->method.step;
    memset(hit, 0, (size_t)model->bodies.count * sizeof *hit);
    for (int i = 0; i < state->contact_table.count; i++) {
        const carom_contact_state *c = &state->contact_table.items[i];
        if (!(c->normal_impulse > 0.0) || !(crm_contact_restitution(model, c, &last) > 0.0)) continue;
        if (crm_contact_rate(state, c, 0) < -slow || crm_contact_rate(state, c, 1) > slow)
            hit[c->a.index] = hit[c->b.index] = true;
    }
}

void crm_displacement_check(const carom_model *model, carom_state *state) {
    double h = state->method.step;
    bool marked = false; // as a rule nobody asks
    if (carom_method_is_adaptive(&state->method)) return;
    if (model->mobility.kind != CAROM_MOBILITY_NONE) return; // velocities of a fluid are those of its forces
    for (int b = 0; b < model->bodies.count; b++) {
        const crm_body *body = &model->bodies.items[b];
        if (body->kind == CAROM_BODY_FIXED || !(body->size > 0.0)) continue;
        carom_vec3 d = crm_sub(state->next[b].x, state->motions[b].x);
        carom_vec3 from = crm_scale(h, crm_motion_velocity(body, &state->motions[b]));
        carom_vec3 to = crm_scale(h, crm_motion_velocity(body, &state->next[b]));
        carom_vec3 out = crm_vec3(outside(d.x, from.x, to.x), outside(d.y, from.y, to.y), outside(d.z, from.z, to.z));
        if (crm_length_squared(out) <= surely_less * crm_length_squared(d)) continue;
        if (!(crm_length(out) > most_of_it * crm_length(d))) continue;
        if (!marked) mark_hit(model, state), marked = true;
        if (state->accounts.marked[b]) continue;
        carom_vec3 *sum = &state->accounts.unexplained[b];
        *sum = crm_add(*sum, out);
        crm_finding_raise(state, CAROM_RULE_UNEXPLAINED_WAY, crm_length(*sum) / body->size, b, -1);
    }
}
