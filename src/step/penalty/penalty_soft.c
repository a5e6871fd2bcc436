// SPDX-License-Identifier: MIT
// How far springs give way under what stands on them when a run begins.
//
// Bodies that touch at the start do so without the overlap that bears them: they fall until springs and dampers hold
// them, and what friction or the edge of a base holds only just may slide or tip meanwhile. So much is a limit of soft
// contacts, whatever happens later.
#include <math.h>

#include "model/proxies.h"
#include "step/certify/accounts.h"
#include "step/penalty/penalty.h"

// Bodies that are this near, a share of the size, touch.
static const double touching_share = 1e-6;

static double mass_of(const carom_model *model, int body) {
    return crm_body_moves(model, body) ? model->bodies.items[body].mass : INFINITY;
}

void crm_penalty_check_soft(const carom_model *model, carom_state *state, crm_penalty *penalty) {
    const crm_contact_site *sites = penalty->found.sites.items;
    if (carom_state_step_count(state) > 0) return;
    for (int i = 0; i < state->contact_list.count; i++) {
        int a = sites[i].a, b = sites[i].b;
        double size = crm_pair_size(model, a, b), weight = fmin(mass_of(model, a), mass_of(model, b));
        if (!(sites[i].gap <= touching_share * size)) continue;
        carom_penalty_pair pair = crm_penalty_pair_of(model, &state->method, &penalty->memo, a, b);
        weight *= fabs(crm_dot(model->gravity, sites[i].direction[0]));
        crm_finding_raise(state, CAROM_RULE_SOFT_CONTACT, weight / (pair.stiffness * size), a, b);
    }
}
