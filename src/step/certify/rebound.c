// SPDX-License-Identifier: MIT
#include "step/certify/rebound.h"

#include <math.h>

#include "math/order.h"
#include "step/certify/accounts.h"
#include "step/certify/contact_work.h"

// Hits that are slower than this many times what gravity adds in a step are rest; where a hit is over within a step,
// what gravity adds in it must vanish beside the tolerance of the rule.
static const double slowest_lasting_hit = 4.0, slowest_hit = 40.0;
// Of a body that rotates farther in a step, rad, the point of contact is not the same at its end.
static const double least_rotation = 0.05;

// Returns the largest speed of approach of the bodies' hits so far.
static double note(const carom_model *model, carom_state *state, const carom_contact_state *c, bool lasts) {
    int64_t step = state->step_count + 1;
    const int ends[2] = {c->a.index, c->b.index};
    double before = crm_contact_rate(state, c, 0), fastest = 0.0;
    for (int e = 0; e < 2; e++) {
        crm_hit *hit = &state->accounts.hit[ends[e]];
        if (!crm_body_moves(model, ends[e])) continue;
        if (hit->step < step - (lasts ? 1 : 0)) *hit = (crm_hit){.approach = 0.0};
        if (hit->step == step) hit->many = 1;
        hit->step = step;
        hit->approach = crm_larger(hit->approach, -before);
        fastest = crm_larger(fastest, hit->approach);
    }
    return fastest;
}

// A body on several contacts may rise at one of them by rotating about another, and one that is driven by anything else
// within the step: only of one contact alone the rebound is known.
static bool is_alone(const carom_model *model, const carom_state *state, int body, bool lasts) {
    if (!crm_body_moves(model, body)) return true;
    if (state->accounts.hit[body].many != 0) return false;
    const crm_vec6 *twist = state->accounts.twist[body].at;
    double spin = fmax(crm_length(twist[0].angular), crm_length(twist[1].angular));
    return lasts || (!state->accounts.spun[body] && state->method.step * spin <= least_rotation);
}

// Speeds are of the point of contact, with the arms of the start of the step.
void crm_rebound_check(const carom_model *model, carom_state *state, bool lasts) {
    double least = (lasts ? slowest_lasting_hit : slowest_hit) * crm_length(model->gravity) * state->method.step;
    const carom_contact_state *contacts = state->contact_table.items;
    crm_last_restitution last = {0};
    double fastest = 0.0;
    for (int i = 0; i < state->contact_table.count; i++)
        if (contacts[i].normal_impulse > 0.0) fastest = crm_larger(fastest, note(model, state, &contacts[i], lasts));
    if (!(fastest > least)) return; // as of all that rests or rolls
    for (int i = 0; i < state->contact_table.count; i++) {
        const carom_contact_state *c = &contacts[i];
        int a = c->a.index, b = c->b.index;
        if (!(c->normal_impulse > 0.0) || !is_alone(model, state, a, lasts) || !is_alone(model, state, b, lasts))
            continue;
        const crm_hit *hit = &state->accounts.hit[crm_body_moves(model, b) ? b : a];
        if (!(hit->approach > least)) continue;
        double beyond = crm_contact_rate(state, c, 1) / hit->approach - crm_contact_restitution(model, c, &last);
        if (beyond > 0.0) crm_finding_raise(state, CAROM_RULE_REBOUND, beyond, a, b);
    }
}
