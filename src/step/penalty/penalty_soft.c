// SPDX-License-Identifier: MIT
// How far springs give way under what stands on them when a run begins.
//
// Bodies that touch at the start do so without the overlap that bears them: they fall until springs and dampers hold
// them, and what friction or the edge of a base holds only just may slide or tip meanwhile. So much is a limit of soft
// contacts, whatever happens later. It is told in thicknesses: a ladder or a plate that gives way by a share of its
// thickness has left its place, however long it is.
#include <math.h>

#include "base/forest.h"
#include "model/body_groups.h"
#include "model/proxies.h"
#include "step/certify/accounts.h"
#include "step/penalty/penalty.h"

// Bodies that are this near, a share of the size, touch.
static const double touching_share = 1e-6;

static bool touches(const carom_model *model, const crm_contact_site *site) {
    return site->gap <= touching_share * crm_pair_size(model, site->a, site->b);
}

// Contacts of a pair follow each other.
static bool is_first_of_pair(const crm_contact_site *sites, int i) {
    return i == 0 || sites[i].a != sites[i - 1].a || sites[i].b != sites[i - 1].b;
}

static double load_of(const carom_model *model, const crm_contact_site *site, int *group,
                      const crm_penalty_stack *stacks) {
    bool moves_a = crm_body_moves(model, site->a), moves_b = crm_body_moves(model, site->b);
    const crm_body *bodies = model->bodies.items;
    if (moves_a && moves_b) return fmin(bodies[site->a].mass, bodies[site->b].mass);
    const crm_penalty_stack *of = &stacks[crm_forest_root(group, moves_a ? site->a : site->b)];
    return of->mass / of->pairs;
}

static void find_stacks(const carom_model *model, const crm_contact_site *sites, int count, int *group,
                        crm_penalty_stack *stacks) {
    for (int b = 0; b < model->bodies.count; b++) group[b] = b, stacks[b] = (crm_penalty_stack){0.0, 0.0};
    for (int i = 0; i < count; i++)
        if (touches(model, &sites[i])) crm_body_groups_join(model, group, sites[i].a, sites[i].b);
    for (int b = 0; b < model->bodies.count; b++)
        if (crm_body_moves(model, b)) stacks[crm_forest_root(group, b)].mass += model->bodies.items[b].mass;
    for (int i = 0; i < count; i++) {
        bool moves_a = crm_body_moves(model, sites[i].a), moves_b = crm_body_moves(model, sites[i].b);
        if (moves_a == moves_b || !is_first_of_pair(sites, i) || !touches(model, &sites[i])) continue;
        stacks[crm_forest_root(group, moves_a ? sites[i].a : sites[i].b)].pairs += 1.0;
    }
}

void crm_penalty_check_soft(const carom_model *model, carom_state *state, crm_penalty *penalty) {
    const crm_contact_site *sites = penalty->found.sites.items;
    int count = state->contact_list.count;
    if (carom_state_step_count(state) > 0 || count == 0) return;
    find_stacks(model, sites, count, state->groups, penalty->stacks);
    for (int i = 0; i < count; i++) {
        int a = sites[i].a, b = sites[i].b;
        if (!touches(model, &sites[i])) continue;
        carom_penalty_pair pair = crm_penalty_pair_of(model, &state->method, state->plan.longest, &penalty->memo, a, b);
        double press = fabs(crm_dot(model->gravity, sites[i].direction[0])) *
                       load_of(model, &sites[i], state->groups, penalty->stacks);
        crm_finding_raise(state, CAROM_RULE_SOFT_CONTACT, press / (pair.stiffness * crm_pair_thickness(model, a, b)), a,
                          b);
    }
}
