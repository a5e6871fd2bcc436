// SPDX-License-Identifier: MIT
#include "step/certify/rebound.h"

#include <math.h>

#include "step/certify/accounts.h"
#include "step/certify/contact_work.h"

// Hits that are slower than this many times what gravity adds in a step are rest.
static const double slowest_hit = 4.0;

// A body on several contacts may rise at one of them by rotating about another: only of one contact the rebound is
// known. Speeds are of the point of contact, with the arms of the start of the step.
void crm_rebound_check(const carom_model *model, carom_state *state) {
    int64_t step = state->step_count + 1;
    double least = slowest_hit * crm_length(model->gravity) * state->method.step;
    for (int i = 0; i < state->contact_table.count; i++) {
        const carom_contact_state *c = &state->contact_table.items[i];
        const int ends[2] = {c->a.index, c->b.index};
        double before = crm_contact_rate(state, c, 0), after = crm_contact_rate(state, c, 1);
        for (int e = 0; e < 2 && c->normal_impulse > 0.0; e++) {
            crm_hit *hit = &state->accounts.hit[ends[e]];
            if (!crm_body_moves(model, ends[e])) continue;
            if (hit->step < step - 1) *hit = (crm_hit){.approach = 0.0};
            if (hit->step == step) hit->many = 1;
            hit->step = step;
            hit->approach = fmax(hit->approach, -before);
        }
        const crm_hit *hit = &state->accounts.hit[crm_body_moves(model, ends[1]) ? ends[1] : ends[0]];
        if (!(c->normal_impulse > 0.0) || hit->many != 0 || !(hit->approach > least)) continue;
        double beyond = after / hit->approach - crm_contact_restitution(model, c);
        if (beyond > 0.0) crm_finding_raise(state, CAROM_RULE_REBOUND, beyond, ends[0], ends[1]);
    }
}
